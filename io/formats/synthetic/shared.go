package synthetic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/param"
)

// Shared are the scenarios of multiple inclusion (Dhillon, Foster & Ungar 2011, section 5.1): h responses on the same
// columns,
//
//	Y = X·B + ε,   X of standard normal numbers, ε of normal ones with the given variance,
//
// where each response has four coefficients, standard normal. In full all responses have features 1 to 4; in independent
// each has four of its own; in partial the first four are shared by the first h, ¾h, ½h and ¼h responses, and the others
// fill up to four with further features. The test rows are fresh ones of the same model.
type Shared struct {
	Train     int     `yaml:"train" doc:"training rows, 2 to 1 million"`
	Test      int     `yaml:"test" doc:"fresh test rows; 0: none, one part"`
	Columns   int     `yaml:"columns" doc:"features, at least 8"`
	Responses int     `yaml:"responses" doc:"responses, 1 to 10000"`
	Variance  float64 `yaml:"variance" doc:"variance of the noise, at least 0"`
}

const active = 4 // coefficients of a response

// Validate checks the parameters.
func (s Shared) Validate() error {
	errs := []error{
		requireRange("shared.train", s.Train, 2, 1e6), requireRange("shared.test", s.Test, 0, 1e6), requireRange("shared.columns", s.Columns, 2*active, 1e6),
		requireRange("shared.responses", s.Responses, 1, 1e4), notNegative("shared.variance", s.Variance),
	}
	if int64(s.Train+s.Test)*int64(s.Columns) > mostValues {
		errs = append(errs, param.Errorf("shared.columns", "%d rows × %d columns are more than %d values", s.Train+s.Test, s.Columns, int(mostValues)))
	}
	return errors.Join(errs...)
}

const mostValues = 1e9

func (s Shared) responseNames() []string {
	names := make([]string, s.Responses)
	for t := range names {
		names[t] = fmt.Sprintf("T%d", t+1)
	}
	return names
}

func (s Source) sharedDataset(ctx context.Context) (*data.Dataset, error) {
	p := s.Shared
	x, err := drawNormals(ctx, uint64(s.Seed), p.Train+p.Test, p.Columns)
	if err != nil {
		return nil, err
	}
	d := &data.Dataset{X: x.asMatrix(), Features: data.NewFeatures(numberedNames("x", p.Columns)), Part: partsOf(p.Train, p.Test)}
	for t, name := range p.responseNames() {
		draw := random(hashNumbers(uint64(s.Seed), forCoefficient, uint64(t)))
		var truth []data.True
		for _, j := range s.supportOf(t) {
			truth = append(truth, data.True{Feature: j, Target: int32(t), Value: draw.drawNormal()})
		}
		noise := random(hashNumbers(uint64(s.Seed), forNoise, uint64(t)))
		d.Targets = append(d.Targets, x.responseOf(name, truth, math.Sqrt(p.Variance), &noise))
		d.Truth = append(d.Truth, truth...)
	}
	d.Facts = []data.Fact{
		{Name: "scenario", Value: s.Generator},
		{Name: "noise variance", Value: fmt.Sprintf("%.6g", p.Variance)},
		{Name: "true coefficients", Value: fmt.Sprint(len(d.Truth))},
	}
	return d, nil
}

// supportOf returns the support of a response: the features that have coefficients, rising.
func (s Source) supportOf(t int) []int32 {
	h := s.Shared.Responses
	var features []int32
	from := 0 // of those drawn
	switch s.Generator {
	case full:
		return []int32{0, 1, 2, 3}
	case partial:
		from = active
		for j := range int32(active) {
			if t < h*(active-int(j))/active {
				features = append(features, j)
			}
		}
	}
	draw := random(hashNumbers(uint64(s.Seed), forChoice, uint64(t)))
	for len(features) < active {
		j := int32(from + int(mapBelow(draw.uint64(), uint64(s.Shared.Columns-from))))
		if !slices.Contains(features, j) {
			features = append(features, j)
		}
	}
	slices.Sort(features)
	return features
}
