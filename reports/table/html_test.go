package table

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"tenfold/io/results"
)

func TestLeadingNumber(t *testing.T) {
	none := math.NaN()
	for text, want := range map[string]float64{
		"0.9580 ± 0.0080 (12)": 0.958, "−3.4 … −3.0": -3.4, "-1e-05": -1e-5, "+1.5 v": 1.5, "<0.001": 0.001, "3/5": 0.6, "1,960": 1960,
		"∞": math.Inf(1), "−∞": math.Inf(-1), "12": 12, "5 folds": 5,
		"": none, "–": none, "ok": none, "failed": none, "1/5 failed": none, "2/10 failed, 1/10 timeout": none, "7d6b8378": none, "1.2.3": none, "0:1=t0": none,
	} {
		if got := leadingNumber(text); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// Long words can go on after their punctuation, and only what has none breaks anywhere.
func TestBreakable(t *testing.T) {
	for _, c := range []struct {
		text, want string
		long       bool
	}{
		{"lasso + least squares", "lasso + least squares", false},
		{"a/b", "a/b", false},
		{"better/same/worse", "better/<wbr>same/<wbr>worse", false},
		{"T23:4=w17;5=<r3 x", "T23:<wbr>4=<wbr>w17;<wbr>5=<wbr>&lt;r3 x", false},
		{strings.Repeat("x", longPart), strings.Repeat("x", longPart), false},
		{"a " + strings.Repeat("x", longPart+1), "a " + strings.Repeat("x", longPart+1), true},
	} {
		if got, long := breakLongWords(c.text); got != c.want || long != c.long {
			t.Errorf("%q: %s, long %v", c.text, got, long)
		}
	}
}

func TestHTMLEscapesAndLinks(t *testing.T) {
	const bad = `<b>"&'`
	g := &Grid{Title: bad, Corner: bad, Columns: []string{bad}, Legend: []string{bad}, Notes: []string{bad}, Warnings: []string{bad},
		Rows: []Row{
			{Label: bad, Slots: []Slot{{Text: bad, Best: true, Mark: bad, Keys: []string{bad}}}},
			{Label: "one", Slots: []Slot{{Text: "1.5", Similar: true, Keys: []string{"k1"}}}},
			{Label: "two", Slots: []Slot{{Text: "2", Keys: []string{"k1", "k2"}}}},
			{Label: "none", Slots: []Slot{{}}},
			{Label: strings.Repeat("long ", 20), Slots: []Slot{{Text: "–"}}},
		},
		Footer:  []Row{{Label: "v/ /*", Slots: []Slot{{Text: "1/2/0"}}}},
		Numbers: []Number{{Row: "one", Column: bad, Stat: results.Stat{Mean: 1.4999}}, {Row: "one", Column: bad, Stat: results.Stat{Mean: 7}}},
	}
	var b bytes.Buffer
	if err := g.HTML(&b, "table-1", func(key string) string { return map[string]string{"k1": "#cell-k1"}[key] }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<td title="cell &lt;b&gt;&#34;&amp;&#39;"><strong>`,
		`<td data-value="1.4999"><a href="#cell-k1"><em>1.5</em></a></td>`,
		`<td data-value="2"><a href="#cell-k1" title="2 cells: k1 k2">2</a></td>`,
		`<th scope="row">none</th><td></td>`, `<th scope="row" class="long">`,
		"<tfoot>\n" + `<tr><th scope="row">v/ /*</th><td>1/2/0</td></tr>` + "\n</tfoot>",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %s:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "<b>") {
		t.Errorf("not escaped:\n%s", b.String())
	}
}
