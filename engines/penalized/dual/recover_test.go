package dual

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"tenfold/engines/enginetest/loglin"
	"testing"

	"tenfold/engines/losses/logits"
	"tenfold/engines/penalized/l1"

	"gonum.org/v1/gonum/mat"
)

// system is the literal one: a row for each pair of a row and another label, w weighted by its part.
func system(s loglin.Sketch, alpha []float64, weighted bool) (a [][]float64, right, weight []float64) {
	k, classes := s.Blocks(), max(2, s.Classes)
	for i, y := range s.Y {
		shares := alpha[i*classes : (i+1)*classes]
		for c, share := range shares {
			if c == int(y) || share == 0 || shares[y] == 0 {
				continue
			}
			row := make([]float64, len(s.Row(i))*k)
			for j, x := range s.Row(i) {
				if b := c - (classes - k); b >= 0 {
					row[j*k+b] += x
				}
				if b := int(y) - (classes - k); b >= 0 {
					row[j*k+b] -= x
				}
			}
			m := s.Weight(i)
			if weighted {
				m *= share
			}
			a, right, weight = append(a, row), append(right, math.Log(share/shares[y])), append(weight, m)
		}
	}
	return a, right, weight
}

// bestSquares is the least weighted sum of squares over the weights with the given signs: the best of all subsets of columns
// whose free solution has them.
func bestSquares(a [][]float64, right, weight []float64, chosen []int32, v []float64) float64 {
	best := math.Inf(1)
	for set := range 1 << len(chosen) {
		var cols []int32
		for q, k := range chosen {
			if set>>q&1 == 1 {
				cols = append(cols, k)
			}
		}
		n := bits.OnesCount(uint(set))
		w := mat.NewVecDense(max(1, n), nil)
		if n > 0 {
			m, r := mat.NewDense(len(a), n, nil), mat.NewVecDense(len(a), nil)
			for i := range a {
				root := math.Sqrt(weight[i])
				r.SetVec(i, root*right[i])
				for q, k := range cols {
					m.Set(i, q, root*a[i][k])
				}
			}
			if w.SolveVec(m, r) != nil {
				continue
			}
		}
		ok, sum := true, 0.0
		for q, k := range cols {
			ok = ok && w.AtVec(q)*v[k] >= 0
		}
		for i := range a {
			d := right[i]
			for q, k := range cols {
				d -= a[i][k] * w.AtVec(q)
			}
			sum += weight[i] * d * d
		}
		if ok {
			best = min(best, sum)
		}
	}
	return best
}

// Least squares come to the best of all weights with the signs of v, on dual variables that fit no weights exactly, and count
// the equations that a share of 0 leaves out.
func TestLeastSquares(t *testing.T) {
	const c = 1.1
	for name, s := range dualSketches() {
		for _, weighted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, weighted %v", name, weighted), func(t *testing.T) {
				t.Parallel()
				p := s.Problem(t)
				d := newPairs(p, c)
				if err := d.run(context.Background(), steady, 1); err != nil {
					t.Fatal(err)
				}
				chosen := d.selectedWeights(0.9)
				if len(chosen) > 12 {
					chosen = chosen[:12]
				}
				pt := p.NewPoint(make([]float64, p.Width()))
				got, err := newLogRatioSystem(p, d.alpha, weighted).leastSquares(context.Background(), pt, chosen, d.u, 1)
				if err != nil || !got.done {
					t.Fatal(got, err)
				}
				a, right, weight := system(s, d.alpha, weighted)
				want := math.Sqrt(bestSquares(a, right, weight, chosen, d.u))
				loglin.Near(t, "residual", got.norm, want, 1e-7)
				if want < 1e-3 {
					t.Errorf("the residual is %v: nothing is tested", want)
				}
				if got.count != len(a) || got.count+got.dropped != len(s.Y)*(p.Classes-1) {
					t.Errorf("%d equations and %d left out, expected %d", got.count, got.dropped, len(a))
				}
				for k, w := range pt.W {
					if w*d.u[k] < 0 || w != 0 && !slices.Contains(chosen, int32(k)) {
						t.Errorf("weight %d is %v, v %v", k, w, d.u[k]/c)
					}
				}
			})
		}
	}
}

// Exact dual variables give back the optimum, where its columns are independent.
func TestLeastSquaresOfTheOptimum(t *testing.T) {
	for _, classes := range []int{2, 3} {
		s := loglin.Draw(5, 40, 5, classes, logits.PenalizedBias, true)
		for _, x := range s.X {
			x[1], x[4] = 0, 0 // the columns that repeat others
		}
		p := s.Problem(t)
		pt, _ := loglin.Solved(t, l1.ProximalNewton, p, logits.Goal{Penalty: logits.Penalty{L1: 0.7}, Stopping: loglin.Strict(), Workers: 1})
		var alpha []float64
		for i := range s.Y {
			alpha = append(alpha, s.Probabilities(pt.W, i)...)
		}
		var chosen []int32
		v := make([]float64, p.Width())
		for k, g := range pt.G {
			if v[k] = -g / 0.7; math.Abs(v[k]) > 1-1e-6 {
				chosen = append(chosen, int32(k))
			}
		}
		for _, weighted := range []bool{false, true} {
			back := p.NewPoint(make([]float64, p.Width()))
			got, err := newLogRatioSystem(p, alpha, weighted).leastSquares(context.Background(), back, chosen, v, 1)
			if err != nil || got.norm > 1e-7 {
				t.Error(got, err)
			}
			for k, w := range pt.W {
				loglin.Near(t, fmt.Sprintf("weight %d", k), back.W[k], w, 1e-6)
			}
		}
	}
}

// v times the best factor keeps the selection, and no other factor is better.
func TestStretched(t *testing.T) {
	for name, s := range dualSketches() {
		t.Run(name, func(t *testing.T) {
			p, pen := s.Problem(t), logits.Penalty{L1: 1.1}
			d := newPairs(p, pen.L1)
			if err := d.run(context.Background(), steady, 1); err != nil {
				t.Fatal(err)
			}
			chosen := d.selectedWeights(0.9)
			pt := p.NewPoint(make([]float64, p.Width()))
			if err := rescaleSelected(context.Background(), pt, chosen, d.u, logits.Goal{Penalty: pen, Workers: 1}); err != nil {
				t.Fatal(err)
			}
			factor := pt.W[chosen[0]] / d.u[chosen[0]]
			value := func(factor float64) float64 {
				w := make([]float64, len(pt.W))
				for _, k := range chosen {
					w[k] = factor * d.u[k]
				}
				loss, _ := s.Loss(w)
				return loss + s.Penalty(p, pen, w)
			}
			loglin.Near(t, "objective", pt.Certify(pen).Objective, value(factor), 1e-12)
			if best := value(factor); !(factor > 0) || value(factor*(1+1e-3)) < best || value(factor*(1-1e-3)) < best {
				t.Errorf("factor %v is not the best", factor)
			}
			for k, w := range pt.W {
				if in := slices.Contains(chosen, int32(k)); in != (w != 0) || w*d.u[k] < 0 {
					t.Errorf("weight %d, chosen %v: %v, v %v", k, in, w, d.u[k])
				}
			}
		})
	}
}

// Screening does not take the part's proof for one of the whole: here the column left out has a gradient above the penalty, by
// too little to be added.
func TestScreenedIsHonest(t *testing.T) {
	s := loglin.Draw(3, 40, 6, 2, logits.NoBias, false)
	pen := logits.Penalty{L1: 2}
	goal := logits.Goal{Penalty: pen, Stopping: logits.Stopping{Tol: 1e-12, MaxIter: 1000}, Workers: 1}
	p := s.Problem(t)
	pt := p.NewPoint(make([]float64, p.Width()))
	if _, err := solveOnColumns(context.Background(), pt, []int32{0}, goal); err != nil {
		t.Fatal(err)
	}
	scale := pen.L1 * (1 + 5e-7) / math.Abs(pt.G[3])
	for _, x := range s.X {
		x[1], x[2], x[3], x[4], x[5] = 0, 0, scale*x[3], 0, 0
	}
	p = s.Problem(t)
	pt = p.NewPoint(make([]float64, p.Width()))
	out, err := solveScreened(context.Background(), pt, []int32{0}, goal)
	if err != nil || pt.W[0] == 0 || pt.W[3] != 0 || out.Relative() < 1e-9 {
		t.Fatalf("%+v, %v, weights %v: nothing is tested", out, err, pt.W)
	}
	if out.Stop == "gap" || len(out.Notes) != 1 {
		t.Errorf("stop %q, notes %q at a gap of %v", out.Stop, out.Notes, out.Relative())
	}
}

// Whatever the columns are that it starts from, screening ends at the optimum of all; without it there is none.
func TestScreened(t *testing.T) {
	for name, s := range dualSketches() {
		t.Run(name, func(t *testing.T) {
			p, pen := s.Problem(t), logits.Penalty{L1: 0.8}
			optimum, _ := s.Minimum(t, p, pen)
			goal := logits.Goal{Penalty: pen, Stopping: logits.Stopping{Tol: 1e-10, MaxIter: 1000}, Workers: 1}
			for _, columns := range [][]int32{nil, {2}, {0, 5}, {0, 1, 2, 3, 4, 5}} {
				pt := p.NewPoint(make([]float64, p.Width()))
				var traced int
				goal.Trace = func(_ int, _ float64, w []float64) { traced = len(w) }
				out, err := solveScreened(context.Background(), pt, slices.Clone(columns), goal)
				if err != nil || out.Stop != "gap" || !(out.Relative() <= goal.Tol) || traced != p.Width() {
					t.Errorf("from columns %v: %+v, %v; weights traced: %d", columns, out, err, traced)
				}
				loglin.Near(t, fmt.Sprintf("objective from columns %v", columns), out.Objective, optimum, 1e-9)
				alone := p.NewPoint(make([]float64, p.Width()))
				if _, err := solveOnColumns(context.Background(), alone, columns, goal); err != nil {
					t.Fatal(err)
				}
				if value := alone.Certify(pen).Objective; len(columns) < 2 && value < optimum+1e-3 {
					t.Errorf("columns %v alone: objective %v, optimum %v: nothing is tested", columns, value, optimum)
				}
			}
		})
	}
}
