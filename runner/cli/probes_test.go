package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/results"
)

// probed is an experiment on columns of which the first three make the response; %s is what the data set has besides.
const probed = `tenfold: 1
name: probed
seed: 5
datasets:
  - {name: made, format: csv, files: {all: made.csv}, target: {column: y, type: real}%s}
folds: {kind: kfold, k: 3}
algorithms:
  - {name: one by one, engine: forward-stepwise, params: {max_features: 8, criterion: none}}
  - {name: lasso, engine: lasso, params: {lambda: 0.05}}
metrics: [test_mse, selected, probes_selected, probe_share, probe_fdp, first_probe, probe_auc, stability]
gate:
  - {metric: probe_fdp, max: 1}
`

func runProbed(t *testing.T, more string, args ...string) (sum string, tables *results.Tables) {
	t.Helper()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	table := make([]string, 40)
	for j := range table {
		table[j] = fmt.Sprint("x", j)
	}
	text := strings.Join(table, ",") + ",y\n"
	for range 90 {
		y := 0.0
		for j := range table {
			v := rng.NormFloat64()
			if table[j] = fmt.Sprint(v); j < 3 {
				y += 2 * v
			}
		}
		text += strings.Join(table, ",") + fmt.Sprintf(",%v\n", y+rng.NormFloat64())
	}
	file := fmt.Sprintf(probed, more)
	if !strings.Contains(more, "permuted") { // metrics of probes are refused where there are none
		file = strings.NewReplacer(" probes_selected, probe_share, probe_fdp, first_probe, probe_auc,", "", "metric: probe_fdp, max: 1", "metric: selected, max: 40").Replace(file)
	}
	for name, content := range map[string]string{"made.csv": text, "probed.yaml": file} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	x, out := tool{t, t.TempDir()}, filepath.Join(dir, "out")
	said, _ := x.ok(slices.Concat([]string{"run", filepath.Join(dir, "probed.yaml"), "--out", out}, args)...)
	tables, err := results.Read(out)
	if err != nil {
		t.Fatal(err)
	}
	return digest(said), tables
}

// An experiment with probes has their metrics, counts the data's own columns, and keeps the probes among what was selected; any
// number of workers gives one digest. What is of the data alone is as it is without probes, but the keys.
func TestProbes(t *testing.T) {
	t.Parallel()
	const permuted = ", features: {probes: {kind: permuted}}"
	first, with := runProbed(t, permuted)
	if again, _ := runProbed(t, permuted, "--jobs", "1"); again != first {
		t.Errorf("one worker: %s, several: %s", again, first)
	}
	if other, _ := runProbed(t, ", features: {probes: {kind: permuted, seed: 6}}"); other == first {
		t.Error("the seed of the probes changes nothing")
	}
	plain, without := runProbed(t, "")
	if none, _ := runProbed(t, ", features: {probes: {kind: none}}"); none != plain {
		t.Error("probes of the kind none change results")
	}
	for k := range with.Rows {
		r, bare := &with.Rows[k], &without.Rows[k]
		if r.Unit == bare.Unit || r.Cell == bare.Cell {
			t.Errorf("%s: with and without probes it has one key", r.Algorithm)
		}
		if r.DatasetDigest != bare.DatasetDigest || r.FoldDigest != bare.FoldDigest || r.Seed != bare.Seed || r.Outcome.Columns != 40 || bare.Outcome.Columns != 40 {
			t.Errorf("%s: digests, seed or columns change with probes", r.Algorithm)
		}
		if _, ok := bare.Metric("probes_selected"); ok {
			t.Errorf("%s: probes without probes", r.Algorithm)
		}
		selected, err := with.Selected(r)
		if err != nil {
			t.Fatal(err)
		}
		probes := 0
		for _, s := range selected {
			if data.IsProbe(s.Feature) {
				probes++
			}
		}
		counted, _ := r.Metric("probes_selected")
		own, _ := r.Metric("selected")
		nonzero, _ := r.Metric("nonzero")
		if probes == 0 || int(counted) != probes || int(own) != len(selected)-probes || nonzero != own || int(r.Features) != int(own) {
			t.Errorf("%s: %v own columns and %v probes, of %d selected %d are probes", r.Algorithm, own, counted, len(selected), probes)
		}
		share, _ := r.Metric("probe_share")
		fdp, _ := r.Metric("probe_fdp")
		auc, _ := r.Metric("probe_auc")
		if want := float64(probes) / float64(len(selected)); share != want || fdp != min(1, float64(probes)/own) || r.Algorithm == "one by one" && auc <= 0.5 {
			t.Errorf("%s: share %v, expected %v; false discoveries %v, area %v", r.Algorithm, share, want, fdp, auc)
		}
		if ahead, _ := r.Metric("first_probe"); r.Algorithm == "one by one" && ahead < 3 {
			t.Errorf("%v columns are ahead of the first probe, three make the response", ahead)
		}
	}
}

// The stability of a selection is that of the data's own columns: probes of one name have nothing in common.
func TestStabilityWithoutProbes(t *testing.T) {
	t.Parallel()
	_, with := runProbed(t, ", features: {probes: {kind: permuted}}")
	var sets, own results.Sets
	for k := range with.Rows {
		if r := &with.Rows[k]; r.Algorithm == "lasso" {
			selected, err := with.Selected(r)
			if err != nil {
				t.Fatal(err)
			}
			sets.Add(&r.Outcome, selected)
			own.Add(&r.Outcome, slices.DeleteFunc(slices.Clone(selected), func(s results.Selected) bool { return data.IsProbe(s.Feature) }))
		}
	}
	a, err := sets.Stability()
	b, errOwn := own.Stability()
	if err != nil || errOwn != nil || a.Mean != b.Mean || a.Columns != 40 {
		t.Errorf("%+v, of the own columns %+v; %v %v", a, b, err, errOwn)
	}
}
