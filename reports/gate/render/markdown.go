package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"tenfold/reports/gate"
	"tenfold/reports/table"
)

// maxComment is the size limit of a comment: GitHub takes 65,536 characters.
const maxComment = 60_000

// Markdown writes outcomes as one comment on a pull request. It begins with a marker, by which a program finds the comment
// again to rewrite it:
//
//	<!-- tenfold check NAME -->
//
// (several names with blanks between). What is too long for a comment is left out and counted.
func Markdown(w io.Writer, outcomes []gate.Outcome) error {
	var out bytes.Buffer
	names := make([]string, len(outcomes))
	for i, o := range outcomes {
		names[i] = strings.ReplaceAll(o.Experiment, "--", "")
	}
	fmt.Fprintf(&out, "<!-- tenfold check %s -->\n", strings.Join(names, " "))
	for i := range outcomes {
		writeMarkdown(&out, &outcomes[i])
	}
	_, err := out.WriteTo(w)
	return err
}

func writeMarkdown(out *bytes.Buffer, o *gate.Outcome) {
	fmt.Fprintf(out, "\n### tenfold check %s\n", table.Escape(headline(o)))
	for _, n := range o.Notes {
		fmt.Fprintf(out, "\n%s\n", table.Escape(n))
	}
	for _, n := range o.Warnings {
		fmt.Fprintf(out, "\n**Warning:** %s\n", table.Escape(n))
	}
	if f := o.Fits.String(); f != "" {
		fmt.Fprintf(out, "\n%s\n", table.Escape(f))
	}
	all := newLines(o)
	var remarkable []line
	for _, l := range all {
		if l.isRemarkable() {
			remarkable = append(remarkable, l)
		}
	}
	markdownTable(out, remarkable)
	if len(all) > len(remarkable) {
		fmt.Fprintf(out, "\n<details><summary>All comparisons (%d)</summary>\n", len(all))
		markdownTable(out, all)
		out.WriteString("\n</details>\n")
	}
	for _, n := range legendFor(o, all) {
		fmt.Fprintf(out, "\n%s\n", table.Escape(n))
	}
}

func markdownTable(out *bytes.Buffer, lines []line) {
	if len(lines) == 0 {
		return
	}
	out.WriteString("\n| | data set | algorithm | metric | now | reference | difference | |\n| :-- | :-- | :-- | :-- | --: | --: | --: | :-- |\n")
	for i, l := range lines {
		if out.Len() > maxComment {
			fmt.Fprintf(out, "\n… and %d more\n", len(lines)-i)
			return
		}
		status := l.status
		if l.Fails() {
			status = "**" + status + "**"
		}
		fmt.Fprintf(out, "| %s |", status)
		for _, text := range []string{orDash(l.Dataset), orDash(l.Algorithm), orDash(l.Metric), l.now, l.reference, l.difference, l.why} {
			fmt.Fprintf(out, " %s |", table.Escape(text))
		}
		out.WriteByte('\n')
	}
}
