package table

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tenfold/io/sanitize"
)

// Markdown writes the table for GitHub, with aligned columns so that it reads well as plain text too.
func (g *Grid) Markdown(w io.Writer) error { return g.writeAligned(w, markdownText) }

// Text writes the table for a terminal: like Markdown, without escapes.
func (g *Grid) Text(w io.Writer) error {
	return g.writeAligned(w, func(s string) string { return strings.ReplaceAll(sanitize.Text(s), "\n", " ") })
}

// writeAligned writes the table in columns of equal width, with texts passed through escape.
func (g *Grid) writeAligned(w io.Writer, escape func(string) string) error {
	out := bufio.NewWriter(w)
	lines := [][]string{append([]string{escape(g.Corner)}, mapTexts(g.Columns, escape)...)}
	for _, r := range slices.Concat(g.Rows, g.Footer) {
		line := []string{escape(r.Label)}
		for _, s := range r.Slots {
			line = append(line, s.markedText(escape))
		}
		lines = append(lines, line)
	}
	columns := make([]columnLayout, len(g.Columns)+1)
	for j := range columns {
		columns[j] = columnLayout{width: 3, left: j == 0 || g.isTextual(j-1)}
		for _, line := range lines {
			columns[j].width = max(columns[j].width, utf8.RuneCountInString(line[j]))
		}
	}
	for i, line := range lines {
		for j, text := range line {
			fmt.Fprintf(out, "| %s ", columns[j].padText(text))
		}
		out.WriteString("|\n")
		if i == 0 {
			for _, c := range columns {
				fmt.Fprintf(out, "| %s ", c.ruleText())
			}
			out.WriteString("|\n")
		}
	}
	for i, l := range g.Legend {
		if i == 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(out, "- %s\n", escape(l))
	}
	for _, n := range g.Notes {
		fmt.Fprintf(out, "\n%s\n", escape(n))
	}
	for _, n := range g.Warnings {
		fmt.Fprintf(out, "\n> **Warning:** %s\n", escape(n))
	}
	return out.Flush()
}

// columnLayout is the width and alignment of a column.
type columnLayout struct {
	width int // in characters
	left  bool
}

func (c columnLayout) padText(text string) string {
	blanks := strings.Repeat(" ", c.width-utf8.RuneCountInString(text))
	if c.left {
		return text + blanks
	}
	return blanks + text
}

// ruleText returns the line below the heading, which sets the alignment.
func (c columnLayout) ruleText() string {
	dashes := strings.Repeat("-", c.width-1)
	if c.left {
		return ":" + dashes
	}
	return dashes + ":"
}

// Escape makes text safe in Markdown, also inside a table.
func Escape(s string) string { return markdownText(s) }

var (
	markdownEscapes = strings.NewReplacer("|", `\|`, "`", "\\`", "[", `\[`, "]", `\]`, "\n", " ")
	// Stars and angles that stand alone mean nothing to Markdown; they stay as they are, for readers of the text.
	markdownOpen = regexp.MustCompile(`\S\*|\*\S|<[A-Za-z/!?]`)
)

func markdownText(s string) string {
	s = markdownEscapes.Replace(sanitize.Text(s))
	if !strings.ContainsAny(s, "*<") {
		return s
	}
	return markdownOpen.ReplaceAllStringFunc(s, func(m string) string {
		return strings.NewReplacer("*", `\*`, "<", `\<`).Replace(m)
	})
}

func mapTexts(in []string, f func(string) string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = f(s)
	}
	return out
}

// markedText returns the text of a slot with its marks.
func (s Slot) markedText(escape func(string) string) string {
	text := escape(s.Text)
	switch {
	case s.Best:
		text = "**" + text + "**"
	case s.Similar:
		text = "_" + text + "_"
	}
	return text + escape(s.marksText())
}

// marksText returns the marks after the text of a slot.
func (s Slot) marksText() string {
	m := ""
	if s.Mark != "" {
		m = " " + s.Mark
	}
	return m + s.Caveats.Marks()
}
