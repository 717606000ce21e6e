package table

import (
	"bufio"
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

// longLabel is the minimum length of a row's label that is broken into several lines, and longPart the number of its characters
// that stay on one line, however narrow the window is, unless a longer part has no place for a break.
const longLabel, longPart = 45, 24

// Breakable returns a text as HTML that can be broken after the punctuation inside its longer words: paths, names of features,
// better/same/worse.
func Breakable(text string) string {
	text, _ = breakLongWords(text)
	return text
}

// breakLongWords also reports whether some part of the text is still too long for a line.
func breakLongWords(text string) (markup string, long bool) {
	const joints, shortWord = "/;:,=_|&", 12
	var b strings.Builder
	for i, word := range strings.Split(text, " ") {
		if i > 0 {
			b.WriteByte(' ')
		}
		if utf8.RuneCountInString(word) <= shortWord {
			b.WriteString(html.EscapeString(word))
			continue
		}
		for word != "" {
			end := strings.IndexAny(word, joints) + 1
			if end == 0 {
				end = len(word)
			}
			b.WriteString(html.EscapeString(word[:end]))
			long = long || utf8.RuneCountInString(word[:end]) > longPart
			if word = word[end:]; word != "" {
				b.WriteString("<wbr>")
			}
		}
	}
	return b.String(), long
}

// Links returns the address of the page on a cell, by its key; "" if there is none.
type Links func(key string) string

// HTML writes the table with its notes, with the anchor #id. A number links to the page of its (first) cell, and has itself as
// data-value for sorting: slots without are text, or missing. nil links makes no links.
func (g *Grid) HTML(w io.Writer, id string, links Links) error {
	out := bufio.NewWriter(w)
	esc := html.EscapeString
	fmt.Fprintf(out, "<div class=\"scroll\"><table id=\"%s\">\n", esc(id))
	if g.Title != "" {
		fmt.Fprintf(out, "<caption><a href=\"#%s\">%s</a></caption>\n", esc(id), esc(g.Title))
	}
	fmt.Fprintf(out, "<thead><tr><th scope=\"col\">%s</th>", esc(g.Corner))
	classes := make([]string, len(g.Columns))
	for j, c := range g.Columns {
		if g.isTextual(j) {
			classes[j] = ` class="text"`
		}
		fmt.Fprintf(out, "<th scope=\"col\"%s>%s</th>", classes[j], esc(c))
	}
	out.WriteString("</tr></thead>\n<tbody>\n")
	numbers := g.firstMeans()
	for _, r := range g.Rows {
		r.writeHTML(out, func(j int) float64 {
			if v, ok := numbers[[2]string{r.Label, g.Columns[j]}]; ok {
				return v
			}
			return leadingNumber(r.Slots[j].Text)
		}, classes, links)
	}
	out.WriteString("</tbody>\n")
	if len(g.Footer) > 0 {
		out.WriteString("<tfoot>\n")
		for _, r := range g.Footer {
			r.writeHTML(out, func(int) float64 { return math.NaN() }, classes, links)
		}
		out.WriteString("</tfoot>\n")
	}
	out.WriteString("</table></div>\n")
	if len(g.Legend) > 0 {
		out.WriteString("<ul class=\"legend\">\n")
		for _, l := range g.Legend {
			fmt.Fprintf(out, "<li>%s</li>\n", esc(l))
		}
		out.WriteString("</ul>\n")
	}
	for _, n := range g.Notes {
		fmt.Fprintf(out, "<p class=\"legend\">%s</p>\n", esc(n))
	}
	for _, n := range g.Warnings {
		fmt.Fprintf(out, "<p class=\"warning\"><strong>Warning:</strong> %s</p>\n", esc(n))
	}
	return out.Flush()
}

// firstMeans returns the means that slots show first, by row and column; NaN if there is none.
func (g *Grid) firstMeans() map[[2]string]float64 {
	out := make(map[[2]string]float64, len(g.Numbers))
	for _, n := range g.Numbers {
		place := [2]string{n.Row, n.Column}
		if _, ok := out[place]; !ok {
			out[place] = n.Stat.Mean
		}
	}
	return out
}

// writeHTML writes a row; value returns the number of a slot, NaN for none, and classes holds the attributes of the columns.
func (r Row) writeHTML(out *bufio.Writer, value func(int) float64, classes []string, links Links) {
	label, long := breakLongWords(r.Label)
	class := ""
	if long || utf8.RuneCountInString(r.Label) > longLabel {
		class = ` class="long"`
	}
	fmt.Fprintf(out, "<tr><th scope=\"row\"%s>%s</th>", class, label)
	for j, s := range r.Slots {
		s.writeHTML(out, value(j), classes[j], links)
	}
	out.WriteString("</tr>\n")
}

// writeHTML writes the slot as a table cell; a NaN value is none.
func (s Slot) writeHTML(out *bufio.Writer, value float64, class string, links Links) {
	out.WriteString("<td" + class)
	if !math.IsNaN(value) {
		out.WriteString(` data-value="`)
		out.WriteString(jsNumber(value))
		out.WriteByte('"')
	}
	text := html.EscapeString(s.Text)
	switch {
	case s.Best:
		text = "<strong>" + text + "</strong>"
	case s.Similar:
		text = "<em>" + text + "</em>"
	}
	address := ""
	if links != nil && len(s.Keys) > 0 && s.Text != "" {
		address = html.EscapeString(links(s.Keys[0]))
	}
	switch title := html.EscapeString(cellsTitle(s.Keys)); {
	case address != "" && len(s.Keys) == 1:
		fmt.Fprintf(out, `><a href="%s">%s</a>`, address, text)
	case address != "":
		fmt.Fprintf(out, `><a href="%s" title="%s">%s</a>`, address, title, text)
	case title != "":
		fmt.Fprintf(out, ` title="%s">%s`, title, text)
	default:
		out.WriteString(">" + text)
	}
	out.WriteString(html.EscapeString(s.marksText()))
	out.WriteString("</td>")
}

// jsNumber writes a number as JavaScript reads it.
func jsNumber(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// cellsTitle names the cells of a number; of many, the first ones.
func cellsTitle(keys []string) string {
	const most = 8
	short := mapTexts(keys[:min(most, len(keys))], cells.ShortKey)
	switch n := len(keys); {
	case n == 0:
		return ""
	case n == 1:
		return "cell " + short[0]
	case n > most:
		return fmt.Sprintf("%d cells: %s …", n, strings.Join(short, " "))
	default:
		return fmt.Sprintf("%d cells: %s", n, strings.Join(short, " "))
	}
}

// numberFirst matches a text that begins with a number: sign, number, the denominator of a fraction, and what follows.
var numberFirst = regexp.MustCompile(`^[<>]?([-+−]?)(∞|\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?)(?:/(\d+))?(| .*)$`)

// leadingNumber returns the number that a text begins with, "0.9580 ± 0.0080 (12)", "<0.001", "3/5"; NaN for others and for counts
// of what is missing, "1/5 failed".
func leadingNumber(text string) float64 {
	m := numberFirst.FindStringSubmatch(text)
	if m == nil || m[3] != "" && m[4] != "" {
		return math.NaN()
	}
	x := math.Inf(1)
	if m[2] != "∞" {
		var err error
		if x, err = strconv.ParseFloat(strings.ReplaceAll(m[2], ",", ""), 64); err != nil {
			return math.NaN()
		}
	}
	if m[3] != "" {
		exponent, _ := strconv.ParseFloat(m[3], 64) // digits; too many of them are infinite
		x /= exponent
	}
	if m[1] == "−" || m[1] == "-" {
		x = -x
	}
	return x
}
