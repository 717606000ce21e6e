package cli_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/runner/cli/app"
)

// TestNamesStayOnTheirLines: commands print through what escapes names (output.go), and nowhere past it.
func TestNamesStayOnTheirLines(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("runner/cli/*.go")
	if err != nil || len(paths) < 50 {
		t.Fatalf("%d files: %v", len(paths), err)
	}
	streams := []string{"Out", "Errs", "data", "live"}
	set := token.NewFileSet()
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || filepath.Base(path) == "output.go" {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			name := called(call.Fun)
			to, ok := call.Args[0].(*ast.SelectorExpr)
			if ok && slices.Contains(streams, to.Sel.Name) && (strings.HasPrefix(name, "fmt.F") || name == "io.WriteString") {
				t.Errorf("%s: %s to %s; printf, notef, writeCells or printText keep names on their lines", set.Position(call.Pos()), name, to.Sel.Name)
			}
			return true
		})
	}
}

// TestSpreadsheets: names that a spreadsheet would take for formulas have an apostrophe in what people open there, and none in what
// programs read. Numbers are numbers.
func TestSpreadsheets(t *testing.T) {
	t.Parallel()
	d := newDesk(t, `tenfold: 1
name: cells
datasets: [{name: d, format: csv, files: {all: t.csv}, target: {column: "y"}, columns: {id: id, categorical: ["=kind"]}}]
folds: {kind: kfold, k: 2}
algorithms: [{name: l, engine: l1, params: {c1: 0.1}}, {name: m, engine: majority}]
metrics: [accuracy, mcc]
report: {tables: [{title: "+tables", rows: algorithm, columns: metric}]}
`)
	text := "id,=kind,-b,y\n"
	for i := range 60 {
		text += fmt.Sprintf("@%d,%s,%d,%s\n", i, []string{"u", "+v"}[i%2], i%5-2, []string{"-no", "=yes"}[(i+i/7)%2])
	}
	d.write("t.csv", text)
	d.ok("run", d.spec, "--out", d.dir)
	d.ok("fit", d.spec, "--cell", "l", "-o", d.path("model.json"))
	for _, c := range []struct {
		args        []string
		names, keep []string // what gets an apostrophe, and what never does
	}{
		{[]string{"export", d.dir, "predictions"}, []string{"@1,", "=yes,", "-no,"}, []string{",-0."}},
		{[]string{"export", d.dir, "selections"}, []string{"=kind=+v", "-b"}, []string{"u"}},
		{[]string{"features", d.path("model.json"), "--format", "csv"}, []string{"=kind=+v,", "-b,", "=yes,"}, []string{",-0."}},
		{[]string{"predict", d.path("model.json"), d.path("t.csv")}, []string{"@1,", "-no,"}, []string{",-0."}},
		{[]string{"report", d.dir, "--format", "csv"}, []string{"+tables: "}, []string{",-0."}},
		{[]string{"diff", d.dir, d.dir, "--all", "--format", "csv"}, nil, []string{"accuracy"}},
	} {
		protected, _ := d.ok(c.args...)
		raw, _ := d.ok(append(c.args, "--raw")...)
		for _, name := range c.names {
			if !strings.Contains(protected, "'"+name) || strings.Contains(raw, "'"+name) || !strings.Contains(raw, name) {
				t.Errorf("%s: %s:\n%.400s\nand raw:\n%.400s", c.args[0], name, protected, raw)
			}
		}
		for _, text := range c.keep {
			if !strings.Contains(protected, text) {
				t.Errorf("%s: %s is no longer as it was:\n%.400s", c.args[0], text, protected)
			}
		}
		if strings.ReplaceAll(protected, "'", "") != raw {
			t.Errorf("%s: there is another difference than apostrophes:\n%.400s\nand raw:\n%.400s", c.args[0], protected, raw)
		}
	}
	for _, args := range [][]string{{"report", d.dir, "--raw"}, {"features", d.path("model.json"), "--raw"}, {"diff", d.dir, d.dir, "--raw"}, {"predict", d.path("model.json"), d.path("t.csv"), "-o", d.path("p.parquet"), "--raw"}} {
		code, _, errs := d.run(args...)
		if code != app.ExitInvalid {
			t.Errorf("%s: exit code %d", args, code)
		}
		wants(t, errs, "--raw is for CSV, and the format is ")
	}
	tabs, _ := d.ok("report", d.dir, "--format", "tsv")
	wants(t, tabs, "table\trow\tcolumn\tmetric\t", "'+tables: ")
	folds, _ := d.ok("folds", d.spec, "--format", "csv")
	wants(t, folds, ",@1\n") // for programs alone
}
