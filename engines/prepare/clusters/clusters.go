// Package clusters partitions columns into classes of similar ones.
package clusters

import (
	"context"

	"tenfold/engines/data"
	"tenfold/engines/numeric/kmeans"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

// Columns partitions columns by k-means. Columns are centred and of unit length, so squared distances are twice one minus
// the correlation. Draws, and the numbers of classes by their first column, go by the given order of the columns; there may be fewer
// classes than k. Constant columns, which have no direction, get the number after the last.
func Columns(x *sparse.Matrix, order []int32, k int, seed uint64) (class []int32, classes, constant int) {
	g, err := scaled.StandardizeFar(context.Background(), x, nil, "unit")
	if err != nil { // with a known scale and no weights, there is no error
		panic(err)
	}
	x = g.X
	rows, _ := x.Dims()
	found := kmeans.Means(kmeans.Points{
		At: func(k int) sparse.Vec { return x.Col(int(order[k])) }, Mean: data.ValuesAt(g.Mean, order), Scale: data.ValuesAt(g.Scale, order), Dims: rows,
	}, k, data.UniformStream(seed))
	class = make([]int32, len(order))
	to, classes := found.Number()
	for k, c := range found.Of {
		if c < 0 {
			class[order[k]] = int32(classes)
			constant++
			continue
		}
		class[order[k]] = to[c]
	}
	return class, classes, constant
}
