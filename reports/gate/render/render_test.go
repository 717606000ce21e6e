package render

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/gate"
	"tenfold/reports/paired"
	"tenfold/runner/metric"
)

// described is the source of rows that carry their parts, with what tenfold knows of its metrics.
var described = cells.InRows{Metrics: metric.Described(nil)}

// cell returns a cell with one row a value of test_mse, on 10-fold-like parts, which change changes afterwards.
func cell(algorithm string, values []float64, change ...func(*results.Row)) *cells.Cell {
	c := &cells.Cell{Dataset: "d", Algorithm: algorithm, Key: algorithm, Folds: len(values)}
	for i, v := range values {
		r := &results.Row{Label: results.Label{Dataset: "d", Algorithm: algorithm, Fold: int32(i), FoldDigest: fmt.Sprint("fold", i), DatasetDigest: "data of d",
			Unit: fmt.Sprint(algorithm, " ", i)}}
		r.Status, r.RowsTrain, r.RowsTest = results.OK, 90, 10
		r.Scores = []results.Score{{Metric: "test_mse", Point: -1, Value: v}}
		for _, f := range change {
			f(r)
		}
		c.Rows = append(c.Rows, r)
	}
	return c
}

var ten = []float64{1.31, 1.28, 1.35, 1.30, 1.33, 1.29, 1.34, 1.27, 1.32, 1.36}

// plus returns ten shifted by the amounts in turn.
func plus(shift ...float64) []float64 {
	out := slices.Clone(ten)
	for i := range out {
		out[i] += shift[i%len(shift)]
	}
	return out
}

// accepted returns a baseline of cells.
func accepted(t *testing.T, r gate.Rule, cs ...*cells.Cell) *gate.Baseline {
	t.Helper()
	b, _, err := gate.Accept(gate.Input{Source: described, Experiment: "x", Rules: []gate.Rule{r}, Cells: cs})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// worse returns a verdict that fails, without numbers.
func worse(algorithm, words string) gate.Verdict {
	none, nan := gate.Value{Mean: math.NaN(), SE: math.NaN()}, math.NaN()
	return gate.Verdict{Dataset: "d", Algorithm: algorithm, Metric: "m", Status: gate.Regression, Words: words, Present: none, Reference: none,
		Difference: nan, Margin: nan, PWorse: nan, PBetter: nan, PWithin: nan, Detectable: nan}
}

// rendered returns outcomes in every form, none of which may show what is no number.
func rendered(t *testing.T, outcomes ...gate.Outcome) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text":     func(b *bytes.Buffer) error { return Text(b, outcomes, false) },
		"verbose":  func(b *bytes.Buffer) error { return Text(b, outcomes, true) },
		"markdown": func(b *bytes.Buffer) error { return Markdown(b, outcomes) },
		"junit":    func(b *bytes.Buffer) error { return JUnit(b, outcomes, nil, time.Unix(0, 0)) },
		"json":     func(b *bytes.Buffer) error { return json.NewEncoder(b).Encode(outcomes) },
		"github": func(b *bytes.Buffer) error {
			return GitHub(b, outcomes, func(outcome, rule int) (string, int) { return "a,b:c%.yaml", 10 + rule })
		},
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if out[name] = b.String(); strings.Contains(out[name], "NaN") || strings.Contains(out[name], "Inf") {
			t.Errorf("%s:\n%s", name, out[name])
		}
	}
	return out
}

// mixed is an outcome with a bit of everything.
func mixed(t *testing.T) gate.Outcome {
	t.Helper()
	margin := 0.02
	r := gate.Rule{Metric: "test_mse"}
	r.SetDefaults()
	r.Margin, r.Test = paired.Margin{Relative: &margin}, paired.NameNadeauBengio
	before := []*cells.Cell{cell("worse", ten), cell("better", ten), cell("same", ten), cell("known|bad", ten), cell("unclear", ten), cell("failed", ten)}
	b := accepted(t, r, before...)
	e := b.Results["d"]["known|bad"]
	e.ExpectedFailure = "issue 7: <diverges> & \"stops\""
	b.Results["d"]["known|bad"] = e
	return gate.Check(gate.Input{Source: described, Experiment: "x", Rules: []gate.Rule{r}, Baseline: b, Cells: []*cells.Cell{
		cell("same", ten), cell("worse", plus(0.1, 0.12)), cell("better", plus(-0.1, -0.12)),
		cell("known|bad", plus(5)), cell("unclear", plus(0.2, -0.15)),
		cell("failed", ten, func(r *results.Row) { r.Status, r.Error = results.Failed, "bad\x00 luck" })}})
}

func TestText(t *testing.T) {
	o := mixed(t)
	got := rendered(t, o)
	lines := strings.Split(strings.TrimRight(got["text"], "\n"), "\n")
	for i, want := range []string{"data set", "regression", "inconclusive", "incomplete", "expected failure", "improvement", "", "fits: 0 run now, 60 stored", "x: worse: 1 regression, 1 inconclusive, 1 incomplete, 1 expected failure, 1 improvement, 1 pass"} {
		if i >= len(lines) || !strings.HasPrefix(strings.TrimSpace(lines[i]), want) {
			t.Fatalf("line %d, want %q:\n%s", i+1, want, got["text"])
		}
	}
	if strings.Contains(got["text"], " same ") || !strings.Contains(got["verbose"], " same ") {
		t.Errorf("what passes is shown where it should not be, or the other way:\n%s\n%s", got["text"], got["verbose"])
	}
}

func TestMarkdown(t *testing.T) {
	got := rendered(t, mixed(t))["markdown"]
	if !strings.HasPrefix(got, "<!-- tenfold check x -->\n") {
		t.Errorf("no mark:\n%s", got)
	}
	for _, want := range []string{"| **regression** | d | worse | test_mse |", `known\|bad`, "<details><summary>All comparisons (6)</summary>\n\n|", "</details>"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	for _, line := range strings.Split(got, "\n") {
		if strings.HasPrefix(line, "|") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 9 {
			t.Errorf("not 8 columns: %s", line)
		}
	}
	var many gate.Outcome
	many.Experiment = "big"
	for i := range 5000 {
		many.Verdicts = append(many.Verdicts, worse(fmt.Sprint("a", i), "worse"))
	}
	if big := rendered(t, many)["markdown"]; len(big) > 65536 || !strings.Contains(big, "more") {
		t.Errorf("%d characters", len(big))
	}
}

func TestJUnit(t *testing.T) {
	empty := gate.Outcome{Experiment: "nothing"}
	var doc struct {
		XMLName xml.Name `xml:"testsuites"`
		Suites  []struct {
			Name      string `xml:"name,attr"`
			Timestamp string `xml:"timestamp,attr"`
			Tests     int    `xml:"tests,attr"`
			Failures  int    `xml:"failures,attr"`
			Errors    int    `xml:"errors,attr"`
			Skipped   int    `xml:"skipped,attr"`
			Out       string `xml:"system-out"`
			Cases     []struct {
				Class   string    `xml:"classname,attr"`
				Name    string    `xml:"name,attr"`
				Failure *xmlEntry `xml:"failure"`
				Error   *xmlEntry `xml:"error"`
				Skipped *xmlEntry `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	text := rendered(t, mixed(t), empty)["junit"]
	if err := xml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	s := doc.Suites[0]
	if s.Tests != 6 || len(s.Cases) != 6 || s.Failures != 2 || s.Errors != 1 || s.Skipped != 1 || s.Timestamp != "1970-01-01T00:00:00" {
		t.Errorf("got %+v", s)
	}
	if !strings.Contains(s.Out, "x: worse: 1 regression") || !strings.Contains(s.Out, " same ") {
		t.Errorf("the whole outcome is not there: %q", s.Out)
	}
	for _, c := range s.Cases {
		good := map[string]bool{
			"same test_mse": c.Failure == nil && c.Error == nil && c.Skipped == nil, "worse test_mse": c.Failure != nil && c.Failure.Type == "regression",
			"better test_mse": c.Failure == nil && c.Error == nil, "known|bad test_mse": c.Skipped != nil && strings.Contains(c.Skipped.Message, `<diverges> & "stops"`),
			"unclear test_mse": c.Failure != nil && c.Failure.Type == "inconclusive", "failed test_mse": c.Error != nil && strings.Contains(c.Error.Message, "failed: bad"),
		}[c.Name]
		if !good || c.Class != "d" {
			t.Errorf("%s %s: %+v", c.Class, c.Name, c)
		}
	}
	if got := headline(&empty); got != "nothing: incomplete: nothing was compared" {
		t.Error(got)
	}
	if n := doc.Suites[1]; n.Tests != 1 || n.Errors != 1 {
		t.Errorf("nothing measured: %+v", n)
	}
}

type xmlEntry struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
}

func TestGitHub(t *testing.T) {
	got := rendered(t, mixed(t))["github"]
	want := "::error file=a%2Cb%3Ac%25.yaml,line=10,title=x%3A regression::d, worse, test_mse: worse by 0.11"
	if !strings.HasPrefix(got, want) || strings.Count(got, "::error ") != 3 || strings.Count(got, "::notice ") != 1 {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	var many gate.Outcome
	for range 13 {
		many.Verdicts = append(many.Verdicts, worse("", "100 %\nworse"))
	}
	got = rendered(t, many)["github"]
	if strings.Count(got, "::error ") != 10 || !strings.Contains(got, "and 3 more of level error") || !strings.Contains(got, `100 %25\nworse`) {
		t.Errorf("got\n%s", got)
	}
}

// Why a verdict fails stands in every form.
func TestWordsAreShown(t *testing.T) {
	o := gate.Outcome{Experiment: "x", Verdicts: []gate.Verdict{worse("a", "not the same folds: 1 of 3 have other rows now")}}
	for format, text := range rendered(t, o) {
		if !strings.Contains(text, o.Verdicts[0].Words) {
			t.Errorf("%s does not say why:\n%s", format, text)
		}
	}
}

// Imported and optimistic numbers are marked in each table, recorded ones, too, with a legend.
func TestMarks(t *testing.T) {
	r := gate.Rule{Metric: "test_mse"}
	r.SetDefaults()
	imported, optimistic := func(r *results.Row) { r.Engine = results.ImportEngine }, func(r *results.Row) { r.Optimistic = true }
	in := gate.Input{Source: described, Experiment: "x", Rules: []gate.Rule{r}, Cells: []*cells.Cell{cell("a", ten, imported), cell("b", ten)},
		Baseline: accepted(t, r, cell("a", ten), cell("b", ten, optimistic))}
	got := rendered(t, gate.Check(in))
	for _, want := range []string{"1.315 ± 0.014 ‖", "1.315 ± 0.014 †", cells.ImportedLegend, cells.OptimisticLegend} {
		if !strings.Contains(got["text"], want) || !strings.Contains(got["markdown"], want) {
			t.Errorf("no %s in\n%s\n%s", want, got["text"], got["markdown"])
		}
	}
	if !strings.Contains(got["json"], `"marks":"‖"`) || !strings.Contains(got["json"], `"marks":"†"`) {
		t.Error(got["json"])
	}
	in.Cells = []*cells.Cell{cell("a", ten)}
	if text := rendered(t, gate.Check(in))["text"]; strings.Contains(text, "†") {
		t.Errorf("a legend of a mark that no line shows:\n%s", text)
	}
}

// The table of what accepting changed calls cells new and gone that the baseline before, or the experiment now, does not have.
func TestChangesOfCells(t *testing.T) {
	r := gate.Rule{Metric: "test_mse"}
	r.SetDefaults()
	o := gate.Check(gate.Input{Source: described, Rules: []gate.Rule{r}, Cells: []*cells.Cell{cell("b", ten)}, Baseline: accepted(t, r, cell("a", ten))})
	var text strings.Builder
	if err := Changes(&text, &o); err != nil {
		t.Fatal(err)
	}
	if got := text.String(); !strings.Contains(got, "\nnew  ") || !strings.Contains(got, "\ngone ") || strings.Contains(got, "incomplete") || strings.Contains(got, "accept it") {
		t.Errorf("\n%s", got)
	}
}

func TestJSON(t *testing.T) {
	var doc []struct {
		Experiment, Status string
		Counts             map[string]int
		Verdicts           []struct {
			Rule    *int
			Status  string
			Fails   bool
			Present struct{ Mean, SE *float64 }
			P       *float64 `json:"p_worse"`
		}
	}
	text := rendered(t, mixed(t))["json"]
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	o := doc[0]
	if o.Status != "regression" || len(o.Verdicts) != 6 || o.Counts["pass"] != 1 || *o.Verdicts[0].Rule != 0 || o.Verdicts[0].P != nil || *o.Verdicts[1].P > 0.05 || !o.Verdicts[1].Fails {
		t.Errorf("got %s", text)
	}
}
