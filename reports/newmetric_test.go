package reports

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/comparison"
	"tenfold/reports/drawing"
	"tenfold/reports/figure"
	"tenfold/reports/gate"
	"tenfold/reports/paired"
	"tenfold/runner/metric"
)

// A metric that reports have never heard of is one value: what tables, tests, the gate and figures do with it follows from
// what the result files say of it.
func TestNewMetric(t *testing.T) {
	t.Parallel()
	miss := metric.Metric{
		Name: "miss", Better: metric.Lower, Target: data.Real,
		Properties: metric.Properties{RowLoss: results.AbsoluteLoss, Commensurable: true, Axis: "share missed (%)"},
		Score:      func(o *metric.Outcome) float64 { return math.Abs(o.Test.Truth[0] - o.Test.Prediction[0]) },
	}
	joules := metric.Metric{Name: "joules", Better: metric.Lower, Properties: metric.Properties{Work: true, Axis: "energy of the fit (J)"}}

	dir := t.TempDir()
	meta := results.Meta{Experiment: "new", Predictions: true, Metrics: results.Metrics{miss.Name: miss.Properties, joules.Name: joules.Properties}}
	if _, err := results.Write(dir, meta, results.All(missing(miss, joules))); err != nil {
		t.Fatal(err)
	}
	tables, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	in := Input{Metrics: []string{miss.Name, joules.Name}, Rows: tables.Rows, Source: tables}

	var csv, text bytes.Buffer
	config := Default()
	config.Tables = []comparison.Config{
		{Rows: "dataset", Columns: "algorithm", Metric: miss.Name, Test: paired.NameBootstrap, Baseline: "far", Cells: "{miss} {miss.micro}"},
		{Rows: "dataset", Columns: "algorithm", Metric: joules.Name, Cells: "{joules}"},
	}
	if err := Write(&csv, "csv", config, in); err != nil {
		t.Fatal(err)
	}
	if err := Print(&text, config, in); err != nil {
		t.Fatal(err)
	}
	first, second, _ := strings.Cut(text.String(), "joules")
	for _, want := range []string{"**", "mean over 2 data sets", "bootstrap of the test rows"} {
		if !strings.Contains(first, want) || strings.Contains(second, want) {
			t.Errorf("%q in the table of one that is contested, and not in that of work:\n%s", want, text.String())
		}
	}
	if !strings.Contains(csv.String(), "miss.micro") {
		t.Errorf("no micro average:\n%s", csv.String())
	}

	rule := gate.Rule{Metric: miss.Name, Test: paired.NameBootstrap, Against: "far", Algorithms: []string{"near"}}
	rule.SetDefaults()
	if err := rule.ValidateMetrics(tables.Metrics); err != nil {
		t.Error(err)
	}
	against := gate.Input{Rules: []gate.Rule{rule}, Cells: in.Cells(), Source: tables}
	if against.Baseline, _, err = gate.Accept(against); err != nil {
		t.Fatal(err)
	}
	if out := gate.Check(against); out.Worst() != gate.Pass || !out.Verdicts[0].Measured {
		t.Errorf("the gate: %+v", out.Verdicts)
	}
	b, _, err := gate.Accept(gate.Input{Metrics: in.Metrics, Cells: in.Cells(), Source: tables})
	if err != nil || len(b.Rules) != 1 || b.Rules[0].Metric != miss.Name {
		t.Errorf("%v: without rules the gate compares what is contested: %+v", err, b)
	}

	charts, err := figure.Build(figure.Config{Kind: figure.Frontier, X: joules.Name, Y: miss.Name}, figure.Input{Cells: in.Cells(), Source: tables})
	if err != nil {
		t.Fatal(err)
	}
	if c := charts[0].Body.(*drawing.Curves); c.X.Label != joules.Axis || c.Left.Label != miss.Axis {
		t.Errorf("axes %q and %q", c.X.Label, c.Left.Label)
	}
}

// missing are rows of two algorithms on two data sets of one fold, with the two metrics.
func missing(miss, joules metric.Metric) (rows []results.Row) {
	for _, set := range []string{"a", "b"} {
		for algorithm, distance := range map[string]float64{"near": 1, "far": 2} {
			r := results.Row{
				Label:   results.Label{Dataset: set, Algorithm: algorithm, Cell: set + algorithm, FoldDigest: set, DatasetDigest: set},
				Outcome: results.Outcome{Status: results.OK, RowsTrain: 90, RowsTest: 40},
			}
			p, sum := &r.Outcome.Predictions, 0.0
			for k := range 40 {
				off := distance + float64(k%7)/10
				p.Row, p.Group, p.Output = append(p.Row, fmt.Sprintf("%02d", k)), append(p.Group, ""), append(p.Output, "")
				p.Truth, p.Prediction, p.Score = append(p.Truth, 0), append(p.Prediction, off), append(p.Score, math.NaN())
				sum += off
			}
			for _, s := range []struct {
				metric.Metric
				value float64
			}{{miss, sum / 40}, {joules, 3 * distance}} {
				r.Scores = append(r.Scores, results.Score{Metric: s.Name, Point: -1, Value: s.value, Higher: bool(s.Better)})
			}
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b results.Row) int { return strings.Compare(a.Cell, b.Cell) })
	return rows
}

// Result files from before they described their metrics are read with what is known of these.
func TestMetricsOfOlderFiles(t *testing.T) {
	t.Parallel()
	older := results.Metrics{"mine": {Axis: "mine"}}.Or(known)
	if older["accuracy"].RowLoss != results.Correct || older["mine"].Axis != "mine" {
		t.Errorf("%+v", older)
	}
	src := cells.InRows{Metrics: results.Metrics(nil).Or(known)}
	if !src.Metric("accuracy").Contested() || src.Metric("selected").Contested() || !src.Metric("of a later tenfold").Contested() {
		t.Error("what is known of metrics is lost")
	}
}
