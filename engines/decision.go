package engines

import (
	"math"

	"tenfold/engines/numeric/exact"
)

// Decision says how a level is predicted from the outputs of a class target of two levels, where that is not the level of the largest
// output: the positive one where its margin, its output less the other's, is at least Cut.
type Decision struct {
	Positive int         `json:"positive"`
	Cut      exact.Float `json:"cut"`
}

// Level returns the level that is predicted from the outputs for one row. A nil decision takes the largest output, the lowest level on
// ties.
func (d *Decision) Level(outputs []float64) int {
	if d == nil {
		return largest(outputs)
	}
	if d.Margin(outputs) >= float64(d.Cut) {
		return d.Positive
	}
	return 1 - d.Positive
}

// Margin returns how far the output of the positive level is above that of the other.
func (d *Decision) Margin(outputs []float64) float64 {
	return outputs[d.Positive] - outputs[1-d.Positive]
}

// largest returns the index of the largest number, the lowest on ties.
func largest(outputs []float64) int {
	best, most := 0, math.Inf(-1)
	for l, x := range outputs {
		if x > most {
			best, most = l, x
		}
	}
	return best
}
