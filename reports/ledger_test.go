package reports

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/results"
	"tenfold/reports/page"
)

// weighed is a run of algorithms that weigh description lengths, on two folds: "mdl" takes twelve features on the first,
// "thrifty" none, and "lasso" knows no bits.
func weighed() Input {
	var rows []results.Row
	add := func(algorithm string, fold int, scores []results.Score, selected ...results.Selected) {
		rows = append(rows, results.Row{
			Label: results.Label{Dataset: "genes", Algorithm: algorithm, Engine: algorithm, Cell: algorithm, Fold: int32(fold), FoldDigest: fmt.Sprint("f", fold)},
			Outcome: results.Outcome{Status: results.OK, Columns: 100, Features: int32(len(selected)), Selected: selected,
				Scores: append(scores, results.Score{Metric: "accuracy", Point: -1, Value: 0.9, Higher: true})},
		})
	}
	lengths := func(null, length float64) []results.Score {
		return []results.Score{{Metric: "null_bits", Point: -1, Value: null}, {Metric: "description_length", Point: -1, Value: length}}
	}
	var taken []results.Selected
	for k := range 12 {
		taken = append(taken, results.Selected{Rank: int32(k), Feature: fmt.Sprint("g", k), Class: "set|1", Coefficient: 1,
			Bits: &results.Bits{Saved: 20 - float64(k), Refined: 1e-14, Class: 1, Index: 2.25, Coefficient: 2}})
	}
	add("mdl", 0, lengths(200, 89), taken...)
	add("mdl", 1, lengths(200, 184.25), taken[:1]...)
	add("thrifty", 0, lengths(200, 200))
	add("thrifty", 1, lengths(200, 200))
	add("lasso", 0, nil, results.Selected{Feature: "g1", Coefficient: 1})
	add("lasso", 1, nil, results.Selected{Feature: "g1", Coefficient: 1})
	return Input{Known: known, Name: "weighed", Metrics: []string{"accuracy"}, Rows: rows}
}

func TestLedgerSection(t *testing.T) {
	r := newReport(Default(), weighed())
	blocks, err := ledgerSection{r.best(), r.Features}.blocks(r.cells)
	if err != nil {
		t.Error(err)
	}
	doc := page.Document{Title: "Test", Sections: []page.Section{{Title: "Why", Blocks: blocks}}}
	var markdown, html bytes.Buffer
	if err := page.Markdown(&markdown, doc); err != nil {
		t.Fatal(err)
	}
	if err := page.HTML(&html, doc); err != nil {
		t.Fatal(err)
	}
	got := markdown.String()
	for _, want := range []string{
		"### genes, mdl: repeat 0, fold 0",
		"| feature   | class  | folds |  saved | class bits | index bits | coefficient bits |  paid |    net |",
		"| g0        | set\\|1 |   2/2 |  20.00 |       1.00 |       2.25 |             2.00 |  5.25 |  14.75 |",
		"| g9        | set\\|1 |   1/2 |  11.00 |",
		"| sum of 12 |        |       | 174.00 |      12.00 |      27.00 |            24.00 | 63.00 | 111.00 |",
		"200.00 bits without features − 174.00 saved + 63.00 paid = 89.00 bits of description.",
		"The first 10 of 12 rows; report.html has all.",
		"genes, thrifty: no feature was worth its bits.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %q:\n%s", want, got)
		}
	}
	for _, not := range []string{"g10", "lasso", "refined", "targets", "NaN"} {
		if strings.Contains(got, not) {
			t.Errorf("has %q:\n%s", not, got)
		}
	}
	if all := html.String(); !strings.Contains(all, "g11") || strings.Contains(all, "report.html") {
		t.Error("the page does not have all features")
	}
}

// TestLedgersThatWereNotKept: the report goes on without them.
func TestLedgersThatWereNotKept(t *testing.T) {
	in := weighed()
	in.Rows[0].Outcome.Selected = nil
	r := newReport(Default(), in)
	if blocks, err := (ledgerSection{r.best(), r.Features}).blocks(r.cells); len(blocks) != 1 || err != nil {
		t.Errorf("%d blocks, error %v", len(blocks), err)
	}
	if blocks, err := (ledgerSection{r.best(), 0}).blocks(r.cells); blocks != nil || err != nil {
		t.Errorf("nobody asked for features: %v, error %v", blocks, err)
	}
}

// TestTargetsWithoutAMetric are told of where the file asks for the metric.
func TestTargetsWithoutAMetric(t *testing.T) {
	in := weighed()
	for i := range in.Rows {
		in.Rows[i].Outcome.Facts = []data.Fact{{Name: results.WithoutMetric + "accuracy", Value: fmt.Sprint(1+i%2, " of 3")}, {Name: results.WithoutMetric + "f1", Value: "1 of 3"}}
	}
	var b bytes.Buffer
	if err := Write(&b, "markdown", Default(), in); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, "| targets without accuracy | 1 … 2 of 3 |") || strings.Contains(got, "without f1") {
		t.Errorf("got\n%s", got)
	}
}
