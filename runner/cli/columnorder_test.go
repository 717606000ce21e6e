package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
)

// TestOrderOfColumnsInAFile: the seeds of fits, probes and classes of columns go by the names of columns, and so does what they draw.
func TestOrderOfColumnsInAFile(t *testing.T) {
	t.Parallel()
	const rows, columns = 90, 11
	rng := rand.New(rand.NewPCG(2, 9))
	cells, y := make([][]string, rows), make([]string, rows)
	for i := range cells {
		sum := rng.NormFloat64() / 2
		for j := range columns {
			v := rng.NormFloat64()
			if cells[i] = append(cells[i], fmt.Sprintf("%.6f", v)); j < 3 {
				sum += v
			}
		}
		y[i] = fmt.Sprintf("%.6f", sum)
	}
	dir := t.TempDir()
	run := func(name, algorithms, features string, order []int) (out []string) {
		text := "y"
		for _, j := range order {
			text += fmt.Sprintf(",x%d", j)
		}
		for i, own := range cells {
			text += "\n" + y[i]
			for _, j := range order {
				text += "," + own[j]
			}
		}
		file := `tenfold: 1
name: order
datasets:
  - {name: d, format: csv, files: {all: ` + name + `.csv}, target: {column: y}` + features + `}
folds: {kind: kfold, k: 2}
metrics: [test_mse]
algorithms:` + algorithms
		for path, content := range map[string]string{name + ".csv": text + "\n", name + ".yaml": file} {
			if err := os.WriteFile(filepath.Join(dir, path), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		x := tool{t, t.TempDir()}
		x.ok("run", filepath.Join(dir, name+".yaml"), "--out", filepath.Join(dir, name))
		tables, err := results.Read(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer tables.Close()
		for i := range tables.Rows {
			r, err := tables.ReadAllParts(&tables.Rows[i])
			if err != nil {
				t.Fatal(err)
			}
			line := fmt.Sprintf("%s fold %d: %s", r.Algorithm, r.Fold, r.Status)
			for _, s := range r.Outcome.Scores {
				if s.Metric == "test_mse" || strings.HasPrefix(s.Metric, "probe") {
					line += fmt.Sprintf(" %s %.5g", s.Metric, s.Value)
				}
			}
			var selected []string
			for _, s := range r.Outcome.Selected {
				selected = append(selected, fmt.Sprintf(" %s %s %.4f", s.Feature, s.Class, s.Coefficient))
			}
			slices.Sort(selected)
			out = append(out, line+strings.Join(selected, ""))
		}
		return out
	}
	for name, of := range map[string][2]string{
		"draws": {`
  - {name: forest, engine: forest, params: {trees: 10, features: 4}}
  - {name: boruta, engine: boruta, params: {trees: 20}}
  - {name: random, engine: random, params: {features: 3}}
  - {name: stagewise, engine: stagewise, params: {lookup: random, sample: 4, max_iter: 300}}
  - {name: mdl, engine: mdl, params: {search: streamwise, order: shuffled}}
  - {name: knockoffs, engine: lasso, params: {lambda_ratio: 0.1}, knockoffs: {fdr: 0.5, offset: 0}}
`, ""},
		"second-order probes": {"\n  - {name: lasso, engine: lasso, params: {lambda_ratio: 0.1}}\n", ", features: {probes: {kind: second-order}}"},
		"permuted probes":     {"\n  - {name: lasso, engine: lasso, params: {lambda_ratio: 0.1}}\n", ", features: {probes: {kind: permuted}}"},
		"classes":             {"\n  - {name: group lasso, engine: group-lasso, params: {lambda_ratio: 0.1}}\n", ", features: {classes: {kmeans: {k: 4}}}"},
	} {
		one := run(strings.ReplaceAll(name, " ", "-")+"-one", of[0], of[1], []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
		two := run(strings.ReplaceAll(name, " ", "-")+"-two", of[0], of[1], []int{7, 2, 0, 9, 10, 4, 1, 8, 3, 6, 5})
		if !slices.Equal(one, two) || len(one) == 0 || strings.Contains(fmt.Sprint(one), "failed") {
			t.Errorf("%s:\n%s\nin another order\n%s", name, strings.Join(one, "\n"), strings.Join(two, "\n"))
		}
	}
}
