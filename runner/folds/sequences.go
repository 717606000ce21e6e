package folds

import (
	"fmt"

	"tenfold/engines/data"
)

// keepSequences adapts the spec to data in sequences: kfold and holdout divide by the group that holds sequences whole.
// It returns an error if the spec would cut sequences.
func (s Spec) keepSequences(d *data.Dataset) (Spec, error) {
	if d.Sequences == nil || s.Kind != "kfold" && s.Kind != "holdout" {
		return s, nil
	}
	if d.Groups == nil {
		return s, fmt.Errorf("folds: %s would cut the sequences of the data set, and it has no groups to go by", s.Kind)
	}
	if s.By == "" {
		s.By = d.Groups.Name
	}
	switch {
	case s.Test >= 1:
		return s, fmt.Errorf("folds: test: %v rows would cut sequences; give a share in (0,1) of the groups (%s)", s.Test, s.By)
	case s.Kind == "holdout" && s.Stratify:
		return s, fmt.Errorf("folds: a stratified hold-out would cut sequences; kfold can be stratified, by whole groups (%s)", s.By)
	}
	return s, nil
}
