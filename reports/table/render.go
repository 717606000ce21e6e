package table

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"html"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"tenfold/reports/cells"
)

// Markdown writes the table for GitHub, its columns aligned so that it reads well as plain text too.
func (g *Grid) Markdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	lines := [][]string{append([]string{markdownText(g.Corner)}, mapped(g.Columns, markdownText)...)}
	for _, r := range g.Rows {
		line := []string{markdownText(r.Label)}
		for _, s := range r.Slots {
			line = append(line, s.markdown())
		}
		lines = append(lines, line)
	}
	widths := make([]int, len(g.Columns)+1)
	for _, line := range lines {
		for j, text := range line {
			widths[j] = max(widths[j], utf8.RuneCountInString(text), 3)
		}
	}
	for i, line := range lines {
		for j, text := range line {
			pad := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(text))
			if j == 0 {
				text += pad
			} else {
				text = pad + text
			}
			fmt.Fprintf(out, "| %s ", text)
		}
		out.WriteString("|\n")
		if i == 0 {
			for j, n := range widths {
				if j == 0 {
					fmt.Fprintf(out, "| :%s ", strings.Repeat("-", n-1))
				} else {
					fmt.Fprintf(out, "| %s: ", strings.Repeat("-", n-1))
				}
			}
			out.WriteString("|\n")
		}
	}
	if len(g.Legend) > 0 {
		fmt.Fprintf(out, "\n%s\n", markdownText(strings.Join(g.Legend, " ")))
	}
	for _, n := range g.Notes {
		fmt.Fprintf(out, "\n%s\n", markdownText(n))
	}
	for _, n := range g.Warnings {
		fmt.Fprintf(out, "\n> **Warning:** %s\n", markdownText(n))
	}
	return out.Flush()
}

// Escape makes text safe to stand in Markdown, also inside a table.
func Escape(s string) string { return markdownText(s) }

var (
	markdownEscapes = strings.NewReplacer("|", `\|`, "`", "\\`", "[", `\[`, "]", `\]`, "\n", " ")
	// Stars and angles that stand alone mean nothing to Markdown; they are left as they are for readers of the text.
	markdownOpen = regexp.MustCompile(`\S\*|\*\S|<[A-Za-z/!?]`)
)

func markdownText(s string) string {
	s = markdownEscapes.Replace(s)
	return markdownOpen.ReplaceAllStringFunc(s, func(m string) string {
		return strings.NewReplacer("*", `\*`, "<", `\<`).Replace(m)
	})
}

func mapped(in []string, f func(string) string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = f(s)
	}
	return out
}

func (s Slot) markdown() string {
	text := markdownText(s.Text)
	if s.Best {
		text = "**" + text + "**"
	}
	return text + markdownText(s.marks())
}

// marks follow the text of a slot.
func (s Slot) marks() string {
	m := ""
	if s.Mark != "" {
		m = " " + s.Mark
	}
	if s.Optimistic {
		m += cells.OptimisticMark
	}
	return m
}

// HTML writes a table element with its notes.
func (g *Grid) HTML(w io.Writer) error {
	out := bufio.NewWriter(w)
	esc := html.EscapeString
	out.WriteString("<div class=\"scroll\"><table>\n")
	if g.Title != "" {
		fmt.Fprintf(out, "<caption>%s</caption>\n", esc(g.Title))
	}
	fmt.Fprintf(out, "<thead><tr><th scope=\"col\">%s</th>", esc(g.Corner))
	for _, c := range g.Columns {
		fmt.Fprintf(out, "<th scope=\"col\">%s</th>", esc(c))
	}
	out.WriteString("</tr></thead>\n<tbody>\n")
	for _, r := range g.Rows {
		fmt.Fprintf(out, "<tr><th scope=\"row\">%s</th>", esc(r.Label))
		for _, s := range r.Slots {
			text := esc(s.Text)
			if s.Best {
				text = "<strong>" + text + "</strong>"
			}
			if len(s.Keys) > 0 {
				fmt.Fprintf(out, "<td title=\"cell %s\">", esc(strings.Join(s.Keys, " ")))
			} else {
				out.WriteString("<td>")
			}
			fmt.Fprintf(out, "%s%s</td>", text, esc(s.marks()))
		}
		out.WriteString("</tr>\n")
	}
	out.WriteString("</tbody></table></div>\n")
	if len(g.Legend) > 0 {
		fmt.Fprintf(out, "<p class=\"legend\">%s</p>\n", esc(strings.Join(g.Legend, " ")))
	}
	for _, n := range g.Notes {
		fmt.Fprintf(out, "<p class=\"legend\">%s</p>\n", esc(n))
	}
	for _, n := range g.Warnings {
		fmt.Fprintf(out, "<p class=\"warning\"><strong>Warning:</strong> %s</p>\n", esc(n))
	}
	return out.Flush()
}

// LaTeX writes a booktabs table.
func (g *Grid) LaTeX(w io.Writer) error {
	out := bufio.NewWriter(w)
	out.WriteString("\\begin{table}\n\\centering\n")
	if g.Title != "" {
		fmt.Fprintf(out, "\\caption{%s}\n", latexText(g.Title))
	}
	fmt.Fprintf(out, "\\begin{tabular}{l%s}\n\\toprule\n", strings.Repeat("r", len(g.Columns)))
	header := append([]string{g.Corner}, g.Columns...)
	fmt.Fprintf(out, "%s \\\\\n\\midrule\n", strings.Join(mapped(header, latexText), " & "))
	for _, r := range g.Rows {
		line := []string{latexText(r.Label)}
		for _, s := range r.Slots {
			text := latexText(s.Text)
			if s.Best {
				text = "\\textbf{" + text + "}"
			}
			line = append(line, text+latexText(s.marks()))
		}
		fmt.Fprintf(out, "%s \\\\\n", strings.Join(line, " & "))
	}
	out.WriteString("\\bottomrule\n\\end{tabular}\n")
	if notes := append(append(append([]string{}, g.Legend...), g.Notes...), g.Warnings...); len(notes) > 0 {
		fmt.Fprintf(out, "\\par\\footnotesize %s\n", latexText(strings.Join(notes, " ")))
	}
	out.WriteString("\\end{table}\n")
	return out.Flush()
}

var latexEscapes = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
	"{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "±", `$\pm$`, "−", "$-$", "–", "--",
	"α", `$\alpha$`, "†", `\textdagger{}`, "…", `\dots{}`, "<", "$<$", ">", "$>$", "|",
	`\textbar{}`, "\n", " ", "∞", `$\infty$`)

func latexText(s string) string { return latexEscapes.Replace(s) }

// CSV writes the numbers behind the tables in long form, at full precision, under one header; empty where there is no
// number.
func CSV(w io.Writer, grids []*Grid) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"table", "row", "column", "metric", "mean", "se", "min", "max", "n", "status", "mark", "p", "optimistic"}); err != nil {
		return err
	}
	for _, g := range grids {
		for _, n := range g.Numbers {
			if err := out.Write([]string{g.Title, n.Row, n.Column, n.Metric, exact(n.Stat.Mean), exact(n.Stat.SE), exact(n.Stat.Min),
				exact(n.Stat.Max), strconv.Itoa(n.Stat.N), n.Status, n.Mark, exact(n.P), strconv.FormatBool(n.Optimistic)}); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

func exact(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
