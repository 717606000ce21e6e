package metric

import (
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/poisson"
	"tenfold/io/results"
)

// countMetrics returns the metrics that compare expected with true counts. The absolute and the squared error are those of numbers, and
// the log-likelihood has the name of that of classes.
func countMetrics() []Metric {
	m := func(name, doc string, better Direction, properties Properties, score func(o *Outcome) float64) Metric {
		return Metric{Name: name, Doc: doc, Better: better, Target: data.Count, Properties: properties, Score: score}
	}
	usual := func(m Metric) Metric { m.Usual = true; return m }
	const infinite = "a rate of 0 where something happened"
	return []Metric{
		usual(m("poisson_deviance", "mean Poisson deviance of the counts of the test rows from their expectations, 2(y log(y/μ) − y + μ); ∞ if a count above 0 is expected to be 0", Lower,
			Properties{RowLoss: results.PoissonLoss, Axis: "Poisson deviance on test rows", Infinite: infinite},
			func(o *Outcome) float64 { return o.Test.deviance() })),
		usual(m("d2", "1 − Poisson deviance / that of one rate for all test rows", Higher,
			Properties{Commensurable: true, Axis: "share of the deviance explained on test rows", None: "none where all test rows have one rate", Infinite: infinite},
			func(o *Outcome) float64 { return o.Test.explainedDeviance() })),
		m("train_poisson_deviance", "mean Poisson deviance on the training rows", Lower,
			Properties{Training: true, Axis: "Poisson deviance on training rows", Infinite: infinite},
			func(o *Outcome) float64 { return o.Train.deviance() }),
	}
}

// countLikelihood returns the log-likelihood of the counts, in nats.
func (s *Side) countLikelihood() (sum float64) {
	for i, y := range s.Truth {
		if w := s.weight(i); w > 0 {
			sum += float64(w * poisson.LogProbability(y, s.Prediction[i]))
		}
	}
	return sum
}

func (s *Side) deviance() float64 {
	return s.mean(func(i int) float64 { return poisson.Deviance(s.Truth[i], s.Prediction[i]) })
}

// explainedDeviance returns NaN, for undefined, if all counts are 0, or all rates are equal. Equal rates have a rate for all that may be
// another one by rounding.
func (s *Side) explainedDeviance() float64 {
	exposure := func(i int) float64 {
		if s.Exposure == nil {
			return 1
		}
		return s.Exposure[i]
	}
	lowest, highest, counts, exposed := math.Inf(1), math.Inf(-1), 0.0, 0.0
	for i, y := range s.Truth {
		w, t := s.weight(i), exposure(i)
		counts, exposed = counts+float64(w*y), exposed+float64(w*t)
		if w > 0 {
			lowest, highest = min(lowest, y/t), max(highest, y/t)
		}
	}
	if !(lowest < highest) {
		return math.NaN()
	}
	whole := Side{Truth: s.Truth, Weight: s.Weight, Prediction: slices.Clone(s.Truth)}
	for i := range whole.Prediction {
		whole.Prediction[i] = float64(counts / exposed * exposure(i))
	}
	return 1 - s.deviance()/whole.deviance()
}
