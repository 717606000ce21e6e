package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/reports/cells"
)

// markBest marks the best of each set of slots that can be compared: those of a column, or of a row where the algorithms
// are the columns or nothing else can be compared, with the same metric on the same data sets.
func (b *builder) markBest(g *Grid) {
	type contest struct{ line, metric, datasets string }
	type rival struct {
		slot  *Slot
		value float64 // larger is better
	}
	contests := map[contest][]rival{}
	across := slices.Contains(b.columnDims, "algorithm") ||
		!slices.ContainsFunc(b.rowDims, func(d string) bool { return d != "dataset" && d != "metric" })
	for i, row := range b.rows {
		for j, column := range b.columns {
			s := b.slots[[2]string{row, column}]
			if s == nil || s.trouble() != "" || uncontested(b.primary(s)) {
				continue
			}
			c := contest{line: column, metric: b.primary(s), datasets: s.datasets()}
			if across {
				c.line = row
			}
			v := b.stats.by[[3]string{row, column, c.metric}].Mean
			if math.IsNaN(v) {
				continue
			}
			if !s.cells[0].Higher(c.metric) {
				v = -v
			}
			contests[c] = append(contests[c], rival{&g.Rows[i].Slots[j], v})
		}
	}
	for _, rivals := range contests {
		best := slices.MaxFunc(rivals, func(a, b rival) int { return cmp.Compare(a.value, b.value) }).value
		if !slices.ContainsFunc(rivals, func(r rival) bool { return r.value < best }) {
			continue // one, or all alike
		}
		for _, r := range rivals {
			r.slot.Best = r.value == best
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
		g.Legend = append(g.Legend, cells.OptimisticLegend)
	}
	if b.judge.resampled {
		g.Legend = append(g.Legend, "±: bootstrap standard error over the test rows of one fold (by group where rows have groups).")
	} else if b.text.shows("se") && g.hasErrors() {
		g.Legend = append(g.Legend, "±: standard error over folds.")
	}
	g.Warnings = slices.Concat(b.mixed(), b.partial(), b.judge.warnings)
}

// partial warns of means over some folds only, because the metric does not apply to the others.
func (b *builder) partial() []string {
	var order []string
	places := map[string][]string{}
	for _, row := range b.rows {
		for _, column := range b.columns {
			s := b.slots[[2]string{row, column}]
			if s == nil || s.trouble() != "" {
				continue
			}
			for _, metric := range b.shown(s) {
				n := b.stats.by[[3]string{row, column, metric}].N
				if n == 0 || n == s.folds() {
					continue
				}
				if places[metric] == nil {
					order = append(order, metric)
				}
				places[metric] = append(places[metric], fmt.Sprintf("%s / %s: %d of %d", row, column, n, s.folds()))
			}
		}
	}
	var out []string
	for _, metric := range order {
		out = append(out, fmt.Sprintf("%s does not apply to every fold, and its means are over the others (%s)", metric, firstOf(places[metric])))
	}
	return out
}

// firstOf is the first place of a list, and how many more there are.
func firstOf(places []string) string {
	if more := len(places) - 1; more > 0 {
		return fmt.Sprintf("%s and %d more", places[0], more)
	}
	return places[0]
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
		out = append(out, fmt.Sprintf("several cells in one place (%s), which differ in %s", firstOf(places[differ]), differ))
	}
	return out
}

func (g *Grid) hasErrors() bool {
	return slices.ContainsFunc(g.Numbers, func(n Number) bool { return !math.IsNaN(n.Stat.SE) })
}
