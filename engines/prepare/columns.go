package prepare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/suggest"
)

// fitColumns applies the cutoff, and drops levels of categorical columns, and columns of texts, that no training row has. It returns
// the columns kept, nil for all.
func (r Recipe) fitColumns(p *data.Prepared, train []int32) (keep []int32, err error) {
	d := p.Set
	drop, err := r.droppedColumns(d)
	if err != nil || r.Cutoff == 0 && d.Factor == nil && d.Texts == nil && drop == nil {
		return nil, err
	}
	rows, cols := d.X.Dims()
	count := make([]int32, cols)
	eachRow(rows, train, func(i int) {
		row := d.X.Row(i)
		for k, j := range row.Idx {
			if !isLevel(d, int(j)) || row.At(k) == row.At(k) { // a missing category says nothing about any level
				count[j]++
			}
		}
	})
	keep = make([]int32, 0, cols)
	seen, unseen := 0, 0
	for j, c := range count {
		if drop != nil && drop[j] {
			continue
		}
		level, occurs := isLevel(d, j), r.Cutoff > 0 || d.Texts.Is(j)
		switch {
		case c > 0:
			seen++
		case occurs:
			unseen++
		}
		if level && c == 0 && r.Unseen == "error" {
			return nil, fmt.Errorf("level %q occurs in rows outside the training rows and in none of these (prepare: {unseen: error})", d.Features.Name(j))
		}
		if int(c) >= r.Cutoff && !(c == 0 && (level || occurs)) {
			keep = append(keep, int32(j))
		}
	}
	if r.Cutoff > 1 {
		p.AddFact("columns in training rows before the cutoff", fmt.Sprint(seen))
		p.AddFact(fmt.Sprintf("columns after the cutoff (%d)", r.Cutoff), fmt.Sprint(len(keep)))
	}
	if unseen > 0 {
		p.AddFact("columns that no training row has, left out", fmt.Sprint(unseen))
	}
	if len(keep) == cols {
		return nil, nil
	}
	p.X, p.Features = d.X.Keep(keep), d.Features.Keep(keep)
	return keep, nil
}

// droppedColumns marks the columns that the recipe leaves out, including those with an infinite penalty; nil for none. The name of
// a categorical column stands for the columns of all its levels. A pattern that matches none is an error.
func (r Recipe) droppedColumns(d *data.Dataset) ([]bool, error) {
	factor, err := r.Treatment.factors(d)
	if r.Drop == "" && !slices.Contains(factor, math.Inf(1)) || err != nil {
		return nil, err
	}
	out, left := make([]bool, d.Features.Len()), d.Features.Len()
	for j, f := range factor {
		if math.IsInf(f, 1) {
			out[j] = true
			left--
		}
	}
	if r.Drop == "" {
		return out, nil
	}
	for pattern := range strings.SplitSeq(r.Drop, "\n") {
		columns := columnsNamed(d, pattern)
		for _, j := range columns {
			if !out[j] {
				out[j] = true
				left--
			}
		}
		if len(columns) == 0 {
			return nil, param.Errorf("features.drop", "no column %q%s", pattern, suggest.DidYouMean(pattern, columnNames(d)))
		}
	}
	if left == 0 {
		return nil, param.Errorf("features.drop", "no columns are left")
	}
	return out, nil
}

// isLevel reports whether column j is a level of a categorical column.
func isLevel(d *data.Dataset, j int) bool { return d.Factor != nil && d.Factor[j] >= 0 }

// columnOf returns the column of a table that a feature comes from: for a level, the categorical one; for a word, that of its text.
func columnOf(d *data.Dataset, feature string) string {
	j, ok := d.Features.Lookup(feature)
	switch {
	case ok && isLevel(d, j):
		feature, _, _ = strings.Cut(feature, "=")
	case ok && d.Texts.Is(j):
		feature = d.Texts.NameOf(j)
	}
	return feature
}

// columnNames returns the names of the columns, those of categorical ones and of texts once.
func columnNames(d *data.Dataset) []string {
	var names []string
	for j := range d.Features.Len() {
		name := columnOf(d, d.Features.Name(j))
		if len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return names
}
