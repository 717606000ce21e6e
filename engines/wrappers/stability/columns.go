package stability

import (
	"context"
	"errors"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
)

// selects tells how an engine is brought to select just so many columns of a half.
type selects int

const (
	asItEnds selects = iota // what its model has, any number of columns
	byEntry                 // the first that enter, whether or not they stay
	byPath                  // all that are active on the path of penalties before their union is too large
	bySize                  // its best
)

// selection of an engine.
func selection(e engines.Engine) selects {
	n := e.Needs()
	p, pathed := e.(engines.Pathed)
	switch {
	case n.Entry:
		return byEntry
	case pathed && p.PathParameters()[0] != n.Sizes.Limit: // which is no penalty
		return byPath
	case n.Sizes.Limit != "":
		return bySize
	}
	return asItEnds
}

// errEnough ends a fit that has selected what was asked for.
var errEnough = errors.New("enough columns are selected")

// columns that an engine selects on a half: at most q of them, or as many as it does where q is 0.
func columns(ctx context.Context, e engines.Engine, run engines.Run, q int) ([]int32, error) {
	if q == 0 {
		found, err := modelColumns(ctx, e, run)
		return withoutKept(found, run.Train), err
	}
	switch selection(e) {
	case byEntry:
		return firstEntered(ctx, e, run, q)
	case byPath:
		return pathUnion(ctx, e.(engines.Pathed), run, q)
	}
	found, err := best(ctx, e, run, q)
	return withoutKept(found, run.Train), err
}

// withoutKept leaves the columns that every model has out.
func withoutKept(columns []int32, v *data.View) []int32 {
	kept := v.Kept()
	return slices.DeleteFunc(columns, func(j int32) bool { return slices.Contains(kept, j) })
}

// modelColumns are those of the engine's model.
func modelColumns(ctx context.Context, e engines.Engine, run engines.Run) ([]int32, error) {
	if c, ok := e.(engines.Chooser); ok {
		chosen, _, err := c.Choose(ctx, run)
		var columns []int32
		for _, c := range chosen {
			columns = append(columns, int32(c.Feature))
		}
		return columns, err
	}
	m, err := e.Fit(ctx, run)
	if err != nil {
		return nil, err
	}
	defer engines.Close(m)
	return engines.ColumnsOf(m, run.Train.Columns()), nil
}

// union of sets of columns up to q: a set that would make it larger is not taken, and ends it.
type union struct {
	q, columns int
	has        map[int32]bool
	order      []int32
}

// newUnion of so many columns. Those that every model has are in it from the start, and not counted.
func newUnion(q, columns int, kept ...int32) *union {
	u := &union{q, columns, map[int32]bool{}, nil}
	for _, j := range kept {
		u.has[j] = true
	}
	return u
}

// add the columns of a set that are new, and report whether there was room for them.
func (u *union) add(set []int32) bool {
	var fresh []int32
	for _, j := range set {
		if int(j) < u.columns && !u.has[j] {
			fresh = append(fresh, j)
		}
	}
	if len(u.order)+len(fresh) > u.q {
		return false
	}
	for _, j := range fresh {
		u.has[j] = true
	}
	slices.Sort(fresh) // columns that enter together are in the order of their numbers
	u.order = append(u.order, fresh...)
	return true
}

// firstEntered are the first q columns that the steps of a fit move.
func firstEntered(ctx context.Context, e engines.Engine, run engines.Run, q int) ([]int32, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	u := newUnion(q, run.Train.Columns(), run.Train.Kept()...)
	full := false
	run.Trace = func(s engines.Step) {
		for _, c := range append([]engines.Coef{s.Changed}, s.Also...) {
			if c.Feature < 0 || full {
				continue
			}
			if full = !u.add([]int32{int32(c.Feature)}); full {
				stop(errEnough)
			}
		}
	}
	m, err := e.Fit(ctx, run)
	if err == nil {
		engines.Close(m)
	}
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return u.order, nil
}

// pathUnion is the union of the active sets along the path of penalties, from the empty model on (Meinshausen and Bühlmann 2010,
// section 2.2), which ends before the first penalty whose union has more than q columns.
func pathUnion(ctx context.Context, e engines.Pathed, run engines.Run, q int) ([]int32, error) {
	values, err := e.PathValues(run)
	if err != nil {
		return nil, err
	}
	for _, piece := range values.Onward {
		values.Values = append(values.Values, piece.Values...)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	u := newUnion(q, run.Train.Columns(), run.Train.Kept()...)
	full := false
	err = e.FitPath(ctx, run, engines.PathPoints{Parameter: e.PathParameters()[0], Values: values.Values, MayEnd: true}, func(_ int, m engines.Model) {
		if !full && !u.add(engines.ColumnsOf(m, u.columns)) {
			full = true
			stop(errEnough)
		}
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	return u.order, nil
}

// best are the columns of the engine's model of q features.
func best(ctx context.Context, e engines.Engine, run engines.Run, q int) (columns []int32, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	found := false
	run.At = []int{q}
	run.Keep = func(_ int, m engines.Model) {
		columns, found = engines.ColumnsOf(m, run.Train.Columns()), true
		stop(errEnough)
	}
	m, err := e.Fit(ctx, run)
	if err == nil {
		defer engines.Close(m)
	}
	switch {
	case found:
		return columns, nil
	case err != nil:
		return nil, err
	}
	return engines.ColumnsOf(m, run.Train.Columns()), nil // fewer than q
}
