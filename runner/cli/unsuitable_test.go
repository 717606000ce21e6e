package cli_test

import (
	"os"
	"strings"
	"testing"
)

// A cell that needs more memory than there is refuses the run, of which validate warns, unless the file says otherwise: then the other cells run.
func TestCellsOverMemory(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Chdir(t.TempDir())
	const file = `tenfold: 1
name: memory
datasets:
  - {name: made, format: synthetic, generator: classes, classed: {train: 100, columns: 30, noise: 2}}
folds: {kind: kfold, k: 2}
algorithms:
  - {name: mean, engine: mean}
  - {name: many trees, engine: forest, params: {trees: 400000}}
`
	const why = "it is predicted to need"
	put(t, "e.yaml", file)
	out, errs, code := invoke(t, "validate", "e.yaml", "--memory", "400MiB")
	if code != 0 || !strings.Contains(out, "2 cells, 4 fits\n") || strings.Count(errs, "\nmade × many trees fold ") != 2 || !strings.Contains(errs, "\nfailures: {unsuitable: skip} leaves such cells out") {
		t.Errorf("code %d: %s%s", code, out, errs)
	}
	if _, errs, code := invoke(t, "run", "e.yaml", "--memory", "400MiB"); code != 2 || !strings.Contains(errs, why) {
		t.Errorf("code %d: %s", code, errs)
	}
	put(t, "e.yaml", file+"failures: {unsuitable: skip}\n")
	if out, errs, code := invoke(t, "validate", "e.yaml", "--memory", "400MiB"); code != 0 || !strings.Contains(out, "1 cell, 2 fits; 1 cell skipped, as the engine cannot use the data set") || strings.Contains(errs, why) {
		t.Errorf("code %d: %s%s", code, out, errs)
	}
	if out, errs, code := invoke(t, "validate", "e.yaml", "--memory", "40GiB"); code != 0 || !strings.Contains(out, "2 cells, 4 fits\n") {
		t.Errorf("code %d: %s%s", code, out, errs)
	}
	if out, errs, code := invoke(t, "run", "e.yaml", "--memory", "400MiB"); code != 0 || !strings.Contains(errs, "2/2 fits") || !strings.Contains(out, "| many trees |      skipped") {
		t.Errorf("code %d: %s%s", code, out, errs)
	}
	report, err := os.ReadFile("runs/memory/report.md")
	if err != nil || !strings.Contains(string(report), "- made × many trees: forest cannot run here: ") || !strings.Contains(string(report), why) {
		t.Errorf("%s (%v)", report, err)
	}
	// Where nothing is left, the run is refused.
	if _, errs, code := invoke(t, "run", "e.yaml", "--memory", "400MiB", "--set", "algorithms=[{name: many trees, engine: forest, params: {trees: 400000}}]", "--out", "alone"); code != 2 || !strings.Contains(errs, why) {
		t.Errorf("code %d: %s", code, errs)
	}
}

// A data set that an engine cannot use refuses the file, unless it says otherwise: then the other cells are what they are without it,
// and tables and the report say what was left out, and why.
func TestUnsuitableCells(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	t.Chdir(t.TempDir())
	var numbers, classes, pairs strings.Builder
	numbers.WriteString("a,y\n")
	classes.WriteString("a,y\n")
	pairs.WriteString("a,y\n")
	for i := range 30 {
		a := string(rune('0' + i*i%10))
		numbers.WriteString(a + "," + string(rune('0'+i%7)) + ".5\n")
		classes.WriteString(a + "," + string(rune('x'+i%3)) + "\n")
		pairs.WriteString(a + "," + string(rune('x'+i%2)) + "\n")
	}
	put(t, "numbers.csv", numbers.String())
	put(t, "classes.csv", classes.String())
	put(t, "pairs.csv", pairs.String())
	const file = `tenfold: 1
name: mixed
datasets:
  - {name: numbers, format: csv, files: {all: numbers.csv}, target: {column: "y"}}
  - {name: classes, format: csv, files: {all: classes.csv}, target: {column: "y"}}
  - {name: pairs, format: csv, files: {all: pairs.csv}, target: {column: "y"}}
folds: {kind: kfold, k: 2}
algorithms:
  - {name: mean, engine: mean}
  - {name: lasso, engine: lasso, params: {lambda: 1}}
  - {name: two levels, engine: mdl, params: {likelihood: logistic}}
metrics: [accuracy, test_mse]
report:
  tables:
    - {rows: algorithm, columns: dataset, cells: "{selected}"}
    - {rows: algorithm, columns: metric}
`
	put(t, "mixed.yaml", file)
	if _, errs, code := invoke(t, "validate", "mixed.yaml"); code != 2 || strings.Count(errs, "failures: {unsuitable: skip} leaves such cells out") < 4 || strings.Contains(errs, "lasso cannot") {
		t.Errorf("code %d: %s", code, errs)
	}
	put(t, "mixed.yaml", file+"failures: {unsuitable: skip}\n")
	if out, errs, code := invoke(t, "validate", "mixed.yaml"); code != 0 || !strings.Contains(out, "3 data sets, 5 cells, 10 fits; 4 cells skipped, as the engine cannot use the data set") {
		t.Errorf("code %d: %s%s", code, out, errs)
	}
	if out, _, _ := invoke(t, "plan", "mixed.yaml"); !strings.Contains(out, "note: skipped: classes, two levels: mdl cannot use it: it needs a target of 2 levels, y has 3") {
		t.Error(out)
	}
	if _, errs, code := invoke(t, "run", "mixed.yaml", "--quiet"); code != 0 {
		t.Fatalf("code %d: %s", code, errs)
	}
	report, err := os.ReadFile("runs/mixed/report.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| mean       |   0.000 | skipped | skipped |", "| two levels | skipped | skipped |  0.0000 |", "## Skipped", "- classes × mean: mean cannot use it: it needs a real or count target, y is class (levels x, y, z)",
		"- numbers × two levels: mdl cannot use it: it needs a class target, y is real", "skipped: the engine cannot use the data set, or one of them is not there; the report says why under Skipped.",
	} {
		if !strings.Contains(string(report), want) {
			t.Errorf("no %q in\n%s", want, report)
		}
	}
	if n := strings.Count(string(report), "skipped | skipped  |       skipped |"); n < 2 {
		t.Errorf("tables of a data set do not have what was skipped there:\n%s", report)
	}
	// Nothing can be fitted: there is no run without cells.
	put(t, "none.yaml", strings.Replace(file, "  - {name: lasso, engine: lasso, params: {lambda: 1}}\n", "", 1)+"failures: {unsuitable: skip}\n")
	if _, errs, code := invoke(t, "validate", "none.yaml", "--set", "datasets=[{name: classes, format: csv, files: {all: classes.csv}, target: {column: \"y\"}}]", "--set", "metrics=[accuracy]"); code != 2 || !strings.Contains(errs, "mean cannot use data set classes") {
		t.Errorf("code %d: %s", code, errs)
	}
	put(t, "word.yaml", file+"failures: {unsuitable: drop}\n")
	if _, errs, code := invoke(t, "validate", "word.yaml"); code != 2 || !strings.Contains(errs, `unsuitable: "drop" is not one of error, skip`) {
		t.Errorf("code %d: %s", code, errs)
	}
}
