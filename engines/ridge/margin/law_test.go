package margin

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/sparse"
)

// drawn is a problem whose rows have few of many columns, or most of few, some of them in no row.
func drawn(seed uint64, rows, columns int, density float64, l Loss, b Bias) Problem {
	rng := rand.New(rand.NewPCG(seed, 5))
	p := Problem{Loss: l, Bias: b, C2: 0.5}
	x := make([][]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		score := 0.3
		for j := range columns - 1 {
			if rng.Float64() < density {
				x[i][j] = 1
				if seed%2 == 0 {
					x[i][j] = math.Round(8*rng.NormFloat64()) / 4
				}
				score += x[i][j] * float64(j%3-1)
			}
		}
		p.Sign = append(p.Sign, 1)
		if score+rng.NormFloat64() < 0 {
			p.Sign[i] = -1
		}
		if seed%3 == 0 {
			p.Weight = append(p.Weight, 0.25+rng.Float64())
		}
	}
	p.Sign[0], p.Sign[1] = 1, -1
	p.X = enginetest.Matrix(x...)
	return p
}

func each(do func(name string, p Problem)) {
	for _, l := range []Loss{Logistic, Hinge, SquaredHinge} {
		for _, b := range []Bias{NoBias, FreeBias, PenalizedBias} {
			for seed, size := range [][2]int{{60, 10}, {25, 80}, {300, 40}, {40, 8}} {
				p := drawn(uint64(seed), size[0], size[1], 0.3, l, b)
				do(fmt.Sprintf("loss %d, bias %d, %d × %d", l, b, size[0], size[1]), p)
			}
		}
	}
}

func solved(t *testing.T, p Problem, goal Goal) Outcome {
	t.Helper()
	s, err := NewSolver(p)
	if err != nil {
		t.Fatal(err)
	}
	return again(t, s, goal)
}

func again(t *testing.T, s *Solver, goal Goal) Outcome {
	t.Helper()
	if goal.MaxIter == 0 {
		goal.MaxIter = 1_000_000
	}
	goal.Workers, goal.Rand = max(1, goal.Workers), rand.New(rand.NewPCG(9, 9))
	out, err := s.Solve(context.Background(), goal)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// objectiveOf computes P from the definition.
func objectiveOf(p *Problem, w []float64) float64 {
	weights, bias := p.split(w)
	sum := 0.0
	for i, s := range p.Sign {
		z := s * (p.X.Row(i).Dot(weights) + bias)
		loss := max(0, 1-z)
		switch p.Loss {
		case Logistic:
			loss = math.Log(1 + math.Exp(-z))
		case SquaredHinge:
			loss *= loss
		}
		sum += p.weightOf(i) * loss
	}
	for _, v := range weights {
		sum += p.C2 / 2 * v * v
	}
	if p.Bias == PenalizedBias {
		sum += p.C2 / 2 * bias * bias
	}
	return sum
}

// At every tolerance the objective is that of the weights, and the bound is below that of any model: of the best, of some about it, and of
// those that a looser goal ends with.
func TestCertificate(t *testing.T) {
	each(func(name string, p Problem) {
		best := solved(t, p, Goal{Tol: 1e-10})
		if best.Stop != "gap" || !(best.Relative() <= 1e-10) {
			t.Errorf("%s: stopped for %s with a gap of %v", name, best.Stop, best.Relative())
		}
		rng := rand.New(rand.NewPCG(1, 3))
		for _, tol := range []float64{0.3, 0.03, 1e-3, 1e-5} {
			out := solved(t, p, Goal{Tol: tol})
			if of := objectiveOf(&p, out.W); !(math.Abs(of-out.Objective) <= 1e-11*of) {
				t.Errorf("%s: objective %v, of the weights %v", name, out.Objective, of)
			}
			if !(out.Relative() <= tol) || out.Dual > best.Objective*(1+1e-12) || out.Objective < best.Dual*(1-1e-12) {
				t.Errorf("%s, tol %v: %+v, the minimum is in %+v", name, tol, out.Certificate, best.Certificate)
			}
			near := slices.Clone(best.W)
			for j := range near {
				near[j] += tol * rng.NormFloat64()
			}
			if of := objectiveOf(&p, near); of < best.Dual || of < out.Dual {
				t.Errorf("%s: a model has the objective %v, bounds are %v and %v", name, of, best.Dual, out.Dual)
			}
		}
	})
}

// The number of workers, and whether ones are stored, change nothing: the first not a bit.
func TestWorkers(t *testing.T) {
	each(func(name string, p Problem) {
		one, three := solved(t, p, Goal{Tol: 1e-9}), solved(t, p, Goal{Tol: 1e-9, Workers: 3})
		if !slices.Equal(one.W, three.W) || one.Certificate != three.Certificate || one.Iterations() != three.Iterations() {
			t.Errorf("%s: %+v with one worker, %+v with three", name, one.Certificate, three.Certificate)
		}
	})
}

// Descent alone and Newton's method alone end at the same model.
func TestTwoWays(t *testing.T) {
	each(func(name string, p Problem) {
		if p.Loss == Hinge {
			return
		}
		goal := Goal{Tol: 1e-12, MaxIter: 100_000, Workers: 1, Rand: rand.New(rand.NewPCG(4, 4))}
		s, err := NewSolver(p)
		if err != nil {
			t.Fatal(err)
		}
		slow, quick := s.begin(), s.begin()
		s.descend(context.Background(), goal, goal.Tol, goal.MaxIter, &slow)
		for quick.Stop == "" {
			s.newton(context.Background(), goal, &quick)
		}
		if slow.Stop != "gap" || quick.Stop != "gap" {
			t.Errorf("%s: descent stopped for %s with %v, Newton's method for %s with %v", name, slow.Stop, slow.Relative(), quick.Stop, quick.Relative())
		}
		for j, w := range slow.W {
			if !(math.Abs(w-quick.W[j]) <= 2e-5) {
				t.Errorf("%s: weight %d is %v by descent, %v by Newton's method", name, j, w, quick.W[j])
			}
		}
	})
}

// A solver that goes on with scaled weights ends where one of these weights does, and sooner from near by.
func TestScale(t *testing.T) {
	each(func(name string, p Problem) {
		s, err := NewSolver(p)
		if err != nil {
			t.Fatal(err)
		}
		again(t, s, Goal{Tol: 1e-8})
		s.Scale(1.5)
		out := again(t, s, Goal{Tol: 1e-8})
		heavy := p
		heavy.Weight = nil
		for i := range p.Sign {
			heavy.Weight = append(heavy.Weight, 1.5*p.weightOf(i))
		}
		want := solved(t, heavy, Goal{Tol: 1e-8})
		if !(math.Abs(out.Objective-want.Objective) <= 1e-7*want.Objective) || out.Stop != "gap" {
			t.Errorf("%s: objective %v (%s), from the beginning %v", name, out.Objective, out.Stop, want.Objective)
		}
	})
}

// Rows that are left out for a while come back: labels that look settled early and are not.
func TestShrinking(t *testing.T) {
	for _, l := range []Loss{Hinge, SquaredHinge} {
		p := drawn(2, 300, 40, 0.3, l, NoBias)
		s, err := NewSolver(p)
		if err != nil {
			t.Fatal(err)
		}
		rng, look := rand.New(rand.NewPCG(1, 1)), &contextChecker{ctx: context.Background()}
		least := len(p.Sign)
		for range 50 {
			s.d.pass(look, rng)
			least = min(least, len(s.d.order))
		}
		if least == len(p.Sign) {
			t.Errorf("loss %d: no row was left out", l)
		}
		if out := again(t, s, Goal{Tol: 1e-10}); out.Stop != "gap" {
			t.Errorf("loss %d: stopped for %s with a gap of %v", l, out.Stop, out.Relative())
		}
	}
}

// A fit that is cut short says so, and one that is cancelled returns the cause.
func TestEnds(t *testing.T) {
	each(func(name string, p Problem) {
		if out := solved(t, p, Goal{Tol: 1e-12, MaxIter: 2}); out.Stop != "max_iter" || out.Iterations() != 2 || !(out.Relative() > 1e-12) {
			t.Errorf("%s: %+v", name, out)
		}
		why := errors.New("why")
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(why)
		s, err := NewSolver(p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Solve(ctx, Goal{Tol: 1e-3, MaxIter: 100, Workers: 1, Rand: rand.New(rand.NewPCG(1, 1))}); !errors.Is(err, why) {
			t.Errorf("%s: error %v", name, err)
		}
	})
}

// What has no optimum is refused.
func TestRefused(t *testing.T) {
	x := sparse.New(1, []int{0, 1, 2}, []int32{0, 0}, nil)
	for name, p := range map[string]Problem{
		"one sign":   {X: x, Sign: []float64{1, 1}, C2: 1, Bias: FreeBias},
		"no penalty": {X: x, Sign: []float64{1, -1}},
	} {
		if _, err := NewSolver(p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestLargest(t *testing.T) {
	count := []int32{3, 0, 5, 3, 3, 9, 0}
	for most, want := range [][]int32{nil, {5}, {2, 5}, {0, 2, 5}, {0, 2, 3, 5}, {0, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5, 6}} {
		if got := largestCounts(count, most); !slices.Equal(got, want) {
			t.Errorf("%d of the largest: %v, want %v", most, got, want)
		}
	}
}

// Without a column, or an entry, a bias is all there is.
func TestNoColumns(t *testing.T) {
	for _, columns := range []int{0, 3} {
		for _, l := range []Loss{Logistic, Hinge, SquaredHinge} {
			for _, b := range []Bias{FreeBias, PenalizedBias} {
				p := Problem{X: sparse.New(columns, []int{0, 0, 0, 0}, nil, nil), Sign: []float64{1, 1, -1}, Loss: l, Bias: b, C2: 1}
				out := solved(t, p, Goal{Tol: 1e-9})
				if want := math.Log(2); out.Stop != "gap" || l == Logistic && b == FreeBias && !(math.Abs(out.W[columns]-want) <= 1e-9) {
					t.Errorf("loss %d, bias %d, %d columns: %+v", l, b, columns, out)
				}
			}
		}
	}
}

// With next to no penalty descent crawls, and Newton's method gets there all the same: two rows of six are of the other sign than their column says,
// so that its weight is log 2.
func TestSmallPenalty(t *testing.T) {
	for _, b := range []Bias{NoBias, FreeBias} {
		p := Problem{X: enginetest.Matrix([]float64{1}, []float64{1}, []float64{1}, []float64{-1}, []float64{-1}, []float64{-1}), Sign: []float64{1, 1, -1, -1, -1, 1}, C2: 1e-9, Bias: b}
		out := solved(t, p, Goal{Tol: 1e-8, MaxIter: 10_000})
		if out.Stop != "gap" || !(math.Abs(out.W[0]-math.Log(2)) <= 1e-4) {
			t.Errorf("bias %d: %+v", b, out)
		}
	}
}
