// Package render writes what the gate finds: for a terminal (text.go), for pull requests (markdown.go), as a test report that CI systems
// read (junit.go), and as annotations of files on GitHub (github.go). As JSON an Outcome writes itself.
//
// All of them show the lines of this file: a verdict each, most important first, with its numbers as texts. What they say of a verdict,
// its words, package gate has set.
package render

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/io/sanitize"
	"tenfold/reports/digits"
	"tenfold/reports/gate"
)

// line is a verdict with its texts.
type line struct {
	*gate.Verdict
	status, now, reference, difference, why string
}

// newLines returns the verdicts, most important first, with the numbers of each metric in the same decimals.
func newLines(o *gate.Outcome) []line {
	stats := map[string][]results.Stat{}
	for _, v := range o.Verdicts {
		for _, x := range []gate.Value{v.Present, v.Reference} {
			if results.Finite(x.Mean) {
				stats[v.Metric] = append(stats[v.Metric], results.Summarise([]float64{x.Mean}))
			}
		}
	}
	decimals := map[string]digits.Decimals{}
	for metric, all := range stats {
		decimals[metric] = digits.For(all)
	}
	out := make([]line, len(o.Verdicts))
	for i := range o.Verdicts {
		v := &o.Verdicts[i]
		d := decimals[v.Metric]
		value := func(x gate.Value) string { return d.WithError(x.Mean, x.SE) + x.Marks }
		out[i] = line{Verdict: v, status: statusText(v), now: value(v.Present), reference: value(v.Reference), difference: d.Signed(v.Difference), why: reasonText(v)}
	}
	slices.SortStableFunc(out, func(a, b line) int { return severityRank(a.Verdict) - severityRank(b.Verdict) })
	return out
}

// severityRank orders statuses by importance to a reader, most important first.
func severityRank(v *gate.Verdict) int {
	order := []gate.Status{gate.Regression, gate.Inconclusive, gate.Incomparable, gate.Incomplete, gate.ExpectedFailure, gate.Improvement, gate.Pass}
	r := 2 * slices.Index(order, v.Status)
	if v.Tolerated {
		r = 2*slices.Index(order, gate.ExpectedFailure) - 1
	}
	return r
}

// isRemarkable reports whether the verdict is shown also without verbose: it does not simply pass.
func (l line) isRemarkable() bool { return l.Status != gate.Pass || len(l.Notes) > 0 }

// legendFor returns the explanations of the marks that lines have.
func legendFor(o *gate.Outcome, lines []line) []string {
	return slices.DeleteFunc(slices.Clone(o.Legend), func(known string) bool {
		mark, _, _ := strings.Cut(known, ":")
		return !slices.ContainsFunc(lines, func(l line) bool { return strings.Contains(l.Present.Marks+l.Reference.Marks, mark) })
	})
}

func statusText(v *gate.Verdict) string {
	switch {
	case v.Tolerated:
		return "inconclusive (passes)"
	case v.Status == gate.ExpectedFailure:
		return "expected failure"
	}
	return string(v.Status)
}

// reasonText returns the reason with the notes.
func reasonText(v *gate.Verdict) string {
	parts := []string{v.Words}
	if v.Status == gate.ExpectedFailure {
		parts = append(parts, "expected: "+v.Reason)
	}
	return sanitize.Line(strings.Join(append(parts, v.Notes...), "; "))
}

// headline sums up the outcome in one line: "quickstart: worse: 1 regression, 7 pass".
func headline(o *gate.Outcome) string {
	word := map[gate.Status]string{gate.Pass: "good", gate.Regression: "worse", gate.Incomplete: "incomplete"}[o.Worst()]
	if o.Worst() == gate.Regression && o.Count()[gate.Regression] == 0 {
		word = "inconclusive"
	}
	warned := ""
	if n := len(o.Warnings); n > 0 {
		warned = ", " + digits.Count(n, "warning")
	}
	return fmt.Sprintf("%s: %s: %s%s", o.Experiment, word, countsText(o), warned)
}

func countsText(o *gate.Outcome) string {
	n := o.Count()
	var parts []string
	for _, c := range []struct {
		status    gate.Status
		one, many string
	}{
		{gate.Regression, "regression", "regressions"}, {gate.Inconclusive, "inconclusive", "inconclusive"},
		{gate.Incomparable, "incomparable", "incomparable"}, {gate.Incomplete, "incomplete", "incomplete"},
		{gate.ExpectedFailure, "expected failure", "expected failures"}, {gate.Improvement, "improvement", "improvements"}, {gate.Pass, "pass", "pass"},
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
