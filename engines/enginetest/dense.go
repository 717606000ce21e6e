package enginetest

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// DenseProblem is a generated problem of few rows and many columns.
type DenseProblem struct {
	Train, Test *data.View
	Support     [][2]int32 // target and column of the true coefficients
}

// BenchmarkDense reads one, from the folder that TENFOLD_BENCH names: NAME/{train,test}.X.f64 and .y.f64 (one response) or
// .Y.f64 (several), row-major; class.i32, the class of each column where there is one response; support.i32. Without that
// variable the benchmark is skipped.
func BenchmarkDense(tb testing.TB, name string) DenseProblem {
	tb.Helper()
	root := os.Getenv("TENFOLD_BENCH")
	if root == "" {
		tb.Skip("TENFOLD_BENCH names no folder of benchmark problems")
	}
	file := func(name string) string { return filepath.Join(root, name) }
	var meta struct {
		N     int `json:"n"`
		NTest int `json:"n_test"`
		Tasks int
	}
	if err := json.Unmarshal(read(tb, file(name+"/meta.json")), &meta); err != nil {
		tb.Fatal(err)
	}
	tasks, y := max(1, meta.Tasks), ".Y.f64"
	if tasks == 1 {
		y = ".y.f64"
	}
	part := func(part string, rows int) *data.View {
		values, responses := float64s(read(tb, file(name+"/"+part+".X.f64"))), float64s(read(tb, file(name+"/"+part+y)))
		cols := len(values) / rows
		set := &data.Dataset{Name: part, X: dense(tb, values, rows, cols), Features: data.NumberedFeatures(0, cols)}
		for t := range tasks {
			v := make([]float64, rows)
			for i := range v {
				v[i] = responses[i*tasks+t]
			}
			set.Targets = append(set.Targets, Real(strconv.Itoa(t), v...))
		}
		if tasks == 1 {
			class := int32s(read(tb, file(name+"/class.i32")))
			names := make([]string, slices.Max(class)+1)
			for c := range names {
				names[c] = strconv.Itoa(c)
			}
			set.Features = set.Features.WithClasses(class, names)
		}
		return View(set, nil)
	}
	p := DenseProblem{Train: part("train", meta.N), Test: part("test", meta.NTest)}
	support := int32s(read(tb, file(name+"/support.i32")))
	for len(support) > 0 {
		if tasks == 1 {
			support = append([]int32{0}, support...)
		}
		p.Support, support = append(p.Support, [2]int32{support[0], support[1]}), support[2:]
	}
	return p
}

func dense(tb testing.TB, x []float64, rows, cols int) *sparse.Matrix {
	var b sparse.Builder
	idx := make([]int32, cols)
	for j := range idx {
		idx[j] = int32(j)
	}
	for i := range rows {
		if err := b.Add(idx, x[i*cols:(i+1)*cols]); err != nil {
			tb.Fatal(err)
		}
	}
	return b.Matrix(cols)
}

func float64s(raw []byte) []float64 {
	out := make([]float64, len(raw)/8)
	for k := range out {
		lo, hi := uint32(int32At(raw, 2*k)), uint32(int32At(raw, 2*k+1))
		out[k] = math.Float64frombits(uint64(hi)<<32 | uint64(lo))
	}
	return out
}

// Fresh returns a view of the same rows whose columns are not laid out yet.
func Fresh(v *data.View) *data.View {
	ptr, idx, val := v.Matrix().Rows()
	set := &data.Dataset{Name: "fresh", X: sparse.New(v.Columns(), ptr, idx, val), Features: v.Features()}
	for t := range v.Targets() {
		target := v.TargetInfo(t)
		_, target.Values = v.Target(t)
		set.Targets = append(set.Targets, target)
	}
	return View(set, nil)
}

// RSquared returns the r squared of a model of numbers on rows, the mean over targets.
func RSquared(m engines.Model, v *data.View) float64 {
	h := m.Outputs()
	got, out := make([]float64, v.Len()*h), 0.0
	m.Predict(got, v.Inputs())
	for t := range h {
		_, y := v.Target(t)
		mean, rss, tss := 0.0, 0.0, 0.0
		for _, x := range y {
			mean += x / float64(len(y))
		}
		for i, x := range y {
			rss += (x - got[i*h+t]) * (x - got[i*h+t])
			tss += (x - mean) * (x - mean)
		}
		out += (1 - rss/tss) / float64(h)
	}
	return out
}
