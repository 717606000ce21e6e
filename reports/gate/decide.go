package gate

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"tenfold/io/results"
	"tenfold/reports/paired"
)

// compare fills in the difference to a reference, and what the rule's test says of it.
func (v Verdict) compare(r Rule, margin paired.Margin, present, reference sample) Verdict {
	v.Reference = Value{orNone(reference.mean), reference.se}
	if err := comparable(present, reference); err != nil {
		return v.settle(Incomparable, "%s", err)
	}
	v.Difference = present.mean - reference.mean
	m, err := allowed(margin, reference.mean)
	switch {
	case err != nil && v.Difference != 0:
		return v.settle(Incomparable, "%s", err)
	case !results.Finite(v.Difference) || !results.Finite(m):
		return v.settle(Incomparable, "the numbers are too large to compare")
	}
	v.Margin = m
	by := paired.TestNamed(r.Test)
	if by == nil {
		return v
	}
	t, err := test(by, present, reference)
	if err != nil {
		return v.settle(Incomparable, "%s", err)
	}
	v.Test, v.Difference = r.Test, t.Mean
	if t.Constant && results.Finite(t.Mean) {
		return v // it decides by itself
	}
	v.PWorse, v.PBetter, v.PWithin = t.Below(0), t.Above(0), t.NotWorse(m, present.higher)
	if !present.higher {
		v.PWorse, v.PBetter = v.PBetter, v.PWorse
	}
	if !results.Finite(t.Mean + v.PWorse + v.PBetter + v.PWithin) {
		return v.untested().settle(Incomparable, "the numbers are too large to compare")
	}
	v.least = least(by, t.Differ)
	if t.Differ > 0 && float64(t.Direction())*t.Mean < 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("%s goes by ranks or signs, and the mean points the other way", by.Name))
	}
	if 2*r.Alpha < 1 { // the tests here are one-sided
		v.Detectable = orNone(t.Detectable(2*r.Alpha, 0.8))
	}
	return v
}

// untested is the verdict without what a test said.
func (v Verdict) untested() Verdict {
	v.Difference, v.PWorse, v.PBetter, v.PWithin = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	return v
}

// defaultMargin forgives rounding.
const defaultMargin = 1e-9

// rounding is the default margin in units of the metric. Of a reference that is 0, such as a perfect error, there is no
// share: it is then as of 1.
func rounding(reference float64) float64 {
	return float64(defaultMargin * math.Abs(cmp.Or(reference, 1)))
}

// errZero is that of a margin which would be 0.
var errZero = errors.New("relative margin of a reference that is 0: use absolute")

// allowed is a margin in units of the metric.
func allowed(m paired.Margin, reference float64) (float64, error) {
	switch {
	case !m.Given():
		return rounding(reference), nil
	case m.Relative != nil && reference == 0:
		return 0, errZero
	}
	return m.Of(reference), nil
}

// orDefault is the margin, or the default where none is given.
func orDefault(m paired.Margin) paired.Margin {
	if share := defaultMargin; !m.Given() {
		m.Relative = &share
	}
	return m
}

// decide is the gate's law.
//
//	with a test     improvement   shown better
//	                pass          shown to be within the margin
//	                regression    shown worse
//	                inconclusive  neither
//	without a test, or where all folds differ alike
//	                regression    worse by more than the margin
//	                improvement   better by more than the margin
//	                pass          otherwise
//
// Shown means at level alpha, worse and better after Holm's adjustment over the cells of the rule. Within the margin is not
// adjusted: every cell has to show it, which makes no false pass likelier (Berger 1982, Technometrics 24). Better than
// another algorithm is a pass: there is nothing to accept. Bounds hold besides.
func (v *Verdict) decide(r Rule) {
	if v.Status == "" {
		v.weigh(r)
	}
	switch mean := v.Present.Mean; {
	case r.Min != nil && mean < *r.Min:
		v.bound("below the minimum", *r.Min)
	case r.Max != nil && mean > *r.Max:
		v.bound("above the maximum", *r.Max)
	}
}

// weigh decides by the difference to the reference.
func (v *Verdict) weigh(r Rule) {
	worse := v.Difference
	if v.Higher {
		worse = -worse
	}
	better := Improvement
	if v.Against != "" {
		better = Pass
	}
	v.Status = Pass
	switch tested := !math.IsNaN(v.PWorse); {
	case math.IsNaN(v.Difference): // bounds alone
	case tested && v.PBetter <= v.Alpha:
		v.Status = better
	case tested && v.PWithin <= v.Alpha:
	case tested && v.PWorse <= v.Alpha:
		v.Status = Regression
	case tested:
		v.Status, v.Tolerated = Inconclusive, r.Inconclusive == "pass"
	case worse > v.Margin:
		v.Status = Regression
	case worse < -v.Margin:
		v.Status = better
	}
	v.explain(worse)
}

func (v *Verdict) bound(what string, limit float64) {
	if v.Status != Pass {
		v.Notes = append(v.Notes, v.Words)
	}
	v.Status, v.Words = Regression, fmt.Sprintf("%s of %s", what, short(limit))
}
