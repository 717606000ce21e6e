package dual

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/losses/logits"
	"tenfold/engines/penalized/l1"
)

var errGone = errors.New("the caller is gone")

func TestDualSuite(t *testing.T) {
	for name, change := range map[string]func(*Dual){
		"defaults":      func(e *Dual) {},
		"shuffled":      func(e *Dual) { e.Order, e.Bias = shuffled, "none" },
		"damped":        func(e *Dual) { e.Damping, e.MaxPasses, e.Ratio = 0.1, 40, 0.3 },
		"retrain":       func(e *Dual) { e.Finish, e.Threshold = finishNone, 1 },
		"least squares": func(e *Dual) { e.Finish, e.Recover, e.Weighted = finishNone, recoverSquares, true },
		"scale":         func(e *Dual) { e.Finish, e.Recover = finishNone, recoverScale },
		"dal":           func(e *Dual) { e.Finish = finishDAL },
		"elastic":       func(e *Dual) { e.Finish, e.C2, e.Bias = finishDAL, 0.5, "none" },
	} {
		e := defaults()
		change(&e)
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

func TestDualParameters(t *testing.T) {
	for want, change := range map[string]func(*Dual){
		"c1: -1":               func(e *Dual) { e.C1 = -1 },
		"c1_ratio: 2":          func(e *Dual) { e.Ratio = 2 },
		"bias: free":           func(e *Dual) { e.Bias = "free" },
		"c2: 1":                func(e *Dual) { e.C2 = 1 },
		"order: ":              func(e *Dual) { e.Order = "random" },
		"damping: 0":           func(e *Dual) { e.Damping = 0 },
		"damping: NaN":         func(e *Dual) { e.Damping = math.NaN() },
		"max_passes: 0":        func(e *Dual) { e.MaxPasses = 0 },
		"pass_tol: -1":         func(e *Dual) { e.PassTol = -1 },
		"threshold: 1.1":       func(e *Dual) { e.Threshold = 1.1 },
		"threshold: 0":         func(e *Dual) { e.Threshold = 0 },
		"finish: ":             func(e *Dual) { e.Finish = "done" },
		"recover: ":            func(e *Dual) { e.Recover = "some" },
		"recover: scale means": func(e *Dual) { e.Recover = recoverScale },
		"weighted: true means": func(e *Dual) { e.Weighted = true },
		"eta: 0":               func(e *Dual) { e.Eta = 0 },
		"tol: 0":               func(e *Dual) { e.Tol = 0 },
		"max_iter: 0":          func(e *Dual) { e.MaxIter = 0 },
	} {
		e := defaults()
		change(&e)
		if err := e.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, expected %s…", err, want)
		}
	}
	if err := defaults().Validate(); err != nil {
		t.Error(err)
	}
}

func dualFit(t *testing.T, p *logits.Problem, change func(*Dual)) (engines.Model, engines.Fitted) {
	t.Helper()
	e := defaults()
	change(&e)
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	m, err := e.Fit(context.Background(), engines.Run{Train: loglin.View(p), Rand: rand.New(rand.NewPCG(1, 2)), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m, m.(engines.Reporter).Fitted()
}

func fact(f engines.Fitted, name string) string {
	for _, fact := range f.Facts {
		if fact.Name == name {
			return fact.Value
		}
	}
	return ""
}

// What is not proven is not said: without a finish the report tells that the steps stalled, how far from the optimum the
// weights may be, and gives v as scores; with one, the gap is closed and the report still tells of the steps.
func TestDualReports(t *testing.T) {
	p := loglin.Drawn(t, 5, 120, 40, 2, logits.NoBias, true)
	p.Weight = nil
	_, exact := dualFit(t, p, func(e *Dual) { e.C1 = 3 })
	if exact.Stop != "gap" || !(exact.Certificate.Relative() <= 1e-6) || len(exact.Notes) > 0 {
		t.Errorf("screen: %+v", exact)
	}
	if steps := fact(exact, "pair steps"); !strings.HasPrefix(steps, "stalled after ") {
		t.Errorf("screen: pair steps %q", steps)
	}
	for _, recover := range []string{recoverRetrain, recoverSquares, recoverScale} {
		m, f := dualFit(t, p, func(e *Dual) { e.C1, e.Finish, e.Recover = 3, finishNone, recover })
		if f.Stop != "stalled" || len(f.Notes) == 0 || !strings.Contains(f.Notes[0], "does not prove") {
			t.Errorf("%s: %s, %q", recover, f.Stop, f.Notes)
		}
		if f.Certificate.Objective < exact.Certificate.Dual || f.Certificate.Dual > exact.Certificate.Objective {
			t.Errorf("%s: %+v; the optimum is in %+v", recover, f.Certificate, exact.Certificate)
		}
		for _, c := range m.Coefs() {
			if math.Abs(c.Score) < 0.9 || !(math.Abs(c.Score) <= 1+1e-12) || c.Score*c.Value < 0 && recover != recoverRetrain {
				t.Errorf("%s: %+v", recover, c)
			}
		}
	}
	_, few := dualFit(t, p, func(e *Dual) { e.C1, e.Finish, e.MaxPasses = 3, finishNone, 1 })
	if few.Stop != "max_passes" {
		t.Errorf("one pass: %s", few.Stop)
	}
}

// Data on the edge: every way ends, and the exact ones at the optimum.
func TestDualDegenerate(t *testing.T) {
	separable := loglin.Sketch{X: [][]float64{{1, 0}, {2, 0}, {-1, 0}, {-3, 1}}, Y: []int32{1, 1, 0, 0}, Classes: 2}
	single := loglin.Sketch{X: [][]float64{{1, 0}, {2, 1}, {-1, 0}}, Y: []int32{1, 1, 1}, Classes: 2}
	unseen := loglin.Sketch{X: [][]float64{{1, 0}, {2, 1}, {-1, 0}}, Y: []int32{1, 0, 1}, Classes: 4}
	twice := loglin.Sketch{X: [][]float64{{1, 1, 0}, {2, 2, 1}, {-1, -1, 0}, {1, 1, 1}}, Y: []int32{1, 1, 0, 0}, Classes: 2}
	empty := loglin.Sketch{X: [][]float64{{0, 0}, {0, 0}, {0, 0}}, Y: []int32{1, 0, 1}, Classes: 2}
	for name, c := range map[string]struct {
		loglin.Sketch
		c1 float64
	}{
		"separable": {separable, 0.1}, "a single class": {single, 0.2}, "classes without rows": {unseen, 0.2},
		"a column twice": {twice, 0.1}, "no entry": {empty, 1}, "c1 above all gradients": {twice, 100},
	} {
		for _, bias := range []logits.Bias{logits.NoBias, logits.PenalizedBias} {
			c.Bias = bias
			p := c.Problem(t)
			want, _ := c.Minimum(t, p, logits.Penalty{L1: c.c1})
			for way, solve := range throughDual() {
				_, out := loglin.Solved(t, solve, p, logits.Goal{Penalty: logits.Penalty{L1: c.c1}, Stopping: logits.Stopping{Tol: 1e-8, MaxIter: 10_000}, Workers: 1})
				loglin.Near(t, name+", "+way+": objective", out.Objective, want, 2e-8)
				if out.Stop != "gap" {
					t.Errorf("%s, %s: %+v", name, way, out)
				}
			}
			for _, recover := range []string{recoverRetrain, recoverSquares, recoverScale} {
				_, f := dualFit(t, p, func(e *Dual) { e.C1, e.Bias, e.Finish, e.Recover = c.c1, string(bias), finishNone, recover })
				if f.Certificate.Objective < want-1e-8 || f.Certificate.Dual > want+1e-8 {
					t.Errorf("%s, %s: %+v, optimum %v", name, recover, f.Certificate, want)
				}
			}
		}
	}
	at := newPairs(twice.Problem(t), 100)
	if err := at.run(context.Background(), steady, 1); err != nil {
		t.Fatal(err)
	}
	for _, a := range at.alpha {
		if a != 0.5 {
			t.Errorf("c1 above all gradients: shares %v, expected equal ones", at.alpha)
		}
	}
}

// A shuffled order is that of the run's random numbers.
func TestDualOrder(t *testing.T) {
	p := loglin.Drawn(t, 5, 120, 40, 3, logits.NoBias, true)
	steps := func(order string, seed uint64) []engines.Coef {
		e := defaults()
		e.C1, e.Order, e.Finish, e.Recover = 2, order, finishNone, recoverScale
		m, err := e.Fit(context.Background(), engines.Run{Train: loglin.View(p), Rand: rand.New(rand.NewPCG(seed, 2)), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return m.Coefs()
	}
	if !reflect.DeepEqual(steps(shuffled, 1), steps(shuffled, 1)) || reflect.DeepEqual(steps(shuffled, 1), steps(shuffled, 2)) {
		t.Error("shuffled: the seed does not say what comes out")
	}
	if !reflect.DeepEqual(steps(cyclic, 1), steps(cyclic, 2)) {
		t.Error("cyclic: the seed matters")
	}
}

func BenchmarkDualC(b *testing.B) {
	for name, change := range map[string]func(*Dual){
		"pairs":  func(e *Dual) { e.Finish, e.Recover = finishNone, recoverScale },
		"screen": func(e *Dual) {},
		"damped": func(e *Dual) { e.Damping, e.MaxPasses = 0.1, 100 },
	} {
		b.Run(name, func(b *testing.B) {
			e := defaults()
			e.Objective = l1.Objective{C1: 20, Bias: string(logits.NoBias)}
			change(&e)
			train, _ := enginetest.BenchmarkSigns(b, "C")
			enginetest.Measure(b, func() (engines.Model, error) { return e.Fit(b.Context(), engines.Run{Train: train, Workers: 1}) })
		})
	}
}
