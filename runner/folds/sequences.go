package folds

import (
	"fmt"

	"tenfold/engines/data"
)

// keepingSequences is the spec for data in sequences: what divides rows goes by the group that holds them whole, which
// such data has. An error: a spec that would cut sequences.
func (s Spec) keepingSequences(d *data.Dataset) (Spec, error) {
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
