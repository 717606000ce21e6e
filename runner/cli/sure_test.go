package cli_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/runner/cli/app"
)

// sure is an experiment on counts of long documents, of which naive Bayes is sure beyond the digits of a probability.
const sure = `tenfold: 1
name: sure
seed: 1
datasets:
  - {name: two, format: csv, files: {all: two.csv}, columns: {id: id}, target: {column: "y", positive: b}}
  - {name: three, format: csv, files: {all: three.csv}, columns: {id: id}, target: {column: "y"}}
folds: {kind: kfold, k: 2}
algorithms:
  - {name: bayes, engine: naive-bayes}
  - {name: tuned, engine: naive-bayes, tune: {smooth: [0.01, 1], k: 2}}
  - {name: sides, engine: naive-bayes, multiclass: one-vs-rest}
metrics: [accuracy, roc_auc, pr_auc, log_loss, brier_score, ece]
report:
  tables: [{rows: algorithm, columns: metric, cells: "{value} of {value.n}"}]
`

// document is the counts of six words in a text of so many, of a class; share is how much of what sets the classes apart it has.
func document(class, classes, length int, share float64, i int) []int {
	out := make([]int, 6)
	for j := range out {
		p := 1. / 6
		if j%classes == class {
			p += share * 0.1
		} else {
			p -= share * 0.1 / float64(classes-1)
		}
		out[j] = int(p*float64(length)) + (i*7+j*3)%5
	}
	return out
}

func newSure(t *testing.T) desk {
	d := newDesk(t, sure)
	for name, classes := range map[string]int{"two": 2, "three": 3} {
		var text strings.Builder
		text.WriteString("id,w0,w1,w2,w3,w4,w5,y\n")
		for i := range 24 * classes {
			class, length, share := i%classes, 2000+500*(i%11), 0.5+0.04*float64(i%9)
			if i%11 == 5 { // of another class than its label says, and long
				class, length = (class+1)%classes, 30_000
			}
			fmt.Fprintf(&text, "r%d", i)
			for _, n := range document(class, classes, length, share, i) {
				fmt.Fprintf(&text, ",%d", n)
			}
			fmt.Fprintf(&text, ",%c\n", 'a'+i%classes)
		}
		d.write(name+".csv", text.String())
	}
	return d
}

// Losses of hundreds of nats and ranks by log-odds go all the way: into the results, the predictions, the report.
func TestSureModels(t *testing.T) {
	t.Parallel()
	d := newSure(t)
	out, _ := d.ok("run", d.spec, "--out", d.dir)
	if again, _ := d.ok("run", d.spec, "--jobs", "1", "--out", d.path("again")); digest(again) != digest(out) {
		t.Errorf("one worker: %s, several: %s", digest(again), digest(out))
	}
	tables, err := results.Read(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	if len(tables.Rows) != 12 {
		t.Fatalf("%d rows", len(tables.Rows))
	}
	saturated, worst := 0, map[string]float64{} // by data set, the largest loss of a row
	for i := range tables.Rows {
		r := &tables.Rows[i]
		name := fmt.Sprintf("%s on %s, fold %d", r.Algorithm, r.Dataset, r.Fold)
		p, err := tables.Predictions(r)
		if err != nil || len(p.LogProbability) != len(p.Row) || (p.Margin != nil) != (r.Dataset == "two") {
			t.Fatalf("%s: %v, %d log-probabilities, %d margins, %d rows", name, err, len(p.LogProbability), len(p.Margin), len(p.Row))
		}
		loss := 0.0
		for _, l := range p.LogProbability {
			loss, worst[r.Dataset] = loss-l/float64(len(p.Row)), max(worst[r.Dataset], -l)
		}
		if got, ok := r.Metric("log_loss"); !ok || !(math.Abs(got-loss) <= 1e-9*loss) {
			t.Errorf("%s: log-loss %v, that of the rows is %v", name, got, loss)
		}
		if r.Dataset != "two" {
			continue
		}
		brier := 0.0
		for _, l := range p.LogProbability {
			brier += 2 * math.Expm1(l) * math.Expm1(l) / float64(len(p.Row))
		}
		if got, ok := r.Metric("brier_score"); !ok || !(math.Abs(got-brier) <= 1e-12) {
			t.Errorf("%s: Brier score %v, that of the rows is %v", name, got, brier)
		}
		if got, ok := r.Metric("ece"); !ok || got <= 0 || got > 0.5 {
			t.Errorf("%s: calibration error %v", name, got)
		}
		area, ties := areaOf(p)
		if got, ok := r.Metric("roc_auc"); !ok || !(math.Abs(got-area) <= 1e-12) || ties > 0 {
			t.Errorf("%s: area %v, that of the margins is %v with %d ties", name, got, area, ties)
		}
		for k, score := range p.Score {
			if score == 0 || score == 1 {
				saturated++
			}
			if want := 1 / (1 + math.Exp(-p.Margin[k])); !(math.Abs(score-want) <= 1e-12) {
				t.Errorf("%s, row %s: probability %v of log-odds %v", name, p.Row[k], score, p.Margin[k])
			}
		}
	}
	if saturated < 10 || worst["two"] < 745 || worst["three"] < 745 || math.IsInf(worst["two"]+worst["three"], 0) {
		t.Errorf("%d probabilities are 0 or 1, the largest losses %v: the test needs more, and finite ones", saturated, worst)
	}
	report := d.read(d.path("run/report.md"))
	if strings.Contains(report, " of 1 ") || strings.Count(report, " – |") != 6 { // both areas, of three classes {
		t.Errorf("a metric is undefined on some fold:\n%s", report)
	}
}

// areaOf is the area under the ROC curve of the margins by its definition, and how many pairs of rows of both levels tie.
func areaOf(p results.Predictions) (area float64, ties int) {
	pairs := 0.0
	for i, a := range p.TruthLabel {
		for j, b := range p.TruthLabel {
			if a != "b" || b != "a" {
				continue
			}
			pairs++
			switch cmp.Compare(p.Margin[i], p.Margin[j]) {
			case 1:
				area++
			case 0:
				area, ties = area+0.5, ties+1
			}
		}
	}
	return area / pairs, ties
}

// A level that the model rules out, since no training row has it, has an infinite loss where a test row has it after all: that is
// ∞ in results, means and tables, a note, and −∞ in the predictions.
func TestImpossibleLevel(t *testing.T) {
	t.Parallel()
	d := newDesk(t, strings.NewReplacer("k: 2}\nalgorithms:", "k: 3}\nalgorithms:", "  - {name: three, format: csv, files: {all: three.csv}, columns: {id: id}, target: {column: \"y\"}}\n", "",
		", positive: b", "", "roc_auc, pr_auc, ", "").Replace(sure)) // two.csv has a third level, once
	d.write("two.csv", "id,a,b,y\n1,1,0,x\n2,2,1,y\n3,1,2,x\n4,0,1,y\n5,3,1,x\n6,1,5,y\n7,2,2,x\n8,1,1,z\n9,1,3,y\n10,3,2,x\n11,1,4,y\n12,2,0,x\n")
	d.ok("run", d.spec, "--out", d.dir, "--set", "algorithms.tuned.tune.k=3")
	tables, err := results.Read(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	found := 0
	for i := range tables.Rows {
		r := &tables.Rows[i]
		p, err := tables.Predictions(r)
		if err != nil {
			t.Fatal(err)
		}
		loss, has := r.Metric("log_loss")
		note := "1 of 4 test rows have a level to which the model gives probability 0"
		at := slices.Index(p.TruthLabel, "z")
		if !has || math.IsInf(loss, 1) != (at >= 0) || strings.Contains(strings.Join(r.Notes, "\n"), note) != (at >= 0) {
			t.Errorf("%s, fold %d: log-loss %v, notes %q", r.Algorithm, r.Fold, loss, r.Notes)
		}
		if at >= 0 {
			found++
			if !math.IsInf(p.LogProbability[at], -1) {
				t.Errorf("%s: log-probability %v", r.Algorithm, p.LogProbability[at])
			}
		}
	}
	if found != 3 {
		t.Errorf("%d fits have the level in their test rows alone", found)
	}
	wants(t, d.read(d.path("run/report.md")), "∞: log_loss is infinite on some folds (probability 0 of what happened)", "their log-loss is infinite")
}

// The rows of one fold are resampled for log-loss: in tables, and by the gate, whose baseline has sums of them.
func TestLogLossOfOneFold(t *testing.T) {
	t.Parallel()
	d := newSure(t)
	d.write("x.yaml", strings.NewReplacer("{kind: kfold, k: 2}", "{kind: holdout, test: 0.4}", "metrics: [", "gate: [{metric: log_loss, margin: {relative: 0.02}, test: bootstrap}]\nmetrics: [",
		`columns: metric, cells: "{value} of {value.n}"`, `columns: dataset, cells: "{log_loss} [{log_loss.low}, {log_loss.high}]", baseline: bayes, test: bootstrap`).Replace(sure))
	d.ok("run", d.spec, "--out", d.dir)
	report := d.read(d.path("run/report.md"))
	if wants(t, report, "bootstrap of the test rows of one fold"); strings.Contains(report, "[–") {
		t.Errorf("no interval:\n%s", report)
	}
	d.accept()
	wants(t, d.read(d.baseline), "log_loss", "blocks")
	if got := d.judge(app.ExitOK); got.Counts["pass"] != 6 {
		t.Errorf("%+v", got)
	}
}
