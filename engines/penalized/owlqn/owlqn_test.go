package owlqn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/losses/logits"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/parallel"
)

// Screening leaves columns out, and changes nothing: not the optimum, not the columns in it, and never the certificate, which
// is of all columns.
func TestOWLQNScreening(t *testing.T) {
	for k, c := range []struct {
		classes int
		bias    logits.Bias
		binary  bool
		pen     logits.Penalty
	}{
		{2, logits.NoBias, true, logits.Penalty{L1: 4}},
		{2, logits.FreeBias, true, logits.Penalty{L1: 6}},
		{2, logits.PenalizedBias, false, logits.Penalty{L1: 9}},
		{2, logits.FreeBias, false, logits.Penalty{L1: 16, L2: 0.5}},
		{3, logits.NoBias, true, logits.Penalty{L1: 4}},
		{4, logits.FreeBias, false, logits.Penalty{L1: 7}},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			p := loglin.Drawn(t, uint64(k), 300, 80, c.classes, c.bias, c.binary)
			goal := logits.Goal{Penalty: c.pen, Stopping: logits.Stopping{Tol: 1e-9, MaxIter: 5000}, Workers: 1}
			with, without := owlqnDefaults(), owlqnDefaults()
			without.Screen = false
			a, outA := loglin.Solved(t, with.solve, p, goal)
			b, outB := loglin.Solved(t, without.solve, p, goal)
			if outA.Stop != "gap" || outB.Stop != "gap" {
				t.Errorf("stops %q and %q, %v", outA.Stop, outB.Stop, outA.Notes)
			}
			if d := outA.Objective - outB.Objective; !(math.Abs(d) <= 1e-8*outB.Objective) {
				t.Errorf("objectives %v and %v", outA.Objective, outB.Objective)
			}
			used := 0
			for k, w := range a.W {
				if (w == 0) != (b.W[k] == 0) && max(math.Abs(w), math.Abs(b.W[k])) > 1e-5 {
					t.Errorf("weight %d is %v with screening, %v without", k, w, b.W[k])
				}
				if w != 0 {
					used++
				}
			}
			if got := a.Certify(c.pen); got != outA.Certificate {
				t.Errorf("certificate %v, that of the point is %v", outA.Certificate, got)
			}
			searched := 0
			if _, err := fmt.Sscanf(outA.Facts[1].Value, "%d of", &searched); err != nil || searched >= 80 || used == 0 {
				t.Errorf("%d columns searched, %d weights: the test shows nothing", searched, used)
			}
		})
	}
}

// Every column that a screening leaves out, from models near and far, is without weight at the optimum.
func TestScreeningIsSafe(t *testing.T) {
	out := 0
	for seed := range uint64(8) {
		p := loglin.Drawn(t, seed, 200, 40, 2+int(seed%3), logits.Bias([]logits.Bias{logits.NoBias, logits.FreeBias}[seed%2]), seed%4 < 2)
		pen := logits.Penalty{L1: 3 + float64(seed)}
		best, _ := loglin.Solved(t, owlqnDefaults().solve, p, logits.Goal{Penalty: pen, Stopping: logits.Stopping{Tol: 1e-10, MaxIter: 5000}, Workers: 1})
		reach, bounds := p.Reach(), p.GradientBounds(context.Background(), 1)
		rng := rand.New(rand.NewPCG(seed, 1))
		for _, far := range []float64{0, 1e-4, 1e-2, 0.1, 1} {
			pt := p.NewPoint(slices.Clone(best.W))
			for k := range pt.W {
				if rng.Float64() < 0.3 {
					pt.W[k] += far * rng.NormFloat64()
				}
			}
			if err := pt.Update(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			keep := pt.Screen(pen, reach)
			out += p.Columns() - len(keep)
			for j := range p.Columns() {
				for b, w := range best.W[j*p.Blocks : (j+1)*p.Blocks] {
					if w != 0 && (!slices.Contains(keep, int32(j)) || bounds[j] < pen.L1) {
						t.Errorf("seed %d, distance %v: column %d has the weight %v in block %d", seed, far, j, w, b)
					}
				}
			}
		}
	}
	if out == 0 {
		t.Error("no column was left out: the test shows nothing")
	}
}

func TestOWLQNStops(t *testing.T) {
	p := loglin.Drawn(t, 3, 300, 30, 2, logits.FreeBias, true)
	for _, c := range []struct {
		stop    string
		tol     float64
		maxIter int
		want    string
		note    bool
	}{
		{"gap", 1e-6, 5000, "gap", false},
		{"gradient", 1e-6, 5000, "gradient", false},
		{"decrease", 1e-5, 5000, "decrease", false},
		{"gap", 1e-12, 3, "max_iter", true},
		{"gradient", 1e-300, 5000, "line-search", false},
	} {
		e := owlqnDefaults()
		e.Stop = c.stop
		goal := logits.Goal{Penalty: logits.Penalty{L1: 5}, Stopping: logits.Stopping{Tol: c.tol, MaxIter: c.maxIter}, Workers: 1}
		pt, out := loglin.Solved(t, e.solve, p, goal)
		if out.Stop != c.want || (len(out.Notes) > 0) != c.note {
			t.Errorf("%s, tol %v: stop %q, notes %q", c.stop, c.tol, out.Stop, out.Notes)
		}
		if c.stop == "gradient" && c.want == "gradient" {
			for k, g := range pt.G {
				if w := pt.W[k]; w != 0 && !p.Free(k) && !(math.Abs(g+math.Copysign(5, w)) <= 1e-4) {
					t.Errorf("weight %d: gradient %v at %v", k, g, w)
				}
			}
		}
		if c.want == "gap" && !(out.Relative() <= c.tol) {
			t.Errorf("gap %v, tol %v", out.Relative(), c.tol)
		}
	}
}

// The published rule: the relative decrease of an iteration, as a mean of the last ten, or never before there are so many.
func TestDecrease(t *testing.T) {
	s := &orthantwiseSearch{}
	for k := range 25 {
		s.values = append(s.values, 100/float64(1+k))
		now, want := s.values[k], math.Inf(1)
		if k >= 10 {
			want = (s.values[k-10] - now) / 10 / max(1, now)
		}
		if got := s.relativeDecrease(); got != want {
			t.Errorf("after %d iterations %v, want %v", k, got, want)
		}
	}
}

// The bias is not penalised by accident: where every weight is 0, it gives the labels' shares.
func TestOWLQNFreeBias(t *testing.T) {
	p := loglin.Drawn(t, 4, 200, 10, 3, logits.FreeBias, true)
	pt := p.NewPoint(make([]float64, p.Width()))
	largest, err := pt.LambdaMax(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	pt, out := loglin.Solved(t, owlqnDefaults().solve, p, logits.Goal{Penalty: logits.Penalty{L1: largest * 1.001}, Stopping: logits.Stopping{Tol: 1e-9, MaxIter: 100}, Workers: 1})
	share := make([]float64, 3)
	for i, y := range p.Y {
		share[y] += p.Weight[i] / p.Total()
	}
	bias := p.Biases(pt.W)
	for b := range share {
		if got, want := bias[b]-bias[0], math.Log(share[b]/share[0]); !(math.Abs(got-want) <= 1e-6) {
			t.Errorf("bias %d is %v above the first, want %v", b, got, want)
		}
	}
	if out.Stop != "gap" || slices.ContainsFunc(pt.W[:p.Columns()*p.Blocks], func(w float64) bool { return w != 0 }) {
		t.Errorf("stop %q, weights %v", out.Stop, pt.W)
	}
}

// Large enough for several workers: rows and columns are shared in thousands.
func TestWorkersChangeNothing(t *testing.T) {
	rows := 13_000
	if parallel.RaceDetector {
		rows = 1500
	}
	for _, classes := range []int{2, 3} {
		p := loglin.Drawn(t, 6, rows, 40, classes, logits.FreeBias, classes == 2)
		goal := logits.Goal{Penalty: logits.Penalty{L1: 40}, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 1000}, Workers: 1}
		a, outA := loglin.Solved(t, owlqnDefaults().solve, p, goal)
		goal.Workers = 3
		b, outB := loglin.Solved(t, owlqnDefaults().solve, p, goal)
		if !reflect.DeepEqual(a.W, b.W) || !reflect.DeepEqual(outA, outB) {
			t.Errorf("%d classes: one worker ends with %+v, three with %+v", classes, outA, outB)
		}
	}
}

func TestOWLQNSuite(t *testing.T) {
	for name, change := range map[string]func(*OWLQN){
		"defaults":  func(e *OWLQN) {},
		"path":      func(e *OWLQN) { e.Steps, e.Features = 6, 4 },
		"elastic":   func(e *OWLQN) { e.C2, e.Bias, e.Screen = 0.5, "none", false },
		"gradient":  func(e *OWLQN) { e.Stop, e.Bias, e.Tol = "gradient", "penalized", 1e-4 },
		"decrease":  func(e *OWLQN) { e.Stop, e.Memory = "decrease", 3 },
		"its share": func(e *OWLQN) { e.Ratio = 0.3 },
	} {
		e := owlqnDefaults()
		change(&e)
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

// Along a path every model is as good as the one that a fit of its penalty alone finds, for fewer iterations than all of
// these together; and models of a size are those of fits with that limit.
func TestOWLQNPath(t *testing.T) {
	view := loglin.View(loglin.Drawn(t, 8, 400, 60, 2, logits.FreeBias, true))
	e := owlqnDefaults()
	e.C1, e.Steps, e.Tol = 4, 12, 1e-8
	kept := map[int]engines.Model{}
	run := engines.Run{Train: view, Workers: 1, At: []int{2, 5}, Keep: func(size int, m engines.Model) { kept[size] = m }}
	var steps []engines.Step
	run.Trace = func(s engines.Step) { steps = append(steps, s) }
	m, err := e.Fit(context.Background(), run)
	if err != nil {
		t.Fatal(err)
	}
	warm := m.(engines.Reporter).Fitted()
	cold := 0
	for k, s := range steps {
		if s.Iter != k {
			t.Errorf("step %d is told as %d", k, s.Iter)
		}
	}
	for _, s := range steps[1:] {
		alone := owlqnDefaults()
		alone.C1, alone.Tol = s.ParameterValue, 1e-8
		got, err := alone.Fit(context.Background(), engines.Run{Train: view, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		cold += got.(engines.Reporter).Fitted().Iterations
		if n := len(got.Coefs()); n != s.Active {
			t.Errorf("c1 %v: %d weights on the path, %d alone", s.ParameterValue, s.Active, n)
		}
		if s.ParameterValue == e.C1 {
			a, b := got.(engines.Reporter).Fitted().Certificate.Objective, warm.Certificate.Objective
			if !(math.Abs(a-b) <= 1e-7*a) {
				t.Errorf("objective %v on the path, %v alone", b, a)
			}
		}
	}
	if len(steps) != 13 || !(warm.Iterations < cold) {
		t.Errorf("%d steps, %d iterations on the path, %d alone", len(steps), warm.Iterations, cold)
	}
	for size, m := range kept {
		limited := e
		limited.Features = size
		want, err := limited.Fit(context.Background(), engines.Run{Train: view, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(m.Coefs(), want.Coefs()) || len(m.Coefs()) > size {
			t.Errorf("size %d: %d weights on the path, %d with that limit", size, len(m.Coefs()), len(want.Coefs()))
		}
	}
	if len(kept) != 2 {
		t.Errorf("%d models were kept", len(kept))
	}
}

func TestOWLQNParameters(t *testing.T) {
	for want, change := range map[string]func(*OWLQN){
		"c1: -1":      func(e *OWLQN) { e.C1 = -1 },
		"c1: NaN":     func(e *OWLQN) { e.C1 = math.NaN() },
		"c1: +Inf":    func(e *OWLQN) { e.C1 = math.Inf(1) },
		"c1_ratio: 2": func(e *OWLQN) { e.Ratio = 2 },
		"c2: -1":      func(e *OWLQN) { e.C2 = -1 },
		"bias: ":      func(e *OWLQN) { e.Bias = "fre" },
		"path: -1":    func(e *OWLQN) { e.Steps = -1 },
		"features: 3": func(e *OWLQN) { e.Features = 3 },
		"tol: 0":      func(e *OWLQN) { e.Tol = 0 },
		"max_iter: 0": func(e *OWLQN) { e.MaxIter = 0 },
		"memory: 0":   func(e *OWLQN) { e.Memory = 0 },
		"stop: ":      func(e *OWLQN) { e.Stop = "gaps" },
	} {
		e := owlqnDefaults()
		change(&e)
		if err := e.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, expected %s…", err, want)
		}
	}
}
