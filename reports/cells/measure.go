package cells

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/io/results/stability"
)

// Higher reports whether more of a metric is better, from the first row that has it.
func (c *Cell) Higher(metric string) bool {
	if OfCell(metric) {
		return true
	}
	for _, r := range c.Rows {
		for _, s := range r.Scores {
			if s.Metric == metric {
				return s.Higher
			}
		}
	}
	return false
}

// Stat summarises a metric over the folds of the cell that ended well; Measure also computes metrics that are measured on the cell.
func (c *Cell) Stat(metric string) results.Stat { return Pooled([]*Cell{c}, metric) }

// Measure summarises a metric of several cells of either kind: over all their folds (Pooled), or, for a metric measured on a cell,
// the mean over the cells that have it. In the latter case the standard error treats cells as independent, the interval is
// asymptotic, and N counts the folds; for an average of tasks all three are over the tasks. What cannot be read counts as not
// measured; Cached.Err reports it.
func Measure(src Source, cs []*Cell, metric string) results.Stat {
	if !OfCell(metric) {
		return Pooled(cs, metric)
	}
	var found []stability.Estimate
	for _, c := range cs {
		if s, err := StabilityOf(src, c, metric); err == nil {
			found = append(found, s)
		}
	}
	return results.MeanStability(found)
}

// Pooled summarises a metric over the folds of several cells, with errors corrected for the training rows that folds share; the
// tasks and data sets of an average share none.
func Pooled(cs []*Cell, metric string) results.Stat {
	planned, ratio := 0, 0.0
	for _, c := range cs {
		for _, r := range c.Rows {
			if r.Status != results.OK {
				continue
			}
			planned++
			if _, ok := r.Metric(metric); ok && r.RowsTrain > 0 && !c.Averaged {
				ratio += float64(r.RowsTest) / float64(r.RowsTrain)
			}
		}
	}
	values := overFolds(cs, metric)
	s := results.SummariseFolds(values, ratio/float64(max(1, len(values))))
	s.Of = planned
	return s
}

// ByFold returns the values of a metric of several cells on their folds, in order, NaN where there is none; nil if some cell did not
// end well. A metric that is measured on a cell has one value for each.
func ByFold(src Source, cs []*Cell, metric string) []float64 {
	var out []float64
	for _, c := range cs {
		if c.Trouble() != "" {
			return nil
		}
		if OfCell(metric) {
			out = append(out, Measure(src, []*Cell{c}, metric).Mean)
			continue
		}
		for _, r := range c.Rows {
			v, _ := r.Metric(metric) // NaN without one
			out = append(out, v)
		}
	}
	return out
}

// Rivals returns the cells that may be compared with the others on their data set in a metric (results.Compete).
func Rivals(src Source, cs []*Cell, metric string) map[*Cell]bool {
	sets := map[string][]*Cell{}
	for _, c := range cs {
		d, _ := c.ExactLabels()
		sets[d] = append(sets[d], c)
	}
	out := map[*Cell]bool{}
	for _, set := range sets {
		values := make([][]float64, len(set))
		for i, c := range set {
			values[i] = ByFold(src, set[i:i+1], metric)
			out[c] = false
		}
		for i, yes := range results.Compete(values) {
			out[set[i]] = yes
		}
	}
	return out
}

// Median returns the median of a metric over the folds of several cells; NaN without values.
func Median(cs []*Cell, metric string) float64 {
	v := overFolds(cs, metric)
	slices.Sort(v)
	n := len(v)
	if n == 0 {
		return math.NaN()
	}
	return (v[(n-1)/2] + v[n/2]) / 2
}

func overFolds(cs []*Cell, metric string) []float64 {
	var out []float64
	for _, c := range cs {
		for _, r := range c.Rows {
			if v, ok := r.Metric(metric); ok && r.Status == results.OK {
				out = append(out, v)
			}
		}
	}
	return out
}

// missing is the status of a fold that never ran.
const missing = results.Status("missing")

// troubles lists the ways not to end well, the worst first.
var troubles = []results.Status{results.Failed, results.Timeout, results.Skipped, missing}

// Trouble returns "" if every fold ended well, otherwise what to print instead of a number: "failed" if all folds did, "2/10
// failed", "1/10 failed, 1/10 timeout"; for an average "3/190 tasks failed".
func (c *Cell) Trouble() string {
	if len(c.Rows) == 0 {
		return string(missing)
	}
	count := map[results.Status]int{}
	for _, r := range c.Rows {
		count[r.Status]++
	}
	count[missing] += max(0, c.Folds-len(c.Rows))
	unit := ""
	if c.Averaged {
		unit = c.parts() + " "
	}
	var parts []string
	for _, s := range troubles {
		switch n := count[s]; {
		case n == 0:
		case n == c.Folds:
			return string(s)
		default:
			parts = append(parts, fmt.Sprintf("%d/%d %s%s", n, c.Folds, unit, s))
		}
	}
	return strings.Join(parts, ", ")
}

// parts names what the cell's means are over.
func (c *Cell) parts() string {
	switch {
	case c.OverGrid:
		return "data sets"
	case c.Averaged:
		return "tasks"
	}
	return "folds"
}

// OverCorrected names what the errors of some cells are over, and that they are corrected where folds share training rows.
func OverCorrected(cs []*Cell) string {
	over := Over(cs)
	if strings.Contains(over, "folds") {
		over += ", corrected for overlapping training rows"
	}
	return over
}

// Over names what the means of some cells are over: folds, tasks, data sets, or several of these.
func Over(cs []*Cell) string {
	var kinds []string
	for _, c := range cs {
		if k := c.parts(); !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	slices.Sort(kinds)
	return cmp.Or(strings.Join(kinds, " or "), "folds")
}
