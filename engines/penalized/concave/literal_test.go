package concave

import (
	"math"
	"math/rand/v2"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// sketch is a small problem in full.
type sketch struct {
	x        [][]float64
	y, m     []float64
	logistic bool
}

// draw a problem whose columns have correlated neighbours; every fifth is constant.
func draw(seed uint64, rows, columns int, logistic, weights bool) sketch {
	rng := rand.New(rand.NewPCG(seed, 5))
	s := sketch{logistic: logistic, y: make([]float64, rows)}
	for i := range rows {
		row, score := make([]float64, columns), 0.0
		for j := range row {
			switch {
			case j%5 == 4:
				row[j] = 2
			case j%2 == 0 && rng.Float64() < 0.5:
				row[j] = 0
			default:
				row[j] = rng.NormFloat64() + 0.5
				if j > 0 {
					row[j] += 0.5 * row[j-1]
				}
			}
		}
		score = 2*row[0] - 1.5*row[1] + row[3]
		s.x = append(s.x, row)
		if s.y[i] = score + rng.NormFloat64(); logistic {
			s.y[i] = 0
			if score-1+3*rng.NormFloat64() > 0 {
				s.y[i] = 1
			}
		}
		if weights {
			s.m = append(s.m, float64(1+rng.IntN(3)))
		}
	}
	return s
}

func (s sketch) view() *data.View { return enginetest.View(s.dataset(), nil) }

func (s sketch) dataset() *data.Dataset {
	target := enginetest.Real("y", s.y...)
	if s.logistic {
		target = enginetest.Class("y", 2, s.y...)
	}
	d := enginetest.Dataset(enginetest.Matrix(s.x...), target)
	if s.m != nil {
		d.Weight = s.m
	}
	return d
}

func (s sketch) weight(i int) float64 {
	if s.m == nil {
		return 1
	}
	return s.m[i]
}

// standardized columns; those that are constant are zero. sd is 1 for them.
func (s sketch) standardized() (z [][]float64, mean, sd []float64, n float64) {
	columns := len(s.x[0])
	mean, sd = make([]float64, columns), make([]float64, columns)
	for i := range s.x {
		n += s.weight(i)
	}
	for j := range columns {
		for i, row := range s.x {
			mean[j] += s.weight(i) * row[j] / n
		}
		for i, row := range s.x {
			sd[j] += s.weight(i) * (row[j] - mean[j]) * (row[j] - mean[j]) / n
		}
		if sd[j] = math.Sqrt(sd[j]); sd[j] < 1e-9 {
			sd[j] = 1
		}
	}
	for _, row := range s.x {
		out := make([]float64, columns)
		for j, v := range row {
			if out[j] = (v - mean[j]) / sd[j]; math.Abs(out[j]) < 1e-9 {
				out[j] = 0
			}
		}
		z = append(z, out)
	}
	return z, mean, sd, n
}

// literal is the specification word for word: whole passes in order of columns, the residual at the present fit, for each penalty
// from the coefficients of the one before. What it returns is by penalty.
func (s sketch) literal(name string, gamma, alpha float64, lambdas []float64) (coefs [][]float64, biases []float64) {
	z, mean, sd, n := s.standardized()
	v, b0, b := 1.0, 0.0, make([]float64, len(mean))
	if s.logistic {
		v = 0.25
	}
	eta := make([]float64, len(z))
	residual := func(i int) float64 {
		fit := b0 + eta[i]
		if s.logistic {
			fit = 1 / (1 + math.Exp(-fit))
		}
		return s.weight(i) * (s.y[i] - fit)
	}
	soft := func(u, t float64) float64 { return math.Copysign(max(0, math.Abs(u)-t), u) }
	for _, lambda := range lambdas {
		l1, l2 := lambda*alpha/(n*v), lambda*(1-alpha)/(n*v)
		for moved := 1.0; moved > 1e-11; {
			sum := 0.0
			for i := range z {
				sum += residual(i)
			}
			b0 += sum / (n * v)
			moved = math.Abs(sum / (n * v))
			for j := range b {
				u := b[j]
				for i := range z {
					u += z[i][j] * residual(i) / (n * v)
				}
				to, t := u/(1+l2), math.Abs(u)
				switch {
				case t <= l1:
					to = 0
				case name == "scad" && t <= l1*(1+l2)+l1:
					to = soft(u, l1) / (1 + l2)
				case t > gamma*l1*(1+l2):
				case name == "scad":
					to = soft(u, gamma*l1/(gamma-1)) / (1 + l2 - 1/(gamma-1))
				default:
					to = soft(u, l1) / (1 + l2 - 1/gamma)
				}
				if to == b[j] {
					continue
				}
				for i := range eta {
					eta[i] += (to - b[j]) * z[i][j]
				}
				moved = max(moved, math.Abs(to-b[j]))
				b[j] = to
			}
		}
		raw, bias := make([]float64, len(b)), b0
		for j := range b {
			raw[j] = b[j] / sd[j]
			bias -= raw[j] * mean[j]
		}
		coefs, biases = append(coefs, raw), append(biases, bias)
	}
	return coefs, biases
}
