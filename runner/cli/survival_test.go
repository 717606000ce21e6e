package cli_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A table of patients goes from init to predictions: pairs of times and events are recognised, other end points are no features, and
// survival falls with time and with risk.
func TestSurvivalFromATable(t *testing.T) {
	t.Setenv("TENFOLD_CACHE", t.TempDir())
	t.Setenv("TENFOLD_DATA", "")
	dir := t.TempDir()
	table, file, model := filepath.Join(dir, "patients.csv"), filepath.Join(dir, "p.yaml"), filepath.Join(dir, "m.json")
	var b strings.Builder
	b.WriteString("patient,os_months,os_status,rfs_months,rfs_status,gene1,gene2\n")
	for i := range 60 {
		rfs := fmt.Sprint(i%17 + 1)
		if i == 7 {
			rfs = ""
		}
		fmt.Fprintf(&b, "P%d,%d,%s,%s,%d,%d,%d\n", i, (i*7)%41+1, []string{"0:LIVING", "1:DECEASED"}[i*5%3/2], rfs, i%2, ((i*7)%41 + i*i*5%37), i*i%11)
	}
	if err := os.WriteFile(table, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	_, errs, code := invoke(t, "init", table, "--yes", "-o", file)
	text, err := os.ReadFile(file)
	if err != nil || code != 0 || !strings.Contains(errs, "predicts os_months until os_status is 1:DECEASED") {
		t.Fatalf("%v %d %s", err, code, errs)
	}
	for _, want := range []string{
		`target: {type: survival, time: os_months, event: os_status, event_value: "1:DECEASED"}`, "drop: [rfs_months, rfs_status]", "stratify: true", "kaplan-meier", "integrated_brier",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if _, errs, code := invoke(t, "init", table, "--yes", "--force", "-o", file, "--target", "gene1", "--type", "survival"); code != 2 || !strings.Contains(errs, "no column of two values goes with gene1") {
		t.Errorf("%d %s", code, errs)
	}
	if _, errs, code := invoke(t, "fit", file, "--cell", "lasso", "-o", model); code != 0 {
		t.Fatalf("%d %s", code, errs)
	}
	out, errs, code := invoke(t, "predict", model, table, "--times", "5,20")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || code != 0 || len(rows) != 61 || strings.Join(rows[0], " ") != "row prediction survival_5 survival_20" {
		t.Fatalf("%v %d %s\n%s", err, code, errs, out)
	}
	number := func(text string) float64 { x, _ := strconv.ParseFloat(text, 64); return x }
	for _, r := range rows[1:] {
		if early, late := number(r[2]), number(r[3]); !(0 <= late && late <= early && early <= 1) || late == 1 {
			t.Errorf("%v", r)
		}
		if first := rows[1]; number(r[1]) > number(first[1]) && number(r[3]) >= number(first[3]) {
			t.Errorf("%v beside %v: survival does not fall with risk", r, first)
		}
	}
	_, errs, code = invoke(t, "predict", model, table, "--score")
	for _, want := range []string{"concordance", "uno_concordance", "integrated_auc", "integrated_brier"} {
		if code != 0 || !strings.Contains(errs, "\n  "+want+" ") {
			t.Errorf("--score: %d, no %s in %s", code, want, errs)
		}
	}
	for times, want := range map[string]string{"-1": "expected times above 0", "1000": "the last event of the rows that"} {
		if _, errs, code := invoke(t, "predict", model, table, "--times="+times); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", times, code, errs)
		}
	}
}
