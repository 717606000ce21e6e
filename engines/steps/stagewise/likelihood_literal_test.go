package stagewise

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/steps/stagewise/likelihood"
)

// truth is a log-likelihood and its gradient written down from their definitions.
type truth struct {
	family string
	x      [][]float64
	y, m   []float64
	bias   []float64 // by class
	column []int32   // of the features, as is
	class  []int32
}

func (r truth) scores(i int, lambda []float64) []float64 {
	out := append([]float64(nil), r.bias...)
	for k, l := range lambda {
		out[r.class[k]] += l * r.x[i][r.column[k]]
	}
	return out
}

func (r truth) value(lambda []float64) float64 {
	total, n, c := 0.0, 0.0, 0.0
	for i, y := range r.y {
		s := r.scores(i, lambda)
		if r.family == "expfam" {
			total += r.m[i] * s[0]
			n += r.m[i]
			c += r.m[i] * y * math.Exp(s[0])
			continue
		}
		z := 0.0
		for _, v := range s {
			z += math.Exp(v)
		}
		total += r.m[i] * (s[int(y)] - math.Log(z))
	}
	if r.family == "expfam" {
		total -= n * math.Log(c)
	}
	return total
}

// gradient is observed less expected, row by row.
func (r truth) gradient(lambda []float64) []float64 {
	n, c := 0.0, 0.0
	for i, y := range r.y {
		n += r.m[i]
		c += r.m[i] * y * math.Exp(r.scores(i, lambda)[0])
	}
	g := make([]float64, len(lambda))
	for i, y := range r.y {
		s := r.scores(i, lambda)
		z := 0.0
		for _, v := range s {
			z += math.Exp(v)
		}
		for k := range g {
			x := r.x[i][r.column[k]]
			switch {
			case r.family == "expfam":
				g[k] += r.m[i] * x * (1 - n/c*y*math.Exp(s[0]))
			default:
				g[k] -= r.m[i] * x * math.Exp(s[r.class[k]]) / z
				if int(y) == int(r.class[k]) {
					g[k] += r.m[i] * x
				}
			}
		}
	}
	return g
}

// likelihoodData is a made-up problem for a family.
func likelihoodData(s setting, family string) *data.Dataset {
	y := append([]float64(nil), s.y...)
	target := enginetest.Real("y", y...)
	for i, v := range s.y {
		switch family {
		case "expfam":
			y[i] = 0.2 + v/5
		case "logistic":
			y[i] = map[bool]float64{false: 0, true: 1}[v > 11+float64(i%7)]
		case "loglinear":
			y[i] = min(3, max(0, math.Floor((v+10)/10)))
		}
	}
	switch family {
	case "logistic":
		target = enginetest.Class("y", 2, y...)
	case "loglinear":
		target = enginetest.Class("y", 4, y...)
	}
	set := enginetest.Dataset(s.x, target)
	set.Weight = s.weight
	return set
}

func truthOf(w *likelihoodPath, set *data.Dataset) truth {
	s := w.likelihood.GradientState()
	r := truth{family: w.e.Family, y: set.Targets[0].Values, m: set.Weight, column: s.Column, class: s.Class, bias: []float64{0}}
	if l, ok := w.likelihood.(*likelihood.Conditional); ok {
		r.bias = l.Intercepts
	}
	if l, ok := w.likelihood.(*likelihood.Logistic); ok {
		r.bias = l.Intercepts
	}
	if s.Class == nil {
		r.class = make([]int32, len(s.Column))
	}
	n, p := set.X.Dims()
	if r.m == nil {
		for range n {
			r.m = append(r.m, 1)
		}
	}
	for i := range n {
		dense := make([]float64, p)
		row := set.X.Row(i)
		for q, j := range row.Idx {
			dense[j] = row.At(q)
		}
		r.x = append(r.x, dense)
	}
	if w.e.Family != "expfam" && w.e.Scale != "none" {
		r.centre()
	}
	return r
}

// centre the columns of numbers, other than 0 and 1, that are not 0 in more than half of the rows.
func (r *truth) centre() {
	for j := range r.x[0] {
		nonzero, number, mean, n := 0, false, 0.0, 0.0
		for i, row := range r.x {
			if v := row[j]; v != 0 {
				nonzero++
				number = number || v != 1
				mean += r.m[i] * v
			}
			n += r.m[i]
		}
		if !number || 2*nonzero <= len(r.x) {
			continue
		}
		for _, row := range r.x {
			row[j] -= mean / n
		}
	}
}

func ascend(t testing.TB, e Stagewise, set, watch *data.Dataset) (*likelihoodPath, []engines.Step) {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	var steps []engines.Step
	r := engines.Run{Train: enginetest.View(set, nil), Rand: rand.New(rand.NewPCG(5, 6)), Trace: func(s engines.Step) { steps = append(steps, s) }}
	if watch != nil {
		r.Watch = enginetest.View(watch, nil)
	}
	w, err := e.family().start(context.Background(), e, r)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return w.(*likelihoodPath), steps
}

// climbs are the families with every sort of data, both ways to select, raw and scaled.
func climbs(t *testing.T, seed uint64, n, p int, do func(t *testing.T, e Stagewise, s setting)) {
	for family, e := range likelihoods() {
		for _, s := range settings(seed, n, p) {
			for _, selected := range []string{"gradient", "explicit"} {
				for _, scale := range []string{"none", "sd"} {
					e.Select, e.Scale = selected, scale
					t.Run(fmt.Sprint(family, ", ", s.name, ", ", selected, ", ", scale), func(t *testing.T) { do(t, e, s) })
				}
			}
		}
	}
}

// The gradient three ways: followed from step to step, from its definition, by differences of the log-likelihood. The
// log-likelihood two ways. The rise of a step that is not made: against the difference that it would make.
func TestLikelihoodIsItsDefinition(t *testing.T) {
	climbs(t, 21, 40, 14, func(t *testing.T, e Stagewise, s setting) {
		e.MaxIter, e.Epsilon, e.DriftEvery = 60, 0.01, 0
		set := likelihoodData(s, e.Family)
		w, _ := ascend(t, e, set, nil)
		if w.iteration < 20 {
			t.Fatalf("stopped after %d iterations: %s", w.iteration, w.stop)
		}
		r, lambda := truthOf(w, set), w.unscale(make([]float64, len(w.multiples)), w.multiples)
		l := r.value(lambda)
		oracle.Near(t, "log-likelihood", w.logLikelihood, l, 1e-10)
		slopes := w.likelihood.GradientState()
		for k, g := range r.gradient(lambda) {
			oracle.Near(t, fmt.Sprintf("partial derivative of %d", k), w.likelihood.Value(k), g*slopes.Gamma[k], 1e-9)
			const h = 1e-4
			at := func(d float64) float64 {
				lambda[k] += d
				defer func(before float64) { lambda[k] = before }(lambda[k] - d)
				return r.value(lambda)
			}
			oracle.Near(t, fmt.Sprintf("difference along %d", k), w.likelihood.Value(k), slopes.Gamma[k]*(at(h)-at(-h))/(2*h), 1e-4)
			for _, d := range []float64{0.3, -0.3, 2} {
				oracle.Near(t, fmt.Sprintf("increase by %g of %d", d, k), w.likelihood.Increase(k, d), at(d)-l, 1e-9)
			}
		}
	})
}
