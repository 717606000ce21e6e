package main

import (
	"fmt"
	"os/exec"
)

var praznik = program{name: "praznik", debian: "r-base-core, and in R: install.packages(\"praznik\")", find: findPraznik}

func findPraznik() ([]string, string, error) {
	path, err := exec.LookPath("Rscript")
	if err != nil {
		return nil, "", err
	}
	out, err := exec.Command(path, "-e", `cat(as.character(packageVersion("praznik")), "of", R.version.string)`).Output()
	return []string{path}, string(out), err
}

// levels returns the writer of a dense table of the levels 0 to 3: every tenth column tells in three rows of ten which of two classes a row is
// of.
func levels(seed uint64, rows, width int) func(to *folder) error {
	return func(to *folder) error {
		class := make([]float64, rows)
		for i := range class {
			class[i] = float64(hash(seed, 141, uint64(i)) >> 63)
		}
		x := newTable(rows, width, func(i, j int) float64 {
			h := hash(seed, 142, uint64(i), uint64(j))
			if j%10 == 0 && below(mix(h), 10) < 3 {
				return 1 + 2*class[i]
			}
			return float64(h >> 62)
		})
		columns, y := make([]int32, 0, rows*width), make([]int32, rows) // by column, as R has them
		for j := range width {
			for i := range rows {
				columns = append(columns, int32(x.value(i, j)))
			}
		}
		for i, c := range class {
			y[i] = int32(c)
		}
		to.raw("levels.i32", columns)
		to.raw("class.i32", y)
		to.array("all.npy", x.values, x.height, x.width)
		to.array("all.y.npy", class, rows)
		return to.err
	}
}

// informed returns the workloads of what is learned by counting, and of the path by a Gram matrix.
func informed() (out []workload) {
	both := "datasets:\n  - {name: d, format: npz, files: {train: \"{data}/all.npy\", train_y: \"{data}/all.y.npy\", test: \"{data}/all.npy\", test_y: \"{data}/all.y.npy\"}, target: class}\n"
	for _, p := range []struct {
		name, size string
		features   int
		criteria   []string
	}{
		{"L", "2,000 × 2,000", 100, []string{"mim", "mrmr", "jmi", "disr", "jmim", "cmim"}},
		{"LW", "200 × 16,000", 100, []string{"mim", "mrmr", "jmi", "disr", "jmim", "cmim"}},
		{"LT", "16,000 × 50", 50, []string{"mrmr", "jmi", "disr", "jmim", "cmim"}},
	} {
		for _, c := range p.criteria {
			k := fmt.Sprint(p.features)
			out = append(out, workload{name: c + "-" + p.name, problem: p.name, engine: c, metric: "seconds_of_fits",
				about:      p.size + " of four levels, two classes: " + k + " columns by " + c + ", the answer being the seconds that this takes, with us naive Bayes on them as well",
				experiment: both + "algorithms:\n  - {name: best, select: {engine: " + c + ", params: {features: " + k + "}}, refit: {engine: naive-bayes}}\nmetrics: [accuracy, seconds_fit]\n",
				peers:      []peer{{program: praznik, label: "praznik", limit: minutes, script: "praznik.R", args: []string{"{data}", c, k}}}})
		}
	}
	return append(out,
		workload{name: "naive-bayes-W", problem: "W", engine: "naive-bayes", metric: "accuracy",
			about:      "20,000 × 50,000 of 0 and 1, 20 classes: naive Bayes",
			experiment: sparseSet + ", target: class}\nalgorithms:\n  - {name: bayes, engine: naive-bayes}\nmetrics: [accuracy]\n",
			peers:      []peer{{program: sklearn, label: "scikit-learn MultinomialNB", limit: minutes, script: "bayes.py", args: []string{"{data}"}}}},
		workload{name: "lars-T", problem: "T", engine: "lars", metric: "test_mse",
			about: "50,000 × 50 dense, a number: the whole lasso path by least angles, on 5 folds",
			experiment: "datasets:\n  - {name: d, format: npz, files: {all: \"{data}/all.npy\", all_y: \"{data}/all.y.npy\", groups: \"{data}/folds.npy\"}}\n" +
				"folds: {kind: given, column: groups}\nalgorithms:\n  - {name: lars, engine: lars}\nmetrics: [test_mse]\n",
			peers: []peer{{program: sklearn, label: "scikit-learn lars_path", limit: minutes, script: "lars.py", args: []string{"{data}"}}}})
}
