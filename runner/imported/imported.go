// Package imported reads predictions that were made elsewhere, and the features selected for them, and returns those of each fold.
// Nothing is fitted: package score scores the predictions like those of a model. If a file lacks something for one fold, the fold
// has an error; if a record is wrong for every fold, the file has.
package imported

import (
	"context"
	"errors"
	"maps"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/files"
	"tenfold/io/results"
)

// Engine takes the place of an algorithm's engine if its predictions are imported. It accepts all data and fits nothing.
type Engine struct{}

// Rev is the revision of how the files are used.
const Rev = 2

// Validate returns nil: there are no parameters.
func (Engine) Validate() error { return nil }

// Needs returns requirements that all data meet.
func (Engine) Needs() engines.Needs {
	return engines.Needs{Target: data.Any, Tasks: true, Keeps: true, Factors: true, Together: true}
}

// Fit always returns an error.
func (Engine) Fit(context.Context, engines.Run) (engines.Model, error) {
	return nil, errors.New("predictions of this algorithm are imported: nothing can be fitted")
}

// Files is the section import of an algorithm.
type Files struct {
	Predictions files.Ref `yaml:"predictions" read:"required" doc:"CSV or Parquet with dataset, fold_digest or repeat and fold, row or id, and prediction, score_LEVEL or probability_LEVEL"`
	Selections  files.Ref `yaml:"selections" doc:"CSV or Parquet with dataset, fold_digest or repeat and fold, feature, and rank, score, coefficient, output where known"`
}

// Roles of the files.
const (
	Predictions = "predictions"
	Selections  = "selections"
)

// Validate checks the references by themselves.
func (f Files) Validate() error {
	var errs []error
	refs := f.Refs()
	for _, role := range slices.Sorted(maps.Keys(refs)) {
		if err := refs[role].Validate(); err != nil {
			errs = append(errs, param.Errorf(role, "%v", err))
		}
	}
	return errors.Join(errs...)
}

// Refs returns the files by role.
func (f Files) Refs() map[string]files.Ref {
	refs := map[string]files.Ref{Predictions: f.Predictions}
	if f.Selections.Path != "" {
		refs[Selections] = f.Selections
	}
	return refs
}

// Fold identifies a fold of the experiment; the data set has its name in results.
type Fold struct {
	Dataset      string
	Repeat, Fold int
	Digest       string
	Test         []int32 // rows
}

// Import holds the content of the files of an algorithm.
type Import struct {
	digests     map[string]string // by role
	predictions *predictions
	selections  *selections // nil without the file
}

// Read reads the files, for some folds. Records of data sets in others are ignored. classes and numbers report whether some
// response has that type.
func Read(ctx context.Context, in *files.Set, folds []Fold, others []string, classes, numbers bool) (*Import, error) {
	m := &Import{digests: map[string]string{}}
	for _, role := range in.Roles() {
		digest, err := in.Digest(role)
		if err != nil {
			return nil, err
		}
		m.digests[role] = digest
	}
	var err error
	if m.predictions, err = readPredictions(ctx, in, listFolds(folds, others), classes, numbers); err != nil {
		return nil, err
	}
	if in.Has(Selections) {
		m.selections, err = readSelections(ctx, in, listFolds(folds, others))
	}
	return m, err
}

// Digests returns the digests of the files by role, which results depend on.
func (m *Import) Digests() map[string]string { return m.digests }

// Selected returns the features selected for a fold, in order of the file; nil if there is no file of selections.
func (m *Import) Selected(f Fold) ([]results.Selected, error) {
	if m.selections == nil {
		return nil, nil
	}
	return m.selections.selected(f)
}
