package synthetic

import (
	"context"
	"errors"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/param"
)

// Classed is one response on features in classes (Dhillon, Foster & Ungar 2011, section 5.2, Table 3): a few of the first
// class have a weight,
//
//	y = Σ over the beneficial features: weight · x  +  noise · (standard normal),   x standard normal.
//
// The published Set 1 has 4 classes, the good one of 12 features; Set 2 has equal ones. The others divide the remaining
// columns evenly, the first of them larger by one where they do not divide.
type Classed struct {
	Train      int     `yaml:"train" doc:"training rows, 2 to 1 million"`
	Test       int     `yaml:"test" doc:"fresh test rows; 0: none, one part"`
	Columns    int     `yaml:"columns" doc:"features"`
	Classes    int     `yaml:"classes" doc:"classes of features, at least 2"`
	Good       int     `yaml:"good" doc:"features of the class that has the beneficial ones"`
	Beneficial int     `yaml:"beneficial" doc:"features with a weight, the first of the good class"`
	Noise      float64 `yaml:"noise" doc:"standard deviation of the noise, at least 0"`
	Weights    string  `yaml:"weights" doc:"of the beneficial features: unit (1), normal (standard normal)"`
}

const unit = "unit"

// Validate checks the parameters.
func (c Classed) Validate() error {
	errs := []error{
		requireRange("classed.train", c.Train, 2, 1e6), requireRange("classed.test", c.Test, 0, 1e6), requireRange("classed.columns", c.Columns, 2, 1e6),
		requireRange("classed.classes", c.Classes, 2, max(2, c.Columns)), requireRange("classed.good", c.Good, 1, max(1, c.Columns-c.Classes+1)),
		requireRange("classed.beneficial", c.Beneficial, 1, max(1, c.Good)), notNegative("classed.noise", c.Noise),
		param.OneOf("classed.weights", c.Weights, unit, "normal"),
	}
	if int64(c.Train+c.Test)*int64(c.Columns) > mostValues {
		errs = append(errs, param.Errorf("classed.columns", "%d rows × %d columns are more than %d values", c.Train+c.Test, c.Columns, int(mostValues)))
	}
	return errors.Join(errs...)
}

func (s Source) classedDataset(ctx context.Context) (*data.Dataset, error) {
	c, seed := s.Classed, uint64(s.Seed)
	x, err := drawNormals(ctx, seed, c.Train+c.Test, c.Columns)
	if err != nil {
		return nil, err
	}
	d := &data.Dataset{X: x.asMatrix(), Features: c.namedFeatures(), Part: partsOf(c.Train, c.Test)}
	draw, noise := random(hashNumbers(seed, forCoefficient)), random(hashNumbers(seed, forNoise))
	for j := range int32(c.Beneficial) {
		w := 1.0
		if c.Weights != unit {
			w = draw.drawNormal()
		}
		d.Truth = append(d.Truth, data.True{Feature: j, Value: w})
	}
	d.Targets = []data.Target{x.responseOf(response, d.Truth, c.Noise, &noise)}
	d.Facts = []data.Fact{
		{Name: "noise variance", Value: fmt.Sprintf("%.6g", c.Noise*c.Noise)},
		{Name: "true coefficients", Value: fmt.Sprint(len(d.Truth))},
	}
	return d, nil
}

// namedFeatures returns features that are named after their class: c1_x1, c1_x2, ….
func (c Classed) namedFeatures() *data.Features {
	names, class, classes := make([]string, c.Columns), make([]int32, c.Columns), numberedNames("c", c.Classes)
	column := 0
	for k := range classes {
		others, rest := c.Classes-1, c.Columns-c.Good
		size := rest / others
		if k == 0 {
			size = c.Good
		} else if k <= rest%others {
			size++
		}
		for range size {
			names[column], class[column] = fmt.Sprintf("%s_x%d", classes[k], column+1), int32(k)
			column++
		}
	}
	return data.NewFeatures(names).WithClasses(class, classes)
}
