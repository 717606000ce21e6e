package cli_test

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
	"tenfold/runner/cli/app"
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
//	go test ./runner/cli -run TestDocsAreGenerated -update
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
			t.Errorf("%s: its generated parts are stale: go test ./runner/cli -run TestDocsAreGenerated -update", page)
		}
	}
	if code, _, errs := x.run("describe", "--format", "html"); code != app.ExitInvalid {
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
// of runner/experiment see; those of docs/engines that generate their data can also be run as they are.
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

// TestReportExample runs the example of docs/report.md: its first table has the lines that stand below it, in their order, and … in the
// place of those that do not.
func TestReportExample(t *testing.T) {
	t.Parallel()
	page := read(t, "docs/report.md")
	at := slices.IndexFunc(snippets(page), func(s string) bool { return strings.Contains(s, "\nname: reported\n") })
	_, said, ok := strings.Cut(page, "Its first table begins like this:\n\n```\n")
	said, _, _ = strings.Cut(said, "```")
	if at < 0 || !ok {
		t.Fatal("docs/report.md has no example, or no table below it")
	}
	x, _ := newTool(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "reported.yaml")
	put(t, file, snippets(page)[at])
	out, _ := x.ok("run", file, "--out", filepath.Join(dir, "run"))
	rest := out
	for line := range strings.Lines(said) {
		if line == "…\n" {
			continue
		}
		i := strings.Index(rest, line)
		if i < 0 {
			t.Errorf("no line %sin the order of the page in\n%s", line, out)
			continue
		}
		rest = rest[i+len(line):]
	}
}
