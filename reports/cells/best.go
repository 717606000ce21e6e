package cells

import "tenfold/io/results"

// Best is the best cell of an algorithm.
type Best struct {
	*Cell
	Of int // number of cells of the algorithm, including this one
}

// BestOfEach returns, for each algorithm in order of appearance, the cell with the best mean of a metric on one data set, on ties the
// first. Cells that may not be compared (Rivals), or are infinite, lose to all others. Without a metric ("") it is the first cell.
func BestOfEach(src Source, cs []*Cell, metric string) []Best {
	var out []Best
	index := map[string]int{}
	scores := []score{} // of the cells in out
	var compete map[*Cell]bool
	if metric != "" {
		compete = Rivals(src, cs, metric)
	}
	for _, c := range cs {
		i, ok := index[c.Algorithm]
		var s score
		if compete[c] {
			s.value = Measure(src, []*Cell{c}, metric).Mean
			s.is = results.Finite(s.value)
		}
		if !ok {
			index[c.Algorithm] = len(out)
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
