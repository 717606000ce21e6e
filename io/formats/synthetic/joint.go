package synthetic

import (
	"context"
	"errors"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/numeric/tails"
	"tenfold/engines/param"
)

// Joint holds the parameters of responses that columns decide together.
type Joint struct {
	Rows    int     `yaml:"rows" doc:"rows, 2 to 1 million"`
	Columns int     `yaml:"columns" doc:"features"`
	True    int     `yaml:"true" doc:"features that decide the response together, the first ones"`
	Noise   float64 `yaml:"noise" doc:"standard deviation of the noise, at least 0"`
}

// validate checks the parameters under a name.
func (p Joint) validate(name string) error {
	errs := []error{
		requireRange(name+".rows", p.Rows, 2, 1e6), requireRange(name+".columns", p.Columns, 1, 1e6), requireRange(name+".true", p.True, 0, max(0, p.Columns)),
		notNegative(name+".noise", p.Noise),
	}
	if int64(p.Rows)*int64(p.Columns) > mostValues {
		errs = append(errs, param.Errorf(name+".columns", "%d rows × %d columns are more than %d values", p.Rows, p.Columns, int(mostValues)))
	}
	return errors.Join(errs...)
}

// jointRow draws a row, and reports whether its response is 1, before noise.
type jointRow func(p Joint, draw random) (columns []int32, values []float64, one bool)

// drawParity draws fair 0 and 1; the response is 1 where the sum of the true ones is odd. No smaller set of them says anything of it.
func drawParity(p Joint, draw random) (columns []int32, values []float64, one bool) {
	for j := range p.Columns {
		if draw.oneIn(2) {
			columns = append(columns, int32(j))
			one = one != (j < p.True)
		}
	}
	return columns, nil, one
}

// drawRing draws standard normal numbers; the response is 1 where the sum of the squares of the true ones lies between its quartiles,
// those of χ². Each true column says little by itself, and nothing in a straight line.
func drawRing(p Joint, draw random) (columns []int32, values []float64, one bool) {
	square := 0.0
	for j := range p.Columns {
		v := draw.drawNormal()
		columns, values = append(columns, int32(j)), append(values, v)
		if j < p.True {
			square += float64(v * v)
		}
	}
	if p.True == 0 {
		return columns, values, false
	}
	above := tails.Chi2(square, float64(p.True))
	return columns, values, above > 0.25 && above < 0.75
}

// jointDataset generates rows of independent columns and their responses: 0 or 1, plus noise · (standard normal).
func (s Source) jointDataset(p Joint, drawRow jointRow) func(context.Context) (*data.Dataset, error) {
	return func(ctx context.Context) (*data.Dataset, error) {
		seed := uint64(s.Seed)
		var x sparse.Builder
		t, noise := data.Target{Name: response, Type: data.Real}, random(hashNumbers(seed, forNoise))
		for i := range p.Rows {
			if i%256 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			columns, values, one := drawRow(p, random(hashNumbers(seed, forRow, uint64(i))))
			y := float64(p.Noise * noise.drawNormal())
			if one {
				y++
			}
			t.Values = append(t.Values, y)
			if err := x.Add(columns, values); err != nil {
				return nil, err
			}
		}
		d := &data.Dataset{X: x.Matrix(p.Columns), Features: data.NewFeatures(numberedNames("x", p.Columns)), Targets: []data.Target{t}}
		for j := range int32(p.True) {
			d.Truth = append(d.Truth, data.True{Feature: j, Value: 1})
		}
		d.Facts = []data.Fact{{Name: "true columns", Value: fmt.Sprint(p.True)}}
		return d, nil
	}
}
