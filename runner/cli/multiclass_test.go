package cli_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/runner/cli/app"
)

// senses is an experiment on three classes.
const senses = `tenfold: 1
name: senses
seed: 4
datasets:
  - {name: words, format: csv, files: {train: train.csv, test: test.csv}, columns: {id: n}, target: {column: sense, type: class}}
folds: {kind: given}
algorithms:
  - {name: logistic, engine: logistic, params: {c2: 0.5}, multiclass: one-vs-rest}
  - {name: mdl, engine: mdl, multiclass: one-vs-rest}
  - {name: simes, engine: simes, multiclass: one-vs-rest}
metrics: [accuracy, log_loss, selected]
`

// newSenses writes the experiment and its data: columns of ones that hint at one of three senses.
func newSenses(t *testing.T) desk {
	d := newDesk(t, senses)
	rng := rand.New(rand.NewPCG(5, 6))
	for i, name := range []string{"train.csv", "test.csv"} {
		rows := []int{90, 30}[i]
		var table strings.Builder
		table.WriteString("n,a,b,c,d,e,f,sense\n")
		for i := range rows {
			sense := rng.IntN(3)
			fmt.Fprintf(&table, "%s%d", name[:2], i)
			for j := range 6 {
				hint := 0
				if j == sense && rng.Float64() < 0.8 || rng.Float64() < 0.15 {
					hint = 1
				}
				fmt.Fprintf(&table, ",%d", hint)
			}
			fmt.Fprintf(&table, ",%s\n", []string{"arrest", "capture", "kill"}[sense])
		}
		d.write(name, table.String())
	}
	return d
}

// saying is what a unit says of the test rows and of its columns.
type saying struct {
	score    map[string]float64 // by row; of the class predicted, or of the task's class
	label    map[string]string
	selected []string
}

func sayings(t *testing.T, dir string) map[string]saying {
	t.Helper()
	tables, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	all := map[string]saying{}
	for i := range tables.Rows {
		r := &tables.Rows[i]
		p, err := tables.Predictions(r)
		if err != nil {
			t.Fatal(err)
		}
		selected, err := tables.Selected(r)
		if err != nil {
			t.Fatal(err)
		}
		s := saying{score: map[string]float64{}, label: map[string]string{}}
		for k, row := range p.Row {
			s.score[row], s.label[row] = p.Score[k], p.PredictionLabel[k]
		}
		for _, c := range selected {
			s.selected = append(s.selected, fmt.Sprint(c.Output, " ", c.Feature, " ", c.Rank, " ", c.Coefficient, " ", c.Score))
		}
		all[r.Algorithm+" on "+r.Dataset] = s
	}
	return all
}

// One model a level is the separate fits of each level against the rest, bit for bit but for the rounding of probabilities, which
// are divided as logarithms.
func TestOneVsRest(t *testing.T) {
	t.Parallel()
	d := newSenses(t)
	binary := filepath.Join(t.TempDir(), "binary")
	out, _ := d.ok("run", d.spec, "--out", d.dir, "--jobs", "2")
	one, _ := d.ok("run", d.spec, "--out", t.TempDir(), "--jobs", "1")
	if digest(one) != digest(out) {
		t.Errorf("two workers: %s, one: %s", digest(out), digest(one))
	}
	d.ok("run", d.spec, "--out", binary, "--set", "datasets.words.family=one-vs-rest",
		"--set", "algorithms.logistic.multiclass=own", "--set", "algorithms.mdl.multiclass=own", "--set", "algorithms.simes.multiclass=own")
	whole, tasks := sayings(t, d.dir), sayings(t, binary)
	if len(whole) != 3 || len(tasks) != 9 {
		t.Fatalf("%d and %d fits", len(whole), len(tasks))
	}
	levels := []string{"arrest", "capture", "kill"}
	for _, algorithm := range []string{"logistic", "mdl", "simes"} {
		got, want := whole[algorithm+" on words"], []string(nil)
		for row, score := range got.score {
			sum, best, label := 0.0, -1.0, ""
			for _, level := range levels {
				p := tasks[algorithm+" on words/"+level+" vs rest"].score[row]
				if sum += p; p > best {
					best, label = p, level
				}
			}
			if !(math.Abs(score-best/sum) <= 1e-14*score) || got.label[row] != label {
				t.Errorf("%s, row %s: %s with %v, want %s with %v", algorithm, row, got.label[row], score, label, best/sum)
			}
		}
		for _, level := range levels {
			want = append(want, tasks[algorithm+" on words/"+level+" vs rest"].selected...)
		}
		if len(got.score) != 30 || len(want) < 3 || !slices.Equal(got.selected, want) {
			t.Errorf("%s: %d rows, selected\n%q, want\n%q", algorithm, len(got.score), got.selected, want)
		}
	}
	_, errs := d.ok("run", d.spec, "--out", d.dir)
	wants(t, errs, "0 to run, 3 cached")
	plan, _ := d.ok("plan", d.spec, "--out", d.dir, "--only", "logistic", "--set", "algorithms.logistic.multiclass=own")
	wants(t, plan, "1 to run", "changed: params: multiclass is default, was \"one-vs-rest\"")
	wants(t, d.read(filepath.Join(d.dir, "report.html")), "multiclass", "arrest against the rest: evaluations")
}

func TestOneVsRestIsSuggested(t *testing.T) {
	t.Parallel()
	d := newSenses(t)
	for _, own := range []string{"algorithms.mdl.multiclass=own", "algorithms.simes.multiclass=own"} {
		code, _, errs := d.run("plan", d.spec, "--set", own)
		if code != app.ExitInvalid {
			t.Errorf("%s: exit code %d", own, code)
		}
		wants(t, errs, "it needs a target of 2 levels, sense has 3 (levels arrest, capture, kill); multiclass: one-vs-rest takes any number")
	}
	code, _, errs := d.run("validate", d.spec, "--set", "algorithms.0.engine=ols", "--set", "algorithms.0.params={}")
	if code != app.ExitInvalid {
		t.Errorf("exit code %d", code)
	}
	wants(t, errs, "takes real targets only")
}
