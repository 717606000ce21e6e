package reports

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/page"
	"tenfold/reports/selection"
	"tenfold/reports/table"
)

// ledgers tell why features were taken, for every algorithm that weighs description lengths: of one with a grid, for its
// best cell by the first metric. Families have none, for a feature of one task is none of another.
func (r *report) ledgers() []page.Block {
	if r.Features == 0 {
		return nil
	}
	var blocks []page.Block
	for _, d := range cells.ByDataset(r.cells) {
		for _, b := range cells.BestOfEach(r.Source, d.Cells, r.metric()) {
			if b.Averaged || b.Stat("description_length").N == 0 {
				continue
			}
			if len(blocks) == most {
				return append(blocks, page.Text(fmt.Sprintf("The first %d algorithms.", most)))
			}
			l, err := selection.LedgerOf(r.Source, b.Cell)
			switch {
			case errors.Is(err, cells.ErrNotKept):
			case err != nil:
				r.problems = append(r.problems, fmt.Errorf("why features were taken: %w", err))
				return blocks
			case l == nil:
				blocks = append(blocks, page.Text(fmt.Sprintf("%s, %s: no feature was worth its bits. %s", b.DatasetLabel(), b.AlgorithmLabel(), r.point(b))))
			default:
				blocks = append(blocks, page.Table{Grid: r.ledgerTable(b, l), Most: r.Features})
			}
		}
	}
	sayOnce(blocks)
	return blocks
}

const (
	savedLegend   = "saved: bits of the training responses that the feature saves as it enters, under the noise as estimated before it."
	paidLegend    = "paid: bits that describe the feature, whose parts stand to the left."
	netLegend     = "net: saved − paid."
	refinedLegend = "refined: bits saved besides, by estimating the noise anew."
	tookLegend    = "folds: that took the feature."
	targetsLegend = "targets: that have the feature; its bits are the sum over them."
)

// ledgerTable has the features of one fit in order of entry, and the sum of their bits.
func (r *report) ledgerTable(b cells.Best, l *selection.Ledger) *table.Grid {
	g := &table.Grid{
		Title:  fmt.Sprintf("%s, %s: repeat %d, fold %d%s", b.DatasetLabel(), b.AlgorithmLabel(), l.Row.Repeat, l.Row.Fold, cells.CaveatsOf(l.Row).Marks()),
		Corner: "feature",
		Legend: []string{savedLegend, paidLegend, netLegend},
	}
	columns := ledgerColumns(l)
	for _, c := range columns {
		if g.Columns = append(g.Columns, c.name); c.legend != "" {
			g.Legend = append(g.Legend, c.legend)
		}
	}
	line := func(label string, text func(ledgerColumn) string) table.Row {
		texts := make([]string, len(columns))
		for j, c := range columns {
			texts[j] = text(c)
		}
		return textRow(label, texts, b.Key)
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		g.Rows = append(g.Rows, line(e.Feature, func(c ledgerColumn) string { return c.text(e) }))
	}
	g.Footer = []table.Row{line(fmt.Sprintf("sum of %d", len(l.Entries)), func(c ledgerColumn) string {
		if c.bits == nil {
			return ""
		}
		return inBits(c.bits(l.Sum))
	})}
	sum := inBits(l.Null) + " bits without features − " + inBits(l.Sum.Saved) + " saved"
	if shows(l.Sum.Refined) {
		sum += signed(-l.Sum.Refined) + " refined"
	}
	g.Notes = []string{sum + " + " + inBits(l.Sum.Paid()) + " paid = " + inBits(l.Length) + " bits of description."}
	if point := r.point(b); point != "" {
		g.Notes = append(g.Notes, point)
	}
	return g
}

// ledgerColumn is a column of a ledger: words, or bits, which have a sum.
type ledgerColumn struct {
	name   string
	words  func(*selection.Entry) string
	bits   func(results.Bits) float64
	legend string
}

func (c ledgerColumn) text(e *selection.Entry) string {
	if c.bits != nil {
		return inBits(c.bits(e.Bits))
	}
	return c.words(e)
}

// ledgerColumns are those in which some feature has something to say.
func ledgerColumns(l *selection.Ledger) []ledgerColumn {
	var out []ledgerColumn
	if slices.ContainsFunc(l.Entries, func(e selection.Entry) bool { return e.Class != "" }) {
		out = append(out, ledgerColumn{name: "class", words: func(e *selection.Entry) string { return e.Class }})
	}
	count := func(name, legend string, of int, n func(*selection.Entry) int) {
		if of > 1 {
			out = append(out, ledgerColumn{name: name, legend: legend, words: func(e *selection.Entry) string { return fmt.Sprintf("%d/%d", n(e), of) }})
		}
	}
	count("targets", targetsLegend, l.Targets, func(e *selection.Entry) int { return e.Targets })
	count("folds", tookLegend, l.Folds, func(e *selection.Entry) int { return e.Folds })
	for _, c := range []ledgerColumn{
		{name: "saved", bits: func(b results.Bits) float64 { return b.Saved }},
		{name: "class bits", bits: func(b results.Bits) float64 { return b.Class }},
		{name: "index bits", bits: func(b results.Bits) float64 { return b.Index }},
		{name: "subset bits", bits: func(b results.Bits) float64 { return b.Subset }},
		{name: "coefficient bits", bits: func(b results.Bits) float64 { return b.Coefficient }},
		{name: "paid", bits: results.Bits.Paid},
		{name: "net", bits: results.Bits.Net},
		{name: "refined", bits: func(b results.Bits) float64 { return b.Refined }, legend: refinedLegend},
	} {
		if slices.ContainsFunc(l.Entries, func(e selection.Entry) bool { return shows(c.bits(e.Bits)) }) {
			out = append(out, c)
		}
	}
	return out
}

// shows tells whether a number is not written as 0.
func shows(x float64) bool { return math.Abs(x) >= 0.005 }

func inBits(x float64) string {
	if !shows(x) {
		x = 0
	}
	return digits.Format("%.2f", x)
}

// signed is a number as a term of a sum.
func signed(x float64) string {
	if x < 0 {
		return " − " + inBits(-x)
	}
	return " + " + inBits(x)
}
