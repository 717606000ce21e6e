package logistic

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/optim"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/penalized/convex"
)

// oddClasses returns the problem of odd rows, with each kind of bias, and columns standardised or not.
func oddClasses(t *testing.T, rng *rand.Rand) *logits.Problem {
	t.Helper()
	x, y, weight, classes := loglin.OddRows(rng)
	bias := []logits.Bias{logits.NoBias, logits.FreeBias, logits.PenalizedBias}[rng.IntN(3)]
	p, err := logits.New(x, y, weight, classes, bias)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = p.Centered(t.Context(), rng.IntN(2) == 0); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestFewColumns: on odd problems the solver of few columns ends at the goal's gap with the objective of plain L-BFGS, and at the same
// weights for any number of workers.
func TestFewColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 1))
	left := 0
	for k := range 60 {
		p := oddClasses(t, rng)
		l2 := []float64{1e-2, 1, 100}[rng.IntN(3)]
		goal := logits.Goal{Penalty: logits.Penalty{L2: l2}, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 10_000}, Workers: 1}
		solve := solveFewColumns(newReference, func(context.Context, *logits.Point, logits.Goal) (logits.Outcome, error) {
			left++
			return logits.Outcome{Certificate: engines.Certificate{Objective: math.NaN()}}, nil
		})
		pt := p.NewPoint(make([]float64, p.Width()))
		out, err := solve(t.Context(), pt, goal)
		if err != nil {
			t.Fatal(err)
		}
		if math.IsNaN(out.Objective) {
			continue
		}
		name := fmt.Sprintf("problem %d: %d rows, %d columns, %d blocks, bias %s, l2 %v", k, p.Rows(), p.Columns(), p.Blocks, p.Bias, l2)
		if out.Stop != convex.Gap || !(out.Relative() <= goal.Tol) {
			t.Errorf("%s: ends by %s with a gap of %v", name, out.Stop, out.Relative())
		}
		goal.Workers = 3
		other := p.NewPoint(make([]float64, p.Width()))
		if _, err := solve(t.Context(), other, goal); err != nil || !slices.Equal(pt.W, other.W) {
			t.Errorf("%s: three workers: %v, other weights", name, err)
		}
		plain := p.NewPoint(make([]float64, p.Width()))
		opt := optim.Options{MaxIter: 300, Tol: 1e-9 * p.Total()}
		found, err := optim.LBFGS(t.Context(), plain.SmoothObjective(t.Context(), l2, 1), plain.W, opt)
		if err != nil {
			t.Fatal(err)
		}
		if !(out.Objective <= found.Value*(1+1e-7)) {
			t.Errorf("%s: objective %.12g, by L-BFGS %.12g", name, out.Objective, found.Value)
		}
	}
	if left > 6 {
		t.Errorf("%d of 60 problems are left to another solver", left)
	}
}

// TestEvaluateIsTheObjective: the pass over stretches of rows computes what Margins, Residuals and Gradient do.
func TestEvaluateIsTheObjective(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 2))
	for range 50 {
		p := oddClasses(t, rng)
		w := make([]float64, p.Width())
		for k := range w {
			w[k] = 0.1 * rng.NormFloat64()
		}
		a, b := p.NewPoint(w), p.NewPoint(slices.Clone(w))
		grad := make([]float64, len(w))
		a.SmoothObjective(t.Context(), 0, 1)(grad, w)
		b.Evaluate(t.Context(), w, 1)
		size := p.Total() * (1 + largest(p.X))
		if !(math.Abs(a.Loss-b.Loss) <= 1e-11*(1+a.Loss)) {
			t.Errorf("loss %v, expected %v", b.Loss, a.Loss)
		}
		for k := range a.G {
			if !(math.Abs(a.G[k]-b.G[k]) <= 1e-12*size) {
				t.Errorf("gradient %d of %d: %v, expected %v", k, len(w), b.G[k], a.G[k])
			}
		}
	}
}

func largest(x *sparse.Matrix) (out float64) {
	rows, _ := x.Dims()
	for i := range rows {
		for _, v := range x.Row(i).Val {
			out = max(out, math.Abs(v))
		}
	}
	return out
}

// leftOver fails the test, by the name of a problem, if the solver of few columns leaves it to another one.
func leftOver(t *testing.T, name string, x [][]float64, y []int32, classes int, l2 float64) {
	t.Helper()
	p, err := logits.New(enginetest.Matrix(x...).Filled(), y, nil, classes, logits.FreeBias)
	if err != nil {
		t.Fatal(err)
	}
	goal := logits.Goal{Penalty: logits.Penalty{L2: l2}, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 1000}, Workers: 1}
	out, err := solveFewColumns(newReference, func(context.Context, *logits.Point, logits.Goal) (logits.Outcome, error) {
		return logits.Outcome{Stop: "another solver"}, nil
	})(t.Context(), p.NewPoint(make([]float64, p.Width())), goal)
	if err != nil || out.Stop != convex.Gap || out.Iterations > 300 {
		t.Errorf("%s, %d classes: %v, %s after %d iterations", name, classes, err, out.Stop, out.Iterations)
	}
}

// TestFewColumnsOfPeriodicRows: where the rows of a sample are all of one kind, the fit ends by the solver of few columns all the same.
func TestFewColumnsOfPeriodicRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 5))
	for _, classes := range []int{2, 4} {
		var x [][]float64
		var y []int32
		for i := range 30_000 {
			row := make([]float64, 17)
			row[i%16] = 1 + rng.NormFloat64()
			row[16] = rng.NormFloat64()
			x, y = append(x, row), append(y, int32((i%16+rng.IntN(8))/4%classes))
		}
		leftOver(t, "periodic rows", x, y, classes, 1e-3)
	}
}

// TestFewColumnsOfUnlikeScales: columns of one size in other units, as those of measured things, do not end it early.
func TestFewColumnsOfUnlikeScales(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 6))
	for _, classes := range []int{2, 5} {
		var x [][]float64
		var y []int32
		for i := range 20_000 {
			size, ratio := math.Exp(0.4*rng.NormFloat64()), 60+rng.NormFloat64()
			row := []float64{size * size * size, 6 * size, 6*size + 0.05*rng.NormFloat64(), ratio / 10 * size * (1 + 0.002*rng.NormFloat64()), ratio, 4000 * math.Pow(size, 5) * math.Exp(0.3*rng.NormFloat64())}
			if i%1000 == 0 { // a slip
				row[1+i/1000%3] *= 10
			}
			grade := make([]float64, 8)
			grade[rng.IntN(8)] = 1
			score := (ratio-60)*2 + grade[0] + 2*rng.NormFloat64()
			x, y = append(x, append(row, grade...)), append(y, int32(min(float64(classes-1), max(0, math.Floor(score+float64(classes)/2)))))
		}
		leftOver(t, "unlike scales", x, y, classes, 1)
	}
}

// TestFitsShareTheirBeginning: a fit to the rows of an inner fold is the same to the last bit, whatever was fitted to them before; of numbers,
// far from zero or not, of two classes and three, with each bias.
func TestFitsShareTheirBeginning(t *testing.T) {
	const rows = 3000
	rng := rand.New(rand.NewPCG(49, 6))
	half := make([]int32, rows/2)
	for i := range half {
		half[i] = int32(2 * i)
	}
	for _, classes := range []int{2, 3} {
		for _, far := range []float64{0, 50} {
			x, y := make([][]float64, rows), make([]float64, rows)
			for i := range x {
				for range 6 {
					x[i] = append(x[i], far+rng.NormFloat64())
				}
				y[i] = float64(rng.IntN(classes))
				x[i][int(y[i])]++
			}
			whole := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", classes, y...)), nil)
			shared := whole.Sub(half)
			for _, bias := range []logits.Bias{logits.NoBias, logits.FreeBias, logits.PenalizedBias} {
				for _, c2 := range []float64{ByColumns, 1e-3, 1, 1e3} {
					e := Kind.Defaults().(Logistic)
					e.C2, e.Bias = c2, string(bias)
					fit := func(v *data.View, workers int) engines.Model {
						m, err := e.Fit(t.Context(), engines.Run{Train: v, Workers: workers, Rand: rand.New(rand.NewPCG(1, 1))})
						if err != nil {
							t.Fatal(err)
						}
						return m
					}
					got, want := fit(shared, 1), fit(whole.Sub(half), 3)
					if !slices.EqualFunc(got.Coefs(), want.Coefs(), func(a, b engines.Coef) bool { return a == b }) ||
						!slices.Equal(engines.Biases(got), engines.Biases(want)) ||
						!reflect.DeepEqual(got.(engines.Reporter).Fitted(), want.(engines.Reporter).Fitted()) {
						t.Errorf("%d classes, %v from zero, bias %s, c2 %v: another model after other fits", classes, far, bias, c2)
					}
				}
			}
		}
	}
}
