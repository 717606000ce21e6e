package stagewise

import (
	"math"
	"math/rand/v2"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/steps/stagewise/lookup"
)

// literal is Forward Stagewise written down from its definition, with dense matrices: every turn computes the residual
// and every correlation anew. The oracle of the tests.
type literal struct {
	g           [][]float64 // centred and scaled columns
	gamma, mu   []float64
	norm        []float64
	m, y        []float64 // weights, centred targets
	n, tss      float64
	beta        []float64
	lastJ       int
	lastSign    float64
	stop        string
	steps       int
	chosen      []int // j, or −j−1 for a negative step
	rss         []float64
	smallestGap float64 // relative gap between the largest |c| and the next one that is not a tie
}

func newLiteral(x *sparse.Matrix, y, weight []float64, scaling string) *literal {
	n, p := x.Dims()
	l := &literal{lastJ: -1, beta: make([]float64, p), smallestGap: math.Inf(1)}
	l.m = weight
	if weight == nil {
		l.m = make([]float64, n)
		for i := range l.m {
			l.m[i] = 1
		}
	}
	mean := 0.0
	for i := range y {
		l.n += l.m[i]
		mean += l.m[i] * y[i]
	}
	mean /= l.n
	for i := range y {
		l.y = append(l.y, y[i]-mean)
		l.tss += l.m[i] * (y[i] - mean) * (y[i] - mean)
	}
	for j := range p {
		column := make([]float64, n)
		for i := range n {
			row := x.Row(i)
			for q, k := range row.Idx {
				if int(k) == j {
					column[i] = row.At(q)
				}
			}
		}
		l.addColumn(column, scaling)
	}
	return l
}

func (l *literal) addColumn(column []float64, scaling string) {
	mu, raw := 0.0, 0.0
	for i, x := range column {
		mu += l.m[i] * x / l.n
		raw += l.m[i] * x * x
	}
	ss := 0.0
	for i, x := range column {
		ss += l.m[i] * (x - mu) * (x - mu)
	}
	gamma := map[string]float64{"sd": math.Sqrt(l.n / ss), "unit": 1 / math.Sqrt(ss), "none": 1}[scaling]
	if ss <= 1e-12*raw {
		gamma = 0
	}
	norm := 0.0
	for i, x := range column {
		column[i] = gamma * (x - mu)
		norm += l.m[i] * column[i] * column[i]
	}
	l.g = append(l.g, column)
	l.gamma, l.mu, l.norm = append(l.gamma, gamma), append(l.mu, mu), append(l.norm, norm)
}

func (l *literal) residual() (r []float64, rss float64) {
	r = append([]float64(nil), l.y...)
	for j, b := range l.beta {
		for i := range r {
			r[i] -= b * l.g[j][i]
		}
	}
	for i, v := range r {
		rss += l.m[i] * v * v
	}
	return r, rss
}

// turn takes one step of the given policy; false when a rule stops it.
func (l *literal) turn(e Stagewise) bool {
	r, rss := l.residual()
	c := make([]float64, len(l.g))
	v := 0.0
	for j := range c {
		for i := range r {
			c[j] += l.m[i] * l.g[j][i] * r[i]
		}
		v = max(v, math.Abs(c[j]))
	}
	j := -1
	for k := range c {
		if a := math.Abs(c[k]); a >= v*(1-lookup.TieTolerance) && j < 0 {
			j = k
		} else if a < v*(1-lookup.TieTolerance) {
			l.smallestGap = min(l.smallestGap, 1-a/v)
		}
	}
	if l.gamma[j] == 0 || v <= max(e.MinC, 1e-9*math.Sqrt(l.tss*l.n)) {
		l.stop = stopMinC
		return false
	}
	eps := map[string]float64{
		"fixed": e.Epsilon, "rss": e.Epsilon * rss / l.tss, "rms": e.Epsilon * math.Sqrt(rss/l.n),
		"linesearch": e.Epsilon * v / l.norm[j],
	}[e.Step]
	sign := math.Copysign(1, c[j])
	looped := e.Step == "fixed" && j == l.lastJ && sign == -l.lastSign
	if looped {
		l.stop = stopLoop
		if !(2*v > eps*l.norm[j]) {
			return false
		}
	}
	l.beta[j] += sign * eps
	l.lastJ, l.lastSign = j, sign
	l.steps++
	if sign > 0 {
		l.chosen = append(l.chosen, j)
	} else {
		l.chosen = append(l.chosen, -j-1)
	}
	_, rss = l.residual()
	l.rss = append(l.rss, rss)
	return !looped
}

// setting is one made-up problem.
type setting struct {
	name   string
	x      *sparse.Matrix
	y      []float64
	weight []float64
}

func (s setting) data() *data.Dataset { return dataset(s.x, s.y, s.weight) }

// settings are made-up problems of every sort: ones and real values, weights, duplicate, complementary, constant and
// empty columns, empty rows.
func settings(seed uint64, n, p int) []setting {
	var out []setting
	for _, real := range []bool{false, true} {
		for _, weighted := range []bool{false, true} {
			rng := rand.New(rand.NewPCG(seed, uint64(n)))
			s := setting{name: map[bool]string{false: "ones", true: "reals"}[real]}
			var b sparse.Builder
			for i := range n {
				idx, val := row(rng, i, p, real)
				if err := b.Add(idx, val); err != nil {
					panic(err)
				}
				s.y = append(s.y, float64(rng.IntN(1000))/100+float64(len(idx)))
				if weighted {
					s.weight = append(s.weight, float64(1+rng.IntN(3)))
				}
			}
			if weighted {
				s.name += ", weighted"
			}
			s.x = b.Matrix(p)
			out = append(out, s)
		}
	}
	return out
}

// row i: column 2 always fires, 3 never; 4 and 5 are complementary; the last is a duplicate of 6.
func row(rng *rand.Rand, i, p int, real bool) (idx []int32, val []float64) {
	add := func(j int, x float64) {
		idx, val = append(idx, int32(j)), append(val, x)
	}
	for j := range p - 1 {
		x := 1.0
		if real {
			x = float64(rng.IntN(2000))/500 - 1.5
		}
		rate := 1 / (1.5 + float64(j%17))
		switch {
		case j == 2:
			add(j, 1)
		case j == 3:
		case j == 4 && i%3 == 0, j == 5 && i%3 != 0:
			add(j, 1)
		case j == 4 || j == 5:
		case rng.Float64() < rate && x != 0:
			add(j, x)
			if j == 6 {
				defer add(p-1, x)
			}
		}
	}
	if i == 1 {
		return nil, nil
	}
	return idx, val
}
