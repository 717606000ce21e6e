package dense

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// numbers of all sizes, and the ones that rounding treats in ways of their own.
func numbers(rng *rand.Rand, n int) []float64 {
	special := []float64{0, math.Copysign(0, -1), math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 1e300, -1e300, 1e-200}
	x := make([]float64, n)
	for i := range x {
		if x[i] = rng.NormFloat64() * math.Ldexp(1, rng.IntN(60)-30); rng.IntN(8) == 0 {
			x[i] = special[rng.IntN(len(special))]
		}
	}
	return x
}

// sameBits tells whether two numbers are one; every NaN is like every other.
func sameBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

// TestVectors: kernels give the bits of their plain forms, for every length and wherever the vectors begin.
func TestVectors(t *testing.T) {
	if !hasVectors {
		t.Skip("no vector instructions here")
	}
	rng := rand.New(rand.NewPCG(3, 5))
	for n := range 70 {
		for offset := range 4 {
			t.Run(fmt.Sprint(n, offset), func(t *testing.T) {
				vector := func() []float64 { return numbers(rng, n+offset)[offset:] }
				a, b, c, d, w := vector(), vector(), vector(), vector(), vector()
				plain := [4]float64{dotPlain(a, w), dotPlain(b, w), dotPlain(c, w), dotPlain(d, w)}
				var four [4]float64
				four[0], four[1], four[2], four[3] = Dots(a, b, c, d, w)
				for k, v := range plain {
					if !sameBits(four[k], v) {
						t.Errorf("product %d of Dots is %v, plainly %v", k, four[k], v)
					}
				}
				if got := Dot(a, w); !sameBits(got, plain[0]) {
					t.Errorf("Dot %v, plainly %v", got, plain[0])
				}
				if got, want := DotDifference(a, b, c, d), dotDifferencePlain(a, b, c, d); !sameBits(got, want) {
					t.Errorf("DotDifference %v, plainly %v", got, want)
				}
				compare := func(name string, kernel, plain func(dst []float64)) {
					got, want := slices.Clone(w), slices.Clone(w)
					kernel(got)
					plain(want)
					if !slices.EqualFunc(got, want, sameBits) {
						t.Errorf("%s: %v, plainly %v", name, got, want)
					}
				}
				by := rng.NormFloat64()
				compare("AddTo", func(dst []float64) { AddTo(dst, a, by) }, func(dst []float64) { addToPlain(dst, a, by) })
				x := rng.NormFloat64()
				compare("AddTwo", func(dst []float64) { AddTwo(dst, a, b, x, by) }, func(dst []float64) { addTwoPlain(dst, a, b, x, by) })
				compare("AddFour", func(dst []float64) { AddFour(dst, a, b, c, d) }, func(dst []float64) { addFourPlain(dst, a, b, c, d) })
				compare("AddCombination", func(dst []float64) { AddCombination(dst, a, b, c, d, &[4]float64{x, by, -x, 3}) }, func(dst []float64) { addCombinationPlain(dst, a, b, c, d, &[4]float64{x, by, -x, 3}) })
				for _, t := range []float64{1e-9, 0.5, math.Inf(1)} {
					u := [2][]float64{slices.Clone(b), slices.Clone(b)}
					compare("TakeShrunk", func(dst []float64) { TakeShrunk(u[0], dst, a, x, t) }, func(dst []float64) { takeShrunkPlain(u[1], dst, a, x, t) })
					compare("TakeShrunk's first", func(dst []float64) { copy(dst, u[0]) }, func(dst []float64) { copy(dst, u[1]) })
				}
				var distances [4]float64
				distances[0], distances[1], distances[2], distances[3] = Distances(a, b, c, d, w)
				for k, v := range [][]float64{a, b, c, d} {
					if want := distancePlain(v, w); !sameBits(distances[k], want) {
						t.Errorf("distance %d is %v, plainly %v", k, distances[k], want)
					}
				}
				compare("AddDistances", func(dst []float64) { AddDistances(dst, a, b, by) }, func(dst []float64) { addDistancesPlain(dst, a, b, by) })
				compare("AddProductsTo", func(dst []float64) { AddProductsTo(dst, a, b, by) }, func(dst []float64) { addProductsToPlain(dst, a, b, by) })
			})
		}
	}
}

// TestRows: products with rows give the bits of their plain forms, for every width.
func TestRows(t *testing.T) {
	if !hasVectors {
		t.Skip("no vector instructions here")
	}
	rng := rand.New(rand.NewPCG(4, 6))
	for k := range 45 {
		for _, rows := range []int{0, 1, 7, 30} {
			x, v, d := numbers(rng, rows), numbers(rng, rows*k), numbers(rng, k)
			got, want := numbers(rng, k), make([]float64, k)
			DotRows(got, x, v)
			dotRowsPlain(want, x, v, 0)
			if !slices.EqualFunc(got, want, sameBits) {
				t.Errorf("%d rows of %d: DotRows %v, plainly %v", rows, k, got, want)
			}
			got, want = slices.Clone(v), slices.Clone(v)
			AddRows(got, x, d)
			addRowsPlain(want, x, d, 0)
			if !slices.EqualFunc(got, want, sameBits) {
				t.Errorf("%d rows of %d: AddRows %v, plainly %v", rows, k, got, want)
			}
		}
	}
}

func BenchmarkVectors(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{72, 2340} {
		x := make([][]float64, 5)
		for k := range x {
			x[k] = make([]float64, n)
			for i := range x[k] {
				x[k][i] = rng.NormFloat64()
			}
		}
		sum, rows := 0.0, make([]float64, 20*n)
		for i := range rows {
			rows[i] = rng.NormFloat64()
		}
		small := make([]float64, 20)
		for t := range small {
			small[t] = 1e-9 * float64(t)
		}
		for name, kernel := range map[string]func(){
			"Dot":                func() { sum += Dot(x[0], x[1]) },
			"dotPlain":           func() { sum += dotPlain(x[0], x[1]) },
			"Dots":               func() { p, q, r, s := Dots(x[0], x[1], x[2], x[3], x[4]); sum += p + q + r + s },
			"AddTo":              func() { AddTo(x[0], x[1], 1e-9) },
			"addToPlain":         func() { addToPlain(x[0], x[1], 1e-9) },
			"AddProductsTo":      func() { AddProductsTo(x[0], x[1], x[2], 1e-9) },
			"addProductsPln":     func() { addProductsToPlain(x[0], x[1], x[2], 1e-9) },
			"DotDifference":      func() { sum += DotDifference(x[0], x[1], x[2], x[3]) },
			"dotDifferencePlain": func() { sum += dotDifferencePlain(x[0], x[1], x[2], x[3]) },
			"DotRows":            func() { DotRows(x[4][:20], x[0], rows) },
			"dotRowsPlain":       func() { dotRowsPlain(x[4][:20], x[0], rows, 0) },
			"AddRows":            func() { AddRows(rows, x[0], small) },
			"addRowsPlain":       func() { addRowsPlain(rows, x[0], small, 0) },
		} {
			b.Run(fmt.Sprint(name, "/", n), func(b *testing.B) {
				for range b.N {
					kernel()
				}
			})
		}
	}
}
