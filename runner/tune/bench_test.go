package tune

import (
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/ridge/logistic"
)

// factors returns a table of numbers that depend on ten hidden ones, five of which tell the class.
func factors(tb testing.TB, rows, columns int) *data.View {
	const hidden = 10
	rng := rand.New(rand.NewPCG(49, 23))
	loadings := make([]float64, hidden*columns)
	for i := range loadings {
		loadings[i] = rng.NormFloat64()
	}
	var b sparse.Builder
	index, x, f := make([]int32, columns), make([]float64, columns), make([]float64, hidden)
	class := make([]float64, rows)
	for j := range index {
		index[j] = int32(j)
	}
	for i := range rows {
		sum := rng.NormFloat64()
		for k := range f {
			f[k] = rng.NormFloat64()
			if k < hidden/2 {
				sum += f[k]
			}
		}
		for j := range x {
			x[j] = rng.NormFloat64()
			for k, v := range f {
				x[j] += v * loadings[k*columns+j]
			}
		}
		if err := b.Add(index, x); err != nil {
			tb.Fatal(err)
		}
		if sum > 0 {
			class[i] = 1
		}
	}
	return enginetest.View(&data.Dataset{X: b.Matrix(columns), Features: data.NumberedFeatures(0, columns),
		Targets: []data.Target{{Name: "class", Type: data.Class, Levels: []string{"no", "yes"}, Values: class}}}, nil)
}

// BenchmarkLogistic chooses among ten strengths of the penalty on five folds of 8,000 rows × 60 columns.
func BenchmarkLogistic(b *testing.B) {
	train := factors(b, 8000, 60)
	e := Engine{Options: Options{InnerFolds: engines.InnerFolds{K: 5, Repeats: 1}, Choose: chooseBest}}
	for k := range 10 {
		l := logistic.Kind.Defaults().(logistic.Logistic)
		l.C2 = elementary.Pow(10, float64(8*k)/9-4)
		e.Candidates = append(e.Candidates, Candidate{Engine: l})
	}
	e.Base = e.Candidates[0].Engine
	b.ResetTimer()
	enginetest.Measure(b, func() (engines.Model, error) {
		return e.Fit(b.Context(), engines.Run{Train: train, Workers: 1, Rand: rand.New(rand.NewPCG(1, 1))})
	})
}
