package reports

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/page"
	"tenfold/reports/table"
)

// factsOf are some facts of rows in order of appearance, one for each name, with so many characters at most.
func factsOf(rows []*results.Row, most int, of func(*results.Row) []data.Fact) []data.Fact {
	all := make([][]data.Fact, len(rows))
	for i, r := range rows {
		all[i] = of(r)
	}
	return together(all, most)
}

// together are facts about several things in order of appearance, one for each name, with so many characters at most.
func together(all [][]data.Fact, most int) []data.Fact {
	var names []string
	values := map[string][]string{}
	type fact struct{ name, value string }
	seen := map[fact]bool{}
	for _, facts := range all {
		for _, f := range facts {
			if values[f.Name] == nil {
				names = append(names, f.Name)
			}
			if k := (fact{f.Name, f.Value}); !seen[k] {
				seen[k] = true
				values[f.Name] = append(values[f.Name], f.Value)
			}
		}
	}
	out := make([]data.Fact, len(names))
	for i, n := range names {
		out[i] = data.Fact{Name: n, Value: merge(values[n], most)}
	}
	return out
}

// How many characters of a fact are shown: at least where fits stand side by side, and of a data set or fits that stand alone.
const (
	longest    = 40
	longestSet = 160
)

var numberIn = regexp.MustCompile(`[-+]?\d+(\.\d+)?([eE][-+]?\d+)?`)

// merge writes values that differ only in their numbers as one with ranges, "76 … 133, with 33444 … 45704 entries"; of
// others it shows the first.
func merge(values []string, most int) string {
	text, ok := ranges(values)
	if !ok {
		return shorten(values[0], most) + fmt.Sprintf(" (and %s)", digits.Count(len(values)-1, "other value"))
	}
	return shorten(text, most)
}

// wording is a text without its numbers.
func wording(text string) string { return strings.Join(numberIn.Split(text, -1), "#") }

// ranges writes texts of one wording as one; false where they differ in more than numbers.
func ranges(texts []string) (string, bool) {
	words := numberIn.Split(texts[0], -1)
	low := numberIn.FindAllString(texts[0], -1)
	high := slices.Clone(low)
	for _, v := range texts[1:] {
		numbers := numberIn.FindAllString(v, -1)
		if !slices.Equal(numberIn.Split(v, -1), words) {
			return "", false
		}
		for i, n := range numbers {
			if less(n, low[i]) {
				low[i] = n
			}
			if less(high[i], n) {
				high[i] = n
			}
		}
	}
	var b strings.Builder
	for i, w := range words {
		b.WriteString(w)
		if i < len(low) {
			if b.WriteString(low[i]); high[i] != low[i] {
				b.WriteString(" … " + high[i])
			}
		}
	}
	return b.String(), true
}

// mostNotes is how many notes of the fits of a cell are shown.
const mostNotes = 10

// notesOf fits, those of one wording as one.
func notesOf(rows []*results.Row) []string {
	var order []string
	alike := map[string][]string{}
	for _, row := range rows {
		for _, n := range row.Notes {
			w := wording(n)
			if alike[w] == nil {
				order = append(order, w)
			}
			alike[w] = append(alike[w], n)
		}
	}
	var out []string
	for i, w := range order {
		if i == mostNotes {
			return append(out, andMore(len(order)-i))
		}
		text, _ := ranges(alike[w])
		out = append(out, text)
	}
	return out
}

func less(a, b string) bool {
	x, _ := strconv.ParseFloat(a, 64) // numberIn matched: they are numbers
	y, _ := strconv.ParseFloat(b, 64)
	return x < y
}

func shorten(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// factsOfFit are what the engine had to say of a fit. That they cannot be read is a problem of the report.
func (r *report) factsOfFit(row *results.Row) []data.Fact {
	facts, err := r.Source.Facts(row)
	if err != nil && !slices.ContainsFunc(r.problems, func(p error) bool { return p.Error() == err.Error() }) {
		r.problems = append(r.problems, err)
	}
	return facts
}

// widest is how many grid points of an algorithm stand side by side.
const widest = 6

// fits tells, for each algorithm, how its fits ended and what the engine had to say: facts by grid points.
func (r *report) fits() []page.Block {
	var blocks []page.Block
	more := 0
	for _, d := range cells.ByDataset(r.cells) {
		var algorithms []string
		points := map[string][]*cells.Cell{}
		for _, c := range d.Cells {
			if points[c.Algorithm] == nil {
				algorithms = append(algorithms, c.Algorithm)
			}
			points[c.Algorithm] = append(points[c.Algorithm], c)
		}
		for _, a := range algorithms {
			if len(blocks) == most { // nobody reads so many, and every fit's facts would have to be decoded
				more++
			} else if g := r.fitTable(points[a]); g != nil {
				g.Title = d.Label + ", " + points[a][0].AlgorithmName()
				blocks = append(blocks, page.Table{Grid: g})
			}
		}
	}
	if more > 0 {
		blocks = append(blocks, page.Text(andMore(more)+" algorithms"))
	}
	return blocks
}

// fitTable is nil where an engine had nothing to say.
func (r *report) fitTable(points []*cells.Cell) *table.Grid {
	g := &table.Grid{Corner: "over " + digits.Count(points[0].Folds, strings.TrimSuffix(cells.Over(points), "s")), Facts: true}
	if len(points) > widest {
		g.Notes = []string{fmt.Sprintf("The first %d of %d grid points.", widest, len(points))}
		points = points[:widest]
	}
	ended := table.Row{Label: "ended by"}
	for _, c := range points {
		g.Columns = append(g.Columns, cmp.Or(strings.TrimPrefix(c.AlgorithmLabel(), c.AlgorithmName()+" "), c.AlgorithmName()))
		rows := c.Fits()
		var stops []string
		for _, row := range rows {
			if row.Stop != "" && !slices.Contains(stops, row.Stop) {
				stops = append(stops, row.Stop)
			}
		}
		for _, n := range notesOf(rows) {
			if !slices.Contains(g.Warnings, n) {
				g.Warnings = append(g.Warnings, n)
			}
		}
		ended.Slots = append(ended.Slots, table.Slot{Text: strings.Join(stops, ", "), Caveats: c.Caveats(), Keys: []string{c.Key}})
	}
	g.Rows = []table.Row{ended}
	for j, c := range points {
		for _, f := range factsOf(c.Fits(), max(longest, longestSet/len(points)), r.factsOfFit) {
			if m, ok := strings.CutPrefix(f.Name, results.WithoutMetric); ok && len(r.Metrics) > 0 && !slices.Contains(r.Metrics, m) {
				continue // nobody asked for it
			}
			i := slices.IndexFunc(g.Rows, func(row table.Row) bool { return row.Label == f.Name })
			if i < 0 {
				i = len(g.Rows)
				g.Rows = append(g.Rows, table.Row{Label: f.Name, Slots: make([]table.Slot, len(points))})
			}
			g.Rows[i].Slots[j] = table.Slot{Text: f.Value, Keys: []string{c.Key}}
		}
	}
	if len(g.Rows) == 1 && len(g.Warnings) == 0 {
		return nil
	}
	return g
}
