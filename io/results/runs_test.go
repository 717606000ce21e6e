package results

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"tenfold/io/sealed"
)

// TestRuns: runs say what decode says, of columns that have a dictionary, are numbers, or have neither.
func TestRuns(t *testing.T) {
	var rows []Row
	for cell := range 3 {
		for fold := range int32(2) {
			r := Row{Label: Label{Cell: fmt.Sprint("cell", cell/2), Fold: fold}, Outcome: Outcome{Status: OK}}
			for i := range int32(cell) * 3 {
				r.Outcome.Selected = append(r.Outcome.Selected, Selected{Rank: i / 2, Feature: fmt.Sprint(i / 2), Coefficient: float64(i / 2)})
			}
			rows = append(rows, r)
		}
	}
	dir := t.TempDir()
	if _, err := Write(dir, Meta{}, All(rows)); err != nil {
		t.Fatal(err)
	}
	file, err := sealed.Open(filepath.Join(dir, SelectionsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	want, err := sealed.DecodeGroup(file, 0, selectionColumns())
	if err != nil || len(want) == 0 {
		t.Fatal(len(want), err)
	}
	got, err := sealed.ReadRuns(file, 0, selectionColumns())
	if err != nil {
		t.Fatal(err)
	}
	from := 0
	for _, g := range got {
		for _, w := range want[from:g.End] {
			if fmt.Sprint(w) != fmt.Sprint(g.Row) {
				t.Errorf("row %d: got %v, want %v", from, g.Row, w)
			}
		}
		from = g.End
	}
	if from != len(want) || len(got) == len(want) {
		t.Errorf("%d runs end at %d of %d rows", len(got), from, len(want))
	}
}

// What is counted in a column is what its rows say, and a row of which some columns were read can be completed.
func TestGlanceAndComplete(t *testing.T) {
	rows, dir := cells(300), t.TempDir()
	for i := range rows {
		rows[i].Dataset = []string{"a", "b", "b"}[i/10%3]
		rows[i].Seed = int64(i)
		if i%7 == 0 {
			rows[i].Status, rows[i].Error = Failed, "no luck"
		}
	}
	write(t, dir, rows)
	path := filepath.Join(dir, ResultsFile)
	for column, want := range map[string]string{
		"status": "map[failed:43 ok:257]", "dataset": "map[a:100 b:200]", "error": "map[:257 no luck:43]", "family": "map[:300]", "nonsense": "map[]",
	} {
		if footer, got, err := Glance(path, column); err != nil || fmt.Sprint(got[0]) != want || footer.Digest == "" {
			t.Errorf("%s: %v, %v, want %s", column, got, err, want)
		}
	}
	if _, _, err := Glance(path, "fold"); err == nil {
		t.Error("numbers were counted as texts")
	}
	if _, _, err := Glance(filepath.Join(dir, "nowhere"), "status"); err == nil {
		t.Error("counted in no file")
	}
	some, err := Read(dir, "dataset", "algorithm", "cell", "repeat", "fold", "metric_*c3")
	if err != nil {
		t.Fatal(err)
	}
	defer some.Close()
	all, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	for _, i := range []int{0, 7, 123, 299} {
		r := &some.Rows[i]
		if r.Status != "" || r.Seed != 0 || len(r.Scores) != 1 {
			t.Errorf("row %d has more than was asked for: %+v", i, r)
		}
		if err := some.Complete(r); err != nil || !reflect.DeepEqual(*r, all.Rows[i]) {
			t.Errorf("row %d: %v\ngot  %+v\nwant %+v", i, err, *r, all.Rows[i])
		}
	}
}
