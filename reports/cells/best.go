package cells

// Best is the best cell of an algorithm.
type Best struct {
	*Cell
	Of int // cells of the algorithm, itself included
}

// BestOfEach is, for each algorithm in order of appearance, the cell with the best mean of a metric, the first of equals.
// Cells with trouble, or without a finite value, lose to all others. Without a metric ("") it is the first cell.
func BestOfEach(src Source, cs []*Cell, metric string) []Best {
	var out []Best
	at := map[string]int{}
	for _, c := range cs {
		i, ok := at[c.Algorithm]
		if !ok {
			at[c.Algorithm] = len(out)
			out = append(out, Best{c, 1})
			continue
		}
		if out[i].Of++; metric != "" && c.beats(out[i].Cell, src, metric) {
			out[i].Cell = c
		}
	}
	return out
}

func (c *Cell) beats(other *Cell, src Source, metric string) bool {
	mine, ok := c.value(src, metric)
	theirs, has := other.value(src, metric)
	return ok && (!has || mine != theirs && (mine > theirs) == c.Higher(metric))
}

// value is the mean of a metric, false where some fold did not end well or it is not finite.
func (c *Cell) value(src Source, metric string) (float64, bool) {
	if c.Trouble() != "" {
		return 0, false
	}
	mean := Measure(src, []*Cell{c}, metric).Mean
	return mean, mean-mean == 0
}
