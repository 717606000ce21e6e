package metric

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/results"
)

// fromPredictions returns the metric with a parameter that a name means, of those that follow from the truth and the prediction of each
// test row: kappa:linear, kappa:quadratic, quantile:Q.
func fromPredictions(name string) (Metric, bool) {
	kind, parameter, _ := strings.Cut(name, ":")
	switch kind {
	case "kappa":
		power := slices.Index([]string{"linear", "quadratic"}, parameter) + 1
		return weightedKappa(name, power), power > 0
	case "quantile":
		q, err := strconv.ParseFloat(parameter, 64)
		return quantileLoss(name, q), err == nil && q > 0 && q < 1
	}
	return Metric{}, false
}

// weightedKappa returns kappa of levels in their order, with disagreements |i − j| to a power.
func weightedKappa(name string, power int) Metric {
	return Metric{
		Name: name, Doc: "Cohen's kappa of ordered levels, in which a prediction further from the truth counts more", Better: Higher, Target: data.Class,
		Properties: Properties{Commensurable: true, Axis: "weighted kappa on test rows", None: "none where all test rows have one class"},
		Counts:     func(c Confusion, _ int) float64 { return c.weightedKappa(power) },
	}.fromCounts()
}

// weightedKappa returns 1 − Σ o_ij d_ij / Σ e_ij d_ij, where d_ij = |i − j|^power, o_ij is the weight of the rows of level i predicted as j, and
// e_ij = r_i c_j / n what chance gives (Cohen 1968, Weighted kappa); NaN if all rows are of one level.
func (c Confusion) weightedKappa(power int) float64 {
	all, _, _, _, _, vary := c.marginals()
	if !vary {
		return math.NaN()
	}
	observed, expected := 0.0, 0.0
	for i := range c {
		for j := range c {
			d := math.Abs(float64(i - j))
			if power == 2 {
				d *= d
			}
			observed += float64(d * c[i][j])
			expected += float64(d * c.row(i) * (c.column(j) / all))
		}
	}
	return 1 - observed/expected
}

// quantileLoss returns the loss whose mean is smallest at the q-quantile: q of what a prediction is too low, 1 − q of what it is too high
// (Koenker & Bassett 1978, Regression quantiles).
func quantileLoss(name string, q float64) Metric {
	return Metric{
		Name: name, Doc: "mean over test rows of q · (truth − prediction), or (1 − q) · (prediction − truth), whichever is above 0", Better: Lower, Target: data.Real,
		Properties: Properties{Axis: fmt.Sprintf("loss of the %v-quantile on test rows", q)},
		Score: func(o *Outcome) float64 {
			return o.Test.mean(func(i int) float64 {
				d := o.Test.Truth[i] - o.Test.Prediction[i]
				return max(float64(q*d), float64((q-1)*d))
			})
		},
	}
}

// deriveFromPredictions computes such a metric from stored predictions, for every output of its type of target, and of several their mean.
func deriveFromPredictions(m Metric, p *results.Predictions) (out []results.Score) {
	sides, levels, outputs := map[string]*Side{}, map[string][]string{}, []string{}
	for i, output := range p.Output {
		if targetOf(p, i) != m.Target {
			continue
		}
		s := sides[output]
		if s == nil {
			s = &Side{}
			sides[output], outputs = s, append(outputs, output)
		}
		s.Truth, s.Prediction = append(s.Truth, p.Truth[i]), append(s.Prediction, p.Prediction[i])
		if i < len(p.Weight) {
			s.Weight = append(s.Weight, p.Weight[i])
		}
		if m.Target == data.Class {
			names := levels[output]
			for k, name := range map[int]string{int(p.Truth[i]): p.TruthLabel[i], int(p.Prediction[i]): p.PredictionLabel[i]} {
				names = append(names, make([]string, max(0, k+1-len(names)))...)
				names[k] = name
			}
			levels[output] = names
		}
	}
	sum := 0.0
	for _, output := range outputs {
		if v := m.Score(&Outcome{Type: m.Target, Levels: levels[output], Test: *sides[output]}); v == v {
			sum += v
			out = append(out, results.Score{Metric: m.Name, Output: output, Point: -1, Value: v, Higher: bool(m.Better)})
		}
	}
	if len(outputs) > 1 && len(out) > 0 {
		out = append(out, results.Score{Metric: m.Name, Point: -1, Value: sum / float64(len(out)), Higher: bool(m.Better)})
	}
	return out
}

// targetOf returns the type of the target that row i of predictions is of: rows of classes have two labels, those of times one, of the truth.
func targetOf(p *results.Predictions, i int) data.Type {
	switch {
	case i >= len(p.TruthLabel) || p.TruthLabel[i] == "":
		return data.Real
	case p.PredictionLabel[i] == "":
		return data.Survival
	}
	return data.Class
}
