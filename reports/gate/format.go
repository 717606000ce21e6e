package gate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/results"
	"tenfold/io/sanitize"
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

// severityRank orders statuses by importance to a reader, most important first.
func (v *Verdict) severityRank() int {
	order := []Status{Regression, Inconclusive, Incomparable, Incomplete, ExpectedFailure, Improvement, Pass}
	r := 2 * slices.Index(order, v.Status)
	if v.Tolerated {
		r = 2*slices.Index(order, ExpectedFailure) - 1
	}
	return r
}

// isRemarkable reports whether the verdict is shown also without verbose: it does not simply pass.
func (v *Verdict) isRemarkable() bool { return v.Status != Pass || len(v.Notes) > 0 }

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

// legendFor returns the explanations of the marks that lines have.
func (o *Outcome) legendFor(lines []verdictLine) []string {
	return slices.DeleteFunc(slices.Clone(o.Legend), func(known string) bool {
		mark, _, _ := strings.Cut(known, ":")
		return !slices.ContainsFunc(lines, func(l verdictLine) bool { return strings.Contains(l.Present.Marks+l.Reference.Marks, mark) })
	})
}

type verdictLine struct {
	*Verdict
	status, now, reference, difference, why string
}

// verdictLines returns the verdicts, most important first, with the numbers of each metric in the same decimals.
func (o *Outcome) verdictLines() []verdictLine {
	stats := map[string][]results.Stat{}
	for _, v := range o.Verdicts {
		for _, x := range []Value{v.Present, v.Reference} {
			if results.Finite(x.Mean) {
				stats[v.Metric] = append(stats[v.Metric], results.Summarise([]float64{x.Mean}))
			}
		}
	}
	decimals := map[string]digits.Decimals{}
	for metric, all := range stats {
		decimals[metric] = digits.For(all)
	}
	out := make([]verdictLine, len(o.Verdicts))
	for i := range o.Verdicts {
		v := &o.Verdicts[i]
		d := decimals[v.Metric]
		out[i] = verdictLine{Verdict: v, status: v.statusText(), now: v.Present.format(d), reference: v.Reference.format(d), difference: d.Signed(v.Difference), why: v.reasonText()}
	}
	slices.SortStableFunc(out, func(a, b verdictLine) int { return a.severityRank() - b.severityRank() })
	return out
}

func (v *Verdict) statusText() string {
	switch {
	case v.Tolerated:
		return "inconclusive (passes)"
	case v.Status == ExpectedFailure:
		return "expected failure"
	}
	return string(v.Status)
}

// reasonText returns the reason with the notes.
func (v *Verdict) reasonText() string {
	parts := []string{v.Words}
	if v.Status == ExpectedFailure {
		parts = append(parts, "expected: "+v.Reason)
	}
	return sanitize.Line(strings.Join(append(parts, v.Notes...), "; "))
}

// subject names what the verdict is about: data set, algorithm and metric.
func (v *Verdict) subject() string {
	return strings.Join(slices.DeleteFunc([]string{v.Dataset, v.Algorithm, v.Metric}, func(s string) bool { return s == "" }), ", ")
}

func (x Value) format(d digits.Decimals) string { return d.WithError(x.Mean, x.SE) + x.Marks }

// Headline sums up the outcome in one line: "quickstart: worse: 1 regression, 7 pass".
func (o *Outcome) Headline() string {
	word := map[Status]string{Pass: "good", Regression: "worse", Incomplete: "incomplete"}[o.Worst()]
	if o.Worst() == Regression && o.Count()[Regression] == 0 {
		word = "inconclusive"
	}
	warned := ""
	if n := len(o.Warnings); n > 0 {
		warned = ", " + digits.Count(n, "warning")
	}
	return fmt.Sprintf("%s: %s: %s%s", o.Experiment, word, o.countsText(), warned)
}

func (o *Outcome) countsText() string {
	n := o.Count()
	var parts []string
	for _, c := range []struct {
		status    Status
		one, many string
	}{
		{Regression, "regression", "regressions"}, {Inconclusive, "inconclusive", "inconclusive"},
		{Incomparable, "incomparable", "incomparable"}, {Incomplete, "incomplete", "incomplete"},
		{ExpectedFailure, "expected failure", "expected failures"}, {Improvement, "improvement", "improvements"}, {Pass, "pass", "pass"},
	} {
		switch n[c.status] {
		case 0:
		case 1:
			parts = append(parts, "1 "+c.one)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n[c.status], c.many))
		}
	}
	if len(parts) == 0 {
		return "nothing was compared"
	}
	return strings.Join(parts, ", ")
}
