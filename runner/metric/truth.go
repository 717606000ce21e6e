package metric

import "math"

// Support counts the features that a model chose, those that are true, and those that are both.
type Support struct{ Chosen, True, Both int }

// Truth compares a model with the truth about its data: for one response by its coefficients, for all responses together by the
// features that any of them has.
type Truth struct{ Coefficients, Features Support }

// precision returns the share of the chosen features that are true; NaN if none was chosen.
func (s Support) precision() float64 { return share(s.Both, s.Chosen) }

// recall returns the share of the true features that were chosen.
func (s Support) recall() float64 { return share(s.Both, s.True) }

// wrong returns the number of chosen features that are not true.
func (s Support) wrong() int { return s.Chosen - s.Both }

// share returns part/whole, NaN if both are 0.
func share(part, whole int) float64 { return float64(part) / float64(whole) }

// selection returns the metrics of what a model selects, if the truth is known. Those of coefficients are for one response, and
// averaged over responses; those of features are for all responses together.
func selection() []Metric {
	m := func(name, axis, doc string, overall bool, score func(t *Truth) float64) Metric {
		properties := Properties{Commensurable: true, Axis: axis, None: "none where the truth is not known, or shares are of no feature"}
		return Metric{Name: name, Doc: doc + ", where the truth is known", Better: Higher, Needs: KnownTruth, overall: overall, choice: true, Properties: properties, Score: func(o *Outcome) float64 {
			if o.Truth == nil {
				return math.NaN()
			}
			return score(o.Truth)
		}}
	}
	wrong := func(name, axis, doc string, count func(s Support) float64) Metric {
		w := m(name, axis, doc, true, func(t *Truth) float64 { return count(t.Features) })
		w.Better = Lower
		return w
	}
	return []Metric{
		m("coefficient_precision", "precision of the selected coefficients", "true coefficients among those chosen for a response (undefined without any)", false, func(t *Truth) float64 { return t.Coefficients.precision() }),
		m("coefficient_recall", "recall of the true coefficients", "chosen coefficients among the true ones of a response", false, func(t *Truth) float64 { return t.Coefficients.recall() }),
		m("feature_precision", "precision of the selected features", "features that some response truly has among those chosen for some response", true, func(t *Truth) float64 { return t.Features.precision() }),
		wrong("fdp", "false discovery proportion", "features that no response truly has among those chosen for some response (0 without any)", func(s Support) float64 { return float64(s.wrong()) / float64(max(1, s.Chosen)) }),
		wrong("false_discoveries", "features selected by mistake", "chosen features that no response truly has", func(s Support) float64 { return float64(s.wrong()) }),
		m("feature_recall", "recall of the true features", "chosen features among those that some response truly has", true, func(t *Truth) float64 { return t.Features.recall() }),
	}
}

// Overall reports whether the metric is for all responses together, so that each has the same value.
func (m Metric) Overall() bool { return m.overall }
