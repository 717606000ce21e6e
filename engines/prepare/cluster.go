package prepare

import (
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/prepare/clusters"
)

// fitClasses makes classes of columns that are similar in the training rows.
func (r Recipe) fitClasses(p *data.Prepared, train []int32) {
	if r.Clusters == 0 {
		return
	}
	class, n, constant := clusters.Columns(trainingRows(p.X, train), p.Features.ByName(), r.Clusters, uint64(r.ClusterSeed))
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
