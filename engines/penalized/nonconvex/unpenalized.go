package nonconvex

import (
	"context"
	"fmt"

	"tenfold/engines/numeric/scaled"
	"tenfold/engines/penalized/convex"
)

// unpenalized is the columns whose penalty has the factor 0, as far as they are linearly independent.
type unpenalized struct {
	free       []int32
	determined int // such columns that others of them, and the constant, determine: they have no coefficient
}

// freeTol is how far a coefficient without a penalty may move, on columns of standard deviation 1, where it is fitted before any other.
const freeTol = 1e-11

// fitUnpenalized finds the columns without a penalty, and fits them alone: the path begins there.
func (f *fitting) fitUnpenalized(ctx context.Context) error {
	var span scaled.Independent
	for j, factor := range f.factor {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if factor == 0 && f.x.Scale[j] > 0 && !span.Add(f.x, j) {
			f.x.Scale[j] = 0 // as a column without variation
			f.determined++
		}
	}
	if f.free = span.Columns; len(f.free) == 0 {
		return nil
	}
	d := &f.descent
	for _, j := range f.free {
		d.join(j)
	}
	d.pen = d.At(1, 0)
	null := d.null
	d.descendWorkingSet(ctx, freeTol, f.MaxIter)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case d.logistic && d.isSaturated():
		return fmt.Errorf("the %d columns without a penalty (features: {keep: …}) tell the classes of the rows apart, which leaves nothing to select by", len(f.free))
	case d.loss <= 1e-20*null:
		return fmt.Errorf("the %d columns without a penalty (features: {keep: …}) fit all %d rows exactly, which leaves nothing to select by", len(f.free), len(d.y))
	case d.passes >= f.MaxIter:
		return fmt.Errorf("max_iter: %d passes (stop: %s) do not fit the %d columns without a penalty (features: {keep: …})", f.MaxIter, convex.MaxIter, len(f.free))
	}
	d.null = d.loss
	return nil
}
