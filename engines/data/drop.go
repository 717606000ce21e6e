package data

import (
	"strings"

	"tenfold/engines/kind"
)

// dropped marks the columns that the recipe leaves out, nil for none. Of a categorical column, its name stands for the
// columns of all its levels. A pattern that matches none is an error.
func (r Recipe) dropped(d *Dataset) ([]bool, error) {
	if r.Drop == "" {
		return nil, nil
	}
	out, left := make([]bool, d.Features.Len()), d.Features.Len()
	for pattern := range strings.SplitSeq(r.Drop, "\n") {
		found := false
		for j := range out {
			if !kind.Matches(pattern, d.Features.Name(j)) && !(d.level(j) && kind.Matches(pattern+"=*", d.Features.Name(j))) {
				continue
			}
			if found = true; !out[j] {
				out[j] = true
				left--
			}
		}
		if !found {
			return nil, kind.Errorf("features.drop", "no column %q%s", pattern, kind.DidYouMean(pattern, d.columnNames()))
		}
	}
	if left == 0 {
		return nil, kind.Errorf("features.drop", "no columns are left")
	}
	return out, nil
}

// level tells whether column j is a level of a categorical column.
func (d *Dataset) level(j int) bool { return d.Factor != nil && d.Factor[j] >= 0 }

// columnOf is the column of a table that a feature comes from: of a level, the categorical one.
func (d *Dataset) columnOf(feature string) string {
	if j, ok := d.Features.Lookup(feature); ok && d.level(j) {
		feature, _, _ = strings.Cut(feature, "=")
	}
	return feature
}

// columnNames are the names of the columns, those of categorical ones once.
func (d *Dataset) columnNames() []string {
	var names []string
	for j := range d.Features.Len() {
		name := d.columnOf(d.Features.Name(j))
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return names
}
