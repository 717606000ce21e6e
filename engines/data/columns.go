package data

import (
	"fmt"
	"strings"

	"tenfold/engines/kind"
)

// fitColumns applies the cutoff, and drops levels of categorical columns that no training row has. It returns the columns
// kept, nil for all.
func (r Recipe) fitColumns(p *Prepared, train []int32) (keep []int32, err error) {
	d := p.set
	drop, err := r.droppedColumns(d)
	if err != nil || r.Cutoff == 0 && d.Factor == nil && drop == nil {
		return nil, err
	}
	rows, cols := d.X.Dims()
	count := make([]int32, cols)
	eachRow(rows, train, func(i int) {
		row := d.X.Row(i)
		for k, j := range row.Idx {
			if !d.isLevel(int(j)) || row.At(k) == row.At(k) { // a missing category is no sign of any level
				count[j]++
			}
		}
	})
	keep = make([]int32, 0, cols)
	seen, left := 0, 0
	for j, c := range count {
		if drop != nil && drop[j] {
			left++
			continue
		}
		if c > 0 {
			seen++
		}
		level := d.isLevel(j)
		if level && c == 0 && r.Unseen == "error" {
			return nil, fmt.Errorf("level %q occurs in rows outside the training rows and in none of these (prepare: {unseen: error})", d.Features.Name(j))
		}
		if int(c) >= r.Cutoff && !(level && c == 0) {
			keep = append(keep, int32(j))
		}
	}
	if r.Cutoff > 1 {
		p.Facts = append(p.Facts,
			Fact{"columns in training rows before the cutoff", fmt.Sprint(seen)},
			Fact{fmt.Sprintf("columns after the cutoff (%d)", r.Cutoff), fmt.Sprint(len(keep))})
	}
	if unseen := cols - seen - left; r.Cutoff > 0 && unseen > 0 {
		p.Facts = append(p.Facts, Fact{"columns that no training row has, left out", fmt.Sprint(unseen)})
	}
	if len(keep) == cols {
		return nil, nil
	}
	p.x, p.features = d.X.Keep(keep), d.Features.Keep(keep)
	return keep, nil
}

// droppedColumns marks the columns that the recipe leaves out, nil for none. Of a categorical column, its name stands for the
// columns of all its levels. A pattern that matches none is an error.
func (r Recipe) droppedColumns(d *Dataset) ([]bool, error) {
	if r.Drop == "" {
		return nil, nil
	}
	out, left := make([]bool, d.Features.Len()), d.Features.Len()
	for pattern := range strings.SplitSeq(r.Drop, "\n") {
		found := false
		for j := range out {
			if !kind.Matches(pattern, d.Features.Name(j)) && !(d.isLevel(j) && kind.Matches(pattern+"=*", d.Features.Name(j))) {
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

// isLevel tells whether column j is a level of a categorical column.
func (d *Dataset) isLevel(j int) bool { return d.Factor != nil && d.Factor[j] >= 0 }

// columnOf is the column of a table that a feature comes from: of a level, the categorical one.
func (d *Dataset) columnOf(feature string) string {
	if j, ok := d.Features.Lookup(feature); ok && d.isLevel(j) {
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
