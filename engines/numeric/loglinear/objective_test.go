package loglinear

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/model/softmax"
)

// The objective, its gradient, and that neither depends on the number of workers.
func TestObjective(t *testing.T) {
	for _, binary := range []bool{true, false} {
		for _, bias := range []bool{true, false} {
			l := sample(2, binary, 4)
			p := l.problem(t)
			cands, fs, w := l.features(p, 3)
			if !bias {
				cands = slices.DeleteFunc(cands, func(c Candidate) bool { return c.Column == Always })
				fs = slices.DeleteFunc(fs, func(f Feature) bool { return f.Column == Always })
				w = w[:len(fs)]
			}
			cands, fs, w = cands[:len(fs)*2/3], fs[:len(fs)*2/3], w[:len(fs)*2/3] // some columns have no feature
			precision := make([]float64, len(fs))
			for k := range precision {
				precision[k] = 0.1 * float64(k)
			}
			want := func(w []float64) float64 {
				v := -l.logLik(fs, w)
				for k := range w {
					v += 0.5 * precision[k] * w[k] * w[k]
				}
				return v
			}
			f := objective(p, cands, precision).Func(background, 1)
			grad := make([]float64, len(w))
			near(t, "objective", f(grad, w), want(w), 1e-12)
			for k := range w {
				const h = 1e-5
				up, down := slices.Clone(w), slices.Clone(w)
				up[k] += h
				down[k] -= h
				near(t, fmt.Sprintf("gradient of %v", fs[k]), grad[k], (want(up)-want(down))/(2*h), 1e-7)
			}
			for _, scale := range []float64{0, 1e3} { // nothing fires; scores beyond the range of e^x
				far := slices.Clone(w)
				for k := range far {
					far[k] *= scale
				}
				if v := f(grad, far); scale == 0 {
					near(t, "objective at 0", v, want(far), 1e-12)
				} else if v-v != 0 || slices.ContainsFunc(grad, func(g float64) bool { return g-g != 0 }) {
					t.Errorf("far away: value %v, gradient %v", v, grad)
				}
			}
		}
	}
}

func TestObjectiveWorkers(t *testing.T) {
	x := enginetest.Random(5, 1000, 20, 0.3, true)
	y := make([]int32, 1000)
	for i := range y {
		y[i] = int32(x.Row(i).Len() % 4)
	}
	p, err := New(background, x, y, nil, 4)
	if err != nil {
		t.Fatal(err)
	}
	cands := candidates(p, 1, true)
	w, precision := make([]float64, len(cands)), make([]float64, len(cands))
	for k := range w {
		w[k] = math.Sin(float64(k))
	}
	one, three := make([]float64, len(w)), make([]float64, len(w))
	o := objective(p, cands, precision)
	if len(o.blocks) != maxBlocks {
		t.Fatalf("%d blocks", len(o.blocks))
	}
	a, b := o.Func(background, 1)(one, w), o.Func(background, 3)(three, w)
	if a != b || !slices.Equal(one, three) {
		t.Errorf("values %v and %v", a, b)
	}
	ctx, cancel := context.WithCancelCause(background)
	why := errors.New("why")
	cancel(why)
	if v := o.Func(ctx, 1)(one, w); v == v {
		t.Errorf("value %v after the end of the context", v)
	}
	if _, err := p.Estimate(ctx, cands, w, Prior{Variance: 1}, 1e-6, 10, 1); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
}

// An estimation ends where the gradient vanishes, and the model predicts what the state says.
func TestEstimateAndModel(t *testing.T) {
	for _, binary := range []bool{true, false} {
		l := sample(19, binary, 3)
		p := l.problem(t)
		cands, fs, _ := l.features(p, 20)
		w := make([]float64, len(fs))
		done, err := p.Estimate(background, cands, w, Prior{Variance: 2, Bias: 100}, 1e-9, 1000, 2)
		if err != nil || done.Stop != "tol" && done.Stop != "bound" {
			t.Fatalf("%+v, %v", done, err)
		}
		near(t, "log-likelihood", done.LogLik, l.logLik(fs, w), 1e-12)
		for k, f := range fs {
			slope, v := 0.0, 2.0
			if f.Column == Always {
				v = 100
			}
			for i, y := range l.y {
				q := -l.probabilities(i, fs, w)[f.Class]
				if y == f.Class {
					q++
				}
				slope += l.weight[i] * l.value(i, f) * q
			}
			if !(math.Abs(slope-w[k]/v) <= 1e-8) {
				t.Errorf("%v: slope %v at weight %v", f, slope, w[k])
			}
		}
		bias, coefs := make([]float64, 3), []engines.Coef{}
		for k, f := range fs {
			if f.Column == Always {
				bias[f.Class] = w[k]
			} else {
				coefs = append(coefs, engines.Coef{Feature: int(f.Column), Output: int(f.Class), Value: w[k], Rank: k})
			}
		}
		m := softmax.NewModel(8, bias, append(coefs, engines.Coef{Feature: 3}), engines.Fitted{})
		got := make([]float64, len(l.y)*3)
		m.Predict(got, enginetest.View(enginetest.Dataset(l.x, enginetest.Real("y", make([]float64, len(l.y))...)), nil).Inputs())
		alone := make([]float64, 3)
		for i := range l.y {
			m.Score(alone, l.x.Row(i))
			for y, want := range l.probabilities(i, fs, w) {
				near(t, "logarithm of a probability", got[3*i+y], math.Log(want), 1e-12)
				near(t, "that of a row alone", alone[y], math.Log(want), 1e-12)
			}
		}
		if len(m.Coefs()) != len(coefs) || !m.Fitted().Probabilities {
			t.Errorf("%d weights, want %d", len(m.Coefs()), len(coefs))
		}
	}
}

// Where values are as large as counts of words, slopes are steep: an estimation ends where the objective is certainly near its minimum,
// by the curvature of the prior, and is.
func TestEstimateOfLargeValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	rows, y := make([][]float64, 200), make([]int32, 200)
	for i := range rows {
		rows[i], y[i] = make([]float64, 12), int32(i%3)
		for j := range rows[i] {
			if rng.IntN(3) == 0 {
				rows[i][j] = math.Floor(math.Exp(5*rng.Float64())) * float64(1+i%3*j%2)
			}
		}
	}
	p := must(New(background, enginetest.Matrix(rows...), y, nil, 3))
	cands := candidates(p, 1, true)
	prior, tol := Prior{Variance: 1}, 1e-4
	w, best := make([]float64, len(cands)), make([]float64, len(cands))
	done, err := p.Estimate(background, cands, w, prior, tol, 5000, 1)
	if err != nil || done.Stop != "bound" || done.Gradient <= tol {
		t.Fatalf("%+v, %v", done, err)
	}
	exact, err := p.Estimate(background, cands, best, prior, 1e-9, 100_000, 1)
	if err != nil || exact.Iterations <= done.Iterations || !(done.Value-exact.Value <= tol*tol*done.Value) {
		t.Errorf("%v after %d iterations, the minimum is %v after %d, %v", done.Value, done.Iterations, exact.Value, exact.Iterations, err)
	}
}

// An evaluation knows nothing of the one before: here every class has its features in one row alone.
func TestObjectiveAgain(t *testing.T) {
	p := must(New(background, enginetest.Matrix([]float64{1, 0, 0}, []float64{0, 1, 0}, []float64{0, 0, 1}), []int32{0, 1, 2}, nil, 3))
	cands := candidates(p, 1, false)
	f := objective(p, cands, make([]float64, 3)).Func(background, 1)
	w, first, again := []float64{0.5, -1, 2}, make([]float64, 3), make([]float64, 3)
	want := 0.0
	for _, v := range w {
		want += math.Log(math.Exp(v)+2) - v
	}
	near(t, "value", f(first, w), want, 1e-14)
	near(t, "value again", f(again, w), want, 1e-14)
	if !slices.Equal(first, again) {
		t.Errorf("gradient %v, then %v", first, again)
	}
}
