package data

import "slices"

// OneVsRest is the view with two levels of its first target, a class: the given level, which is number 1 and the positive
// one, and all others together, "rest". The matrix is that of the view, laid out once for all levels. O(rows of the data set).
func (v *View) OneVsRest(level int) *View {
	p := *v.from
	t := p.targets[0]
	to := make([]int32, len(t.Levels))
	to[level] = 1
	t.Numbers = nil // the levels are no longer those of the cut
	p.targets = slices.Clone(p.targets)
	p.targets[0] = t.relabelled([]string{"rest", t.Levels[level]}, to)
	return &View{from: &p, rows: v.rows, like: v}
}
