package data

import (
	"fmt"
	"slices"
	"strconv"

	"tenfold/engines/data/account"
)

// Tasks divides the rows into tasks, such as folders of documents.
type Tasks struct {
	Names []string
	Of    []int32 // number of the task of each row
}

func (t *Tasks) check(rows int) error {
	if len(t.Of) != rows {
		return fmt.Errorf("%d task numbers for %d rows", len(t.Of), rows)
	}
	for i, k := range t.Of {
		if k < 0 || int(k) >= len(t.Names) {
			return fmt.Errorf("row %d: task %d, expected 0..%d", i, k, len(t.Names)-1)
		}
	}
	return nil
}

// Subset describes a data set within another one, such as one task of a family: some of its rows, with their own target. Of makes the
// data set.
type Subset struct {
	Digest, TrainingDigest string  // of the data set that it makes
	Rows                   []int32 // rising; nil for all
	// Levels replace those of the only target; To[l] is the new number of its level l, -1 if no row of the subset has it. Without
	// Levels, targets keep the levels that rows of the subset have.
	Levels []string
	To     []int32
	// Target is the number, from 1, of the target that is the task; 0: the task has all targets.
	Target int
}

// Of returns the subset as a data set, as the reader would have returned these rows alone: it has the columns, groups and levels that
// occur in the rows, renumbered in their old order. With nil Rows it shares all columns. Rows keep their ids, or get their numbers in d.
// Sequences, Tasks and Account are dropped. O(entries of the rows + columns).
func (s Subset) Of(d *Dataset) *Dataset {
	out := *d
	out.Digest, out.TrainingDigest, out.Sequences, out.Tasks, out.Account = s.Digest, s.TrainingDigest, nil, nil, account.Account{}
	if s.Target > 0 {
		d = d.onlyTarget(s.Target - 1)
		out.Targets, out.Truth = d.Targets, d.Truth
	}
	out.Targets = slices.Clone(d.Targets)
	if s.Rows != nil {
		out.pickColumns(d, s.Rows)
		out.PickRows(d, s.Rows)
	}
	for t := range out.Targets {
		target := &out.Targets[t]
		switch {
		case target.Type != Class || target.Numbers != nil: // a cut has its two levels, whichever rows there are
		case s.Levels != nil:
			*target = target.withLevels(s.Levels, s.To)
		default:
			*target = target.WithoutEmptyLevels()
		}
	}
	return &out
}

// onlyTarget returns the data set with one of its targets.
func (d *Dataset) onlyTarget(t int) *Dataset {
	out := *d
	out.Targets = d.Targets[t : t+1 : t+1]
	if d.Truth != nil {
		out.Truth = []True{}
		for _, c := range d.Truth {
			if int(c.Target) == t {
				out.Truth = append(out.Truth, True{c.Feature, 0, c.Value})
			}
		}
	}
	return &out
}

// pickColumns restricts the matrix to some rows and the columns that occur in them.
func (out *Dataset) pickColumns(d *Dataset, rows []int32) {
	out.X = d.X.Pick(rows)
	if columns := d.X.Occurring(rows); len(columns) < d.Features.Len() {
		out.X = out.X.Keep(columns)
		out.Features = d.Features.Keep(columns)
		out.Factor, out.Texts = ValuesAt(d.Factor, columns), d.Texts.At(columns)
		out.Truth = truthOf(d.Truth, columns, d.Features.Len())
	}
}

// PickRows restricts everything else that d has for each row, except levels.
func (out *Dataset) PickRows(d *Dataset, rows []int32) {
	out.IDs = make([]string, len(rows))
	for k, i := range rows {
		if out.IDs[k] = strconv.Itoa(int(i)); len(d.IDs) > 0 {
			out.IDs[k] = d.IDs[i]
		}
	}
	out.Time, out.Weight, out.Exposure, out.Part = ValuesAt(d.Time, rows), ValuesAt(d.Weight, rows), ValuesAt(d.Exposure, rows), ValuesAt(d.Part, rows)
	if d.Groups != nil {
		out.Groups = d.Groups.onRows(rows)
	}
	out.Targets = make([]Target, len(d.Targets))
	for t := range out.Targets {
		out.Targets[t] = d.Targets[t].onRows(rows)
	}
}

// ValuesAt returns the values at some places; nil for nil.
func ValuesAt[T any](values []T, places []int32) []T {
	if len(values) == 0 {
		return nil
	}
	out := make([]T, len(places))
	for k, i := range places {
		out[k] = values[i]
	}
	return out
}

// numberMarked lists the indices of the n marked things.
func numberMarked(marked []bool, n int) []int32 {
	out := make([]int32, 0, n)
	for j, yes := range marked {
		if yes {
			out = append(out, int32(j))
		}
	}
	return out
}

// renumber returns the numbers that occur among values below n, in order, and the new number of each old one, -1 for none.
func renumber[T int32 | float64](values []T, n int) (old, to []int32) {
	seen := make([]bool, n)
	for _, v := range values {
		seen[int(v)] = true
	}
	to = make([]int32, n)
	for j, yes := range seen {
		if to[j] = -1; yes {
			to[j] = int32(len(old))
			old = append(old, int32(j))
		}
	}
	return old, to
}
