package mdl

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/coding/likelihood"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/prepare"
)

// mixedTargets is 80 rows with a real target and two classes.
func mixedTargets() (*data.Dataset, []float64) {
	rng := rand.New(rand.NewPCG(11, 2))
	x := enginetest.Random(4, 80, 12, 0.7, false)
	real, a, b := make([]float64, 80), make([]float64, 80), make([]float64, 80)
	w := make([]float64, 12)
	w[2], w[5] = 1.5, -1
	for i := range real {
		s := x.Row(i).Dot(w)
		real[i] = 10 + s + 0.3*rng.NormFloat64()
		if s+0.5*rng.NormFloat64() > 0 {
			a[i] = 1
		}
		if s+0.5*rng.NormFloat64() > 0.5 {
			b[i] = 1
		}
	}
	return enginetest.Dataset(x, enginetest.Class("a", 2, a...), enginetest.Real("r", real...), enginetest.Class("b", 2, b...)), a
}

func predict(m engines.Model, v *data.View) []float64 {
	out := make([]float64, v.Len()*m.Outputs())
	m.Predict(out, v.Inputs())
	return out
}

// TestOutputs: of a class, two outputs, the second with the coefficients; of a number, one.
func TestOutputs(t *testing.T) {
	t.Parallel()
	set, a := mixedTargets()
	view := enginetest.View(set, nil)
	for refit, probabilities := range map[string]bool{refitAuto: true, refitSquares: false} {
		m, f, err := fit(t, with(func(e *MDL) { e.Code, e.Refit = "mic-partial", refit }), view)
		if err != nil {
			t.Fatal(err)
		}
		if m.Outputs() != 5 || f.newFitted().Probabilities != probabilities {
			t.Fatalf("refit %s: %d outputs, probabilities %v", refit, m.Outputs(), f.newFitted().Probabilities)
		}
		outputs := map[int]int{}
		for _, c := range m.Coefs() {
			outputs[c.Output]++
		}
		if len(outputs) != 3 || outputs[1] < 2 || outputs[2] < 2 || outputs[4] < 2 {
			t.Errorf("refit %s: coefficients by output: %v", refit, outputs)
		}
		scores, right := predict(m, view), 0
		row := make([]float64, 5)
		for i := range view.Len() {
			s := scores[5*i : 5*i+5]
			two := [2]float64{s[0] + s[1], s[3] + s[4]}
			if probabilities {
				two = [2]float64{math.Exp(s[0]) + math.Exp(s[1]), math.Exp(s[3]) + math.Exp(s[4])}
			}
			if !(math.Abs(two[0]-1) <= 1e-12) || !(math.Abs(two[1]-1) <= 1e-12) {
				t.Fatalf("row %d: %v", i, s)
			}
			if (s[1] > s[0]) == (a[i] == 1) {
				right++
			}
			m.(engines.Scorer).Score(row, view.Row(i))
			for k := range row {
				if !(math.Abs(row[k]-s[k]) <= 1e-12) {
					t.Fatalf("row %d alone: %v, want %v", i, row, s)
				}
			}
		}
		if right < 65 {
			t.Errorf("refit %s: %d of 80 rows of class a are right", refit, right)
		}
	}
}

// TestRefit: the logistic regression on the selection has no slope left.
func TestRefit(t *testing.T) {
	t.Parallel()
	set, a := mixedTargets()
	set.Targets = set.Targets[:1]
	view := enginetest.View(set, nil)
	const ridge = 0.05
	m, _, err := fit(t, with(func(e *MDL) { e.Ridge = ridge }), view)
	if err != nil {
		t.Fatal(err)
	}
	p := enginetest.Exp(predict(m, view))
	coefs := m.Coefs()
	if len(coefs) < 2 {
		t.Fatalf("%d coefficients", len(coefs))
	}
	free := 0.0
	for i, y := range a {
		free += p[2*i+1] - y
	}
	if !(math.Abs(free) <= 1e-8) {
		t.Errorf("slope along the intercept: %v", free)
	}
	for _, c := range coefs {
		slope := ridge * c.Value
		col := view.Matrix().Col(c.Feature)
		for k, i := range col.Idx {
			slope += col.At(k) * (p[2*i+1] - a[i])
		}
		if !(math.Abs(slope) <= 1e-8) {
			t.Errorf("slope along column %d: %v", c.Feature, slope)
		}
	}
}

// TestSeparable: classes that a feature separates give finite weights, and a word of warning.
func TestSeparable(t *testing.T) {
	t.Parallel()
	x, y := make([][]float64, 40), make([]float64, 40)
	for i := range x {
		x[i] = []float64{float64(i), float64(i % 3)}
		y[i] = map[bool]float64{true: 1}[i >= 20]
	}
	view := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("c", 2, y...)), nil)
	for _, likelihood := range []string{gaussianLoss, logisticLoss} {
		m, _, err := fit(t, with(func(e *MDL) { e.Likelihood = likelihood }), view)
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(m.(engines.Reporter).Fitted().Notes, "\n")
		if len(m.Coefs()) == 0 || !elementary.IsFinite(m.Coefs()[0].Value) || !strings.Contains(notes, "separate") {
			t.Errorf("%s: %+v, notes %q", likelihood, m.Coefs(), notes)
		}
	}
}

// TestOwnRows: targets defined on different rows are fitted each on its own.
func TestOwnRows(t *testing.T) {
	t.Parallel()
	x := enginetest.Random(4, 60, 9, 1, false)
	var first, second data.Target
	first, second = enginetest.Real("first"), enginetest.Real("second")
	for i := range int32(60) {
		y := 2*x.Row(int(i)).At(4) + float64(i%5)/10
		if i < 40 {
			first.Rows, first.Values = append(first.Rows, i), append(first.Values, y)
		}
		if i >= 25 {
			second.Rows, second.Values = append(second.Rows, i), append(second.Values, -y)
		}
	}
	view := enginetest.View(enginetest.Dataset(x, first, second), nil)
	m, _, err := fit(t, with(func(*MDL) {}), view)
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]int32, 35)
	for i := range rows {
		rows[i] = int32(25 + i)
	}
	alone := enginetest.Dataset(x.Pick(rows), enginetest.Real("second", second.Values...))
	want, _, err := fit(t, with(func(*MDL) {}), enginetest.View(alone, nil))
	if err != nil {
		t.Fatal(err)
	}
	var got []engines.Coef
	for _, c := range m.Coefs() {
		if c.Output == 1 {
			c.Output = 0
			got = append(got, c)
		}
	}
	if !slices.EqualFunc(got, want.Coefs(), func(a, b engines.Coef) bool { return a.Feature == b.Feature && a.Value == b.Value }) || len(got) == 0 {
		t.Errorf("%+v, alone %+v", got, want.Coefs())
	}
	_, _, err = fit(t, with(func(e *MDL) { e.Code = "mic-partial" }), view)
	if err == nil || !strings.Contains(err.Error(), "first and second are defined on different ones") {
		t.Errorf("mic-partial on different rows: %v", err)
	}
}

// TestRefusals: what cannot be fitted is refused with what is wrong, or passed over with a note where that was asked for.
func TestRefusals(t *testing.T) {
	t.Parallel()
	x := enginetest.Random(4, 6, 3, 1, false)
	y := enginetest.Real("y", 1, 2, 3, 4, 5, 7)
	flat := enginetest.Real("flat", 2, 2, 2, 2, 2, 2)
	for name, c := range map[string]struct {
		change  func(e *MDL)
		targets []data.Target
		want    string
	}{
		"constant":       {func(*MDL) {}, []data.Target{y, flat}, "target flat is constant"},
		"three levels":   {func(*MDL) {}, []data.Target{enginetest.Class("c", 3, 0, 1, 2, 0, 1, 2)}, "target c has 3 levels"},
		"not 0 or 1":     {func(e *MDL) { e.Likelihood = logisticLoss }, []data.Target{y}, "target y is 2, expected 0 or 1"},
		"refit not 0, 1": {func(e *MDL) { e.Refit = logisticLoss }, []data.Target{y}, "target y is 2, expected 0 or 1"},
		"not finite":     {func(*MDL) {}, []data.Target{enginetest.Real("y", 1, 2, math.Inf(1), 4, 5, 6)}, "target y is +Inf"},
		"no classes":     {func(e *MDL) { e.Code = "tpc" }, []data.Target{y}, "there are none"},
		"no rows at all": {func(*MDL) {}, []data.Target{{Name: "none", Type: data.Real, Rows: []int32{}}}, "none has no training row"},
	} {
		set := enginetest.Dataset(x, c.targets...)
		p, err := prepare.Recipe{}.Fit(set, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := fit(t, with(c.change), p.View(nil)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", name, err, c.want)
		}
	}
	huge := enginetest.Dataset(enginetest.Matrix([]float64{1e308}, []float64{1e308}, []float64{0}), enginetest.Real("y", 1, 2, 3))
	if _, _, err := fit(t, with(func(*MDL) {}), enginetest.View(huge, nil)); err == nil || !strings.Contains(err.Error(), "column 0: the sum of its squares") {
		t.Errorf("values whose squares overflow: %v", err)
	}
}

// TestSaturated: nothing more is selected once nothing is left, or a target has as many features as rows allow.
func TestSaturated(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows, most int
		change     func(e *MDL)
		stop       string
	}{
		"few rows":     {7, 5, func(e *MDL) { e.Sigma, e.Sigma2 = likelihood.SigmaFixed, 1e-9 }, "saturated"},
		"two rows":     {2, 0, func(*MDL) {}, "saturated"},
		"max_features": {30, 2, func(e *MDL) { e.MaxFeatures, e.Code = 2, "aic" }, "max_features"},
	} {
		x := enginetest.Random(4, c.rows, 20, 1, false)
		y := make([]float64, c.rows)
		for i := range y {
			y[i] = x.Row(i).Sum()
		}
		for _, search := range []string{searchForward, searchMixed, searchStreamwise, searchAlpha} {
			e := with(c.change)
			if e.Search = search; search == searchMixed {
				e.Sigma, e.Sigma2 = likelihood.SigmaOwn, 0
			} else if search == searchAlpha {
				e.Code = "ric2"
			}
			_, f, err := fit(t, e, enginetest.View(enginetest.Dataset(x, enginetest.Real("y", y...)), nil))
			if err != nil {
				t.Fatal(err)
			}
			s := f.done[0]
			if len(s.picks) > c.most || search == searchForward && (s.stop != c.stop || len(s.picks) != c.most) {
				t.Errorf("%s, %s: %d features, stop %s", name, search, len(s.picks), s.stop)
			}
		}
	}
}

// TestRunaway: noise of the model itself lets descriptions shorten without end where columns are as many as rows; a note says so.
func TestRunaway(t *testing.T) {
	t.Parallel()
	for _, search := range []string{searchForward, searchMixed} {
		for columns, runs := range map[int]bool{60: true, 4: false} {
			x := enginetest.Random(4, 20, columns, 1, false)
			y := rand.New(rand.NewPCG(3, 3))
			values := make([]float64, 20)
			for i := range values {
				values[i] = y.NormFloat64()
			}
			e := with(func(e *MDL) { e.Code, e.Search, e.Sigma = "aic", search, likelihood.SigmaOwn })
			m, f, err := fit(t, e, enginetest.View(enginetest.Dataset(x, enginetest.Real("y", values...)), nil))
			if err != nil {
				t.Fatal(err)
			}
			notes := strings.Join(m.(engines.Reporter).Fitted().Notes, "\n")
			if got := strings.Contains(notes, "target y has 18 features on 20 training rows"); got != runs || (f.done[0].stop == "saturated") != runs {
				t.Errorf("%s of %d columns: %d features, %s, notes %q", search, columns, len(m.Coefs()), f.done[0].stop, notes)
			}
		}
	}
}

// TestWhoEnded: of targets described together, the one that can take no more features is named, also where the search then goes
// back to fewer.
func TestWhoEnded(t *testing.T) {
	t.Parallel()
	x := enginetest.Random(4, 9, 7, 1, false)
	targets := make([]data.Target, 3)
	rng := rand.New(rand.NewPCG(5, 5))
	for k := range targets {
		y := make([]float64, 9)
		for i := range y {
			y[i] = rng.NormFloat64()
		}
		targets[k] = enginetest.Real(fmt.Sprint("y", k), y...)
	}
	e := with(func(e *MDL) { e.Code, e.Search, e.CoefBits, e.Patience = "mic-full", searchMixed, 20, 9 })
	m, f, err := fit(t, e, enginetest.View(enginetest.Dataset(x, targets...), nil))
	if err != nil {
		t.Fatal(err)
	}
	notes := m.(engines.Reporter).Fitted().Notes
	if s := f.done[0]; s.stop != "saturated" || len(s.picks) > 0 || len(notes) != 1 || !strings.HasPrefix(notes[0], "target y0 can take no more") {
		t.Errorf("%d features, %s, notes %q", len(s.picks), s.stop, notes)
	}
}

// TestExplained: a target that one column explains without rest ends the search for itself, not for the others coded with it.
func TestExplained(t *testing.T) {
	t.Parallel()
	x := enginetest.Random(9, 60, 30, 1, false)
	first, second := make([]float64, 60), make([]float64, 60)
	for i := range first {
		first[i] = x.Row(i).At(3)
		second[i] = x.Row(i).At(5) + 0.8*x.Row(i).At(7) + 0.05*x.Row(i).At(8)
	}
	view := enginetest.View(enginetest.Dataset(x, enginetest.Real("exact", first...), enginetest.Real("sum", second...)), nil)
	for _, code := range []string{"mic-partial", "mic-full"} {
		m, _, err := fit(t, with(func(e *MDL) { e.Code = code }), view)
		if err != nil {
			t.Fatal(err)
		}
		found := map[int]bool{}
		for _, c := range m.Coefs() {
			found[c.Feature] = true
		}
		if !found[3] || !found[5] || !found[7] {
			t.Errorf("%s: %v", code, found)
		}
	}
}

// TestNeeds: what a choice of parts cannot use is refused before anything runs.
func TestNeeds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change  func(e *MDL)
		target  data.Type
		classes bool
	}{
		"default":     {func(*MDL) {}, data.Any, false},
		"tpc":         {func(e *MDL) { e.Code = "tpc" }, data.Any, true},
		"interleaved": {func(e *MDL) { e.Order = orderInterleaved }, data.Any, true},
		"logistic":    {func(e *MDL) { e.Likelihood = logisticLoss }, data.Class, false},
		"refit":       {func(e *MDL) { e.Refit = logisticLoss }, data.Class, false},
	} {
		if n := with(c.change).Needs(); n.Target != c.target || n.FeatureClasses != c.classes || n.Levels != 2 || !n.Tasks {
			t.Errorf("%s: %+v", name, n)
		}
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(e *MDL){
		"code":          func(e *MDL) { e.Code = "rci" },
		"search":        func(e *MDL) { e.Search = "backward" },
		"likelihood":    func(e *MDL) { e.Likelihood = "poisson" },
		"sigma":         func(e *MDL) { e.Sigma = "" },
		"sigma2":        func(e *MDL) { e.Sigma = likelihood.SigmaFixed },
		"covariance":    func(e *MDL) { e.Covariance = fullMatrix },
		"lambda":        func(e *MDL) { e.Lambda = 1.5 },
		"df":            func(e *MDL) { e.DF = 2 },
		"accept":        func(e *MDL) { e.Accept = "lax" },
		"m_cost":        func(e *MDL) { e.MCost = "7" },
		"coef_bits":     func(e *MDL) { e.CoefBits = -1 },
		"classes_total": func(e *MDL) { e.ClassesTotal = -1 },
		"top":           func(e *MDL) { e.Top = -1 },
		"max_features":  func(e *MDL) { e.MaxFeatures = -1 },
		"patience":      func(e *MDL) { e.Patience = 0 },
		"order":         func(e *MDL) { e.Order = "random" },
		"wealth":        func(e *MDL) { e.Wealth = 1 },
		"refit":         func(e *MDL) { e.Refit = "ridge" },
		"ridge":         func(e *MDL) { e.Ridge = 0 },
	} {
		err := with(change).Validate()
		if err == nil || !strings.HasPrefix(err.Error(), field+": ") {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// TestIdle: a value that the other parameters leave without effect is refused, and only such: with it the fit is the same to the
// last bit.
func TestIdle(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 1))
	changes := map[string]func(e *MDL){
		"code":          func(e *MDL) { e.Code = "bic" },
		"sigma":         func(e *MDL) { e.Sigma, e.Sigma2 = likelihood.SigmaInitial, 0 },
		"sigma2":        func(e *MDL) { e.Sigma2 = 0.3 },
		"lambda":        func(e *MDL) { e.Lambda = 0.2 },
		"df":            func(e *MDL) { e.DF = 1 },
		"accept":        func(e *MDL) { e.Accept = acceptCarry },
		"m_cost":        func(e *MDL) { e.MCost = withIntercept },
		"coef_bits":     func(e *MDL) { e.CoefBits = 0.5 },
		"classes_total": func(e *MDL) { e.ClassesTotal = 50 },
		"top":           func(e *MDL) { e.Top = 1 },
		"patience":      func(e *MDL) { e.Patience = 1 },
		"order":         func(e *MDL) { e.Order = orderShuffled },
		"wealth":        func(e *MDL) { e.Wealth = 0.9 },
		"ridge":         func(e *MDL) { e.Ridge = 3 },
	}
	outcome := func(e MDL, view *data.View) string {
		f, err := e.Fit(t.Context(), engines.Run{Train: view, Rand: rand.New(rand.NewPCG(1, 2)), Workers: 1})
		if err != nil {
			t.Fatalf("%+v: %v", e, err)
		}
		saved, err := f.(engines.Keeper).Save()
		if err != nil {
			t.Fatal(err)
		}
		return string(saved.State)
	}
	refused, effective := map[string]bool{}, map[string]bool{}
	for range 5 {
		x, y, classes := randomCase(rng)
		for _, v := range y {
			binarise(v)
		}
		view := viewOf(x, y, classes)
		for _, code := range codesAlone() {
			for _, search := range searchNames() {
				e := with(func(e *MDL) {
					e.Code, e.Search, e.Likelihood = code, search, []string{gaussianLoss, gaussianLoss, logisticLoss}[rng.IntN(3)]
					e.Refit = []string{refitAuto, refitSquares}[rng.IntN(2)]
					e.Sigma, e.Sigma2 = []string{likelihood.SigmaNull, likelihood.SigmaUnbiased, likelihood.SigmaOwn, likelihood.SigmaInitial, likelihood.SigmaFixed}[rng.IntN(5)], 0.2
				})
				if e.Sigma != likelihood.SigmaFixed {
					e.Sigma2 = 0
				}
				if e.Validate() != nil {
					continue
				}
				plain := outcome(e, view)
				for field, change := range changes {
					other := e
					if change(&other); other == e {
						continue
					}
					err := other.Validate()
					same := outcome(other, view) == plain
					switch {
					case err != nil && !strings.HasPrefix(err.Error(), field+": "):
						t.Errorf("%s: %+v is refused: %v", field, other, err)
					case err != nil && !same:
						t.Errorf("%s of %+v has an effect, but is refused: %v", field, other, err)
					case err != nil:
						refused[field] = true
					case !same:
						effective[field] = true
					}
				}
			}
		}
	}
	for field := range changes {
		// The covariance is diagonal throughout.
		if !refused[field] || !effective[field] && field != "lambda" {
			t.Errorf("%s: refused somewhere %v, of effect elsewhere %v", field, refused[field], effective[field])
		}
	}
}
