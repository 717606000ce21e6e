package gate

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"
	"time"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// rendered is an outcome in every form.
func rendered(t *testing.T, outcomes ...Outcome) map[string]string {
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
		out[name] = b.String()
	}
	return out
}

func noNaN(t *testing.T, o Outcome) {
	t.Helper()
	for name, text := range rendered(t, o) {
		if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// mixed is an outcome with a bit of everything.
func mixed(t *testing.T) Outcome {
	t.Helper()
	rules := []Rule{rule(func(r *Rule) { r.Margin, r.Test = relative(0.02), paired.NameNadeauBengio })}
	before := []*cells.Cell{cell("d", "worse", ten), cell("d", "better", ten), cell("d", "same", ten), cell("d", "known|bad", ten), cell("d", "unclear", ten), cell("d", "failed", ten)}
	b := accepted(t, rules, before...)
	e := b.Results["d"]["known|bad"]
	e.ExpectedFailure = "issue 7: <diverges> & \"stops\""
	b.Results["d"]["known|bad"] = e
	return Check(Input{Source: described, Experiment: "x", Rules: rules, Baseline: b, Cells: []*cells.Cell{
		cell("d", "same", ten), cell("d", "worse", plus(ten, 0.1, 0.12)), cell("d", "better", plus(ten, -0.1, -0.12)),
		cell("d", "known|bad", plus(ten, 5)), cell("d", "unclear", plus(ten, 0.2, -0.15)),
		cell("d", "failed", ten, func(r *results.Row) { r.Status, r.Error = results.Failed, "bad\x00 luck" })}})
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
	var many Outcome
	many.Experiment = "big"
	for i := range 5000 {
		v := indexedRule{Rule{Metric: "m"}, 0}.newVerdict(labelledCell{dataset: "d", algorithm: fmt.Sprint("a", i)}).withStatus(Regression, "worse")
		many.Verdicts = append(many.Verdicts, v)
	}
	if big := rendered(t, many)["markdown"]; len(big) > 65536 || !strings.Contains(big, "more") {
		t.Errorf("%d characters", len(big))
	}
}

func TestJUnit(t *testing.T) {
	empty := Outcome{Experiment: "nothing"}
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
	if got := empty.Headline(); got != "nothing: incomplete: nothing was compared" {
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
	var many Outcome
	for range 13 {
		many.Verdicts = append(many.Verdicts, indexedRule{Rule{Metric: "m"}, -1}.newVerdict(labelledCell{dataset: "d"}).withStatus(Regression, "100 %%\nworse"))
	}
	got = rendered(t, many)["github"]
	if strings.Count(got, "::error ") != 10 || !strings.Contains(got, "and 3 more of level error") || !strings.Contains(got, `100 %25\nworse`) {
		t.Errorf("got\n%s", got)
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
