package experiment_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"tenfold/engines/all"
	"tenfold/engines/data"
	"tenfold/io/formats"
	"tenfold/reports"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/method"
	"tenfold/runner/metric"
)

// TestDocumentedFiles parses every complete experiment file in the documentation, that is every yaml block that begins
// with the version of the format, with what the program itself parses files with.
func TestDocumentedFiles(t *testing.T) {
	t.Parallel()
	found := 0
	for _, page := range pages(t) {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range documented(content) {
			found++
			if _, err := experiment.Parse(page, file, programs(t)); err != nil {
				t.Error(err)
			}
		}
	}
	if found == 0 {
		t.Error("the documentation shows no experiment file")
	}
}

// pages are the documents of the repository.
func pages(t *testing.T) []string {
	t.Helper()
	out := []string{"../../README.md", "../../CONTRIBUTING.md"}
	err := filepath.WalkDir("../../docs", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// documented are the experiment files in a page. Each stands on its own line numbers of the page, below blank lines, so
// that mistakes are reported with their places in it.
func documented(page []byte) (files [][]byte) {
	const open, end = "```yaml\n", "\n```"
	for at := 0; ; {
		i := bytes.Index(page[at:], []byte(open))
		if i < 0 {
			return files
		}
		at += i + len(open)
		length := bytes.Index(page[at:], []byte(end))
		if length < 0 {
			length = len(page) - at
		}
		if block := page[at : at+length]; bytes.HasPrefix(block, []byte("tenfold: 1")) {
			above := bytes.Repeat([]byte("\n"), bytes.Count(page[:at], []byte("\n")))
			files = append(files, append(above, block...))
		}
		at += length
	}
}

// programs are the options that the program reads files with.
func programs(t *testing.T) experiment.Options {
	t.Helper()
	engines, err := all.Engines()
	if err != nil {
		t.Fatal(err)
	}
	sources, err := formats.Formats()
	if err != nil {
		t.Fatal(err)
	}
	sections := reports.DefaultSections()
	return experiment.Options{
		Engines: engines, Wrappers: all.Wrappers(), Formats: sources, Sections: &sections, MetricNames: metric.Names(),
		Described: metric.Described(nil), Methods: algorithm.Methods{Kind: method.Describe},
		Metrics: func(name string) ([]data.Type, bool) {
			m, ok := metric.Find(name)
			return m.Targets(), ok
		},
	}
}
