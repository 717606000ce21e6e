package metric

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/numeric/survival"
	"tenfold/io/results"
)

const withoutBaseline = "none of models without a baseline hazard"

// survivalMetrics returns the metrics that compare predicted risks with times, some of them censored.
func survivalMetrics() []Metric {
	m := func(name, doc string, better Direction, properties Properties, score func(o *Outcome) float64) Metric {
		return Metric{Name: name, Doc: doc, Better: better, Target: data.Survival, Properties: properties, Score: score}
	}
	usual := func(m Metric) Metric { m.Usual = true; return m }
	both := func(m Metric) Metric { m.Both = true; return m }
	const pairs = "none without a pair of test rows that can be compared"
	return []Metric{
		usual(m("concordance", "share of the comparable pairs of test rows whose risks are ordered as their times (Harrell's C; 0.5 by chance)", Higher,
			Properties{Commensurable: true, Axis: "concordance of test rows", None: pairs},
			func(o *Outcome) float64 { return concordance(&o.Test) })),
		m("train_concordance", "Harrell's C on the training rows", Higher,
			Properties{Training: true, Commensurable: true, Axis: "concordance of training rows", None: "none without a pair of training rows that can be compared"},
			func(o *Outcome) float64 { return concordance(&o.Train) }),
		both(m("uno_concordance", "concordance of test rows, pairs weighted by the inverse of the squared probability to be uncensored yet (Uno's C)", Higher,
			Properties{Commensurable: true, Axis: "concordance of test rows, weighted by censoring", None: pairs}, unoConcordance)),
		usual(both(m("integrated_brier", "mean over time of the squared distance between predicted survival and what happened, weighted for censoring; of engines with a baseline hazard", Lower,
			Properties{RowLoss: results.IntegratedBrierLoss, Commensurable: true, Axis: "integrated Brier score", None: withoutBaseline}, integratedBrier))),
		both(m("integrated_auc", "mean over the times of events of the probability that a test row with an event by then has a higher risk than one without, weighted for censoring (cumulative/dynamic AUC; 0.5 by chance)", Higher,
			Properties{Commensurable: true, Axis: "integrated AUC over time", None: pairs},
			func(o *Outcome) float64 {
				k := o.known()
				return survival.IntegratedAUC(o.Test.Truth, o.Test.Events, o.Test.Weight, k.Censoring, k.Horizon, o.Test.Prediction)
			})),
		both(m("partial_log_likelihood", "what the test rows add to the logarithm of the partial likelihood of the training rows (Verweij & van Houwelingen 1993)", Higher,
			Properties{Axis: "cross-validated log partial likelihood"}, addedLikelihood)),
	}
}

// atTimes holds the metrics of survival at one time, by the part of their name before the colon.
var atTimes = map[string]func(t float64, name string) Metric{
	"auc": func(t float64, name string) Metric {
		return Metric{Doc: "probability that a test row with an event by the time " + name + " has a higher risk than one without, weighted for censoring (cumulative/dynamic AUC)", Better: Higher,
			Properties: Properties{Commensurable: true, Axis: "AUC at time " + name, None: "none beyond the last training time, nor without a pair of test rows that can be compared"},
			Score: func(o *Outcome) float64 {
				k := o.known()
				if t > k.Last {
					return math.NaN()
				}
				return survival.AUC(o.Test.Truth, o.Test.Events, o.Test.Weight, k.Censoring, t, o.Test.Prediction)
			}}
	},
	"brier": func(t float64, name string) Metric {
		return Metric{Doc: "squared distance between predicted survival at the time " + name + " and what happened, weighted for censoring; of engines with a baseline hazard", Better: Lower,
			Properties: Properties{Commensurable: true, Axis: "Brier score at time " + name, None: withoutBaseline + ", nor beyond the last training time"},
			Score: func(o *Outcome) float64 {
				k := o.known()
				if k.Baseline == nil || t > k.Last {
					return math.NaN()
				}
				return survival.Brier(o.Test.Truth, o.Test.Events, o.Test.Weight, k.Censoring, t, func(i int) float64 { return k.Baseline.Survival(t, o.Test.Prediction[i]) })
			}}
	},
	"calibration": func(t float64, name string) Metric {
		return Metric{Doc: "how far the mean predicted survival at the time " + name + " is from the Kaplan-Meier estimate of the test rows; of engines with a baseline hazard", Better: Lower,
			Properties: Properties{Commensurable: true, Axis: "miscalibration at time " + name, None: withoutBaseline + ", nor beyond the last training time"},
			Score: func(o *Outcome) float64 {
				return o.known().Miscalibration(o.Test.Truth, o.Test.Events, o.Test.Weight, o.Test.Prediction, t)
			}}
	},
}

// atTime returns the metric of survival at one time that a name such as auc:5 means.
func atTime(name string) (Metric, bool) {
	kind, text, _ := strings.Cut(name, ":")
	define := atTimes[kind]
	t, err := strconv.ParseFloat(text, 64)
	if define == nil || err != nil || !(t > 0) || math.IsInf(t, 0) {
		return Metric{}, false
	}
	m := define(t, text)
	m.Name, m.Target, m.Both = name, data.Survival, true
	return m, true
}

// deriveAtTime computes such a metric from stored predictions and curves.
func deriveAtTime(name string, o *results.Outcome) (out []results.Score) {
	m, ok := atTime(name)
	if !ok {
		return nil
	}
	for _, curve := range o.Predictions.Curves {
		known := curve.Known()
		outcome := Outcome{Type: data.Survival, Known: &known}
		p := &o.Predictions
		for i, output := range p.Output {
			if output != curve.Output {
				continue
			}
			outcome.Test.Truth, outcome.Test.Prediction = append(outcome.Test.Truth, p.Truth[i]), append(outcome.Test.Prediction, p.Prediction[i])
			outcome.Test.Events = append(outcome.Test.Events, p.EventOf(i))
			if i < len(p.Weight) {
				outcome.Test.Weight = append(outcome.Test.Weight, p.Weight[i])
			}
		}
		if v := m.Score(&outcome); v == v {
			out = append(out, results.Score{Metric: name, Output: curve.Output, Point: -1, Value: v, Higher: bool(m.Better)})
		}
	}
	return out
}

// known returns what metrics of the test rows need to know of the training rows.
func (o *Outcome) known() survival.Known {
	if o.Known != nil {
		return *o.Known
	}
	return survival.KnownOf(o.Train.Truth, o.Train.Events, o.Train.Weight, o.Baseline)
}

// CurveOf returns what is stored of that for metrics at any time: the steps of the probability of being uncensored and of the
// baseline hazard.
func CurveOf(o *Outcome, output string) results.Curve {
	k := o.known()
	times := append(slices.Clone(k.Censoring.Time), k.Horizon, k.Last)
	if k.Baseline != nil {
		times = append(times, k.Baseline.Time...)
	}
	slices.Sort(times)
	c := results.Curve{Output: output, Time: slices.Compact(times)}
	for _, t := range c.Time {
		hazard := math.NaN()
		if k.Baseline != nil && k.Baseline.Of == 0 { // otherwise its values are not representable as numbers
			hazard = k.Baseline.At(t)
		}
		c.Uncensored, c.Hazard = append(c.Uncensored, k.Censoring.At(t)), append(c.Hazard, hazard)
	}
	return c
}

func concordance(s *Side) float64 {
	return survival.Concordance(s.Truth, s.Events, s.Prediction, s.Weight, nil)
}

// unoConcordance weighs pairs by 1/G(t−)² with G of the training rows (Uno, Cai, Pencina, D'Agostino & Wei 2011); rows with G = 0
// are left out.
func unoConcordance(o *Outcome) float64 {
	g := o.known().Censoring
	return survival.Concordance(o.Test.Truth, o.Test.Events, o.Test.Prediction, o.Test.Weight, func(i int) float64 {
		censoring := g.Before(o.Test.Truth[i])
		if censoring == 0 {
			return 0
		}
		return 1 / (censoring * censoring)
	})
}

// integratedBrier returns the mean over rows of their Brier losses over time. NaN for models without a baseline hazard.
func integratedBrier(o *Outcome) float64 {
	losses := o.known().BrierLosses(o.Test.Truth, o.Test.Events, o.Test.Prediction)
	if losses == nil {
		return math.NaN()
	}
	return o.Test.mean(func(i int) float64 { return losses[i] })
}

// addedLikelihood returns the log partial likelihood of training and test rows together less that of the training rows, both at the
// predictions. The test rows alone would be compared with few others.
func addedLikelihood(o *Outcome) float64 {
	log := func(sides ...*Side) float64 {
		var times, eta, weight []float64
		var events []int8
		for _, s := range sides {
			times, eta, events = append(times, s.Truth...), append(eta, s.Prediction...), append(events, s.Events...)
			weight = append(weight, s.Weight...)
		}
		l, err := survival.NewLikelihood(times, events, weight, true)
		if err != nil { // there is no event
			return math.NaN()
		}
		return l.Log(eta)
	}
	return log(&o.Train, &o.Test) - log(&o.Train)
}
