package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestSheetsAndRecords: init finds the table in a workbook, with titles above and notes below it, and in JSON; a model of the one predicts
// the same for rows in a sheet of another name, in JSON and in CSV.
func TestSheetsAndRecords(t *testing.T) {
	t.Parallel()
	x := tool{t, t.TempDir()}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	save := func(name string, sheets map[string][][]any) {
		f := excelize.NewFile()
		defer f.Close()
		for sheet, rows := range sheets {
			if _, err := f.NewSheet(sheet); err != nil {
				t.Fatal(err)
			}
			for k, row := range rows {
				if err := f.SetSheetRow(sheet, fmt.Sprintf("A%d", k+1), &row); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := f.SaveAs(at(name)); err != nil {
			t.Fatal(err)
		}
	}
	head := []any{"dose", "age", "ward", "y"}
	row := func(k int) []any {
		var age any = 30 + k%17
		if k%10 == 0 {
			age = nil
		}
		return []any{float64(k%7) / 2, age, []string{"ICU", "north"}[k%2], float64(k%7) + float64(k%3)}
	}
	trial := [][]any{{"A trial"}, {}, head}
	for k := range 40 {
		trial = append(trial, row(k))
	}
	save("trial.xlsx", map[string][][]any{"Trial": append(trial, nil, []any{"Source: us"}), "Read me": {{"see Trial"}}})
	x.ok("init", at("trial.xlsx"), "--yes", "-o", at("trial.yaml"))
	text, err := os.ReadFile(at("trial.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"format: xlsx", "sheet: Trial", "range: A3:D43", "categorical: [ward]", `target: {column: "y"}`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	fresh, records, csv := [][]any{{"More"}, {}, head}, strings.Builder{}, strings.Builder{}
	csv.WriteString("dose,age,ward,y\n")
	for k := range 60 { // more rows than the range has
		cells := row(k + 3)
		fresh = append(fresh, cells)
		age, value := "", "null"
		if cells[1] != nil {
			age, value = fmt.Sprint(cells[1]), fmt.Sprint(cells[1])
		}
		fmt.Fprintf(&csv, "%v,%s,%v,\n", cells[0], age, cells[2])
		fmt.Fprintf(&records, "{\"dose\": %v, \"age\": %s, \"ward\": %q}\n", cells[0], value, cells[2])
	}
	save("new.xlsx", map[string][][]any{"New": fresh})
	for name, content := range map[string]string{"new.csv": csv.String(), "new.jsonl": records.String()} {
		if err := os.WriteFile(at(name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	x.ok("fit", at("trial.yaml"), "--cell", "ridge", "-o", at("trial.model"))
	want, _ := x.ok("predict", at("trial.model"), at("new.csv"))
	if n := strings.Count(want, "\n"); n != 61 {
		t.Fatalf("%d lines", n)
	}
	for _, name := range []string{"new.xlsx", "new.jsonl"} {
		if got, _ := x.ok("predict", at("trial.model"), at(name)); got != want {
			t.Errorf("%s:\n%s\nof new.csv:\n%s", name, got, want)
		}
	}
}

// TestInitGroups: init proposes the groups among the arrays of a file, as scikit-learn names them, and --group another array.
func TestInitGroups(t *testing.T) {
	t.Chdir(t.TempDir())
	x := tool{t, t.TempDir()}
	for _, a := range [][]string{{"data.npy", "<f8", "8,2"}, {"target.npy", "<i8", "8"}, {"subject.npy", "<i8", "8"}, {"batch.npy", "<i8", "8"}} {
		each := map[string]int{"data.npy": 1, "target.npy": 2, "subject.npy": 3, "batch.npy": 4}[a[0]]
		for k := range map[bool]int{true: 16, false: 8}[each == 1] {
			value := k / each
			if each == 2 {
				value = k % 2
			}
			a = append(a, fmt.Sprint(value))
		}
		if err := numpy(t, a); err != nil {
			t.Fatal(err)
		}
	}
	if err := zipped(t, []string{"a.npz", "batch.npy", "data.npy", "subject.npy", "target.npy"}); err != nil {
		t.Fatal(err)
	}
	for group, want := range map[string]string{"": "subject.npy", "batch": "batch.npy", "none": ""} {
		args := []string{"init", "a.npz", "--yes", "--force", "-o", "a.yaml"}
		if group != "" {
			args = append(args, "--group", group)
		}
		x.ok(args...)
		text := read(t, "a.yaml")
		has := strings.Contains(text, "groups: {path: a.npz, member: "+want+"}") && strings.Contains(text, "by: groups")
		if has != (want != "") || !strings.Contains(text, "all: {path: a.npz, member: data.npy}") || !strings.Contains(text, "all_y: {path: a.npz, member: target.npy}") || want == "" && strings.Contains(text, "groups") {
			t.Errorf("--group %q:\n%s", group, text)
		}
	}
	if code, _, errs := x.run("init", "a.npz", "--yes", "--force", "-o", "a.yaml", "--group", "data"); code != 2 || !strings.Contains(errs, "--group data.npy: expected an array of 8 whole numbers or texts, some of which are equal") {
		t.Errorf("%d %s", code, errs)
	}
}
