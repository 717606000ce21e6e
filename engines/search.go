package engines

import (
	"strings"

	"tenfold/engines/searches"
)

// RecordSearch reports a search; safe without a listener.
func (r Run) RecordSearch(s searches.Record) {
	if r.Searched != nil {
		r.Searched(s)
	}
}

// SearchesOf returns a listener that reports searches as those of a part of the fit.
func (r Run) SearchesOf(part string) func(searches.Record) {
	return func(s searches.Record) {
		s.Part = strings.TrimSuffix(part+": "+s.Part, ": ")
		r.RecordSearch(s)
	}
}

// SizesOf returns the numbers of rows of inner folds.
func SizesOf(folds []HeldOut) (rows []searches.Rows) {
	for _, f := range folds {
		rows = append(rows, searches.Rows{Fitted: int32(f.Train.Len()), Held: int32(f.Held.Len())})
	}
	return rows
}

// Searching is implemented by engines that fit models inside their fits.
type Searching interface {
	// InnerFits returns the number of these for training data of a shape, or the largest possible one where it depends on the rows. A
	// path counts as one fit.
	InnerFits(s Shape) int
}

// InnerFits returns the number of fits inside a fit, with those inside of these; 0 if the engine is not Searching.
func InnerFits(e Engine, s Shape) int {
	if searching, ok := e.(Searching); ok {
		return searching.InnerFits(s)
	}
	return 0
}
