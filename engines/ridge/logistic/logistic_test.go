package logistic

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"tenfold/engines/enginetest/loglin"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tenfold/engines"
	"tenfold/engines/enginetest"

	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/elementary"
)

// ridge is the Solver of the engine without a limit.
func ridge(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
	return Logistic{}.solveSmooth(ctx, pt, goal)
}

// newtonDense is the plainest exact solver: Newton's method on the whole objective, with derivatives from the definition
// (for two classes, or one block of many with a ridge).
func newtonDense(t *testing.T, p *logits.Problem, c2 float64) []float64 {
	t.Helper()
	n, k := p.Width(), p.Blocks
	w := make([]float64, n)
	for range 60 {
		grad, hess := make([]float64, n), mat.NewSymDense(n, nil)
		for i, y := range p.Y {
			phi := make([]float64, p.Columns()) // by column, then the bias
			row := p.X.Row(i)
			for q, j := range row.Idx {
				phi[j] = row.At(q)
			}
			if p.Bias != logits.NoBias {
				phi = append(phi, 1)
			}
			z := make([]float64, k)
			for j, x := range phi {
				for b := range z {
					z[b] += x * w[j*k+b]
				}
			}
			prob, sum := make([]float64, k), 0.0
			for b, s := range z {
				prob[b] = math.Exp(s)
				sum += prob[b]
			}
			if k == 1 {
				sum++
			}
			for b := range prob {
				prob[b] /= sum
			}
			for j, x := range phi {
				for b := range prob {
					hit := 0.0
					if p.Class(b) == int(y) {
						hit = 1
					}
					grad[j*k+b] += p.Weight.Of(i) * x * (prob[b] - hit)
					for j2, x2 := range phi {
						for b2 := range prob {
							h := -prob[b] * prob[b2]
							if b == b2 {
								h += prob[b]
							}
							if at, at2 := j*k+b, j2*k+b2; at <= at2 {
								hess.SetSym(at, at2, hess.At(at, at2)+p.Weight.Of(i)*x*x2*h)
							}
						}
					}
				}
			}
		}
		for at := range w {
			ridge := 1e-12 // for the shift of all free biases
			if !p.Free(at) {
				grad[at] += c2 * w[at]
				ridge = c2
			}
			hess.SetSym(at, at, hess.At(at, at)+ridge)
		}
		var chol mat.Cholesky
		if !chol.Factorize(hess) {
			t.Fatal("the Hessian is not positive definite")
		}
		step := mat.NewVecDense(n, nil)
		if err := chol.SolveVecTo(step, mat.NewVecDense(n, grad)); err != nil && !elementary.IsFinite(step.AtVec(0)) {
			t.Fatal(err)
		}
		for at := range w {
			w[at] -= step.AtVec(at)
		}
	}
	return w
}

func TestLogisticAgreesWithNewton(t *testing.T) {
	for k, c := range []struct {
		classes int
		bias    logits.Bias
		c2      float64
	}{{2, logits.NoBias, 1}, {2, logits.FreeBias, 0.5}, {2, logits.PenalizedBias, 3}, {3, logits.NoBias, 1}, {3, logits.PenalizedBias, 0.5}, {4, logits.FreeBias, 2}} {
		p := loglin.Drawn(t, uint64(k), 120, 8, c.classes, c.bias, k%2 == 0)
		goal := logits.Goal{Penalty: logits.Penalty{L2: c.c2}, Stopping: logits.Stopping{Tol: 1e-13, MaxIter: 1000}, Workers: 1}
		pt, out := loglin.Solved(t, ridge, p, goal)
		want := newtonDense(t, p, c.c2)
		for at, w := range pt.W[:p.Columns()*p.Blocks] {
			if !(math.Abs(w-want[at]) <= 1e-5) {
				t.Errorf("%+v: weight %d is %v, want %v", c, at, w, want[at])
			}
		}
		bias, wantBias := p.Biases(pt.W), p.Biases(want)
		for b := range bias {
			shift := 0.0
			if p.Blocks > 1 {
				shift = bias[0] - wantBias[0]
			}
			if !(math.Abs(bias[b]-wantBias[b]-shift) <= 1e-5) {
				t.Errorf("%+v: bias %d is %v, want %v", c, b, bias[b], wantBias[b])
			}
		}
		if out.Stop != "gap" || !(out.Relative() <= 1e-13) {
			t.Errorf("%+v: %+v", c, out)
		}
		if got := pt.Certify(goal.Penalty); !(math.Abs(got.Dual-out.Dual) <= 1e-9*got.Objective) || got.Objective != out.Objective {
			t.Errorf("%+v: certificate %v, that of the L1 problems gives %v", c, out.Certificate, got)
		}
	}
}

// With a limit the gap that the certificate proves is that to the best of all allowed models: no random one is better, and
// each of the optimality conditions holds.
func TestLogisticLimit(t *testing.T) {
	for _, c2 := range []float64{0, 0.5} {
		for seed := range uint64(6) {
			p := loglin.Drawn(t, seed, 150, 12, 2+int(seed%2), logits.FreeBias, seed%3 == 0)
			const limit = 0.4
			e := Logistic{MaxWeight: limit}
			pt, out := loglin.Solved(t, e.solveSmooth, p, logits.Goal{Penalty: logits.Penalty{L2: c2}, Stopping: logits.Stopping{Tol: 1e-9, MaxIter: 5000}, Workers: 1})
			if out.Stop != "gap" || len(out.Notes) != 1 || !strings.Contains(out.Notes[0], "max_weight 0.4") {
				t.Errorf("c2 %v, seed %d: %+v", c2, seed, out)
			}
			for k, w := range pt.W {
				slope := pt.G[k]
				if !p.Free(k) {
					slope += c2 * w
				}
				switch {
				case p.Free(k):
				case !(math.Abs(w) <= limit):
					t.Errorf("c2 %v, seed %d: weight %d is %v", c2, seed, k, w)
				case math.Abs(w) == limit && slope*w < 0:
					continue // a wall holds it
				}
				if !(math.Abs(slope) <= 1e-2) {
					t.Errorf("c2 %v, seed %d: weight %d has the slope %v at %v", c2, seed, k, slope, w)
				}
			}
		}
	}
}

// At any allowed weights the certificate encloses the minimum over those that are allowed.
func TestCertifyWithin(t *testing.T) {
	for seed := range uint64(8) {
		p := loglin.Drawn(t, seed, 100, 8, 2+int(seed%3), logits.Bias([]logits.Bias{logits.NoBias, logits.FreeBias, logits.PenalizedBias}[seed%3]), false)
		e := Logistic{MaxWeight: 0.3}
		pen := logits.Penalty{L2: float64(seed%2) / 2}
		best, out := loglin.Solved(t, e.solveSmooth, p, logits.Goal{Penalty: pen, Stopping: logits.Stopping{Tol: 1e-10, MaxIter: 5000}, Workers: 1})
		rng := rand.New(rand.NewPCG(seed, 3))
		for _, far := range []float64{1e-3, 0.1, 1} {
			pt := p.NewPoint(slices.Clone(best.W))
			for k := range pt.W {
				pt.W[k] = max(-e.MaxWeight, min(e.MaxWeight, pt.W[k]+far*rng.NormFloat64()))
			}
			if err := pt.Update(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			loss := 0.0
			for i, y := range p.Y {
				loss -= p.Weight.Of(i) * math.Log(loglin.Probabilities(p, pt.Z, i)[y])
			}
			for k, w := range pt.W {
				if !p.Free(k) {
					loss += pen.L2 / 2 * w * w
				}
			}
			c := pt.CertifyWithin(pen, e.MaxWeight)
			loglin.Near(t, "objective", c.Objective, loss, 1e-10)
			if c.Dual > out.Objective*(1+1e-9) || c.Objective < out.Dual*(1-1e-9) {
				t.Errorf("seed %d, distance %v: %+v, the minimum is in %+v", seed, far, c, out.Certificate)
			}
			if far < 0.01 && !(c.Relative() <= 0.1) {
				t.Errorf("seed %d: close by the gap is %v", seed, c.Relative())
			}
		}
	}
}

// Labels that a column separates: without a penalty its weight goes to the limit, and the fit says so.
func TestLogisticSeparable(t *testing.T) {
	x := enginetest.Matrix([]float64{1, 1}, []float64{1, 0}, []float64{-1, 1}, []float64{-1, 0})
	view := enginetest.View(enginetest.Dataset(x, enginetest.Class("y", 2, 1, 1, 0, 0)), nil)
	e := Logistic{MaxWeight: 7, Bias: "free", Stopping: logits.Stopping{Tol: 1e-8, MaxIter: 1000}}
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	m, err := e.Fit(context.Background(), engines.Run{Train: view, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	f := m.(engines.Reporter).Fitted()
	if c := m.Coefs(); len(c) == 0 || c[0].Feature != 0 || c[0].Value != 7 || f.Stop != "gap" {
		t.Errorf("coefficients %+v, %+v", c, f)
	}
	if !slices.ContainsFunc(f.Notes, func(n string) bool { return strings.HasPrefix(n, "1 weights are at the limit") }) {
		t.Errorf("notes %q", f.Notes)
	}
}

func TestLogisticParameters(t *testing.T) {
	good := Kind.Defaults().(Logistic)
	for want, change := range map[string]func(*Logistic){
		"c2: -2":           func(e *Logistic) { e.C2 = -2 },
		"c2: NaN":          func(e *Logistic) { e.C2 = math.NaN() },
		"c2: 0: without a": func(e *Logistic) { e.C2 = 0 },
		"max_weight: -2":   func(e *Logistic) { e.MaxWeight = -2 },
		"max_weight: +Inf": func(e *Logistic) { e.MaxWeight = math.Inf(1) },
		"bias: ":           func(e *Logistic) { e.Bias = "yes" },
		"tol: -1":          func(e *Logistic) { e.Tol = -1 },
		"max_iter: 0":      func(e *Logistic) { e.MaxIter = 0 },
	} {
		e := good
		change(&e)
		if err := e.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, expected %s…", err, want)
		}
	}
}

func TestLogisticSuite(t *testing.T) {
	for name, e := range map[string]Logistic{
		"defaults": Kind.Defaults().(Logistic),
		"limit":    {MaxWeight: 2, Bias: "penalized", Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 500}},
		"both":     {C2: 0.1, MaxWeight: 2, Bias: "none", Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 500}},
	} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

// A fit that is cut short says so.
func TestLogisticUnfinished(t *testing.T) {
	p := loglin.Drawn(t, 1, 100, 10, 2, logits.FreeBias, false)
	_, out := loglin.Solved(t, ridge, p, logits.Goal{Penalty: logits.Penalty{L2: 0.01}, Stopping: logits.Stopping{Tol: 1e-9, MaxIter: 2}, Workers: 1})
	if out.Stop != "max_iter" || len(out.Notes) != 1 || !strings.HasPrefix(out.Notes[0], "not converged: after 2 iterations") {
		t.Errorf("%+v", out)
	}
}

// By default the penalty is a tenth of the number of columns, divided by their standard deviations: the unit of a column changes no
// probability.
func TestPenaltyByColumns(t *testing.T) {
	e := Kind.Defaults().(Logistic)
	at := func(unit float64, e Logistic) engines.Model {
		view := classed(enginetest.Matrix([]float64{unit, 0}, []float64{2 * unit, 1}, []float64{4 * unit, 0}, []float64{5 * unit, 1}), 0, 1, 0, 1)
		m, err := e.Fit(t.Context(), engines.Run{Train: view, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	given := e
	given.C2, given.Standardize = 0.2, true
	want := at(1, given).Coefs()
	for _, unit := range []float64{1, 1000} {
		for k, c := range at(unit, e).Coefs() {
			if scale := map[int]float64{0: unit, 1: 1}[c.Feature]; !(math.Abs(c.Value*scale-want[k].Value) <= 1e-6) {
				t.Errorf("in units of %v: %v, want %v", unit, c, want[k])
			}
		}
	}
	flat := classed(enginetest.Matrix([]float64{1}, []float64{1}), 0, 1)
	if m, err := e.Fit(t.Context(), engines.Run{Train: flat, Workers: 1}); err != nil || len(m.Coefs()) > 0 {
		t.Error(m, err)
	}
}
