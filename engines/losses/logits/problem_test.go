package logits_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/losses/logits"
	"testing"

	"tenfold/engines/numeric/sparse"
)

// The loss is what its definition says, and the gradient is its derivative by finite differences, for any number of workers.
func TestGradient(t *testing.T) {
	for name, c := range loglin.Examples() {
		p := c.Problem(t)
		w := loglin.Weights(p, 1)
		loss := func(w []float64) float64 {
			z := make([]float64, p.Rows()*p.Blocks)
			p.Margins(context.Background(), z, w, 1)
			return p.Residuals(context.Background(), z, z, 1)
		}
		want, _ := c.Loss(w)
		loglin.Near(t, name+": loss", loss(w), want, 1e-12)
		for _, workers := range []int{1, 3} {
			z, g := make([]float64, p.Rows()*p.Blocks), make([]float64, p.Width())
			p.Margins(context.Background(), z, w, workers)
			p.Residuals(context.Background(), z, z, workers)
			p.Gradient(context.Background(), g, z, workers)
			for k := range w {
				const h = 1e-5
				up, down := slices.Clone(w), slices.Clone(w)
				up[k] += h
				down[k] -= h
				loglin.Near(t, fmt.Sprintf("%s: gradient %d, %d workers", name, k, workers), g[k], (loss(up)-loss(down))/(2*h), 1e-7)
			}
		}
	}
}

// A row of weight 3 is three rows.
func TestWeightsAreRepeatedRows(t *testing.T) {
	for name, c := range loglin.Examples() {
		if c.M == nil {
			continue
		}
		var often loglin.Sketch
		often.Classes, often.Bias = c.Classes, c.Bias
		for i, m := range c.M {
			for range int(m) {
				often.X, often.Y = append(often.X, c.X[i]), append(often.Y, c.Y[i])
			}
		}
		var values []float64
		for _, s := range []loglin.Sketch{c.Sketch, often} {
			p := s.Problem(t)
			pt := p.NewPoint(loglin.Weights(p, 3))
			if err := pt.Update(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			cert := pt.Certify(c.Pen)
			largest, err := pt.LambdaMax(context.Background(), 1)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, cert.Objective, cert.Dual, largest, p.Total())
			values = append(values, p.Reach()...)
		}
		half := len(values) / 2
		for k := range half {
			loglin.Near(t, fmt.Sprintf("%s: value %d", name, k), values[k], values[half+k], 1e-10)
		}
	}
}

// At any weights the certificate encloses the minimum, its dual value is one that the definition confirms, free biases are
// at their best, and no screened column has a weight at the minimum.
func TestCertificate(t *testing.T) {
	for name, c := range loglin.Examples() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := c.Problem(t)
			best, at := c.Minimum(t, p, c.Pen)
			for seed := range uint64(6) {
				w := loglin.Weights(p, seed)
				if seed > 2 { // near the minimum
					for k := range w {
						w[k] = at[k] + w[k]*math.Pow(10, -float64(seed))
					}
				}
				pt := p.NewPoint(w)
				if err := pt.Update(context.Background(), 1); err != nil {
					t.Fatal(err)
				}
				cert := pt.Certify(c.Pen)
				if !(cert.Dual <= best+1e-9 && best <= cert.Objective+1e-9) {
					t.Errorf("minimum %v outside %+v", best, cert)
				}
				loss, g := c.Loss(w)
				loglin.Near(t, "objective", cert.Objective, loss+c.Penalty(p, c.Pen, w), 1e-12)
				loglin.Near(t, "dual value", cert.Dual, c.Bound(p, c.Pen, pt), 1e-8)
				for k := range w {
					if p.Free(k) && !(math.Abs(g[k]) <= 1e-9*p.Total()) {
						t.Errorf("the gradient of free bias %d is %v", k, g[k])
					}
				}
				keep := pt.Screen(c.Pen, p.Reach())
				for j := range p.Columns() {
					if logits.CountNonzero(at[j*p.Blocks:(j+1)*p.Blocks]) > 0 && !slices.Contains(keep, int32(j)) {
						t.Errorf("column %d is screened at a gap of %v, its weights are %v", j, cert.Gap(), at[j*p.Blocks:(j+1)*p.Blocks])
					}
				}
			}
		})
	}
}

// No gradient exceeds its bound, whatever the weights.
func TestBounds(t *testing.T) {
	for name, c := range loglin.Examples() {
		p := c.Problem(t)
		bounds := p.GradientBounds(context.Background(), 2)
		closest := 0.0
		for seed := range uint64(20) {
			pt := p.NewPoint(loglin.Weights(p, seed))
			for k := range pt.W {
				pt.W[k] *= float64(seed * seed)
			}
			if err := pt.Update(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			for j, b := range bounds {
				for _, g := range pt.G[j*p.Blocks : (j+1)*p.Blocks] {
					if !(math.Abs(g) <= b*(1+1e-12)) {
						t.Errorf("%s: gradient %v of column %d, bound %v", name, g, j, b)
					}
					if b > 0 {
						closest = max(closest, math.Abs(g)/b)
					}
				}
			}
		}
		if closest < 0.3 {
			t.Errorf("%s: no gradient comes closer to its bound than %v", name, closest)
		}
	}
}

func TestNewProblemRefuses(t *testing.T) {
	x := sparse.New(1, []int{0, 1, 2}, []int32{0, 0}, nil)
	for _, c := range []struct {
		x      *sparse.Matrix
		y      []int32
		weight []float64
		want   string
	}{
		{sparse.New(1, []int{0}, nil, nil), nil, nil, "no row to learn from"},
		{x, []int32{0}, nil, "1 labels for 2 rows"},
		{x, []int32{0, 1}, []float64{1}, "1 weights for 2 rows"},
		{x, []int32{0, 2}, nil, "row 1: label 2 outside 0..1"},
		{x, []int32{-1, 0}, nil, "row 0: label -1 outside 0..1"},
		{x, []int32{0, 1}, []float64{1, 0}, "row 1: weight 0, expected a positive number"},
		{x, []int32{0, 1}, []float64{math.NaN(), 1}, "row 0: weight NaN, expected a positive number"},
		{x, []int32{0, 1}, []float64{1, math.Inf(1)}, "row 1: weight +Inf, expected a positive number"},
	} {
		if _, err := logits.New(c.x, c.y, c.weight, 2, logits.NoBias); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestFreeBiasesOfCertainRows: the free biases are at their optimum however certain the other weights are of the rows.
func TestFreeBiasesOfCertainRows(t *testing.T) {
	for name, c := range loglin.Examples() {
		p := c.Problem(t)
		for seed := range uint64(40) {
			pt := p.NewPoint(loglin.Weights(p, seed))
			for k := range pt.W {
				pt.W[k] *= float64(seed * seed)
			}
			if err := pt.Update(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			for k, g := range pt.G {
				if p.Free(k) && !(math.Abs(g) <= 1e-9*p.Total()) {
					t.Errorf("%s, seed %d: gradient %v of free bias %d at %v", name, seed, g, k, pt.W[k])
				}
			}
		}
	}
}
