package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"tenfold/engines/all"
	"tenfold/reports/supplement"
	"tenfold/runner/tune"
)

// Every publication that an engine, or a section beside one, goes back to stands in the bibliography.
func TestCitationsAreKnown(t *testing.T) {
	t.Parallel()
	engines, err := all.Engines()
	if err != nil {
		t.Fatal(err)
	}
	cites := map[string]string{"tune": tune.Kind.Cite}
	for name, kind := range engines {
		cites[name] = kind.Cite
	}
	for _, w := range all.Wrappers().Around {
		cites[w.Key()] = w.Kind.Cite
	}
	for name, cite := range cites {
		if _, unknown := supplement.Cited(cite); unknown != nil {
			t.Errorf("%s: reports/supplement/references.bib lacks %q", name, unknown)
		}
	}
}

// foldsOf is the section folds.
type foldsOf struct {
	Kind, By, Gap string
	K             int
	Test          float64
}

// experimentOf is what a description of methods can be held to.
type experimentOf struct {
	Name, Title string
	Seed        int
	Datasets    []struct {
		Name, Format string
		Prepare      struct{ Missing, Scale string }
		Features     struct{ Cutoff int }
		Folds        foldsOf
	}
	Folds      foldsOf
	Algorithms []struct {
		Name, Engine  string
		Params        map[string]any
		Grid          map[string][]any
		Tune          map[string]any
		Select, Refit struct{ Engine string }
	}
	Metrics []string
	Report  struct {
		Tables []struct{ Baseline, Test string }
	}
}

// What the description of methods says of five experiments is what their files and their results say.
func TestMethodsAreTrue(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"quickstart", "churn", "tpc-synthetic", "stability", "lars-diabetes"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if slices.Contains([]string{"stability", "lars-diabetes"}, name) && os.Getenv("TENFOLD_DATA") == "" {
				t.Skip("TENFOLD_DATA is not set")
			}
			x, _ := newTool(t)
			dir := t.TempDir()
			path := "experiments/" + name + ".yaml"
			var e experimentOf
			if err := yaml.Unmarshal([]byte(read(t, path)), &e); err != nil {
				t.Fatal(err)
			}
			out, _ := x.ok("run", path, "--out", filepath.Join(dir, "run"))
			digest := regexp.MustCompile(`(?m)^digest (sha256:\w+)$`).FindStringSubmatch(out)[1]
			listed, _ := x.ok("supplement", filepath.Join(dir, "run"), "--out", filepath.Join(dir, "s"))
			wants(t, listed, "supplement.md", "results.csv", "features.csv", "folds.csv", "parameters.csv", "versions.csv", "references.bib")
			text := read(t, filepath.Join(dir, "s", "supplement.md"))
			want := []string{"# " + e.Title + "\n", fmt.Sprintf("from the experiment file %s with the seed %d", e.Name, e.Seed), digest}
			for _, d := range e.Datasets {
				want = append(want, fmt.Sprintf("The data set %s (format %s) has ", d.Name, d.Format))
				if d.Features.Cutoff > 0 {
					want = append(want, fmt.Sprintf("fewer than %d training rows", d.Features.Cutoff))
				}
				folds := d.Folds
				if folds == (foldsOf{}) {
					folds = e.Folds
				}
				switch folds.Kind {
				case "", "given":
					want = append(want, "the division into training and test rows that the data give")
				case "kfold":
					want = append(want, fmt.Sprintf("by %d-fold cross-validation", folds.K))
				case "time":
					want = append(want, fmt.Sprintf("the last %g %% of the rows in order of time", 100*folds.Test), "a gap of "+folds.Gap)
				default:
					t.Errorf("folds of kind %s are not held to the file", folds.Kind)
				}
				if folds.By != "" {
					want = append(want, fmt.Sprintf("all rows of a %s on one side", folds.By))
				}
				if d.Prepare.Missing != "" {
					want = append(want, "filled in with the "+d.Prepare.Missing)
				}
			}
			for _, a := range e.Algorithms {
				engine := a.Engine
				if engine == "" {
					engine = a.Select.Engine
					want = append(want, "on whose columns is fitted the engine "+a.Refit.Engine)
				}
				want = append(want, fmt.Sprintf("%s is the engine %s", a.Name, engine))
				for parameter, values := range a.Grid {
					want = append(want, fmt.Sprintf("%s of %v", parameter, values[0]))
				}
				for parameter := range a.Tune {
					if _, known := map[string]bool{"k": true, "metric": true, "choose": true, "repeats": true, "search": true, "draws": true}[parameter]; !known {
						want = append(want, parameter)
					}
				}
				if k, ok := a.Tune["k"]; ok {
					want = append(want, fmt.Sprintf("chosen by %v-fold cross-validation inside it", k))
				}
				if metric, ok := a.Tune["metric"]; ok {
					want = append(want, fmt.Sprintf("inside it, by %v, among", metric))
				}
			}
			want = append(want, e.Metrics...)
			for _, table := range e.Report.Tables {
				if table.Baseline != "" {
					want = append(want, "Differences from "+table.Baseline+" were tested by the ")
				}
				if words, ok := map[string]string{"nadeau-bengio": "corrected t-test of Nadeau", "bootstrap": "bootstrap of the test rows"}[table.Test]; ok {
					want = append(want, words)
				}
			}
			wants(t, text, want...)
			features := read(t, filepath.Join(dir, "s", "features.csv"))
			wants(t, features, "dataset,algorithm,output,feature,class,folds_selecting,folds,frequency,mean_rank,mean_coefficient,sd_coefficient,sign,stability,")
			if strings.Count(features, "\n") < 2 {
				t.Error("no feature is selected")
			}
			for _, key := range regexp.MustCompile(`(?m)^@\w+\{(\w+),`).FindAllStringSubmatch(read(t, filepath.Join(dir, "s", "references.bib")), -1) {
				year := key[1][len(key[1])-4:]
				if !strings.Contains(text, year) && !strings.Contains("holm1979 nogueira2018 efron1979 nadeau2003 nemenyi1963 friedman1937", key[1]) {
					t.Errorf("references.bib has %s, and the text does not name it", key[1])
				}
			}
		})
	}
}

// What decides around an engine is said in words: class weights, costs, a cut that was chosen.
func TestDecisionsInWords(t *testing.T) {
	t.Parallel()
	x, spec := newTool(t)
	dir := t.TempDir()
	spec = filepath.Join(filepath.Dir(spec), "decisions.yaml")
	if err := os.WriteFile(spec, []byte(`tenfold: 1
name: decisions
datasets: [{name: made, format: synthetic, rows: 800, seed: 3, target: {binarize: train-mean}, features: {cutoff: 3}}]
folds: {kind: kfold, k: 2}
algorithms:
  - {name: balanced, engine: logistic, class_weight: balanced}
  - {name: weighted, engine: logistic, class_weight: {"1": 3}}
  - {name: by cost, engine: logistic, decide: cost}
  - {name: cut, engine: logistic, tune: {threshold: {metric: f1}}}
metrics: [accuracy, {name: cost, matrix: {"1": {"0": 5}, "0": {"1": 1}}}]
`), 0o644); err != nil {
		t.Fatal(err)
	}
	x.ok("run", spec, "--out", filepath.Join(dir, "run"))
	x.ok("supplement", filepath.Join(dir, "run"), "--out", filepath.Join(dir, "s"))
	text := read(t, filepath.Join(dir, "s", "supplement.md"))
	wants(t, text, "In its fits all levels of the response weighed the same.", "In its fits the rows of levels had the weights {1: 3}.",
		"It predicts the level of the least expected cost by its probabilities.", "the cut above which it predicts the positive level was chosen by cross-validation inside it, by f1.")
	if strings.Contains(text, "revision") && strings.Contains(text, ".revision ") || strings.Contains(text, "parameters were chosen") {
		t.Error(text)
	}
}

// TestSite: runs become static pages, rendered anew; what is no run is an error.
func TestSite(t *testing.T) {
	t.Parallel()
	x, spec := newTool(t)
	dir := t.TempDir()
	run, site := filepath.Join(dir, "run"), filepath.Join(dir, "public")
	x.ok("run", spec, "--only", "mean", "--out", run)
	if err := os.WriteFile(filepath.Join(run, "report.html"), []byte("forged"), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ := x.ok("site", run, "--out", site, "--title", "Ours")
	wants(t, out, filepath.Join(site, "small", "index.html")+" from "+run, filepath.Join(site, "index.html"))
	wants(t, read(t, filepath.Join(site, "index.html")), "<h1>Ours</h1>", `href="small/index.html"`, "failed or missing", "sha256:")
	if page := read(t, filepath.Join(site, "small", "index.html")); strings.Contains(page, "forged") || !strings.Contains(page, "</html>") {
		t.Errorf("the report is %.200q", page)
	}
	for want, args := range map[string][]string{"--out is missing": {"site", run}, "no such folder": {"site", filepath.Join(dir, "none"), "--out", site}} {
		if code, _, errs := x.run(args...); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%q: code %d, %s", args, code, errs)
		}
	}
}
