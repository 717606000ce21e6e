package rfe

import (
	"context"
	"errors"
	"slices"

	"tenfold/engines"
)

// size is the parameter of paths.
const size = "rfe.size"

// PathParameters returns the size.
func (e Engine) PathParameters() []string { return []string{size} }

// PathValues returns powers of two, and the number of all columns.
func (e Engine) PathValues(run engines.Run) (r engines.PathRange, err error) {
	columns := len(candidates(run.Train))
	if columns == 0 {
		return r, errors.New("rfe: the data has no column")
	}
	for n := 1; n < columns; n *= 2 {
		r.Values = append(r.Values, float64(n))
	}
	r.Values = append(r.Values, float64(columns))
	return r, nil
}

// AtValue returns the engine with another size.
func (e Engine) AtValue(value float64) engines.Engine {
	e.Size = int(value)
	return e
}

// FitPath fits the base to the columns of each size, from one elimination.
func (e Engine) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(i int, m engines.Model)) error {
	columns := len(candidates(run.Train))
	sizes, least := make([]int, len(points.Values)), columns
	for i, v := range points.Values {
		e.Size = int(v)
		sizes[i] = e.sized(columns).Size
		least = min(least, sizes[i])
	}
	e.Size = least
	left, err := e.eliminate(ctx, run, least)
	if err != nil {
		return err
	}
	for i, size := range sizes {
		if size > columns {
			continue
		}
		m, err := left.fit(ctx, size, nil)
		if err != nil {
			return err
		}
		keep(i, m)
	}
	return Options{Size: slices.Max(sizes)}.suits(columns)
}
