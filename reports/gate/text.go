package gate

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"tenfold/io/results"
)

// Text writes outcomes for a terminal: a table of what does not simply pass, problems first, and a line that sums up.
// verbose also shows what passes.
func Text(w io.Writer, outcomes []Outcome, verbose bool) error {
	out := bufio.NewWriter(w)
	for i := range outcomes {
		o := &outcomes[i]
		if i > 0 {
			fmt.Fprintln(out)
		}
		o.writeTable(out, o.verdictLines(), func(v *Verdict) bool { return verbose || v.isRemarkable() })
		for _, n := range o.Notes {
			fmt.Fprintf(out, "note: %s\n", n)
		}
		for _, n := range o.Warnings {
			fmt.Fprintf(out, "warning: %s\n", n)
		}
		if f := o.Fits.String(); f != "" {
			fmt.Fprintln(out, f)
		}
		fmt.Fprintln(out, o.Headline())
	}
	return out.Flush()
}

// Changes writes the table of Text for one outcome that becomes the baseline, with its legend: what does not simply pass, and what
// differs from the baseline, which is new or gone where one of both lacks it.
func (o *Outcome) Changes(w io.Writer) error {
	out := bufio.NewWriter(w)
	lines := o.verdictLines()
	for i := range lines {
		l := &lines[i]
		switch {
		case l.Status == Incomplete && l.Measured:
			l.status = "new"
		case l.Status == Incomplete:
			l.status = "gone"
		}
		l.why = strings.ReplaceAll(strings.ReplaceAll(l.why, ifMeant, ""), acceptAgain, "")
	}
	o.writeTable(out, lines, func(v *Verdict) bool {
		return v.isRemarkable() || v.Against == "" && results.Finite(v.Difference) && v.Difference != 0
	})
	return out.Flush()
}

// What to do about a record, which the table of a baseline that is accepted leaves out.
const (
	acceptAgain = "; accept it again"
	ifMeant     = acceptAgain + " if that is meant"
)

func (o *Outcome) writeTable(out io.Writer, lines []verdictLine, shows func(*Verdict) bool) {
	rows := [][]string{{"", "data set", "algorithm", "metric", "now", "reference", ""}}
	var shown []verdictLine
	for _, l := range lines {
		if shows(l.Verdict) {
			shown = append(shown, l)
			rows = append(rows, []string{l.status, orDash(l.Dataset), orDash(l.Algorithm), orDash(l.Metric), l.now, l.reference, l.why})
		}
	}
	if len(rows) > 1 {
		writeAligned(out, rows)
		fmt.Fprintln(out)
	}
	for _, n := range o.legendFor(shown) {
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
