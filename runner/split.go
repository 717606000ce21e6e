package runner

import (
	"sync"

	"tenfold/engines/data"
	"tenfold/runner/folds"
)

// Split is a data set prepared for one fold: the recipe fitted on the fold's training rows. All units on the fold share
// it. It is prepared when the first of them starts and dropped when the last of them ends.
type Split struct {
	Set    *data.Dataset
	Recipe data.Recipe
	Fold   folds.Fold

	mu          sync.Mutex
	waiting     int // units planned and not ended
	ready       bool
	train, test *data.View
	facts       []data.Fact
	err         error
}

// expect announces one more unit.
func (s *Split) expect() {
	s.mu.Lock()
	s.waiting++
	s.mu.Unlock()
}

// open prepares the data, once.
func (s *Split) open() (train, test *data.View, facts []data.Fact, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ready {
		var p *data.Prepared
		if p, s.err = s.Recipe.Fit(s.Set, s.Fold.Train); s.err == nil {
			s.train, s.test, s.facts = p.View(s.Fold.Train), p.View(s.Fold.Test), p.Facts
		}
		s.ready = true // only now: a panic above is every unit's own
	}
	return s.train, s.test, s.facts, s.err
}

// close drops the data after the last unit; a later unit would prepare it again.
func (s *Split) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting--; s.waiting <= 0 {
		s.ready, s.train, s.test, s.err = false, nil, nil, nil
	}
}

// Bytes is a prediction of the memory that the prepared data takes: a copy of the entries by row (unless the data set's
// own can be shared) and their layout by column, for training and test rows.
func (s *Split) Bytes() int64 {
	perEntry := int64(4)
	if !s.Set.X.Binary() {
		perEntry = 12
	}
	entries := int64(s.Set.X.NNZ())
	rows, cols := s.Set.X.Dims()
	layouts := int64(2)
	if s.Recipe.Cutoff > 0 {
		layouts = 3
	}
	return layouts*perEntry*entries + 16*int64(rows) + 48*int64(cols)
}
