package plan

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"tenfold/io/results"
)

// A plan without its cells says what the whole plan says besides.
func TestBrief(t *testing.T) {
	whole := &Frozen{
		Schema: frozenSchema, Path: "a.yaml", Name: "a", Experiment: "x: \"cells\": [\n ]\n \"key\": \"\n", Metrics: []string{"accuracy"},
		Datasets: []FrozenSet{{Name: "d", Targets: []string{`"unit": "`}, Folds: []FrozenFold{{Fold: 1, Train: 2, Test: 3, Digest: "f"}}}},
		Stages:   []FrozenCell{{Key: "s", Units: []FrozenUnit{{Unit: "u"}}}},
		Cells: []FrozenCell{{Key: "k", Dataset: `"key": "`, Units: []FrozenUnit{{Unit: "1"}, {Unit: "2"}}},
			{Key: "l", Params: `{"unit": "x", "units": [1]}`, Units: []FrozenUnit{{Unit: "3"}}}},
		CellCount: 2, UnitCount: 3, Sections: json.RawMessage(`{"report":{}}`),
	}
	dir := t.TempDir()
	if b, err := ReadBrief(dir); b != nil || err != nil {
		t.Fatalf("an empty folder: %v, %v", b, err)
	}
	check := func(form string) {
		t.Helper()
		b, err := ReadBrief(dir)
		if err != nil || b.CellCount != 2 || b.UnitCount != 3 {
			t.Fatalf("%s: %+v, %v", form, b, err)
		}
		want, err := ReadFrozen(dir)
		if err != nil {
			t.Fatal(err)
		}
		want.Cells, want.Stages = nil, nil
		var sections [2]any
		_ = json.Unmarshal(want.Sections, &sections[0])
		_ = json.Unmarshal(b.Sections, &sections[1])
		want.Sections, b.Sections = nil, nil
		if !reflect.DeepEqual(b, want) || !reflect.DeepEqual(sections[0], sections[1]) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", form, *b, *want)
		}
	}
	if err := whole.Write(dir); err != nil {
		t.Fatal(err)
	}
	check("as it is written")
	text, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, FileName), text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadBrief(dir); err == nil {
		t.Error("half a plan is read")
	}
	for _, none := range [][]FrozenCell{nil, {}} {
		if err := (&Frozen{Schema: frozenSchema, Name: "a", Cells: none, Metrics: []string{"accuracy"}, Datasets: whole.Datasets}).Write(dir); err != nil {
			t.Fatal(err)
		}
		if b, err := ReadBrief(dir); err != nil || b.CellCount != 0 || len(b.Metrics) != 1 || len(b.Datasets) != 1 {
			t.Errorf("without cells: %+v, %v", b, err)
		}
	}
}

// What a unit replaces is found by its point in the grid, though whole numbers come back from JSON as others are.
func TestNearestByLargeNumbers(t *testing.T) {
	var old Frozen
	text := `{"schema":1,"cells":[{"dataset":"d","algorithm":"a","grid":[{"name":"max_iter","value":1000000},{"name":"epsilon","value":0.1},{"name":"code","value":"ric"}],"units":[{"unit":"old"}]}]}`
	if err := json.Unmarshal([]byte(text), &old); err != nil {
		t.Fatal(err)
	}
	for n, found := range map[int64]bool{1_000_000: true, 1_000_001: false} {
		u := &Unit{}
		u.Label.Dataset, u.Label.Algorithm, u.Label.Unit = "d", "a", "new"
		u.Label.Grid = []results.Param{{Name: "max_iter", Value: n}, {Name: "epsilon", Value: 0.1}, {Name: "code", Value: "ric"}}
		if was, same := old.indexUnits().nearest(u); (was != nil) != found || same {
			t.Errorf("%d: found %v, the same %v", n, was, same)
		}
	}
}
