package data

import (
	"slices"

	"tenfold/engines/numeric/sparse"
)

// Narrow returns the view with some of its columns, rising, and some of its targets, by default all. O(entries).
func (v *View) Narrow(columns []int32, targets ...int) *View {
	if len(targets) == 0 {
		for t := range v.Targets() {
			targets = append(targets, t)
		}
	}
	set := v.Division()
	set.X, set.Features, set.Targets = v.Matrix().Keep(columns), v.Features().Keep(columns), nil
	for _, t := range targets {
		info := v.TargetInfo(t)
		info.Rows, info.Values = v.Target(t)
		info.Events = v.Events(t)
		set.Targets = append(set.Targets, info)
	}
	p := &Prepared{Set: set, X: set.X, Features: set.Features, Targets: set.Targets, Beam: v.from.Beam, Frequency: v.from.Frequency, Treatment: v.from.Treatment.narrow(columns)}
	if s := v.from.Sequences; s != nil {
		p.Sequences = s.KeepColumns(PlacesOf(columns, v.Columns()))
		p.Sequences.Start = v.Starts()
		for k, parts := range s.Parts {
			p.Sequences.Parts[k] = ValuesAt(parts, v.rows)
		}
	}
	return &View{from: p, rows: Numbers(v.Len()), classes: v.classes.At(v.rows)}
}

// Beside returns the view followed by a probe of each source column, out of the given number of candidates; x holds the view's own columns
// and the probes. The result has no sequences.
func (v *View) Beside(x *sparse.Matrix, sources []int32, candidates int) *View {
	set := v.Division()
	set.X, set.Features = x, v.Features().WithProbes(sources)
	p := &Prepared{Set: set, X: x, Features: set.Features, Targets: set.Targets, Beam: v.from.Beam, Frequency: v.from.Frequency, Treatment: v.from.Treatment.followedBy(sources)}
	p.Probes = Probes{First: v.Columns(), Number: len(sources), Candidates: candidates}
	return &View{from: p, rows: Numbers(v.Len()), classes: v.classes.At(v.rows)}
}

// Replaced returns the view with the columns of x in place of its own, all treated alike. The result has no sequences.
func (v *View) Replaced(x *sparse.Matrix, features *Features) *View {
	set := v.Division()
	set.X, set.Features = x, features
	p := &Prepared{Set: set, X: x, Features: features, Targets: set.Targets, Beam: v.from.Beam, Frequency: v.from.Frequency}
	return &View{from: p, rows: Numbers(v.Len()), classes: v.classes.At(v.rows)}
}

// Narrow returns the rows with some of their columns, rising. O(entries).
func (in Inputs) Narrow(columns []int32) Inputs {
	set := &Dataset{X: in.Matrix().Keep(columns), Features: in.v.Features().Keep(columns)}
	return Inputs{&View{from: &Prepared{Set: set, X: set.X, Features: set.Features}, rows: Numbers(in.Len())}}
}

// Division returns the view's rows as a data set without columns, for splitting them further.
func (v *View) Division() *Dataset {
	n, from := v.Len(), v.from.Set
	set := &Dataset{X: sparse.New(0, make([]int, n+1), nil, nil), Weight: v.CaseWeights(), Exposure: v.Exposures(), Time: ValuesAt(from.Time, v.rows)}
	if from.Groups != nil {
		set.Groups = from.Groups.onRows(v.rows)
	}
	set.IDs = make([]string, n)
	for i := range set.IDs {
		set.IDs[i] = v.ID(i)
	}
	for t := range v.Targets() {
		info := v.TargetInfo(t)
		info.Rows, info.Values = v.Target(t)
		info.Events = v.Events(t)
		set.Targets = append(set.Targets, info)
	}
	return set
}

// PlacesOf returns, for each of n columns, its index in keep, -1 if it is not there.
func PlacesOf(keep []int32, n int) []int32 {
	to := slices.Repeat([]int32{-1}, n)
	for k, j := range keep {
		to[j] = int32(k)
	}
	return to
}

// Numbers returns 0 up to n − 1: all rows, or columns.
func Numbers(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

// OneVsRest returns the view with a first target of two levels: the given one, number 1 and positive, against the "rest". All levels
// share the matrix of the view, and its column layout. O(rows of the data set).
func (v *View) OneVsRest(level int) *View {
	p := *v.from
	t := p.Targets[0]
	to := make([]int32, len(t.Levels))
	to[level] = 1
	t.Numbers = nil // the levels are no longer those of the cut
	p.Targets = slices.Clone(p.Targets)
	p.Targets[0] = t.withLevels([]string{"rest", t.Levels[level]}, to)
	return &View{from: &p, rows: v.rows, like: v, classes: v.classes}
}
