package optim

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/numeric/dense"
)

// soft is the minimum of ½a(w − b)² + c|w|.
func soft(a, b, c float64) float64 {
	return math.Copysign(math.Max(0, math.Abs(b)-c/a), b)
}

// On a separable quadratic every weight is soft-thresholded on its own; free ones are not.
func TestOWLQNSoftThreshold(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 50
	a, b, c := make([]float64, n), make([]float64, n), make([]float64, n)
	for k := range n {
		a[k], b[k] = math.Exp(rng.NormFloat64()), 2*rng.NormFloat64()
		if k%5 != 0 {
			c[k] = rng.Float64() * 2
		}
	}
	f := func(grad, w []float64) float64 {
		v := 0.0
		for k, x := range w {
			grad[k] = a[k] * (x - b[k])
			v += 0.5 * a[k] * (x - b[k]) * (x - b[k])
		}
		return v
	}
	for name, guess := range map[string][]float64{"no guess": nil, "guessed curvature": a} {
		w := make([]float64, n)
		for k := range w {
			w[k] = rng.NormFloat64() // many weights start in the wrong orthant
		}
		res, err := OWLQN(context.Background(), f, c, w, Options{Tol: 1e-9, MaxIter: 500, Curvature: guess})
		if err != nil || res.Stop != "gradient" {
			t.Fatalf("%s: %+v, %v", name, res, err)
		}
		zeros := 0
		for k, x := range w {
			want := soft(a[k], b[k], c[k])
			if !(math.Abs(x-want) < 1e-8) || want == 0 && x != 0 {
				t.Errorf("%s: w[%d] = %v, want %v", name, k, x, want)
			}
			if x == 0 {
				zeros++
			}
		}
		if zeros == 0 || zeros == n {
			t.Errorf("%s: %d zeros of %d: the test shows nothing", name, zeros, n)
		}
	}
}

// model is logistic regression on random rows, whose columns are correlated.
func model(rng *rand.Rand, rows, cols int) Func {
	x, y := make([]float64, rows*cols), make([]float64, rows)
	for i := range rows {
		common := rng.NormFloat64()
		for j := range cols {
			x[i*cols+j] = common + rng.NormFloat64()
		}
		y[i] = math.Copysign(1, x[i*cols]-0.5*x[i*cols+1]+0.3+rng.NormFloat64())
	}
	return func(grad, w []float64) float64 {
		clear(grad)
		v := 0.0
		for i := range rows {
			row := x[i*cols : (i+1)*cols]
			z := y[i] * dense.Dot(row, w)
			v += math.Log1p(math.Exp(-math.Abs(z))) + math.Max(0, -z)
			dense.AddTo(grad, row, -y[i]/(1+math.Exp(z)))
		}
		return v
	}
}

// proximal is the plainest exact solver: proximal gradient steps of a fixed size.
func proximal(f Func, l1, w []float64, curvature float64, steps int) {
	grad := make([]float64, len(w))
	for range steps {
		f(grad, w)
		for k, g := range grad {
			w[k] = soft(curvature, w[k]-g/curvature, l1[k])
		}
	}
}

func TestOWLQNAgreesWithProximalGradient(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 3))
		const rows, cols = 60, 8
		f := model(rng, rows, cols)
		l1 := make([]float64, cols)
		for k := range l1 {
			l1[k] = 1 + 2*float64(seed)
		}
		l1[cols-1] = 0
		want, got := make([]float64, cols), make([]float64, cols)
		proximal(f, l1, want, rows*cols, 8_000)
		res, err := OWLQN(context.Background(), f, l1, got, Options{Tol: 1e-8, MaxIter: 1000})
		if err != nil || res.Stop != "gradient" {
			t.Fatalf("seed %d: %+v, %v", seed, res, err)
		}
		for k := range want {
			if !(math.Abs(got[k]-want[k]) <= 1e-6) || (got[k] == 0) != (want[k] == 0) {
				t.Errorf("seed %d: w[%d] = %v, want %v", seed, k, got[k], want[k])
			}
		}
	}
}

// Every step of a search lowers the objective (by rounding at most it rises), and stays within an orthant.
func TestOWLQNFalls(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const cols = 10
	f := model(rng, 80, cols)
	l1 := make([]float64, cols)
	for k := range l1 {
		l1[k] = 4
	}
	w := make([]float64, cols)
	for k := range w {
		w[k] = rng.NormFloat64()
	}
	last, before, crossed := math.Inf(1), make([]float64, cols), 0
	res, err := OWLQN(context.Background(), f, l1, w, Options{Tol: 1e-9, MaxIter: 500, Each: func(iter int, value float64) string {
		if value > last*(1+1e-14) {
			t.Errorf("iteration %d: %v after %v", iter, value, last)
		}
		for k, x := range w {
			if iter > 0 && x*before[k] < 0 {
				t.Errorf("iteration %d: weight %d went from %v to %v", iter, k, before[k], x)
			}
			if before[k] != 0 && x == 0 {
				crossed++
			}
		}
		last = value
		copy(before, w)
		return ""
	}})
	if err != nil || res.Stop != "gradient" || crossed == 0 {
		t.Errorf("%+v, %v, %d weights were projected", res, err, crossed)
	}
}

// The curvature is that of the smooth part. A step of length 1 takes w from −1 to its kink; the next one, by the curvature
// seen, hits the minimum. With pseudo-gradients in the memory the kink would look like as much curvature again.
func TestOWLQNKeepsCurvature(t *testing.T) {
	f := func(grad, w []float64) float64 {
		grad[0] = 10 * (w[0] - 2)
		return 5 * (w[0] - 2) * (w[0] - 2)
	}
	w := []float64{-1}
	res, err := OWLQN(context.Background(), f, []float64{5}, w, Options{Tol: 1e-12, MaxIter: 100})
	if err != nil || res.Stop != "gradient" || res.Iterations != 2 || !(math.Abs(w[0]-1.5) <= 1e-12) {
		t.Errorf("%+v, %v at %v", res, err, w)
	}
}

// What a step promises is the slope times the way really gone: most of this one is cut off at the kink.
func TestOWLQNPromise(t *testing.T) {
	f := func(grad, w []float64) float64 {
		grad[0] = 1000 + w[0]
		return 1000*w[0] + 0.5*w[0]*w[0]
	}
	w := []float64{1e-6}
	res, err := OWLQN(context.Background(), f, []float64{1001}, w, Options{MaxIter: 100})
	if err != nil || res.Evaluations != 2 || w[0] != 0 {
		t.Errorf("%+v, %v at %v", res, err, w)
	}
}

// methods for smooth functions: without walls or kinks all are one.
var methods = map[string]func(context.Context, Func, []float64, Options) (Result, error){
	"LBFGS": LBFGS,
	"OWLQN": func(ctx context.Context, f Func, w []float64, opt Options) (Result, error) {
		return OWLQN(ctx, f, make([]float64, len(w)), w, opt)
	},
	"Boxed": func(ctx context.Context, f Func, w []float64, opt Options) (Result, error) {
		bound := make([]float64, len(w))
		for k := range bound {
			bound[k] = math.Inf(1)
		}
		return Boxed(ctx, f, bound, w, opt)
	},
}

// Where no step helps, the memory is cleared once, and the search goes on from where it was, as if nothing had been.
func TestForgets(t *testing.T) {
	for name, minimise := range methods {
		calls, bad := 0, 0
		f := func(grad, w []float64) float64 {
			calls++
			if bad > 0 {
				bad--
				grad[0], grad[1] = 1e9, -1e9
				return math.Inf(1)
			}
			return rosenbrock(grad, w)
		}
		w := []float64{-1.2, 1}
		res, err := minimise(context.Background(), f, w, Options{Tol: 1e-9, MaxIter: 500, Each: func(iter int, _ float64) string {
			if iter == 4 {
				bad = longest
			}
			return ""
		}})
		if err != nil || res.Stop != "tol" && res.Stop != "gradient" || !(math.Abs(w[0]-1) <= 1e-6) || bad != 0 {
			t.Errorf("%s: %+v, %v at %v", name, res, err, w)
		}
		if grad := make([]float64, 2); res.Evaluations != calls || res.Value != rosenbrock(grad, w) || res.Gradient != maxNorm(grad) {
			t.Errorf("%s: %+v after %d evaluations", name, res, calls)
		}
	}
}

// Where nothing is known of the curvature, the first step is of length one; with a guess it is Newton's for that.
func TestFirstStep(t *testing.T) {
	for name, minimise := range methods {
		for _, guess := range [][]float64{nil, {1, 2, 3}} {
			var seen [][]float64
			f := func(grad, w []float64) float64 {
				seen = append(seen, slices.Clone(w))
				return quadratic(grad, w)
			}
			start := []float64{5, -3, 4}
			if _, err := minimise(context.Background(), f, slices.Clone(start), Options{Tol: 1e-9, MaxIter: 100, Curvature: guess}); err != nil {
				t.Fatal(err)
			}
			d, way := make([]float64, 3), 0.0
			for k := range d {
				d[k] = seen[1][k] - start[k]
				way += d[k] * d[k]
			}
			if guess == nil && !(math.Abs(way-1) <= 1e-12) || guess != nil && (d[0] != -4 || d[1] != 4 || d[2] != -3) {
				t.Errorf("%s, guess %v: the first step is %v", name, guess, d)
			}
		}
	}
}

// A guess of the curvature that is far off turns directions, but never upwards.
func TestOWLQNAlignsDirections(t *testing.T) {
	o := orthants{l1: []float64{1, 1, 1, 1, 0, 1, 1}, sign: make([]float64, 7)}
	w := []float64{0, 0, 2, 0, 0, 0, -2}
	slope := make([]float64, 7)
	o.pseudoGradient(slope, w, []float64{-3, 3, 3, 0.5, 0.25, -1, 3})
	for k, want := range []float64{-2, 2, 4, 0, 0.25, 0, 2} {
		if slope[k] != want {
			t.Errorf("pseudo-gradient %d is %v, want %v", k, slope[k], want)
		}
	}
	d := []float64{1, 1, -5, 7, 1, -7, -1}
	o.alignDirection(d, w, slope)
	for k, want := range []float64{1, 0, -5, 0, 1, 0, -1} { // the second leads up, the fourth and sixth have no slope, the fifth is free
		if d[k] != want {
			t.Errorf("direction %d is %v, want %v", k, d[k], want)
		}
	}
	p := []float64{-0.1, 0.1, -1, 7, -4, -7, -3}
	o.projectPoint(p)
	for k, want := range []float64{0, 0, 0, 0, -4, 0, -3} {
		if p[k] != want {
			t.Errorf("projected weight %d is %v, want %v", k, p[k], want)
		}
	}
}

// Near the optimum values differ by less than rounding; a large constant makes that happen early.
func TestOWLQNRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	smooth := model(rng, 100, 6)
	f := func(grad, w []float64) float64 { return smooth(grad, w) + 1e6 }
	l1 := []float64{3, 3, 3, 3, 3, 0}
	exact, w := make([]float64, 6), make([]float64, 6)
	proximal(smooth, l1, exact, 600, 8_000)
	res, err := OWLQN(context.Background(), f, l1, w, Options{Tol: 1e-6, MaxIter: 200})
	if err != nil || res.Stop != "gradient" {
		t.Errorf("%+v, %v", res, err)
	}
	for k := range w {
		if !(math.Abs(w[k]-exact[k]) <= 1e-6) {
			t.Errorf("w[%d] = %v, want %v", k, w[k], exact[k])
		}
	}
	if res, err := OWLQN(context.Background(), f, l1, w, Options{MaxIter: 10_000}); err != nil || res.Stop != "line-search" {
		t.Errorf("without a goal: %+v, %v", res, err)
	}
}

func TestOWLQNEnds(t *testing.T) {
	ones := []float64{1, 1}
	opt := Options{Tol: 1e-9, MaxIter: 100}
	// Where the penalty is larger than every slope, the start is the optimum.
	w := make([]float64, 2)
	if res, err := OWLQN(context.Background(), quadratic, []float64{5, 5}, w, opt); err != nil || res.Stop != "gradient" || res.Iterations != 0 || w[0] != 0 || w[1] != 0 {
		t.Errorf("%+v, %v at %v", res, err, w)
	}
	opt.MaxIter = 1
	if res, err := OWLQN(context.Background(), cosh, ones, []float64{5, 5}, opt); err != nil || res.Stop != "max_iter" || res.Iterations != 1 {
		t.Errorf("%+v, %v", res, err)
	}
	opt.MaxIter = 100
	opt.Each = func(iter int, _ float64) string {
		if iter == 2 {
			return "enough"
		}
		return ""
	}
	if res, err := OWLQN(context.Background(), cosh, ones, []float64{5, 5}, opt); err != nil || res.Stop != "enough" || res.Iterations != 2 {
		t.Errorf("%+v, %v", res, err)
	}
	if res, err := LBFGS(context.Background(), cosh, []float64{5, 5}, opt); err != nil || res.Stop != "enough" || res.Iterations != 2 {
		t.Errorf("%+v, %v", res, err)
	}
	opt.Each = nil
	// A gradient that points the wrong way: no step lowers the value.
	wrong := func(grad, w []float64) float64 {
		v := quadratic(grad, w)
		grad[0], grad[1] = -grad[0], -grad[1]
		return v
	}
	w = []float64{3, 3}
	if res, err := OWLQN(context.Background(), wrong, []float64{0.1, 0.1}, w, opt); err != nil || res.Stop != "line-search" || w[0] != 3 || w[1] != 3 {
		t.Errorf("%+v, %v at %v", res, err, w)
	}
	bad := func(grad, w []float64) float64 { return math.NaN() }
	if _, err := OWLQN(context.Background(), bad, ones, w, opt); err == nil {
		t.Error("a value that is no number was accepted")
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("why")
	calls := 0
	slow := func(grad, w []float64) float64 {
		if calls++; calls == 3 {
			cancel(why)
			return math.NaN()
		}
		return cosh(grad, w)
	}
	if _, err := OWLQN(ctx, slow, ones, []float64{50, 50}, opt); !errors.Is(err, why) || calls != 3 {
		t.Errorf("%v after %d evaluations", err, calls)
	}
}

// In a box the optimum of a separable quadratic is the clipped one; correlated problems are compared with projected
// gradient steps.
func TestBoxed(t *testing.T) {
	w := []float64{-9, 0.2, 0, 0.5}
	res, err := Boxed(context.Background(), quadratic, []float64{0.25, 2, 1, math.Inf(1)}, w, Options{Tol: 1e-10, MaxIter: 100})
	if err != nil || res.Stop != "gradient" || w[0] != 0.25 || !(math.Abs(w[1]-1) <= 1e-9) || w[2] != 1 || !(math.Abs(w[3]-1) <= 1e-9) {
		t.Errorf("%+v, %v at %v", res, err, w)
	}
	walls := 0
	for seed := range uint64(8) {
		const rows, cols = 60, 8
		f := model(rand.New(rand.NewPCG(seed, 4)), rows, cols)
		bound, want, got, grad := make([]float64, cols), make([]float64, cols), make([]float64, cols), make([]float64, cols)
		for k := range bound {
			bound[k] = 0.3
		}
		bound[cols-1] = math.Inf(1)
		for range 8_000 {
			f(grad, want)
			dense.AddTo(want, grad, -1./(rows*cols))
			box(bound).projectPoint(want)
		}
		res, err := Boxed(context.Background(), f, bound, got, Options{Tol: 1e-8, MaxIter: 1000})
		if err != nil || res.Stop != "gradient" {
			t.Fatalf("seed %d: %+v, %v", seed, res, err)
		}
		for k := range want {
			if math.Abs(want[k]) == bound[k] {
				walls++
			}
			if !(math.Abs(got[k]-want[k]) <= 1e-6) || !(math.Abs(got[k]) <= bound[k]) {
				t.Errorf("seed %d: w[%d] = %v, want %v", seed, k, got[k], want[k])
			}
		}
	}
	if walls == 0 {
		t.Error("no weight ended at a wall: the test shows nothing")
	}
}
