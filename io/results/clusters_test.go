package results

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// Clusterings are read as they were written, count in the digest, and their file goes when there are none any more.
func TestClusters(t *testing.T) {
	dir, m := t.TempDir(), meta()
	m.Clusterings = []Clustering{
		{Dataset: "words", Algorithm: "transfer", Cell: "c8", Params: `{"similarity":0.3}`, Clusters: []Cluster{
			{Number: 0, Shared: "pos_VB (2), tp_law (2)", Members: []Member{{"kill", "1", 40, 12, 0.75}, {"arrest", "2", 7, 9, 0.75}}},
			{Number: Background, Members: []Member{{"kill", "2", 3, 0, 0}}},
		}},
		{Dataset: "words", Algorithm: "transfer", Cell: "c9", Params: "{}", Clusters: []Cluster{
			{Number: 0, Shared: "bag_court (2)", Members: []Member{{"arrest", "2", 7, 9, 0.5}, {"kill", "1", 40, 12, 0.5}}},
		}},
	}
	first, err := Write(dir, m, All(example()))
	if err != nil {
		t.Fatal(err)
	}
	tables, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(tables.Clusterings, m.Clusterings) {
		t.Errorf("read   %+v\nwanted %+v", tables.Clusterings, m.Clusterings)
	}
	if err := tables.Close(); err != nil {
		t.Fatal(err)
	}
	m.Clusterings[1].Clusters[0].Members[1].Nearest = 0.25
	second, err := Write(dir, m, All(example()))
	if err != nil || second == first {
		t.Errorf("another similarity: digest %s as before (%v)", second, err)
	}
	m.Clusterings = nil
	third, err := Write(dir, m, All(example()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, ClustersFile)); !os.IsNotExist(err) {
		t.Errorf("the file of an earlier run is left: %v", err)
	}
	if plain := write(t, t.TempDir(), example()); third != plain {
		t.Errorf("digest %s without clusters, %s where there never were any", third, plain)
	}
}
