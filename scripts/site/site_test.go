package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"tenfold/reports/browsertest"
)

// run is what the gallery takes of a finished run.
var run = fstest.MapFS{
	"quickstart/report.html":      {Data: []byte("<!DOCTYPE html><title>report</title>")},
	"quickstart/report.md":        {Data: []byte("# Title\n\n## Results\n\n| algorithm | pairs |\n| :-- | --: |\n| ridge | 1.25 |\n\n![A path](figures/path.svg)\n\n[cell](#cell-1)\n")},
	"quickstart/figures/path.svg": {Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="80" height="50"/>`)},
}

var buildOnce = sync.OnceValues(func() (*site, error) { return build(os.DirFS("../.."), run) })

// builtSite returns the site of this repository, in a folder.
func builtSite(t *testing.T) (*site, string) {
	t.Helper()
	s, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := s.write(dir); err != nil {
		t.Fatal(err)
	}
	return s, dir
}

// TestSite: every document and experiment has a page, every link leads somewhere, and a run's report stands beside its file.
func TestSite(t *testing.T) {
	t.Parallel()
	s, dir := builtSite(t)
	for source, want := range map[string]string{
		"README.md":                   "index.html",
		"docs/tutorial.md":            "docs/tutorial.html",
		"docs/engines/README.md":      "docs/engines/index.html",
		"experiments/quickstart.yaml": "experiments/quickstart.html",
		"experiments":                 "experiments/index.html",
	} {
		if s.address[source] != want {
			t.Errorf("%s stands at %q, expected %q", source, s.address[source], want)
		}
	}
	documents, err := s.documents()
	if err != nil {
		t.Fatal(err)
	}
	front, err := os.ReadFile(filepath.Join(dir, "docs/engines/index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range documents {
		if !strings.Contains(string(front), `href="`+relative("docs/engines/index.html", s.address[name])+`"`) && !strings.HasPrefix(name, "docs/formats/") {
			t.Errorf("the navigation of docs/engines does not reach %s", name)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "experiments/quickstart.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<td style="text-align:right">1.25</td>`, `src="quickstart/path.svg"`, `href="quickstart/report.html"`, `<span class="nt">engine</span>`} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page of the quickstart lacks %s", want)
		}
	}
	if s.reports != 1 {
		t.Errorf("%d reports", s.reports)
	}
	if without, _ := os.ReadFile(filepath.Join(dir, "experiments/fdr.html")); !strings.Contains(string(without), "No run of it was at hand") {
		t.Error("an experiment without a run does not say so")
	}
}

// TestBrokenLinks: what leads nowhere, and what would need a network, is named.
func TestBrokenLinks(t *testing.T) {
	t.Parallel()
	err := checkLinks(map[string][]byte{
		"a.html": []byte(`<p id="here"><a href="b.html#there">x</a> <a href="#here">x</a> <a href="docs/none.html">x</a> <a href="b.html">x</a>`),
		"b.html": []byte(`<script src="https://example.org/x.js"></script><a href="https://example.org">out</a>`),
	})
	want := "a.html: link to b.html#there: no such place\na.html: link to docs/none.html: there is no docs/none.html\nb.html loads from outside: <script src=\"https://"
	if err == nil || err.Error() != want {
		t.Errorf("found\n%v\nexpected\n%s", err, want)
	}
	repository := fstest.MapFS{"README.md": {Data: []byte("# A\n\n[gone](docs/gone.md)\n\n## Documentation\n\n| to | read |\n| --- | --- |\n")},
		"docs/experiments.md": {Data: []byte("# E\n")}}
	if _, err := build(repository, fstest.MapFS{}); err == nil || !strings.Contains(err.Error(), "README.md: link to docs/gone.md: ") {
		t.Errorf("a document's broken link: %v", err)
	}
}

// TestHeadingIDs: anchors are those of GitHub.
func TestHeadingIDs(t *testing.T) {
	t.Parallel()
	h := headingIDs{}
	for heading, want := range map[string]string{
		"Which one?": "which-one", "`l1` and `owl-qn`": "l1-and-owl-qn", "A – b": "a--b", "Path (x, y)": "path-x-y", "[name](a.md#b) of it": "name-of-it",
	} {
		if got := string(h.Generate([]byte(heading), 0)); got != want {
			t.Errorf("%q has anchor %q, expected %q", heading, got, want)
		}
	}
	if got := string(h.Generate([]byte("Which one?"), 0)); got != "which-one-1" {
		t.Errorf("the second is %q", got)
	}
}

// TestLook opens pages from a folder: layout on wide and narrow screens, contrast light and dark, search, copying.
func TestLook(t *testing.T) {
	t.Parallel()
	b := browsertest.Start(t)
	_, dir := builtSite(t)
	for _, width := range []int{390, 1400} {
		for _, dark := range []bool{false, true} {
			b.Window(width, 900, dark)
			for _, page := range []string{"index.html", "docs/engines/lasso.html", "docs/ci.html", "experiments/index.html", "experiments/quickstart.html"} {
				b.Open("file://" + filepath.Join(dir, page))
				var problems []string
				b.Eval(browsertest.Look+`; check(document.documentElement.scrollWidth <= innerWidth, "it is wider than the window: " + document.documentElement.scrollWidth); checkContrast(); problems`, &problems)
				for _, p := range problems {
					t.Errorf("%s at %d pixels, dark %v: %s", page, width, dark, p)
				}
			}
		}
	}
	b.Open("file://" + filepath.Join(dir, "docs/ci.html"))
	var first string
	b.Eval(`(async () => { input.value = "duality gap certificate"; await search(); return found.querySelector("a").getAttribute("href"); })()`, &first)
	if !regexp.MustCompile(`^\.\./docs/.*\.html`).MatchString(first) {
		t.Errorf("the first that is found is %q", first)
	}
	var typed string
	b.Eval(`commandsOf("$ tenfold run a.yaml\nan answer\n$ ls\n")`, &typed)
	if typed != "tenfold run a.yaml\nls\n" {
		t.Errorf("copied: %q", typed)
	}
	for _, said := range b.Said() {
		t.Error("the browser said", said)
	}
}
