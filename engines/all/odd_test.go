package all

import (
	"math"
	"math/rand/v2"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/elementary"
)

// oddKind is a kind of columns, drawn by row.
type oddKind struct {
	name string
	draw func(rng *rand.Rand, rows, columns int) [][]float64
}

// oddKinds are kinds of columns that tables of measurements have and that fits have stumbled on.
var oddKinds = []oddKind{
	{"normal", entries(func(rng *rand.Rand, _ int) float64 { return rng.NormFloat64() })},
	{"Cauchy", entries(func(rng *rand.Rand, _ int) float64 { return rng.NormFloat64() / rng.NormFloat64() })},
	{"squares of Cauchy", entries(func(rng *rand.Rand, _ int) float64 {
		return elementary.Pow(math.Abs(rng.NormFloat64()/rng.NormFloat64()), 2)
	})},
	{"cubes of Cauchy", entries(func(rng *rand.Rand, _ int) float64 {
		v := rng.NormFloat64() / rng.NormFloat64()
		return v * v * v
	})},
	{"log-normal", entries(func(rng *rand.Rand, _ int) float64 { return elementary.Exp(5 * rng.NormFloat64()) })},
	{"mixed units", entries(func(rng *rand.Rand, j int) float64 { return elementary.Pow(10, float64(j*7%17-8)) * rng.NormFloat64() })},
	{"autoregressive", walks(0.99)},
	{"random walks", walks(1)},
	{"far from zero", entries(func(rng *rand.Rand, j int) float64 { return elementary.Pow(10, float64(j%9)) + rng.NormFloat64() })},
	{"copies", copied(entries(func(rng *rand.Rand, _ int) float64 { return rng.NormFloat64() }))},
	{"counts with copies", copied(entries(func(rng *rand.Rand, _ int) float64 { return math.Floor(elementary.Exp(2 * rng.NormFloat64())) }))},
	{"mixed units with copies", copied(entries(func(rng *rand.Rand, j int) float64 { return elementary.Pow(10, float64(j*7%17-8)) * rng.NormFloat64() }))},
	{"subnormal", entries(func(rng *rand.Rand, j int) float64 { return elementary.Pow(10, -float64(40*(j%8))) * rng.NormFloat64() })},
	{"some constant", entries(func(rng *rand.Rand, j int) float64 {
		v := rng.NormFloat64()
		if j%3 == 0 {
			v = 0.1
		}
		return v
	})},
	{"rare", entries(func(rng *rand.Rand, _ int) float64 { return float64(rng.IntN(8) / 7) })},
}

// entries that are drawn each by itself, given their column.
func entries(of func(rng *rand.Rand, j int) float64) func(rng *rand.Rand, rows, columns int) [][]float64 {
	return func(rng *rand.Rand, rows, columns int) [][]float64 {
		x := make([][]float64, rows)
		for i := range x {
			x[i] = make([]float64, columns)
			for j := range x[i] {
				x[i][j] = of(rng, j)
			}
		}
		return x
	}
}

// walks of normal steps down the rows, of which each keeps a share of the row before.
func walks(share float64) func(rng *rand.Rand, rows, columns int) [][]float64 {
	return func(rng *rand.Rand, rows, columns int) [][]float64 {
		x := entries(func(rng *rand.Rand, _ int) float64 { return rng.NormFloat64() })(rng, rows, columns)
		for i := range x[1:] {
			for j := range x[i] {
				x[i+1][j] += share * x[i][j]
			}
		}
		return x
	}
}

// copied makes the last third of the columns copies of the first ones.
func copied(draw func(rng *rand.Rand, rows, columns int) [][]float64) func(rng *rand.Rand, rows, columns int) [][]float64 {
	return func(rng *rand.Rand, rows, columns int) [][]float64 {
		x := draw(rng, rows, columns)
		for _, row := range x {
			copy(row[columns-columns/3:], row)
		}
		return x
	}
}

// oddTarget of a type: what the ranks of two columns say, with noise where told.
func oddTarget(rng *rand.Rand, x [][]float64, of data.Type, noise float64) data.Target {
	y := make([]float64, len(x))
	for i, row := range x {
		y[i] = math.Atan(row[0]) - math.Atan(row[1]) + noise*rng.NormFloat64()
	}
	switch of {
	case data.Class:
		levels := make([]float64, len(y))
		for i, v := range y {
			if v > 0 || i == 0 {
				levels[i] = 1
			}
		}
		levels[1] = 0
		return enginetest.Class("y", 2, levels...)
	case data.Survival:
		for i, v := range y {
			y[i] = elementary.Exp(-v)
		}
		return enginetest.Survival("y", y...)
	}
	return enginetest.Real("y", y...)
}
