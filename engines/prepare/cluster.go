package prepare

import (
	"context"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/numeric/kmeans"
	"tenfold/engines/numeric/sparse"
)

// fitClasses makes classes of columns that are similar in the training rows.
func (r Recipe) fitClasses(p *data.Prepared, train []int32) {
	if r.Clusters == 0 {
		return
	}
	class, n, constant := clusterColumns(trainingRows(p.X, train), r.Clusters, uint64(r.ClusterSeed))
	names := make([]string, n, n+1)
	for c := range names {
		names[c] = fmt.Sprintf("cluster %d", c+1)
	}
	p.AddFact(fmt.Sprintf("classes of columns by k-means on the training rows (k: %d)", r.Clusters), fmt.Sprint(n))
	if constant > 0 {
		names = append(names, data.None)
		p.AddFact("columns constant in the training rows, in the class "+data.None, fmt.Sprint(constant))
	}
	p.Features = p.Features.WithNewClasses(class, names)
}

// clusterColumns partitions columns by k-means. Columns are centred and of unit length, so squared distances are twice one minus
// the correlation. Classes are numbered by their first column; there may be fewer than k. Constant columns, which have no
// direction, get the number after the last.
func clusterColumns(x *sparse.Matrix, k int, seed uint64) (class []int32, classes, constant int) {
	g, err := sparse.StandardizeFar(context.Background(), x, nil, "unit")
	if err != nil { // with a known scale and no weights, there is no error
		panic(err)
	}
	x = g.X
	rows, _ := x.Dims()
	found := kmeans.Means(kmeans.Points{At: x.Col, Mean: g.Mean, Scale: g.Scale, Dims: rows}, k, data.UniformStream(seed))
	class = found.Of
	to, classes := found.Number()
	for j, c := range class {
		if c < 0 {
			class[j] = int32(classes)
			constant++
			continue
		}
		class[j] = to[c]
	}
	return class, classes, constant
}
