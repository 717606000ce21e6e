package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/page"
	"tenfold/reports/table"
)

// leadLine returns a line that counts what was run.
func leadLine(name string, rows []results.Row, all []*cells.Cell) string {
	algorithms := distinctValues(rows, func(row *results.Row) string { return row.Algorithm })
	datasets := distinctValues(rows, func(row *results.Row) string { return cmp.Or(row.Family, row.Dataset) })
	tasks := ""
	if n := len(distinctValues(rows, func(row *results.Row) string {
		if row.Task == "" {
			return ""
		}
		return row.Dataset
	})); n > 0 {
		tasks = " with " + digits.Count(n, "task")
	}
	return fmt.Sprintf("Experiment %s: %s%s, %s, %s, %s.", name, digits.Count(len(datasets), "data set"), tasks,
		digits.Count(len(algorithms), "algorithm"), digits.Count(len(all), "cell"), digits.Count(len(rows), "fit"))
}

// distinctValues returns the values of the rows in order of appearance, each once, without the empty one.
func distinctValues(rows []results.Row, field func(*results.Row) string) []string {
	var out []string
	seen := map[string]bool{"": true}
	last := ""
	for i := range rows {
		v := field(&rows[i])
		if v == last {
			continue // most equal the one before
		}
		if last = v; !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	return out
}

// failureList lists the units that did not end well, with the first line of their errors.
func failureList(all []*cells.Cell) []page.Block {
	var lines page.List
	for _, c := range all {
		for _, row := range c.Rows {
			if row.Status == results.OK {
				continue
			}
			text, _, _ := strings.Cut(row.Error, "\n")
			line := fmt.Sprintf("%s, %s, repeat %d, fold %d: %s", c.DatasetLabel(), c.AlgorithmLabel(), row.Repeat, row.Fold, row.Status)
			if text != "" {
				line += ": " + text
			}
			lines = append(lines, page.Point{Text: line, Cell: c.Key})
		}
	}
	return limitedList(lines)
}

// skippedList lists the cells of the experiment file that are not in the plan, with the reason. Cells of one reason share a line,
// such as all algorithms on a missing data set, or all data sets with a method that cannot run.
func skippedList(skipped []Skipped) []page.Block {
	type group struct {
		datasets, algorithms []string
		why                  string
	}
	var groups []*group
	find := func(fits func(g *group) bool) *group {
		if i := slices.IndexFunc(groups, fits); i >= 0 {
			return groups[i]
		}
		return nil
	}
	for _, s := range skipped {
		dataset, algorithm := s.Cell.DatasetLabel(), s.Cell.AlgorithmLabel()
		if g := find(func(g *group) bool { return g.why == s.Why && g.datasets[0] == dataset }); g != nil {
			g.algorithms = append(g.algorithms, algorithm)
		} else {
			groups = append(groups, &group{[]string{dataset}, []string{algorithm}, s.Why})
		}
	}
	all := groups
	groups = nil
	for _, g := range all {
		if same := find(func(h *group) bool { return h.why == g.why && slices.Equal(h.algorithms, g.algorithms) }); same != nil {
			same.datasets = append(same.datasets, g.datasets...)
		} else {
			groups = append(groups, g)
		}
	}
	var lines page.List
	for _, g := range groups {
		lines = append(lines, page.Point{Text: fmt.Sprintf("%s × %s: %s", source.Abridge(g.datasets), source.Abridge(g.algorithms), g.why)})
	}
	return limitedList(lines)
}

// budgetLine says how many points algorithms may tune over, and which of them tuned over how many.
func budgetLine(b Budget, labels map[string]string) []page.Block {
	if b.Tuned == 0 {
		return nil
	}
	names := map[int][]string{}
	for _, s := range b.Spent {
		names[s.Points] = append(names[s.Points], cmp.Or(labels[s.Algorithm], s.Algorithm))
	}
	text := fmt.Sprintf("Budget: an algorithm tunes over at most %s, in each fold and inside its training rows.", digits.Count(b.Tuned, "point"))
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(names))) {
		text += fmt.Sprintf(" %s: %s.", digits.Count(n, "point"), strings.Join(names[n], ", "))
	}
	return []page.Block{page.Text(text)}
}

// problemList lists the parts of the report that could not be made.
func problemList(problems []error) []page.Block {
	var lines page.List
	for _, err := range problems {
		lines = append(lines, page.Point{Text: err.Error()})
	}
	return limitedList(lines)
}

// provenance shows what may differ between equal experiments, software, machine and times, with the digest, which may not.
func provenance(digest string, rows []results.Row, all []*cells.Cell) []page.Block {
	var lines page.List
	add := func(what string, values []string) {
		if len(values) > 0 {
			lines = append(lines, page.Point{Text: what + " " + strings.Join(values, ", ")})
		}
	}
	if digest != "" {
		add("digest", []string{digest})
	}
	add("tenfold", distinctValues(rows, func(row *results.Row) string { return row.Version }))
	add("commit", distinctValues(rows, func(row *results.Row) string { return results.CommitText(row.Commit, row.Dirty) }))
	add("machine", distinctValues(rows, func(row *results.Row) string { return row.Machine }))
	var blocks []page.Block
	if len(lines) > 0 {
		blocks = append(blocks, lines)
	}
	if g := timeTable(all); len(g.Rows) > 0 {
		blocks = append(blocks, page.Table{Grid: g})
	}
	return blocks
}

// timeTable returns the mean seconds over the folds of each cell.
func timeTable(all []*cells.Cell) *table.Grid {
	g := &table.Grid{Corner: "mean seconds a fold", Columns: []string{"fit", "predict", "processor"}}
	var shown []*cells.Cell
	more := 0
	for _, c := range all {
		rows := c.Finished()
		switch {
		case len(rows) == 0:
		case len(g.Rows) == mostLines:
			more++
		default:
			shown = append(shown, c)
			g.Rows = append(g.Rows, textRow(c.DatasetLabel()+", "+c.AlgorithmLabel()+c.Caveats().Marks(), []string{
				meanSeconds(rows, func(row *results.Row) float64 { return row.SecondsFit }),
				meanSeconds(rows, func(row *results.Row) float64 { return row.SecondsPredict }),
				meanSeconds(rows, func(row *results.Row) float64 { return row.CPUSeconds }),
			}, c.Key))
		}
	}
	g.Legend = cells.Legend(shown)
	if more > 0 {
		g.Notes = []string{andMore(more)}
	}
	return g
}

// meanSeconds returns the mean over some fits of a cell; imported predictions have no times.
func meanSeconds(rows []*results.Row, seconds func(*results.Row) float64) string {
	if rows[0].Imported() {
		return digits.Missing
	}
	sum := 0.0
	for _, r := range rows {
		sum += seconds(r)
	}
	return digits.Format("%.3g", sum/float64(len(rows)))
}

// methodList shows the facts of each program that is an engine of the run.
func methodList(methods []MethodFacts) (blocks []page.Block) {
	for _, m := range methods {
		facts := page.Facts{Title: m.Name, Long: true}
		for _, f := range m.Facts {
			facts.Items = append(facts.Items, page.Fact{Name: f.Name, Value: f.Value})
		}
		blocks = append(blocks, facts)
	}
	return blocks
}
