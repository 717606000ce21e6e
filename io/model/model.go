// Package model is the file of a fitted model: what reads new rows, what prepares them, the model itself, and where it comes from.
package model

import (
	"encoding/json"
	"time"

	"tenfold/engines"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/prepare"
	"tenfold/io/files"
)

// Version of the format of model files.
const Version = 1

// File is a model file: one JSON object, whose first key, tenfold_model, is the version of the format. Numbers come back to the
// last bit.
type File struct {
	Version    int             `json:"tenfold_model"`
	Tool       string          `json:"tool"` // version of tenfold
	Experiment string          `json:"experiment"`
	Dataset    string          `json:"dataset"`
	Task       Task            `json:"task,omitzero"`
	Algorithm  string          `json:"algorithm"`
	Engine     string          `json:"engine"`
	Revision   int             `json:"revision"`       // of the engine
	Params     json.RawMessage `json:"params"`         // that differ from the engine's defaults
	Grid       string          `json:"grid,omitempty"` // the cell's point of it, such as epsilon=0.1
	Point      int             `json:"point,omitempty"`
	Cell       string          `json:"cell"` // key

	Data     Data     `json:"data"`
	Fit      Fit      `json:"fit"`
	Held     *Held    `json:"held_out,omitempty"`
	Selected Selected `json:"selected"`

	Preparation *prepare.Learned `json:"preparation"`
	Model       engines.Saved    `json:"model"`
}

// Task of a family that the model is for.
type Task struct {
	Family string `json:"family"` // one-vs-one, one-vs-rest, folder, target
	Name   string `json:"name"`
}

// Data says how new rows are read: as those that the model was fitted to.
type Data struct {
	Format  string               `json:"format"`
	Rev     int                  `json:"revision"`
	Options json.RawMessage      `json:"options"`         // that differ from the format's defaults
	Files   map[string]files.Ref `json:"files,omitempty"` // by role, that new rows need besides their own
	// What the engine needs of values.
	Binary bool `json:"binary,omitempty"` // all are one
	Counts bool `json:"counts,omitempty"` // none is below 0
}

// Fit is how the model was fitted, and to what.
type Fit struct {
	Rows    int64     `json:"rows"`
	Columns int64     `json:"columns"` // after preparation
	Seed    int64     `json:"seed"`
	When    time.Time `json:"when"`
	Seconds float64   `json:"seconds"`
	Stop    string    `json:"stop,omitempty"`
	Notes   []string  `json:"notes,omitempty"`
	Facts   []Fact    `json:"facts,omitempty"`
	Spec    string    `json:"spec"`           // path of the experiment file
	Data    string    `json:"dataset_digest"` // of the rows
	Commit  string    `json:"commit,omitempty"`
	Dirty   bool      `json:"dirty,omitempty"` // as in result files
	Machine string    `json:"machine"`
}

// Fact is a measured property, for people.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Held is what is known of rows held out: the metrics of the cell's folds, each of which was fitted to a part of the rows. They are
// of other models than the one in the file, which has no held-out rows of its own.
type Held struct {
	Folds   int      `json:"folds"`
	Metrics []Metric `json:"metrics"`
	// Chosen says that the cell was taken for being the best of several by this metric, which makes that metric optimistic.
	Chosen string `json:"chosen_by,omitempty"`
	Of     int    `json:"chosen_of,omitempty"` // cells
}

// Metric over folds.
type Metric struct {
	Name string      `json:"name"`
	Mean exact.Float `json:"mean"`
	SE   exact.Float `json:"se"` // NaN below two folds
	N    int         `json:"n"`  // folds that have it
}

// Selected is the coefficients, by output and order of entry.
type Selected []Feature

// Feature is one coefficient, on the scale of the data as prepared.
type Feature struct {
	Rank        int         `json:"rank"` // order of entry from 0, -1 where there is none
	Feature     string      `json:"feature"`
	Class       string      `json:"class,omitempty"`
	Output      string      `json:"output,omitempty"`
	Coefficient exact.Float `json:"coefficient"`
	Score       exact.Float `json:"score"` // gain, bits or correlation at entry; NaN where there is none
	Bits        *Bits       `json:"bits,omitempty"`
}

// Bits is the ledger of a coefficient: what it saved of the description of the responses, and what describing it took.
type Bits struct {
	Saved       exact.Float `json:"saved"`
	Refined     exact.Float `json:"refined"`
	Class       exact.Float `json:"class"`
	Index       exact.Float `json:"index"`
	Subset      exact.Float `json:"subset"`
	Coefficient exact.Float `json:"coefficient"`
}
