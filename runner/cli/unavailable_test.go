package cli_test

import (
	"os"
	"strings"
	"testing"
)

// A data set whose files are not there refuses the file, unless it says otherwise: then the others run, the report says what is missing,
// and neither the run nor the gate passes.
func TestUnavailableData(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	t.Chdir(t.TempDir())
	var rows strings.Builder
	rows.WriteString("a,y\n")
	for i := range 30 {
		rows.WriteString(string(rune('0'+i*i%10)) + "," + string(rune('0'+i%7)) + ".5\n")
	}
	put(t, "here.csv", rows.String())
	put(t, "gone.csv", rows.String())
	const file = `tenfold: 1
name: partly
datasets:
  - {name: here, format: csv, files: {all: here.csv}, target: {column: "y"}}
  - {name: gone, format: csv, files: {all: {path: gone.csv, url: "https://example.org/gone.csv"}}, target: {column: "y"}}
folds: {kind: kfold, k: 2}
algorithms:
  - {name: mean, engine: mean}
  - {name: ridge, engine: ridge, params: {lambda: 1}}
metrics: [test_mse]
report:
  tables:
    - {rows: algorithm, columns: dataset, cells: "{test_mse}", ranks: none}
`
	put(t, "partly.yaml", file+"failures: {unavailable: skip}\n")
	for _, command := range []string{"run", "accept"} {
		if _, errs, code := invoke(t, command, "partly.yaml"); code != 0 {
			t.Fatalf("%s: code %d: %s", command, code, errs)
		}
	}
	if _, errs, code := invoke(t, "check", "partly.yaml"); code != 0 {
		t.Fatalf("with all data: code %d: %s", code, errs)
	}
	if err := os.Remove("gone.csv"); err != nil {
		t.Fatal(err)
	}
	if out, _, code := invoke(t, "validate", "partly.yaml"); code != 0 || !strings.Contains(out, "1 data set, 2 cells, 4 fits; 2 cells skipped") {
		t.Errorf("validate: code %d: %s", code, out)
	}
	if _, errs, code := invoke(t, "run", "partly.yaml", "--quiet"); code != 4 || !strings.Contains(errs, "partly: the data of 1 data set cannot be had: gone") {
		t.Errorf("run: code %d: %s", code, errs)
	}
	report, err := os.ReadFile("runs/partly/report.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"skipped |", "## Skipped", `- gone, mean: the data cannot be had: files.all: no file "gone.csv"`, "tenfold data fetch downloads it from https://example.org/gone.csv"} {
		if !strings.Contains(string(report), want) {
			t.Errorf("no %q in\n%s", want, report)
		}
	}
	if _, errs, code := invoke(t, "check", "partly.yaml"); code != 4 || !strings.Contains(errs, "the gate cannot pass: something is missing or cannot be compared") {
		t.Errorf("check: code %d: %s", code, errs)
	}
	if _, errs, code := invoke(t, "run", "partly.yaml", "--only", "here/*", "--quiet"); code != 0 {
		t.Errorf("what is there alone: code %d: %s", code, errs)
	}
	put(t, "partly.yaml", file)
	if _, errs, code := invoke(t, "run", "partly.yaml"); code != 2 || !strings.Contains(errs, `no file "gone.csv"`) {
		t.Errorf("by default: code %d: %s", code, errs)
	}
	put(t, "partly.yaml", strings.Replace(file, "here.csv", "not-here.csv", 1)+"failures: {unavailable: skip}\n")
	if _, errs, code := invoke(t, "run", "partly.yaml"); code != 2 || !strings.Contains(errs, `no file "not-here.csv"`) || !strings.Contains(errs, "none of the 2 data sets are there (here, gone)") {
		t.Errorf("nothing is there: code %d: %s", code, errs)
	}
}
