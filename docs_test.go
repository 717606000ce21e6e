package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"tenfold/engines/all"
	"tenfold/runner/cli"
)

var updateDocs = flag.Bool("update", false, "write the generated parts of the documentation anew")

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

// Parts of documents that are made of something else: what a command prints, and a part of a source file, from a comment
// "begin NAME" to "end".
var (
	generated = regexp.MustCompile(`(?s)<!-- tenfold (describe [^>]*?) -->\n.*?<!-- end -->`)
	quoted    = regexp.MustCompile(`(?s)<!-- source (\S+) (\S+) -->\n.*?<!-- end -->`)
)

// quote a part of a source file.
func quote(file, name string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	_, part, ok := strings.Cut(string(text), "\n// begin "+name+"\n")
	part, _, end := strings.Cut(part, "\n// end\n")
	if !ok || !end {
		return "", fmt.Errorf("%s has no part between // begin %s and // end", file, name)
	}
	return strings.Trim(part, "\n"), nil
}

// TestDocsAreGenerated makes every generated part of the documentation again. When the code has changed:
//
//	go test . -run TestDocsAreGenerated -update
func TestDocsAreGenerated(t *testing.T) {
	t.Parallel()
	x, _ := newTool(t)
	printed := map[string]string{}
	for _, page := range pages(t) {
		have, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		want := generated.ReplaceAllStringFunc(string(have), func(part string) string {
			command := generated.FindStringSubmatch(part)[1]
			if printed[command] == "" {
				printed[command], _ = x.ok(strings.Fields(command)...)
			}
			return fmt.Sprintf("<!-- tenfold %s -->\n\n%s\n<!-- end -->", command, printed[command])
		})
		want = quoted.ReplaceAllStringFunc(want, func(part string) string {
			m := quoted.FindStringSubmatch(part)
			source, err := quote(m[1], m[2])
			if err != nil {
				t.Errorf("%s: %v", page, err)
			}
			return fmt.Sprintf("<!-- source %s %s -->\n\n```go\n%s\n```\n<!-- end -->", m[1], m[2], source)
		})
		switch {
		case want == string(have):
		case *updateDocs:
			if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
				t.Error(err)
			}
		default:
			t.Errorf("%s: its generated parts are stale: go test . -run TestDocsAreGenerated -update", page)
		}
	}
	if code, _, errs := x.run("describe", "--format", "html"); code != cli.ExitInvalid {
		t.Errorf("exit code %d: %s", code, errs)
	}
	engines, err := all.Engines()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range engines.Names() {
		if printed["describe engine "+name+" --format markdown"] == "" {
			t.Errorf("no page in docs/engines describes %s", name)
		}
	}
}

// Links of Markdown, headings and what is no text: code and comments.
var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+?)\s*$`)
	code    = regexp.MustCompile("(?s)(?:^|\n)```.*?\n```|`[^`\n]*`")
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

// TestDocsLinks follows every link between documents, to its heading where it names one.
func TestDocsLinks(t *testing.T) {
	t.Parallel()
	content, headings := map[string]string{}, map[string][]string{}
	read := func(file string) string {
		if _, ok := content[file]; !ok {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Error(err)
			}
			content[file], headings[file] = string(text), anchors(string(text))
		}
		return content[file]
	}
	found := 0
	for _, page := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(read(page), ""), -1) {
			to := m[1]
			if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
				continue
			}
			found++
			file, anchor, _ := strings.Cut(to, "#")
			if file == "" {
				file = page
			} else {
				file = path.Join(path.Dir(page), file)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: link to %s: there is no %s", page, to, file)
				continue
			}
			if anchor == "" {
				continue
			}
			if read(file); !slices.Contains(headings[file], anchor) {
				t.Errorf("%s: link to %s: %s has no such heading", page, to, file)
			}
		}
	}
	if found < 100 {
		t.Errorf("found %d links", found)
	}
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
				continue // links are TestDocsLinks'
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

// snippets are the yaml blocks of a page, each below as many blank lines as stand above it, so that lines are the page's.
func snippets(page string) (out []string) {
	lines := strings.Split(page, "\n")
	for i := 0; i < len(lines); i++ {
		if language, _, _ := strings.Cut(strings.TrimSpace(lines[i]), " "); language != "```yaml" {
			continue
		}
		end := i + 1
		for end < len(lines) && strings.TrimSpace(lines[end]) != "```" {
			end++
		}
		out = append(out, strings.Repeat("\n", i+1)+strings.Join(lines[i+1:end], "\n"))
		i = end
	}
	return out
}

// TestDocsSnippets reads every yaml block of the documentation. That those which are whole experiment files are sound, tests
// of runner/spec see; those of docs/engines that generate their data can also be run as they are.
func TestDocsSnippets(t *testing.T) {
	t.Parallel()
	x, _ := newTool(t)
	dir := t.TempDir()
	var files []string
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, snippet := range snippets(string(text)) {
			var doc yaml.Node
			if err := yaml.Unmarshal([]byte(snippet), &doc); err != nil {
				t.Errorf("%s: %v", page, err)
			}
			if !strings.HasPrefix(page, "docs/engines/") || !strings.Contains(snippet, "tenfold: 1") || strings.Contains(snippet, "files:") {
				continue
			}
			file := filepath.Join(dir, fmt.Sprintf("%s-%d.yaml", strings.TrimSuffix(path.Base(page), ".md"), len(files)))
			if err := os.WriteFile(file, []byte(snippet), 0o644); err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		t.Fatal("no page of docs/engines has an experiment on generated data")
	}
	if testing.Short() {
		return
	}
	for _, file := range files {
		x.ok("run", file, "--out", filepath.Join(dir, "runs", path.Base(file)))
	}
}
