package dual

import (
	"context"
	"fmt"
	"math"
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
					p, pen := s.problem(t), l1.Penalty{L1: 0.9, L2: c2}
					want, _ := s.minimum(t, p, pen)
					pt, out := solved(t, proximalDual(eta), p, l1.Goal{Penalty: pen, Stopping: l1.Stopping{Tol: 1e-10, MaxIter: 1000}, Workers: 1})
					loss, g := s.Loss(pt.W)
					near(t, "objective, of its weights", out.Objective, loss+s.toll(p, pen, pt.W), 1e-12)
					near(t, "objective, at the minimum", out.Objective, want, 1e-9)
					near(t, "dual value, computed again", out.Dual, s.bound(p, pen, pt), 1e-12)
					if out.Stop != "gap" || !(out.Relative() <= 1e-10) {
						t.Errorf("%+v", out)
					}
					for k, v := range pt.Scores {
						near(t, fmt.Sprintf("v of weight %d", k), pen.L1*v, -g[k], 1e-3)
					}
				})
			}
		}
	}
}

// Where values are large, steps go nearly all the way: no label may lose its share for good.
func TestProximalDualOfLargeValues(t *testing.T) {
	for seed := range uint64(8) {
		s := draw(seed, 20, 6, 5, l1.PenalizedBias, true)
		for _, x := range s.X {
			for j := range x {
				x[j] *= 30
			}
		}
		p := s.problem(t)
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
		s := draw(seed, 50, 10, 2, l1.PenalizedBias, false)
		for i, x := range s.X {
			first := math.Sin(float64(i) * 17)
			for j := range x {
				x[j] = first + 1e-6*x[j]
			}
		}
		_, out := solved(t, proximalDual(1), s.problem(t), l1.Goal{Penalty: l1.Penalty{L1: 1e-6}, Stopping: l1.Stopping{Tol: 1e-6, MaxIter: 1000}, Workers: 1})
		if nothing := 50 * math.Ln2; !(out.Objective < nothing) {
			t.Errorf("seed %d: objective %v, of no weights %v (%v)", seed, out.Objective, nothing, out.Facts)
		}
	}
}

// As far as it goes, it gives the weights to nine digits where they are unique.
func TestProximalDualIsExact(t *testing.T) {
	for seed := range uint64(8) {
		s := draw(seed, 30, 6, 2, l1.NoBias, false)
		for _, x := range s.X {
			x[4] = 0 // was a copy of another
		}
		p := s.problem(t)
		goal := l1.Goal{Penalty: l1.Penalty{L1: 0.8}, Stopping: l1.Stopping{Tol: 0, MaxIter: 10_000}, Workers: 1}
		exact, _ := solved(t, l1.ProximalNewton, p, goal)
		pt, out := solved(t, proximalDual(1), p, goal)
		for k, w := range exact.W {
			if !(math.Abs(pt.W[k]-w) <= 3e-9) {
				t.Errorf("seed %d: weight %d is %v, expected %v (%+v)", seed, k, pt.W[k], w, out)
			}
		}
	}
}

// Where most columns are proven to have no weight, it goes on without them, and tells of all.
func TestProximalDualLeavesColumnsOut(t *testing.T) {
	p := drawn(t, 3, 200, 300, 2, l1.PenalizedBias, true)
	for _, c2 := range []float64{0, 0.5} {
		goal := l1.Goal{Penalty: l1.Penalty{L1: 6, L2: c2}, Stopping: l1.Stopping{Tol: 1e-9, MaxIter: 1000}, Workers: 1}
		_, exact := solved(t, l1.ProximalNewton, p, goal)
		steps := 0
		goal.Trace = func(iter int, _ float64, w []float64) {
			if steps++; iter != steps || len(w) != p.Width() {
				t.Fatalf("iteration %d is traced as %d, with %d of %d weights", steps, iter, len(w), p.Width())
			}
		}
		pt, out := solved(t, proximalDual(1), p, goal)
		near(t, "objective", out.Objective, exact.Objective, 1e-8)
		if c := pt.Certify(goal.Penalty); c != out.Certificate || out.Stop != "gap" || out.Iterations != steps {
			t.Errorf("%+v, at the point %+v, after %d iterations", out, c, steps)
		}
		goal.MaxIter = 3
		if _, out := solved(t, proximalDual(1), p, l1.Goal{Penalty: goal.Penalty, Stopping: goal.Stopping}); out.Stop != "max_iter" || out.Iterations != 3 || len(out.Notes) != 1 {
			t.Errorf("three iterations: %+v", out)
		}
	}
}

// Screening and the proximal dual agree, whatever the parameters on the way.
func TestWaysThroughTheDualAgree(t *testing.T) {
	for _, classes := range []int{2, 4} {
		p := drawn(t, 11, 150, 60, classes, l1.PenalizedBias, false)
		goal := l1.Goal{Penalty: l1.Penalty{L1: 4}, Stopping: l1.Stopping{Tol: 1e-9, MaxIter: 2000}, Workers: 1}
		_, want := solved(t, l1.ProximalNewton, p, goal)
		for name, change := range map[string]func(*Dual){
			"defaults":    func(*Dual) {},
			"at bound":    func(e *Dual) { e.Threshold = 1 },
			"damped":      func(e *Dual) { e.Damping, e.MaxPasses = 0.1, 50 },
			"few passes":  func(e *Dual) { e.MaxPasses = 1 },
			"all columns": func(e *Dual) { e.Threshold = 1e-9 },
		} {
			e := defaults()
			change(&e)
			_, out := solved(t, e.solveByPairs(nil), p, goal)
			near(t, name, out.Objective, want.Objective, 2e-9)
		}
		_, out := solved(t, proximalDual(1), p, goal)
		near(t, "dal", out.Objective, want.Objective, 2e-9)
	}
}

// The root of a pair's condition, against bisection.
func TestShares(t *testing.T) {
	s := draw(4, 20, 6, 2, l1.PenalizedBias, true)
	p := s.problem(t)
	d := &augmentedLagrangian{p: p, eta: 2, threshold: 0.5, z: weightsFor(p, 3)}
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
			near(t, fmt.Sprintf("row %d, share %v", i, a), to, a+low, 1e-12)
			near(t, "sum of shares", to+from, 1, 1e-15)
		}
	}
}

func TestProximalDualIsCancelled(t *testing.T) {
	p := drawn(t, 3, 50, 20, 3, l1.NoBias, true)
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errGone)
	pt := p.NewPoint(make([]float64, p.Width()))
	for name, solve := range throughDual() {
		if _, err := solve(ctx, pt, l1.Goal{Penalty: l1.Penalty{L1: 1}, Stopping: strict, Workers: 1}); err != errGone {
			t.Errorf("%s: %v", name, err)
		}
	}
}
