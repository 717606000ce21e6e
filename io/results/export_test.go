package results

import (
	"io"
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
			if err := Export(sanitize.NewCSV(io.Discard, true), dir, name); err != nil {
				t.Error(err)
			}
		}
	}
	if known := slices.Sorted(slices.Values(TableNames())); !slices.Equal(written, known) {
		t.Errorf("files %q, known %q", written, known)
	}
}
