// Package tfidf weighs the words of texts: by how many training rows have them, and by the length of each text. Rows are texts, or
// some columns of a table are made of texts. Which rows count is the caller's to say.
package tfidf

import (
	"math"

	"tenfold/engines/data"
	"tenfold/engines/data/texts"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// ScaleColumns returns the matrix with the values of each column multiplied.
func ScaleColumns(x *sparse.Matrix, weight []float64) *sparse.Matrix {
	return x.Valued(func(j int32, v float64) float64 { return v * weight[j] })
}

// DocumentFrequency returns the number of training rows (nil: all rows) in which each column occurs. O(their entries).
func DocumentFrequency(x *sparse.Matrix, train []int32) []int {
	rows, cols := x.Dims()
	df := make([]int, cols)
	if train == nil {
		train = data.Numbers(rows)
	}
	for _, i := range train {
		row := x.Row(int(i))
		for k, j := range row.Idx {
			if row.At(k) != 0 {
				df[j]++
			}
		}
	}
	return df
}

// InverseFrequency returns the weight of each column, given the number df of training rows, out of n, in which it occurs:
//
//	smooth  ln((1+n)/(1+df)) + 1, as in scikit-learn: as if one more row had every column
//	plain   ln(n/df), Spärck Jones 1972: 0 for columns that occur everywhere
//
// Columns that occur in no training row have weight 0, as if they had been left out.
func InverseFrequency(formula string, n int, df []int) []float64 {
	idf := make([]float64, len(df))
	for j, d := range df {
		switch {
		case d == 0:
		case formula == "plain":
			idf[j] = elementary.Log(float64(n) / float64(d))
		default:
			idf[j] = elementary.Log(float64(1+n)/float64(1+d)) + 1
		}
	}
	return idf
}

// UnitRows divides each row by its Euclidean length, or, if only some columns are made of texts, what each text of the row is made into
// by the length of that; what is zero stays.
func UnitRows(x *sparse.Matrix, texts *texts.Columns) *sparse.Matrix {
	rows, cols := x.Dims()
	ptr, idx, _ := x.Rows()
	out := make([]float64, len(idx))
	lengths := []float64{0}
	textOf := func(int32) int32 { return 0 }
	if texts != nil {
		lengths = make([]float64, len(texts.Names))
		textOf = func(j int32) int32 { return texts.Of[j] }
	}
	for i := range rows {
		row := x.Row(i)
		clear(lengths)
		for k, j := range row.Idx {
			if t := textOf(j); t >= 0 {
				v := row.At(k)
				lengths[t] += float64(v * v)
			}
		}
		for t, sum := range lengths {
			lengths[t] = math.Sqrt(sum)
		}
		for k, j := range row.Idx {
			v := row.At(k)
			if t := textOf(j); t >= 0 && lengths[t] > 0 {
				v /= lengths[t]
			}
			out[ptr[i]+k] = v
		}
	}
	return sparse.New(cols, ptr, idx, out)
}
