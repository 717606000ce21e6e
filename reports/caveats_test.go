package reports

import (
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/comparison"
	"tenfold/reports/page"
)

// In every table of a report, each row or title about a cell some of whose fits did not converge, or have the end of a range, says so, but where
// the cell has no number; nothing else does.
func TestCaveatsInEveryTable(t *testing.T) {
	in := selections()
	is := func(r *results.Row) bool { return r.Dataset == "many" && r.Algorithm == "stepwise" }
	for i := range in.Rows {
		r := &in.Rows[i]
		r.Notes = []string{"of no matter"}
		if is(r) {
			r.Notes = append(r.Notes, engines.NotConverged+": after 3 rounds", "c1=2, the largest of 3 in the list, was chosen "+engines.EndOfRange)
		}
	}
	c := Default()
	c.Tables = []comparison.Config{{Baseline: "mean"}, {Columns: "dataset"}}
	r := newReport(c, in)
	doc, err := r.document(nil)
	if err != nil {
		t.Fatal(err)
	}
	marks := cells.Caveats{Unconverged: true, AtEnd: true}.Marks()
	marked := map[string]bool{}
	for i := range in.Rows {
		if is(&in.Rows[i]) {
			marked[in.Rows[i].Cell] = true
		}
	}
	tables := 0
	for _, s := range doc.Sections {
		for _, b := range s.Blocks {
			of, ok := b.(page.Table)
			if !ok {
				continue
			}
			for _, row := range slices.Concat(of.Rows, of.Footer) {
				text, about := of.Title+row.Label, false
				for _, slot := range row.Slots {
					text += slot.Text + slot.Caveats.Marks()
					about = about || slices.ContainsFunc(slot.Keys, func(k string) bool { return marked[k] })
				}
				if s.Title == "Fits" && row.Label != "ended by" {
					continue // facts under a marked one
				}
				if got := strings.Contains(text, marks); about != got {
					t.Errorf("%s, %q, %q: marked %v, expected %v", s.Title, of.Title, row.Label, got, about)
				}
				if about {
					tables++
				}
			}
		}
	}
	if tables < 8 {
		t.Errorf("%d rows of tables are about the marked cell", tables)
	}
}
