//go:build unix

package stagewise

import (
	"context"
	"encoding/binary"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"tenfold/engines/enginetest"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// BenchmarkProblemA is the paper's size: 764,188 rows, 190,103 columns, 20.4 million ones, 62,100 steps. TENFOLD_BENCH
// names the folder that holds A/train.indptr.i32 and so on. It reports the CPU time of the fit (columns, Gram columns,
// steps, held-out error), the peak memory of the process, and the best point of the path: 7.5877 at step 37,300 with
// 12,279 nonzeros. TENFOLD_TRACE names a file of chosen features to compare with, one int32 a step, −(j+1) for a
// negative step.
func BenchmarkProblemA(b *testing.B) {
	dir := os.Getenv("TENFOLD_BENCH")
	if dir == "" {
		b.Skip("TENFOLD_BENCH is not set")
	}
	train, test := problem(b, filepath.Join(dir, "A"))
	e := Kind.Defaults().(Stagewise)
	e.Choose, e.MaxIter, e.TestEvery = "test", 62_100, 100
	want := chosen(b)
	for range b.N {
		bad, first := 0, -1
		r := engines.Run{Train: train, Watch: test, Rand: rand.New(rand.NewPCG(1, 2))}
		if want != nil {
			r.Trace = func(s engines.Step) {
				j := int32(s.Changed.Feature)
				if s.Changed.Value < 0 {
					j = -j - 1
				}
				if s.Iter > 0 && want[s.Iter-1] != j {
					if bad == 0 {
						first = s.Iter
					}
					bad++
				}
			}
		}
		before := enginetest.CPU()
		w, err := e.startLeastSquares(context.Background(), r)
		if err != nil {
			b.Fatal(err)
		}
		if err := w.run(context.Background()); err != nil {
			b.Fatal(err)
		}
		m := w.model(e.fitted(w)).(*engines.Linear)
		b.ReportMetric(enginetest.CPU()-before, "cpu-s")
		b.ReportMetric(w.best.error, "best-MSE")
		b.ReportMetric(float64(w.best.iteration), "step")
		b.ReportMetric(float64(len(m.Coefs())), "nonzeros")
		b.ReportMetric(enginetest.Peak(), "peak-MB")
		if want != nil {
			b.ReportMetric(float64(bad), "other-steps")
			b.Logf("first step that differs: %d", first)
		}
		for _, f := range m.Fitted().Facts {
			b.Logf("%s: %.120s", f.Name, f.Value)
		}
	}
}

// BenchmarkPath is a made-up problem of 20,000 rows of about 20 ones in 8,000 columns, frequencies falling as 1/rank.
func BenchmarkPath(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	var rows sparse.Builder
	y := make([]float64, 20_000)
	for i := range y {
		set := map[int32]bool{}
		for range 20 {
			set[int32(8000*math.Pow(rng.Float64(), 4))] = true
		}
		idx := slices.Sorted(maps.Keys(set))
		for _, j := range idx {
			y[i] += float64(j%7) - 3
		}
		y[i] += rng.NormFloat64()
		if err := rows.Add(idx, nil); err != nil {
			b.Fatal(err)
		}
	}
	train := viewOf(b, dataset(rows.Matrix(8000), y, nil))
	for _, way := range []struct {
		name   string
		change func(*Stagewise)
	}{
		{"blocked", func(*Stagewise) {}},
		{"full-scan", func(e *Stagewise) { e.Scan = "full" }},
		{"jumps", func(e *Stagewise) { e.Jumps = true }},
		{"random-100", func(e *Stagewise) { e.Lookup, e.Sample, e.Carry = "random", 100, true }},
		{"lazy-100", func(e *Stagewise) { e.Lookup, e.Sample, e.Lazy = "random", 100, true }},
	} {
		b.Run(way.name, func(b *testing.B) {
			e := defaults()
			e.MaxIter = 5000
			way.change(&e)
			for range b.N {
				fit(b, e, engines.Run{Train: train, Rand: rand.New(rand.NewPCG(1, 2))})
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/5000*1e6, "µs/step")
		})
	}
}

func problem(b *testing.B, dir string) (train, test *data.View) {
	read := func(part string) *data.View {
		ptr32 := numbers[int32](b, filepath.Join(dir, part+".indptr.i32"), 4, func(raw []byte) int32 { return int32(binary.LittleEndian.Uint32(raw)) })
		idx := numbers[int32](b, filepath.Join(dir, part+".indices.i32"), 4, func(raw []byte) int32 { return int32(binary.LittleEndian.Uint32(raw)) })
		y := numbers[float64](b, filepath.Join(dir, part+".y.f64"), 8, func(raw []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(raw)) })
		group, err := os.Stat(filepath.Join(dir, "group.i32"))
		if err != nil {
			b.Fatal(err)
		}
		ptr := make([]int, len(ptr32))
		for i, q := range ptr32 {
			ptr[i] = int(q)
		}
		set := dataset(sparse.New(int(group.Size()/4), ptr, idx, nil), y, nil)
		return viewOf(b, set)
	}
	train, test = read("train"), read("test")
	runtime.GC()
	debug.FreeOSMemory()
	return train, test
}

// numbers reads a file in pieces, so that no second copy of it counts as peak memory.
func numbers[T any](b *testing.B, file string, size int, decode func([]byte) T) []T {
	f, err := os.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	out := make([]T, 0, int(info.Size())/size)
	buf := make([]byte, 1<<16)
	for {
		n, err := f.Read(buf)
		for q := 0; q+size <= n; q += size {
			out = append(out, decode(buf[q:]))
		}
		if err != nil {
			return out
		}
	}
}

func chosen(b *testing.B) []int32 {
	file := os.Getenv("TENFOLD_TRACE")
	if file == "" {
		return nil
	}
	return numbers[int32](b, file, 4, func(raw []byte) int32 { return int32(binary.LittleEndian.Uint32(raw)) })
}
