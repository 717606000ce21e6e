package l1_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"tenfold/engines/losses/logits"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/model/softmax"
	"tenfold/engines/penalized/dual"
	"tenfold/engines/penalized/l1"
	"tenfold/engines/penalized/owlqn"
	"tenfold/engines/ridge/logistic"
)

// farFromZero is rows whose columns have means far above their deviations, but for the last, which is mostly zeros.
func farFromZero(classes int) *data.View {
	const rows, cols = 60, 6
	rng := rand.New(rand.NewPCG(11, uint64(classes)))
	x, y, weight := make([][]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range x {
		score := 0.0
		for j := range cols {
			v := rng.NormFloat64()
			if score += v * float64(j%3-1); j == cols-1 && i%3 > 0 {
				v = -50
			}
			x[i] = append(x[i], 50+v)
		}
		y[i] = min(float64(classes-1), math.Floor(math.Abs(score)))
		weight[i] = float64(1 + i%2)
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", classes, y...))
	set.Weight = weight
	return enginetest.View(set, nil)
}

// The objective that an engine reports is that of its model, on the columns as they are; with standardize, weights count in the
// penalty by their columns' deviations. So it is with every bias.
func TestObjectiveIsThatOfTheData(t *testing.T) {
	stop := logits.Stopping{Tol: 1e-3, MaxIter: 20_000} // the law holds wherever a fit ends
	for _, classes := range []int{2, 3} {
		v := farFromZero(classes)
		sd := deviations(v)
		for _, bias := range []logits.Bias{logits.NoBias, logits.FreeBias, logits.PenalizedBias} {
			for _, standardize := range []bool{false, true} {
				o := l1.Objective{C1: 2, C2: 0.1, Bias: string(bias), Standardize: standardize}
				dual := dual.Kind.Defaults().(dual.Dual)
				dual.Objective, dual.Stopping = o, stop
				dual.C2 = 0
				owlqn := owlqn.OWLQNKind.Defaults().(owlqn.OWLQN)
				owlqn.Objective, owlqn.Stopping = o, stop
				for name, c := range map[string]struct {
					e   engines.Engine
					pen logits.Penalty
				}{
					"l1": {l1.L1{Objective: o, Stopping: stop}, logits.Penalty{L1: o.C1, L2: o.C2}}, "owl-qn": {owlqn, logits.Penalty{L1: o.C1, L2: o.C2}}, "l1-dual": {dual, logits.Penalty{L1: o.C1}},
					"logistic": {logistic.Logistic{C2: 0.3, Bias: string(bias), Standardize: standardize, Stopping: stop}, logits.Penalty{L2: 0.3}},
				} {
					if name == "l1-dual" && bias == logits.FreeBias {
						continue
					}
					t.Run(fmt.Sprintf("%s, %d classes, bias %s, standardize %v", name, classes, bias, standardize), func(t *testing.T) {
						m, err := c.e.Fit(t.Context(), engines.Run{Train: v, Workers: 1, Rand: rand.New(rand.NewPCG(1, 1))})
						if err != nil {
							t.Fatal(err)
						}
						scale := func(int) float64 { return 1 }
						if standardize {
							scale = func(j int) float64 { return sd[j] }
						}
						got, want := m.(engines.Reporter).Fitted().Certificate.Objective, objectiveOf(m.(*softmax.Model), v, c.pen, bias, scale)
						if !(math.Abs(got-want) <= 1e-8*want) {
							t.Errorf("objective %v, of the model %v", got, want)
						}
					})
				}
			}
		}
	}
}

func deviations(v *data.View) []float64 {
	n, mean, square := 0.0, make([]float64, v.Columns()), make([]float64, v.Columns())
	each := func(do func(j int, x, m float64)) {
		for i := range v.Len() {
			row := make([]float64, v.Columns())
			v.Row(i).AddTo(row, 1)
			for j, x := range row {
				do(j, x, v.Weights().Of(i))
			}
		}
	}
	for i := range v.Len() {
		n += v.Weights().Of(i)
	}
	each(func(j int, x, m float64) { mean[j] += m * x / n })
	each(func(j int, x, m float64) { square[j] += m * (x - mean[j]) * (x - mean[j]) / n })
	for j := range square {
		square[j] = math.Sqrt(square[j])
	}
	return square
}

// objectiveOf a model, row by row.
func objectiveOf(m *softmax.Model, v *data.View, pen logits.Penalty, bias logits.Bias, scale func(int) float64) float64 {
	sum, scores := 0.0, make([]float64, m.Outputs())
	_, y := v.Target(0)
	for i := range v.Len() {
		copy(scores, m.Biases())
		for _, c := range m.Coefs() {
			scores[c.Output] += c.Value * v.Row(i).Keep([]int32{int32(c.Feature)}).Sum()
		}
		z := 0.0
		for _, s := range scores {
			z += math.Exp(s - scores[int(y[i])])
		}
		sum += v.Weights().Of(i) * math.Log(z)
	}
	toll := func(w float64) { sum += pen.L1*math.Abs(w) + pen.L2/2*w*w }
	for _, c := range m.Coefs() {
		toll(c.Value * scale(c.Feature))
	}
	if bias == logits.PenalizedBias {
		for _, b := range m.Biases() {
			toll(b)
		}
	}
	return sum
}

// Columns are centred where every bias is free, and nowhere else: a penalised bias, or none, does not follow them.
func TestCenteredOnlyWithFreeBiases(t *testing.T) {
	for _, c := range []struct {
		classes int
		bias    logits.Bias
		centred bool
	}{
		{2, logits.FreeBias, true}, {3, logits.FreeBias, true}, {2, logits.PenalizedBias, false}, {2, logits.NoBias, false},
		{9, logits.FreeBias, false}, // a class without rows, so that one bias is penalised
	} {
		p, err := logits.Read(farFromZero(c.classes), c.bias)
		if err != nil {
			t.Fatal(err)
		}
		q, err := p.Centered(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		if (q != p) != c.centred {
			t.Errorf("%d classes, bias %s: centred %v", c.classes, c.bias, q != p)
		}
	}
}
