package source

import (
	"errors"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
)

// Response holds the options of the target in formats with several responses on the same rows, numbers or levels, with gaps.
type Response struct {
	Target   `yaml:",inline"`
	Survival `yaml:",inline"`
	Counted  `yaml:",inline"`
	Binarize string `yaml:"binarize" doc:"train-mean: a response of numbers is 1 at or above their mean over the training rows of each fold, 0 below"`
	Missing  string `yaml:"missing" doc:"a response without a value: error, drop-rows (leave out its row), mean (of the training rows; numbers only)"`
	Constant string `yaml:"constant" key:"-" doc:"a response without variation in the training rows of a fold: error (where it was cut; of others engines judge), drop (fit the others)"`
}

// Validate checks the options without the data.
func (r Response) Validate() error {
	target := r.Target
	if target.Type != "real" { // with another type, some options are invalid
		target.Type = ""
	}
	errs := []error{
		target.Validate(),
		param.OneOf("target.type", r.Type, "", "real", "class", survivalType, countType),
		r.validateSurvival(),
		r.validateCounts(),
		param.OneOf("target.binarize", r.Binarize, "", "train-mean"),
		param.OneOf("target.missing", r.Missing, "", "error", dropRows, "mean"),
		param.OneOf("target.constant", r.Constant, "", "error", "drop"),
	}
	if r.Binarize != "" && (r.Type == "real" || r.Type == "class" || r.Type == countType) {
		errs = append(errs, param.Errorf("target.type", "numbers that are cut become classes, and levels stay such: leave type out"))
	}
	if r.Binarize != "" && r.Missing == "mean" {
		errs = append(errs, param.Errorf("target.missing", "the mean, filled in, would be cut to 1: use drop-rows"))
	}
	return errors.Join(errs...)
}

// Becomes returns the type of target that engines see: Any if only the data can tell.
func (r Response) Becomes() data.Type {
	if r.Binarize != "" {
		return data.Class
	}
	return r.TargetType()
}

// Into adds the options to a recipe.
func (r Response) Into(recipe *prepare.Recipe) {
	if r.Missing == "mean" {
		recipe.Impute = "mean"
	}
	if r.Constant == "drop" {
		recipe.Constant = "drop"
	}
}

// Gap reports whether a missing response is accepted: it is then read as NaN (a class target does not have the row). Otherwise it
// is an error.
func (r Response) Gap() (accepted bool) { return r.Missing == dropRows || r.Missing == "mean" }

// Finish applies the options for gaps and the cut to a loaded data set: rows without a value are dropped and counted, and responses
// of numbers are prepared for the cut.
func (r Response) Finish(d *data.Dataset, features Gaps) (*data.Dataset, error) {
	several := r.IsSurvival() && len(d.Targets) > 1
	d, err := r.dropIncomplete(d, features.dropsRows(), !several)
	if err != nil {
		return nil, err
	}
	if several {
		separateEndpoints(d)
	}
	for t := range d.Targets {
		target := &d.Targets[t]
		switch {
		case target.Type == data.Class && len(target.Rows) > 0 && r.Missing == "mean":
			return nil, param.Errorf("target.missing", "%s has levels, and they no mean: use drop-rows", target.Name)
		case target.Type == data.Real && r.Binarize != "":
			if err := r.prepareCut(target); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

// Reasons for which rows are left out, in accounts.
const (
	withoutResponse = "without a response"
	withGap         = "with a missing value"
)

// dropIncomplete drops and counts the rows without a response (if all are needed together) or without a feature (if the options say
// so).
func (r Response) dropIncomplete(d *data.Dataset, features, together bool) (*data.Dataset, error) {
	responses := r.Missing == dropRows && together
	if !features && !responses {
		return d, nil
	}
	whole, answered := d.Complete(features, responses), d.Complete(false, responses)
	if len(whole) == 0 {
		return nil, fmt.Errorf("all %d rows have a missing value, so drop-rows leaves none", d.Rows())
	}
	if len(whole) == d.Rows() {
		return d, nil
	}
	d.LeaveRows(withoutResponse, data.Difference(data.Numbers(d.Rows()), answered))
	d.LeaveRows(withGap, data.Difference(answered, whole))
	return d.Select(whole), nil
}

// prepareCut prepares a response of numbers for the cut in each fold.
func (r Response) prepareCut(t *data.Target) error {
	mean := 0.0
	for _, y := range t.Values {
		mean += y / float64(len(t.Values))
	}
	t.Numbers, t.Type, t.Levels, t.Positive = t.Values, data.Class, []string{"0", "1"}, 1
	t.Values, _ = data.Cut(t.Numbers, mean)
	switch r.Positive {
	case "", "1":
	case "0":
		t.Positive = 0
	default:
		return param.Errorf("target.positive", "%q, but %s is numbers, cut into the levels 0 and 1", r.Positive, t.Name)
	}
	return nil
}
