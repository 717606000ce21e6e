package gate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/paired"
)

// marginText formats a margin for people: "2 %", or a number in the metric's units.
func marginText(m paired.Margin) string {
	if m.Absolute != nil {
		return shortText(*m.Absolute)
	}
	if m.Relative == nil || *m.Relative == *marginOrDefault(paired.Margin{}).Relative {
		return "none"
	}
	return shortText(*m.Relative*100) + " %"
}

// exactText formats a number with all its digits.
func exactText(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// shortText formats a number with four digits; a dash if there is none.
func shortText(x float64) string {
	if !results.Finite(x) {
		return digits.Missing
	}
	return digits.Format("%.4g", x)
}

// setWords sets the reason for the status from what the comparison showed. worse is the difference, positive if the present is
// worse.
func (v *Verdict) setWords(worse float64) {
	if math.IsNaN(worse) {
		v.Words = "within its bounds"
		return
	}
	v.Words = v.differenceText(worse)
	tested := !math.IsNaN(v.PWorse)
	switch {
	case v.Status == Regression && tested:
		v.Words += fmt.Sprintf(", shown worse (%s) and not shown to be %s (%s)", digits.PIs(v.PWorse), v.goalText(), digits.PIs(v.PWithin))
	case v.Status == Regression && v.hasMargin():
		v.Words += ", more than the margin of " + shortText(v.Margin)
	case v.Status == Inconclusive:
		v.Words += fmt.Sprintf(", neither shown worse (%s) nor shown to be %s (%s)", digits.PIs(v.PWorse), v.goalText(), digits.PIs(v.PWithin))
		if results.Finite(v.Detectable) {
			v.Words += fmt.Sprintf("; a difference has to be %s to be found 8 times in 10", shortText(v.Detectable))
		}
	case tested && v.PBetter <= v.Alpha:
		v.Words += fmt.Sprintf(" (%s)", digits.PIs(v.PBetter))
	case tested:
		v.Words += fmt.Sprintf(", shown to be %s (%s)", v.goalText(), digits.PIs(v.PWithin))
	case v.Status == Pass && worse != 0 && v.hasMargin():
		v.Words += ", within the margin of " + shortText(v.Margin)
	}
	if v.Status == Improvement {
		v.Words += ": worth accepting"
	}
}

// goalText says what has to be shown.
func (v *Verdict) goalText() string {
	if v.hasMargin() {
		return "within the margin of " + shortText(v.Margin)
	}
	return "no worse"
}

// hasMargin reports whether the margin is larger than the default, which only allows for rounding.
func (v *Verdict) hasMargin() bool { return v.Margin > 2*roundingMargin(v.Reference.Mean) }

// differenceText says "worse by 0.01", "better than ridge by 0.01" or "no difference".
func (v *Verdict) differenceText(worse float64) string {
	than := ""
	if v.Against != "" {
		than = " than " + v.Against
	}
	switch {
	case worse > 0:
		return "worse" + than + " by " + shortText(worse)
	case worse < 0:
		return "better" + than + " by " + shortText(-worse)
	case v.Against != "":
		return "no difference to " + v.Against
	}
	return "no difference"
}

// legend explains the marks of the cells that were measured, and of the recorded numbers that they were compared with.
func (c *checker) legend() []string {
	out := cells.Legend(c.meter.asked)
	for _, known := range []string{cells.OptimisticLegend, cells.ImportedLegend} {
		mark, _, _ := strings.Cut(known, ":")
		if !slices.Contains(out, known) && slices.ContainsFunc(c.out.Verdicts, func(v Verdict) bool { return strings.Contains(v.Reference.Marks, mark) }) {
			out = append(out, known)
		}
	}
	return out
}

// What to do about a record, which the table of a baseline that is accepted leaves out.
const (
	acceptAgain = "; accept it again"
	ifMeant     = acceptAgain + " if that is meant"
)

// WithoutAdvice returns the words of a verdict without what they say to do about its record.
func WithoutAdvice(words string) string {
	return strings.ReplaceAll(strings.ReplaceAll(words, ifMeant, ""), acceptAgain, "")
}
