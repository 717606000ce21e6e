package stability

import (
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/penalized/lasso"
)

// tall is rows of normal columns, of which ten have a share in the response.
func tall(rows, columns int) *data.View {
	rng := rand.New(rand.NewPCG(1, 1))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
		}
		for j := range 10 {
			y[i] += x[i][j]
		}
		y[i] += rng.NormFloat64()
	}
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil)
}

// BenchmarkLasso is 100 complementary pairs of a lasso with 50 columns on each half, beside one path of 100 penalties.
func BenchmarkLasso(b *testing.B) {
	v := tall(200, 10_000)
	base := lasso.LassoKind.Defaults().(lasso.Lasso)
	run := func() engines.Run { return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1} }
	penalties := make([]float64, 100) // glmnet's
	for k := range penalties {
		penalties[k] = elementary.Pow(0.01, float64(k)/99)
	}
	b.Run("path", func(b *testing.B) {
		for b.Loop() {
			if err := base.FitPath(b.Context(), run(), engines.PathPoints{Parameter: base.PathParameters()[0], Values: penalties, MayEnd: true}, func(int, engines.Model) {}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("stability", func(b *testing.B) {
		e := Engine{base, Options{Q: 50, PFER: 5, Draws: 100, Sampling: pairs, Stratify: true, Decoys: Decoys{Kind: "none", Share: 1}}}
		for b.Loop() {
			if _, err := e.Fit(b.Context(), run()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
