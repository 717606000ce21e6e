package forward

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

// TestOracleKeepForward: kept columns enter first and are not counted; what the case says of RSS, intercept and coefficients.
func TestOracleKeepForward(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"keep_forward": checkKeepForward})
}

func checkKeepForward(t *testing.T, c oracle.Case) {
	var in struct {
		X     [][]float64
		Y     []float64
		Keep  []int
		Units []int32
	}
	var options struct{ Size int }
	var want struct {
		Columns   []int
		Entered   []int32
		RSS       []float64 `json:"rss"`
		Intercept float64
		Coef      []float64
	}
	c.Parts(t, &in, &options, &want)
	factor := slices.Repeat([]float64{1}, len(in.X[0]))
	for _, j := range in.Keep {
		factor[j] = 0
	}
	view := enginetest.Treated(enginetest.Dataset(enginetest.Matrix(in.X...), enginetest.Real("y", in.Y...)), data.Treatment{Factor: factor, Unit: data.Numbered(in.Units), Together: in.Units != nil})
	var rss []float64
	var entered []int32
	m, err := Stepwise{MaxFeatures: options.Size, Choose: chooseDrop, Criterion: criterionNone, Alpha: 0.05}.Fit(t.Context(), engines.Run{
		Train: view, Workers: 1, Trace: func(s engines.Step) {
			if rss = append(rss, s.TrainError*float64(len(in.Y))); s.Changed.Feature >= 0 && in.Units != nil {
				entered = append(entered, in.Units[s.Changed.Feature])
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	coefs := slices.Clone(m.Coefs())
	slices.SortFunc(coefs, func(a, b engines.Coef) int { return cmp.Compare(a.Rank, b.Rank) })
	var columns []int
	var values []float64
	for _, c := range coefs {
		columns, values = append(columns, c.Feature), append(values, c.Value)
	}
	if !slices.Equal(entered, want.Entered) && in.Units != nil {
		t.Errorf("entered %v, expected %v", entered, want.Entered)
	}
	if !slices.Equal(columns, want.Columns) {
		t.Errorf("columns %v, expected %v", columns, want.Columns)
	}
	oracle.NearAll(t, "coef", values, want.Coef, 1e-8)
	oracle.Near(t, "intercept", engines.Biases(m)[0], want.Intercept, 1e-8)
	oracle.NearAll(t, "rss", rss, want.RSS, 1e-9)
}

// What a variable of three levels and a column alone enter with: the RSS of least squares on all columns of the variable, its columns less
// one as parameters, and as one of max_features.
func TestUnitsEnterTogether(t *testing.T) {
	t.Parallel()
	x, y := make([][]float64, 30), make([]float64, 30)
	var mean [3]float64
	for i := range x {
		x[i] = []float64{float64(i * 7 % 5), 0, 0, 0}
		x[i][1+i%3] = 1
		y[i] = []float64{2, -1, 5}[i%3] + 0.2*x[i][0] + math.Sin(float64(3*i))
		mean[i%3] += y[i] / 10
	}
	v := enginetest.Treated(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)),
		data.Treatment{Unit: []int32{0, 1, 1, 1}, Name: []string{"", "colour"}, Together: true})
	rss := 0.0
	for i, value := range y {
		rss += (value - mean[i%3]) * (value - mean[i%3])
	}
	var sizes []int
	var steps []engines.Step
	run := engines.Run{Train: v, Workers: 1, At: []int{1}, Keep: func(size int, m engines.Model) { sizes = append(sizes, len(m.Coefs())) }, Trace: func(s engines.Step) { steps = append(steps, s) }}
	m, err := Stepwise{Choose: chooseDrop, Criterion: criterionBIC, Alpha: 0.05}.Fit(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	if len(steps) < 2 || !(math.Abs(steps[1].TrainError*30-rss) <= 1e-9*rss) {
		t.Errorf("steps %+v, expected a residual sum of squares of %v after the variable entered", steps, rss)
	}
	if !slices.Equal(sizes, []int{2}) {
		t.Errorf("models of one unit have %v coefficients, expected 2: the third level is that of no other", sizes)
	}
	for _, c := range m.Coefs() {
		if c.Feature == 3 {
			t.Errorf("the level that the others determine has a coefficient: %+v", m.Coefs())
		}
	}
	for _, criterion := range []string{criterionAIC, criterionF, criterionNone} {
		if m, err = (Stepwise{MaxFeatures: 1, Choose: chooseDrop, Criterion: criterion, Alpha: 0.01}).Fit(t.Context(), engines.Run{Train: v, Workers: 1}); err != nil || len(m.Coefs()) != 2 {
			t.Errorf("%s: %v, %v", criterion, m, err)
		}
	}
}

// TestKeptTwice: of equal columns that are to be kept one is, and no other column is left out for that.
func TestKeptTwice(t *testing.T) {
	t.Parallel()
	x := [][]float64{{1, 1, 0, 0}, {1, 1, 1, 1}, {0, 0, 1, 1}, {0, 0, 0, 0}, {1, 1, 1, 1}, {0, 0, 1, 1}, {0, 0, 0, 0}, {1, 1, 0, 0}}
	y := []float64{0.1, 1, 0.9, 0, 1.1, 1, 0.05, 0}
	for _, c := range []struct{ keep, want []int }{{[]int{0, 1}, []int{0, 2}}, {[]int{2, 3}, []int{2, 0}}} {
		factor := []float64{1, 1, 1, 1}
		for _, j := range c.keep {
			factor[j] = 0
		}
		view := enginetest.Treated(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), data.Treatment{Factor: factor})
		m, err := Stepwise{MaxFeatures: 1, Choose: chooseDrop, Criterion: criterionNone, Alpha: 0.05}.Fit(t.Context(), engines.Run{Train: view, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		coefs := slices.Clone(m.Coefs())
		slices.SortFunc(coefs, func(a, b engines.Coef) int { return cmp.Compare(a.Rank, b.Rank) })
		var columns []int
		for _, c := range coefs {
			columns = append(columns, c.Feature)
		}
		if !slices.Equal(columns, c.want) {
			t.Errorf("keep %v: %v, want %v", c.keep, columns, c.want)
		}
	}
}
