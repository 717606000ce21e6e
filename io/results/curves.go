package results

import (
	"math"
	"slices"

	"tenfold/engines/numeric/exact"
	"tenfold/engines/numeric/survival"
	"tenfold/io/sealed"
)

// CurvesFile holds what the training rows of survival targets say about test rows: one row per step.
const CurvesFile = "curves.parquet"

// Curve holds step functions of time, from a fold's training rows: from each time on, the probability of being uncensored, and the
// baseline hazard of the model, NaN if it has none. The last time is that of the last training row.
type Curve struct {
	Output     string
	Time       []float64 // rising
	Uncensored []float64
	Hazard     []float64
}

// Known returns the curve in the form in which metrics take it.
func (c Curve) Known() survival.Known {
	k := survival.Known{Censoring: survival.Steps{Time: c.Time, Value: c.Uncensored}}
	for q, t := range c.Time {
		if k.Last = t; c.Uncensored[q] > survival.KnownShare {
			k.Horizon = t
		}
	}
	if len(c.Hazard) > 0 && !slices.ContainsFunc(c.Hazard, math.IsNaN) {
		k.Baseline = &survival.Baseline{Time: exact.Floats(c.Time), Hazard: exact.Floats(c.Hazard)}
	}
	return k
}

// EventOf returns 1 if the time of row i of a survival target ended in the event, 0 if it is censored.
func (p *Predictions) EventOf(i int) int8 {
	if i < len(p.TruthLabel) && p.TruthLabel[i] == Event {
		return 1
	}
	return 0
}

// curveLine is a step of a curve.
type curveLine struct {
	key
	output                   string
	time, uncensored, hazard float64
}

func curveColumns() []sealed.Column[curveLine] {
	return append(keyColumns(func(l *curveLine) *key { return &l.key }),
		sealed.OptionalText("output", func(l *curveLine) *string { return &l.output }),
		sealed.Float("time", func(l *curveLine) *float64 { return &l.time }),
		sealed.Float("uncensored", func(l *curveLine) *float64 { return &l.uncensored }),
		sealed.Float("hazard", func(l *curveLine) *float64 { return &l.hazard }),
	)
}

// addCurves writes the curves of a unit; the first call makes the file.
func (w *runWriter) addCurves(k key, curves []Curve) (err error) {
	if len(curves) > 0 && w.curves == nil {
		if w.curves, err = newTable(w, CurvesFile, curveColumns()); err != nil {
			return err
		}
	}
	for _, c := range curves {
		for q, t := range c.Time {
			if err := w.curves.Add(curveLine{k, c.Output, t, c.Uncensored[q], c.Hazard[q]}); err != nil {
				return err
			}
		}
	}
	return nil
}

// curvesOf returns the curves of a row; none if predictions were not kept.
func (t *Tables) curvesOf(r *Row) (all []Curve, err error) {
	lines, err := t.curves.linesOf(r.key())
	for _, l := range lines {
		k := slices.IndexFunc(all, func(c Curve) bool { return c.Output == l.output })
		if k < 0 {
			k = len(all)
			all = append(all, Curve{Output: l.output})
		}
		c := &all[k]
		c.Time, c.Uncensored, c.Hazard = append(c.Time, l.time), append(c.Uncensored, l.uncensored), append(c.Hazard, l.hazard)
	}
	return all, err
}
