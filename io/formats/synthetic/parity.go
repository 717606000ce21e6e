package synthetic

import (
	"context"
	"errors"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
)

// Parity is a response that columns decide together, while no smaller set of them says anything of it: of rows of independent fair 0 and 1,
//
//	y = 1 where the sum of the true features is odd, else 0   +  noise · (standard normal).
type Parity struct {
	Rows    int     `yaml:"rows" doc:"rows, 2 to 1 million"`
	Columns int     `yaml:"columns" doc:"features, of 0 and 1"`
	True    int     `yaml:"true" doc:"features whose parity the response is, the first ones; 2: exclusive or"`
	Noise   float64 `yaml:"noise" doc:"standard deviation of the noise, at least 0"`
}

// Validate checks the parameters.
func (p Parity) Validate() error {
	errs := []error{
		requireRange("parity.rows", p.Rows, 2, 1e6), requireRange("parity.columns", p.Columns, 1, 1e6), requireRange("parity.true", p.True, 0, max(0, p.Columns)),
		notNegative("parity.noise", p.Noise),
	}
	if int64(p.Rows)*int64(p.Columns) > mostValues {
		errs = append(errs, param.Errorf("parity.columns", "%d rows × %d columns are more than %d values", p.Rows, p.Columns, int(mostValues)))
	}
	return errors.Join(errs...)
}

func (s Source) parityDataset(ctx context.Context) (*data.Dataset, error) {
	p, seed := s.Parity, uint64(s.Seed)
	var x sparse.Builder
	t, noise := data.Target{Name: response, Type: data.Real}, random(hashNumbers(seed, forNoise))
	for i := range p.Rows {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		draw, odd := random(hashNumbers(seed, forRow, uint64(i))), false
		var ones []int32
		for j := range p.Columns {
			if draw.oneIn(2) {
				ones = append(ones, int32(j))
				odd = odd != (j < p.True)
			}
		}
		y := float64(p.Noise * noise.drawNormal())
		if odd {
			y++
		}
		t.Values = append(t.Values, y)
		if err := x.Add(ones, nil); err != nil {
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
