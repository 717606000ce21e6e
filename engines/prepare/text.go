package prepare

import (
	"fmt"
	"math"

	"tenfold/engines/core/elementary"
	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
)

// fitText weighs the entries of rows that are texts: tf-idf, then rows of unit length. It uses training rows alone, except for each
// row's own length.
func (r Recipe) fitText(p *data.Prepared, l *Learned, train []int32) {
	if r.TFIDF != "" {
		n := p.Set.Rows()
		if train != nil {
			n = len(train)
		}
		l.IDF = inverseFrequency(r.TFIDF, n, documentFrequency(p.X, train))
		p.X = scaleColumns(p.X, l.IDF)
		p.AddFact("training rows that tf-idf counts", fmt.Sprint(n))
	}
	if r.Normalize == "l2" {
		p.X = unitRows(p.X)
	}
}

// scaleColumns returns the matrix with the values of each column multiplied.
func scaleColumns(x *sparse.Matrix, weight []float64) *sparse.Matrix {
	return x.Valued(func(j int32, v float64) float64 { return v * weight[j] })
}

// documentFrequency returns the number of training rows in which each column occurs.
func documentFrequency(x *sparse.Matrix, train []int32) []int {
	rows, cols := x.Dims()
	df := make([]int, cols)
	eachRow(rows, train, func(i int) {
		row := x.Row(i)
		for k, j := range row.Idx {
			if row.At(k) != 0 {
				df[j]++
			}
		}
	})
	return df
}

// inverseFrequency returns the weight of each column, given the number df of training rows, out of n, in which it occurs:
//
//	smooth  ln((1+n)/(1+df)) + 1, as in scikit-learn: as if one more row had every column
//	plain   ln(n/df), Spärck Jones 1972: 0 for columns that occur everywhere
//
// Columns that occur in no training row have weight 0, as if they had been left out.
func inverseFrequency(formula string, n int, df []int) []float64 {
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

// unitRows divides each row by its Euclidean length; a row of zeros stays.
func unitRows(x *sparse.Matrix) *sparse.Matrix {
	rows, cols := x.Dims()
	ptr, idx, _ := x.Rows()
	out := make([]float64, len(idx))
	for i := range rows {
		row := x.Row(i)
		sum := 0.0
		for k := range row.Idx {
			v := row.At(k)
			sum += float64(v * v)
		}
		if sum == 0 {
			continue
		}
		length := math.Sqrt(sum)
		for k := range row.Idx {
			out[ptr[i]+k] = row.At(k) / length
		}
	}
	return sparse.New(cols, ptr, idx, out)
}
