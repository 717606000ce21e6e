package docs_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tenfold/engines/all"
	"tenfold/engines/registry"
	"tenfold/io/formats"
)

// sources parses the code of some folders and files, without tests, by path.
func sources(t *testing.T, roots ...string) (*token.FileSet, map[string]*ast.File) {
	t.Helper()
	set, out := token.NewFileSet(), map[string]*ast.File{}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			out[filepath.ToSlash(file)], err = parser.ParseFile(set, file, nil, parser.ParseComments)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return set, out
}

// beyond are what engines must not import: files, processes, networks, logs.
var beyond = []string{"os", "io/fs", "log", "net", "path/filepath", "plugin", "syscall", "embed", "testing"}

// clock are the functions of package time that tell the time, or wait.
var clock = []string{"Now", "Since", "Until", "After", "AfterFunc", "Tick", "Sleep", "NewTimer", "NewTicker"}

// TestEnginesSeeNothing: no engine imports what reaches files, networks or logs, prints, or asks for the time.
func TestEnginesSeeNothing(t *testing.T) {
	t.Parallel()
	set, files := sources(t, "engines")
	for file, tree := range files {
		if strings.HasPrefix(file, "engines/enginetest/") {
			continue
		}
		for _, i := range tree.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			first, _, _ := strings.Cut(name, "/")
			if slices.Contains(beyond, name) || slices.Contains(beyond, first) {
				t.Errorf("%s imports %s", set.Position(i.Pos()), name)
			}
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			of, ok := s.X.(*ast.Ident)
			if ok && (of.Name == "time" && slices.Contains(clock, s.Sel.Name) || of.Name == "fmt" && strings.HasPrefix(s.Sel.Name, "Print")) {
				t.Errorf("%s: %s.%s", set.Position(n.Pos()), of.Name, s.Sel.Name)
			}
			return true
		})
	}
}

// TestNoVariableChanges: no package has an init, or assigns to its variables by name. What a map or a pointer in one holds is
// not looked at.
func TestNoVariableChanges(t *testing.T) {
	t.Parallel()
	set, files := sources(t, "engines", "io", "runner", "reports", "adapters", "main.go")
	top := map[any]bool{}      // what their identifiers stand for
	named := map[string]bool{} // folder, blank, variable
	for file, tree := range files {
		for _, d := range tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s: func init", set.Position(f.Pos()))
			}
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				for _, name := range s.(*ast.ValueSpec).Names {
					top[name.Obj] = true
					named[path.Dir(file)+" "+name.Name] = true
				}
			}
		}
	}
	if len(named) < 100 {
		t.Errorf("found %d variables", len(named))
	}
	for file, tree := range files {
		changes := func(e ast.Expr) {
			if i, ok := e.(*ast.Ident); ok && (i.Obj != nil && top[i.Obj] || i.Obj == nil && named[path.Dir(file)+" "+i.Name]) {
				t.Errorf("%s: %s changes", set.Position(i.Pos()), i.Name)
			}
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					changes(e)
				}
			case *ast.IncDecStmt:
				changes(n.X)
			}
			return true
		})
	}
}

// TestFilesAreShort: no file of code has 500 lines.
func TestFilesAreShort(t *testing.T) {
	t.Parallel()
	_, files := sources(t, "engines", "io", "runner", "reports", "adapters", "scripts", "main.go")
	for file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(content, []byte("\n")); n >= 500 {
			t.Errorf("%s has %d lines", file, n)
		}
	}
}

// wording are the files outside engines that name parameters, to word them.
var wording = []string{"reports/figure/words.go"}

// TestParametersStandInEngines: a parameter's name that is no common word stands as a string nowhere but in its engine, and in
// the file above.
func TestParametersStandInEngines(t *testing.T) {
	t.Parallel()
	engines, err := all.Engines()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, name := range engines.Names() {
		e := engines[name].Defaults()
		for _, p := range registry.Params(e, e) {
			if strings.Contains(p.Name, "_") || p.Name == "epsilon" || p.Name == "lambda" || p.Name == "patience" {
				names[p.Name] = true
			}
		}
	}
	if len(names) < 30 {
		t.Errorf("found %d names", len(names))
	}
	set, files := sources(t, "io", "runner", "reports", "main.go")
	for file, tree := range files {
		if slices.Contains(wording, file) {
			continue
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				if name, err := strconv.Unquote(text.Value); err == nil && names[name] {
					t.Errorf("%s: %q is a parameter of an engine", set.Position(n.Pos()), name)
				}
			}
			return true
		})
	}
}

// TestSeedsAreDerived: random numbers come from generators with a seed; none that the system seeds takes part in a result. Text is for names
// that nobody can guess.
func TestSeedsAreDerived(t *testing.T) {
	t.Parallel()
	set, files := sources(t, "engines", "runner", "reports")
	for _, tree := range files {
		ast.Inspect(tree, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if of, ok := s.X.(*ast.Ident); ok && of.Name == "rand" && of.Obj == nil && !slices.Contains([]string{"New", "NewPCG", "Rand", "Text"}, s.Sel.Name) {
				t.Errorf("%s: rand.%s", set.Position(n.Pos()), s.Sel.Name)
			}
			return true
		})
	}
}

// TestOnlyFilesUnpacks: of what reads data, io/files alone knows archives and gzip, but for npz and workbook, which are zip archives, mat, whose
// variables are compressed one by one, host, which reads git's objects likewise, and inspect, which looks at the beginning of a file.
func TestOnlyFilesUnpacks(t *testing.T) {
	t.Parallel()
	set, files := sources(t, "io", "runner")
	for file, tree := range files {
		if dir := path.Base(path.Dir(file)); slices.Contains([]string{"files", "npz", "workbook", "mat", "inspect", "model", "host"}, dir) {
			continue
		}
		for _, i := range tree.Imports {
			if strings.HasPrefix(i.Path.Value, `"compress/`) || strings.HasPrefix(i.Path.Value, `"archive/`) {
				t.Errorf("%s imports %s", set.Position(i.Pos()), i.Path.Value)
			}
		}
	}
}

// TestNotANumberFails: no test fails by a distance above its tolerance, which NaN is not: it fails unless the distance is within.
func TestNotANumberFails(t *testing.T) {
	t.Parallel()
	fails := func(body []ast.Stmt) (found bool) {
		for _, s := range body {
			ast.Inspect(s, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && (strings.HasPrefix(s.Sel.Name, "Error") || strings.HasPrefix(s.Sel.Name, "Fatal")) {
					found = true
				}
				return !found
			})
		}
		return found
	}
	set := token.NewFileSet()
	distances := 0
	var look func(e ast.Expr, within bool)
	look = func(e ast.Expr, within bool) {
		switch e := e.(type) {
		case *ast.ParenExpr:
			look(e.X, within)
		case *ast.UnaryExpr:
			look(e.X, e.Op == token.NOT)
		case *ast.BinaryExpr:
			if e.Op == token.LAND || e.Op == token.LOR {
				look(e.X, within)
				look(e.Y, within)
				return
			}
			call, ok := e.X.(*ast.CallExpr)
			if !ok {
				return
			}
			if s, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Abs", "Relative", "Gap"}, s.Sel.Name) {
				if distances++; e.Op == token.GTR && !within {
					t.Errorf("%s: NaN passes: fail unless it is <= the tolerance", set.Position(e.Pos()))
				}
			}
		}
	}
	err := filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		tree, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt:
				if fails(n.Body.List) {
					look(n.Cond, false)
				}
			case *ast.CaseClause:
				if fails(n.Body) {
					for _, e := range n.List {
						look(e, false)
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if distances < 300 {
		t.Errorf("found %d distances", distances)
	}
}

// TestFuzzTargets: docs/reliability.md lists every fuzz target, and there is one beside the reader of each format, but for the one
// that reads nothing.
func TestFuzzTargets(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	target := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	beside, n := map[string]bool{}, 0
	err = filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		content, err := os.ReadFile(file)
		dir := filepath.ToSlash(filepath.Dir(file))
		for _, f := range target.FindAllStringSubmatch(string(content), -1) {
			place := "`" + dir + "`"
			if dir == "." {
				place = "root"
			}
			if beside[dir], n = true, n+1; !strings.Contains(string(page), "| `"+f[1]+"`, "+place+" |") {
				t.Errorf("%s: docs/reliability.md has no row of %s", file, f[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), fmt.Sprintf("| together | %d targets |", n)) {
		t.Errorf("docs/reliability.md counts other targets than the %d there are", n)
	}
	set, err := formats.Formats()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range set.Names() {
		dir := strings.TrimPrefix(reflect.TypeOf(set[name].Defaults()).PkgPath(), "tenfold/")
		if !beside[dir] && name != "synthetic" {
			t.Errorf("format %s has no fuzz target in %s", name, dir)
		}
	}
}
