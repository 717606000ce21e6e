package engines

import (
	"math"

	"tenfold/engines/data"
)

// Work is a piece of a fit that has a result of its own, which other fits may need as well, or the same fit when it is run again: the
// trial of a candidate, a round of an elimination, the selection on a half of the rows. Equal works have equal results.
type Work struct {
	What    string       // the kind of work, with all that determines it and stands in no other field
	Engine  Engine       // that is fitted
	On      []*data.View // to what rows, and which ones are predicted: of the run, mostly
	Columns []int32      // of these rows' columns, those that the engine sees, rising; nil for all
	Seed    [2]uint64
}

// Yield is the result of a work.
type Yield struct {
	Values []float64
	Notes  []string
}

// Recall returns what a work yields, and the seconds that it took. It calls do with a run for the fits inside, unless the yield is known;
// one that is returned with an error is not kept. Safe for several goroutines.
type Recall func(run Run, w Work, do func(inside Run) (Yield, error)) (y Yield, seconds float64, err error)

// Recalled calls Recall, or do if there is none; seconds are then NaN.
func (r Run) Recalled(w Work, do func(inside Run) (Yield, error)) (y Yield, seconds float64, err error) {
	r.Searched = nil
	if r.Recall == nil {
		y, err = do(r)
		return y, math.NaN(), err
	}
	return r.Recall(r, w, do)
}
