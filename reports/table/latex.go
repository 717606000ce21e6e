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

// widest is the number of characters that fit into the width of a page; wider tables are shrunk to it.
const widest = 100

// LaTeX writes booktabs tables, each with a caption and a unique label for \ref; those that are too wide for the page also need the
// package graphicx.
func LaTeX(w io.Writer, grids []*Grid) error {
	out := bufio.NewWriter(w)
	packages := "booktabs"
	if slices.ContainsFunc(grids, (*Grid).isWide) {
		packages += ",graphicx"
	}
	fmt.Fprintf(out, "%% \\usepackage{%s}\n", packages)
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
	out.WriteString("\\begin{table}\n\\centering\n")
	fmt.Fprintf(out, "\\caption{%s}\n\\label{tab:%s}\n", latexText(cmp.Or(g.Title, g.About)), label)
	if g.isWide() {
		out.WriteString("\\resizebox{\\textwidth}{!}{%\n")
	}
	align := "l"
	for j := range g.Columns {
		if g.isTextual(j) {
			align += "l"
		} else {
			align += "r"
		}
	}
	fmt.Fprintf(out, "\\begin{tabular}{%s}\n\\toprule\n", align)
	header := append([]string{g.Corner}, g.Columns...)
	fmt.Fprintf(out, "%s \\\\\n\\midrule\n", strings.Join(mapTexts(header, latexText), " & "))
	latexRows(out, g.Rows)
	if len(g.Footer) > 0 {
		out.WriteString("\\midrule\n")
		latexRows(out, g.Footer)
	}
	out.WriteString("\\bottomrule\n\\end{tabular}")
	if g.isWide() {
		out.WriteString("}")
	}
	out.WriteString("\n")
	if notes := slices.Concat(g.Legend, g.Notes, mapTexts(g.Warnings, func(s string) string { return "Warning: " + s })); len(notes) > 0 {
		fmt.Fprintf(out, "{\\par\\smallskip\\raggedright\\footnotesize\n%s\\par}\n", strings.Join(mapTexts(notes, latexText), "\\par\n"))
	}
	out.WriteString("\\end{table}\n")
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
			line = append(line, text+latexText(s.marksText()))
		}
		fmt.Fprintf(out, "%s \\\\\n", strings.Join(line, " & "))
	}
}

// isWide reports whether the table has to be shrunk.
func (g *Grid) isWide() bool { return g.characterWidth() > widest }

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
