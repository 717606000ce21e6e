package lasso

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/targets"
)

// oddTable returns rows of numbers with what tables have: columns far from zero, nearly or wholly dependent, equal, constant, in unlike units, and
// weights.
func oddTable(seed uint64) (v *data.View, columns int) {
	rng := rand.New(rand.NewPCG(seed, 31))
	rows := 30 + rng.IntN(200)
	columns = 2 + rng.IntN(rows-5)
	shared, far, near := rng.Float64(), math.Pow(10, float64(rng.IntN(6))), math.Pow(10, -float64(rng.IntN(9)))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		f, row := rng.NormFloat64(), make([]float64, columns)
		for j := range row {
			row[j] = float64(shared*f) + rng.NormFloat64()
			switch {
			case j%7 == 3:
				row[j] += far
			case j%7 == 4:
				row[j] = row[j-1] + float64(near*row[j])
			case j%11 == 5:
				row[j] = row[j-2] - float64(2*row[j-3])
			case j%13 == 6:
				row[j] = row[j-1]
			case j%17 == 7:
				row[j] = 3
			case j%5 == 2:
				row[j] *= 1000
			}
			y[i] += row[j] / float64(1+j*j) / far
		}
		x[i], y[i] = row, y[i]+rng.NormFloat64()/3
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...))
	if seed%3 == 0 {
		set.Weight = make([]float64, rows)
		for i := range set.Weight {
			set.Weight[i] = float64(1+rng.IntN(4)) / 2
		}
	}
	return enginetest.View(set, nil), columns
}

// The path that looks at products of columns alone, once these cost no more than rows, has the objectives of the one that looks at the rows,
// with certificates that hold: for numbers of columns up to the rows, whatever the columns are like.
func TestProductsAndRows(t *testing.T) {
	t.Parallel()
	byProducts, ended, endedByRows := 0, 0, 0
	for seed := range uint64(200) {
		view, columns := oddTable(seed)
		stop := Stopping{Tol: []float64{1e-6, 1e-9, 1e-12}[seed%3], MaxIter: 2000}
		scale := []string{"sd", "none"}[seed/3%2]
		problem := func() *leastSquares {
			s, err := newLeastSquares(t.Context(), view, 0, scale, stop, 1)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		products, rows := problem(), problem()
		rows.looks = math.MinInt32
		products.looks = columns
		for k := range 12 {
			pen := targets.Penalty{L1: products.l1Max * math.Pow(10, -float64(k)/3), L2: float64(seed % 4 / 3)}
			got, err := products.Solve(t.Context(), pen, 0)
			if err != nil {
				t.Fatal(err)
			}
			want, err := rows.Solve(t.Context(), pen, 0)
			if err != nil {
				t.Fatal(err)
			}
			if off := math.Abs(got.Objective - want.Objective); off > max(2*stop.Tol, 1e-12)*rows.null && got.Stop == convex.Gap && want.Stop == convex.Gap {
				t.Errorf("seed %d, penalty %d: objective %v by products, %v by rows", seed, k, got.Objective, want.Objective)
			}
			if got.Stop == convex.Gap {
				ended++
			}
			if want.Stop == convex.Gap {
				endedByRows++
			}
			certified := got.Certificate
			moves := products.set.moves
			if err := products.look(t.Context(), pen); err != nil {
				t.Fatal(err)
			}
			if moves > 0 {
				byProducts++
			}
			if seen, tol := products.certify(pen), float64(0.02*stop.Tol*rows.null); !(math.Abs(seen.Gap()-certified.Gap()) <= tol) || !(math.Abs(seen.Objective-certified.Objective) <= tol) {
				t.Errorf("seed %d, penalty %d: gap %v, objective %v; by rows %v, %v", seed, k, certified.Gap(), certified.Objective, seen.Gap(), seen.Objective)
			}
		}
	}
	t.Logf("%d gaps within the tolerance by products, %d by rows; %d minima without a look at the rows", ended, endedByRows, byProducts)
	if ended < endedByRows*99/100 {
		t.Errorf("%d gaps within the tolerance by products, %d by rows", ended, endedByRows)
	}
	if byProducts < 500 {
		t.Errorf("%d of the minima were certified by products", byProducts)
	}
}
