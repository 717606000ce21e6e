package cli_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/io/journal"
	"tenfold/io/results"
	"tenfold/io/results/difference"
	"tenfold/runner/cli/app"
)

// transfers is an experiment on five words with two senses or three: similar ones have similar words around them.
const transfers = `tenfold: 1
name: transfers
seed: 3
datasets:
  - {name: words, format: senseval2, files: {all: words.xml}, family: folder, min_instances: 1, max_top_share: 1}
folds: {kind: kfold, k: 3}
algorithms:
  - {name: TPC, engine: mdl, params: {code: tpc}, multiclass: one-vs-rest}
  - {name: Transfer, engine: mdl, params: {code: transfer-tpc}, transfer: {background: 0}, grid: {transfer.setting: [1, 4]}}
metrics: [accuracy, selected]
`

// Its units: 5 tasks × 3 algorithms × 3 folds; a donor for each task; a pool for each way to compare senses, two.
const (
	transferFits   = 45
	transferDonors = 5
	transferStages = transferDonors + 2
)

// newWords writes the experiment and its data.
func newWords(t *testing.T) desk {
	d := newDesk(t, transfers)
	rng := rand.New(rand.NewPCG(5, 6))
	hints := map[byte][]string{'A': {"police", "court", "judge"}, 'B': {"time", "hour", "day"}, 'C': {"drink", "beer", "bar"}}
	var text strings.Builder
	text.WriteString("<corpus lang=\"en\">\n")
	for _, word := range [][2]string{{"arrest", "AB"}, {"capture", "AB"}, {"down", "BC"}, {"kill", "AB"}, {"serve", "ABC"}} {
		fmt.Fprintf(&text, "<lexelt item=\"%s-v\">\n", word[0])
		for i := range 24 {
			sense := word[1][rng.IntN(len(word[1]))]
			tagged := func() string {
				if hint := hints[sense]; rng.Float64() < 0.6 {
					return "<wf pos=\"NN\">" + hint[rng.IntN(len(hint))] + "</wf> "
				}
				return "<wf pos=\"IN\">" + []string{"the", "a", "of", "to", "in"}[rng.IntN(5)] + "</wf> "
			}
			id := fmt.Sprintf("%s-v.d%d_%d", word[0], i, i)
			fmt.Fprintf(&text, "<instance id=\"%s\">\n<answer instance=\"%s\" senseid=\"%c\"/>\n<context>%s%s<head><wf pos=\"VB\">%s</wf></head> %s%s</context>\n</instance>\n",
				id, id, sense, tagged(), tagged(), word[0], tagged(), tagged())
		}
		text.WriteString("</lexelt>\n")
	}
	d.write("words.xml", text.String()+"</corpus>\n")
	return d
}

// storedIn are the stored outcomes of a run in an order in which they can come about: donors, the pools of them, fits.
func storedIn(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "cells", "*", "*.cell"))
	if err != nil {
		t.Fatal(err)
	}
	donors, pools := stages(t, dir)
	stage := func(path string) int {
		key := strings.TrimSuffix(filepath.Base(path), ".cell")
		switch {
		case slices.Contains(donors, key):
			return 0
		case slices.Contains(pools, key):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(paths, func(a, b string) int { return stage(a) - stage(b) })
	return paths
}

// stages are the keys of the units of stages in a run's folder, by what is left in them.
func stages(t *testing.T, dir string) (donors, pools []string) {
	t.Helper()
	j, err := journal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := j.Keys()
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		switch o, ok, err := j.Get(key); {
		case err != nil || !ok:
			t.Fatal(key, err)
		case o.Clusters != nil:
			pools = append(pools, key)
		case o.Artefact != nil:
			donors = append(donors, key)
		}
	}
	return donors, pools
}

// remove the stored outcomes of units.
func remove(t *testing.T, dir string, keys ...string) {
	t.Helper()
	j, err := journal.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if err := j.Remove(key); err != nil {
			t.Fatal(err)
		}
	}
}

func TestStages(t *testing.T) {
	t.Parallel()
	d := newWords(t)
	plan, _ := d.ok("plan", d.spec, "--out", d.dir)
	wants(t, plan, "words × Transfer: donor", "5 of 5 tasks, 5 of 5 fits", "words × Transfer: pool", "15 cells, 45 fits: 0 cached, 45 to run after 7 stages")
	out, errs := d.ok("run", d.spec, "--out", d.dir, "--jobs", "2")
	wants(t, errs, "45 to run, after 7 stages that they build on", "52/52 fits")
	same := func(what, other string) {
		t.Helper()
		if digest(other) != digest(out) {
			t.Errorf("%s: %s, was %s", what, digest(other), digest(out))
		}
	}
	same("one worker", first(d.ok("run", d.spec, "--out", t.TempDir(), "--jobs", "1")))
	again, errs := d.ok("run", d.spec, "--out", d.dir)
	wants(t, errs, "15 cells, 45 fits: 0 to run, 45 cached")
	same("again", again)

	donors, pools := stages(t, d.dir)
	if len(donors) != transferDonors || len(donors)+len(pools) != transferStages {
		t.Fatalf("%d donors, %d pools", len(donors), len(pools))
	}
	remove(t, d.dir, donors[0])
	again, errs = d.ok("run", d.spec, "--out", d.dir)
	wants(t, errs, "0 to run, 45 cached") // the pool has what it left
	same("without a donor", again)
	why, _ := d.ok("why", "words/Transfer", d.spec, "--out", d.dir)
	wants(t, why, "5 tasks of words × Transfer: donor", "not needed: what builds on it is stored", "params.similarity", "builds on", "5 tasks of words × Transfer transfer.setting=1")
	for line := range strings.Lines(why) {
		if len(line) > 200 {
			t.Errorf("a line of %d letters: %s", len(line), line)
		}
	}
	remove(t, d.dir, pools[0])
	plan, _ = d.ok("plan", d.spec, "--out", d.dir)
	wants(t, plan, "1 of 5 tasks, 1 of 5 fits", "its stored result is gone", "45 cached, 0 to run after 2 stages")
	again, errs = d.ok("run", d.spec, "--out", d.dir)
	wants(t, errs, "0 to run, after 2 stages that they build on, 45 cached", "2/2 fits")
	same("a pool and one of its donors made again", again)

	if err := os.Remove(filepath.Join(d.dir, results.ClustersFile)); err != nil {
		t.Fatal(err)
	}
	d.accept() // which leaves files alone that are whole
	if _, err := os.Stat(filepath.Join(d.dir, results.ClustersFile)); err != nil {
		t.Error(err)
	}
	if got := d.judge(app.ExitOK); got.Counts["pass"] == 0 {
		t.Errorf("%+v", got)
	}
	wants(t, first(d.ok("gc", d.dir)), ": 0 unreachable")
	verified, _ := d.ok("verify", d.dir, "--sample", "100%")
	wants(t, verified, "1 worker: 15 of 15 cells, 45 fits: 45 equal", "2 workers: 15 of 15 cells, 45 fits: 45 equal")
	kept := filepath.Join(t.TempDir(), "kept")
	reproduced, _ := d.ok("reproduce", filepath.Join(d.dir, results.ResultsFile), "--out", kept)
	wants(t, reproduced, "45 fits: 45 equal", strings.TrimPrefix(digest(out), "digest "))

	d.ok("run", d.spec, "--out", d.dir, "--set", "algorithms.Transfer.transfer.similarity=0.5", "--only", "kill-v")
	wants(t, first(d.ok("gc", d.dir)), ": 0 unreachable") // the last plan reaches them
	d.ok("run", d.spec, "--out", d.dir)
	wants(t, first(d.ok("gc", d.dir)), ": 8 unreachable") // its two pools, and two cells on three folds
	_, errs = d.ok("run", d.spec, "--out", d.dir, "--set", "datasets.words.family={kind: folder, only: ['*e-v', kill-v]}")
	wants(t, errs, "9 cells, 27 fits: 18 to run, after 2 stages that they build on, 9 cached")
}

// However far a run came before it ended, the next one goes on from there to the same results.
func TestStagesKilled(t *testing.T) {
	t.Parallel()
	d := newWords(t)
	out, _ := d.ok("run", d.spec, "--out", d.dir, "--jobs", "1")
	stored := storedIn(t, d.dir)
	if len(stored) != transferFits+transferStages {
		t.Fatalf("%d outcomes", len(stored))
	}
	for i, upTo := range []int{2, transferDonors, transferDonors + 1, transferStages, transferStages + 20} {
		dir := filepath.Join(t.TempDir(), "killed")
		for _, path := range stored[:upTo] {
			to := filepath.Join(dir, strings.TrimPrefix(path, d.dir))
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Link(path, to); err != nil {
				t.Fatal(err)
			}
		}
		again, errs := d.ok("run", d.spec, "--out", dir, "--jobs", fmt.Sprint(1+i%3))
		wants(t, errs, fmt.Sprintf("%d/%[1]d fits", transferFits+transferStages-upTo))
		if digest(again) != digest(out) {
			t.Errorf("ended after %d: %s, in one go: %s", upTo, digest(again), digest(out))
		}
	}
}

// What builds on a stage that failed is skipped in clear words, and runs when the stage does.
func TestStagesThatFail(t *testing.T) {
	t.Parallel()
	d := newWords(t)
	out, _ := d.ok("run", d.spec, "--out", t.TempDir())
	slow := []string{"--set", "algorithms.Transfer.limits={time: 1ns}"}
	code, _, errs := d.do("run", slow...)
	if code != app.ExitIncomplete {
		t.Errorf("exit code %d", code)
	}
	wants(t, errs, "timeout: words/arrest-v × Transfer: donor: A against the rest: the fit exceeded its limit of 1ns",
		"skipped: words × Transfer: pool: it builds on words/arrest-v × Transfer: donor, which ended as timeout (A against the rest: the fit exceeded",
		"30 of 45 fits failed")
	_, errs = d.ok("run", d.spec, "--out", d.dir)
	wants(t, errs, "30 to run, after 7 stages that they build on, 15 cached")

	donors, pools := stages(t, d.dir)
	j, err := journal.Open(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Put(donors[0], &results.Outcome{Schema: results.Schema, Status: results.Failed, Error: "singular\nat line 5"}); err != nil {
		t.Fatal(err)
	}
	remove(t, d.dir, pools...)
	tables, err := results.Read(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range tables.Rows {
		if r.Algorithm == "Transfer" {
			remove(t, d.dir, r.Unit)
		}
	}
	if err := tables.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		code, out, errs := d.do("run")
		if code != app.ExitIncomplete {
			t.Errorf("exit code %d", code)
		}
		wants(t, errs, "30 to run, after 2 stages", "which ended as failed (singular)")
		wants(t, out, "skipped")
	}
	healed, errs := d.ok("run", d.spec, "--out", d.dir, "--retry-failed")
	wants(t, errs, "30 to run, after 3 stages")
	if digest(healed) != digest(out) {
		t.Errorf("healed: %s, in one go: %s", digest(healed), digest(out))
	}
}

// A stage that passes for whole until it is read runs again, and so does what builds on it.
func TestUnreadableStage(t *testing.T) {
	t.Parallel()
	d := newWords(t)
	out, _ := d.ok("run", d.spec, "--out", d.dir)
	donors, pools := stages(t, d.dir)
	truncate(t, filepath.Join(d.dir, "cells", donors[0][:2], donors[0]+".cell"))
	remove(t, d.dir, pools...)
	code, _, errs := d.do("run")
	wants(t, errs, "warning:", "which has no result")
	if code != app.ExitOK { // all cells are stored
		t.Errorf("exit code %d", code)
	}
	healed, errs := d.ok("run", d.spec, "--out", d.dir)
	wants(t, errs, "0 to run, after 3 stages")
	if digest(healed) != digest(out) {
		t.Errorf("healed: %s, in one go: %s", digest(healed), digest(out))
	}
	truncate(t, filepath.Join(d.dir, "cells", pools[0][:2], pools[0]+".cell"))
	if err := os.Remove(filepath.Join(d.dir, "results.parquet")); err != nil { // as long as it is right, nothing reads what is stored
		t.Fatal(err)
	}
	_, errs = d.ok("run", d.spec, "--out", d.dir)
	wants(t, errs, "warning:")
	healed, errs = d.ok("run", d.spec, "--out", d.dir)
	wants(t, errs, "0 to run, after 1 stage")
	if digest(healed) != digest(out) {
		t.Errorf("healed: %s, in one go: %s", digest(healed), digest(out))
	}
}

// Points of a grid of the data set, and algorithms that differ in nothing that donors do, share them.
func TestSharedStages(t *testing.T) {
	t.Parallel()
	d := newWords(t)
	d.edit(d.spec, "metrics:", "  - {name: Wide, engine: mdl, params: {code: transfer-tpc, max_features: 0}, transfer: {count: any, background: 0}, limits: {time: 10m}}\nmetrics:")
	d.edit(d.spec, "family: folder,", "family: folder, grid: {train_fraction: [0.5, 1]},")
	d.edit(d.spec, "name: Transfer,", "name: Transfer, limits: {time: 5m},")
	plan, _ := d.ok("plan", d.spec, "--out", d.dir)
	wants(t, plan, "40 cells, 120 fits: 0 cached, 120 to run after 7 stages")
	d.ok("run", d.spec, "--out", d.dir)
	donors, _ := stages(t, d.dir)
	j, err := journal.Open(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range donors {
		if h, ok := j.Head(key); !ok || h.Limit != 10*time.Minute {
			t.Errorf("a donor of two algorithms had the limit %v, expected the longer one", h.Limit)
		}
	}
	_, errs := d.ok("run", d.spec, "--out", d.dir, "--set", "algorithms.Wide.params.sigma=own")
	wants(t, errs, "30 to run, after 6 stages") // other donors, one pool
}

// Without donors, since all senses are in the background, everything is as with code tpc, to the last bit.
func TestNoDonors(t *testing.T) {
	t.Parallel()
	d := newWords(t)
	d.ok("run", d.spec, "--out", d.dir, "--set", "algorithms.Transfer.transfer={similarity: 1, background: 0.99}")
	tables, err := results.Read(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	of := map[string]*results.Row{}
	for i := range tables.Rows {
		r, err := tables.ReadAllParts(&tables.Rows[i])
		if err != nil {
			t.Fatal(err)
		}
		of[fmt.Sprint(r.Task, r.Fold, r.Algorithm, r.Grid)] = r
	}
	selected := 0
	for _, r := range of {
		if r.Algorithm != "Transfer" {
			continue
		}
		plain := of[fmt.Sprint(r.Task, r.Fold, "TPC", []results.Param(nil))]
		if plain == nil {
			t.Fatalf("no TPC on fold %d of %s", r.Fold, r.Task)
		}
		if words, _ := difference.Between(plain, r); words != "" {
			t.Errorf("%s: %s", r.Name(), words)
		}
		selected += len(r.Outcome.Selected)
	}
	if len(of) != transferFits || selected == 0 {
		t.Errorf("%d fits, %d selected", len(of), selected)
	}
}

// The labels of the rows that a task is tested on change nothing in what is fitted for that fold, though its donor saw them.
func TestTransferCanary(t *testing.T) {
	t.Parallel()
	d := newWords(t)
	d.ok("run", d.spec, "--out", d.dir)
	was := fitted(t, d.dir)
	tested := was["Transfer kill-v 1"].rows
	if len(tested) != 8 {
		t.Fatalf("%d test rows", len(tested))
	}
	text := d.read(d.path("words.xml"))
	for _, row := range tested {
		for _, change := range []string{"A B", "B A"} {
			from, to, _ := strings.Cut(change, " ")
			line := fmt.Sprintf("<answer instance=\"%s\" senseid=\"%%s\"/>", row)
			if old := fmt.Sprintf(line, from); strings.Contains(text, old) {
				text = strings.Replace(text, old, fmt.Sprintf(line, to), 1)
				break
			}
		}
	}
	d.write("words.xml", text)
	d.ok("run", d.spec, "--out", d.dir)
	is := fitted(t, d.dir)
	for _, algorithm := range []string{"TPC", "Transfer"} {
		at := algorithm + " kill-v 1"
		if is[at].model != was[at].model {
			t.Errorf("%s: the labels of test rows changed the model:\n%s\nwas\n%s", algorithm, is[at].model, was[at].model)
		}
	}
	changed := 0
	for at := range was {
		if strings.HasPrefix(at, "Transfer") && is[at].model != was[at].model {
			changed++
		}
	}
	if changed == 0 {
		t.Error("nothing changed at all: the canary would not notice")
	}
}

// seen is what a fit made: its model, as coefficients and scores of the test rows show it.
type seen struct {
	rows  []string
	model string
}

// fitted by algorithm, task and fold; of algorithms with a grid, all points together.
func fitted(t *testing.T, dir string) map[string]seen {
	t.Helper()
	tables, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	all := map[string]seen{}
	for i := range tables.Rows {
		r, err := tables.ReadAllParts(&tables.Rows[i])
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprint(r.Algorithm, " ", cmp.Or(r.Task, r.Dataset), " ", r.Fold)
		s := all[at]
		s.rows = r.Outcome.Predictions.Row
		s.model += fmt.Sprintln(r.Grid, r.Outcome.Predictions.Score)
		for _, c := range r.Outcome.Selected {
			s.model += fmt.Sprintln(c.Output, c.Feature, c.Rank, c.Coefficient, c.Score)
		}
		all[at] = s
	}
	return all
}
