package engines

import "strings"

// Search is what a fit measured inside its training rows to choose among candidates.
type Search struct {
	Part      string // of the fit that searches: selection, a level, a selector; "" for the whole
	Kind      string // tune, halving, sequential
	Parameter string // whose number each candidate has; "" if several vary, or one that is no number
	Stages    []SearchStage
}

// SearchStage is a part of a search that measures candidates by one metric on the same inner folds: a rung of a halving, a step of a
// sequential search. Other searches have one.
type SearchStage struct {
	Metric   string
	Folds    []InnerRows
	Attempts []Attempt
}

// InnerRows counts the rows of an inner fold.
type InnerRows struct{ Fitted, Held int32 }

// Attempt is one candidate with what was measured of it.
type Attempt struct {
	Candidate string    // as in "alpha=0.5, lambda=0.1"; of a sequential search the column that enters (+) or leaves (−)
	Number    float64   // of Search.Parameter; NaN for none
	Values    []float64 // of the metric, by inner fold; NaN where it has none or the fit failed
	Seconds   []float64 // of the fits, by inner fold; of a path all at its last value; NaN where nobody looks at a clock
	// Kept reports that the search went on with it: to the next rung, or as the best set of its size. In the last rung, and in searches
	// without stages, all are.
	Kept   bool
	Best   bool // has the best mean of those that may be chosen
	OneSE  bool // is the simplest within one standard error of the best
	Chosen bool
}

// RecordSearch reports a search; safe without a listener.
func (r Run) RecordSearch(s Search) {
	if r.Searched != nil {
		r.Searched(s)
	}
}

// SearchesOf returns a listener that reports searches as those of a part of the fit.
func (r Run) SearchesOf(part string) func(Search) {
	return func(s Search) {
		s.Part = strings.TrimSuffix(part+": "+s.Part, ": ")
		r.RecordSearch(s)
	}
}

// SizesOf returns the numbers of rows of inner folds.
func SizesOf(folds []HeldOut) (rows []InnerRows) {
	for _, f := range folds {
		rows = append(rows, InnerRows{Fitted: int32(f.Train.Len()), Held: int32(f.Held.Len())})
	}
	return rows
}
