package lasso

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/numeric/elementary"
)

// sketch is a regression problem as dense rows, solved straight from the definition.
type sketch struct {
	x [][]float64
	y []float64
	m []float64 // nil: 1 each
}

func (s sketch) view() *data.View {
	set := enginetest.Dataset(enginetest.Matrix(s.x...), enginetest.Real("y", s.y...))
	set.Weight = s.m
	return enginetest.View(set, nil)
}

func (s sketch) mult(i int) float64 {
	if s.m == nil {
		return 1
	}
	return s.m[i]
}

// draw makes a sketch with a constant column, a column of zeros, and columns 3 and 4 equal.
func draw(seed uint64, rows, columns int, binary, weights bool) sketch {
	rng := rand.New(rand.NewPCG(seed, 2))
	truth := make([]float64, columns)
	for j := range truth {
		truth[j] = rng.NormFloat64() * float64(rng.IntN(2))
	}
	var s sketch
	for range rows {
		x, y := make([]float64, columns), 5.0
		for j := range x {
			if rng.Float64() < 0.4 {
				if x[j] = 1; !binary {
					x[j] = math.Round(100*rng.NormFloat64()) / 100
				}
			}
		}
		x[1], x[2], x[4] = 1, 0, x[3]
		for j, v := range x {
			y += v * truth[j]
		}
		s.x, s.y = append(s.x, x), append(s.y, y+rng.NormFloat64()/2)
		if weights {
			s.m = append(s.m, float64(1+rng.IntN(3)))
		}
	}
	return s
}

// deviation of every column, where the penalty is to see it; else 1.
func (s sketch) deviation(standardize bool) []float64 {
	out := make([]float64, len(s.x[0]))
	for j := range out {
		n, sum, square := 0.0, 0.0, 0.0
		for i := range s.x {
			n += s.mult(i)
			sum += s.mult(i) * s.x[i][j]
		}
		for i := range s.x {
			square += s.mult(i) * (s.x[i][j] - sum/n) * (s.x[i][j] - sum/n)
		}
		if out[j] = 1; standardize {
			out[j] = math.Sqrt(square / n)
		}
	}
	return out
}

func (s sketch) residuals(b []float64, b0 float64) []float64 {
	r := make([]float64, len(s.y))
	for i, y := range s.y {
		r[i] = y - b0
		for j, x := range s.x[i] {
			r[i] -= x * b[j]
		}
	}
	return r
}

func (s sketch) objective(e ElasticNet, lambda float64, b []float64, b0 float64) (value float64) {
	for i, r := range s.residuals(b, b0) {
		value += s.mult(i) * r * r / 2
	}
	sd := s.deviation(e.Standardize)
	for j, v := range b {
		v *= sd[j]
		value += lambda*(e.Alpha*math.Abs(v)+(1-e.Alpha)/2*v*v) + e.Lambda2/2*v*v
	}
	return value
}

// largest is the λ from which on nothing is selected.
func (s sketch) largest(e ElasticNet) float64 {
	n, sum, most := 0.0, 0.0, 0.0
	for i, y := range s.y {
		n += s.mult(i)
		sum += s.mult(i) * y
	}
	r := s.residuals(make([]float64, len(s.x[0])), sum/n)
	for j, sd := range s.deviation(e.Standardize) {
		gradient := 0.0
		for i := range s.x {
			gradient += s.mult(i) * s.x[i][j] * r[i]
		}
		if sd > 1e-9 {
			most = max(most, math.Abs(gradient)/sd)
		}
	}
	return most / e.Alpha
}

// minimum by plain coordinate descent over all columns and the intercept, one at a time.
func (s sketch) minimum(e ElasticNet, lambda float64) (b []float64, b0 float64) {
	b = make([]float64, len(s.x[0]))
	sd := s.deviation(e.Standardize)
	r := s.residuals(b, 0)
	for range 20_000 {
		most := 0.0
		shift, n := 0.0, 0.0
		for i := range r {
			shift += s.mult(i) * r[i]
			n += s.mult(i)
		}
		shift /= n
		b0 += shift
		for i := range r {
			r[i] -= shift
		}
		for j := range b {
			gradient, square := 0.0, 0.0
			for i := range r {
				gradient += s.mult(i) * s.x[i][j] * r[i]
				square += s.mult(i) * s.x[i][j] * s.x[i][j]
			}
			if square == 0 || sd[j] < 1e-9 {
				continue
			}
			z := gradient + square*b[j]
			to := elementary.SoftThreshold(z, e.Alpha*lambda*sd[j]) / (square + ((1-e.Alpha)*lambda+e.Lambda2)*sd[j]*sd[j])
			for i := range r {
				r[i] -= s.x[i][j] * (to - b[j])
			}
			most = max(most, math.Abs(to-b[j])*sd[j])
			b[j] = to
		}
		if most < 1e-13 && math.Abs(shift) < 1e-13 {
			break
		}
	}
	return b, b0
}

func mustFit(t *testing.T, e engines.Engine, view *data.View) engines.Model {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	m, err := e.Fit(context.Background(), engines.Run{Train: view, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func coefficients(m engines.Model, columns int) []float64 {
	b := make([]float64, columns)
	for _, c := range m.Coefs() {
		b[c.Feature] = c.Value
	}
	return b
}
