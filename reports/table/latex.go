package table

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// widest is how many characters fit into the width of a page; wider tables are shrunk to it.
const widest = 100

// LaTeX writes a booktabs table; one that is too wide for the page needs the package graphicx, too.
func (g *Grid) LaTeX(w io.Writer) error {
	out := bufio.NewWriter(w)
	wide := g.width() > widest
	out.WriteString("\\begin{table}\n\\centering\n")
	if g.Title != "" {
		fmt.Fprintf(out, "\\caption{%s}\n", latexText(g.Title))
	}
	if wide {
		out.WriteString("\\resizebox{\\textwidth}{!}{%\n")
	}
	align := "l"
	for j := range g.Columns {
		if g.textual(j) {
			align += "l"
		} else {
			align += "r"
		}
	}
	fmt.Fprintf(out, "\\begin{tabular}{%s}\n\\toprule\n", align)
	header := append([]string{g.Corner}, g.Columns...)
	fmt.Fprintf(out, "%s \\\\\n\\midrule\n", strings.Join(mapped(header, latexText), " & "))
	latexRows(out, g.Rows)
	if len(g.Footer) > 0 {
		out.WriteString("\\midrule\n")
		latexRows(out, g.Footer)
	}
	out.WriteString("\\bottomrule\n\\end{tabular}")
	if wide {
		out.WriteString("}")
	}
	out.WriteString("\n")
	if notes := slices.Concat(g.Legend, g.Notes, g.Warnings); len(notes) > 0 {
		fmt.Fprintf(out, "\\par\\footnotesize %s\n", latexText(strings.Join(notes, " ")))
	}
	out.WriteString("\\end{table}\n")
	return out.Flush()
}

func latexRows(out *bufio.Writer, rows []Row) {
	for _, r := range rows {
		label := latexText(r.Label)
		if strings.HasPrefix(label, "[") || strings.HasPrefix(label, "*") {
			label = "{}" + label // the end of the line before would take it for its argument
		}
		line := []string{label}
		for _, s := range r.Slots {
			text := latexText(s.Text)
			switch {
			case s.Best:
				text = "\\textbf{" + text + "}"
			case s.Similar:
				text = "\\textit{" + text + "}"
			}
			line = append(line, text+latexText(s.marks()))
		}
		fmt.Fprintf(out, "%s \\\\\n", strings.Join(line, " & "))
	}
}

// width of the table in characters, with two between columns.
func (g *Grid) width() int {
	count := func(s string) int { return utf8.RuneCountInString(s) }
	widths := []int{count(g.Corner)}
	for _, c := range g.Columns {
		widths = append(widths, count(c))
	}
	for _, r := range slices.Concat(g.Rows, g.Footer) {
		widths[0] = max(widths[0], count(r.Label))
		for j, s := range r.Slots {
			widths[j+1] = max(widths[j+1], count(s.Text+s.marks()))
		}
	}
	sum := 0
	for _, w := range widths {
		sum += w + 2
	}
	return sum
}

var latexEscapes = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
	"{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "±", `$\pm$`, "−", "$-$", "–", "--",
	"α", `$\alpha$`, "χ²", `$\chi^2$`, "†", `\textdagger{}`, "…", `\dots{}`, "<", "$<$", ">", "$>$", "|",
	`\textbar{}`, "\n", " ", "∞", `$\infty$`)

func latexText(s string) string { return latexEscapes.Replace(s) }
