package metric

import (
	"math"
	"slices"

	"tenfold/engines/core/survival"
	"tenfold/engines/data"
)

// survivalMetrics compare predicted risks with times, some of them censored.
func survivalMetrics() []Metric {
	m := func(name, doc string, better Direction, of Properties, score func(o *Outcome) float64) Metric {
		return Metric{Name: name, Doc: doc, Better: better, Target: data.Survival, Properties: of, Score: score}
	}
	usual := func(m Metric) Metric { m.Usual = true; return m }
	both := func(m Metric) Metric { m.Both = true; return m }
	return []Metric{
		usual(m("concordance", "share of the comparable pairs of test rows whose risks are ordered as their times (Harrell's C; 0.5 by chance)", Higher,
			Properties{Commensurable: true, Axis: "concordance of test rows"},
			func(o *Outcome) float64 { return concordance(&o.Test) })),
		m("train_concordance", "Harrell's C on the training rows", Higher,
			Properties{Training: true, Commensurable: true, Axis: "concordance of training rows"},
			func(o *Outcome) float64 { return concordance(&o.Train) }),
		both(m("uno_concordance", "concordance of test rows, pairs weighted by the inverse of the squared probability to be uncensored yet (Uno's C)", Higher,
			Properties{Commensurable: true, Axis: "concordance of test rows, weighted by censoring"}, unoConcordance)),
		usual(both(m("integrated_brier", "mean over time of the squared distance between predicted survival and what happened, weighted for censoring; of engines with a baseline hazard", Lower,
			Properties{Commensurable: true, Axis: "integrated Brier score"}, integratedBrier))),
		both(m("partial_log_likelihood", "what the test rows add to the logarithm of the partial likelihood of the training rows (Verweij & van Houwelingen 1993)", Higher,
			Properties{Axis: "cross-validated log partial likelihood"}, addedLikelihood)),
	}
}

func concordance(s *Side) float64 {
	if s.Weight == nil {
		return survival.Concordance(s.Truth, s.Events, s.Prediction, nil)
	}
	return survival.Concordance(s.Truth, s.Events, s.Prediction, s.weight)
}

// unoConcordance weighs pairs by 1/G(t−)² with G of the training rows (Uno, Cai, Pencina, D'Agostino & Wei 2011); rows with G = 0 are
// left out.
func unoConcordance(o *Outcome) float64 {
	g := survival.CensoringFunction(o.Train.Truth, o.Train.Events, o.Train.Weight)
	return survival.Concordance(o.Test.Truth, o.Test.Events, o.Test.Prediction, func(i int) float64 {
		at := g.Before(o.Test.Truth[i])
		if at == 0 {
			return 0
		}
		return o.Test.weight(i) / (at * at)
	})
}

// knownShare is the probability to be uncensored yet that a time must have for its Brier score to count.
const knownShare = 0.1

// integratedBrier is the mean of Brier scores over the range of the distinct test times, by trapezoids, up to the last time at which
// more than a tenth of the training rows were not censored yet. NaN for models without a baseline hazard.
func integratedBrier(o *Outcome) float64 {
	if o.Baseline == nil {
		return math.NaN()
	}
	g := survival.CensoringFunction(o.Train.Truth, o.Train.Events, o.Train.Weight)
	horizon := 0.0
	for _, t := range o.Train.Truth {
		if g.At(t) > knownShare {
			horizon = max(horizon, t)
		}
	}
	times := slices.Clone(o.Test.Truth)
	slices.Sort(times)
	times = slices.DeleteFunc(slices.Compact(times), func(t float64) bool { return t > horizon })
	return integrate(times, func(t float64) float64 {
		return survival.Brier(o.Test.Truth, o.Test.Events, o.Test.Weight, g, t, func(i int) float64 {
			return o.Baseline.Survival(t, o.Test.Prediction[i])
		})
	})
}

// integrate a function over times by trapezoids, as a share of their range; NaN for fewer than two.
func integrate(times []float64, of func(t float64) float64) float64 {
	if len(times) < 2 {
		return math.NaN()
	}
	sum, before := 0.0, of(times[0])
	for k := 1; k < len(times); k++ {
		at := of(times[k])
		sum += float64((before + at) / 2 * (times[k] - times[k-1]))
		before = at
	}
	return sum / (times[len(times)-1] - times[0])
}

// addedLikelihood is the logarithm of the partial likelihood of training and test rows together less that of the training rows, both at
// the predictions: test rows alone would be compared with few others.
func addedLikelihood(o *Outcome) float64 {
	log := func(sides ...*Side) float64 {
		var times, eta, weight []float64
		var events []int8
		for _, s := range sides {
			times, eta, events = append(times, s.Truth...), append(eta, s.Prediction...), append(events, s.Events...)
			weight = append(weight, s.Weight...)
		}
		l, err := survival.NewLikelihood(times, events, weight, true)
		if err != nil { // no event at all
			return math.NaN()
		}
		return l.Log(eta)
	}
	return log(&o.Train, &o.Test) - log(&o.Train)
}
