package enginetest

import "tenfold/engines/data"

// Table returns the names of a view's columns and its rows, laid out.
func Table(v *data.View) (names []string, rows [][]float64) {
	for j := range v.Columns() {
		names = append(names, v.Features().Name(j))
	}
	for i := range v.Len() {
		row := make([]float64, v.Columns())
		v.Row(i).AddTo(row, 1)
		rows = append(rows, row)
	}
	return names, rows
}

// Columnwise returns the rows of a view, laid out from its columns.
func Columnwise(v *data.View) [][]float64 {
	rows := make([][]float64, v.Len())
	for i := range rows {
		rows[i] = make([]float64, v.Columns())
	}
	for j := range v.Columns() {
		col := v.Matrix().Col(j)
		for k, i := range col.Idx {
			rows[i][j] = col.At(k)
		}
	}
	return rows
}

// ClassSize returns the number of columns of a class.
func ClassSize(f *data.Features, class int) (n int) {
	for j := range f.Len() {
		if f.Class(j) == class {
			n++
		}
	}
	return n
}
