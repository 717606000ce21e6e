package cli_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/io/results"
)

// TestTestRowsTeachNothing poisons the rows that are not for training in a table with everything that a preparation learns:
// levels, fillers, scales, cutoffs. Their words become others, also new ones, numbers absurd or missing, weights and labels
// other ones. Nothing that was learned may move, in the last bit.
func TestTestRowsTeachNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		folds string
		gap   time.Duration // rows so long before the first test row are not for training
		by    bool          // nor are other rows of customers under test
	}{
		"time":            {folds: "{kind: time, test: 0.4, gap: 30d, by: customer}", gap: 30 * 24 * time.Hour, by: true},
		"window":          {folds: "{kind: time, test: 0.3, gap: 40, window: 300d}"},
		"customers apart": {folds: "{kind: holdout, test: 0.4, by: customer, seed: 3}", by: true},
		"rows apart":      {folds: "{kind: holdout, test: 0.4, seed: 3}"},
	} {
		for _, missing := range []string{"median", "mean"} {
			t.Run(name+" "+missing, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				x := tool{t, filepath.Join(dir, "cache")}
				table := readTable(t, "experiments/data/churn.csv")[:2001]
				clean := canary(x, filepath.Join(dir, "clean"), table, c.folds, missing)
				dirty := canary(x, filepath.Join(dir, "dirty"), poisoned(t, table, clean.tested, c.gap, c.by), c.folds, missing)
				if len(clean.tested) == 0 || len(clean.learned) < 20 {
					t.Fatalf("%d test rows, %d things learned", len(clean.tested), len(clean.learned))
				}
				for _, l := range clean.learned {
					if !slices.Contains(dirty.learned, l) {
						t.Errorf("poisoned rows change %s", l)
					}
				}
				if len(clean.learned) != len(dirty.learned) {
					t.Errorf("%d things learned from clean rows, %d beside poisoned ones", len(clean.learned), len(dirty.learned))
				}
				if slices.Equal(clean.predicted, dirty.predicted) {
					t.Error("the poison did not reach the test rows")
				}
			})
		}
	}
}

// Columns of the table of experiments/data.
const (
	customerColumn, dateColumn, planColumn, regionColumn, paymentColumn = 1, 2, 3, 4, 6
	monthsColumn, feeColumn, usageColumn, linesColumn, churnedColumn    = 8, 9, 11, 12, 13
)

func readTable(t *testing.T, path string) [][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func poisoned(t *testing.T, table [][]string, tested map[string]bool, gap time.Duration, by bool) [][]string {
	t.Helper()
	day := func(row []string) time.Time {
		d, err := time.Parse(time.DateOnly, row[dateColumn])
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	var first time.Time
	customers := map[string]bool{}
	for _, row := range table[1:] {
		if tested[row[0]] {
			customers[row[customerColumn]] = true
			if first.IsZero() || day(row).Before(first) {
				first = day(row)
			}
		}
	}
	out := [][]string{table[0]}
	for i, row := range table[1:] {
		row = slices.Clone(row)
		late := gap > 0 && day(row).After(first.Add(-gap)) && day(row).Before(first)
		if tested[row[0]] || late || by && customers[row[customerColumn]] {
			row[planColumn] = []string{"platinum", "basic", ""}[i%3]
			row[regionColumn] = fmt.Sprintf("island%d", i%7)
			row[paymentColumn] = []string{"crypto", "", "barter"}[i%3]
			row[monthsColumn] = []string{"1e9", "-1e9"}[i%2]
			row[feeColumn] = ""
			row[usageColumn] = "-77777"
			row[linesColumn] = "9"
			row[churnedColumn] = map[string]string{"yes": "no", "no": "yes"}[row[churnedColumn]]
		}
		out = append(out, row)
	}
	return out
}

// caged is what came of a run on the table: what its fits learned, and what they predicted.
type caged struct {
	learned, predicted []string
	tested             map[string]bool
}

func canary(x tool, dir string, table [][]string, folds, missing string) (out caged) {
	x.t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		x.t.Fatal(err)
	}
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(table); err != nil {
		x.t.Fatal(err)
	}
	penalty := "tune: {lambda_ratio: [0.3, 0.1, 0.03], k: 3, metric: log_loss}"
	if !strings.Contains(folds, "kind: time") { // inner folds are drawn then, by a seed that the data set's digest is part of
		penalty = "params: {lambda_ratio: 0.1}"
	}
	spec := fmt.Sprintf(`tenfold: 1
name: canary
datasets:
  - name: contracts
    format: csv
    files: {all: churn.csv}
    columns: {id: id, group: customer, time: date, weight: lines, categorical: [plan, region, channel, payment, agent]}
    prepare: {encode: one-hot, unseen: ignore, missing: %s, scale: sd}
    features: {cutoff: 12}
    target: {column: churned, positive: "yes"}
folds: %s
algorithms:
  - {name: elastic net, engine: elastic-net, %s}
  - {name: all columns, engine: logistic}
  - {name: stepwise, engine: forward-stepwise}
  - {name: price of a column, engine: mdl, params: {code: ric}}
metrics: [accuracy]
`, missing, folds, penalty)
	for name, content := range map[string]string{"churn.csv": text.String(), "canary.yaml": spec} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			x.t.Fatal(err)
		}
	}
	run := filepath.Join(dir, "run")
	x.ok("run", filepath.Join(dir, "canary.yaml"), "--out", run)
	tables, err := results.Read(run)
	if err != nil {
		x.t.Fatal(err)
	}
	defer tables.Close()
	out.tested = map[string]bool{}
	for i := range tables.Rows {
		r, err := tables.ReadAllParts(&tables.Rows[i])
		if err != nil {
			x.t.Fatal(err)
		}
		add := func(format string, args ...any) {
			out.learned = append(out.learned, r.Algorithm+": "+fmt.Sprintf(format, args...))
		}
		add("%d rows, %d columns", r.RowsTrain, r.Columns)
		for _, f := range r.Outcome.Facts {
			add("%s: %s", f.Name, f.Value)
		}
		for _, s := range r.Outcome.Selected {
			add("%d %s %s %x", s.Rank, s.Feature, s.Output, s.Coefficient)
		}
		p := r.Outcome.Predictions
		for k, row := range p.Row {
			out.tested[row] = true
			out.predicted = append(out.predicted, fmt.Sprintf("%s %v", row, p.Score[k]))
		}
	}
	return out
}
