package enginetest

import (
	"context"
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/poisson"
)

// Divide divides the rows of a run for tests: row i is held out by fold i modulo k. Numbers are compared by the mean squared error, classes
// by log-loss, or else accuracy, times by the share of pairs in order, and counts by their mean deviance. Of several targets it measures the first.
func Divide(_ context.Context, run engines.Run, o engines.InnerFolds, _ uint64) (engines.Validation, error) {
	fold := make([]int, run.Train.Len())
	for i := range fold {
		fold[i] = i % o.K
	}
	return DivideBy(run.Train, fold), nil
}

// DivideBy divides rows as Divide does, with the fold that holds out each row.
func DivideBy(v *data.View, fold []int) (out engines.Validation) {
	for f := range max(2, maxOf(fold)+1) {
		var train, held []int32
		for i, number := range fold {
			if number == f {
				held = append(held, int32(i))
			} else {
				train = append(train, int32(i))
			}
		}
		out.Folds = append(out.Folds, engines.HeldOut{Train: v.Subsample(train), Held: v.Sub(held)})
	}
	switch v.TargetInfo(0).Type {
	case data.Class:
		out.Metrics = []engines.InnerMetric{{Name: "log_loss", ByRow: true}, {Name: "accuracy", Higher: true, ByRow: true}}
	case data.Survival:
		out.Metrics = []engines.InnerMetric{{Name: "concordance", Higher: true}}
	case data.Count:
		out.Metrics = []engines.InnerMetric{{Name: "poisson_deviance", ByRow: true}}
	default:
		out.Metrics = []engines.InnerMetric{{Name: "test_mse", ByRow: true}}
	}
	out.Measure = func(m engines.Model, _, held *data.View) ([]float64, error) { return measure(m, held), nil }
	return out
}

func maxOf(fold []int) (largest int) {
	for _, f := range fold {
		largest = max(largest, f)
	}
	return largest
}

// measure returns the metrics of Divide.
func measure(m engines.Model, held *data.View) []float64 {
	s, width := scores(m, held), m.Outputs()
	_, y := held.Target(0)
	n := float64(len(y))
	info := held.TargetInfo(0)
	r, ok := m.(engines.Reporter)
	loss, right, squares := 0.0, 0.0, 0.0
	ordered, pairs := 0.0, 0.0
	for i := range y {
		row := s[i*width:]
		switch info.Type {
		case data.Class:
			best := 0
			for k := range info.Levels {
				if row[k] > row[best] {
					best = k
				}
			}
			if loss -= row[int(y[i])]; best == int(y[i]) {
				right++
			}
		case data.Survival:
			for k := range y {
				if y[i] < y[k] && held.Events(0)[i] == 1 {
					if pairs++; row[0] > s[k*width] {
						ordered++
					}
				}
			}
		case data.Count:
			exposure := 1.0
			if e := held.Exposures(); e != nil {
				exposure = e[i]
			}
			loss += poisson.Deviance(y[i], float64(exposure*elementary.Exp(row[0])))
		default:
			squares += float64((row[0] - y[i]) * (row[0] - y[i]))
		}
	}
	switch info.Type {
	case data.Class:
		if !ok || !r.Fitted().Probabilities {
			loss = math.NaN()
		}
		return []float64{loss / n, right / n}
	case data.Count:
		return []float64{loss / n}
	case data.Survival:
		return []float64{ordered / pairs}
	}
	return []float64{squares / n}
}
