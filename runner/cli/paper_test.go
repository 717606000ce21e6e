package cli_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tenfold/io/host/hosttest"
)

// paper has figures and tables as a paper would.
const paper = `tenfold: 1
name: paper
seed: 1
datasets:
  - {name: pairs, format: synthetic, generator: tuples, rows: 600, truth: 40, seed: 1, features: {cutoff: 3}}
  - {name: thin_rows, format: synthetic, generator: tuples, rows: 500, truth: 40, seed: 2, features: {cutoff: 3}}
folds: {kind: kfold, k: 3, by: pattern}
algorithms:
  - {name: fsw, engine: stagewise, params: {max_iter: 200}, grid: {epsilon: [0.1, 0.03]}}
  - {name: r_1, engine: ridge}
  - {name: mean, engine: mean}
metrics: [test_mse]
report:
  labels: {fsw: Forward stagewise, fsw epsilon=0.03: Slow stagewise, r_1: Ridge, thin_rows: Thin, test_mse: squared error, epsilon: step}
  tables:
    - {rows: algorithm, columns: dataset, baseline: r_1, name: main}
    - {rows: algorithm, columns: metric, by: dataset}
  figures:
    - {kind: sweep, x: epsilon, y: test_mse, width: 85, height: 60, format: pdf, dataset: thin_rows}
    - {kind: frontier, format: [svg, png, pdf], dataset: pairs, title: Size}
    - {kind: path, right: nonzero, algorithm: fsw, dataset: pairs}
    - {kind: stability, width: 120}
`

// A file's words for its names are what tables and figures show, and figures have the formats and sizes that it asks for.
func TestReportForPapers(t *testing.T) {
	x := tool{t, t.TempDir()}
	spec, dir := filepath.Join(t.TempDir(), "paper.yaml"), filepath.Join(t.TempDir(), "out")
	if err := os.WriteFile(spec, []byte(paper), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := x.ok("run", spec, "--out", dir)
	wants(t, out, "| algorithm                     |", "| Forward stagewise epsilon=0.1 |", "| Slow stagewise ", "| Ridge ", " Thin |", "worse than Ridge", " squared error |")
	if strings.Contains(out, "fsw") || strings.Contains(out, "thin_rows") || strings.Contains(out, "r_1") {
		t.Errorf("names of the file in its tables:\n%s", out)
	}
	read := func(name string) string {
		t.Helper()
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	files, err := filepath.Glob(filepath.Join(dir, "figures", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, filepath.Base(f))
	}
	want := "frontier-selected-test_mse-pairs.pdf frontier-selected-test_mse-pairs.png frontier-selected-test_mse-pairs.svg " +
		"path-fsw-epsilon-0.03-pairs.png path-fsw-epsilon-0.03-pairs.svg stability.png stability.svg sweep-epsilon-test_mse-thin_rows.pdf sweep-epsilon-test_mse-thin_rows.svg"
	if strings.Join(got, " ") != want {
		t.Errorf("files %v, want %s", got, want)
	}
	sweep := read("figures/sweep-epsilon-test_mse-thin_rows.svg")
	wants(t, sweep, `<svg width="85mm" height="60mm"`, ">squared error<", ">step<", "<title>Squared error against step</title>")
	if strings.Contains(sweep, "nonzero") || strings.Contains(sweep, "non-zero") || strings.Contains(sweep, "bold") {
		t.Error("a right axis or a heading that nobody asked for")
	}
	wants(t, read("figures/frontier-selected-test_mse-pairs.svg"), `font-weight="bold">Size</text>`, ">Forward stagewise by step<", ">Ridge<", ">number of selected features<")
	wants(t, read("figures/path-fsw-epsilon-0.03-pairs.svg"), ">number of non-zero coefficients<", ">test rows<")
	wants(t, read("figures/sweep-epsilon-test_mse-thin_rows.pdf"), "%PDF-1.", "/MediaBox [0 0 240.94 170.08]")
	wants(t, read("report.md"), "Forward stagewise", "Squared error against step. Beyond the figure: Ridge (")
	tex, _ := x.ok("report", dir, "--format", "latex")
	wants(t, tex, `\label{tab:main}`, `\label{tab:main-tests}`, `\label{tab:thin-rows}`, `Slow stagewise &`, `\caption{squared error, selected by algorithm and dataset}`)
	one, _ := x.ok("report", dir, "--filter", "algorithm=r_1")
	wants(t, one, "| Ridge ")
}

// drafts has what the draft of a paper takes from a run: three tables and four figures, each for one of two columns.
const drafts = `
report:
  labels: {fsw: Forward stagewise of Hooker & Weng, thin_rows: A data set of few rows}
  tables:
    - {rows: algorithm, columns: dataset, baseline: r_1, name: main, cells: "{test_mse} ± {test_mse.se} ({selected})", metric: [test_mse, selected]}
    - {rows: algorithm, columns: metric, filter: {dataset: pairs}, name: pairs, metric: [test_mse, rmse, mae, test_r2, train_mse, nonzero, selected]}
    - {rows: epsilon, columns: dataset, filter: {algorithm: fsw}, name: steps}
  figures:
    - {kind: metric, y: test_mse, dataset: pairs, width: 80, format: pdf}
    - {kind: sweep, x: epsilon, y: test_mse, dataset: pairs, width: 80, format: pdf}
    - {kind: frontier, dataset: pairs, width: 80, format: pdf}
    - {kind: stability, width: 80, format: pdf}
`

// The tables and figures of a run fit into a paper of two columns: LaTeX finds nothing that is too wide.
func TestPaperOfTwoColumns(t *testing.T) {
	command := hosttest.Find(t, "pdflatex", nil, "pdflatex")
	x := tool{t, t.TempDir()}
	dir := t.TempDir()
	experiment, _, _ := strings.Cut(paper, "report:\n")
	put(t, filepath.Join(dir, "paper.yaml"), experiment+strings.TrimPrefix(drafts, "\n"))
	run := filepath.Join(dir, "run")
	x.ok("run", filepath.Join(dir, "paper.yaml"), "--out", run)
	var text strings.Builder
	text.WriteString("\\documentclass[twocolumn]{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs,graphicx}\n\\begin{document}\nTables " +
		"\\ref{tab:main}, \\ref{tab:pairs-pairs} and \\ref{tab:steps}.\n")
	for _, name := range []string{"main", "pairs", "steps"} {
		tex, _ := x.ok("report", run, "--table", name, "--format", "latex")
		put(t, filepath.Join(dir, name+".tex"), tex)
		text.WriteString("\\input{" + name + "}\n")
	}
	figures, err := filepath.Glob(filepath.Join(run, "figures", "*.pdf"))
	if err != nil || len(figures) != 4 {
		t.Fatalf("figures %v, %v, want four", figures, err)
	}
	for _, f := range figures {
		text.WriteString("\\begin{figure}\n\\includegraphics{\\detokenize{" + strings.TrimSuffix(f, ".pdf") + "}.pdf}\n\\caption{One.}\n\\end{figure}\n")
	}
	text.WriteString("\\end{document}\n")
	put(t, filepath.Join(dir, "draft.tex"), text.String())
	for range 2 { // references take two
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, command, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "draft.tex")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out[max(0, len(out)-1500):])
		}
	}
	log, err := os.ReadFile(filepath.Join(dir, "draft.log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range regexp.MustCompile(`(?m)^(?:Overfull .*|LaTeX Warning: Reference .*|.*multiply defined.*)$`).FindAllString(string(log), -1) {
		t.Error(bad)
	}
}
