package data

import "tenfold/engines/numeric/sparse"

// Select returns the data set with some of its rows, in the order given. It keeps all columns and groups, and drops levels that no row
// has; readers leave out rows with it. (Subset makes an independent data set instead.) Not for rows in sequences.
func (d *Dataset) Select(rows []int32) *Dataset {
	out := *d
	out.X = d.X.Pick(rows)
	out.IDs = ValuesAt(d.IDs, rows)
	if len(d.IDs) == 0 {
		out.IDs = nil
	}
	out.Time, out.Weight, out.Exposure, out.Part = ValuesAt(d.Time, rows), ValuesAt(d.Weight, rows), ValuesAt(d.Exposure, rows), ValuesAt(d.Part, rows)
	if d.Groups != nil {
		out.Groups = &Groups{Name: d.Groups.Name, Of: ValuesAt(d.Groups.Of, rows), Key: d.Groups.Key}
	}
	if d.Tasks != nil {
		out.Tasks = &Tasks{Names: d.Tasks.Names, Of: ValuesAt(d.Tasks.Of, rows)}
	}
	out.Targets = make([]Target, len(d.Targets))
	for t := range d.Targets {
		target := &out.Targets[t]
		if *target = d.Targets[t].onRows(rows); len(target.Rows) == len(rows) {
			target.Rows = nil
		}
		if target.Type == Class && target.Numbers == nil {
			*target = target.WithoutEmptyLevels()
		}
	}
	return &out
}

// Complete returns the rows, rising, without a missing value among the features, the real responses, or both, as asked for.
func (d *Dataset) Complete(features, responses bool) []int32 {
	whole := make([]bool, d.Rows())
	for i := range whole {
		whole[i] = true
	}
	if features {
		for i := range whole {
			for _, v := range d.X.Row(i).Val {
				whole[i] = whole[i] && v == v
			}
		}
	}
	if responses {
		for t := range d.Targets {
			d.Targets[t].eachMissing(len(whole), func(i int) { whole[i] = false })
		}
	}
	n := 0
	for _, yes := range whole {
		if yes {
			n++
		}
	}
	return numberMarked(whole, n)
}

// eachMissing calls f for every row on which the target has no value.
func (t *Target) eachMissing(rows int, f func(i int)) {
	k := 0
	for i := range rows {
		switch {
		case k == len(t.Values) || t.RowOf(k) != i:
			f(i)
			continue
		case t.Values[k] != t.Values[k]:
			f(i)
		}
		k++
	}
}

// Spread returns the data set whose column k is column from[k] of this one; from rises, and repeats columns to be copied. names are the
// features of the new columns. O(new entries).
func (d *Dataset) Spread(from []int32, names *Features) *Dataset {
	out := *d
	_, cols := d.X.Dims()
	first := make([]int32, cols+1) // new columns of the old column j: first[j] up to first[j+1]
	for _, j := range from {
		first[j+1]++
	}
	for j := range cols {
		first[j+1] += first[j]
	}
	out.X, out.Features, out.Factor, out.Texts = spreadColumns(d.X, first, len(from)), names, ValuesAt(d.Factor, from), d.Texts.At(from)
	if d.Truth != nil {
		out.Truth = []True{}
		for _, c := range d.Truth {
			for k := first[c.Feature]; k < first[c.Feature+1]; k++ {
				out.Truth = append(out.Truth, True{k, c.Target, c.Value})
			}
		}
	}
	return &out
}

func spreadColumns(x *sparse.Matrix, first []int32, cols int) *sparse.Matrix {
	rows, _ := x.Dims()
	ptr := make([]int, 1, rows+1)
	var idx []int32
	var val []float64
	for i := range rows {
		row := x.Row(i)
		for q, j := range row.Idx {
			for k := first[j]; k < first[j+1]; k++ {
				idx = append(idx, k)
				if row.Val != nil {
					val = append(val, row.Val[q])
				}
			}
		}
		ptr = append(ptr, len(idx))
	}
	return sparse.New(cols, ptr, idx, val)
}
