package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
	"tenfold/engines/registry"
	"tenfold/io/journal"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/runner/execute"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/plan"
)

// level is an engine: the model says the same of every row.
type level struct {
	At float64 `yaml:"at" doc:"what it says"`
}

func (level) Validate() error      { return nil }
func (level) Needs() engines.Needs { return engines.Needs{Target: data.Real} }
func (l level) Fit(_ context.Context, run engines.Run) (engines.Model, error) {
	if l.At < 0 {
		return nil, fmt.Errorf("no level is below 0")
	}
	return engines.NewLinear(run.Train.Columns(), []float64{l.At}, nil, engines.Fitted{Stop: "done", Best: -1}), nil
}

// numbers is a format that needs no file: so many rows.
type numbers struct {
	Rows int `yaml:"rows" doc:"how many"`
}

func (numbers) Validate() error { return nil }
func (numbers) Declares() source.Declares {
	return source.Declares{Targets: []source.Declared{{Name: "y", Type: data.Real}}, Roles: [][]string{{}}}
}
func (numbers) Recipe() prepare.Recipe { return prepare.Recipe{} }
func (n numbers) Load(context.Context, source.Input) (*data.Dataset, error) {
	var x sparse.Builder
	y := data.Target{Name: "y", Type: data.Real}
	for i := range n.Rows {
		if err := x.Add([]int32{int32(i % 2)}, nil); err != nil {
			return nil, err
		}
		y.Values = append(y.Values, float64(i))
	}
	return &data.Dataset{X: x.Matrix(2), Features: data.NewFeatures([]string{"even", "odd"}), Targets: []data.Target{y}}, nil
}

const levels = `tenfold: 1
name: levels
datasets:
  - {name: few, format: numbers, rows: 6}
  - {name: many, format: numbers, grid: {rows: [8, 12]}}
folds: {kind: kfold, k: 2}
algorithms:
  - {name: low, engine: level}
  - {name: climb, engine: level, grid: {at: [1, 2]}}
  - {name: bad, engine: level, params: {at: -1}}
`

func parsed(t *testing.T, text string) *experiment.File {
	t.Helper()
	es, err := registry.NewSet(engines.Define(engines.Kind{Name: "level", Doc: "one number", Rev: 1}, level{}))
	if err != nil {
		t.Fatal(err)
	}
	fs, err := registry.NewSet(source.Define(source.Kind{Name: "numbers", Doc: "numbers", Rev: 1}, numbers{Rows: 4}))
	if err != nil {
		t.Fatal(err)
	}
	f, err := experiment.Parse("levels.yaml", []byte(text), experiment.Options{Engines: es, Formats: fs})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// opened is a session of the experiment in a folder.
func opened(t *testing.T, dir string, choice Choice) *Session {
	t.Helper()
	s, err := Open(t.Context(), parsed(t, levels), Places{Run: dir}, choice, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ran(t *testing.T, s *Session) {
	t.Helper()
	if err := s.Run(t.Context(), execute.Options{Jobs: 2}); err != nil {
		t.Fatal(err)
	}
}

// TestMatches: which names and globs fit a cell.
func TestMatches(t *testing.T) {
	t.Parallel()
	s := opened(t, t.TempDir(), Choice{})
	var cell *plan.Cell
	for _, c := range s.Cells {
		if c.Set.Name == "many" && c.Algorithm.Name == "climb" && strings.Contains(fmt.Sprint(c.Units[0].Label.Grid), "{at 2} {data_rows 12}") {
			cell = c
		}
	}
	if cell == nil {
		t.Fatal("no such cell")
	}
	for glob, want := range map[string]bool{
		"": true, "climb": true, "many": true, "many/climb": true, "many/*": true, "cl*": true, "at=2": true, "climb/at=2": true, "many/climb/at=2": true,
		"data_rows=12": true, "many/climb/data_rows=1?": true, cell.Key[:6]: true, cell.Key: true,
		"low": false, "few": false, "few/climb": false, "at=1": false, "climb/at=1": false, "data_rows=8": false, "climb/": false, cell.Key[:5]: false, cell.Key[1:8]: false,
	} {
		if got, err := Matches(glob, cell); got != want || err != nil {
			t.Errorf("%q: %v, %v", glob, got, err)
		}
	}
	if _, err := Matches("[", cell); err == nil {
		t.Error("a glob that does not end is taken")
	}
}

// TestMatchesTasks: a task has the names of its family, its own, and both.
func TestMatchesTasks(t *testing.T) {
	t.Parallel()
	c := &plan.Cell{
		Key: "0123456789", Algorithm: &algorithm.Algorithm{Name: "TPC"},
		Set: &plan.Set{Dataset: &experiment.Dataset{Name: "noad"}, Name: "noad/open-v", Task: "open-v"}, Units: []*plan.Unit{{}},
	}
	for glob, want := range map[string]bool{
		"noad": true, "open-v": true, "noad/open-v": true, "noad/TPC": true, "open-v/TPC": true, "noad/open-v/TPC": true, "open-*": true, "*-v": true,
		"open": false, "noad/kill-v": false, "kill-v/TPC": false, "open-v/MIC": false,
	} {
		if got, err := Matches(glob, c); got != want || err != nil {
			t.Errorf("%q: %v, %v", glob, got, err)
		}
	}
}

// TestOnly: a session narrowed by a glob runs and counts the cells that it fits; one that fits none is an error with an example.
func TestOnlyCells(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := opened(t, dir, Choice{Only: []string{"few/*"}})
	if n := s.Tally(); n != (Tally{Units: 8, Cells: 4, Missing: 8}) || len(s.Todo) != 8 {
		t.Errorf("%+v, %d to do", n, len(s.Todo))
	}
	ran(t, s)
	if n := s.Tally(); n != (Tally{Units: 8, Cells: 4, OK: 6, Failed: 2}) {
		t.Errorf("%+v", n)
	}
	if n := opened(t, dir, Choice{Only: []string{"few/*", "few/low", "low"}}).Tally(); n.Cells != 6 {
		t.Errorf("of three globs: %+v", n)
	}
	if _, err := Open(t.Context(), parsed(t, levels), Places{Run: dir}, Choice{Only: []string{"few/*", "lo"}}, func(error) {}); err == nil || !strings.HasPrefix(err.Error(), "--only lo: no cell") {
		t.Error(err)
	}
	all := opened(t, dir, Choice{})
	if n := all.Tally(); n != (Tally{Units: 24, Cells: 12, OK: 6, Failed: 2, Missing: 16}) || len(all.Todo) != 16 {
		t.Errorf("%+v, %d to do", n, len(all.Todo))
	}
	if s = opened(t, dir, Choice{Retry: true}); len(s.Todo) != 18 {
		t.Errorf("%d to do with those that failed", len(s.Todo))
	}
	if s = opened(t, dir, Choice{Cells: func(c *plan.Cell) bool { return c.Algorithm.Name == "low" }}); len(s.Todo) != 4 {
		t.Errorf("%d to do of one algorithm", len(s.Todo))
	}
	_, err := Open(t.Context(), parsed(t, levels), Places{Run: dir}, Choice{Only: []string{"lo"}}, func(error) {})
	if err == nil || err.Error() != "--only lo: no cell matches; cells are named as in few/low" {
		t.Error(err)
	}
}

// TestRows are all that is stored, in the order of the plan, labelled by the plan of today.
func TestRows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ran(t, opened(t, dir, Choice{Only: []string{"c*"}}))
	ran(t, opened(t, dir, Choice{Only: []string{"few/low"}}))
	renamed := parsed(t, strings.ReplaceAll(levels, "name: few", "name: little"))
	s, err := Open(t.Context(), renamed, Places{Run: dir}, Choice{}, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r, err := range s.Rows {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, r.Name())
	}
	want := []string{"little × low fold 0", "little × low fold 1"}
	for _, at := range []string{"little × climb at=1", "little × climb at=2", "many × climb at=1 data_rows=8", "many × climb at=2 data_rows=8", "many × climb at=1 data_rows=12", "many × climb at=2 data_rows=12"} {
		want = append(want, at+" fold 0", at+" fold 1")
	}
	if !slices.Equal(names, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(names, "\n"), strings.Join(want, "\n"))
	}
	n := 0
	for range s.Rows {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d rows, though three were enough", n)
	}
}

// TestDamagedOutcome: it is warned of and removed, and its unit runs again.
func TestDamagedOutcome(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := opened(t, dir, Choice{Only: []string{"few/low"}})
	ran(t, s)
	unit := s.Cells[0].Units[1].Label.Unit
	path := filepath.Join(dir, "cells", unit[:2], unit+".cell")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)-1] ^= 1
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	warned := 0
	s, err = Open(t.Context(), parsed(t, levels), Places{Run: dir}, Choice{Only: []string{"few/low"}}, func(error) { warned++ })
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for range s.Rows {
		rows++
	}
	if _, err := os.Stat(path); err == nil || warned != 2 || rows != 1 || len(s.Todo) != 1 || s.Todo[0].Label.Unit != unit {
		t.Errorf("warned %d times, %d rows, %d to do", warned, rows, len(s.Todo))
	}
	ran(t, s)
	if n := s.Tally(); n.OK != 2 {
		t.Errorf("%+v", n)
	}
}

// TestWork: what other processes store is seen as it comes; what runs again has ended when its outcome is another one.
func TestWork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ran(t, opened(t, dir, Choice{Only: []string{"bad"}}))
	leader := opened(t, dir, Choice{Only: []string{"few/*"}, Retry: true})
	w := leader.Work()
	ready, err := w.Ready()
	if err != nil || len(ready) != 8 || w.Len() != 8 || len(w.Ended()) != 0 {
		t.Fatalf("%d ready of %d, %v", len(ready), w.Len(), err)
	}
	helper := opened(t, dir, Choice{})
	var keys []string
	for _, u := range ready[:3] {
		keys = append(keys, u.Label.Unit)
	}
	if n := helper.Planned(append([]string{"0000"}, keys...)); n != 3 {
		t.Errorf("%d of the units are in the plan", n)
	}
	if n := helper.Only(append([]string{"0000"}, keys...)); n != 3 || len(helper.Todo) != 3 {
		t.Errorf("%d left to run", n)
	}
	ran(t, helper)
	if ready, err = w.Ready(); err != nil || len(ready) != 5 {
		t.Errorf("%d ready, %v", len(ready), err)
	}
	var ended []string
	for _, u := range w.Ended() {
		ended = append(ended, u.Label.Unit)
	}
	if !slices.Equal(ended, keys) || len(w.Ended()) > 0 {
		t.Errorf("ended %q, want %q, once", ended, keys)
	}
	j, err := journal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	failed := slices.IndexFunc(leader.Todo, func(u *plan.Unit) bool { return u.Stored != nil })
	if failed < 0 {
		t.Fatal("nothing failed before")
	}
	if err := j.Put(leader.Todo[failed].Label.Unit, &results.Outcome{Status: results.Failed, SecondsFit: 77}); err != nil {
		t.Fatal(err)
	}
	if ready, err = w.Ready(); err != nil || len(ready) != 4 {
		t.Errorf("%d ready after another failure, %v", len(ready), err)
	}
	leader.Refresh()
	if o, ok, _ := leader.Outcome(leader.Todo[failed].Label.Unit); !ok || o.SecondsFit != 77 || leader.Todo[failed].Stored.SecondsFit != 77 {
		t.Errorf("%+v", o)
	}
}

// TestCurrent: result files are current until anything that they say has changed.
func TestCurrent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(s *Session) string {
		t.Helper()
		frozen, err := s.Freeze(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Begin(frozen); err != nil {
			t.Fatal(err)
		}
		text := planned(t, frozen)
		if _, err := results.Write(dir, results.Meta{Experiment: s.File.Name, Plan: text, Predictions: s.Predictions, Provenance: results.Provenance{Version: execute.ThisBuild().Version}}, s.Rows); err != nil {
			t.Fatal(err)
		}
		return text
	}
	s := opened(t, dir, Choice{Only: []string{"few/*"}})
	if isCurrent(s, "{}") {
		t.Error("an empty folder is current")
	}
	ran(t, s)
	text := write(s)
	if !isCurrent(s, text) {
		t.Error("what was just written is not current")
	}
	if isCurrent(s, strings.Replace(text, "few", "new", 1)) {
		t.Error("current of another plan")
	}
	for name, change := range map[string]func() error{
		"a table is gone":     func() error { return os.Remove(filepath.Join(dir, results.PathsFile)) },
		"the plan is gone":    func() error { return os.Remove(filepath.Join(dir, plan.FileName)) },
		"one outcome is gone": func() error { return s.store.Remove(s.Cells[0].Units[0].Label.Unit) },
		"one outcome is other": func() error {
			return s.store.Put(s.Cells[0].Units[1].Label.Unit, &results.Outcome{Status: results.OK, SecondsFit: 99})
		},
		"one outcome is new": func() error {
			return s.store.Put(s.Cells[5].Units[0].Label.Unit, &results.Outcome{Status: results.Failed, Error: "no"})
		},
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if s = opened(t, dir, Choice{}); isCurrent(s, text) {
			t.Errorf("current though %s", name)
		}
		if text = write(s); !isCurrent(s, text) {
			t.Errorf("after it was written again, though %s, it is not current", name)
		}
	}
}

// planned is the plan as result files have it.
func planned(t *testing.T, f *plan.Frozen) string {
	t.Helper()
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func isCurrent(s *Session, frozen string) bool {
	_, current := s.Current(frozen)
	return current
}
