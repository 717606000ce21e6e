// Package searches holds what searches inside fits report: what they measured of their candidates, and how far they have come.
package searches

import (
	"fmt"
	"sync/atomic"
)

// Record is what a fit measured inside its training rows to choose among candidates.
type Record struct {
	Part      string // of the fit that searches: selection, a level, a selector; "" for the whole
	Kind      string // tune, halving, sequential
	Parameter string // whose number each candidate has; "" if several vary, or one that is no number
	Stages    []Stage
}

// Stage is a part of a search that measures candidates by one metric on the same inner folds: a rung of a halving, a step of a
// sequential search. Other searches have one.
type Stage struct {
	Metric   string
	Folds    []Rows
	Attempts []Attempt
}

// Rows counts the rows of an inner fold.
type Rows struct{ Fitted, Held int32 }

// Attempt is one candidate with what was measured of it.
type Attempt struct {
	Candidate string    // as in "alpha=0.5, lambda=0.1"; of a sequential search the column that enters (+) or leaves (−)
	Number    float64   // of Record.Parameter; NaN for none
	Values    []float64 // of the metric, by inner fold; NaN where it has none or the fit failed
	Seconds   []float64 // of the fits, by inner fold; of a path all at its last value; NaN where nobody looks at a clock
	// Kept reports that the search went on with it: to the next rung, or as the best set of its size. In the last rung, and in searches
	// without stages, all are.
	Kept   bool
	Best   bool // has the best mean of those that may be chosen
	OneSE  bool // is the simplest within one standard error of the best
	Chosen bool
}

// Counter shows how many fits of a search are done. It is safe for concurrent use.
type Counter struct {
	show  func(text string)
	what  string
	total int
	done  atomic.Int64
}

// NewCounter returns a counter of fits, which shows "3 of 40 inner fits" after what.
func NewCounter(show func(text string), what string, total int) *Counter {
	return &Counter{show: show, what: what, total: total}
}

// Add counts a fit.
func (c *Counter) Add() { c.show(fmt.Sprintf("%s%d of %d inner fits", c.what, c.done.Add(1), c.total)) }
