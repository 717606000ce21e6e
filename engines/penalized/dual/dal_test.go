package dual

import (
	"context"
	"fmt"
	"math"
	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/losses/logits"
	"tenfold/engines/penalized/l1"
	"testing"
)

// The proximal dual comes to the same optimum as the slow way, with L2 penalty or without, and its certificate is that of the
// weights.
func TestProximalDual(t *testing.T) {
	for name, s := range dualSketches() {
		for _, c2 := range []float64{0, 0.3} {
			for _, eta := range []float64{0.1, 1, 10} {
				t.Run(fmt.Sprintf("%s, c2 %v, eta %v", name, c2, eta), func(t *testing.T) {
					t.Parallel()
					p, pen := s.Problem(t), logits.Penalty{L1: 0.9, L2: c2}
					want, _ := s.Minimum(t, p, pen)
					pt, out := loglin.Solved(t, proximalDual(eta), p, logits.Goal{Penalty: pen, Stopping: logits.Stopping{Tol: 1e-10, MaxIter: 1000}, Workers: 1})
					loss, g := s.Loss(pt.W)
					loglin.Near(t, "objective, of its weights", out.Objective, loss+s.Penalty(p, pen, pt.W), 1e-12)
					loglin.Near(t, "objective, at the minimum", out.Objective, want, 1e-9)
					loglin.Near(t, "dual value, computed again", out.Dual, s.Bound(p, pen, pt), 1e-12)
					if out.Stop != "gap" || !(out.Relative() <= 1e-10) {
						t.Errorf("%+v", out)
					}
					for k, v := range pt.Scores {
						loglin.Near(t, fmt.Sprintf("v of weight %d", k), pen.L1*v, -g[k], 1e-3)
					}
				})
			}
		}
	}
}

// Where values are large, steps go nearly all the way: no label may lose its share for good.
func TestProximalDualOfLargeValues(t *testing.T) {
	for seed := range uint64(8) {
		s := loglin.Draw(seed, 20, 6, 5, logits.PenalizedBias, true)
		for _, x := range s.X {
			for j := range x {
				x[j] *= 30
			}
		}
		p := s.Problem(t)
		d := &augmentedLagrangian{
			p: p, eta: 3, threshold: 3, columnScale: columnScale(p), alpha: make([]float64, p.Rows()*p.Classes),
			outerWeights: make([]float64, p.Width()), z: make([]float64, p.Width()),
		}
		for k := range d.alpha {
			d.alpha[k] = 1.0 / 5
		}
		if _, _, err := d.solveInner(context.Background(), 0, 1); err != nil {
			t.Fatal(err)
		}
		for k, share := range d.alpha {
			if !(share > 0) {
				t.Errorf("seed %d, row %d, label %d: a share of %v", seed, k/5, k%5, share)
			}
		}
	}
}

// Columns that hardly differ are too much for it, but it does not run away: no η is so long that weights get worse.
func TestProximalDualOfLikeColumns(t *testing.T) {
	for seed := range uint64(8) {
		s := loglin.Draw(seed, 50, 10, 2, logits.PenalizedBias, false)
		for i, x := range s.X {
			first := math.Sin(float64(i) * 17)
			for j := range x {
				x[j] = first + 1e-6*x[j]
			}
		}
		_, out := loglin.Solved(t, proximalDual(1), s.Problem(t), logits.Goal{Penalty: logits.Penalty{L1: 1e-6}, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 1000}, Workers: 1})
		if nothing := 50 * math.Ln2; !(out.Objective < nothing) {
			t.Errorf("seed %d: objective %v, of no weights %v (%v)", seed, out.Objective, nothing, out.Facts)
		}
	}
}

// As far as it goes, it gives the weights to nine digits where they are unique.
func TestProximalDualIsExact(t *testing.T) {
	for seed := range uint64(8) {
		s := loglin.Draw(seed, 30, 6, 2, logits.NoBias, false)
		for _, x := range s.X {
			x[4] = 0 // was a copy of another
		}
		p := s.Problem(t)
		goal := logits.Goal{Penalty: logits.Penalty{L1: 0.8}, Stopping: logits.Stopping{Tol: 0, MaxIter: 10_000}, Workers: 1}
		exact, _ := loglin.Solved(t, l1.ProximalNewton, p, goal)
		pt, out := loglin.Solved(t, proximalDual(1), p, goal)
		for k, w := range exact.W {
			if !(math.Abs(pt.W[k]-w) <= 3e-9) {
				t.Errorf("seed %d: weight %d is %v, expected %v (%+v)", seed, k, pt.W[k], w, out)
			}
		}
	}
}

// Where most columns are proven to have no weight, it goes on without them, and tells of all.
func TestProximalDualLeavesColumnsOut(t *testing.T) {
	p := loglin.Drawn(t, 3, 200, 300, 2, logits.PenalizedBias, true)
	for _, c2 := range []float64{0, 0.5} {
		goal := logits.Goal{Penalty: logits.Penalty{L1: 6, L2: c2}, Stopping: logits.Stopping{Tol: 1e-9, MaxIter: 1000}, Workers: 1}
		_, exact := loglin.Solved(t, l1.ProximalNewton, p, goal)
		steps := 0
		goal.Trace = func(iter int, _ float64, w []float64) {
			if steps++; iter != steps || len(w) != p.Width() {
				t.Fatalf("iteration %d is traced as %d, with %d of %d weights", steps, iter, len(w), p.Width())
			}
		}
		pt, out := loglin.Solved(t, proximalDual(1), p, goal)
		loglin.Near(t, "objective", out.Objective, exact.Objective, 1e-8)
		if c := pt.Certify(goal.Penalty); c != out.Certificate || out.Stop != "gap" || out.Iterations != steps {
			t.Errorf("%+v, at the point %+v, after %d iterations", out, c, steps)
		}
		goal.MaxIter = 3
		if _, out := loglin.Solved(t, proximalDual(1), p, logits.Goal{Penalty: goal.Penalty, Stopping: goal.Stopping}); out.Stop != "max_iter" || out.Iterations != 3 || len(out.Notes) != 1 {
			t.Errorf("three iterations: %+v", out)
		}
	}
}

// Screening and the proximal dual agree, whatever the parameters on the way.
func TestWaysThroughTheDualAgree(t *testing.T) {
	for _, classes := range []int{2, 4} {
		p := loglin.Drawn(t, 11, 150, 60, classes, logits.PenalizedBias, false)
		goal := logits.Goal{Penalty: logits.Penalty{L1: 4}, Stopping: logits.Stopping{Tol: 1e-9, MaxIter: 2000}, Workers: 1}
		_, want := loglin.Solved(t, l1.ProximalNewton, p, goal)
		for name, change := range map[string]func(*Dual){
			"defaults":    func(*Dual) {},
			"at bound":    func(e *Dual) { e.Threshold = 1 },
			"damped":      func(e *Dual) { e.Damping, e.MaxPasses = 0.1, 50 },
			"few passes":  func(e *Dual) { e.MaxPasses = 1 },
			"all columns": func(e *Dual) { e.Threshold = 1e-9 },
		} {
			e := defaults()
			change(&e)
			_, out := loglin.Solved(t, e.solveByPairs(nil), p, goal)
			loglin.Near(t, name, out.Objective, want.Objective, 2e-9)
		}
		_, out := loglin.Solved(t, proximalDual(1), p, goal)
		loglin.Near(t, "dal", out.Objective, want.Objective, 2e-9)
	}
}

// The root of a pair's condition, against bisection.
func TestShares(t *testing.T) {
	s := loglin.Draw(4, 20, 6, 2, logits.PenalizedBias, true)
	p := s.Problem(t)
	d := &augmentedLagrangian{p: p, eta: 2, threshold: 0.5, z: loglin.Weights(p, 3)}
	for i := range s.Y {
		for _, a := range []float64{1e-300, 1e-9, 0.3, 1 - 1e-9} {
			d.dir.setBetween(p, i, 0, 1)
			to, from := d.optimalShares(a, 1-a, p.Weight.Of(i))
			f := func(delta float64) float64 {
				derivative, _ := d.penaltyDerivative(delta, p.Weight.Of(i))
				return math.Log(a+delta) - math.Log(1-a-delta) + derivative
			}
			low, high := -a, 1-a
			for range 200 {
				if mid := (low + high) / 2; f(mid) > 0 {
					high = mid
				} else {
					low = mid
				}
			}
			loglin.Near(t, fmt.Sprintf("row %d, share %v", i, a), to, a+low, 1e-12)
			loglin.Near(t, "sum of shares", to+from, 1, 1e-15)
		}
	}
}

func TestProximalDualIsCancelled(t *testing.T) {
	p := loglin.Drawn(t, 3, 50, 20, 3, logits.NoBias, true)
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errGone)
	pt := p.NewPoint(make([]float64, p.Width()))
	for name, solve := range throughDual() {
		if _, err := solve(ctx, pt, logits.Goal{Penalty: logits.Penalty{L1: 1}, Stopping: loglin.Strict(), Workers: 1}); err != errGone {
			t.Errorf("%s: %v", name, err)
		}
	}
}
