package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Status is the result of a rule for a metric of a cell.
type Status string

// Statuses.
const (
	Pass            Status = "pass"             // not worse than the margin allows: shown so if there is a test
	Improvement     Status = "improvement"      // better than recorded, and worth accepting
	ExpectedFailure Status = "expected_failure" // would not pass, and the baseline says why it need not
	Inconclusive    Status = "inconclusive"     // neither shown worse nor shown to be within the margin
	Regression      Status = "regression"       // worse, or not within min and max
	Incomparable    Status = "incomparable"     // measured on other rows, or by another protocol
	Incomplete      Status = "incomplete"       // not measured, or not recorded
)

// Verdict is on one metric of one cell under one rule. Numbers that do not exist are NaN.
type Verdict struct {
	Rule                       int    // index in Input.Rules; −1 without one
	Dataset, Algorithm, Metric string // exact labels; empty if a rule finds no cell, or a recorded cell has no rule
	Status                     Status
	Tolerated                  bool // inconclusive, and the rule lets that pass
	Measured                   bool // Present has a number for all folds
	Present, Reference         Value
	Against                    string  // label of the algorithm that is the reference; empty for the baseline
	Higher                     bool    // more is better
	Difference                 float64 // present minus reference
	Margin                     float64 // how much worse is allowed, in the metric's units, at least 0
	Test                       string  // empty for none
	Alpha                      float64
	// One-sided p-values of the hypotheses that the present is not worse (adjusted by Holm's method for the cells of the rule),
	// that it is not better (likewise), and that it is worse by more than the margin.
	PWorse, PBetter, PWithin float64
	Detectable               float64 // true difference that the test finds with probability 0.8
	Words                    string  // why it has this status
	Notes                    []string
	Reason                   string // of an expected failure

	reference labelledCell // of a rule with against, if it was measured
	smallestP float64      // the smallest p-value that the test could have, whatever the differences are
}

// Value is a mean over folds with its standard error, and the marks of the cell (cells.Caveats).
type Value struct {
	Mean, SE float64
	Marks    string
}

func noValue() Value { return Value{Mean: math.NaN(), SE: math.NaN()} }

// Fails reports whether the verdict fails the gate.
func (v *Verdict) Fails() bool {
	switch v.Status {
	case Regression, Incomparable, Incomplete:
		return true
	case Inconclusive:
		return !v.Tolerated
	}
	return false
}

// Outcome is the result of a check.
type Outcome struct {
	Experiment string
	Verdicts   []Verdict // by rule, then in the order of the cells; recorded cells that are gone come last
	Notes      []string
	Warnings   []string // ways in which the rules became weaker since the baseline was accepted
	Strict     bool     // warnings fail the gate
	Fits       Fits
	Legend     []string // of the marks of numbers
}

// Worst returns the status of the whole: Regression if something is worse (or inconclusive and not tolerated), else Incomplete if
// something cannot be decided, nothing was measured, or there is a warning and Strict, else Pass.
func (o *Outcome) Worst() Status {
	worst, measured := Pass, false
	for i := range o.Verdicts {
		v := &o.Verdicts[i]
		measured = measured || v.Measured
		switch {
		case !v.Fails():
		case v.Status == Regression || v.Status == Inconclusive:
			return Regression
		default:
			worst = Incomplete
		}
	}
	if !measured || o.Strict && len(o.Warnings) > 0 {
		return Incomplete
	}
	return worst
}

// FailureReason says why the gate fails if no verdict fails it.
func (o *Outcome) FailureReason() string {
	if slices.ContainsFunc(o.Verdicts, func(v Verdict) bool { return v.Measured }) {
		return "the gate lets more pass than when the baseline was accepted: " + strings.Join(o.Warnings, "; ")
	}
	return "nothing was measured"
}

// Count counts the verdicts by status.
func (o *Outcome) Count() map[Status]int {
	n := map[Status]int{}
	for i := range o.Verdicts {
		n[o.Verdicts[i].Status]++
	}
	return n
}

// newVerdict returns a verdict on a cell, with all numbers NaN.
func (r indexedRule) newVerdict(p labelledCell) Verdict {
	nan := math.NaN()
	return Verdict{Rule: r.index, Dataset: p.dataset, Algorithm: p.algorithm, Metric: r.Metric,
		Present: noValue(), Reference: noValue(), Difference: nan, Margin: nan, Alpha: r.Alpha,
		PWorse: nan, PBetter: nan, PWithin: nan, Detectable: nan}
}

// withStatus returns the verdict with a status and the reason for it.
func (v Verdict) withStatus(s Status, format string, args ...any) Verdict {
	v.Status, v.Words = s, fmt.Sprintf(format, args...)
	return v
}
