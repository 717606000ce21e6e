package enginetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
)

// BenchmarkClasses returns the Benchmark of a problem whose response is the number of one of so many classes.
func BenchmarkClasses(tb testing.TB, name string, classes int) (train, test *data.View) {
	tb.Helper()
	train, test = Benchmark(tb, name)
	return classed(train, classes, 0, 1), classed(test, classes, 0, 1)
}

// BenchmarkSigns returns the Benchmark of a problem whose response is −1 for the first of two classes, and 1 for the second.
func BenchmarkSigns(tb testing.TB, name string) (train, test *data.View) {
	tb.Helper()
	train, test = Benchmark(tb, name)
	return classed(train, 2, 0.5, 0.5), classed(test, 2, 0.5, 0.5)
}

// classed has the class first + each·y for the response y.
func classed(v *data.View, classes int, first, each float64) *data.View {
	_, y := v.Target(0)
	class := make([]float64, len(y))
	for i, r := range y {
		class[i] = first + each*r
	}
	return View(Dataset(v.Matrix(), Class("y", classes, class...)), nil)
}

// Accuracy returns the accuracy of a model on a class target, in percent.
func Accuracy(m engines.Model, v *data.View) float64 {
	_, y := v.Target(0)
	p, right := make([]float64, v.Len()*m.Outputs()), 0
	m.Predict(p, v.Inputs())
	for i, c := range y {
		row := p[i*m.Outputs() : (i+1)*m.Outputs()]
		if slices.Index(row, slices.Max(row)) == int(c) {
			right++
		}
	}
	return 100 * float64(right) / float64(v.Len())
}

// Peak returns the largest resident memory of the process so far, in MB; NaN where the system does not tell.
func Peak() float64 {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return math.NaN()
	}
	for line := range strings.SplitSeq(string(raw), "\n") {
		var kb float64
		if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &kb); err == nil {
			return kb / 1024
		}
	}
	return math.NaN()
}

// Measure fits as often as the benchmark asks for, reports the processor's seconds, and returns the last model.
func Measure(b *testing.B, fit func() (engines.Model, error)) (m engines.Model) {
	b.Helper()
	before := CPU()
	for b.Loop() {
		var err error
		if m, err = fit(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric((CPU()-before)/float64(b.N), "cpu-s/op")
	return m
}

// Interactions returns rows of so many normal columns, and two levels that depend on a product, a square and noise.
func Interactions(rows, columns int) *data.View {
	rng := rand.New(rand.NewPCG(1, 1))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
		}
		if x[i][0]*x[i][1]+x[i][2]+0.5*x[i][3]*x[i][3]-0.5+rng.NormFloat64() > 0 {
			y[i] = 1
		}
	}
	return View(Dataset(Matrix(x...), Class("y", 2, y...)), nil)
}

// SparseClasses returns as many rows as 20 Newsgroups, of some 160 of 20,000 columns of 0 and 1 each, in so many classes; in each class ten
// columns are the more frequent.
func SparseClasses(classes int) *data.View {
	const rows, columns = 18_846, 20_000
	x, y := Random(20, rows, columns, 0.008, true), make([]float64, rows)
	for i := range y {
		y[i] = float64(i % classes)
		for _, j := range x.Row(i).Idx {
			if int(j) < 10*classes {
				y[i] = float64(int(j) % classes)
			}
		}
	}
	return View(Dataset(x, Class("y", classes, y...)), nil)
}
