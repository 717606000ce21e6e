package docs_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/all"
	"tenfold/io/results"
	"tenfold/reports/paired"
	"tenfold/runner/metric"
)

// pages are the documents of the repository, by path from its root.
func pages(t *testing.T) []string {
	t.Helper()
	out := []string{"README.md", "CONTRIBUTING.md"}
	err := filepath.WalkDir("docs", func(path string, d fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			out = append(out, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Links of Markdown, and headings.
var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+?)\s*$`)
)

// anchors of a page's headings, as they are made of them: lower case, without punctuation, blanks as dashes.
func anchors(page string) []string {
	var out []string
	times := map[string]int{}
	for _, m := range heading.FindAllStringSubmatch(regexp.MustCompile("(?s)(?:^|\n)```.*?\n```").ReplaceAllString(page, "\n"), -1) {
		text := strings.NewReplacer("`", "", "*", "").Replace(link.ReplaceAllString(m[1], "]"))
		text = strings.ReplaceAll(strings.ToLower(regexp.MustCompile(`[^\pL\pN\-_ ]`).ReplaceAllString(text, "")), " ", "-")
		if n := times[text]; n > 0 {
			out = append(out, fmt.Sprintf("%s-%d", text, n))
		} else {
			out = append(out, text)
		}
		times[text]++
	}
	return out
}

// cites are places in documents that comments name, and unresolved the ways of naming what is not in the repository.
var (
	cites      = regexp.MustCompile(`\b(docs/[\w/.-]+\.md)(?:#([\w-]+))?`)
	unresolved = regexp.MustCompile(`\(spec[ :)]|\bspec(?: section)? \d|\b[Ee]rrat(?:um|a) [A-Z]\d`)
	identity   = regexp.MustCompile(`<a id="([\w-]+)"></a>`)
)

// TestCitations: what comments and documents cite is a paper, or a place that is there.
func TestCitations(t *testing.T) {
	t.Parallel()
	found := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || file == "docs_test.go" || !strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, ".md") {
			return err
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for k, line := range strings.Split(string(content), "\n") {
			if strings.HasSuffix(file, ".go") && !strings.Contains(line, "//") {
				continue
			}
			if bad := unresolved.FindString(line); bad != "" {
				t.Errorf("%s:%d: %q cites what is not in the repository", file, k+1, bad)
			}
			if strings.HasSuffix(file, ".md") {
				continue // scripts/site follows links
			}
			for _, m := range cites.FindAllStringSubmatch(line, -1) {
				found++
				text, err := os.ReadFile(m[1])
				if err != nil {
					t.Errorf("%s:%d: %v", file, k+1, err)
					continue
				}
				places := anchors(string(text))
				for _, id := range identity.FindAllStringSubmatch(string(text), -1) {
					places = append(places, id[1])
				}
				if m[2] != "" && !slices.Contains(places, m[2]) {
					t.Errorf("%s:%d: %s has no place %s", file, k+1, m[1], m[2])
				}
			}
		}
		return nil
	})
	if err != nil || found < 10 {
		t.Errorf("%d citations, %v", found, err)
	}
}

// TestPromises: docs/reliability.md takes the README's second paragraph apart, and the tests that pages name are there.
func TestPromises(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "## What the README promises\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var claims []string
	named := map[string]bool{}
	for line := range strings.SplitSeq(table, "\n") {
		cell := strings.Split(line, " | ")
		if len(cell) != 2 || !strings.Contains(line, "`Test") {
			continue
		}
		claims = append(claims, strings.TrimPrefix(cell[0], "| "))
	}
	for _, file := range pages(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w+`).FindAllString(string(text), -1) {
			if !strings.HasSuffix(test, "NAME") { // a place to fill in
				named[test] = false
			}
		}
	}
	if paragraph, got := strings.Split(string(readme), "\n\n")[2], strings.Join(claims, " "); got != paragraph {
		t.Errorf("the claims are\n%s\nand the paragraph is\n%s", got, paragraph)
	}
	err = filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		content, err := os.ReadFile(file)
		for _, test := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllStringSubmatch(string(content), -1) {
			if _, is := named[test[1]]; is {
				named[test[1]] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for test, there := range named {
		if !there {
			t.Errorf("there is no %s", test)
		}
	}
	set, err := all.Engines()
	if err != nil {
		t.Fatal(err)
	}
	if count := fmt.Sprintf("The %d engines ", len(set.Names())); !strings.Contains(string(readme), count) {
		t.Errorf("the README does not say %q", count)
	}
	for _, name := range set.Names() {
		if !strings.Contains(string(readme), "`"+name+"`") {
			t.Errorf("the README does not name engine %s", name)
		}
	}
}

// TestDocsExperiments: every experiment is told of.
func TestDocsExperiments(t *testing.T) {
	t.Parallel()
	list, err := os.ReadFile("docs/experiments.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("experiments/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d experiments, %v", len(files), err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, ".baseline.yaml") && !strings.Contains(string(list), "(../"+filepath.ToSlash(file)+")") {
			t.Errorf("docs/experiments.md says nothing of %s", file)
		}
	}
}

// TestDocsNameMetricsOfRows: where pages list the metrics that are means over rows, or can be resampled by rows, the lists are whole.
func TestDocsNameMetricsOfRows(t *testing.T) {
	t.Parallel()
	known := metric.Described(nil)
	for _, c := range []struct {
		page, begins string
		are          []string
	}{
		{"docs/report.md", "| `.micro`", known.Having(results.Properties.RowMean)},
		{"docs/statistics.md", "`test: bootstrap`", known.Having(paired.RowWise)},
		{"docs/ci.md", "**One fold.**", known.Having(paired.RowWise)},
	} {
		text, err := os.ReadFile(c.page)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for line := range strings.SplitSeq(string(text), "\n") {
			if !strings.HasPrefix(line, c.begins) {
				continue
			}
			found = true
			for name := range known {
				if named := strings.Contains(line, "`"+name+"`"); named != slices.Contains(c.are, name) {
					t.Errorf("%s, %s: names %s %v", c.page, c.begins, name, named)
				}
			}
		}
		if !found {
			t.Errorf("%s: no line begins with %s", c.page, c.begins)
		}
	}
}

// TestComingFromNamesWhatThereIs: what the page says in place of other tools' words are words of the reference of experiment files,
// commands, or files of results.
func TestComingFromNamesWhatThereIs(t *testing.T) {
	t.Parallel()
	word := regexp.MustCompile(`[\pL_][\pL\pN_-]*`)
	known := map[string]bool{"tenfold": true, "parquet": true, "n": true, "openml": true, "data": true, "init": true} // of commands
	for _, page := range []string{"docs/reference.md", "docs/results.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range word.FindAllString(string(text), -1) {
			known[w] = true
		}
	}
	page, err := os.ReadFile("docs/coming-from.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| ---") || len(cells) < 2 {
			continue
		}
		rows++
		for _, span := range regexp.MustCompile("`[^`]+`").FindAllString(strings.Join(cells[1:], " | "), -1) {
			for _, w := range word.FindAllString(span, -1) {
				if !known[w] {
					t.Errorf("docs/coming-from.md: %s is nothing that a file can say, in %s", w, strings.TrimSpace(line))
				}
			}
		}
	}
	if rows < 60 {
		t.Errorf("%d rows", rows)
	}
}

// TestDocsNamePaths: the page on experiment files names every engine with a path, and by which parameter.
func TestDocsNamePaths(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/experiment-file.md")
	if err != nil {
		t.Fatal(err)
	}
	_, values, _ := strings.Cut(string(text), "#### Values of path\n")
	values, _, _ = strings.Cut(values, "\n**")
	_, sizes, _ := strings.Cut(string(text), "Engines with paths are ")
	sizes, _, _ = strings.Cut(sizes, "\n")
	set, err := all.Engines()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range set.Names() {
		kind, err := set.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		engine := kind.Defaults()
		if p, is := engine.(engines.Pathed); is {
			line := regexp.MustCompile("(?m)^\\|[^|]*`" + name + "`[^|]*\\| `(\\w+): path` \\|").FindStringSubmatch(values)
			if line == nil || !slices.Contains(p.PathParameters(), line[1]) {
				t.Errorf("values of path: %s, whose parameters are %q, has %q", name, p.PathParameters(), line)
			}
		}
		if named := strings.Contains(sizes, "`"+name+"`"); named != (engine.Needs().Sizes.Limit != "") {
			t.Errorf("engines with paths of sizes: %s named %v", name, named)
		}
	}
}
