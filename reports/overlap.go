package reports

import (
	"cmp"
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

// mostCompared is the maximum number of algorithms that are compared with each other, in 45 pairs.
const mostCompared = 10

// agreement shows how stable the selections of a data set's algorithms are, and how far they agree; nothing if none of them
// selects.
func (s featureSection) agreement(dataset string, all []chosenCell) []page.Block {
	var selecting []chosenCell
	var left namesByReason
	for _, c := range all {
		if why := c.notComparable(); why != "" {
			left.add(why, c.AlgorithmLabel())
		} else {
			selecting = append(selecting, c)
		}
	}
	if len(selecting) == 0 {
		return nil
	}
	var blocks []page.Block
	if selecting[0].hasFolds() {
		blocks = append(blocks, page.Table{Grid: s.stabilityTable(dataset, all)})
		if g := s.sizeTable(dataset, all); g != nil {
			blocks = append(blocks, page.Table{Grid: g})
		}
	}
	if len(selecting) > 1 {
		blocks = append(blocks, s.overlapTable(dataset, selecting, left))
	}
	return blocks
}

// hasFolds reports whether there are several folds, or several of some task, whose selections can be compared.
func (c chosenCell) hasFolds() bool {
	if !c.Averaged {
		return c.Cell.Folds > 1
	}
	return slices.ContainsFunc(c.Tasks, func(t *cells.Cell) bool { return t.Folds > 1 })
}

// notComparable says why a cell has no selection to compare, "" if it has one.
func (c chosenCell) notComparable() string {
	switch {
	case c.Trouble() != "":
		return c.Trouble()
	case c.err != nil:
		return "selection not kept"
	case c.Dense():
		return "selects all columns"
	case c.Averaged && c.Stat("selected").Max == 0, !c.Averaged && c.Any == 0:
		return "selects nothing"
	}
	return ""
}

// namesByReason collects names of algorithms under the reason that they share; reasons keep the order of appearance.
type namesByReason struct {
	order []string
	names map[string][]string
}

func (g *namesByReason) add(reason, name string) {
	if g.names == nil {
		g.names = map[string][]string{}
	}
	if g.names[reason] == nil {
		g.order = append(g.order, reason)
	}
	g.names[reason] = append(g.names[reason], name)
}

// String returns a text such as "ridge, ols (selects all columns); mean (selects nothing)".
func (g namesByReason) String() string {
	parts := make([]string, len(g.order))
	for i, reason := range g.order {
		parts[i] = strings.Join(g.names[reason], ", ") + " (" + reason + ")"
	}
	return strings.Join(parts, "; ")
}

// stabilityTable returns a table with a row for each algorithm.
func (s featureSection) stabilityTable(dataset string, all []chosenCell) *table.Grid {
	g := &table.Grid{Title: dataset + ": stability of the selection", Corner: "algorithm",
		Columns: []string{"features", "stability", "95 % interval", "in all folds", "in any fold"}}
	interval := "Its interval is for many independent samples: too narrow for a few folds."
	if all[0].Averaged {
		g.Columns = g.Columns[:3] // no feature is in the folds of all tasks
		interval = "Mean over tasks, with its interval over tasks."
	}
	g.Legend = []string{"stability: the measure of Nogueira, Sechidis & Brown 2018, 1 where all folds select the same features, 0 where they agree as by chance. " +
		interval, "features: mean ± standard error over " + cells.OverCorrected([]*cells.Cell{all[0].Cell}) + "."}
	var undefined, partial namesByReason
	grids := false
	var shown []*cells.Cell
	for _, c := range all {
		texts, why := stabilityTexts(s.source, c)
		g.Rows = append(g.Rows, textRow(c.AlgorithmLabel()+c.Caveats().Marks(), texts[:len(g.Columns)], c.Key))
		shown = append(shown, c.Cell)
		if why != "" {
			undefined.add(why, c.AlgorithmLabel())
		}
		if c.Trouble() != "" && len(c.Finished()) > 0 {
			partial.add(c.Trouble(), c.AlgorithmLabel())
		}
		grids = grids || c.Of > 1
	}
	g.Legend = append(g.Legend, cells.Legend(shown)...)
	if text := cells.KeptLegend(shown); text != "" {
		g.Legend = append(g.Legend, text)
	}
	if len(undefined.order) > 0 {
		g.Notes = append(g.Notes, "No stability: "+undefined.String()+".")
	}
	if len(partial.order) > 0 {
		g.Notes = append(g.Notes, "Over the folds that ended well: "+partial.String()+".")
	}
	if columns := formatRange(all[0].Finished(), func(row *results.Row) int64 { return row.Columns }); strings.Contains(columns, "…") && !all[0].Averaged {
		g.Notes = append(g.Notes, "Folds have "+columns+" columns to select from; stability takes the largest number.")
	}
	if grids && s.metric != "" {
		g.Notes = append(g.Notes, "Algorithms with a grid: the best point by "+s.metric+".")
	}
	return g
}

// stabilityTexts returns the slots of an algorithm's row, and the reason if stability is undefined although some fold ended well.
func stabilityTexts(source cells.Source, c chosenCell) (texts []string, why string) {
	texts = []string{c.featureCount(), digits.Missing, digits.Missing, digits.Missing, digits.Missing}
	if len(c.Finished()) == 0 {
		return texts, ""
	}
	if c.err == nil {
		texts[3], texts[4] = strconv.Itoa(c.All), strconv.Itoa(c.Any)
	}
	s, err := cells.StabilityOf(source, c.Cell, results.StabilityMetric)
	if err != nil {
		return texts, cells.WhyNot(err)
	}
	texts[1] = digits.Format("%.3f", s.Mean)
	if !math.IsNaN(s.Low) {
		texts[2] = digits.Format("%.3f", s.Low) + " … " + digits.Format("%.3f", s.High)
	}
	return texts, ""
}

// mostSizes is the maximum number of sizes along a path in the table of stability; a figure can show all.
const mostSizes = 12

// sizeTable returns the stability at sizes along the paths, a row for each algorithm that has one; nil if none has.
func (s featureSection) sizeTable(dataset string, all []chosenCell) *table.Grid {
	overlaps := map[string]map[int64]string{} // by algorithm and size
	var algorithms []string
	var sizes []int64
	var shown []*cells.Cell
	for _, c := range all {
		points, err := cells.AtPoints(s.source, []*cells.Cell{c.Cell}, results.PointDim)
		if err != nil || c.Averaged {
			continue
		}
		texts := map[int64]string{}
		for _, sized := range points {
			size, ok := sized.Param(results.PointDim)
			if !ok {
				continue
			}
			sizes = append(sizes, size.(int64))
			if found, err := cells.StabilityOf(s.source, sized, results.StabilityMetric); err == nil {
				texts[size.(int64)] = digits.Format("%.3f", found.Mean)
			}
		}
		if len(texts) > 0 {
			label := c.AlgorithmLabel() + c.Caveats().Marks()
			overlaps[label], algorithms, shown = texts, append(algorithms, label), append(shown, c.Cell)
		}
	}
	if len(algorithms) == 0 {
		return nil
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	g := &table.Grid{Title: dataset + ": stability by number of features", Corner: "algorithm",
		Legend: append([]string{"At each size the features that entered first; folds that end before have all of theirs."}, cells.Legend(shown)...)}
	if n := len(sizes); n > mostSizes {
		spread := make([]int64, mostSizes)
		for k := range spread {
			spread[k] = sizes[k*(n-1)/(mostSizes-1)]
		}
		sizes = spread
		g.Notes = []string{fmt.Sprintf("%d of %d sizes; a sweep with x: point and y: stability draws all.", mostSizes, n)}
	}
	for _, size := range sizes {
		g.Columns = append(g.Columns, strconv.FormatInt(size, 10))
	}
	for _, label := range algorithms {
		row := make([]string, len(sizes))
		for k, size := range sizes {
			row[k] = cmp.Or(overlaps[label][size], digits.Missing)
		}
		g.Rows = append(g.Rows, textRow(label, row))
	}
	return g
}

// featureCount returns the mean number of features with its standard error, or why there is none.
func (c chosenCell) featureCount() string {
	s := c.Stat("selected")
	switch {
	case len(c.Finished()) == 0:
		return c.Trouble()
	case s.N == 1:
		return digits.Format("%.0f", s.Mean)
	case s.N == 0:
		return digits.Missing
	}
	return fmt.Sprintf("%.1f ± %.1f", s.Mean, s.SE)
}

// overlapTable returns a table with a row for each pair of the first mostCompared algorithms; if no pair can be compared, a text
// that says why. It names those left out, with the reasons.
func (s featureSection) overlapTable(dataset string, all []chosenCell, left namesByReason) page.Block {
	g := &table.Grid{Title: dataset + ": overlap of the selections", Corner: "algorithms",
		Columns: []string{"features", "shared", "same active", "same sign", "same active and sign"}}
	compared := all[:min(mostCompared, len(all))]
	var refused []string
	folds, fewer := 0, false
	var shown []*cells.Cell
	comparer := selection.NewComparer(s.source)
	for i, a := range compared {
		for _, b := range compared[i+1:] {
			o, err := comparer.Compare(a.Cell, b.Cell)
			pair := a.AlgorithmLabel() + " × " + b.AlgorithmLabel()
			if err != nil {
				refused = append(refused, fmt.Sprintf("%s: %v", pair, err))
				continue
			}
			folds, fewer = o.Folds, fewer || 0 < o.JaccardFolds && o.JaccardFolds < o.Folds
			g.Rows = append(g.Rows, textRow(pair+a.Caveats().Or(b.Caveats()).Marks(), overlapTexts(o), a.Key, b.Key))
			shown = append(shown, a.Cell, b.Cell)
		}
	}
	g.Legend = []string{"same active: features that both select, as a share of those that either selects.",
		"same sign: coefficients of equal sign, as a share of those that both have.",
		"same active and sign: the same, as a share of those that either has."}
	if folds > 1 {
		g.Legend = append(g.Legend, fmt.Sprintf("Means over %d %s.", folds, cells.Over([]*cells.Cell{all[0].Cell})))
	}
	if fewer {
		g.Legend = append(g.Legend, "[n/N]: on the n folds on which either selects a feature.")
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
	jaccard := formatPercent(o.Jaccard)
	if 0 < o.JaccardFolds && o.JaccardFolds < o.Folds {
		jaccard += fmt.Sprintf(" [%d/%d]", o.JaccardFolds, o.Folds)
	}
	return []string{digits.Format(count, o.SizeA) + ", " + digits.Format(count, o.SizeB), digits.Format(count, o.Shared),
		jaccard, formatPercent(o.SameSign), formatPercent(o.Agree)}
}

func formatPercent(share float64) string { return digits.Format("%.1f %%", 100*share) }
