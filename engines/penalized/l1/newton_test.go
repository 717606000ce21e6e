package l1

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"tenfold/engines/losses/logits"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/penalized/convex"
)

// Results do not depend on the number of workers, nor does anything on what was solved before at the same point.
func TestNewtonIsDeterministic(t *testing.T) {
	x := enginetest.Random(3, 9000, 1500, 0.006, true)
	for _, classes := range []int{2, 3} {
		y := make([]int32, 9000)
		for i := range y {
			y[i] = int32((i*7919 + int(x.Row(i).Sum())) % classes)
		}
		p, err := logits.New(x, y, nil, classes, logits.FreeBias)
		if err != nil {
			t.Fatal(err)
		}
		var want []float64
		for _, workers := range []int{1, 2, 5} {
			pt := p.NewPoint(make([]float64, p.Width()))
			largest, err := pt.LambdaMax(context.Background(), workers)
			if err != nil {
				t.Fatal(err)
			}
			out, err := ProximalNewton(context.Background(), pt, logits.Goal{Penalty: logits.Penalty{L1: largest / 3}, Stopping: logits.Stopping{Tol: 1e-8, MaxIter: 100}, Workers: workers})
			if err != nil || out.Stop != "gap" {
				t.Fatalf("%+v, %v", out, err)
			}
			if want == nil {
				want = pt.W
			}
			if !slices.Equal(pt.W, want) {
				t.Errorf("%d classes, %d workers: other weights", classes, workers)
			}
		}
		if !slices.ContainsFunc(want[:p.Columns()*p.Blocks], func(w float64) bool { return w != 0 }) {
			t.Error("nothing is selected: the test tests nothing")
		}
	}
}

// Solving down a path gives what solving each penalty alone gives, and so does going up again.
func TestNewtonGoesOn(t *testing.T) {
	s := loglin.Draw(8, 60, 12, 3, logits.FreeBias, true)
	p := s.Problem(t)
	pt := p.NewPoint(make([]float64, p.Width()))
	path := []float64{9, 4, 1.5, 0.5, 3, 12, 0.7}
	var newton Newton
	for k, c1 := range path {
		goal := logits.Goal{Penalty: logits.Penalty{L1: c1}, Stopping: logits.Stopping{Tol: 1e-10, MaxIter: 500}, Workers: 1}
		alone := p.NewPoint(make([]float64, p.Width()))
		want, err := ProximalNewton(context.Background(), alone, goal)
		if err != nil {
			t.Fatal(err)
		}
		if k+1 < len(path) {
			goal.Least = slices.Min(path[k+1:])
		}
		got, err := newton.Minimize(context.Background(), pt, goal)
		if err != nil {
			t.Fatal(err)
		}
		loglin.Near(t, fmt.Sprintf("objective at %v", c1), got.Objective, want.Objective, 2e-10)
		if got.Stop != "gap" || !(got.Relative() <= 1e-10) {
			t.Errorf("at %v: %+v", c1, got)
		}
		loglin.Near(t, "dual value, computed again", got.Dual, s.Bound(p, goal.Penalty, pt), 1e-9)
	}
}

// Columns that sleep along a path have gradients within the penalty, with weights of rows, factors of penalties and an L2 penalty, down
// and up again: certificates are those of all columns. Column 9 says nothing at first, and as much as the sum of the nine before
// it once these are in: from 0.7 to 0.6 of the largest penalty its gradient grows more than the strong rule allows for.
func TestColumnsAsleep(t *testing.T) {
	t.Parallel()
	for _, l2 := range []float64{0, 0.5} {
		s := loglin.Draw(11, 600, 300, 2, logits.FreeBias, l2 > 0)
		rng := rand.New(rand.NewPCG(12, 0))
		for i, row := range s.X {
			for j := range row {
				row[j] = rng.NormFloat64()
			}
			e, sum := row[9], 0.0
			for _, v := range row[:9] {
				sum += v
			}
			row[9] = (sum + 5*e) / math.Sqrt(34)
			if s.Y[i] = 0; sum-9/math.Sqrt(34)*row[9] > 0 {
				s.Y[i] = 1
			}
		}
		p := s.Problem(t)
		if l2 > 0 {
			factor := make([]float64, p.Columns())
			for j := range factor {
				factor[j] = []float64{1, 0.8, 1.2}[j%3]
			}
			factor[20] = 0
			p = p.WithFactors(factor)
		}
		pt := p.NewPoint(make([]float64, p.Width()))
		largest, err := pt.LambdaMax(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		slept, newton := 0, new(Newton)
		for _, share := range []float64{0.9, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.5, 0.4, 0.05} {
			goal := logits.Goal{Penalty: logits.Penalty{L1: share * largest, L2: l2}, Stopping: logits.Stopping{Tol: 1e-9, MaxIter: 500}, Workers: 1, Least: largest / 20}
			got, err := newton.Minimize(t.Context(), pt, goal)
			if err != nil || got.Stop != "gap" {
				t.Fatalf("%+v, %v", got, err)
			}
			slept = max(slept, p.Columns()-len(newton.candidates.unscreened))
			alone := p.NewPoint(slices.Clone(pt.W))
			if err := alone.Update(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			loglin.Near(t, fmt.Sprintf("dual value at %v, of all columns", share), got.Dual, alone.Certify(goal.Penalty).Dual, 1e-9)
		}
		if slept < p.Columns()/2 {
			t.Errorf("%d of %d columns slept at most: the test tests little", slept, p.Columns())
		}
	}
}

// newSketch returns a problem from its parts.
func newSketch(x [][]float64, y []int32, m []float64, classes int, bias logits.Bias) loglin.Sketch {
	return loglin.Sketch{X: x, Y: y, M: m, Classes: classes, Bias: bias}
}

func TestNewtonDegenerate(t *testing.T) {
	ones := func(n int) [][]float64 {
		x := make([][]float64, n)
		for i := range x {
			x[i] = []float64{1, float64(i % 2)}
		}
		return x
	}
	for _, c := range []struct {
		name string
		loglin.Sketch
		pen   logits.Penalty
		check func(w []float64) bool
	}{
		{"all of one class", newSketch(ones(6), []int32{1, 1, 1, 1, 1, 1}, nil, 2, logits.NoBias), logits.Penalty{L1: 0.5}, func(w []float64) bool { return w[0] > 0 }},
		{"all of the first class", newSketch(ones(6), make([]int32, 6), nil, 2, logits.FreeBias), logits.Penalty{L1: 0.5}, func(w []float64) bool { return w[0]+w[2] < 0 }},
		{"one class named", newSketch(ones(4), make([]int32, 4), nil, 1, logits.FreeBias), logits.Penalty{L1: 0.5}, nil},
		{"a class without rows", newSketch(ones(6), []int32{0, 2, 0, 2, 2, 0}, nil, 3, logits.FreeBias), logits.Penalty{L1: 0.3}, func(w []float64) bool { return w[1] <= 0 && w[7] < 0 }},
		{"a class without rows, no bias", newSketch(ones(6), []int32{0, 2, 0, 2, 2, 0}, nil, 4, logits.NoBias), logits.Penalty{L1: 0.3}, func(w []float64) bool { return w[1] < 0 && w[3] < 0 }},
		{"columns of zeros", newSketch([][]float64{{0, 0}, {0, 0}, {0, 0}}, []int32{0, 1, 1}, nil, 2, logits.FreeBias), logits.Penalty{L1: 1}, func(w []float64) bool { return w[0] == 0 && math.Abs(w[2]-math.Ln2) < 1e-9 }},
		{"no columns", newSketch([][]float64{{}, {}, {}}, []int32{0, 1, 1}, nil, 2, logits.FreeBias), logits.Penalty{L1: 1}, func(w []float64) bool { return len(w) == 1 }},
		{"equal columns", newSketch([][]float64{{1, 1}, {1, 1}, {0, 0}}, []int32{1, 1, 0}, nil, 2, logits.NoBias), logits.Penalty{L1: 0.1}, func(w []float64) bool { return w[0]+w[1] > 0 }},
		{"separable, hardly any penalty", newSketch([][]float64{{1}, {2}, {-1}, {-3}}, []int32{1, 1, 0, 0}, nil, 2, logits.NoBias), logits.Penalty{L1: 1e-9}, func(w []float64) bool { return w[0] > 15 }},
		{"separable, three classes", newSketch([][]float64{{1, 0}, {0, 1}, {-1, -1}, {2, 0}}, []int32{0, 1, 2, 0}, nil, 3, logits.FreeBias), logits.Penalty{L1: 1e-7}, nil},
		{"huge values", newSketch([][]float64{{1e6, 1}, {-1e6, 2}, {1e6, 1}, {1e6, 3}, {-1e6, 5}}, []int32{1, 0, 0, 1, 1}, nil, 2, logits.FreeBias), logits.Penalty{L1: 1}, nil},
		{"huge and tiny values", newSketch([][]float64{{1e6, 1e-6}, {-1e6, 2e-6}, {3e5, -1e-6}}, []int32{1, 0, 0}, nil, 3, logits.PenalizedBias), logits.Penalty{L1: 1e-4}, nil},
		{"unequal weights", newSketch(ones(4), []int32{0, 1, 1, 0}, []float64{1e-6, 1e6, 1, 1e3}, 2, logits.FreeBias), logits.Penalty{L1: 2, L2: 0.5}, nil},
		{"one row", newSketch([][]float64{{2, -1}}, []int32{1}, nil, 2, logits.NoBias), logits.Penalty{L1: 0.1}, func(w []float64) bool { return w[0] > 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := c.Problem(t)
			pt := p.NewPoint(make([]float64, p.Width()))
			out, err := ProximalNewton(context.Background(), pt, logits.Goal{Penalty: c.pen, Stopping: logits.Stopping{Tol: 1e-9, MaxIter: 1000}, Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			if out.Stop != "gap" {
				t.Errorf("stopped for %s with %+v after %d iterations", out.Stop, out.Certificate, out.Iterations)
			}
			loss, _ := c.Loss(pt.W)
			loglin.Near(t, "objective, of its weights", out.Objective, loss+c.Penalty(p, c.pen, pt.W), 1e-9)
			if d := c.Bound(p, c.pen, pt); d < out.Objective-1e-7*max(1, out.Objective) {
				t.Errorf("objective %v, but the dual value computed again is %v", out.Objective, d)
			}
			if c.check != nil && !c.check(pt.W) {
				t.Errorf("weights %v", pt.W)
			}
		})
	}
}

// Nothing but free biases is selected from C_max on, something below it.
func TestNewtonAtMax(t *testing.T) {
	for _, bias := range []logits.Bias{logits.NoBias, logits.FreeBias, logits.PenalizedBias} {
		for _, classes := range []int{2, 3} {
			s := loglin.Draw(4, 50, 8, classes, bias, false)
			p := s.Problem(t)
			pt := p.NewPoint(make([]float64, p.Width()))
			largest, err := pt.LambdaMax(context.Background(), 1)
			if err != nil {
				t.Fatal(err)
			}
			for share, some := range map[float64]bool{2: false, 1: false, 0.999: true} {
				clear(pt.W)
				out, err := ProximalNewton(context.Background(), p.NewPoint(pt.W), logits.Goal{Penalty: logits.Penalty{L1: share * largest}, Stopping: logits.Stopping{Tol: 1e-12, MaxIter: 100}, Workers: 1})
				if err != nil || out.Stop != "gap" {
					t.Fatalf("%+v, %v", out, err)
				}
				selected := false
				for k, w := range pt.W {
					selected = selected || w != 0 && !p.Free(k)
				}
				if selected != some {
					t.Errorf("%d classes, bias %s, at %v of C_max: weights %v", classes, bias, share, pt.W)
				}
			}
		}
	}
}

// The iterations end where they are told to, and honestly.
func TestNewtonStops(t *testing.T) {
	s := loglin.Draw(5, 60, 10, 2, logits.FreeBias, false)
	p := s.Problem(t)
	solve := func(stop logits.Stopping) (logits.Outcome, int) {
		traced := 0
		pt := p.NewPoint(make([]float64, p.Width()))
		out, err := ProximalNewton(context.Background(), pt, logits.Goal{Penalty: logits.Penalty{L1: 0.5}, Stopping: stop, Workers: 1, Trace: func(iter int, _ float64, w []float64) {
			traced++
			if iter != traced || len(w) != p.Width() {
				t.Errorf("iteration %d with %d weights after %d others", iter, len(w), traced-1)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		return out, traced
	}
	if out, traced := solve(logits.Stopping{Tol: 1e-12, MaxIter: 1}); out.Stop != "max_iter" || out.Iterations != 1 || traced != 1 || !(out.Gap() > 0) {
		t.Errorf("%+v after %d", out, traced)
	}
	if out, _ := solve(logits.Stopping{Tol: 1e-300, MaxIter: 1000}); out.Stop != "gap" && out.Stop != "precision" || !(out.Relative() <= 1e-12) {
		t.Errorf("%+v", out)
	}
	if out, traced := solve(logits.Stopping{Tol: 1, MaxIter: 1000}); out.Stop != "gap" || out.Iterations != traced {
		t.Errorf("%+v after %d", out, traced)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("the reason")
	_, err := ProximalNewton(ctx, p.NewPoint(make([]float64, p.Width())), logits.Goal{Penalty: logits.Penalty{L1: 0.5}, Stopping: loglin.Strict(), Workers: 1, Trace: func(int, float64, []float64) { cancel(why) }})
	if !errors.Is(err, why) {
		t.Errorf("cancelled: %v", err)
	}
}

// common is the best of many numbers, and zero where that is as good.
func TestCommon(t *testing.T) {
	for _, c := range []struct {
		w   []float64
		pen logits.Penalty
	}{
		{[]float64{-1, 2, 5}, logits.Penalty{L1: 1}}, {[]float64{1, 2, 2, 5}, logits.Penalty{L1: 1}}, {[]float64{-3, -2, -2, 4}, logits.Penalty{L1: 1}},
		{[]float64{-1, 0, 0, 3}, logits.Penalty{L1: 1}}, {[]float64{-1, 0, 2, 3}, logits.Penalty{L1: 1}}, {[]float64{-4, -1, 2, 3}, logits.Penalty{L1: 1}},
		{[]float64{-1, 2, 5}, logits.Penalty{L2: 1}}, {[]float64{-1, 2, 5}, logits.Penalty{L1: 1, L2: 0.5}}, {[]float64{0, 0, 9}, logits.Penalty{L1: 1, L2: 0.2}}, {[]float64{1, 2, 30}, logits.Penalty{L1: 0.5, L2: 0.1}},
		{[]float64{-30, -2, -1}, logits.Penalty{L1: 0.5, L2: 0.1}}, {[]float64{5, 5, 5}, logits.Penalty{L1: 1, L2: 1}},
	} {
		cost := func(s float64) (sum float64) {
			for _, v := range c.w {
				sum += c.pen.L1*math.Abs(v-s) + c.pen.L2/2*(v-s)*(v-s)
			}
			return sum
		}
		got := commonShift(c.w, c.pen)
		for s := -40.0; s <= 40; s += 1.0 / 64 {
			if cost(s) < cost(got)-1e-9 {
				t.Errorf("%v, %+v: got %v at %v, but %v costs %v", c.w, c.pen, got, cost(got), s, cost(s))
				break
			}
		}
		if got != 0 && cost(0) <= cost(got) {
			t.Errorf("%v, %+v: got %v, but zero is as good", c.w, c.pen, got)
		}
	}
}

func TestL1Suite(t *testing.T) {
	for _, e := range []L1{
		{Objective: Objective{C1: 1, Bias: "free"}, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 100}},
		{Objective: Objective{C1: 0.1, C2: 1, Bias: "none"}, Stopping: logits.Stopping{Tol: 1e-9, MaxIter: 100}},
		{Objective: Objective{Bias: "free"}, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 100}},
		{Objective: Objective{Ratio: 0.1, Bias: "penalized"}, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 100}, Path: convex.Path{Steps: 10, Features: 6}},
	} {
		t.Run(fmt.Sprintf("%+v", e), func(t *testing.T) { enginetest.Suite(t, e) })
	}
}
