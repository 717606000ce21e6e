package results

import (
	"os"
	"slices"
	"strings"
	"testing"

	"tenfold/io/sanitize"
)

// Every Parquet file of a run can be exported.
func TestExportKnowsEveryTable(t *testing.T) {
	dir, m := t.TempDir(), meta()
	m.Clusterings = []Clustering{{Dataset: "set", Algorithm: "stage", Cell: "p", Params: "{}", Clusters: []Cluster{{Members: []Member{{Task: "a", Output: "b"}}}}}}
	m.Similar = []Similar{{Dataset: "set", Digest: "d0", Least: 0.9, Columns: 2}}
	if _, err := Write(dir, m, All(example())); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var written []string
	for _, e := range entries {
		if name, is := strings.CutSuffix(e.Name(), ".parquet"); is {
			written = append(written, name)
			var text strings.Builder
			if err := Export(sanitize.NewCSV(&text, true), dir, name); err != nil {
				t.Error(err)
			}
			if head, _, _ := strings.Cut(text.String(), "\n"); strings.Contains(head, "cell,") && (strings.Count(head, "dataset,") != 1 || strings.Count(head, "algorithm,") != 1) {
				t.Errorf("%s: columns %s, without the labels of cells", name, head)
			}
		}
	}
	if known := slices.Sorted(slices.Values(TableNames())); !slices.Equal(written, known) {
		t.Errorf("files %q, known %q", written, known)
	}
}
