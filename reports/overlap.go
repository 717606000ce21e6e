package reports

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/page"
	"tenfold/reports/selection"
	"tenfold/reports/table"
)

// mostCompared is how many algorithms are compared with each other: 45 pairs.
const mostCompared = 10

// number writes x, and what does not exist as –.
func number(format string, x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return strings.Replace(fmt.Sprintf(format, x), "-", "−", 1)
}

// agreement is how stable the selections of a data set's algorithms are, and how far they agree; nothing where none of
// them selects.
func (r *report) agreement(dataset string, all []picked) []page.Block {
	var selecting []picked
	var left groups
	for _, p := range all {
		if why := p.unselective(); why != "" {
			left.add(why, p.AlgorithmLabel())
		} else {
			selecting = append(selecting, p)
		}
	}
	if len(selecting) == 0 {
		return nil
	}
	var blocks []page.Block
	if selecting[0].Cell.Folds > 1 {
		blocks = append(blocks, page.Table{Grid: r.stabilityTable(dataset, all)})
	}
	if len(selecting) > 1 {
		blocks = append(blocks, r.overlap(dataset, selecting, left))
	}
	return blocks
}

// unselective is why a cell has no selection to compare, "" where it has one.
func (p picked) unselective() string {
	switch {
	case p.Trouble() != "":
		return p.Trouble()
	case p.err != nil:
		return "not kept"
	case p.Dense():
		return "all columns"
	case p.Any == 0:
		return "no features"
	}
	return ""
}

// groups are names by what they have in common, in order of appearance.
type groups struct {
	order []string
	names map[string][]string
}

func (g *groups) add(common, name string) {
	if g.names == nil {
		g.names = map[string][]string{}
	}
	if g.names[common] == nil {
		g.order = append(g.order, common)
	}
	g.names[common] = append(g.names[common], name)
}

// String is "ridge, ols (all columns); mean (no features)".
func (g groups) String() string {
	parts := make([]string, len(g.order))
	for i, common := range g.order {
		parts[i] = strings.Join(g.names[common], ", ") + " (" + common + ")"
	}
	return strings.Join(parts, "; ")
}

// stabilityTable has a line for each algorithm.
func (r *report) stabilityTable(dataset string, all []picked) *table.Grid {
	g := &table.Grid{Title: dataset + ": stability of the selection", Corner: "algorithm",
		Columns: []string{"features", "stability", "95 % interval", "in all folds", "in any fold"}}
	g.Legend = []string{"Stability of Nogueira, Sechidis & Brown 2018: 1 where all folds select the same features, 0 as by chance. " +
		"Its interval is for many independent samples: too narrow for a few folds.", "±: standard error over folds."}
	var undefined, partial groups
	points := false
	for _, p := range all {
		texts, why := r.stabilityLine(p)
		g.Rows = append(g.Rows, line(p.AlgorithmLabel(), texts, p.Key))
		if why != "" {
			undefined.add(why, p.AlgorithmLabel())
		}
		if p.Trouble() != "" && len(p.Finished()) > 0 {
			partial.add(p.Trouble(), p.AlgorithmLabel())
		}
		points = points || p.of > 1
	}
	if len(undefined.order) > 0 {
		g.Notes = append(g.Notes, "No stability: "+undefined.String()+".")
	}
	if len(partial.order) > 0 {
		g.Notes = append(g.Notes, "Over the folds that ended well: "+partial.String()+".")
	}
	if columns := span(all[0].Finished(), func(row *results.Row) int64 { return row.Columns }); strings.Contains(columns, "…") {
		g.Notes = append(g.Notes, "Folds have "+columns+" columns to select from; stability takes the most.")
	}
	if points && len(r.Metrics) > 0 {
		g.Notes = append(g.Notes, "Algorithms with a grid: the best point by "+r.Metrics[0]+".")
	}
	return g
}

// stabilityLine is an algorithm's line, and why there is no stability although some fold ended well.
func (r *report) stabilityLine(p picked) (texts []string, why string) {
	texts = []string{p.size(), "–", "–", "–", "–"}
	if len(p.Finished()) == 0 {
		return texts, ""
	}
	if p.err == nil {
		texts[3], texts[4] = strconv.Itoa(p.All), strconv.Itoa(p.Any)
	}
	s, err := cells.StabilityOf(r.Source, p.Cell)
	if err != nil {
		return texts, reason(err)
	}
	texts[1] = number("%.3f", s.Mean)
	if !math.IsNaN(s.Low) {
		texts[2] = number("%.3f", s.Low) + " … " + number("%.3f", s.High)
	}
	return texts, ""
}

// line is a row of a table whose numbers are of some cells.
func line(label string, texts []string, keys ...string) table.Row {
	row := table.Row{Label: label, Slots: make([]table.Slot, len(texts))}
	for i, text := range texts {
		row.Slots[i] = table.Slot{Text: text, Keys: keys}
	}
	return row
}

// size is the number of features, or why there is none.
func (p picked) size() string {
	s := p.Stat("selected")
	switch {
	case len(p.Finished()) == 0:
		return p.Trouble()
	case s.N == 1:
		return number("%.0f", s.Mean)
	case s.N == 0:
		return "–"
	}
	return fmt.Sprintf("%.1f ± %.1f", s.Mean, s.SE)
}

// reason why a stability is undefined.
func reason(err error) string {
	if errors.Is(err, cells.ErrNotKept) {
		return "the selected features were not kept"
	}
	return strings.TrimPrefix(err.Error(), results.ErrUndefined.Error()+": ")
}

// overlap is a table with a line for each pair of algorithms, or why there is none.
func (r *report) overlap(dataset string, all []picked, left groups) page.Block {
	g := &table.Grid{Title: dataset + ": overlap of the selections", Corner: "algorithms",
		Columns: []string{"features", "shared", "same active", "same sign", "same active and sign"}}
	compared := all[:min(mostCompared, len(all))]
	var refused []string
	folds := 0
	for i, a := range compared {
		for _, b := range compared[i+1:] {
			o, err := selection.Compare(r.Source, a.Cell, b.Cell)
			pair := a.AlgorithmLabel() + " × " + b.AlgorithmLabel()
			if err != nil {
				refused = append(refused, fmt.Sprintf("%s: %v", pair, err))
				continue
			}
			folds = o.Folds
			g.Rows = append(g.Rows, line(pair, overlapLine(o), a.Key, b.Key))
		}
	}
	g.Legend = []string{"same active: the features of both among those of either. same sign: the coefficients of the same sign among those of both. " +
		"same active and sign: these among the coefficients of either."}
	if folds > 1 {
		g.Legend = append(g.Legend, fmt.Sprintf("Means over %d folds.", folds))
	}
	if len(compared) < len(all) {
		g.Notes = append(g.Notes, fmt.Sprintf("The first %d of %d algorithms.", len(compared), len(all)))
	}
	if len(left.order) > 0 {
		g.Notes = append(g.Notes, "Left out: "+left.String()+".")
	}
	if n := len(refused); n > 0 {
		g.Notes = append(g.Notes, "Not compared: "+refused[0]+".")
		if n > 1 {
			g.Notes = append(g.Notes, fmt.Sprintf("Nor, for reasons like this, %s more.", plural(n-1, "pair")))
		}
	}
	if len(g.Rows) == 0 {
		return page.Text(g.Title + ". " + strings.Join(g.Notes, " "))
	}
	return page.Table{Grid: g}
}

func overlapLine(o selection.Overlap) []string {
	count := "%.1f"
	if o.Folds == 1 {
		count = "%.0f"
	}
	return []string{number(count, o.SizeA) + ", " + number(count, o.SizeB), number(count, o.Shared),
		percent(o.Jaccard), percent(o.SameSign), percent(o.Agree)}
}

func percent(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*x)
}
