package tuples

import "slices"

// Template picks positions of a record, rising; at those among them in Leaves it fires only where there is no value.
//
// A pattern is the values at its positions, whichever template made it: where a template that asks for leaves fires, one
// that takes the values there makes the same pattern. It belongs to the first of them, and counts once.
type Template struct{ Positions, Leaves []int }

// matches reports whether the template makes a pattern of record i.
func (p Template) matches(t *Table, i int) bool {
	for _, leaf := range p.Leaves {
		if t.values[leaf][i] != Leaf {
			return false
		}
	}
	return true
}

// ownRecords returns the records of which template k makes a pattern of its own. The values at its positions alone decide, so
// all records that show a pattern agree.
func (t *Table) ownRecords(templates []Template, k int, dst []int32) []int32 {
	var rivals []Template
	for _, earlier := range templates[:k] {
		if slices.Equal(earlier.Positions, templates[k].Positions) {
			rivals = append(rivals, earlier)
		}
	}
	for i := range t.Len() {
		taken := slices.ContainsFunc(rivals, func(r Template) bool { return r.matches(t, i) })
		if !taken && templates[k].matches(t, i) {
			dst = append(dst, int32(i))
		}
	}
	return dst
}
