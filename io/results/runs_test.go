package results

import (
	"fmt"
	"path/filepath"
	"testing"
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
	file, err := openTable(filepath.Join(dir, SelectionsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer file.close()
	want, err := decode(file.File, 0, selectionColumns())
	if err != nil || len(want) == 0 {
		t.Fatal(len(want), err)
	}
	got, err := runs(file.File, 0, selectionColumns())
	if err != nil {
		t.Fatal(err)
	}
	from := 0
	for _, g := range got {
		for _, w := range want[from:g.to] {
			if fmt.Sprint(w) != fmt.Sprint(g.row) {
				t.Errorf("row %d: got %v, want %v", from, g.row, w)
			}
		}
		from = g.to
	}
	if from != len(want) || len(got) == len(want) {
		t.Errorf("%d runs end at %d of %d rows", len(got), from, len(want))
	}
}
