package mdl

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/sparse"
)

// dense is a generated problem D1, D2, D3 or E, from the folder that TENFOLD_BENCH names: NAME/{train,test}.X.f64 and .y.f64
// (one response) or .Y.f64 (several), row-major; class.i32, the class of each column; support.i32, the true columns, of E
// four a response.
type dense struct {
	train, test *data.View
	tasks       int
	support     [][2]int32 // response and column
}

func readDense(tb testing.TB, name string) dense {
	tb.Helper()
	root := os.Getenv("TENFOLD_BENCH")
	if root == "" {
		tb.Skip("TENFOLD_BENCH names no folder of benchmark problems")
	}
	read := func(file string) []byte {
		raw, err := os.ReadFile(filepath.Join(root, name, file))
		if err != nil {
			tb.Fatal(err)
		}
		return raw
	}
	var meta struct {
		N     int `json:"n"`
		NTest int `json:"n_test"`
		Tasks int
	}
	if err := json.Unmarshal(read("meta.json"), &meta); err != nil {
		tb.Fatal(err)
	}
	p := dense{tasks: max(1, meta.Tasks)}
	for k, support := 0, int32s(read("support.i32")); k < len(support); {
		if p.tasks == 1 {
			p.support = append(p.support, [2]int32{0, support[k]})
			k++
		} else {
			p.support = append(p.support, [2]int32{support[k], support[k+1]})
			k += 2
		}
	}
	file := map[bool]string{true: "y.f64", false: "Y.f64"}[p.tasks == 1]
	part := func(name string, rows int) *data.View {
		x, y := floats(read(name+".X.f64")), floats(read(name+"."+file))
		cols := len(x) / rows
		set := &data.Dataset{Name: name, X: matrix(tb, x, rows, cols), Features: data.NumberedFeatures(0, cols)}
		for t := range p.tasks {
			v := make([]float64, rows)
			for i := range v {
				v[i] = y[i*p.tasks+t]
			}
			set.Targets = append(set.Targets, enginetest.Real(strconv.Itoa(t), v...))
		}
		if p.tasks == 1 {
			class := int32s(read("class.i32"))
			names := make([]string, slices.Max(class)+1)
			for c := range names {
				names[c] = strconv.Itoa(c)
			}
			set.Features = set.Features.WithClasses(class, names)
		}
		return enginetest.View(set, nil)
	}
	p.train, p.test = part("train", meta.N), part("test", meta.NTest)
	return p
}

func matrix(tb testing.TB, x []float64, rows, cols int) *sparse.Matrix {
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

func int32s(raw []byte) []int32 {
	out := make([]int32, len(raw)/4)
	for k := range out {
		out[k] = int32(binary.LittleEndian.Uint32(raw[4*k:]))
	}
	return out
}

func floats(raw []byte) []float64 {
	out := make([]float64, len(raw)/8)
	for k := range out {
		out[k] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*k:]))
	}
	return out
}

// BenchmarkD is stepwise selection of one response: D1 350 × 7,000, D2 50 × 15,056, D3 350 × 1,000. Every fit lays the
// columns out anew.
func BenchmarkD(b *testing.B) {
	for _, name := range []string{"D1", "D2", "D3"} {
		p := readDense(b, name)
		for _, v := range []struct{ code, search, sigma string }{
			{"tpc", searchForward, sigmaNull}, {"tpc", searchForward, sigmaOwn}, {"ric2", searchForward, sigmaNull}, {"tpc", searchMixed, sigmaOwn}, {"tpc", searchStreamwise, sigmaNull},
		} {
			b.Run(fmt.Sprintf("%s/%s/%s/%s", name, v.code, v.search, v.sigma), func(b *testing.B) {
				run(b, p, defaults(func(e *MDL) { e.Code, e.Search, e.Sigma = v.code, v.search, v.sigma }))
			})
		}
	}
}

// BenchmarkE is multiple inclusion: 104 × 6,715, 20 responses of 4 columns each.
func BenchmarkE(b *testing.B) {
	p := readDense(b, "E")
	for _, v := range []struct {
		code string
		bits float64
	}{{"mic-partial", 2}, {"mic-partial", 3}, {"mic-full", 2}, {"ric2", 2}} {
		b.Run(fmt.Sprintf("%s/%v bits", v.code, v.bits), func(b *testing.B) {
			run(b, p, defaults(func(e *MDL) { e.Code, e.CoefBits = v.code, v.bits }))
		})
	}
}

func run(b *testing.B, p dense, e MDL) {
	m := timed(b, e, p.train)
	hits := 0
	for _, c := range m.Coefs() {
		if slices.Contains(p.support, [2]int32{int32(c.Output), int32(c.Feature)}) {
			hits++
		}
	}
	truth := len(p.support)
	b.ReportMetric(float64(len(m.Coefs())), "coefs")
	b.ReportMetric(float64(hits)/float64(max(1, len(m.Coefs()))), "precision")
	b.ReportMetric(float64(hits)/float64(truth), "recall")
	b.ReportMetric(rSquared(m, p.test), "test-R²")
}

// timed fits the view, its columns laid out anew every time, and reports processor time: machines are shared.
func timed(b *testing.B, e MDL, train *data.View) (m engines.Model) {
	before := enginetest.CPU()
	for b.Loop() {
		var err error
		if m, err = e.Fit(context.Background(), engines.Run{Train: copyOf(train), Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(1e3*(enginetest.CPU()-before)/float64(b.N), "cpu-ms/op")
	return m
}

// copyOf a view whose columns are not laid out yet.
func copyOf(v *data.View) *data.View {
	ptr, idx, val := v.Matrix().Rows()
	set := &data.Dataset{Name: "copy", X: sparse.New(v.Columns(), ptr, idx, val), Features: v.Features()}
	for t := range v.Targets() {
		_, y := v.Target(t)
		set.Targets = append(set.Targets, enginetest.Real(strconv.Itoa(t), y...))
	}
	return enginetest.View(set, nil)
}

// rSquared on test rows, the mean over responses.
func rSquared(m engines.Model, v *data.View) float64 {
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

// BenchmarkMillion is forward selection of 50 features among 10⁶ sparse columns on 10⁵ rows, 10⁷ entries.
func BenchmarkMillion(b *testing.B) {
	if os.Getenv("TENFOLD_BENCH") == "" {
		b.Skip("TENFOLD_BENCH is not set: benchmarks of this size are not wanted")
	}
	const rows, cols, perRow, truth = 100_000, 1_000_000, 100, 60
	for _, binary := range []bool{true, false} {
		b.Run(map[bool]string{true: "ones", false: "values"}[binary], func(b *testing.B) {
			rng := rand.New(rand.NewPCG(3, 4))
			ptr, idx, val := make([]int, 1, rows+1), make([]int32, 0, rows*perRow), []float64(nil)
			y := make([]float64, rows)
			for i := range y {
				row := map[int32]bool{}
				for len(row) < perRow {
					// columns of falling frequency, the first 60 in about a tenth of the rows
					row[int32(math.Pow(rng.Float64(), 2.5)*cols)] = true
				}
				start := len(idx)
				for j := range row {
					idx = append(idx, j)
				}
				slices.Sort(idx[start:])
				y[i] = rng.NormFloat64()
				for _, j := range idx[start:] {
					v := 1.0
					if !binary {
						v = 1 + rng.Float64()
						val = append(val, v)
					}
					if j%997 == 0 && j/997 < truth {
						y[i] += v * float64(3+j/997%5)
					}
				}
				ptr = append(ptr, len(idx))
			}
			set := &data.Dataset{Name: "million", X: sparse.New(cols, ptr, idx, val), Features: data.NumberedFeatures(0, cols), Targets: []data.Target{enginetest.Real("y", y...)}}
			view := enginetest.View(set, nil)
			e := defaults(func(e *MDL) { e.Code, e.MaxFeatures = "aic", 50 })
			b.ReportMetric(float64(len(timed(b, e, view).Coefs())), "features")
			b.ReportMetric(enginetest.Peak(), "MB-peak")
		})
	}
}
