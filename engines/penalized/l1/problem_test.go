package l1

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/numeric/sparse"
)

func weightsFor(p *Problem, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 2))
	w := make([]float64, p.Width())
	for k := range w {
		w[k] = rng.NormFloat64() / 2
	}
	return w
}

// The loss is what its definition says, and the gradient is its derivative by finite differences, for any number of workers.
func TestGradient(t *testing.T) {
	for name, c := range examples() {
		p := c.problem(t)
		w := weightsFor(p, 1)
		loss := func(w []float64) float64 {
			z := make([]float64, p.Rows()*p.Blocks)
			p.Margins(context.Background(), z, w, 1)
			return p.Residuals(context.Background(), z, z, 1)
		}
		want, _ := c.Loss(w)
		near(t, name+": loss", loss(w), want, 1e-12)
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
				near(t, fmt.Sprintf("%s: gradient %d, %d workers", name, k, workers), g[k], (loss(up)-loss(down))/(2*h), 1e-7)
			}
		}
	}
}

// A row of weight 3 is three rows.
func TestWeightsAreRepeatedRows(t *testing.T) {
	for name, c := range examples() {
		if c.M == nil {
			continue
		}
		var often sketch
		often.Classes, often.Bias = c.Classes, c.Bias
		for i, m := range c.M {
			for range int(m) {
				often.X, often.Y = append(often.X, c.X[i]), append(often.Y, c.Y[i])
			}
		}
		var values []float64
		for _, s := range []sketch{c.sketch, often} {
			p := s.problem(t)
			pt := p.NewPoint(weightsFor(p, 3))
			if err := pt.Update(context.Background(), 1); err != nil {
				t.Fatal(err)
			}
			cert := pt.Certify(c.pen)
			largest, err := pt.LambdaMax(context.Background(), 1)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, cert.Objective, cert.Dual, largest, p.Total())
			values = append(values, p.Reach()...)
		}
		half := len(values) / 2
		for k := range half {
			near(t, fmt.Sprintf("%s: value %d", name, k), values[k], values[half+k], 1e-10)
		}
	}
}

// At any weights the certificate encloses the minimum, its dual value is one that the definition confirms, free biases are
// at their best, and no screened column has a weight at the minimum.
func TestCertificate(t *testing.T) {
	for name, c := range examples() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := c.problem(t)
			best, at := c.minimum(t, p, c.pen)
			for seed := range uint64(6) {
				w := weightsFor(p, seed)
				if seed > 2 { // near the minimum
					for k := range w {
						w[k] = at[k] + w[k]*math.Pow(10, -float64(seed))
					}
				}
				pt := p.NewPoint(w)
				if err := pt.Update(context.Background(), 1); err != nil {
					t.Fatal(err)
				}
				cert := pt.Certify(c.pen)
				if !(cert.Dual <= best+1e-9 && best <= cert.Objective+1e-9) {
					t.Errorf("minimum %v outside %+v", best, cert)
				}
				loss, g := c.Loss(w)
				near(t, "objective", cert.Objective, loss+c.toll(p, c.pen, w), 1e-12)
				near(t, "dual value", cert.Dual, c.bound(p, c.pen, pt), 1e-8)
				for k := range w {
					if p.Free(k) && !(math.Abs(g[k]) <= 1e-9*p.Total()) {
						t.Errorf("the gradient of free bias %d is %v", k, g[k])
					}
				}
				keep := pt.Screen(c.pen, p.Reach())
				for j := range p.Columns() {
					if anyNonzero(at[j*p.Blocks:(j+1)*p.Blocks]) && !slices.Contains(keep, int32(j)) {
						t.Errorf("column %d is screened at a gap of %v, its weights are %v", j, cert.Gap(), at[j*p.Blocks:(j+1)*p.Blocks])
					}
				}
			}
		})
	}
}

// No gradient exceeds its bound, whatever the weights.
func TestBounds(t *testing.T) {
	for name, c := range examples() {
		p := c.problem(t)
		bounds := p.gradientBounds(context.Background(), 2)
		closest := 0.0
		for seed := range uint64(20) {
			pt := p.NewPoint(weightsFor(p, seed))
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
		if _, err := New(c.x, c.y, c.weight, 2, NoBias); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}
