package runner

import (
	"sync"

	"tenfold/engines/data"
	"tenfold/io/scratch"
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
	large       bool           // arrays in the size of the data lie on disk: decided before anything runs
	disk        *scratch.Space // where they do
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
		var p *data.Prepared
		if p, s.err = s.Recipe.Fit(s.set(), s.Fold.Train); s.err == nil {
			s.train, s.test, s.facts = p.View(s.Fold.Train), p.View(s.Fold.Test), p.Facts
		}
		s.ready = true // only now: a panic above is every unit's own
	}
	return s.train, s.test, s.facts, s.err
}

// set is the data set, or the task's copy of its rows; what is made of its matrix lies on disk, where that was decided.
func (s *Split) set() *data.Dataset {
	set := s.Set
	if s.disk != nil {
		on := *set
		on.X = set.X.On(s.disk)
		set = &on
	}
	if s.Task != nil {
		return s.Task.Of(set)
	}
	return set
}

// close drops the data after the last unit; a later unit would prepare it again.
func (s *Split) close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting--; s.waiting > 0 {
		return
	}
	s.ready, s.train, s.test, s.err = false, nil, nil, nil
	if s.disk != nil {
		_ = s.disk.Close() // a mapping that cannot be taken back is room lost, and no fault of a result
	}
}

// toDisk makes the split keep arrays in the size of the data in files of a folder.
func (s *Split) toDisk(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.large && scratch.Supported {
		s.large, s.disk = true, scratch.New(dir, nil)
	}
}

// abandon leaves the arrays on disk as they are, to the end of the process: something may still be at work on them.
func (s *Split) abandon() {
	if !s.onDisk() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready, s.train, s.test, s.err = false, nil, nil, nil
	s.disk = s.disk.Another()
}

func (s *Split) onDisk() bool { return s != nil && s.large }

// shape of the data: of the task, where there is one.
func (s *Split) shape() Shape {
	switch {
	case s == nil:
		return Shape{}
	case s.Task != nil:
		return s.Task.Shape
	}
	return ShapeOf(s.Set)
}

// Bytes is a prediction of the memory that the prepared data takes.
//
// For each row there are the lists of the fold's rows, where each row lies, and its response. Entries are laid out by column;
// they are copied by row, too, where the recipe drops columns or changes values, where the rows are those of a task, and where
// copies are small. What lies on disk is not counted, and neither is the data set itself, whose pages the system shares and
// forgets as it likes.
func (s *Split) Bytes() int64 {
	if s == nil {
		return 0
	}
	shape := s.shape()
	perRow := int64(4+16) + 8*int64(len(s.Set.Targets))
	bytes := perRow*int64(shape.Rows) + 48*int64(shape.Columns)
	if s.onDisk() {
		return bytes
	}
	perEntry := int64(12)
	if s.Binary() {
		perEntry = 4
	}
	entries := int64(shape.Entries) * int64(max(1, s.Recipe.Discretize-1))
	layouts := int64(1)
	if perEntry*entries <= small || !s.Recipe.Binary(true) || s.Recipe.Discretize > 0 {
		layouts++
	} else if rows := int64(shape.Rows); rows > 0 {
		for _, side := range [][]int32{s.Fold.Train, s.Fold.Test} {
			if n := int64(len(side)); 2*n < rows {
				bytes += perEntry * (entries * n / rows)
			}
		}
	}
	if s.Recipe.Cutoff > 1 || s.Recipe.Cutoff == 1 && len(s.Fold.Test) > 0 || s.Recipe.Topics > 0 {
		layouts++
	}
	if s.Task != nil && s.Task.Rows != nil {
		layouts++
	}
	return bytes + layouts*perEntry*entries
}

// small is the bytes up to which rows are copied for a fold, as are rows that are less than half of all; others are shared
// with the data set (sparse.Matrix.Pick).
const small = 64 << 20

// Binary tells whether every value of the prepared data is one.
func (s *Split) Binary() bool { return s.Recipe.Binary(s.Set.X.Binary()) }
