package render

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"tenfold/io/results"
	"tenfold/reports/gate"
)

// Text writes outcomes for a terminal: a table of what does not simply pass, problems first, and a line that sums up.
// verbose also shows what passes.
func Text(w io.Writer, outcomes []gate.Outcome, verbose bool) error {
	out := bufio.NewWriter(w)
	for i := range outcomes {
		o := &outcomes[i]
		if i > 0 {
			fmt.Fprintln(out)
		}
		writeTable(out, o, newLines(o), func(l line) bool { return verbose || l.isRemarkable() })
		for _, n := range o.Notes {
			fmt.Fprintf(out, "note: %s\n", n)
		}
		for _, n := range o.Warnings {
			fmt.Fprintf(out, "warning: %s\n", n)
		}
		if f := o.Fits.String(); f != "" {
			fmt.Fprintln(out, f)
		}
		fmt.Fprintln(out, headline(o))
	}
	return out.Flush()
}

// Changes writes the table of Text for an outcome that becomes the baseline, with its legend: what does not simply pass, and what
// differs from the baseline, which is new or gone where one of both lacks it.
func Changes(w io.Writer, o *gate.Outcome) error {
	out := bufio.NewWriter(w)
	lines := newLines(o)
	for i := range lines {
		l := &lines[i]
		switch {
		case l.Status == gate.Incomplete && l.Measured:
			l.status = "new"
		case l.Status == gate.Incomplete:
			l.status = "gone"
		}
		l.why = gate.WithoutAdvice(l.why)
	}
	writeTable(out, o, lines, func(l line) bool {
		return l.isRemarkable() || l.Against == "" && results.Finite(l.Difference) && l.Difference != 0
	})
	return out.Flush()
}

func writeTable(out io.Writer, o *gate.Outcome, lines []line, shows func(line) bool) {
	rows := [][]string{{"", "data set", "algorithm", "metric", "now", "reference", ""}}
	var shown []line
	for _, l := range lines {
		if shows(l) {
			shown = append(shown, l)
			rows = append(rows, []string{l.status, orDash(l.Dataset), orDash(l.Algorithm), orDash(l.Metric), l.now, l.reference, l.why})
		}
	}
	if len(rows) > 1 {
		writeAligned(out, rows)
		fmt.Fprintln(out)
	}
	for _, n := range legendFor(o, shown) {
		fmt.Fprintln(out, n)
	}
}

func orDash(s string) string { return cmp.Or(s, "–") }

// writeAligned writes rows with columns of equal width; the last column is ragged.
func writeAligned(w io.Writer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for j, text := range row {
			widths[j] = max(widths[j], utf8.RuneCountInString(text))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for j, text := range row {
			b.WriteString(text)
			b.WriteString(strings.Repeat(" ", widths[j]-utf8.RuneCountInString(text)+2))
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}
