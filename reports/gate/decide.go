package gate

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"tenfold/io/results"
	"tenfold/reports/paired"
)

// decide sets the status by the decision rule of the gate.
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
// Shown means at level alpha; p-values of worse and better are adjusted by Holm's method over the cells of the rule. Those of
// within the margin are not: every cell has to show it, which makes no false pass likelier (Berger 1982, Technometrics 24).
// Better than another algorithm is a pass, since there is nothing to accept. Bounds are checked in addition.
func (v *Verdict) decide(r Rule) {
	if v.Status == "" {
		v.decideDifference(r)
	}
	switch mean := v.Present.Mean; {
	case r.Min != nil && mean < *r.Min:
		v.failBound("below the minimum", *r.Min)
	case r.Max != nil && mean > *r.Max:
		v.failBound("above the maximum", *r.Max)
	}
}

// decideDifference decides by the difference to the reference.
func (v *Verdict) decideDifference(r Rule) {
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
	v.setWords(worse)
}

func (v *Verdict) failBound(what string, limit float64) {
	if v.Status != Pass {
		v.Notes = append(v.Notes, v.Words)
	}
	v.Status, v.Tolerated, v.Words = Regression, false, fmt.Sprintf("%s of %s", what, shortText(limit))
}

// compareWith fills in the difference to a reference, and the result of the rule's test.
func (v Verdict) compareWith(r Rule, margin paired.Margin, present, reference sample) Verdict {
	v.Reference = Value{finiteOrNaN(reference.mean), reference.se, reference.marks}
	if err := checkComparable(present, reference); err != nil {
		return v.withStatus(Incomparable, "%s", err)
	}
	v.Difference = present.mean - reference.mean
	allowed, err := absoluteMargin(margin, reference.mean)
	switch {
	case err != nil && v.Difference != 0:
		return v.withStatus(Incomparable, "%s", err)
	case !results.Finite(v.Difference) || !results.Finite(allowed):
		return v.withStatus(Incomparable, "the numbers are too large to compare")
	}
	v.Margin = allowed
	test := paired.TestNamed(r.Test)
	if test == nil {
		return v
	}
	result, err := testSamples(test, present, reference)
	if err != nil {
		return v.withStatus(Incomparable, "%s", err)
	}
	v.Test, v.Difference = r.Test, result.Mean
	if result.Constant && results.Finite(result.Mean) {
		return v // all differences are equal: decideDifference compares the mean with the margin
	}
	v.PWorse, v.PBetter, v.PWithin = result.Below(0), result.Above(0), result.NotWorse(allowed, present.higher)
	if !present.higher {
		v.PWorse, v.PBetter = v.PBetter, v.PWorse
	}
	if !results.Finite(result.Mean + v.PWorse + v.PBetter + v.PWithin) {
		return v.withoutTest().withStatus(Incomparable, "the numbers are too large to compare")
	}
	v.smallestP = smallestP(test, result.Differ)
	if result.Differ > 0 && float64(result.Direction())*result.Mean < 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("%s goes by ranks or signs, and the mean points the other way", test.Name))
	}
	if 2*r.Alpha < 1 { // the tests here are one-sided
		v.Detectable = finiteOrNaN(result.Detectable(2*r.Alpha, 0.8))
	}
	return v
}

// withoutTest returns the verdict without the results of a test.
func (v Verdict) withoutTest() Verdict {
	v.Difference, v.PWorse, v.PBetter, v.PWithin = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	return v
}

// defaultMargin is the relative margin of a rule without one; it allows for rounding.
const defaultMargin = 1e-9

// roundingMargin returns the default margin in units of the metric. A reference of 0, such as a perfect error, has no relative
// margin: it counts as 1.
func roundingMargin(reference float64) float64 {
	return float64(defaultMargin * math.Abs(cmp.Or(reference, 1)))
}

// errZeroMargin is the error of a margin that would be 0.
var errZeroMargin = errors.New("relative margin of a reference that is 0: use absolute")

// absoluteMargin converts a margin to units of the metric.
func absoluteMargin(m paired.Margin, reference float64) (float64, error) {
	switch {
	case !m.Given():
		return roundingMargin(reference), nil
	case m.Relative != nil && reference == 0:
		return 0, errZeroMargin
	}
	return m.Of(reference), nil
}

// marginOrDefault returns the margin, or the default if none is given.
func marginOrDefault(m paired.Margin) paired.Margin {
	if share := defaultMargin; !m.Given() {
		m.Relative = &share
	}
	return m
}
