package cells

import (
	"tenfold/io/results"
)

// Best is the best cell of an algorithm.
type Best struct {
	*Cell
	Of int // number of cells of the algorithm, including this one
}

// BestOfEach returns, for each algorithm in order of appearance, the cell with the best mean of a metric, on ties the first. Cells
// with trouble, or without a finite value, lose to all others. Without a metric ("") it is the first cell.
func BestOfEach(src Source, cs []*Cell, metric string) []Best {
	var out []Best
	at := map[string]int{}
	scores := []score{} // of the cells in out
	for _, c := range cs {
		i, ok := at[c.Algorithm]
		var s score
		if metric != "" {
			s.value, s.is = c.value(src, metric)
		}
		if !ok {
			at[c.Algorithm] = len(out)
			out, scores = append(out, Best{c, 1}), append(scores, s)
			continue
		}
		if out[i].Of++; s.beats(scores[i], c.Higher(metric)) {
			out[i].Cell, scores[i] = c, s
		}
	}
	return out
}

// score is the score of a cell, if it has one.
type score struct {
	value float64
	is    bool
}

func (s score) beats(other score, higher bool) bool {
	return s.is && (!other.is || s.value != other.value && (s.value > other.value) == higher)
}

// value returns the mean of a metric; false if some fold did not end well or it is not finite.
func (c *Cell) value(src Source, metric string) (float64, bool) {
	if c.Trouble() != "" {
		return 0, false
	}
	mean := Measure(src, []*Cell{c}, metric).Mean
	return mean, results.Finite(mean)
}
