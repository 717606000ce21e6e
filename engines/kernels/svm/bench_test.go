package svm

import (
	"bufio"
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// a9a is the census data of Platt (32,561 × 123 ones, two classes), from the folder that TENFOLD_DATA names.
func a9a(tb testing.TB, name string) *data.View {
	tb.Helper()
	root := os.Getenv("TENFOLD_DATA")
	if root == "" {
		tb.Skip("TENFOLD_DATA names no data folder")
	}
	f, err := os.Open(filepath.Join(root, "libsvm", name))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	text, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	var b sparse.Builder
	var y []float64
	for lines := bufio.NewScanner(text); lines.Scan(); {
		words := strings.Fields(lines.Text())
		label := 0.0
		if words[0] == "+1" {
			label = 1
		}
		var idx []int32
		for _, w := range words[1:] {
			column, _, _ := strings.Cut(w, ":")
			j, err := strconv.Atoi(column)
			if err != nil {
				tb.Fatal(err)
			}
			idx = append(idx, int32(j-1))
		}
		y = append(y, label)
		if err := b.Add(idx, nil); err != nil {
			tb.Fatal(err)
		}
	}
	return enginetest.View(enginetest.Dataset(b.Matrix(123), enginetest.Class("y", 2, y...)), nil)
}

func BenchmarkA9a(b *testing.B) {
	train := a9a(b, "a9a.gz")
	train.Target(0)
	train.Matrix().Col(0)
	for _, bench := range []struct {
		name string
		with func(e *SVM)
	}{
		{"as LIBSVM", func(e *SVM) { e.Width = byColumns }},
		{"c=100,gamma=0.05", func(e *SVM) { e.C, e.Gamma = 100, 0.05 }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			e := Kind.Defaults().(SVM)
			e.Scale = unscaled
			bench.with(&e)
			f := enginetest.Measure(b, func() (engines.Model, error) { return e.Fit(b.Context(), engines.Run{Train: train, Workers: 1}) }).(engines.Reporter).Fitted()
			b.ReportMetric(float64(f.Iterations), "steps")
			b.ReportMetric(f.Certificate.Dual, "dual")
			b.ReportMetric(math.Log10(f.Certificate.Relative()), "log10-gap")
			b.Log(f.Facts, f.Stop)
		})
	}
}
