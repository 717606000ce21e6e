package merge

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/engines/data"
	"tenfold/io/journal"
	"tenfold/io/results"
	"tenfold/runner/experiment"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/plan"
)

// file is an experiment of one data set and one algorithm at two points of a grid. Its epsilon is a number with a fraction at
// neither.
func file() *experiment.File {
	f := &experiment.File{Metrics: []string{"f:3", "accuracy"}, Datasets: []experiment.Dataset{{Name: "set", Grid: []results.Param{{Name: "data_features.cutoff", Value: int64(5)}}}}}
	for _, epsilon := range []float64{1, 1e6} {
		f.Algorithms = append(f.Algorithms, algorithm.Algorithm{
			Name: "climb", Params: fmt.Sprintf(`{"epsilon":%v,"patience":7}`, epsilon),
			Grid: []results.Param{{Name: "epsilon", Value: epsilon}, {Name: "max_iter", Value: int64(2_000_000)}, {Name: "select", Value: "all"}},
		})
	}
	return f
}

// planned is the plan of the experiment, with two folds and a pool of what donors left.
func planned() *plan.Frozen {
	f := &plan.Frozen{
		Schema: 1, Path: "x.yaml", Name: "x", Seed: 7, Experiment: "tenfold: 1\n",
		Datasets: []plan.FrozenSet{{Name: "set", Digest: "data", Folds: []plan.FrozenFold{{Train: 2, Test: 1}, {Fold: 1, Train: 2, Test: 1}}}},
		Stages:   []plan.FrozenCell{{Key: "5a", Dataset: "set", Algorithm: "climb", Stage: "pool", Params: "{}", Units: []plan.FrozenUnit{{Unit: "aa"}}}},
	}
	for k, epsilon := range []float64{1, 1e6} {
		c := plan.FrozenCell{
			Key: fmt.Sprint("c", k), Dataset: "set", Algorithm: "climb", Engine: "stagewise", Revision: 3, DatasetDigest: "data", Params: fmt.Sprintf(`{"epsilon":%v}`, epsilon),
			Grid: []plan.GridValue{{Name: "epsilon", Value: epsilon}, {Name: "max_iter", Value: 2_000_000}, {Name: "select", Value: "all"}, {Name: "data_features.cutoff", Value: 5}},
		}
		for fold := range 2 {
			c.Units = append(c.Units, plan.FrozenUnit{Unit: fmt.Sprintf("%d%d", k, fold), Fold: fold, FoldDigest: fmt.Sprint("fold", fold), Seed: int64(40 + fold), After: []string{"aa"}})
		}
		f.Cells = append(f.Cells, c)
	}
	return f
}

// outcomes of all units, by key.
func outcomes() map[string]*results.Outcome {
	all := map[string]*results.Outcome{"aa": {
		Schema: results.Schema, Status: results.OK, Attempts: 1, Artefact: []byte("left"), Started: time.Unix(3, 0).UTC(),
		Clusters: []results.Cluster{{Shared: "f (2)", Members: []results.Member{{Task: "kill", Output: "1", Rows: 9, Features: 3, Nearest: 0.5}}}, {Number: results.Background, Members: []results.Member{{Task: "go", Output: "2", Rows: 4}}}},
	}}
	for k, unit := range []string{"00", "01", "10", "11"} {
		of := float64(k)
		all[unit] = &results.Outcome{
			Schema: results.Schema, Status: results.OK, Attempts: 1, RowsTrain: 2, RowsTest: 1, Columns: 9, Nonzero: 1, Features: 1, SelectedSum: "sum", Started: time.Unix(4, 0).UTC(),
			Scores: []results.Score{
				{Metric: "accuracy", Point: -1, Value: 0.5 + of/10, Higher: true}, {Metric: "precision", Point: -1, Value: 0.25 + of/8, Higher: true},
				{Metric: "recall", Point: -1, Value: 0.5, Higher: true}, {Metric: "accuracy", Point: 10, Value: 0.25, Higher: true},
			},
			Selected: []results.Selected{{Feature: "f", Coefficient: of + 1}}, Path: []results.Point{{Step: 1, TrainError: of, Best: true}},
			Predictions: results.Predictions{
				Row: []string{unit}, Group: []string{""}, Output: []string{""}, Truth: []float64{1}, Prediction: []float64{0}, Score: []float64{of},
				TruthLabel: []string{"yes"}, PredictionLabel: []string{"no"},
			},
			Facts: []data.Fact{{Name: "fact", Value: unit}},
		}
	}
	return all
}

// made is the folder of a run of the plan that has these outcomes, stored or as result files or both.
func made(t *testing.T, f *plan.Frozen, of map[string]*results.Outcome, stored, written bool) string {
	t.Helper()
	dir := t.TempDir()
	if err := f.Write(dir); err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for unit, o := range of {
		if stored {
			if err := j.Put(unit, o); err != nil {
				t.Fatal(err)
			}
		}
	}
	if written {
		whole(t, dir, f, of)
	}
	return dir
}

// whole writes what one run with these outcomes writes, by what it says of itself in the first place.
func whole(t *testing.T, dir string, f *plan.Frozen, of map[string]*results.Outcome) (digest string) {
	t.Helper()
	meta := results.Meta{Experiment: f.Name, Plan: "{}", Predictions: true}
	if pool := of["aa"]; pool != nil {
		meta.Clusterings = []results.Clustering{{Dataset: "set", Algorithm: "climb", Cell: "5a", Params: "{}", Clusters: pool.Clusters}}
	}
	var rows []results.Row
	experiment := file()
	for k, c := range f.Cells {
		a := experiment.Algorithms[k]
		for _, u := range c.Units {
			o := of[u.Unit]
			if o == nil {
				continue
			}
			row := results.Row{Outcome: *o, Label: results.Label{
				Experiment: f.Name, Dataset: "set", Algorithm: "climb", Engine: "stagewise", Cell: c.Key, Unit: u.Unit, Params: a.Params, Grid: slices.Concat(a.Grid, experiment.Datasets[0].Grid),
				Fold: int32(u.Fold), FoldDigest: u.FoldDigest, DatasetDigest: "data", Seed: u.Seed, Revision: 3,
			}}
			row.Scores = slices.Clone(o.Scores)
			if p, ok := o.Metric("precision"); ok {
				row.Scores = append(row.Scores, results.Score{Metric: "f:3", Point: -1, Value: 10 * p * 0.5 / (9*p + 0.5), Higher: true})
			}
			rows = append(rows, row)
		}
	}
	digest, err := results.Write(dir, meta, results.All(rows))
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

// some of the outcomes.
func some(of map[string]*results.Outcome, units ...string) map[string]*results.Outcome {
	out := map[string]*results.Outcome{}
	for _, u := range units {
		out[u] = of[u]
	}
	return out
}

// merged folders.
func merged(t *testing.T, dirs ...string) (m *Merged, out string) {
	t.Helper()
	m, err := Open(dirs, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	out = filepath.Join(t.TempDir(), "united")
	if err := m.Into(out, file()); err != nil {
		t.Fatal(err)
	}
	return m, out
}

// tables of a folder: what its result files say, and their digest.
func tables(t *testing.T, dir string) (rows []string, digest string) {
	t.Helper()
	all, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	for i := range all.Rows {
		r, err := all.ReadAllParts(&all.Rows[i])
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, fmt.Sprintf("%+v", *r))
	}
	return append(rows, fmt.Sprintf("%+v", all.Clusterings)), all.Digest
}

// TestUnion: whatever fits each run has, in whatever form and order, the union is what one run of all of them is.
func TestUnion(t *testing.T) {
	t.Parallel()
	all := outcomes()
	want, digest := tables(t, made(t, planned(), all, false, true))
	for name, dirs := range map[string][]string{
		"one":              {made(t, planned(), all, true, true)},
		"killed":           {made(t, planned(), all, true, false)},
		"results alone":    {made(t, planned(), all, false, true)},
		"parts":            {made(t, planned(), some(all, "00", "11"), true, true), made(t, planned(), some(all, "aa", "01", "10"), true, true)},
		"the same twice":   {made(t, planned(), all, true, true), made(t, planned(), all, true, false)},
		"in other forms":   {made(t, planned(), some(all, "10", "aa"), false, true), made(t, planned(), some(all, "01", "00", "11"), true, false)},
		"with an idle one": {made(t, planned(), nil, true, false), made(t, planned(), all, true, false)},
	} {
		for range 2 {
			m, out := merged(t, dirs...)
			if len(m.Conflicts) > 0 || !m.Predictions {
				t.Errorf("%s: conflicts %q, predictions %v", name, m.Conflicts, m.Predictions)
			}
			clusterings, err := m.Clusterings()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := results.Write(out, results.Meta{Experiment: "x", Plan: "{}", Predictions: m.Predictions, Clusterings: clusterings}, m.Rows()); err != nil || got != digest {
				t.Errorf("%s: digest %s, want %s; %v", name, got, digest, err)
			}
			if got, _ := tables(t, out); !slices.Equal(got, want) {
				t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if units, ok, failed, missing := m.Tally(); units != 4 || ok != 4 || failed+missing > 0 {
				t.Errorf("%s: %d fits, %d good, %d failed, %d missing", name, units, ok, failed, missing)
			}
			// Once more, from what was united: it is a run like any other.
			dirs = []string{out}
		}
	}
}

// TestSome: what no run has is missing, and of a failure and a good fit the good one counts, whichever comes first.
func TestSome(t *testing.T) {
	t.Parallel()
	all := outcomes()
	failed := func(text string) *results.Outcome {
		return &results.Outcome{Schema: results.Schema, Status: results.Failed, Error: text, Attempts: 1}
	}
	a := made(t, planned(), map[string]*results.Outcome{"00": failed("first"), "01": all["01"], "10": failed("first")}, true, false)
	b := made(t, planned(), map[string]*results.Outcome{"00": all["00"], "01": failed("second"), "10": failed("second")}, true, true)
	for _, dirs := range [][]string{{a, b}, {b, a}} {
		m, _ := merged(t, dirs...)
		if units, ok, bad, missing := m.Tally(); units != 4 || ok != 2 || bad != 1 || missing != 1 || len(m.Conflicts) > 0 {
			t.Errorf("%d fits, %d good, %d failed, %d missing; %q", units, ok, bad, missing, m.Conflicts)
		}
		var errs []string
		for r := range m.Rows() {
			errs = append(errs, r.Unit+" "+r.Error)
		}
		if want := []string{"00 ", "01 ", "10 first"}; dirs[0] == b {
			if errs[2] != "10 second" {
				t.Errorf("%q", errs)
			}
		} else if !slices.Equal(errs, want) {
			t.Errorf("%q", errs)
		}
		if want := (Fact{Dir: dirs[0], Fits: 3, Taken: 2}); m.Facts[0] != want {
			t.Errorf("%+v, want %+v", m.Facts[0], want)
		}
		if want := fmt.Sprintf("%s: 2 of its 3 fits\n%s: 1 of its 3 fits", dirs[0], dirs[1]); m.Where() != want {
			t.Errorf("%s\nwant\n%s", m.Where(), want)
		}
	}
}

// TestConflicts: fits that differ are told of with what they differ in, rounding is counted; stages are not compared.
func TestConflicts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change func(all map[string]*results.Outcome)
		words  string
		close  int
	}{
		{func(map[string]*results.Outcome) {}, "", 0},
		{func(all map[string]*results.Outcome) { all["10"].Scores[0].Value *= 1 + 1e-12 }, "", 1},
		{func(all map[string]*results.Outcome) { all["10"].Scores[0].Value *= 1 + 1e-6 }, "accuracy is ", 0},
		{func(all map[string]*results.Outcome) { all["10"].SelectedSum = "other" }, "the set of selected features is other, was sum", 0},
		{func(all map[string]*results.Outcome) { all["aa"].Artefact, all["aa"].Nonzero = nil, 5 }, "", 0},
		{func(all map[string]*results.Outcome) { all["10"].SecondsFit = 9 }, "", 0},
	} {
		changed := outcomes()
		c.change(changed)
		a, b := made(t, planned(), outcomes(), true, false), made(t, planned(), changed, true, false)
		m, _ := merged(t, a, b)
		if m.Facts[1].Close != c.close || (len(m.Conflicts) == 0) != (c.words == "") {
			t.Errorf("%q: %+v, %q", c.words, m.Facts, m.Conflicts)
		}
		if c.words == "" {
			continue
		}
		if text := m.Conflicts[0]; !strings.HasPrefix(text, "set × climb epsilon=1e+06 max_iter=2000000 select=all data_features.cutoff=5 fold 0: in "+b+" "+c.words) || !strings.HasSuffix(text, " in "+a) {
			t.Errorf("%s", text)
		}
	}
}

// TestOtherPlans: runs of different plans are refused, with what is different.
func TestOtherPlans(t *testing.T) {
	t.Parallel()
	first := made(t, planned(), nil, true, false)
	for _, c := range []struct {
		change func(f *plan.Frozen)
		want   string
	}{
		{func(f *plan.Frozen) { f.Path, f.Title, f.Experiment = "y.yaml", "Y", "# y" }, ""},
		{func(f *plan.Frozen) { slices.Reverse(f.Cells) }, ""},
		{func(f *plan.Frozen) { f.Name = "y" }, "one is called x, the other y"},
		{func(f *plan.Frozen) { f.Datasets[0].Digest = "0123456789abcdef" }, "data set set has other data (digests data and 0123456789ab)"},
		{func(f *plan.Frozen) { f.Cells[1].Units = f.Cells[1].Units[:1] }, "1 fits are in the plan of the first alone, such as of set × climb"},
		{func(f *plan.Frozen) { f.Stages[0].Units[0].Unit = "ab" }, "1 fits are in the plan of the first alone, such as of set × climb"},
		{func(f *plan.Frozen) {
			f.Cells[0].Units = append(f.Cells[0].Units, plan.FrozenUnit{Unit: "02"}, plan.FrozenUnit{Unit: "03"})
		}, "2 fits are in the plan of the second alone, such as of set × climb"},
	} {
		f := planned()
		c.change(f)
		other := made(t, f, nil, true, false)
		m, err := Open([]string{first, other}, func(err error) { t.Error(err) })
		if c.want == "" {
			if err != nil {
				t.Error(err)
			} else if err := m.Close(); err != nil {
				t.Error(err)
			}
			continue
		}
		if want := fmt.Sprintf("%s and %s are not runs of one plan: %s", first, other, c.want); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestFoldersThatAreNoRuns are all named.
func TestFoldersThatAreNoRuns(t *testing.T) {
	t.Parallel()
	empty, damaged := t.TempDir(), made(t, planned(), outcomes(), false, true)
	if err := os.WriteFile(filepath.Join(damaged, results.ResultsFile), []byte("PAR1"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open([]string{empty, damaged}, func(err error) { t.Error(err) })
	if err == nil || !strings.Contains(err.Error(), empty+" has no plan.json: it is not the folder of a run") || !strings.Contains(err.Error(), filepath.Join(damaged, results.ResultsFile)) {
		t.Error(err)
	}
}

// TestDamagedOutcome: where a stored outcome cannot be read, that is said, and what the result files have of it counts.
func TestDamagedOutcome(t *testing.T) {
	t.Parallel()
	for _, written := range []bool{true, false} {
		dir := made(t, planned(), outcomes(), true, written)
		if err := os.WriteFile(filepath.Join(dir, "cells", "01", "01.cell"), []byte("tenfold cell, but for the rest"), 0o600); err != nil {
			t.Fatal(err)
		}
		var warned []string
		m, err := Open([]string{dir}, func(err error) { warned = append(warned, err.Error()) })
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Into(filepath.Join(t.TempDir(), "out"), file()); err != nil {
			t.Fatal(err)
		}
		_, ok, _, missing := m.Tally()
		if want := map[bool]int{true: 4, false: 3}[written]; ok != want || missing != 4-want {
			t.Errorf("results %v: %d good, %d missing", written, ok, missing)
		}
		if len(warned) != 1 || !strings.Contains(warned[0], "01.cell") {
			t.Errorf("warned %q", warned)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestSame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{{"a", "a", true}, {"a", "./b/../a", true}, {"a", "b", false}, {"a", "a/b", false}} {
		if Same(c.a, c.b) != c.same {
			t.Errorf("%s and %s: %v", c.a, c.b, !c.same)
		}
	}
}
