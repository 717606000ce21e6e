package reports

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/reports/page"
)

// senses are members, "task/output" with so many rows each, that are equally near to each other.
func senses(nearest float64, rows int32, names ...string) []results.Member {
	var out []results.Member
	for i, name := range names {
		task, output, _ := strings.Cut(name, "/")
		out = append(out, results.Member{Task: task, Output: output, Rows: rows + int32(i), Features: 9, Nearest: nearest})
	}
	return out
}

// clustered is what three algorithms found: the thesis' examples, one with three clusterings, and one that found nothing.
func clustered() []results.Clustering {
	examples := []results.Cluster{
		{Number: 0, Shared: "tp_war (2)", Members: senses(0.4, 10, "beat/1", "strike|hit/2")},
		{Number: 1, Shared: "tp_law (4), dobj_suspect (3)", Members: senses(0.35, 40, "arrest/1", "capture/1", "kill/1", "release/2")},
		{Number: 2, Members: senses(0.5, 5, "agree/1", "approve/3")},
		{Number: results.Background, Members: senses(0, 3, "arrest/2", "do/1", "kill/2")},
	}
	long := results.Cluster{Number: 0}
	for i := range 23 {
		long.Members = append(long.Members, senses(0.3, 1, fmt.Sprintf("w%02d/s", i))...)
	}
	many := []results.Cluster{long}
	for i := range 32 {
		many = append(many, results.Cluster{Number: int32(i + 1), Members: senses(0.9-float64(i)/100, 2, fmt.Sprintf("v%02d/1", i), fmt.Sprintf("v%02d/2", i))})
	}
	of := func(algorithm, cell, params string, clusters []results.Cluster) results.Clustering {
		return results.Clustering{Dataset: "verbs", Algorithm: algorithm, Cell: cell, Params: params, Clusters: clusters}
	}
	return []results.Clustering{
		of("plain", "0123456789abcdef", "{}", examples),
		of("settings", "c1", `{"compared":"all","similarity":0.3}`, many),
		of("settings", "c2", `{"compared":"semantic","semantic":["tp"],"similarity":0.3}`, examples[1:2]),
		of("settings", "c3", `{"compared":"semantic","semantic":["tp"],"similarity":0.3}`, examples[1:2]),
		of("strict", "c4", "{", examples[3:]),
	}
}

func TestClusterSection(t *testing.T) {
	doc := page.Document{Title: "Test", Sections: []page.Section{{Title: "Clusters of tasks", Blocks: clusterBlocks(clustered())}}}
	var markdown, html bytes.Buffer
	if err := page.Markdown(&markdown, doc); err != nil {
		t.Fatal(err)
	}
	if err := page.HTML(&html, doc); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "clusters.md")
	if *update {
		if err := os.WriteFile(path, markdown.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(markdown.Bytes(), want) {
		t.Errorf("differs from %s (go test -update writes it anew):\n%s", path, markdown.String())
	}
	if got := html.String(); strings.Count(got, "<details>") != 4 || !strings.Contains(got, "<summary>verbs, plain: 3 clusters</summary>") || strings.Contains(got, "w20/s") {
		t.Errorf("not behind a line to open, or not abridged:\n%s", got)
	}
	var names []string
	for i := range mostMembers {
		names = append(names, fmt.Sprint("v/", i))
	}
	g := clusterTable(results.Clustering{Clusters: []results.Cluster{{Members: senses(0.5, 1, names...)}}})
	if text := g.Rows[0].Slots[1].Text; strings.Contains(text, "more") || strings.Count(text, ",") != mostMembers-1 {
		t.Errorf("as many members as are shown: %s", text)
	}
	if blocks := clusterBlocks(sample().Clusterings); blocks != nil {
		t.Errorf("a run without clusters has %d blocks", len(blocks))
	}
}
