// Package data holds data sets as readers make them, and the views through which engines see rows. An engine gets a view of
// training rows only, numbered from 0 within the view, so it cannot reach a test row.
//
// A reader returns a Dataset (dataset.go, checked in check.go). A family of tasks takes a Subset of it for each task (tasks.go).
// Package prepare fits a recipe and returns a Prepared (prepared.go). Engines see Views of that (view.go), and can narrow them
// further (narrow.go).
package data

import (
	"strconv"
	"strings"

	"tenfold/engines/data/account"
	"tenfold/engines/data/sequence"
	"tenfold/engines/data/texts"
	"tenfold/engines/numeric/sparse"
)

// Dataset is what a reader returns: every candidate column, before any cutoff or other preparation. Read-only once built.
type Dataset struct {
	Name   string
	Digest string // of the content (digest.go)
	// TrainingDigest is the digest of the given training rows alone. Seeds derive from it, so that neither test rows nor the order of
	// the columns change a draw.
	TrainingDigest string
	X              *sparse.Matrix
	Features       *Features
	Targets        []Target
	IDs            []string  // row ids where the data has them; nil means row numbers
	Groups         *Groups   // rows that must stay on one side of a split; nil when there are none
	Time           []float64 // for time-ordered folds; nil when there is none
	Weight         []float64 // row weights, 0 or more; nil means 1 each
	Exposure       []float64 // of count targets, above 0: how long, or for how many, a row counts; nil means 1 each
	Part           []int8    // 0 for rows given as training, 1 as test; nil when one file holds all
	// Factor[j] is the number of the categorical column that one-hot column j belongs to, -1 for none; nil if there are none. A row whose word
	// is missing has a gap (NaN) in one column of it, the level Missing.
	Factor []int32
	Texts  *texts.Columns // which columns are made of texts; nil when there are none beside others, as in formats that read texts alone
	// Sequences divides the rows into sequences; nil when rows do not follow each other.
	Sequences *sequence.Sequences
	Tasks     *Tasks // nil when rows are of no tasks
	Truth     []True // coefficients that the responses were made with; nil where they are not known
	Facts     []Fact // what the reader measured, for reports
	Account   account.Account
}

// Missing is the level of the rows whose word is missing.
const Missing = "(missing)"

// Fact is one measured property, as text for reports.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Rows returns the number of rows.
func (d *Dataset) Rows() int { n, _ := d.X.Dims(); return n }

// RowID returns the id of row i; its number if the data has no ids.
func (d *Dataset) RowID(i int) string {
	if len(d.IDs) == 0 {
		return strconv.Itoa(i)
	}
	return d.IDs[i]
}

// ColumnOf returns the column of a table that column j comes from: for a level, the categorical one; for a word, that of its text.
func (d *Dataset) ColumnOf(j int) string {
	name := d.Features.Name(j)
	if d.Factor != nil && d.Factor[j] >= 0 {
		name, _, _ = strings.Cut(name, "=")
	}
	if d.Texts.Is(j) {
		return d.Texts.NameOf(j)
	}
	return name
}

// NameRow names row i in messages.
func (d *Dataset) NameRow(i int) string {
	if len(d.IDs) == 0 {
		return d.RowID(i) + " (from 0)"
	}
	return d.RowID(i)
}
