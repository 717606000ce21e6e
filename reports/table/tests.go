package table

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/reports/cells"
	"tenfold/reports/paired"
)

// legend says what marks mean, "" where nothing was tested.
func (j *judge) legend(marked bool) string {
	if len(j.used) == 0 {
		return ""
	}
	tests := make([]string, 0, len(j.used))
	for t := range j.used {
		tests = append(tests, t)
	}
	slices.Sort(tests)
	what := "v better, * worse than " + j.Baseline
	if !marked {
		what = "no difference to " + j.Baseline + " is significant"
	}
	return fmt.Sprintf("%s (%s; two-sided, α = %g).", what, strings.Join(tests, "; "), j.Alpha)
}

// tests is the table of the comparisons behind the marks; nil where nothing was compared.
func (j *judge) tests(b *builder) *Grid {
	if j.Baseline == "" || j.Test == None {
		return nil
	}
	type line struct {
		row, column, metric string
		*comparison
	}
	var lines []line
	var plain, boot bool
	for _, column := range b.columns {
		for _, row := range b.rows {
			s := b.slots[[2]string{row, column}]
			if s == nil || len(s.cells) != 1 || uncontested(b.primary(s)) {
				continue
			}
			if c := j.compare(s.cells[0], b.primary(s)); c != nil {
				lines = append(lines, line{row, column, b.primary(s), c})
				plain, boot = plain || c.plain != nil, boot || c.boot != nil
			}
		}
	}
	if !plain && !boot {
		return nil
	}
	g := &Grid{Title: strings.TrimPrefix(b.title+": against "+j.Baseline, ": "), Corner: strings.Join(j.rowDims, ", "),
		Columns: []string{strings.Join(j.columnDims, ", "), "difference", "95 % interval"}}
	if plain {
		g.Columns = append(g.Columns, "p, paired t", "p, corrected t")
	}
	if boot {
		g.Columns = append(g.Columns, "p, bootstrap")
	}
	better, same, worse, optimistic := 0, 0, 0, false
	for _, l := range lines {
		slots := []Slot{{Text: l.column}, {Text: missing}, {Text: missing}}
		if r := l.any(); r != nil {
			if c := l.chosen(j.Test); c != nil {
				r = c
			}
			d := b.stats.decimals[[2]string{l.column, l.metric}]
			slots[1].Text, slots[1].Optimistic = d.signed(r.Mean), l.optimistic
			optimistic = optimistic || l.optimistic
			slots[2].Text = d.signed(r.Low) + " … " + d.signed(r.High)
		} else if l.err != nil {
			slots[1].Text = l.err.Error()
		}
		if plain {
			slots = append(slots, Slot{Text: pValue(l.plain)}, Slot{Text: pValue(l.corrected)})
		}
		if boot {
			slots = append(slots, Slot{Text: pValue(l.boot)})
		}
		switch {
		case l.better:
			better++
			slots[1].Mark = "v"
		case l.worse:
			worse++
			slots[1].Mark = "*"
		case l.chosen(j.Test) != nil:
			same++
		}
		g.Rows = append(g.Rows, Row{Label: l.row, Slots: slots})
	}
	if optimistic {
		g.Legend = []string{cells.OptimisticLegend}
	}
	g.Notes = []string{fmt.Sprintf("Against %s: %d better, %d the same, %d worse.", j.Baseline, better, same, worse)}
	return g
}

func pValue(r *paired.Result) string {
	switch {
	case r == nil:
		return missing
	case r.P < 0.001:
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", r.P)
}
