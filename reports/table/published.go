package table

import (
	"fmt"
	"math"
	"slices"

	"tenfold/reports/cells"
)

// publish sets published values beside ours: a column after each column that has some, "0.9580 ± 0.0080 (−0.0120)" with
// our number minus theirs, and their sources as notes.
func (b *builder) publish(g *Grid) {
	for j := len(b.columns) - 1; j >= 0; j-- {
		slots := make([]Slot, len(b.rows))
		var notes []string
		for i, row := range b.rows {
			s := b.slots[[2]string{row, b.columns[j]}]
			if s == nil {
				continue
			}
			if p := b.published(s); p != nil {
				slots[i].Text = b.beside(p, b.columns[j], s)
				notes = append(notes, p.cite(row))
			}
		}
		if len(notes) == 0 {
			continue
		}
		g.Columns = slices.Insert(g.Columns, j+1, b.columns[j]+", published")
		for i := range g.Rows {
			g.Rows[i].Slots = slices.Insert(g.Rows[i].Slots, j+1, slots[i])
		}
		for _, n := range notes {
			if !slices.Contains(g.Notes, n) {
				g.Notes = append(g.Notes, n)
			}
		}
	}
	if len(g.Columns) > len(b.columns) {
		g.Legend = append(g.Legend, "published: value from elsewhere, in brackets ours minus theirs.")
	}
}

// published is the value for a slot: algorithms are named with or without their grid point.
func (b *builder) published(s *slot) *Published {
	if len(s.cells) != 1 {
		return nil
	}
	c := s.cells[0]
	for i := range b.in.Published {
		p := &b.in.Published[i]
		if p.Metric == b.primary(s) && (p.Dataset == c.Dataset || p.Dataset == c.DatasetLabel()) &&
			(p.Algorithm == c.Algorithm || p.Algorithm == c.AlgorithmLabel()) {
			return p
		}
	}
	return nil
}

func (b *builder) beside(p *Published, column string, s *slot) string {
	d := b.stats.decimals[[2]string{column, p.Metric}]
	text := d.number(p.Value)
	if p.SE != nil {
		text += " ± " + d.number(*p.SE)
	}
	if ours := cells.Pooled(s.cells, p.Metric).Mean; s.trouble() == "" && !math.IsNaN(ours) {
		text += fmt.Sprintf(" (%s)", d.signed(ours-p.Value))
	}
	if p.Selected != nil {
		text += fmt.Sprintf(", %g features", *p.Selected)
	}
	return text
}

func (p *Published) cite(row string) string {
	text := fmt.Sprintf("Published for %s: %s.", row, p.Source)
	if p.Note != "" {
		text = fmt.Sprintf("Published for %s: %s (%s).", row, p.Source, p.Note)
	}
	return text
}
