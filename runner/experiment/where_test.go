package experiment

import (
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
)

// Globs of an algorithm choose data sets by name, and points of their grids by label; they are no part of keys.
func TestWhere(t *testing.T) {
	file := func(own string) string {
		return `tenfold: 1
name: where
datasets:
  - {name: ewt, format: joins, files: {all: a.conllu}}
  - {name: gum, format: joins, files: {all: b.conllu}}
  - {name: gum small, format: joins, files: {all: b.conllu}, grid: {train_fraction: [0.25, 0.5]}}
algorithms:
  - {name: steps, engine: stagewise, grid: {epsilon: [0.1, 0.2]}` + own + `}
  - {name: ric, engine: mdl}
`
	}
	all := []string{"ewt", "gum", "gum small train_fraction=0.25", "gum small train_fraction=0.5"}
	for _, c := range []struct {
		own  string
		want []string
	}{
		{"", all},
		{", datasets: '*'", all},
		{", datasets: ewt", all[:1]},
		{", datasets: [gum]", all[1:2]},
		{", datasets: [gum*]", all[1:]},
		{", datasets: ['* small', ewt]", []string{all[0], all[2], all[3]}},
		{", datasets: gum small train_fraction=0.5", all[3:]},
		{", datasets: ['*=0.25', '[e-f]?t']", []string{all[0], all[2]}},
	} {
		f := mustParse(t, file(c.own))
		cells := make([]int, len(f.Datasets))
		for i := range f.Algorithms {
			a := &f.Algorithms[i]
			var runs []string
			for j := range f.Datasets {
				if s := &f.Datasets[j]; a.RunsOn(s) {
					label, _ := results.Labels(s.Name, "", s.Grid, results.Exact)
					runs = append(runs, label)
					cells[j]++
				}
			}
			want := c.want
			if a.Name == "ric" {
				want = all
			}
			if !slices.Equal(runs, want) {
				t.Errorf("%q: %s runs on %q, want %q", c.own, a.Name, runs, want)
			}
			if strings.Contains(a.Params+a.Canonical, "datasets") {
				t.Errorf("%q: parameters %s, %s", c.own, a.Params, a.Canonical)
			}
		}
		if counted := f.countRuns(); !slices.Equal(counted, cells) {
			t.Errorf("%q: counted %d cells of each data set, there are %d", c.own, counted, cells)
		}
	}
}

// An algorithm limited to data sets that its engine can use is no mistake because of the others, and what would be too many fits
// without limits is none with them.
func TestWhereComesBeforeOtherChecks(t *testing.T) {
	const file = `tenfold: 1
name: where
datasets:
  - {name: ewt, format: joins, files: {all: a.conllu}}
  - {name: yes no, format: csv, files: {all: a.csv}, folds: {kind: kfold, k: 5, repeats: 100}}
algorithms:
  - {name: classes, engine: logistic, datasets: yes no}
  - {name: ric, engine: mdl, datasets: ewt}
`
	if _, err := parse(t, strings.Replace(file, ", datasets: yes no", "", 1)); err == nil || !strings.Contains(err.Error(), "data set ewt has a real target") {
		t.Errorf("without a limit: %v", err)
	}
	mustParse(t, file)
	tasks := strings.NewReplacer("a.conllu}}", "a.conllu}, family: folder}", "datasets: ewt}", "datasets: ewt/arrest}").Replace(file)
	if _, err := parse(t, tasks); err == nil || !strings.Contains(err.Error(), `no data set matches "ewt/arrest"; an algorithm runs on all tasks of family ewt`) {
		t.Errorf("a task: %v", err)
	}
}
