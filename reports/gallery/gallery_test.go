package gallery_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/reports/gallery"
)

// TestWrite: each run has a folder with its report, its file and a picture, also of two with one name; what a run is called commands no page.
func TestWrite(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	folders, err := gallery.Write(out, "Ours & theirs", []gallery.Run{
		{Name: "a", Title: "<script>alert(1)</script>", About: "What?", Datasets: 1, Algorithms: 2, Fits: 10, Lacking: 3, Digest: "sha256:00", Spec: []byte("tenfold: 1\n"), Page: []byte("page 1"), Figure: []byte("<svg/>")},
		{Name: "a", Title: "second", Datasets: 2, Algorithms: 1, Fits: 1, Page: []byte("page 2")},
	})
	if err != nil || !slices.Equal(folders, []string{"a", "a-2"}) {
		t.Fatal(folders, err)
	}
	read := func(name string) string {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for name, want := range map[string]string{"a/index.html": "page 1", "a-2/index.html": "page 2", "a/experiment.yaml": "tenfold: 1\n", "a/figure.svg": "<svg/>"} {
		if got := read(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	page := read("index.html")
	for _, want := range []string{"<h1>Ours &amp; theirs</h1>", "&lt;script&gt;alert(1)", `href="a-2/index.html"`, `src="a/figure.svg"`, "1 data set, 2 algorithms, 10 fits, 3 failed or missing", "2 data sets, 1 algorithm, 1 fit."} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if strings.Contains(page, "<script") || strings.Count(page, "<img") != 1 {
		t.Error(page)
	}
}
