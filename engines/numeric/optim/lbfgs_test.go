package optim

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"tenfold/engines/numeric/dense"
)

// quadratic is ½ Σ k·(w_k − 1)².
func quadratic(grad, w []float64) float64 {
	v := 0.0
	for k, x := range w {
		d := x - 1
		grad[k] = float64(k+1) * d
		v += 0.5 * float64(k+1) * d * d
	}
	return v
}

func rosenbrock(grad, w []float64) float64 {
	a, b := 1-w[0], w[1]-w[0]*w[0]
	grad[0], grad[1] = -2*a-400*b*w[0], 200*b
	return a*a + 100*b*b
}

// cosh is Σ log cosh(k·(w_k − 2)), whose slopes are bounded: far away it looks like a line.
func cosh(grad, w []float64) float64 {
	v := 0.0
	for k, x := range w {
		c := float64(k + 1)
		grad[k] = c * math.Tanh(c*(x-2))
		v += math.Abs(c*(x-2)) + math.Log1p(math.Exp(-2*math.Abs(c*(x-2))))
	}
	return v
}

func TestLBFGS(t *testing.T) {
	for _, c := range []struct {
		name string
		f    Func
		w    []float64
		want float64
	}{
		{"quadratic", quadratic, make([]float64, 30), 1},
		{"Rosenbrock", rosenbrock, []float64{-1.2, 1}, 1},
		{"from far away", cosh, []float64{1000, -1000, 7, 2.5}, 2},
		{"at the minimum", quadratic, []float64{1, 1}, 1},
		{"one variable", cosh, []float64{-5}, 2},
		{"no variable", quadratic, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := LBFGS(context.Background(), c.f, c.w, Options{Tol: 1e-9, MaxIter: 500})
			if err != nil || res.Stop != "tol" {
				t.Fatalf("%+v, %v", res, err)
			}
			grad := make([]float64, len(c.w))
			if v := c.f(grad, c.w); v != res.Value || maxNorm(grad) != res.Gradient {
				t.Errorf("value %v and gradient %v are reported, they are %v and %v", res.Value, res.Gradient, v, maxNorm(grad))
			}
			for k, x := range c.w {
				if !(math.Abs(x-c.want) < 1e-6) {
					t.Errorf("w[%d] = %v after %+v", k, x, res)
				}
			}
		})
	}
}

// Every step meets both Wolfe conditions: followed through the points that the function saw last in each iteration.
func TestFalls(t *testing.T) {
	w := []float64{-1.2, 1}
	last := math.Inf(1)
	for iter := range 30 {
		v := []float64{-1.2, 1}
		res, err := LBFGS(context.Background(), rosenbrock, v, Options{Tol: 0, MaxIter: iter})
		if err != nil {
			t.Fatal(err)
		}
		if iter > 0 && res.Stop == "max_iter" && !(res.Value < last) {
			t.Errorf("iteration %d: value %v after %v", iter, res.Value, last)
		}
		last, w = res.Value, v
	}
	if !(last < 1) {
		t.Errorf("value %v at %v after 30 iterations", last, w)
	}
}

// The cubic through two points, with the slopes there, has its minimum where the function has it that is one.
func TestBetween(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		// The slope c·(x − low)(x − high) falls through zero at high, and rises through it at low, where c < 0.
		low, c := rng.Float64(), -0.1-rng.Float64()
		high := low + 2 + rng.Float64()
		value := func(x float64) float64 { return c * (x*x*x/3 - (low+high)*x*x/2 + low*high*x) }
		at := func(x float64) point { return point{x, value(x), c * (x - low) * (x - high)} }
		a, b := at(low-0.5), at(low+0.5)
		if got := cubicMinimum(a, b); !(math.Abs(got-low) <= 1e-9) {
			t.Errorf("minimum at %v, want %v", got, low)
		}
		if got := cubicMinimum(at(low-1e-3), b); got != low-1e-3+(b.step-low+1e-3)/10 { // too close to an end
			t.Errorf("%v is too close to %v", got, low-1e-3)
		}
	}
	line := func(x float64) point { return point{x, x, 1} } // has no minimum
	if got := cubicMinimum(line(1), line(3)); got != 2 {
		t.Errorf("of a line: %v", got)
	}
}

func TestHistory(t *testing.T) {
	// With as many pairs as dimensions and exact curvature the direction is Newton's.
	h := newHistory(3, []float64{3, 1, 0.5})
	a := [][]float64{{4, 1, 0}, {1, 3, 1}, {0, 1, 2}}
	times := func(v []float64) []float64 {
		out := make([]float64, 3)
		for i := range a {
			out[i] = dense.Dot(a[i], v)
		}
		return out
	}
	zero := make([]float64, 3)
	// Conjugate steps: e1, then e2 made conjugate to it, then e3 to both.
	steps := [][]float64{{1, 0, 0}, {-0.25, 1, 0}, {1. / 11, -4. / 11, 1}}
	for _, s := range steps {
		h.pushPair(s, zero, times(s), zero)
	}
	h.pushPair(zero, zero, zero, zero) // no step: to be left out
	h.pushPair([]float64{1e-20, 0, 0}, zero, []float64{1, 0, 0}, zero)
	h.pushPair([]float64{1, 0, 0}, zero, []float64{-1, 0, 0}, zero)
	d := make([]float64, 3)
	h.twoLoop(d, []float64{1, 2, 3})
	got := times(d)
	for i, want := range []float64{-1, -2, -3} {
		if !(math.Abs(got[i]-want) <= 1e-12) {
			t.Errorf("A·d = %v, want minus the gradient", got)
		}
	}
}

func TestEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("why")
	calls := 0
	slow := func(grad, w []float64) float64 {
		if calls++; calls == 3 {
			cancel(why)
			return math.NaN()
		}
		return rosenbrock(grad, w)
	}
	if _, err := LBFGS(ctx, slow, []float64{-1.2, 1}, Options{Tol: 1e-9, MaxIter: 100}); !errors.Is(err, why) || calls != 3 {
		t.Errorf("%v after %d evaluations", err, calls)
	}
	if res, err := LBFGS(context.Background(), rosenbrock, []float64{-1.2, 1}, Options{Tol: 1e-9, MaxIter: 3}); err != nil || res.Stop != "max_iter" || res.Iterations != 3 {
		t.Errorf("%+v, %v", res, err)
	}
	bad := func(grad, w []float64) float64 { return math.NaN() }
	if _, err := LBFGS(context.Background(), bad, []float64{1}, Options{MaxIter: 3}); err == nil {
		t.Error("a value that is no number was accepted")
	}
	rounded := func(grad, w []float64) float64 { return quadratic(grad, w) + 1e9 }
	w := []float64{0.5, 3}
	if res, err := LBFGS(context.Background(), rounded, w, Options{Tol: -1, MaxIter: 1000}); err != nil || res.Stop != "precision" || !(math.Abs(w[1]-1) <= 1e-6) {
		t.Errorf("%+v, %v at %v", res, err, w)
	}
}

// A wall: the function is +Inf beyond it.
func TestWall(t *testing.T) {
	f := func(grad, w []float64) float64 {
		if w[0] >= 1 {
			return math.Inf(1)
		}
		grad[0] = -3 + 1/(1-w[0])
		return -3*w[0] - math.Log(1-w[0])
	}
	w := []float64{-5}
	res, err := LBFGS(context.Background(), f, w, Options{Tol: 1e-10, MaxIter: 100})
	if err != nil || res.Stop != "tol" || !(math.Abs(w[0]-2./3) <= 1e-9) {
		t.Errorf("%+v, %v at %v", res, err, w)
	}
}

// BenchmarkLBFGS tells the time of an iteration beside its evaluations.
func BenchmarkLBFGS(b *testing.B) {
	f := logistic()
	var inside time.Duration
	iterations := 0
	timed := func(grad, w []float64) float64 {
		begun := time.Now()
		v := f(grad, w)
		inside += time.Since(begun)
		return v
	}
	for range b.N {
		res, err := LBFGS(context.Background(), timed, make([]float64, 40_000), Options{MaxIter: 100})
		if err != nil {
			b.Fatal(err)
		}
		iterations += res.Iterations
	}
	b.ReportMetric((b.Elapsed()-inside).Seconds()*1e3/float64(iterations), "own-ms/iteration")
	b.ReportMetric(inside.Seconds()*1e3/float64(iterations), "f-ms/iteration")
}

// logistic is a regularised logistic problem of 40,000 weights: 20,000 rows of 10 ones.
func logistic() Func {
	const rows, cols, ones = 20_000, 40_000, 10
	rng := rand.New(rand.NewPCG(1, 2))
	idx, y := make([]int32, rows*ones), make([]float64, rows)
	for k := range idx {
		idx[k] = int32(cols * math.Pow(rng.Float64(), 3))
	}
	for i := range y {
		y[i] = float64(rng.IntN(2))
		if idx[ones*i]%3 == 0 {
			y[i] = 1
		}
	}
	return func(grad, w []float64) float64 {
		v := 0.0
		for k, x := range w {
			grad[k] = 0.01 * x
			v += 0.005 * x * x
		}
		for i, t := range y {
			row := idx[ones*i : ones*i+ones]
			h := 0.0
			for _, j := range row {
				h += w[j]
			}
			v += math.Log1p(math.Exp(-math.Abs(h))) + math.Max(h, 0) - t*h
			g := 1/(1+math.Exp(-h)) - t
			for _, j := range row {
				grad[j] += g
			}
		}
		return v
	}
}
