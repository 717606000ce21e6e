package execute

import (
	"math"
	"sync"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/probes"
	"tenfold/io/scratch"
	"tenfold/runner/folds"
)

// Split is a data set prepared for one fold: the recipe fitted to the fold's training rows. All units on the fold share
// it. It is prepared when the first of them starts and dropped when the last one ends, and so is the copy of a task's
// rows: the tasks of a family share one data set.
type Split struct {
	Set    *data.Dataset
	Task   *Task // nil if the fold divides the whole data set
	Recipe prepare.Recipe
	Fold   folds.Fold // row numbers are within the task
	Seed   uint64     // of the fold's probes

	mu          sync.Mutex
	waiting     int // units that have not ended
	ready       bool
	train, test *data.View
	notices     preparation
	err         error
	large       bool           // arrays as large as the data go to disk: decided before anything runs
	disk        *scratch.Space // where they are
}

// Task is a data set made from some rows of another one.
type Task struct {
	data.Subset
	Shape Shape
}

// Shape is the size of a data set.
type Shape struct {
	Rows, Columns, Entries int
}

// levels returns the number of levels of the target, the largest if there are several; 0 if all are numbers.
func (s *Split) levels() (most int) {
	switch {
	case s == nil || s.Set == nil:
	case s.Task != nil && s.Task.Levels != nil:
		most = len(s.Task.Levels)
	default:
		for _, t := range s.Set.Targets {
			most = max(most, len(t.Levels))
		}
	}
	return most
}

// ShapeOf returns the size of a data set.
func ShapeOf(d *data.Dataset) Shape {
	rows, columns := d.X.Dims()
	return Shape{rows, columns, d.X.NNZ()}
}

// with returns the size that the data has at most after it is prepared.
func (s Shape) with(r prepare.Recipe) Shape {
	s.Columns, s.Entries = r.MaxColumns()*s.Columns, r.MaxColumns()*s.Entries
	if share := r.Probes.Share; share > 0 {
		probes := int(math.Ceil(float64(share * float64(s.Columns))))
		if r.Probes.Full() {
			s.Entries += probes * s.Rows
		} else {
			s.Entries += s.Entries // where probes are few, their columns may be the full ones
		}
		s.Columns += probes
	}
	return s
}

// PreparedShape returns the size that the split's data has at most after it is prepared.
func (s *Split) PreparedShape() Shape { return s.dataShape().with(s.Recipe) }

// addUnit counts one more unit. It does nothing for the nil split of stages without data.
func (s *Split) addUnit() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.waiting++
	s.mu.Unlock()
}

// preparation holds what is reported about prepared data.
type preparation struct {
	facts    []data.Fact
	warnings []string
}

// prepare prepares the data, once.
func (s *Split) prepare() (train, test *data.View, notices preparation, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ready {
		var p *data.Prepared
		if p, s.err = s.Recipe.Fit(s.inputData(), s.Fold.Train); s.err == nil && s.Recipe.Probes != (probes.Rule{}) {
			s.err = s.Recipe.Probes.Draw(p, s.Fold.Train, s.Fold.Test, s.Seed)
		}
		if s.err == nil {
			s.train, s.test, s.notices = p.View(s.Fold.Train), p.View(s.Fold.Test), preparation{p.Facts, p.Warnings}
		}
		s.ready = true // set last: after a panic above, every unit tries again
	}
	return s.train, s.test, s.notices, s.err
}

// inputData returns the data set, or a copy of the task's rows, with a matrix that allocates on disk if that was decided.
func (s *Split) inputData() *data.Dataset {
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

// removeUnit drops the data after the last unit; a later unit would prepare it again.
func (s *Split) removeUnit() {
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
		_ = s.disk.Close() // a failed unmapping wastes memory, but no result is wrong
	}
}

// useDisk makes the split keep arrays as large as the data in files in dir.
func (s *Split) useDisk(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.large && scratch.Supported {
		s.large, s.disk = true, scratch.New(dir, nil)
	}
}

// abandon leaves the arrays on disk to the end of the process, because goroutines may still read them.
func (s *Split) abandon() {
	if !s.usesDisk() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready, s.train, s.test, s.err = false, nil, nil, nil
	s.disk = s.disk.Another()
}

func (s *Split) usesDisk() bool { return s != nil && s.large }

// dataShape returns the size of the task, or of the data set if there is none.
func (s *Split) dataShape() Shape {
	switch {
	case s == nil:
		return Shape{}
	case s.Task != nil:
		return s.Task.Shape
	}
	return ShapeOf(s.Set)
}

// Bytes predicts the memory of the prepared data.
//
// Each row counts in the lists of the fold's rows, in the index of rows, and with its response. Entries are stored by column;
// they are also copied by row if the recipe drops columns or changes values, if the rows are those of a task, and if copies
// are small. Arrays on disk are not counted, nor is the data set itself, whose pages the system shares and can drop.
func (s *Split) Bytes() int64 { return s.bytes(s.usesDisk()) }

func (s *Split) bytes(onDisk bool) int64 {
	if s == nil {
		return 0
	}
	shape := s.dataShape().with(s.Recipe)
	perRow := int64(4+16) + 8*int64(len(s.Set.Targets))
	bytes := perRow*int64(shape.Rows) + 48*int64(shape.Columns)
	if onDisk {
		return bytes
	}
	perEntry := int64(12)
	if s.Binary() {
		perEntry = 4
	}
	entries := int64(shape.Entries)
	layouts := int64(1)
	if s.Recipe.Probes != (probes.Rule{}) {
		layouts++ // of the columns that probes are drawn from
	}
	if perEntry*entries <= maxCopy || !s.Recipe.Binary(true) || s.Recipe.Discretize > 0 {
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

// maxCopy is the size in bytes up to which rows are copied for a fold. Rows that are less than half of all are copied,
// too; others are shared with the data set (sparse.Matrix.Pick).
const maxCopy = 64 << 20

// Binary reports whether every value of the prepared data is 1.
func (s *Split) Binary() bool { return s.Recipe.Binary(s.Set.X.Binary()) }
