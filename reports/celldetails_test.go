package reports

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"tenfold/io/results"
	"tenfold/reports/page"
)

// some is a run of n cells whose keys begin alike, as those of a foreign file may.
func some(n, folds int) Input {
	in := Input{Known: known, Name: "some", Metrics: []string{"mae"}}
	for i := range n {
		for fold := range int32(folds) {
			in.Rows = append(in.Rows, results.Row{
				Label: results.Label{Dataset: "d", Algorithm: fmt.Sprint("a", i), Engine: "ridge", Revision: 3, Cell: fmt.Sprintf("0123456789abcdef%04x", i),
					Params: `{"lambda":1,"scale":"sd"}`, Grid: []results.Param{{Name: "lambda", Value: 1.0}}, Fold: fold, FoldDigest: "f00d", Seed: 42},
				Outcome: results.Outcome{Status: results.OK, Scores: []results.Score{{Metric: "mae", Point: -1, Value: 2.5}}, Stop: "tol", Limit: time.Minute},
			})
		}
	}
	return in
}

func write(t *testing.T, format string, in Input) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, Config{}, in); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCellDetails(t *testing.T) {
	in := some(3, 2)
	for i := range in.Rows[:2] { // the same work under another name
		twin := in.Rows[i]
		twin.Algorithm = "twin"
		in.Rows = append(in.Rows, twin)
	}
	in.Rows[0].Optimistic, in.Rows[1].Status, in.Rows[1].Error = true, results.Failed, "first line\nsecond line"
	in.Spec = "my experiment.yaml"
	text := write(t, "html", in)
	for _, want := range []string{
		`<a href="#cell-0123456789ab"`, `<a href="#cell-0123456789ab-2"`, `<div id="cell-0123456789ab-3"`, // distinct, though they begin alike
		"d, a0 lambda=1 = d, twin lambda=1", "ridge, revision 3", "<mark>lambda=1</mark>", "<dt>scale</dt><dd>sd</dd>", "1m0s", "test rows took part in the fit",
		`data-value="2.5"`, ">42<", "f00d", "first line\nsecond line", "tenfold run &#39;my experiment.yaml&#39; --only 0123456789ab\n", "tenfold why 0123456789ab",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q", want)
		}
	}
	if n := strings.Count(text, "<details"); n != 3 {
		t.Errorf("%d details, want one for each key", n)
	}
	in.Spec = ""
	if strings.Contains(write(t, "html", in), "tenfold run") {
		t.Error("a command without the file's name")
	}
	if text := write(t, "markdown", in); strings.Contains(text, "tenfold why") || !strings.Contains(text, "## Cells\n\n"+cellsBrief+"\n") {
		t.Errorf("Markdown:\n%s", text)
	}
}

func TestManyCellsAreTold(t *testing.T) {
	text := write(t, "html", some(mostCells+7, 2))
	if n := strings.Count(text, "<details"); n != mostCells || !strings.Contains(text, "… and 7 cells more in results.parquet") {
		t.Errorf("%d details", n)
	}
	if want := `<td data-value="2.5" title="cell 0123456789ab">`; !strings.Contains(text, want) {
		t.Errorf("lacks %q", want)
	}
}

func TestForeignParameters(t *testing.T) {
	in := some(1, 2)
	for i := range in.Rows {
		in.Rows[i].Params = "not <JSON>"
	}
	if text := write(t, "html", in); !strings.Contains(text, "not &lt;JSON&gt;") {
		t.Error("what is stored is not shown")
	}
}

// The page repeats the colours of figures, light and dark, as a figure by itself has them.
func TestPageKnowsTheColoursOfFigures(t *testing.T) {
	text, _ := whole(t)
	dark := map[string]string{}
	for _, m := range regexp.MustCompile(`--tf-(\w+):(#[0-9a-f]{6})`).FindAllStringSubmatch(text, -1) {
		dark[m[1]] = m[2]
	}
	used := regexp.MustCompile(`var\(--tf-(\w+),(#[0-9a-f]{6})\)`).FindAllStringSubmatch(text, -1)
	if len(used) == 0 {
		t.Error("figures have no colours of the page")
	}
	for _, m := range used {
		if want := fmt.Sprintf("--tf-%s: light-dark(%s, %s)", m[1], m[2], dark[m[1]]); !strings.Contains(text, want) {
			t.Errorf("page.css lacks %s", want)
		}
	}
}

// The page of 10,000 cells on ten folds, without the tables that it shows.
func BenchmarkPage(b *testing.B) {
	r := newReport(Config{}, some(10000, 10))
	b.ReportAllocs()
	for b.Loop() {
		var out bytes.Buffer
		doc, err := r.document(nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := page.HTML(&out, doc); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(out.Len())/1e6, "MB")
	}
}
