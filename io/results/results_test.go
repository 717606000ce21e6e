package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"tenfold/engines/data"
	"tenfold/engines/searches"
	"tenfold/io/sealed"
)

// example has rows with everything, rows with little, two outputs, classes, a cell under two names, and a timeout.
func example() []Row {
	started := time.Date(2026, 2, 3, 4, 5, 6, 789000, time.UTC)
	label := func(algorithm, cell string, fold int32, grid ...Param) Label {
		return Label{
			Experiment: "exp", Dataset: "set", Algorithm: algorithm, Engine: "stagewise", Cell: cell, Unit: fmt.Sprintf("%s%d", cell, fold),
			Params: `{"epsilon":0.1}`, Grid: grid, Repeat: 1, Fold: fold, FoldDigest: "f0", DatasetDigest: "d0", Seed: math.MaxInt64, Revision: 3,
		}
	}
	whole := Outcome{
		Schema: Schema, Status: OK, Attempts: 2,
		Scores: []Score{
			{Metric: "test_mse", Output: "a", Point: -1, Value: 0.1},
			{Metric: "test_mse", Output: "b", Point: -1, Value: 0.3},
			{Metric: "test_mse", Point: -1, Value: 0.2},
			{Metric: "test_mse", Point: 10, Value: 0.5},
			{Metric: "accuracy", Point: -1, Value: 0.9, Higher: true},
			{Metric: "seconds_fit", Point: -1, Value: 1.25},
		},
		Selected: []Selected{
			{Rank: 0, Feature: "w=ä", Class: "words", Output: "a", Coefficient: -1.5, Score: 3},
			{Rank: -1, Feature: "t", Coefficient: 2, Score: math.NaN()},
		},
		Nonzero: 3, Features: 2, SelectedSum: "abcd",
		Path: []Point{
			{Step: 0, TrainError: 1, TestError: math.NaN()},
			{Step: 10, Nonzero: 2, TrainError: 0.5, TestError: 0.7, Parameter: "epsilon", ParameterValue: 0.1, Evaluations: 99, Seconds: 0.01, Best: true},
		},
		Predictions: Predictions{
			Row: []string{"r1", "r2"}, Group: []string{"g", ""}, Output: []string{"", ""}, Truth: []float64{0, 1}, Prediction: []float64{1, 1},
			Score: []float64{0.5, math.NaN()}, Margin: []float64{-40, math.Inf(1)}, LogProbability: []float64{-5000, math.NaN()}, TruthLabel: []string{"no", "yes"}, PredictionLabel: []string{"yes", "yes"}, Weight: []float64{0.5, 3},
			Curves: []Curve{{Output: "o", Time: []float64{1, 2.5}, Uncensored: []float64{1, 0.5}, Hazard: []float64{0.25, math.Inf(1)}}},
		},
		Searches: []searches.Record{
			{Kind: "halving", Parameter: "lambda", Stages: []searches.Stage{
				{Metric: "log_loss", Folds: []searches.Rows{{Fitted: 10, Held: 20}, {Fitted: 11, Held: 19}}, Attempts: []searches.Attempt{
					{Candidate: "lambda=0.1", Number: 0.1, Values: []float64{0.5, 0.25}, Seconds: []float64{1, 2}, Kept: true},
					{Candidate: "lambda=1", Number: 1, Values: []float64{math.NaN(), math.Inf(1)}, Seconds: []float64{0.5, math.NaN()}},
				}},
				{Metric: "log_loss", Folds: []searches.Rows{{Fitted: 40, Held: 20}}, Attempts: []searches.Attempt{
					{Candidate: "lambda=0.1", Number: 0.1, Values: []float64{0.5}, Seconds: []float64{3}, Kept: true, Best: true, OneSE: true, Chosen: true},
				}},
			}},
			{Part: "selection", Kind: "tune", Stages: []searches.Stage{{Metric: "accuracy", Folds: []searches.Rows{{Fitted: 1, Held: 2}}, Attempts: []searches.Attempt{
				{Candidate: "bias=none, lambda=1", Number: math.NaN(), Values: []float64{0.5}, Seconds: []float64{math.NaN()}, Best: true},
			}}}},
		},
		RowsTrain: 100, RowsTest: 10, Columns: 1 << 40, Limit: 90 * time.Second, Stop: "patience", Optimistic: true,
		Notes: []string{"one", "two, \"quoted\""}, Prepared: []data.Fact{{Name: "cutoff", Value: "5"}}, Facts: []data.Fact{{Name: "name", Value: "value"}},
		SecondsFit: 1.25, SecondsPredict: 0.5, CPUSeconds: 1.125, Started: started,
		Machine: "host", Version: "v1", Commit: "deadbeef", Dirty: true,
	}
	numbers := whole
	numbers.Predictions = Predictions{
		Row: []string{"r3"}, Group: []string{""}, Output: []string{"a"}, Truth: []float64{1.5}, Prediction: []float64{1.25}, Score: []float64{math.NaN()},
	}
	numbers.Limit, numbers.Stop, numbers.Optimistic, numbers.Notes, numbers.Prepared, numbers.Facts = 0, "", false, nil, nil, nil
	failed := Outcome{Schema: Schema, Status: Failed, Error: "no\nluck", Attempts: 1, CPUSeconds: math.NaN(), Started: started}
	timeout := Outcome{Schema: Schema, Status: Timeout, Error: "slow", Attempts: 1, Path: whole.Path, Started: started}
	return []Row{
		{label("stage", "c1", 0, Param{"epsilon", 0.1}, Param{"mixed", int64(1)}, Param{"data_cutoff", int64(2)}), whole},
		{label("stage", "c1", 1, Param{"epsilon", 0.1}, Param{"mixed", int64(1)}, Param{"data_cutoff", int64(2)}), failed},
		{label("stage", "c2", 0, Param{"epsilon", 0.2}, Param{"mixed", 0.5}, Param{"look-up", "random"}, Param{"data_cutoff", int64(5)}), timeout},
		{label("other", "c3", 0, Param{"epsilon.min", int64(7)}), numbers},
		{label("same", "c3", 0, Param{"epsilon.min", int64(7)}), numbers},
	}
}

func meta() Meta { return Meta{Experiment: "exp", Plan: `{"name":"exp"}`, Predictions: true} }

func write(t testing.TB, dir string, rows []Row) string {
	t.Helper()
	digest, err := Write(dir, meta(), All(rows))
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

func read(t testing.TB, dir string) *Tables {
	t.Helper()
	tables, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
	})
	return tables
}

// wholes are all rows with all their parts.
func wholes(t testing.TB, tables *Tables) []Row {
	t.Helper()
	var out []Row
	for i := range tables.Rows {
		var each []Selected
		streaming := tables.EachSelected(&tables.Rows[i], func(one Selected) { each = append(each, one) })
		r, err := tables.ReadAllParts(&tables.Rows[i])
		if err != nil {
			t.Fatal(err)
		}
		if streaming != nil || len(each) != len(r.Outcome.Selected) {
			t.Errorf("one by one %v, %v, all together %v", each, streaming, r.Outcome.Selected)
		}
		for i, one := range r.Outcome.Selected {
			if one.Bits, each[i].Bits = nil, nil; shown(one) != shown(each[i]) { // pointers print as addresses
				t.Errorf("one by one %v, all together %v", each[i], one)
			}
		}
		out = append(out, *r)
	}
	return out
}

// shown makes rows comparable: NaN equals NaN there.
func shown(v any) string { return strings.ReplaceAll(fmt.Sprintf("%+v", v), "} {", "}\n{") }

func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	digest := write(t, dir, example())
	tables := read(t, dir)
	want := example()
	for i := range want { // what the file's types make of a grid of 1 and 0.5
		for k, p := range want[i].Grid {
			if p.Name == "mixed" && p.Value == int64(1) {
				want[i].Grid[k].Value = 1.0
			}
		}
		slices.SortFunc(want[i].Grid, func(a, b Param) int { // the order of columns is that of appearance
			order := []string{"epsilon", "mixed", "data_cutoff", "look-up", "epsilon.min"}
			return slices.Index(order, a.Name) - slices.Index(order, b.Name)
		})
	}
	got := wholes(t, tables)
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range got {
		if g, w := shown(got[i]), shown(want[i]); g != w {
			t.Errorf("row %d:\n%s\nwant\n%s", i, g, w)
		}
	}
	if again := digestOf(got); again != digest || tables.Digest != digest {
		t.Errorf("digests: written %s, stored %s, of what was read %s", digest, tables.Digest, again)
	}
	if !reflect.DeepEqual(tables.Meta, meta()) {
		t.Errorf("meta %+v", tables.Meta)
	}
	light := tables.Rows[0]
	if light.Outcome.Path != nil || light.Outcome.Selected != nil || len(light.Scores) != 3 {
		t.Errorf("a light row carries its parts: %+v", light)
	}
	if s := light.Scores[1]; s.Metric != "accuracy" || !s.Higher {
		t.Errorf("the direction of a metric was lost: %+v", s)
	}
}

func TestColumns(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, example())
	want := map[string]string{
		ResultsFile: `schema_version int32; experiment string; dataset string; family string?; task string?; algorithm string; engine string; cell string; params string;
param_epsilon double?; param_mixed double?; data_cutoff int64?; param_look-up string?; param_epsilon.min int64?;
repeat int32; fold int32; fold_digest string; dataset_digest string; seed int64; status string; error string?;
metric_test_mse double?; metric_accuracy double?;
selected int32?; selected_digest string; rows_train int64; rows_test int64; columns int64;
seconds_fit double?; seconds_predict double?; cpu_seconds double?;
started timestamp?; machine string; version string; commit string; dirty boolean; revision int32;
unit string; attempts int32; nonzero int32?; limit_seconds double?; stop string?; optimistic boolean; notes string?; prepared string?; facts string?`,
		MetricsFile: `cell string; repeat int32; fold int32; output string?; point int32?; metric string; value double?`,
		SelectionsFile: `cell string; repeat int32; fold int32; rank int32?; feature string; class string?; unit string?; kept boolean; output string?;
coefficient double?; score double?; bits_saved double?; bits_refined double?; bits_class double?; bits_index double?; bits_subset double?; bits_coefficient double?`,
		PathsFile: `cell string; repeat int32; fold int32; step int64; nonzero int32; train_error double?; test_error double?; parameter string?; parameter_value double?;
evaluations int64; seconds double; best boolean`,
		PredictionsFile: `cell string; repeat int32; fold int32; row string; group string?; output string?; truth double?; prediction double?;
score double?; truth_label string?; prediction_label string?; weight double?; margin double?; log_probability double?; positive string?`,
		CurvesFile: `cell string; repeat int32; fold int32; output string?; time double?; uncensored double?; hazard double?`,
		InnerFile: `cell string; repeat int32; fold int32; search int32; part string?; kind string; stage int32; candidate string; parameter string?; parameter_value double?;
inner_fold int32; rows_train int32; rows_test int32; metric string; value double?; seconds double?; kept boolean; best boolean; one_se boolean; chosen boolean`,
	}
	for name, columns := range want {
		f := openFile(t, filepath.Join(dir, name))
		var got []string
		for _, c := range f.Root().Columns() {
			got = append(got, c.Name()+" "+typeName(c))
		}
		if g, w := strings.Join(got, "; "), strings.ReplaceAll(columns, "\n", " "); g != w {
			t.Errorf("%s:\n%s\nwant\n%s", name, g, w)
		}
	}
}

// TestBits: some features have a ledger, others none.
func TestBits(t *testing.T) {
	rows := example()
	selected := []Selected{
		{Rank: 0, Feature: "a", Score: 2, Bits: &Bits{Saved: 12, Refined: -0.5, Class: 1, Index: 2, Subset: 3, Coefficient: 4}},
		{Rank: 1, Feature: "b", Bits: new(Bits)},
		{Rank: 2, Feature: "c"},
	}
	rows[0].Outcome.Selected = selected
	dir := t.TempDir()
	digest := write(t, dir, rows)
	got := wholes(t, read(t, dir))
	if !reflect.DeepEqual(got[0].Outcome.Selected, selected) {
		t.Errorf("%+v", got[0].Outcome.Selected)
	}
	if again := digestOf(got); again != digest {
		t.Errorf("digests: written %s, of what was read %s", digest, again)
	}
	if b := selected[0].Bits; b.Paid() != 10 || b.Net() != 2 {
		t.Errorf("paid %v, net %v", b.Paid(), b.Net())
	}
}

// What has a column of its own name has no second one, and is a metric all the same; unless some row has it otherwise.
func TestEachColumnOnce(t *testing.T) {
	sized := func(differ float64) []Row {
		rows := example()
		for i := range rows {
			if o := &rows[i].Outcome; o.Status == OK {
				o.Scores = append(slices.Clone(o.Scores), Score{Metric: "selected", Point: -1, Value: float64(o.Features)}, Score{Metric: "nonzero", Point: -1, Value: float64(o.Nonzero) + differ})
			}
		}
		return rows
	}
	for differ, want := range map[float64]string{0: "test_mse accuracy", 1: "test_mse accuracy nonzero"} {
		dir := t.TempDir()
		rows := sized(differ)
		digest := write(t, dir, rows)
		var stored []string
		for _, c := range openFile(t, filepath.Join(dir, ResultsFile)).Root().Columns() {
			if name, ok := strings.CutPrefix(c.Name(), metricPrefix); ok {
				stored = append(stored, name)
			}
		}
		if got := strings.Join(stored, " "); got != want {
			t.Errorf("columns of metrics %s, want %s", got, want)
		}
		tables := read(t, dir)
		for i := range rows {
			for _, name := range []string{"test_mse", "accuracy", "selected", "nonzero", "seconds_fit", "seconds_predict"} {
				got, ok := tables.Rows[i].Metric(name)
				if v, is := rows[i].Metric(name); ok != is || ok && got != v {
					t.Errorf("row %d: %s %v, want %v", i, name, got, v)
				}
			}
		}
		if again := digestOf(wholes(t, tables)); again != digest {
			t.Errorf("digests: written %s, of what was read %s", digest, again)
		}
		some, err := Read(dir, "dataset", "algorithm", "cell", "repeat", "fold", "status", metricPrefix+"selected")
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := some.Rows[0].Metric("selected"); !ok || v != 2 || len(some.Rows[0].Scores) != 1 {
			t.Errorf("of the metric alone: %v", some.Rows[0].Scores)
		}
		if err := errors.Join(some.Complete(&some.Rows[0]), some.Close()); err != nil || len(some.Rows[0].Scores) != 5 {
			t.Errorf("%v, completed: %v", err, some.Rows[0].Scores)
		}
	}
}

func openFile(t *testing.T, path string) *parquet.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	p, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func typeName(c *parquet.Column) string {
	name := strings.ToLower(c.Type().Kind().String())
	if l := c.Type().LogicalType(); l != nil {
		switch l.Value.(type) {
		case *format.StringType:
			name = "string"
		case *format.TimestampType:
			name = "timestamp"
		}
	}
	if c.Optional() {
		name += "?"
	}
	return name
}

func TestMixedParameters(t *testing.T) {
	for _, c := range []struct{ values, want []any }{
		{[]any{int64(1), int64(2)}, []any{int64(1), int64(2)}},
		{[]any{int64(1), 0.5}, []any{1.0, 0.5}},
		{[]any{0.1, "auto", int64(3)}, []any{"0.1", "auto", "3"}},
		{[]any{true, false}, []any{"true", "false"}},
		{[]any{nil, 1.0}, []any{nil, 1.0}},
		{[]any{"", "x"}, []any{"", "x"}},
	} {
		var rows []Row
		for i, v := range c.values {
			r := Row{Label: Label{Cell: fmt.Sprint("c", i)}}
			if v != nil {
				r.Grid = []Param{{"p", v}}
			}
			rows = append(rows, r)
		}
		dir := t.TempDir()
		write(t, dir, rows)
		var got []any
		for _, r := range read(t, dir).Rows {
			var v any
			if len(r.Grid) > 0 {
				v = r.Grid[0].Value
			}
			got = append(got, v)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v came back as %v, want %v", c.values, got, c.want)
		}
	}
}

func TestEmpty(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, nil)
	if tables := read(t, dir); len(tables.Rows) != 0 || tables.Experiment != "exp" {
		t.Errorf("%+v", tables.Rows)
	}
	dir = t.TempDir()
	write(t, dir, []Row{{Label: Label{Cell: "c"}, Outcome: Outcome{Status: Failed}}})
	if got := wholes(t, read(t, dir)); got[0].Outcome.Selected != nil || got[0].Status != Failed {
		t.Errorf("%+v", got)
	}
}

// TestRowGroups has more lines than one row group, and units whose lines lie in two.
func TestRowGroups(t *testing.T) {
	rows := make([]Row, 5)
	const points = 50_000 - 7 // groups have 100,000 rows and the rest of a batch
	for i := range rows {
		rows[i] = Row{Label: Label{Cell: fmt.Sprint("c", i)}, Outcome: Outcome{Path: make([]Point, points)}}
		for k := range points {
			rows[i].Outcome.Path[k] = Point{Step: int64(k), TrainError: float64(i)}
		}
	}
	dir := t.TempDir()
	write(t, dir, rows)
	if groups := len(openFile(t, filepath.Join(dir, PathsFile)).RowGroups()); groups != 3 {
		t.Errorf("%d row groups, want 3", groups)
	}
	tables := read(t, dir)
	for _, i := range []int{0, 4, 2, 1, 3} {
		path, err := tables.Path(&tables.Rows[i])
		if err != nil || !reflect.DeepEqual(path, rows[i].Outcome.Path) {
			t.Errorf("path %d: %d points, %v", i, len(path), err)
		}
	}
}

func TestPredictionsOff(t *testing.T) {
	dir := t.TempDir()
	with := write(t, dir, example())
	m := meta()
	m.Predictions = false
	without, err := Write(dir, m, All(example()))
	if err != nil || with != without {
		t.Errorf("%v; digest %s, was %s", err, without, with)
	}
	if _, err := os.Stat(filepath.Join(dir, PredictionsFile)); err == nil {
		t.Error("stale predictions were left")
	}
	tables := read(t, dir)
	if p, err := tables.Predictions(&tables.Rows[0]); len(p.Row) > 0 || err != nil || tables.Meta.Predictions {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestFailedWrite: an error leaves what was there, and nothing else.
func TestFailedWrite(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, example())
	before := contents(t, dir)
	broken := errors.New("broken")
	var rows iter.Seq2[*Row, error] = func(yield func(*Row, error) bool) {
		_ = yield(&example()[3], nil) && yield(nil, broken)
	}
	if _, err := Write(dir, meta(), rows); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if !reflect.DeepEqual(contents(t, dir), before) {
		t.Error("the folder changed")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{file, filepath.Join(file, "inside")} {
		if _, err := Write(bad, meta(), All(example())); err == nil {
			t.Errorf("%s was written to", bad)
		}
	}
	// A name that is taken by a folder: those before it in order were replaced, this one is reported.
	if err := os.Remove(filepath.Join(dir, ResultsFile)); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, ResultsFile, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(dir, meta(), All(example())); err == nil {
		t.Error("a folder was replaced")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".tmp-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(b)
	}
	return out
}

// TestOtherFiles reads no files of other programs and versions.
func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	path := filepath.Join(dir, ResultsFile)
	if err := parquet.WriteFile(path, []struct{ Cell string }{{"c"}, {"d"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "not a result file of tenfold") {
		t.Errorf("a file of another program: %v", err)
	}
	for version, columns := range map[string][]sealed.Column[metricLine]{
		fmt.Sprint(Schema + 1): metricColumns(),
		fmt.Sprint(Schema):     append(metricColumns()[1:], sealed.Float("cell", func(l *metricLine) *float64 { return &l.Value })),
	} {
		w := &runWriter{dir: dir}
		table, err := newTable(w, ResultsFile, columns)
		if err != nil {
			t.Fatal(err)
		}
		table.SetFooter([][2]string{{footerSchema, version}})
		if err := errors.Join(table.Add(metricLine{}), table.Close(), w.commit()); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{fmt.Sprint(Schema): "is not known", fmt.Sprint(Schema + 1): "its schema version is 2, this one reads 1"}[version]
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("version %s: %v, want %s", version, err, want)
		}
	}
	if err := os.WriteFile(path, []byte("PAR1 not really PAR1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("damaged: %v", err)
	}
}

func TestSummary(t *testing.T) {
	rows := make([]Row, 4)
	for i, v := range []float64{1, 2, 6, math.NaN()} {
		rows[i] = Row{
			Label:   Label{Dataset: "set", Algorithm: "a", Cell: "c", Fold: int32(i), Grid: []Param{{"epsilon", 0.00316}, {"data_cutoff", int64(5)}}},
			Outcome: Outcome{Status: OK, Scores: []Score{{Metric: "test_mse", Point: -1, Value: v}, {Metric: "test_mse", Output: "o", Point: -1, Value: 99}}},
		}
	}
	rows = append(rows, Row{Label: Label{Dataset: "set", Algorithm: "b", Cell: "d"}, Outcome: Outcome{Status: OK, Optimistic: true,
		Scores: append(rows[0].Scores, Score{Metric: "endless", Point: -1, Value: math.Inf(1)})}})
	rows = append(rows, Row{Label: Label{Dataset: "set", Algorithm: "b", Cell: "d"}, Outcome: Outcome{Status: Failed}})
	dir := t.TempDir()
	digest := write(t, dir, rows)
	b, err := os.ReadFile(filepath.Join(dir, SummaryFile))
	if err != nil {
		t.Fatal(err)
	}
	se := math.Sqrt(14.0/2) * math.Sqrt(1.0/3)
	want := map[string]any{
		"schema_version": 1.0, "experiment": "exp", "digest": digest,
		"results": map[string]any{
			"set cutoff=5": map[string]any{"a epsilon=0.00316": map[string]any{
				"cell": "c", "folds": 4.0, "ok": 4.0, "metrics": map[string]any{"test_mse": map[string]any{"mean": 3.0, "se": se, "n": 3.0, "state": "incomplete"}},
			}},
			"set": map[string]any{"b": map[string]any{
				"cell": "d", "folds": 2.0, "ok": 1.0, "optimistic": true, "metrics": map[string]any{
					"test_mse": map[string]any{"mean": 1.0, "se": nil, "n": 1.0, "state": "complete"}, "endless": map[string]any{"mean": nil, "se": nil, "n": 1.0, "state": "infinite"},
				},
			}},
		},
	}
	var got any
	if err := json.Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got, any(want)) {
		t.Errorf("%v\n%s", err, b)
	}
}

// TestExactColumns: a file with checksums has the columns that are known, and no others.
func TestExactColumns(t *testing.T) {
	all := pathColumns()
	for name, c := range map[string]struct {
		columns []sealed.Column[pathLine]
		want    string
	}{
		"all":      {all, ""},
		"one off":  {all[:len(all)-1], "paths.parquet: there is no column best"},
		"one more": {append(pathColumns(), sealed.Bool("extra", func(l *pathLine) *bool { return &l.Best })), "paths.parquet: column extra is not known"},
		"renamed":  {append(pathColumns()[:len(all)-1], sealed.Bool("bess", func(l *pathLine) *bool { return &l.Best })), "paths.parquet: column bess is not known"},
	} {
		dir := t.TempDir()
		w := &runWriter{dir: dir}
		table, err := newTable(w, PathsFile, c.columns)
		if err != nil {
			t.Fatal(err)
		}
		table.SetFooter([][2]string{{footerSchema, fmt.Sprint(Schema)}})
		if err := errors.Join(table.Add(pathLine{}), table.Close(), w.commit()); err != nil {
			t.Fatal(err)
		}
		_, err = openParts(filepath.Join(dir, PathsFile), "", pathColumns())
		if (err == nil) != (c.want == "") || err != nil && !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
