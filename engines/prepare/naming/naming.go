// Package naming finds columns of a data set by the names that files call them.
package naming

import (
	"tenfold/engines/data"
	"tenfold/engines/data/asterisk"
)

// Names returns the names of the columns, those of categorical ones and of texts once.
func Names(d *data.Dataset) (names []string) {
	for j := range d.Features.Len() {
		name := d.ColumnOf(j)
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return names
}

// Match returns the columns that a pattern matches, or whose categorical column or text it matches.
func Match(d *data.Dataset, pattern string) (columns []int32) {
	for j := range d.Features.Len() {
		name, isLevel := d.Features.Name(j), d.Factor != nil && d.Factor[j] >= 0
		if asterisk.Matches(pattern, name) || isLevel && asterisk.Matches(pattern+"=*", name) || d.Texts.Is(j) && asterisk.Matches(pattern, d.Texts.NameOf(j)) {
			columns = append(columns, int32(j))
		}
	}
	return columns
}
