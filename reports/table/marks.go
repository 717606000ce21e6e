package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/reports/cells"
)

// markBest marks the best of each set of slots that can be compared: those of a column, or those of a row where the
// algorithms are the columns.
func (b *builder) markBest(g *Grid) {
	across := slices.Contains(b.columnDims, "algorithm")
	lines, along := b.columns, b.rows
	if across {
		lines, along = b.rows, b.columns
	}
	for i, line := range lines {
		best, bestValue, candidates := []int(nil), math.NaN(), 0
		for j, other := range along {
			row, column := other, line
			if across {
				row, column = line, other
			}
			s := b.slots[[2]string{row, column}]
			if s == nil || s.trouble() != "" || uncontested(b.primary(s)) {
				continue
			}
			v := cells.Pooled(s.cells, b.primary(s)).Mean
			if math.IsNaN(v) {
				continue
			}
			candidates++
			if !s.cells[0].Higher(b.primary(s)) {
				v = -v
			}
			switch {
			case len(best) > 0 && v == bestValue:
				best = append(best, j)
			case len(best) == 0 || v > bestValue:
				best, bestValue = []int{j}, v
			}
		}
		if candidates < 2 || len(best) == candidates {
			continue
		}
		for _, j := range best {
			if across {
				g.Rows[i].Slots[j].Best = true
			} else {
				g.Rows[j].Slots[i].Best = true
			}
		}
	}
}

// uncontested tells metrics of which no value is best: size and effort, and how well the training rows are fitted.
func uncontested(metric string) bool {
	return strings.HasPrefix(metric, "train_") || slices.Contains([]string{"nonzero", "selected", "seconds_fit", "seconds_predict", "iterations", "evaluations"}, metric)
}

func (b *builder) explain(g *Grid) {
	var best, optimistic, marked bool
	for _, r := range g.Rows {
		for _, s := range r.Slots {
			best, optimistic, marked = best || s.Best, optimistic || s.Optimistic, marked || s.Mark != ""
		}
	}
	if best {
		g.Legend = append(g.Legend, "bold: the best.")
	}
	if legend := b.judge.legend(marked); legend != "" {
		g.Legend = append(g.Legend, legend)
	}
	if optimistic {
		g.Legend = append(g.Legend, "†: chosen on the test rows: optimistic.")
	}
	if b.judge.resampled {
		g.Legend = append(g.Legend, "±: bootstrap standard error over the test rows of one fold (by group where rows have groups).")
	} else if b.text.shows("se") && g.hasErrors() {
		g.Legend = append(g.Legend, "±: standard error over folds.")
	}
	g.Warnings = append(b.mixed(), b.judge.warnings...)
}

// mixed warns of slots that hold several cells, which differ in a dimension that the table hides.
func (b *builder) mixed() []string {
	var order []string
	places := map[string][]string{}
	for _, row := range b.rows {
		for _, column := range b.columns {
			s := b.slots[[2]string{row, column}]
			if s == nil || len(s.cells) < 2 {
				continue
			}
			differ := strings.Join(cells.Differing(s.cells), ", ")
			if places[differ] == nil {
				order = append(order, differ)
			}
			places[differ] = append(places[differ], row+" / "+column)
		}
	}
	var out []string
	for _, differ := range order {
		where := places[differ][0]
		if more := len(places[differ]) - 1; more > 0 {
			where += fmt.Sprintf(" and %d more", more)
		}
		out = append(out, fmt.Sprintf("several cells in one place (%s), which differ in %s", where, differ))
	}
	return out
}

func (g *Grid) hasErrors() bool {
	return slices.ContainsFunc(g.Numbers, func(n Number) bool { return !math.IsNaN(n.Stat.SE) })
}
