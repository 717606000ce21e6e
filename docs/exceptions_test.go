package docs_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what is generated anew: the table of defaults, and the list of exceptions where it does not grow")

// exceptionsFile lists what does not keep a law of this file yet: the law, a folder, and how much there may be.
const exceptionsFile = "docs/testdata/exceptions.txt"

// hold compares what breaks a law, by folder, with the list of exceptions, which may only shrink: the test fails where there is more
// than listed, or less by a tenth. With -update the list gets what there is now, folders that have moved included, unless its sum grows.
func hold(t *testing.T, law string, found map[string]int) {
	t.Helper()
	text, err := os.ReadFile(exceptionsFile)
	if err != nil {
		t.Fatal(err)
	}
	var others, now []string
	listed, before, sum := map[string]int{}, 0, 0
	for line := range strings.Lines(string(text)) {
		var name, folder string
		var n int
		if _, err := fmt.Sscan(line, &name, &folder, &n); err != nil {
			t.Fatalf("%s: %q: %v", exceptionsFile, line, err)
		}
		if name != law {
			others = append(others, line)
			continue
		}
		listed[folder] = n
		before += n
	}
	for folder, n := range found {
		now = append(now, fmt.Sprintf("%s %s %d\n", law, folder, n))
		sum += n
	}
	if *update && sum <= before {
		now = append(now, others...)
		slices.Sort(now)
		if err := os.WriteFile(exceptionsFile, []byte(strings.Join(now, "")), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for folder, n := range found {
		if n > listed[folder] {
			t.Errorf("%s: %d %s, at most %d", folder, n, law, listed[folder])
		}
	}
	for folder, n := range listed {
		if has := found[folder]; n-has > 3 && 10*has < 9*n {
			t.Errorf("%s: only %d %s are left of %d: lower the exception (-update)", folder, has, law, n)
		}
	}
}

// house are the roots of the project's code.
var house = []string{"engines", "io", "runner", "reports", "adapters", "scripts", "main.go"}

// TestPackagesAreSmall: no package has more than 3,000 lines of code, none of engines more than 2,000. Exceptions are listed in
// hundreds of lines.
func TestPackagesAreSmall(t *testing.T) {
	_, files := sources(t, house...)
	lines := map[string]int{}
	for file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines[path.Dir(file)] += bytes.Count(content, []byte("\n"))
	}
	for folder, n := range lines {
		if lines[folder] = (n + 99) / 100 * 100; n <= 2000 || n <= 3000 && !strings.HasPrefix(folder, "engines") {
			delete(lines, folder)
		}
	}
	hold(t, "lines", lines)
}

// noVerb matches what follows the name of a function in a comment that does not say what it returns or does.
var noVerb = regexp.MustCompile(`^(is|are|was|were|tells whether|an?|the|and|as|at|by|for|from|if|in|of|on|or|that|to|what|where|which|whose|with|without)\b`)

// TestCommentsHaveVerbs: of a folder's comments of functions, one in twenty may be without a verb that says what the function returns
// or does, as in "x is the number of rows".
func TestCommentsHaveVerbs(t *testing.T) {
	_, files := sources(t, house...)
	all, without := map[string]int{}, map[string]int{}
	for file, tree := range files {
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Doc == nil {
				continue
			}
			folder := path.Dir(file)
			all[folder]++
			if rest, ok := strings.CutPrefix(f.Doc.Text(), f.Name.Name+" "); ok && noVerb.MatchString(rest) {
				without[folder]++
			}
		}
	}
	for folder, n := range without {
		if 20*n <= all[folder] {
			delete(without, folder)
		}
	}
	hold(t, "comments", without)
}

// noNouns are names that say what something is only where they are declared.
var noNouns = []string{"at", "of", "own"}

// TestNamesAreNouns: no variable, parameter, field or function has a preposition or a pronoun as its name.
func TestNamesAreNouns(t *testing.T) {
	_, files := sources(t, house...)
	found := map[string]int{}
	for file, tree := range files {
		count := func(names ...*ast.Ident) {
			for _, name := range names {
				if name != nil && slices.Contains(noNouns, name.Name) {
					found[path.Dir(file)]++
				}
			}
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				count(n.Names...)
			case *ast.ValueSpec:
				count(n.Names...)
			case *ast.TypeSpec:
				count(n.Name)
			case *ast.FuncDecl:
				count(n.Name)
			case *ast.AssignStmt:
				if n.Tok == token.DEFINE {
					for _, e := range n.Lhs {
						if name, ok := e.(*ast.Ident); ok {
							count(name)
						}
					}
				}
			case *ast.RangeStmt:
				if n.Tok == token.DEFINE {
					for _, e := range []ast.Expr{n.Key, n.Value} {
						if name, ok := e.(*ast.Ident); ok {
							count(name)
						}
					}
				}
			}
			return true
		})
	}
	hold(t, "names", found)
}
