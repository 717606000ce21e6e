package enginetest

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
)

// Benchmark returns a generated problem, its training and its test rows, from the folder that TENFOLD_BENCH names:
// NAME/{train,test}.{indptr.i32,indices.i32,y.f64}, compressed rows of a 0/1 matrix, little-endian. Without that
// variable the benchmark is skipped.
func Benchmark(tb testing.TB, name string) (train, test *data.View) {
	tb.Helper()
	root := os.Getenv("TENFOLD_BENCH")
	if root == "" {
		tb.Skip("TENFOLD_BENCH names no folder of benchmark problems")
	}
	var b sparse.Builder
	var y []float64
	var split []int
	for _, part := range []string{"train", "test"} {
		base := filepath.Join(root, name, part)
		ptr, idx, values := read(tb, base+".indptr.i32"), read(tb, base+".indices.i32"), read(tb, base+".y.f64")
		for i := range len(values) / 8 {
			lo, hi := int32At(ptr, i), int32At(ptr, i+1)
			if err := b.Add(int32s(idx[4*lo:4*hi]), nil); err != nil {
				tb.Fatalf("%s, row %d: %v", base, i, err)
			}
			y = append(y, math.Float64frombits(binary.LittleEndian.Uint64(values[8*i:])))
		}
		split = append(split, len(y))
	}
	x := b.Matrix(0)
	_, cols := x.Dims()
	d := &data.Dataset{Name: name, X: x, Features: unnamed(cols), Targets: []data.Target{Real("y", y...)}}
	p, err := prepare.Recipe{}.Fit(d, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return p.View(between(0, split[0])), p.View(between(split[0], split[1]))
}

func read(tb testing.TB, path string) []byte {
	tb.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

func int32s(raw []byte) []int32 {
	out := make([]int32, len(raw)/4)
	for k := range out {
		out[k] = int32At(raw, k)
	}
	return out
}

func int32At(raw []byte, k int) int32 { return int32(binary.LittleEndian.Uint32(raw[4*k:])) }

func unnamed(cols int) *data.Features {
	return data.NewFeatures(strings.Split(strings.Repeat(",", cols-1), ","))
}

func between(a, b int) []int32 {
	rows := make([]int32, b-a)
	for k := range rows {
		rows[k] = int32(a + k)
	}
	return rows
}
