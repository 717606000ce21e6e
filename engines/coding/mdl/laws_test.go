package mdl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/coding/codes"
	"tenfold/engines/coding/likelihood"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/growing"
)

// numbers asks the suite for real targets; otherwise it makes classes of two levels.
type numbers struct{ MDL }

func (e numbers) Needs() engines.Needs {
	n := e.MDL.Needs()
	n.Target, n.Levels = data.Real, 0
	return n
}

func TestSuite(t *testing.T) {
	for name, change := range map[string]func(e *MDL){
		"tpc":         func(e *MDL) { e.Code = "tpc" },
		"mic-partial": func(e *MDL) { e.Code, e.Accept, e.DF = "mic-partial", acceptCarry, 1 },
		"mic-full":    func(e *MDL) { e.Code, e.Covariance, e.Top = "mic-full", shrunk, 5 },
		"mixed":       func(e *MDL) { e.Code, e.Search, e.Patience = "tpc-switch", searchMixed, 2 },
		"streamwise":  func(e *MDL) { e.Code, e.Search, e.Order = "aic", searchStreamwise, orderInterleaved },
		"alpha":       func(e *MDL) { e.Search, e.Order = searchAlpha, orderShuffled },
	} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, numbers{with(change)}) })
	}
	for name, change := range map[string]func(e *MDL){
		"classes":        func(e *MDL) { e.Code = "aic" },
		"least squares":  func(e *MDL) { e.Code, e.Refit = "aic", refitSquares },
		"logistic":       func(e *MDL) { e.Code, e.Likelihood, e.Top = "mic-partial", logisticLoss, 4 },
		"logistic mixed": func(e *MDL) { e.Code, e.Likelihood, e.Search = "bic", logisticLoss, searchMixed },
		"logistic alpha": func(e *MDL) { e.Likelihood, e.Search = logisticLoss, searchAlpha },
	} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, with(change)) })
	}
}

// binarise at the median.
func binarise(v []float64) {
	cut := slices.Sorted(slices.Values(v))[len(v)/2]
	for i := range v {
		v[i] = map[bool]float64{true: 1}[v[i] >= cut]
	}
}

// combinations of every code, search and likelihood that go together, on random data.
func combinations(t *testing.T, rng *rand.Rand, do func(e MDL, m engines.Model, f *watched)) {
	t.Helper()
	for _, code := range codesAlone() {
		for _, search := range searchNames() {
			for _, likelihood := range []string{gaussianLoss, logisticLoss, fullMatrix} {
				x, y, classes := randomCase(rng)
				e := with(func(e *MDL) { e.Code, e.Search, e.Likelihood = code, search, likelihood })
				if likelihood == fullMatrix {
					e.Likelihood, e.Covariance, e.Lambda = gaussianLoss, shrunk, 0.3
				}
				if e.Validate() != nil {
					continue
				}
				if e.Likelihood == logisticLoss {
					for _, v := range y {
						binarise(v)
					}
				}
				m, f, err := fit(t, e, viewOf(x, y, classes))
				if err != nil {
					t.Fatalf("%s, %s, %s: %v", code, search, likelihood, err)
				}
				do(e, m, f)
			}
		}
	}
}

// TestLedger: without features, less what the coefficients saved, plus what they cost, is the description length.
func TestLedger(t *testing.T) {
	t.Parallel()
	combined := 0
	combinations(t, rand.New(rand.NewPCG(3, 9)), func(e MDL, m engines.Model, f *watched) {
		var want lengths
		for _, s := range f.done {
			l := s.lengths()
			want.empty, want.responses, want.model = want.empty+l.empty, want.responses+l.responses, want.model+l.model
		}
		length, paid := want.empty, 0.0
		for _, c := range m.Coefs() {
			length += c.Bits.Paid() - c.Bits.Saved - c.Bits.Refined
			paid += c.Bits.Class + c.Bits.Index + c.Bits.Subset + c.Bits.Coefficient
			if !(math.Abs(c.Score-c.Bits.Net()) <= 1e-12) {
				t.Errorf("%s, %s: score %v, net bits %v", e.Code, e.Search, c.Score, c.Bits.Net())
			}
			combined++
		}
		if !(math.Abs(length-want.responses-want.model) <= 1e-8) || !(math.Abs(paid-want.model) <= 1e-9) {
			t.Errorf("%s, %s, %s, %s: ledgers come to %v bits, %v of them paid; the description has %v, %v of them for the model",
				e.Code, e.Search, e.Likelihood, e.Covariance, length, paid, want.responses+want.model, want.model)
		}
	})
	if combined < 200 {
		t.Errorf("only %d coefficients", combined)
	}
}

// TestRefined: where the noise is that of the model with the feature, or is given, none of what a feature saves comes of
// estimating it anew; not even what rounding leaves.
func TestRefined(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 2))
	for name, change := range map[string]func(e *MDL){
		"own":      func(e *MDL) { e.Sigma = likelihood.SigmaOwn },
		"initial":  func(e *MDL) { e.Sigma = likelihood.SigmaInitial },
		"fixed":    func(e *MDL) { e.Sigma, e.Sigma2 = likelihood.SigmaFixed, 0.7 },
		"logistic": func(e *MDL) { e.Likelihood = logisticLoss },
		"null":     func(*MDL) {},
	} {
		for _, code := range []string{"ric2", "mic-partial", "mic-full"} {
			refined, n := 0.0, 0
			for range 10 {
				x, y, classes := randomCase(rng)
				if name == "logistic" {
					for _, v := range y {
						binarise(v)
					}
				}
				m, _, err := fit(t, with(func(e *MDL) { e.Code, e.MaxFeatures = code, 4; change(e) }), viewOf(x, y, classes))
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range m.Coefs() {
					refined, n = refined+math.Abs(c.Bits.Refined), n+1
				}
			}
			if n == 0 || (refined != 0) != (name == "null") {
				t.Errorf("%s, %s: %v bits refined in %d coefficients", name, code, refined, n)
			}
		}
	}
}

// TestSameSelection: three-part coding of a single class is ric2, and so is multiple inclusion of a single task.
func TestSameSelection(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 4))
	for range 40 {
		x, y, classes := randomCase(rng)
		clear(classes)
		view := viewOf(x, y[:1], classes)
		var want []selectedFeature
		for k, code := range []string{"ric2", "tpc", "mic-partial"} {
			_, f, err := fit(t, with(func(e *MDL) { e.Code = code }), view)
			if err != nil {
				t.Fatal(err)
			}
			got := f.done[0].picks
			if k == 0 {
				want = got
			}
			if !slices.EqualFunc(got, want, func(a, b selectedFeature) bool {
				return a.column == b.column && math.Abs(a.netBits()-b.netBits()) < 1e-9
			}) {
				t.Errorf("%s: %v, ric2: %v", code, got, want)
			}
		}
	}
}

// TestWeights: a row of weight 3 is three rows.
func TestWeights(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	for _, likelihood := range []string{gaussianLoss, logisticLoss} {
		x, y, _ := randomCase(rng)
		y = y[:1]
		if likelihood == logisticLoss {
			binarise(y[0])
		}
		weight := make([]float64, len(x[0]))
		var again [][]float64
		for _, v := range append(slices.Clone(x), y[0]) {
			var w []float64
			for i, value := range v {
				weight[i] = float64(1 + i%3)
				w = append(w, slices.Repeat([]float64{value}, 1+i%3)...)
			}
			again = append(again, w)
		}
		rows := make([][]float64, len(x[0]))
		for i := range rows {
			for _, col := range x {
				rows[i] = append(rows[i], col[i])
			}
		}
		set := enginetest.Dataset(enginetest.Matrix(rows...), enginetest.Real("y0", y[0]...))
		set.Weight = weight
		e := with(func(e *MDL) { e.Code, e.Likelihood = "aic", likelihood })
		a, f, err := fit(t, e, enginetest.View(set, nil))
		if err != nil {
			t.Fatal(err)
		}
		b, g, err := fit(t, e, viewOf(again[:len(x)], again[len(x):], nil))
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Coefs()) == 0 || len(a.Coefs()) != len(b.Coefs()) {
			t.Fatalf("%s: %d coefficients, %d from repeated rows", likelihood, len(a.Coefs()), len(b.Coefs()))
		}
		for k, c := range a.Coefs() {
			if d := b.Coefs()[k]; c.Feature != d.Feature || !(math.Abs(c.Value-d.Value) <= 1e-7) || !(math.Abs(c.Score-d.Score) <= 1e-7) {
				t.Errorf("%s: %+v, from repeated rows %+v", likelihood, c, d)
			}
		}
		if l, m := f.done[0].lengths(), g.done[0].lengths(); !(math.Abs(l.responses-m.responses) <= 1e-7) {
			t.Errorf("%s: %v bits, from repeated rows %v", likelihood, l.responses, m.responses)
		}
	}
}

// TestUnits: columns and responses in other units, by powers of two, are described by the same features, to the last bit.
func TestUnits(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(4, 6))
	features := 0
	for k := range 60 {
		x, y, classes := randomCase(rng)
		other := make([][]float64, len(x))
		for j, col := range x {
			unit := math.Ldexp(1, []int{-30, 0, 30}[rng.IntN(3)])
			for _, v := range col {
				other[j] = append(other[j], v*unit)
			}
		}
		e := with(func(e *MDL) {
			e.Code, e.Search = codesAlone()[k%len(codesAlone())], searchNames()[k%3]
			if e.Search != searchStreamwise {
				e.Top = 0
			}
		})
		_, f, err := fit(t, e, viewOf(x, y, classes))
		if err != nil {
			t.Fatal(err)
		}
		_, g, err := fit(t, e, viewOf(other, y, classes))
		if err != nil {
			t.Fatal(err)
		}
		for at, s := range f.done {
			features += len(s.picks)
			if !reflect.DeepEqual(s.picks, g.done[at].picks) {
				t.Errorf("case %d, %+v: %+v, in other units %+v", k, e, s.picks, g.done[at].picks)
			}
		}
	}
	if features < 100 {
		t.Errorf("only %d features", features)
	}
}

// TestLightWeights: rows that weigh less than 1 in all leave no degree of freedom to a variance that takes one.
func TestLightWeights(t *testing.T) {
	t.Parallel()
	x, y, _ := randomCase(rand.New(rand.NewPCG(9, 3)))
	set := enginetest.Dataset(viewOf(x, y, nil).Matrix(), enginetest.Real("y", y[0]...))
	set.Weight = slices.Repeat([]float64{0.9 / float64(len(y[0]))}, len(y[0]))
	view := enginetest.View(set, nil)
	if _, _, err := fit(t, with(func(e *MDL) {}), view); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(e *MDL){
		"sigma null_unbiased": func(e *MDL) { e.Sigma = likelihood.SigmaUnbiased },
		"df 1":                func(e *MDL) { e.DF = 1 },
	} {
		if _, _, err := fit(t, with(change), view); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWorkers: columns are shared out between goroutines without a trace in the results.
func TestWorkers(t *testing.T) {
	t.Parallel()
	x := enginetest.Random(3, 50, 3*growing.CheckInterval, 0.1, true)
	var targets []data.Target
	for k := range 3 {
		y := make([]float64, 50)
		for i := range y {
			y[i] = x.Row(i).Dot(slices.Repeat([]float64{float64(k), 1, -1}, growing.CheckInterval))
		}
		targets = append(targets, enginetest.Real(fmt.Sprint(k), y...))
	}
	view := enginetest.View(enginetest.Dataset(x, targets...), nil)
	for _, code := range []string{"aic", "mic-partial"} {
		var want []engines.Coef
		for _, workers := range []int{1, 3} {
			e := with(func(e *MDL) { e.Code, e.MaxFeatures = code, 6 })
			m, err := e.Fit(context.Background(), engines.Run{Train: view, Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = m.Coefs()
			}
			if len(want) < 6 || !reflect.DeepEqual(m.Coefs(), want) {
				t.Errorf("%s, %d workers: %v, want %v", code, workers, m.Coefs(), want)
			}
		}
	}
}

// codesAlone are the codes that need no other tasks.
func codesAlone() (names []string) {
	for _, c := range codes.All {
		if !c.Donors {
			names = append(names, c.Name)
		}
	}
	return names
}
