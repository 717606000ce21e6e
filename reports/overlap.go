package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/page"
	"tenfold/reports/selection"
	"tenfold/reports/table"
)

// mostCompared is how many algorithms are compared with each other: 45 pairs.
const mostCompared = 10

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
	if selecting[0].measurable() {
		blocks = append(blocks, page.Table{Grid: r.stabilityTable(dataset, all)})
	}
	if len(selecting) > 1 {
		blocks = append(blocks, r.overlap(dataset, selecting, left))
	}
	return blocks
}

// measurable tells whether there are several folds to compare.
func (p picked) measurable() bool {
	if !p.Averaged {
		return p.Cell.Folds > 1
	}
	return slices.ContainsFunc(p.Tasks, func(t *cells.Cell) bool { return t.Folds > 1 })
}

// unselective is why a cell has no selection to compare, "" where it has one.
func (p picked) unselective() string {
	switch {
	case p.Trouble() != "":
		return p.Trouble()
	case p.err != nil:
		return "selection not kept"
	case p.Dense():
		return "selects all columns"
	case p.Averaged && p.Stat("selected").Max == 0, !p.Averaged && p.Any == 0:
		return "selects nothing"
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

// stabilityTable has a row for each algorithm.
func (r *report) stabilityTable(dataset string, all []picked) *table.Grid {
	g := &table.Grid{Title: dataset + ": stability of the selection", Corner: "algorithm",
		Columns: []string{"features", "stability", "95 % interval", "in all folds", "in any fold"}}
	interval := "Its interval is for many independent samples: too narrow for a few folds."
	if all[0].Averaged {
		g.Columns = g.Columns[:3] // no feature is in the folds of all tasks
		interval = "Mean over tasks, with its interval over tasks."
	}
	g.Legend = []string{"stability: the measure of Nogueira, Sechidis & Brown 2018, 1 where all folds select the same features, 0 where they agree as by chance. " +
		interval, "features: mean ± standard error over " + cells.Over([]*cells.Cell{all[0].Cell}) + "."}
	var undefined, partial groups
	points := false
	var shown []*cells.Cell
	for _, p := range all {
		texts, why := r.stabilityTexts(p)
		g.Rows = append(g.Rows, textRow(p.AlgorithmLabel()+p.Caveats().Marks(), texts[:len(g.Columns)], p.Key))
		shown = append(shown, p.Cell)
		if why != "" {
			undefined.add(why, p.AlgorithmLabel())
		}
		if p.Trouble() != "" && len(p.Finished()) > 0 {
			partial.add(p.Trouble(), p.AlgorithmLabel())
		}
		points = points || p.Of > 1
	}
	g.Legend = append(g.Legend, cells.Legend(shown)...)
	if len(undefined.order) > 0 {
		g.Notes = append(g.Notes, "No stability: "+undefined.String()+".")
	}
	if len(partial.order) > 0 {
		g.Notes = append(g.Notes, "Over the folds that ended well: "+partial.String()+".")
	}
	if columns := span(all[0].Finished(), func(row *results.Row) int64 { return row.Columns }); strings.Contains(columns, "…") && !all[0].Averaged {
		g.Notes = append(g.Notes, "Folds have "+columns+" columns to select from; stability takes the largest number.")
	}
	if points && r.metric() != "" {
		g.Notes = append(g.Notes, "Algorithms with a grid: the best point by "+r.metric()+".")
	}
	return g
}

// stabilityTexts are an algorithm's slots, and why there is no stability although some fold ended well.
func (r *report) stabilityTexts(p picked) (texts []string, why string) {
	texts = []string{p.size(), digits.Missing, digits.Missing, digits.Missing, digits.Missing}
	if len(p.Finished()) == 0 {
		return texts, ""
	}
	if p.err == nil {
		texts[3], texts[4] = strconv.Itoa(p.All), strconv.Itoa(p.Any)
	}
	s, err := cells.StabilityOf(r.Source, p.Cell)
	if err != nil {
		return texts, cells.WhyNot(err)
	}
	texts[1] = digits.Format("%.3f", s.Mean)
	if !math.IsNaN(s.Low) {
		texts[2] = digits.Format("%.3f", s.Low) + " … " + digits.Format("%.3f", s.High)
	}
	return texts, ""
}

// textRow is a row of a table whose numbers are of some cells.
func textRow(label string, texts []string, keys ...string) table.Row {
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
		return digits.Format("%.0f", s.Mean)
	case s.N == 0:
		return digits.Missing
	}
	return fmt.Sprintf("%.1f ± %.1f", s.Mean, s.SE)
}

// overlap is a table with a row for each pair of algorithms, or why there is none.
func (r *report) overlap(dataset string, all []picked, left groups) page.Block {
	g := &table.Grid{Title: dataset + ": overlap of the selections", Corner: "algorithms",
		Columns: []string{"features", "shared", "same active", "same sign", "same active and sign"}}
	compared := all[:min(mostCompared, len(all))]
	var refused []string
	folds := 0
	var shown []*cells.Cell
	comparer := selection.NewComparer(r.Source)
	for i, a := range compared {
		for _, b := range compared[i+1:] {
			o, err := comparer.Compare(a.Cell, b.Cell)
			pair := a.AlgorithmLabel() + " × " + b.AlgorithmLabel()
			if err != nil {
				refused = append(refused, fmt.Sprintf("%s: %v", pair, err))
				continue
			}
			folds = o.Folds
			g.Rows = append(g.Rows, textRow(pair+a.Caveats().Or(b.Caveats()).Marks(), overlapTexts(o), a.Key, b.Key))
			shown = append(shown, a.Cell, b.Cell)
		}
	}
	g.Legend = []string{"same active: the features of both among those of either.", "same sign: the coefficients of the same sign among those of both.",
		"same active and sign: these among the coefficients of either."}
	if folds > 1 {
		g.Legend = append(g.Legend, fmt.Sprintf("Means over %d %s.", folds, cells.Over([]*cells.Cell{all[0].Cell})))
	}
	g.Legend = append(g.Legend, cells.Legend(shown)...)
	if len(compared) < len(all) {
		g.Notes = append(g.Notes, fmt.Sprintf("The first %d of %d algorithms.", len(compared), len(all)))
	}
	if len(left.order) > 0 {
		g.Notes = append(g.Notes, "Left out: "+left.String()+".")
	}
	if n := len(refused); n > 0 {
		g.Notes = append(g.Notes, "Not compared: "+refused[0]+".")
		if n > 1 {
			g.Notes = append(g.Notes, fmt.Sprintf("Nor, for such reasons, %s.", digits.Count(n-1, "more pair")))
		}
	}
	if len(g.Rows) == 0 {
		return page.Text(g.Title + ". " + strings.Join(g.Notes, " "))
	}
	return page.Table{Grid: g}
}

func overlapTexts(o selection.Overlap) []string {
	count := "%.1f"
	if o.Folds == 1 {
		count = "%.0f"
	}
	return []string{digits.Format(count, o.SizeA) + ", " + digits.Format(count, o.SizeB), digits.Format(count, o.Shared),
		percent(o.Jaccard), percent(o.SameSign), percent(o.Agree)}
}

func percent(share float64) string { return digits.Format("%.1f %%", 100*share) }
