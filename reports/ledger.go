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

// ledgerSection shows why features were selected, in bits, for the best cell of every algorithm that minimises description lengths.
type ledgerSection struct {
	bestCells
	most int // features listed of each algorithm in report.md; 0 for no section
}

// blocks returns the blocks of the section. Families have none, since tasks do not share features. With an error, it returns the
// blocks made before it.
func (s ledgerSection) blocks(all []*cells.Cell) ([]page.Block, error) {
	if s.most == 0 {
		return nil, nil
	}
	var blocks []page.Block
	for _, d := range cells.ByDataset(all) {
		for _, b := range s.choose(d.Cells) {
			if !hasLedger(b.Cell) {
				continue
			}
			if len(blocks) == mostLines {
				return append(blocks, page.Text(fmt.Sprintf("The first %d algorithms.", mostLines))), nil
			}
			l, err := selection.LedgerOf(s.source, b.Cell)
			switch {
			case errors.Is(err, cells.ErrNotKept):
			case err != nil:
				return blocks, fmt.Errorf("why features were taken: %w", err)
			case l == nil:
				blocks = append(blocks, page.Text(fmt.Sprintf("%s, %s: no feature was worth its bits. %s", b.DatasetLabel(), b.AlgorithmLabel(), s.note(b))))
			default:
				g := ledgerTable(b.Cell, l)
				if note := s.note(b); note != "" {
					g.Notes = append(g.Notes, note)
				}
				blocks = append(blocks, page.Table{Grid: g, Most: s.most})
			}
		}
	}
	dropRepeatedLegends(blocks)
	return blocks, nil
}

// hasLedger reports whether the engine of a cell minimises description lengths, and the cell is no average.
func hasLedger(c *cells.Cell) bool { return !c.Averaged && c.Stat("description_length").N > 0 }

const (
	savedLegend   = "saved: bits of the training responses that the feature saves as it enters, under the noise as estimated before it."
	paidLegend    = "paid: bits that describe the feature, whose parts stand to the left."
	netLegend     = "net: saved − paid."
	refinedLegend = "refined: bits saved besides, by estimating the noise anew."
	tookLegend    = "folds: that took the feature."
	targetsLegend = "targets: that have the feature; its bits are the sum over them."
)

// ledgerTable returns the features of one fit of a cell in order of entry, and the sum of their bits.
func ledgerTable(c *cells.Cell, l *selection.Ledger) *table.Grid {
	g := &table.Grid{
		Title:  fmt.Sprintf("%s, %s: repeat %d, fold %d%s", c.DatasetLabel(), c.AlgorithmLabel(), l.Row.Repeat, l.Row.Fold, cells.CaveatsOf(l.Row).Marks()),
		Corner: "feature",
		Legend: []string{savedLegend, paidLegend, netLegend},
	}
	columns := ledgerColumns(l)
	for _, col := range columns {
		if g.Columns = append(g.Columns, col.name); col.legend != "" {
			g.Legend = append(g.Legend, col.legend)
		}
	}
	line := func(label string, text func(ledgerColumn) string) table.Row {
		texts := make([]string, len(columns))
		for j, col := range columns {
			texts[j] = text(col)
		}
		return textRow(label, texts, c.Key)
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		g.Rows = append(g.Rows, line(e.Feature, func(c ledgerColumn) string { return c.text(e) }))
	}
	g.Footer = []table.Row{line(fmt.Sprintf("sum of %d", len(l.Entries)), func(c ledgerColumn) string {
		if c.bits == nil {
			return ""
		}
		return formatBits(c.bits(l.Sum))
	})}
	sum := formatBits(l.Null) + " bits without features − " + formatBits(l.Sum.Saved) + " saved"
	if isShown(l.Sum.Refined) {
		sum += formatTerm(-l.Sum.Refined) + " refined"
	}
	g.Notes = []string{sum + " + " + formatBits(l.Sum.Paid()) + " paid = " + formatBits(l.Length) + " bits of description."}
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
		return formatBits(c.bits(e.Bits))
	}
	return c.words(e)
}

// ledgerColumns returns the columns that are not empty, or 0, for all features.
func ledgerColumns(l *selection.Ledger) []ledgerColumn {
	var out []ledgerColumn
	if slices.ContainsFunc(l.Entries, func(e selection.Entry) bool { return e.Class != "" }) {
		out = append(out, ledgerColumn{name: "class", words: func(e *selection.Entry) string { return e.Class }})
	}
	count := func(name, legend string, total int, n func(*selection.Entry) int) {
		if total > 1 {
			out = append(out, ledgerColumn{name: name, legend: legend, words: func(e *selection.Entry) string { return fmt.Sprintf("%d/%d", n(e), total) }})
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
		if slices.ContainsFunc(l.Entries, func(e selection.Entry) bool { return isShown(c.bits(e.Bits)) }) {
			out = append(out, c)
		}
	}
	return out
}

// isShown reports whether x is not 0 with the two decimals of formatBits.
func isShown(x float64) bool { return math.Abs(x) >= 0.005 }

// formatBits writes x with two decimals, without a negative zero.
func formatBits(x float64) string {
	if !isShown(x) {
		x = 0
	}
	return digits.Format("%.2f", x)
}

// formatTerm writes x as a further term of a sum: " + 1.50" or " − 1.50".
func formatTerm(x float64) string {
	if x < 0 {
		return " − " + formatBits(-x)
	}
	return " + " + formatBits(x)
}
