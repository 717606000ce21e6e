package cli_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tenfold/io/results"
)

// responses is an experiment on several responses at once: numbers and classes, of features in classes. The third class
// response has a single yes, and is left out of the fold that tests it.
const responses = `tenfold: 1
name: responses
seed: 5
datasets:
  - {name: numbers, format: csv, files: {all: data.csv}, columns: {id: id, drop: [C*]}, target: {columns: [T*]}, features: {classes: {names: "_"}}}
  - {name: classes, format: csv, files: {all: data.csv}, columns: {id: id, drop: [T*]}, target: {columns: [C*], type: class, constant: drop}, features: {classes: {names: "_"}}}
folds: {kind: kfold, k: 4}
algorithms:
  - {name: MDL, engine: mdl, params: {sigma: null}, grid: {code: [mic-partial, ric2, tpc]}}
  - {name: whole, engine: mdl, params: {code: mic-partial, search: mixed}}
  - {name: joint, engine: mdl, params: {code: mic-partial, covariance: shrunk}}
  - {name: alpha, engine: mdl, params: {search: alpha-investing}}
metrics: [test_r2, selected, description_length]
report:
  tables: [{rows: algorithm, columns: metric, cells: "{value}"}]
`

func newResponses(t *testing.T) desk {
	rng := rand.New(rand.NewPCG(1, 2))
	const groups, each = 3, 8
	var text strings.Builder
	text.WriteString("id")
	for g := range groups {
		for j := range each {
			fmt.Fprintf(&text, ",g%c_%d", 'a'+g, j)
		}
	}
	text.WriteString(",T1,T2,T3,C1,C2,C3\n")
	yes := map[bool]string{true: "yes", false: "no"}
	for i := range 120 {
		x := make([]float64, groups*each)
		fmt.Fprintf(&text, "r%d", i)
		for j := range x {
			x[j] = rng.NormFloat64()
			fmt.Fprintf(&text, ",%.4f", x[j])
		}
		e := func() float64 { return 0.5 * rng.NormFloat64() }
		a, b, c := 2*x[0]+x[8]+e(), x[0]-x[9]+e(), x[0]+e()
		fmt.Fprintf(&text, ",%.4f,%.4f,%.4f,%s,%s,%s\n", a, b, c, yes[a > 0], yes[b > 0], yes[i == 7])
	}
	d := newDesk(t, responses)
	d.write("data.csv", text.String())
	return d
}

// bookkeeping of a fit, from its stored rows.
type bookkeeping struct {
	features    map[string]bool
	saved, paid float64 // saved includes what the noise, estimated anew, saved
}

func bookkeepingOf(selected []results.Selected) bookkeeping {
	b := bookkeeping{features: map[string]bool{}}
	for _, s := range selected {
		b.features[s.Feature] = true
		b.saved += s.Bits.Saved + s.Bits.Refined
		b.paid += s.Bits.Paid()
	}
	return b
}

func TestSeveralResponses(t *testing.T) {
	t.Parallel()
	d := newResponses(t)
	out, _ := d.ok("run", d.spec, "--out", d.dir)
	again, _ := tool{t, t.TempDir()}.ok("run", d.spec, "--jobs", "1", "--out", d.path("again"))
	if digest(again) != digest(out) {
		t.Errorf("one worker: %s, several: %s", digest(again), digest(out))
	}
	report := d.read(d.path("run/report.md"))
	wants(t, report, "## Why features were taken", "| ga_0 ", "| targets |", "bits of description.", "MDL code=mic-partial")
	tables, err := results.Read(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	undefined := 0
	for i := range tables.Rows {
		undefined += checkResponses(t, tables, &tables.Rows[i])
	}
	if undefined != 3*6 { // on the folds without the one yes of C3, for each of the cells
		t.Errorf("a metric was undefined %d times", undefined)
	}
}

// checkResponses looks at all that is stored of a fit: scores, selections and predictions by output. It counts the outputs
// of which a metric is undefined.
func checkResponses(t *testing.T, tables *results.Tables, r *results.Row) (undefined int) {
	t.Helper()
	name := fmt.Sprint(r.Dataset, " ", r.Algorithm, " ", r.Params, " fold ", r.Fold)
	whole, err := tables.ReadAllParts(r)
	if err != nil || r.Status != results.OK {
		t.Fatalf("%s: %s %s %v", name, r.Status, r.Error, err)
	}
	metric := map[string]string{"numbers": "test_r2", "classes": "roc_auc"}[r.Dataset]
	sum, n := 0.0, 0
	for _, s := range whole.Scores {
		if s.Metric == metric && s.Output != "" {
			sum, n = sum+s.Value, n+1
		}
	}
	if mean, ok := r.Metric(metric); n > 0 && (!ok || !(math.Abs(mean-sum/float64(n)) <= 1e-12)) {
		t.Errorf("%s: %s is %v, the mean of %d outputs is %v", name, metric, mean, n, sum/float64(n))
	}
	p := map[string]int{}
	for k, output := range whole.Outcome.Predictions.Output {
		p[output]++
		if r.Dataset == "classes" && whole.Outcome.Predictions.TruthLabel[k] == "" {
			t.Fatalf("%s: no label", name)
		}
	}
	fact := ""
	for _, f := range whole.Outcome.Facts {
		if f.Name == results.WithoutMetric+metric {
			fact = f.Value
		}
	}
	if want := map[bool]string{true: fmt.Sprint(len(p)-n, " of ", len(p))}[n < len(p)]; fact != want {
		t.Errorf("%s: %d outputs have %s, the fact is %q", name, n, metric, fact)
	}
	if r.Dataset == "numbers" && len(p) != 3 || p["C1"] != p["C2"] || p["T1"]+p["C1"] != int(r.RowsTest) {
		t.Errorf("%s: predictions by output %v of %d rows", name, p, r.RowsTest)
	}
	b := bookkeepingOf(whole.Outcome.Selected)
	if int(r.Features) != len(b.features) || int(r.Nonzero) != len(whole.Outcome.Selected) || !b.features["ga_0"] {
		t.Errorf("%s: %d selected, %d coefficients; the rows have %d and %d", name, r.Features, r.Nonzero, len(b.features), len(whole.Outcome.Selected))
	}
	null, weighed := r.Metric("null_bits")
	length, _ := r.Metric("description_length")
	if weighed != (r.Algorithm != "alpha") {
		t.Errorf("%s: its description has a length: %v", name, weighed)
	}
	if weighed && !(math.Abs(null-b.saved+b.paid-length) <= 1e-9*null) {
		t.Errorf("%s: %v bits without features − %v saved + %v paid is not %v", name, null, b.saved, b.paid, length)
	}
	return len(p) - n
}
