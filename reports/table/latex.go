package table

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenfold/io/sanitize"
)

// columnWidth is the number of characters that a column of two on a page has room for; wider tables stand across both.
const columnWidth = 60

// LaTeX writes booktabs tables, each with a caption and a unique label for \ref. They are scaled down to the width that there is, if it
// is less than theirs.
func LaTeX(w io.Writer, grids []*Grid) error {
	out := bufio.NewWriter(w)
	out.WriteString("% \\usepackage{booktabs,graphicx}\n")
	taken := map[string]bool{}
	for _, g := range grids {
		base := cmp.Or(latexLabel(cmp.Or(g.Name, g.Title, g.About)), "table")
		label := base
		for n := 2; taken[label]; n++ {
			label = fmt.Sprintf("%s-%d", base, n)
		}
		taken[label] = true
		g.writeLaTeX(out, label)
	}
	return out.Flush()
}

// ValidName reports whether references in LaTeX can call a table so: by letters, digits and single dashes between them.
func ValidName(name string) bool { return latexLabel(name) == strings.ToLower(name) }

// latexLabel returns the name of a table for references.
func latexLabel(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case r >= 'A' && r <= 'Z':
			b.WriteRune(unicode.ToLower(r))
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.TrimSuffix(b.String(), "-")
}

func (g *Grid) writeLaTeX(out *bufio.Writer, label string) {
	environment := "table"
	if g.characterWidth() > columnWidth {
		environment = "table*"
	}
	fmt.Fprintf(out, "\\begin{%s}\n\\centering\n", environment)
	fmt.Fprintf(out, "\\caption{%s}\n\\label{tab:%s}\n", latexText(cmp.Or(g.Title, g.About)), label)
	out.WriteString("\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n")
	align, header := "l", []string{latexText(g.Corner)}
	marked := make([]bool, len(g.Columns)) // columns whose marks stand in one of their own, so that numbers are aligned
	for j, name := range g.Columns {
		marked[j] = g.hasMarks(j)
		switch name = latexText(name); {
		case marked[j]:
			align += "r@{}l"
			header = append(header, "\\multicolumn{2}{r}{"+name+"}")
		case g.isTextual(j):
			align += "l"
			header = append(header, name)
		default:
			align += "r"
			header = append(header, name)
		}
	}
	fmt.Fprintf(out, "\\begin{tabular}{%s}\n\\toprule\n", align)
	fmt.Fprintf(out, "%s \\\\\n\\midrule\n", strings.Join(header, " & "))
	latexRows(out, g.Rows, marked)
	if len(g.Footer) > 0 {
		out.WriteString("\\midrule\n")
		latexRows(out, g.Footer, marked)
	}
	out.WriteString("\\bottomrule\n\\end{tabular}}\n")
	if notes := slices.Concat(g.Legend, g.Notes, mapTexts(g.Warnings, func(s string) string { return "Warning: " + s })); len(notes) > 0 {
		fmt.Fprintf(out, "{\\par\\smallskip\\raggedright\\footnotesize\n%s\\par}\n", strings.Join(mapTexts(notes, latexText), "\\par\n"))
	}
	fmt.Fprintf(out, "\\end{%s}\n", environment)
}

// hasMarks reports whether some slot of a column of numbers has a mark.
func (g *Grid) hasMarks(column int) bool {
	return !g.isTextual(column) && slices.ContainsFunc(slices.Concat(g.Rows, g.Footer), func(r Row) bool { return r.Slots[column].marksText() != "" })
}

func latexRows(out *bufio.Writer, rows []Row, marked []bool) {
	for _, r := range rows {
		label := latexText(r.Label)
		if strings.HasPrefix(label, "[") || strings.HasPrefix(label, "*") {
			label = "{}" + label // the end of the line before would take it for its argument
		}
		line := []string{label}
		for j, s := range r.Slots {
			text := latexText(s.Text)
			switch {
			case s.Best:
				text = "\\textbf{" + text + "}"
			case s.Similar:
				text = "\\textit{" + text + "}"
			}
			if marked[j] {
				text += " &"
			}
			line = append(line, text+latexMarks(s.marksText()))
		}
		fmt.Fprintf(out, "%s \\\\\n", strings.Join(line, " & "))
	}
}

// latexMarks returns marks with the blank before them, which LaTeX would drop at the beginning of a column.
func latexMarks(marks string) string {
	text := latexText(marks)
	if rest, blank := strings.CutPrefix(text, " "); blank {
		return `\ ` + rest
	}
	return text
}

// characterWidth returns the width of the table in characters, with two between columns.
func (g *Grid) characterWidth() int {
	count := func(s string) int { return utf8.RuneCountInString(s) }
	widths := []int{count(g.Corner)}
	for _, c := range g.Columns {
		widths = append(widths, count(c))
	}
	for _, r := range slices.Concat(g.Rows, g.Footer) {
		widths[0] = max(widths[0], count(r.Label))
		for j, s := range r.Slots {
			widths[j+1] = max(widths[j+1], count(s.Text+s.marksText()))
		}
	}
	sum := 0
	for _, w := range widths {
		sum += w + 2
	}
	return sum
}

var latexEscapes = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
	"{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "`", `\textasciigrave{}`, "±", `$\pm$`, "−", "$-$",
	"–", "--", "—", "---", "χ²", `$\chi^2$`, "†", `\textdagger{}`, "‡", `\textdaggerdbl{}`, "§", `\S{}`, "¶", `\P{}`, "‖", `$\|$`, "…", `\dots{}`, "<", "$<$", ">", "$>$",
	"|", `\textbar{}`, "∞", `$\infty$`, "≥", `$\geq$`, "≤", `$\leq$`, "×", `$\times$`, "·", `$\cdot$`, "²", "$^2$", "³", "$^3$",
	"→", `$\rightarrow$`, "≠", `$\neq$`, "≈", `$\approx$`, "»", `$\gg$`, "\u00a0", "~", "\u202f", `\,`)

// Commands of LaTeX's mathematics for Greek letters, from α and from Α on; it lacks those that look Latin.
var (
	greekSmall   = strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi o pi rho varsigma sigma tau upsilon phi chi psi omega")
	greekCapital = strings.Fields("A B Gamma Delta E Z H Theta I K Lambda M N Xi O Pi P . Sigma T Upsilon Phi X Psi Omega")
)

// latexText escapes a text for LaTeX. Letters of scripts for which pdfLaTeX has no font stay: LuaLaTeX and XeLaTeX set them.
func latexText(s string) string {
	s = latexEscapes.Replace(strings.ReplaceAll(sanitize.Text(s), "\n", " "))
	if !strings.ContainsFunc(s, isGreek) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		name := ""
		switch {
		case r >= 'α' && r <= 'ω':
			name = greekSmall[r-'α']
		case isGreek(r):
			name = greekCapital[r-'Α']
		default:
			b.WriteRune(r)
			continue
		}
		if len(name) > 1 {
			name = `\` + name
		}
		b.WriteString("$" + name + "$")
	}
	return b.String()
}

func isGreek(r rune) bool { return r >= 'α' && r <= 'ω' || r >= 'Α' && r <= 'Ω' && r != '\u03a2' }
