package group

import "math"

// literal is the problem with every quantity from its definition: dense, centred and scaled columns, all of them moved at once.
type literal struct {
	x        [][]float64 // centred and scaled, by row
	y        [][]float64
	m        []float64
	groups   [][]int32
	weight   []float64
	logistic bool
}

func (l *literal) loss(b [][]float64, bias []float64) float64 {
	s := 0.0
	for i := range l.x {
		for t, e := range l.score(b, bias, i) {
			if l.logistic {
				s += l.m[i] * (math.Log1p(math.Exp(-math.Abs(e))) + math.Max(e, 0) - e*l.y[i][t])
			} else {
				s += l.m[i] * (l.y[i][t] - e) * (l.y[i][t] - e) / 2
			}
		}
	}
	return s
}

func (l *literal) score(b [][]float64, bias []float64, i int) []float64 {
	e := append([]float64(nil), bias...)
	for j, x := range l.x[i] {
		for t := range e {
			e[t] += x * b[j][t]
		}
	}
	return e
}

func (l *literal) norm(b [][]float64, g int) float64 {
	s := 0.0
	for _, j := range l.groups[g] {
		for _, v := range b[j] {
			s += v * v
		}
	}
	return math.Sqrt(s)
}

func (l *literal) objective(lambda float64, b [][]float64, bias []float64) float64 {
	s := l.loss(b, bias)
	for g := range l.groups {
		s += lambda * l.weight[g] * l.norm(b, g)
	}
	return s
}

// gradient of the loss by coefficients and intercepts.
func (l *literal) gradient(b [][]float64, bias []float64) (gb [][]float64, g0 []float64) {
	gb, g0 = zeros(len(b), len(bias)), make([]float64, len(bias))
	for i := range l.x {
		for t, e := range l.score(b, bias, i) {
			if l.logistic {
				e = 1 / (1 + math.Exp(-e))
			}
			r := l.m[i] * (e - l.y[i][t])
			g0[t] += r
			for j, x := range l.x[i] {
				gb[j][t] += x * r
			}
		}
	}
	return gb, g0
}

// minimise by accelerated proximal gradient steps with restarts (Beck and Teboulle 2009).
func (l *literal) minimise(lambda float64, steps int) (b [][]float64, bias []float64) {
	p, k := len(l.x[0]), len(l.y[0])
	lip := 0.0
	for i, row := range l.x {
		lip += l.m[i]
		for _, x := range row {
			lip += l.m[i] * x * x
		}
	}
	b, bias = zeros(p, k), make([]float64, k)
	z, z0, a := zeros(p, k), make([]float64, k), 1.0
	last := math.Inf(1)
	for range steps {
		gb, g0 := l.gradient(z, z0)
		nb, n0 := zeros(p, k), make([]float64, k)
		for t := range n0 {
			n0[t] = z0[t] - g0[t]/lip
			for j := range nb {
				nb[j][t] = z[j][t] - gb[j][t]/lip
			}
		}
		for g := range l.groups {
			shrink := math.Max(0, 1-lambda*l.weight[g]/lip/math.Max(l.norm(nb, g), 1e-300))
			for _, j := range l.groups[g] {
				for t := range nb[j] {
					nb[j][t] *= shrink
				}
			}
		}
		now := l.objective(lambda, nb, n0)
		next := (1 + math.Sqrt(1+4*a*a)) / 2
		if now > last {
			next, a = 1, 1
		}
		for t := range n0 {
			z0[t] = n0[t] + (a-1)/next*(n0[t]-bias[t])
			for j := range nb {
				z[j][t] = nb[j][t] + (a-1)/next*(nb[j][t]-b[j][t])
			}
		}
		b, bias, a, last = nb, n0, next, now
	}
	return b, bias
}

func zeros(n, k int) [][]float64 {
	out := make([][]float64, n)
	for j := range out {
		out[j] = make([]float64, k)
	}
	return out
}
