package univariate

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
)

func matrix(t *testing.T, rows [][]float64) *sparse.Matrix {
	t.Helper()
	var b sparse.Builder
	for _, row := range rows {
		all := make([]int32, len(row))
		for j := range all {
			all[j] = int32(j)
		}
		if err := b.Add(all, row); err != nil {
			t.Fatal(err)
		}
	}
	return b.Matrix(0)
}

// relative fails unless got is want to a relative tolerance, however small want is.
func relative(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s: got %.17g, want %.17g (off by %.1e)", what, got, want, got/want-1)
	}
}

func TestOracleSimes(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"simes": func(t *testing.T, c oracle.Case) {
		var in struct {
			X [][]float64
			Y []float64
		}
		options := struct{ Alpha float64 }{0.05}
		var want struct {
			P        []float64
			Global   float64 `json:"global_p"`
			Selected []int32
		}
		c.Parts(t, &in, &options, &want)
		p, err := onceEach(positiveP)(t.Context(), matrix(t, in.X), in.Y)
		if err != nil {
			t.Fatal(err)
		}
		oracle.NearAll(t, "p", p, want.P, 1e-9)
		oracle.Near(t, "global_p", simesP(p), want.Global, 1e-9)
		if got := stepUp(p, options.Alpha); !slices.Equal(got, want.Selected) {
			t.Errorf("selected: got %v, want %v", got, want.Selected)
		}
	}})
}

// onceEach returns a test of columns on rows that count once each.
func onceEach(test func(context.Context, *sparse.Matrix, response) ([]float64, error)) func(context.Context, *sparse.Matrix, []float64) ([]float64, error) {
	return func(ctx context.Context, x *sparse.Matrix, y []float64) ([]float64, error) {
		r, err := newResponse(x, y, nil, float64(len(y)))
		if err != nil {
			return nil, err
		}
		return test(ctx, x, r)
	}
}

func TestPositive(t *testing.T) {
	for _, c := range oracle.Fixture[struct {
		Name string
		X    [][]float64
		Y, P []float64
	}](t, "correlation.json") {
		p, err := onceEach(positiveP)(t.Context(), matrix(t, c.X), c.Y)
		if err != nil {
			t.Fatal(err)
		}
		for j, want := range c.P {
			relative(t, c.Name, p[j], want, 1e-10)
		}
	}
}

// Ones are counted: of zeros and ones there is no rounding.
func TestMomentsOfOnes(t *testing.T) {
	x := sparse.New(1, []int{0, 1, 2, 3, 3, 3, 3, 3}, []int32{0, 0, 0}, nil)
	r, err := newResponse(x, []float64{1, 1, 0, 1, 0, 0, 0}, nil, 7)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := r.momentsOf(x.Col(0)); err != nil || m != (moments{12, 5, 12}) { // 3·4, 7·2 − 3·3, 3·4
		t.Errorf("%+v (%v)", m, err)
	}
}

// One column in other units, and one written with explicit values, are the same column.
func TestScaleDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var plain, scaled [][]float64
	var y, far []float64
	for range 30 {
		v := rng.NormFloat64() * indicator(rng.IntN(3) > 0)
		one := indicator(rng.IntN(2) > 0)
		plain = append(plain, []float64{v, one})
		scaled = append(scaled, []float64{v * 0x1p400, one * 0x1p-300})
		y = append(y, one+rng.NormFloat64())
		far = append(far, y[len(y)-1]*0x1p-400)
	}
	want, err := onceEach(positiveP)(t.Context(), matrix(t, plain), y)
	if err != nil {
		t.Fatal(err)
	}
	got, err := onceEach(positiveP)(t.Context(), matrix(t, scaled), far)
	if err != nil {
		t.Fatal(err)
	}
	for j := range want {
		relative(t, "scaled", got[j], want[j], 1e-12)
	}
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func TestHypergeometricTail(t *testing.T) {
	for _, c := range oracle.Fixture[struct{ N, Marked, Drawn, K, P float64 }](t, "hypergeometric.json") {
		relative(t, "tail", hypergeometric{c.N, c.Marked, c.Drawn}.atLeast(c.K), c.P, 1e-11)
	}
	// Fisher's tea: all four cups with milk first are found among eight, 1 in 70.
	x := matrix(t, [][]float64{{1, 0, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}})
	p, err := onceEach(overlapP)(t.Context(), x, []float64{1, 1, 1, 1, 0, 0, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	oracle.NearAll(t, "p", p, []float64{1.0 / 70, 17.0 / 70, 1}, 1e-14)
}

func TestStepUp(t *testing.T) {
	for _, c := range []struct {
		name   string
		p      []float64
		alpha  float64
		want   []int32
		global float64
	}{
		// Benjamini & Hochberg 1995, section 4: the four smallest of fifteen at 0.05.
		{"thrombolysis", []float64{1, 0.7590, 0.6528, 0.5719, 0.4262, 0.3240, 0.0459, 0.0344, 0.0298, 0.0278, 0.0201, 0.0095, 0.0019, 0.0004, 0.0001}, 0.05, []int32{11, 12, 13, 14}, 0.0015},
		{"a later one brings earlier ones in", []float64{0.04, 0.03, 0.05}, 0.05, []int32{0, 1, 2}, 0.05},
		{"equal to the bound", []float64{0.1 / 3, 0.9, 0.9}, 0.1, []int32{0}, 0.1},
		{"ties", []float64{0.02, 0.9, 0.02}, 0.03, []int32{0, 2}, 0.03},
		{"none", []float64{0.5, 0.2}, 0.05, nil, 0.4},
		{"no hypotheses", nil, 0.05, nil, 1},
	} {
		if got := stepUp(c.p, c.alpha); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
		oracle.Near(t, c.name, simesP(c.p), c.global, 1e-12)
	}
}

func TestConstants(t *testing.T) {
	x := matrix(t, [][]float64{{0, 2, 1, 1}, {0, 2, 1, 0}, {0, 2, 1, 1}, {0, 2, 1, 0}})
	for _, y := range [][]float64{{1, 0, 1, 0}, {1, 1, 1, 1}, {0.1, 0.1, 0.1, 0.1}} {
		p, err := onceEach(positiveP)(t.Context(), x, y)
		if err != nil {
			t.Fatal(err)
		}
		want := []float64{1, 1, 1, 1}
		if y[1] == 0 {
			want[3] = 0 // the response itself
		}
		if !slices.Equal(p, want) {
			t.Errorf("response %v: got %v, want %v", y, p, want)
		}
	}
}

func TestTask(t *testing.T) {
	set := &data.Dataset{X: matrix(t, [][]float64{{1, 0}, {0, 1}, {1, 1}, {0, 0}, {1, 0}}), Features: data.NewFeatures([]string{"a", "b"}), Targets: []data.Target{
		{Name: "class", Type: data.Class, Levels: []string{"x", "y", "z"}, Values: []float64{2, 1, 2, 0, 1}},
		{Name: "real", Type: data.Real, Values: []float64{5, 6, 7}, Rows: []int32{0, 2, 4}},
	}}
	all := []int32{0, 1, 2, 3, 4}
	prepared, err := prepare.Recipe{}.Fit(set, all)
	if err != nil {
		t.Fatal(err)
	}
	view := prepared.View([]int32{0, 2, 3, 4})
	x, y := Task(view, 0, 2)
	if rows, _ := x.Dims(); rows != 4 || !slices.Equal(y, []float64{1, 1, 0, 0}) {
		t.Errorf("class: %d rows, %v", rows, y)
	}
	x, y = Task(view, 1, 0)
	if rows, _ := x.Dims(); rows != 3 || !slices.Equal(y, []float64{5, 6, 7}) || x.Row(1).Len() != 2 || x.Row(2).Len() != 1 {
		t.Errorf("real, on some rows: %d rows, %v", rows, y)
	}
}

func TestRefusals(t *testing.T) {
	x := matrix(t, [][]float64{{1, 2}, {0, 1}, {1, 0}})
	hole := sparse.New(2, []int{0, 1, 2, 3}, []int32{1, 0, 1}, []float64{1, 2, math.NaN()})
	huge := sparse.New(1, []int{0, 1, 1, 2}, []int32{0, 0}, []float64{1e200, 1})
	for _, c := range []struct {
		name string
		test func(context.Context, *sparse.Matrix, response) ([]float64, error)
		x    *sparse.Matrix
		y    []float64
		want string
	}{
		{"shape", positiveP, x, []float64{1, 2}, "2 responses for 3 rows"},
		{"few rows", positiveP, x.Range(0, 2), []float64{1, 2}, "at least 3 rows, found 2"},
		{"NaN response", positiveP, x, []float64{1, math.NaN(), 2}, "row 1: response NaN"},
		{"NaN value", positiveP, hole, []float64{1, 2, 4}, "column 1, row 2: value NaN"},
		{"overflow", positiveP, huge, []float64{1, 2, 4}, "column 0, all rows: the squares"},
		{"values", overlapP, x, []float64{1, 0, 1}, "column 1, row 0: value 2, expected 0 or 1"},
		{"response", overlapP, x, []float64{1, 0, 2}, "row 2: response 2, expected 0 or 1"},
	} {
		if _, err := onceEach(c.test)(t.Context(), c.x, c.y); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func BenchmarkPositive(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	const rows, columns, perRow = 20000, 50000, 30
	var build sparse.Builder
	y := make([]float64, rows)
	for i := range y {
		seen := map[int32]bool{}
		for len(seen) < perRow {
			seen[int32(float64(columns)*math.Pow(rng.Float64(), 3))] = true
		}
		var idx []int32
		for j := range seen {
			idx = append(idx, j)
		}
		if err := build.Add(idx, nil); err != nil {
			b.Fatal(err)
		}
		y[i] = indicator(rng.IntN(10) == 0)
	}
	x := build.Matrix(columns)
	for _, f := range []struct {
		name string
		test func(context.Context, *sparse.Matrix, response) ([]float64, error)
	}{{"correlation", positiveP}, {"overlap", overlapP}} {
		b.Run(f.name, func(b *testing.B) {
			for b.Loop() {
				p, err := onceEach(f.test)(b.Context(), x, y)
				if err != nil {
					b.Fatal(err)
				}
				stepUp(p, 0.05)
			}
		})
	}
}
