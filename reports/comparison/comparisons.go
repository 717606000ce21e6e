package comparison

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/judge"
	"tenfold/reports/paired"
	"tenfold/reports/table"
)

// comparisonRow is a row of the table of tests: the verdict of a place, and what only this table shows.
type comparisonRow struct {
	*judge.Verdict
	place      *place
	decimals   digits.Decimals
	plain      *paired.Result // the paired t-test, beside a corrected one
	detectable float64        // minimum detectable difference; NaN without one
	within     float64        // margin; NaN without one
	notWorse   float64        // p-value of non-inferiority within it, corrected; NaN without one
	equal      float64        // p-value of equivalence
}

// tableTitle returns the title of a table that belongs to another one; it begins with a capital if that has none.
func tableTitle(title, what string) string {
	if title == "" {
		return strings.ToUpper(what[:1]) + what[1:]
	}
	return title + ": " + what
}

// comparisonTable returns the table of the tests behind the marks; nil if nothing was compared.
func (b *builder) comparisonTable() *table.Grid {
	rows := b.comparisonRows()
	if len(rows) == 0 {
		return nil
	}
	columns := b.comparisonColumns(rows)
	g := &table.Grid{Title: tableTitle(b.title, "tests against "+b.baseline), Corner: strings.Join(b.rowDims, ", "), Detail: true}
	for _, c := range columns {
		g.Columns = append(g.Columns, c.title)
	}
	for _, r := range rows {
		line := table.Row{Label: b.rows[r.place.row], Slots: make([]table.Slot, len(columns))}
		for j, c := range columns {
			line.Slots[j] = c.slot(r)
		}
		g.Rows = append(g.Rows, line)
	}
	b.explainComparisons(g, rows)
	return g
}

func (b *builder) comparisonRows() []comparisonRow {
	var out []comparisonRow
	for p := range b.byColumn {
		if p.against == nil {
			continue
		}
		r := comparisonRow{Verdict: p.against, place: p, decimals: b.decimalsOf(p, p.primary),
			detectable: b.judge.Detectable(p.against), within: math.NaN(), notWorse: math.NaN(), equal: math.NaN()}
		if r.Err == nil && r.Test.Name == paired.NameNadeauBengio {
			if plain, err := b.judge.Apply(r.Comparison, paired.TestNamed(paired.NamePairedT)); err == nil {
				r.plain = &plain
			}
		}
		if reference := cells.Pooled([]*cells.Cell{r.Other}, r.Metric).Mean; r.Err == nil && b.Margin.Given() && results.Finite(reference) {
			r.within = b.Margin.Of(reference)
			r.notWorse, r.equal = r.Result.NotWorse(r.within, r.Cell.Higher(r.Metric)), r.Result.Equivalent(r.within)
		}
		out = append(out, r)
	}
	if b.Correction != None {
		for _, members := range judge.ByFamily(len(out), func(i int) judge.Family { return out[i].Family }) {
			correctPValues(out, members, func(r *comparisonRow) *float64 { return &r.notWorse })
			correctPValues(out, members, func(r *comparisonRow) *float64 { return &r.equal })
		}
	}
	return out
}

// correctPValues adjusts one p-value of each of some rows together.
func correctPValues(rows []comparisonRow, members []int, field func(*comparisonRow) *float64) {
	p := make([]float64, len(members))
	for k, i := range members {
		p[k] = *field(&rows[i])
	}
	for k, adjusted := range paired.Holm(p) {
		*field(&rows[members[k]]) = adjusted
	}
}

// comparisonColumn is a heading and the slots below it.
type comparisonColumn struct {
	title string
	slot  func(comparisonRow) table.Slot
}

func (b *builder) comparisonColumns(rows []comparisonRow) []comparisonColumn {
	text := func(title string, write func(comparisonRow) string) comparisonColumn {
		return comparisonColumn{title, func(r comparisonRow) table.Slot {
			if r.Err != nil {
				return table.Slot{Text: digits.Missing}
			}
			return table.Slot{Text: write(r)}
		}}
	}
	out := []comparisonColumn{
		{strings.Join(b.columnDims, ", "), func(r comparisonRow) table.Slot { return table.Slot{Text: b.columns[r.place.column]} }},
		{"difference", comparisonRow.differenceSlot},
		text("95 % interval", comparisonRow.intervalText),
	}
	if countTested(b.verdicts) == 0 {
		return out[:2]
	}
	if slices.ContainsFunc(rows, func(r comparisonRow) bool { return r.plain != nil }) {
		out = append(out, text("p, paired t", func(r comparisonRow) string {
			if r.plain == nil {
				return digits.Missing
			}
			return digits.P(r.plain.P)
		}))
	}
	for _, t := range paired.Tests() {
		if slices.ContainsFunc(rows, func(r comparisonRow) bool { return r.Err == nil && r.Test == t }) {
			out = append(out, text("p, "+t.Short, func(r comparisonRow) string {
				if r.Test != t {
					return digits.Missing
				}
				return digits.P(r.Result.P)
			}))
		}
	}
	if b.isCorrected(b.verdicts) {
		out = append(out, text("p, Holm", func(r comparisonRow) string { return digits.P(r.P) }))
	}
	if slices.ContainsFunc(rows, func(r comparisonRow) bool { return results.Finite(r.detectable) }) {
		out = append(out, text("detectable", func(r comparisonRow) string { return r.decimals.Number(r.detectable) }))
	}
	if b.Margin.Given() {
		out = append(out, text("margin", func(r comparisonRow) string { return "±" + r.decimals.Number(r.within) }),
			text("p, not worse", func(r comparisonRow) string { return digits.P(r.notWorse) }),
			text("p, equivalent", func(r comparisonRow) string { return digits.P(r.equal) }))
	}
	if slices.ContainsFunc(rows, func(r comparisonRow) bool { return r.Tasks != nil }) {
		out = append(out, text("won/tied/lost", func(r comparisonRow) string {
			if r.Tasks == nil {
				return digits.Missing
			}
			return r.Tasks.String()
		}))
	}
	return out
}

// differenceSlot returns the mean difference with its mark, or why there is none.
func (r comparisonRow) differenceSlot() table.Slot {
	if r.Err != nil {
		return table.Slot{Text: r.Err.Error()}
	}
	return table.Slot{Text: r.decimals.Signed(r.Result.Mean), Mark: markText(r.Better, r.Worse), Caveats: r.Cell.Caveats().Or(r.Other.Caveats()),
		Keys: []string{r.Cell.Key, r.Other.Key}}
}

func (r comparisonRow) intervalText() string {
	switch {
	case r.Result.Constant:
		return "constant"
	case !results.Finite(r.Result.Low) || !results.Finite(r.Result.High):
		return digits.Missing
	}
	return r.decimals.Signed(r.Result.Low) + " … " + r.decimals.Signed(r.Result.High)
}

// explainComparisons explains the columns, and adds results of the comparisons that the marks do not show.
func (b *builder) explainComparisons(g *table.Grid, rows []comparisonRow) {
	var detectable, plain bool
	var compared []*cells.Cell
	var constant, notWorse, equivalent []string
	var records judge.Record
	for _, r := range rows {
		if r.Err != nil {
			continue
		}
		where := b.describePlace(r.place)
		compared = append(compared, r.Cell, r.Other)
		detectable, plain = detectable || results.Finite(r.detectable), plain || r.plain != nil
		if r.Result.Constant {
			constant = append(constant, where)
		}
		if r.Tasks != nil {
			records = records.Add(*r.Tasks)
		}
		if r.notWorse < b.Alpha {
			notWorse = append(notWorse, where)
		}
		if r.equal < b.Alpha {
			equivalent = append(equivalent, where)
		}
	}
	before := ifAny(b.isCorrected(b.verdicts), ", before Holm's correction")
	if countTested(b.verdicts) > 0 {
		g.Legend = append(g.Legend, "95 % interval: of the difference, by the test that decides"+before+".")
	}
	if plain {
		g.Legend = append(g.Legend, "p, paired t: for comparison only; it takes folds for independent and is too small.")
	}
	if detectable {
		g.Legend = append(g.Legend, fmt.Sprintf("detectable: the true difference that this test finds with probability %g at α = %g%s.",
			judge.Power, b.Alpha, before))
	}
	if records.Total() > 0 {
		g.Legend = append(g.Legend, b.wordsOn(records))
	}
	g.Legend = append(g.Legend, cells.Legend(compared)...)
	if len(constant) > 0 {
		g.Notes = append(g.Notes, fmt.Sprintf("constant: the difference is the same on every fold or row, so nothing can be said of its spread, and p is 1 where it is zero, otherwise 0, or 2/2ⁿ of n < 6 of them (%s).",
			firstOf(constant, 3)))
	}
	if b.Margin.Given() && countTested(b.verdicts) > 0 {
		g.Notes = append(g.Notes, b.withinMargin(notWorse, equivalent))
	}
}

// withinMargin says which comparisons are shown to be no worse by more than the margin, and which to differ by no more to either
// side.
func (b *builder) withinMargin(notWorse, equivalent []string) string {
	margin := fmt.Sprintf("%g %% of its value", 100*b.Margin.Of(1))
	if b.Margin.Relative == nil {
		margin = fmt.Sprintf("%g", b.Margin.Of(1))
	}
	level := fmt.Sprintf("α = %g%s", b.Alpha, ifAny(b.isCorrected(b.verdicts), ", Holm"))
	list := func(places []string) string { return cmp.Or(firstOf(places, 5), "none") }
	ranked := slices.ContainsFunc(b.verdicts, func(v judge.Verdict) bool { return v.Err == nil && v.Result.Differ > 0 })
	return fmt.Sprintf("Shown not to be worse than %s by more than %s (one-sided test of non-inferiority, %s): %s. Shown to be equivalent, neither worse nor better by more (two one-sided tests, %s): %s.",
		b.baseline, margin, level, list(notWorse), level, list(equivalent)) +
		ifAny(ranked, " Tests of ranks and signs show it of the median difference, not of the mean.")
}
