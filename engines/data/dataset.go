// Package data holds data sets as readers make them, the preparation fitted on the training rows of a fold, and the
// views through which engines see rows. An engine gets a view of training rows only, numbered from 0 within the view,
// so it cannot reach a test row.
package data

import (
	"fmt"

	"tenfold/engines/sparse"
)

// Dataset is what a reader returns: every candidate column, before any cutoff or other preparation. Read-only once built.
type Dataset struct {
	Name     string
	Digest   string // hash of the decoded source bytes and of the reader's name, revision and options
	X        *sparse.Matrix
	Features *Features
	Targets  []Target
	IDs      []string  // row ids where the data has them; nil means row numbers
	Groups   *Groups   // rows that must stay on one side of a split; nil when there are none
	Time     []float64 // for time-ordered folds; nil when there is none
	Weight   []float64 // positive row weights (multiplicities); nil means 1 each
	Part     []int8    // 0 for rows given as training, 1 as test; nil when one file holds all
	// Factor[j] ≥ 0 numbers the categorical column that the one-hot column j belongs to, -1 for none; nil when none is.
	Factor []int32
	// Sequences divides the rows into sequences; nil when rows do not follow each other.
	Sequences *Sequences
	Tasks     *Tasks // nil when rows are of no tasks
	Truth     []True // coefficients that the responses were made with; nil where they are not known
	Facts     []Fact // what the reader measured, for reports
}

// Fact is one measured property of a data set, for people.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Groups divides the rows: equal numbers belong together.
type Groups struct {
	Name string
	Of   []int32 // group number of each row, from 0
	// Key is a hash of each group's text (FNV-1a, 64 bit, each value followed by a line feed), so that a split by group
	// depends on nothing but the group and the seed.
	Key []uint64
}

// Rows is the number of rows.
func (d *Dataset) Rows() int { n, _ := d.X.Dims(); return n }

// RowID is the id of row i.
func (d *Dataset) RowID(i int) string {
	if len(d.IDs) == 0 {
		return fmt.Sprint(i)
	}
	return d.IDs[i]
}

// Check verifies that the parts fit together; the readers' own messages name files and lines, this one rows.
func (d *Dataset) Check() error {
	rows, cols := d.X.Dims()
	if rows == 0 {
		return fmt.Errorf("no rows")
	}
	if d.Features.Len() != cols {
		return fmt.Errorf("%d feature names for %d columns", d.Features.Len(), cols)
	}
	if len(d.Targets) == 0 {
		return fmt.Errorf("no target")
	}
	if err := d.inside(); err != nil {
		return err
	}
	for t := range d.Targets {
		if err := d.checkTarget(&d.Targets[t], rows); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		name string
		n    int
	}{{"ids", len(d.IDs)}, {"times", len(d.Time)}, {"weights", len(d.Weight)}, {"parts", len(d.Part)}} {
		if part.n != 0 && part.n != rows {
			return fmt.Errorf("%d %s for %d rows", part.n, part.name, rows)
		}
	}
	for i, w := range d.Weight {
		if !(w > 0) || w-w != 0 {
			return fmt.Errorf("row %s: weight %v, expected a positive number", d.RowID(i), w)
		}
	}
	if d.Groups != nil && len(d.Groups.Of) != rows {
		return fmt.Errorf("%d group numbers for %d rows", len(d.Groups.Of), rows)
	}
	return nil
}

func (d *Dataset) checkTarget(t *Target, rows int) error {
	want := rows
	if t.Rows != nil {
		want = len(t.Rows)
	}
	if len(t.Values) != want && t.Pairs == nil {
		return fmt.Errorf("target %s: %d values for %d rows", t.Name, len(t.Values), want)
	}
	for k, y := range t.Values {
		i := k
		if t.Rows != nil {
			i = int(t.Rows[k])
		}
		if y-y != 0 && !(t.Type == Real && y != y) {
			return fmt.Errorf("target %s, row %s: value %v, expected a finite number", t.Name, d.RowID(i), y)
		}
		if t.Type == Class && (y < 0 || int(y) >= len(t.Levels) || y != float64(int(y))) {
			return fmt.Errorf("target %s, row %s: label %v outside 0..%d", t.Name, d.RowID(i), y, len(t.Levels)-1)
		}
	}
	return nil
}
