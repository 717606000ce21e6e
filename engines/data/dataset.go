// Package data holds data sets as readers make them, and the views through which engines see rows. An engine gets a view of
// training rows only, numbered from 0 within the view, so it cannot reach a test row.
//
// The way of a row: a reader returns it as one of a Dataset (dataset.go, checked in check.go), of which a family of tasks cuts a
// Subset (tasks.go). Package prepare makes a Prepared of it (prepared.go). Views of that are what engines see (view.go), and
// divide further (narrow.go).
package data

import (
	"fmt"

	"tenfold/engines/core/sparse"
)

// Dataset is what a reader returns: every candidate column, before any cutoff or other preparation. Read-only once built.
type Dataset struct {
	Name   string
	Digest string // of the content (digest.go)
	// TrainingDigest is that of the rows given as training alone. Seeds come of it, so that test rows change no draw.
	TrainingDigest string
	X              *sparse.Matrix
	Features       *Features
	Targets        []Target
	IDs            []string  // row ids where the data has them; nil means row numbers
	Groups         *Groups   // rows that must stay on one side of a split; nil when there are none
	Time           []float64 // for time-ordered folds; nil when there is none
	Weight         []float64 // positive row weights (multiplicities); nil means 1 each
	Part           []int8    // 0 for rows given as training, 1 as test; nil when one file holds all
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

// Rows is the number of rows.
func (d *Dataset) Rows() int { n, _ := d.X.Dims(); return n }

// RowID is the id of row i.
func (d *Dataset) RowID(i int) string {
	if len(d.IDs) == 0 {
		return fmt.Sprint(i)
	}
	return d.IDs[i]
}

// NameRow says which row, in messages.
func (d *Dataset) NameRow(i int) string {
	if len(d.IDs) == 0 {
		return d.RowID(i) + " (from 0)"
	}
	return d.RowID(i)
}
