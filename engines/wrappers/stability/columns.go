package stability

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"tenfold/engines"
)

// selects says how an engine is made to select at most q columns of a half.
type selects int

const (
	asItEnds selects = iota // the columns of its model, however many
	byEntry                 // the first that enter, whether or not they stay
	byPath                  // all that are active on the path of penalties before their union is too large
	bySize                  // the best of its model of that size
)

// selection returns how an engine selects.
func selection(e engines.Engine) selects {
	n := e.Needs()
	p, pathed := e.(engines.Pathed)
	switch {
	case n.Entry:
		return byEntry
	case pathed && p.PathParameters()[0] != n.Sizes.Limit: // not a penalty
		return byPath
	case n.Sizes.Limit != "":
		return bySize
	}
	return asItEnds
}

// errEnough ends a fit that has selected as many columns as needed.
var errEnough = errors.New("enough columns are selected")

// selectOn selects at most q items on a half, or as many as the engine does if q is 0.
func selectOn(ctx context.Context, e engines.Engine, run engines.Run, it items, q int) (entered, error) {
	if q == 0 {
		found, err := modelColumns(ctx, e, run)
		u := newUnion(it.n, it)
		u.add(found)
		return u.entered, err
	}
	switch selection(e) {
	case byEntry:
		return firstEntered(ctx, e, run, it, q)
	case byPath:
		return pathUnion(ctx, e.(engines.Pathed), run, it, q)
	}
	return best(ctx, e, run, it, q)
}

// modelColumns returns the columns of the engine's model.
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

// entered holds items in the order in which a half selected them, and how many were selected with each: items that enter together
// are in the order of their numbers, and count all of them. The selection for a smaller q is the items that count at most q.
type entered struct {
	items []int32
	sizes []int32
}

// union is a union of sets of columns up to q items: the first set that would exceed it is not added, and ends it. Columns that are
// in every model are not counted.
type union struct {
	entered
	q   int
	all items
	has map[int32]bool
}

func newUnion(q int, all items) *union { return &union{q: q, all: all, has: map[int32]bool{}} }

// add adds the new items of a set of columns, and reports whether there was room for them.
func (u *union) add(set []int32) bool {
	var fresh []int32
	for _, j := range set {
		if int(j) >= u.all.view.Columns() || slices.Contains(u.all.kept, j) {
			continue
		}
		if item := u.all.item(j); !u.has[item] && !slices.Contains(fresh, item) {
			fresh = append(fresh, item)
		}
	}
	if len(u.items)+len(fresh) > u.q {
		return false
	}
	slices.Sort(fresh)
	u.items = append(u.items, fresh...)
	for _, item := range fresh {
		u.has[item] = true
		u.sizes = append(u.sizes, int32(len(u.items)))
	}
	return true
}

// firstEntered returns the first q items that the steps of a fit change. Columns of a unit that enter together are one step.
func firstEntered(ctx context.Context, e engines.Engine, run engines.Run, all items, q int) (entered, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	u := newUnion(q, all)
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
		return entered{}, err
	}
	return u.entered, nil
}

// pathUnion returns the union of the active sets along the path of penalties, from the empty model on (Meinshausen and Bühlmann
// 2010, section 2.2), which ends before the first penalty whose union has more than q items.
func pathUnion(ctx context.Context, e engines.Pathed, run engines.Run, all items, q int) (entered, error) {
	values, err := e.PathValues(run)
	if err != nil {
		return entered{}, err
	}
	for _, piece := range values.Onward {
		values.Values = append(values.Values, piece.Values...)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	u := newUnion(q, all)
	full := false
	err = e.FitPath(ctx, run, engines.PathPoints{Parameter: e.PathParameters()[0], Values: values.Values, MayEnd: true}, func(_ int, m engines.Model) {
		if !full && !u.add(engines.ColumnsOf(m, run.Train.Columns())) {
			full = true
			stop(errEnough)
		}
	})
	if err != nil && !errors.Is(err, errEnough) {
		return entered{}, err
	}
	return u.entered, nil
}

// best returns the first q items, by rank, of what the engine chooses, or of its model of a size that is sure to have q.
func best(ctx context.Context, e engines.Engine, run engines.Run, all items, q int) (entered, error) {
	u := newUnion(q, all)
	run.At = []int{all.enough(q)}
	if c, ok := e.(engines.Chooser); ok && e.Needs().Sizes.Ranked {
		chosen, _, err := c.Choose(ctx, run)
		u.addRanked(chosen)
		return u.entered, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	read := func(m engines.Model) {
		if u.addRanked(engines.Entries(m)) {
			u.add(engines.ColumnsOf(m, run.Train.Columns())) // of models that rank none
		}
	}
	found := false
	run.Keep = func(_ int, m engines.Model) {
		read(m)
		found = true
		stop(errEnough)
	}
	m, err := e.Fit(ctx, run)
	if err == nil {
		defer engines.Close(m)
	}
	switch {
	case found:
		return u.entered, nil
	case err != nil:
		return entered{}, err
	}
	read(m) // fewer than q
	return u.entered, nil
}

// addRanked adds columns by their ranks, and reports whether there was room for all of them.
func (u *union) addRanked(columns []engines.Coef) bool {
	for _, c := range slices.SortedStableFunc(slices.Values(columns), func(a, b engines.Coef) int { return cmp.Compare(a.Rank, b.Rank) }) {
		if !u.add([]int32{int32(c.Feature)}) {
			return false
		}
	}
	return true
}
