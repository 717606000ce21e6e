package comparison

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/judge"
)

// ofRecords reports whether every column is a record: its rows are tasks or data sets, and nothing else.
func (b *builder) ofRecords() bool {
	return !slices.ContainsFunc(b.rowDims, func(d string) bool { return d != results.TaskDim && d != "dataset" })
}

// eachColumn reports whether every column is a family of its own: on which tasks an algorithm differs from the baseline. Its
// verdicts are then those that an average of the tasks counts.
func (b *builder) eachColumn() bool { return slices.Contains(b.rowDims, results.TaskDim) }

// columnRecords returns the records of the columns; for an average, a place has those of its tasks.
func (b *builder) columnRecords() []judge.Record {
	out := make([]judge.Record, len(b.columns))
	for p := range b.byRow {
		if p.against == nil {
			continue
		}
		if p.against.Tasks != nil {
			out[p.column] = out[p.column].Add(*p.against.Tasks)
		} else {
			out[p.column].Count(*p.against)
		}
	}
	return out
}

// mostLost is the number of losses that are listed for an algorithm.
const mostLost = 10

// lossWarnings lists the tasks on which each column lost against the baseline, the largest loss first, if rows are tasks.
func (b *builder) lossWarnings() []string {
	if !slices.Contains(b.rowDims, results.TaskDim) {
		return nil
	}
	lost := make([][]*place, len(b.columns))
	for p := range b.byRow {
		if p.against != nil && p.against.Gain < 0 {
			lost[p.column] = append(lost[p.column], p)
		}
	}
	var out []string
	for j, places := range lost {
		if len(places) == 0 {
			continue
		}
		slices.SortStableFunc(places, func(p, q *place) int { return cmp.Compare(p.against.Gain, q.against.Gain) })
		texts := make([]string, len(places))
		for i, p := range places {
			difference := p.against.Gain
			if !p.cells[0].Higher(p.primary) {
				difference = -difference
			}
			texts[i] = b.rows[p.row] + " " + b.decimalsOf(p, p.primary).Signed(difference) + ifAny(p.against.Worse, " *")
		}
		out = append(out, fmt.Sprintf("%s lost against %s, by %s: %s.", b.columns[j], b.baseline, places[0].primary, firstOf(texts, mostLost)))
	}
	return out
}

// recordLegend explains the records below a table, "" if there are none.
func (b *builder) recordLegend() string {
	if _, shown := b.tallyRow(); !shown {
		return ""
	}
	var all judge.Record
	for _, r := range b.columnRecords() {
		all = all.Add(r)
	}
	return b.wordsOn(all)
}

// wordsOn explains the records of a table: what they count, and what the brackets hold.
func (b *builder) wordsOn(all judge.Record) string {
	var kinds []string
	marked := true
	for _, v := range b.verdicts {
		kind := "data sets"
		if v.Cell.Task != "" || v.Cell.Averaged && !v.Cell.OverGrid {
			kind = results.TaskDim + "s"
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		marked = marked && v.Tasks == nil
	}
	text := fmt.Sprintf("won/tied/lost: %s, by their means over folds", strings.Join(kinds, " and "))
	switch {
	case all.Tested == 0:
		return text + "."
	case marked:
		return text + "; in brackets the significant ones, v and *."
	}
	return fmt.Sprintf("%s; in brackets those that a test within each shows (%s over its folds; two-sided, α = %g%s).", text, judge.TestWithin().Long, b.Alpha,
		ifAny(b.Correction != None, ", Holm over those of an algorithm"))
}
