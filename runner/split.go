package runner

import (
	"sync"

	"tenfold/engines/data"
	"tenfold/runner/folds"
)

// Split is a data set prepared for one fold: the recipe fitted on the fold's training rows. All units on the fold share
// it. It is prepared when the first of them starts and dropped when the last of them ends. So is the copy of a task's rows:
// the tasks of a family share one data set, however many they are.
type Split struct {
	Set    *data.Dataset
	Task   *Task // nil where the fold divides the whole data set
	Recipe data.Recipe
	Fold   folds.Fold // of the rows of the task, numbered within it

	mu          sync.Mutex
	waiting     int // units planned and not ended
	ready       bool
	train, test *data.View
	facts       []data.Fact
	err         error
}

// Task is one of many data sets made of one.
type Task struct {
	data.Subset
	Shape Shape
}

// Shape is the size of a data set.
type Shape struct {
	Rows, Columns, Entries int
}

// ShapeOf a data set.
func ShapeOf(d *data.Dataset) Shape {
	rows, columns := d.X.Dims()
	return Shape{rows, columns, d.X.NNZ()}
}

// expect announces one more unit. A nil split, of stages that need no data, has nothing to do.
func (s *Split) expect() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.waiting++
	s.mu.Unlock()
}

// open prepares the data, once.
func (s *Split) open() (train, test *data.View, facts []data.Fact, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ready {
		set := s.Set
		if s.Task != nil {
			set = s.Task.Of(s.Set)
		}
		var p *data.Prepared
		if p, s.err = s.Recipe.Fit(set, s.Fold.Train); s.err == nil {
			s.train, s.test, s.facts = p.View(s.Fold.Train), p.View(s.Fold.Test), p.Facts
		}
		s.ready = true // only now: a panic above is every unit's own
	}
	return s.train, s.test, s.facts, s.err
}

// close drops the data after the last unit; a later unit would prepare it again.
func (s *Split) close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting--; s.waiting <= 0 {
		s.ready, s.train, s.test, s.err = false, nil, nil, nil
	}
}

// Bytes is a prediction of the memory that the prepared data takes: a copy of the entries by row (unless the data set's
// own can be shared) and their layout by column, for training and test rows. A task of some of the rows has a copy of them besides.
func (s *Split) Bytes() int64 {
	if s == nil {
		return 0
	}
	perEntry := int64(4)
	if !s.Set.X.Binary() || !s.Recipe.Binary() {
		perEntry = 12
	}
	layouts := int64(2)
	if s.Recipe.Cutoff > 0 || s.Recipe.Topics > 0 {
		layouts++
	}
	shape := ShapeOf(s.Set)
	if s.Task != nil {
		shape = s.Task.Shape
		if s.Task.Rows != nil {
			layouts++
		}
	}
	return layouts*perEntry*int64(shape.Entries) + 16*int64(shape.Rows) + 48*int64(shape.Columns)
}
