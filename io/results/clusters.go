package results

import (
	"path/filepath"

	"tenfold/io/sealed"
)

// ClustersFile holds the clusters of a run's families, if algorithms look for any: one row per member.
const ClustersFile = "clusters.parquet"

// Background is the number of the cluster that holds what is in no other one.
const Background = -1

// Clustering is the result of a pool: clusters among the outputs of a family's tasks.
type Clustering struct {
	Dataset, Algorithm string
	Cell               string // key
	Params             string // JSON
	Clusters           []Cluster
}

// Cluster is a set of similar outputs of tasks, such as senses of words.
type Cluster struct {
	Number  int32  // from 0, or Background
	Shared  string // features that most members have, each with the number of these
	Members []Member
}

// Member is one output in a cluster.
type Member struct {
	Task, Output string
	Rows         int32   // rows of the task that have the output
	Features     int32   // number of features that it is compared by
	Nearest      float64 // similarity to the most similar other output
}

// clusterLine is a row of the file: a member, with its cluster and clustering.
type clusterLine struct {
	Clustering
	Cluster
	Member
}

func clusterColumns() []sealed.Column[clusterLine] {
	return []sealed.Column[clusterLine]{
		sealed.String("dataset", func(l *clusterLine) *string { return &l.Dataset }),
		sealed.String("algorithm", func(l *clusterLine) *string { return &l.Algorithm }),
		sealed.String("cell", func(l *clusterLine) *string { return &l.Cell }),
		sealed.String("params", func(l *clusterLine) *string { return &l.Params }),
		sealed.Int32("cluster", func(l *clusterLine) *int32 { return &l.Number }),
		sealed.String("task", func(l *clusterLine) *string { return &l.Task }),
		sealed.String("output", func(l *clusterLine) *string { return &l.Output }),
		sealed.Int32("rows", func(l *clusterLine) *int32 { return &l.Rows }),
		sealed.Int32("features", func(l *clusterLine) *int32 { return &l.Features }),
		sealed.Float("nearest", func(l *clusterLine) *float64 { return &l.Nearest }),
		sealed.OptionalText("shared", func(l *clusterLine) *string { return &l.Shared }),
	}
}

// writeClusters writes the file if there are clusterings.
func (w *runWriter) writeClusters(footer [][2]string) error {
	if len(w.meta.Clusterings) == 0 {
		return nil
	}
	t, err := newTable(w, ClustersFile, clusterColumns())
	if err != nil {
		return err
	}
	t.SetFooter(footer)
	for _, all := range w.meta.Clusterings {
		clusters := all.Clusters
		all.Clusters = nil
		for _, c := range clusters {
			members := c.Members
			c.Members = nil
			for _, m := range members {
				if err := t.Add(clusterLine{all, c, m}); err != nil {
					return err
				}
			}
		}
	}
	return t.Close()
}

// readClusters reads the clusterings in a run's folder that belong to results of the digest; none if there is no such file.
func readClusters(dir, digest string) (all []Clustering, err error) {
	err = eachLine(filepath.Join(dir, ClustersFile), digest, clusterColumns(), func(l clusterLine) {
		if n := len(all); n == 0 || all[n-1].Cell != l.Cell {
			all = append(all, l.Clustering)
		}
		last := &all[len(all)-1]
		if n := len(last.Clusters); n == 0 || last.Clusters[n-1].Number != l.Number {
			last.Clusters = append(last.Clusters, l.Cluster)
		}
		c := &last.Clusters[len(last.Clusters)-1]
		c.Members = append(c.Members, l.Member)
	})
	return all, err
}
