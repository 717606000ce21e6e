package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/results"
	"tenfold/reports"
	"tenfold/reports/comparison"
	"tenfold/reports/figure"
	"tenfold/runner/plan"
)

const thousand = `
tenfold: 1
name: thousand
seed: 1
datasets:
  - {name: s, format: synthetic, generator: tuples, rows: 300, truth: 10, noise: 1, features: {cutoff: 3}}
folds: {kind: kfold, k: 5, by: pattern}
algorithms:
  - {name: sw, engine: stagewise, params: {max_iter: 20}, grid: {epsilon: {linear: [0.01, 0.2, 1000]}}}
metrics: [test_mse]
gate:
  - {metric: test_mse, margin: {relative: 0.05}, test: nadeau-bengio}
`

// BenchmarkCheck is the gate with everything cached: 1000 cells, 5000 fits.
func BenchmarkCheck(b *testing.B) {
	dir := b.TempDir()
	spec := filepath.Join(dir, "thousand.yaml")
	if err := os.WriteFile(spec, []byte(thousand), 0o644); err != nil {
		b.Fatal(err)
	}
	command := func(name string) {
		tenfold(b, name, spec, "--out", filepath.Join(dir, "run"), "--cache", filepath.Join(dir, "cache"))
	}
	command("accept")
	for b.Loop() {
		command("check")
	}
}

// BenchmarkReport renders a run of 100,000 rows: 10 data sets, 10 algorithms at 100 points each, 10 folds, with 30 selected
// features and a path of 20 points a row.
func BenchmarkReport(b *testing.B) {
	dir := b.TempDir()
	if keep := os.Getenv("TENFOLD_BENCH_RUN"); keep != "" {
		dir = keep // to look at it, or to time the command itself
	}
	large(b, dir)
	for b.Loop() {
		tenfold(b, "report", dir)
	}
}

func tenfold(b *testing.B, args ...string) {
	b.Helper()
	if code := run(context.Background(), io.Discard, io.Discard, args); code != 0 {
		b.Fatalf("tenfold %v: exit code %d", args, code)
	}
}

// large writes the files of that run.
func large(b *testing.B, dir string) {
	sections := reports.DefaultSections()
	sections.Report.Tables = []comparison.Config{
		{Rows: "algorithm", Columns: "dataset", Cells: "{test_mse} ± {test_mse.se} ({selected})", Baseline: "base"}, {},
	}
	sections.Report.Figures = []figure.Config{
		{Kind: figure.Path, Dataset: "set0"}, {Kind: figure.Sweep, X: "epsilon", Algorithm: "algorithm0"}, {Kind: figure.Frontier, Dataset: "set0"},
	}
	owned, err := json.Marshal(sections)
	if err != nil {
		b.Fatal(err)
	}
	frozen := &plan.Frozen{Schema: 2, Path: "large.yaml", Name: "large", Metrics: []string{"test_mse", "test_r2"}, Sections: owned}
	random := rand.New(rand.NewPCG(1, 2))
	key := func() string { return fmt.Sprintf("%016x%016x", random.Uint64(), random.Uint64()) }
	var labels []results.Label
	for s := range 10 {
		set := plan.FrozenSet{Name: fmt.Sprintf("set%d", s), Digest: "sha256:" + key(), Rows: 300}
		for fold := range 10 {
			set.Folds = append(set.Folds, plan.FrozenFold{Fold: fold, Train: 270, Test: 30, Digest: "sha256:" + key()})
		}
		frozen.Datasets = append(frozen.Datasets, set)
		for a := range 1001 { // the first is the baseline
			l := results.Label{Experiment: "large", Dataset: set.Name, Algorithm: "base", Engine: "mean", Revision: 1, DatasetDigest: set.Digest}
			if l.Params = "{}"; a > 0 {
				epsilon := float64((a-1)%100+1) / 1000
				l.Algorithm, l.Engine = fmt.Sprintf("algorithm%d", (a-1)/100), "stagewise"
				l.Params = fmt.Sprintf(`{"epsilon":%v,"loop":true,"max_iter":100000,"patience":200,"scale":"sd"}`, epsilon)
				l.Grid = []results.Param{{Name: "epsilon", Value: epsilon}}
			}
			l.Cell = key()
			cell := plan.FrozenCell{Key: l.Cell, Dataset: l.Dataset, Algorithm: l.Algorithm, Engine: l.Engine, DatasetDigest: set.Digest, Params: l.Params}
			for _, f := range set.Folds {
				l.Fold, l.FoldDigest, l.Unit, l.Seed = int32(f.Fold), f.Digest, key(), random.Int64()
				labels = append(labels, l)
				cell.Units = append(cell.Units, plan.FrozenUnit{Unit: l.Unit, Fold: f.Fold, FoldDigest: f.Digest, Seed: l.Seed})
			}
			frozen.Cells = append(frozen.Cells, cell)
		}
	}
	if err := frozen.Write(dir); err != nil {
		b.Fatal(err)
	}
	planned, err := json.Marshal(frozen)
	if err != nil {
		b.Fatal(err)
	}
	_, err = results.Write(dir, results.Meta{Experiment: "large", Plan: string(planned), Provenance: frozen.Provenance()},
		func(yield func(*results.Row, error) bool) {
			for _, l := range labels {
				if !yield(&results.Row{Label: l, Outcome: outcome(random)}, nil) {
					return
				}
			}
		})
	if err != nil {
		b.Fatal(err)
	}
}

// outcome of a fit, as long as those of real ones.
func outcome(random *rand.Rand) results.Outcome {
	error := 1 + random.Float64()/10
	o := results.Outcome{
		Schema: results.Schema, Status: results.OK, Attempts: 1, Nonzero: 30, Features: 30, SelectedSum: fmt.Sprintf("%032x", random.Uint64()),
		RowsTrain: 270, RowsTest: 30, Columns: 400, Stop: "patience", Prepared: []data.Fact{{Name: "columns after the cutoff", Value: "400"}},
		SecondsFit: random.Float64(), SecondsPredict: random.Float64() / 1000, CPUSeconds: random.Float64(), Machine: "here", Version: "0.1",
		Scores: []results.Score{{Metric: "test_mse", Point: -1, Value: error}, {Metric: "test_r2", Point: -1, Value: 2 - error, Higher: true},
			{Metric: "nonzero", Point: -1, Value: 30}, {Metric: "selected", Point: -1, Value: 30}, {Metric: "seconds_fit", Point: -1, Value: error}},
	}
	for i := range 20 {
		o.Facts = append(o.Facts, data.Fact{Name: fmt.Sprintf("what the engine measured, number %d", i), Value: fmt.Sprint(random.IntN(1e6))})
		o.Path = append(o.Path, results.Point{Step: int64(5 * i), Nonzero: int32(i), TrainError: 2 - float64(i)/20, TestError: error + 1/float64(i+1), Parameter: "epsilon", ParameterValue: 0.01})
	}
	for rank, feature := range random.Perm(400)[:30] {
		o.Selected = append(o.Selected, results.Selected{Rank: int32(rank), Feature: fmt.Sprintf("T%d:0=w%d", feature%20, feature), Coefficient: random.NormFloat64()})
	}
	return o
}
