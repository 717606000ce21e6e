package selection

import (
	"cmp"
	"slices"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

// Ledger explains why the features of one fit were selected, in bits:
//
//	Null − Sum.Saved − Sum.Refined + Sum.Paid() = Length.
type Ledger struct {
	Row     *results.Row
	Folds   int     // of the cell that ended well
	Targets int     // of the data
	Entries []Entry // in order of entry
	Sum     results.Bits
	Null    float64 // to describe the responses without any feature
	Length  float64 // of the description
}

// Entry is a feature in the ledger: the bits are summed over the targets that have it.
type Entry struct {
	Feature, Class string
	Targets        int // that have it
	Folds          int // that selected it, for some target
	Rank           int32
	results.Bits
}

// LedgerOf returns the ledger of the first fold of a cell that selected a feature, nil if none did. If targets are described one by
// one, each has its own order of entry: a feature is placed by the earliest, and on ties by its gain. Errors are those of
// cells.Selection.
func LedgerOf(src cells.Source, c *cells.Cell) (*Ledger, error) {
	rows := c.Finished()
	folds := map[string]int{}
	var first []results.Selected
	l := &Ledger{Folds: len(rows)}
	for _, r := range rows {
		selected, err := cells.Selection(src, r)
		if err != nil {
			return nil, err
		}
		if l.Row == nil && slices.ContainsFunc(selected, func(s results.Selected) bool { return s.Bits != nil }) {
			l.Row, first = r, selected
		}
		taken := map[string]bool{}
		for _, s := range selected {
			if !taken[s.Feature] {
				taken[s.Feature] = true
				folds[s.Feature]++
			}
		}
	}
	if l.Row == nil {
		return nil, nil
	}
	l.Null, _ = l.Row.Metric("null_bits")
	l.Length, _ = l.Row.Metric("description_length")
	l.addEntries(first)
	for i := range l.Entries {
		l.Entries[i].Folds = folds[l.Entries[i].Feature]
	}
	var err error
	l.Targets, err = countTargets(src, l.Row)
	return l, err
}

// addEntries adds the selected features that have bits.
func (l *Ledger) addEntries(selected []results.Selected) {
	index := map[string]int{}
	for _, s := range selected {
		if s.Bits == nil {
			continue
		}
		i, ok := index[s.Feature]
		if !ok {
			i = len(l.Entries)
			index[s.Feature] = i
			l.Entries = append(l.Entries, Entry{Feature: s.Feature, Class: s.Class, Rank: s.Rank})
		}
		e := &l.Entries[i]
		e.Rank = min(e.Rank, s.Rank)
		e.Targets++
		e.Bits = e.Bits.Plus(*s.Bits)
		l.Sum = l.Sum.Plus(*s.Bits)
	}
	slices.SortStableFunc(l.Entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(b.Net(), a.Net()), cmp.Compare(a.Feature, b.Feature))
	})
}

// countTargets returns the number of targets of a row that have scores of their own; 1 if none has.
func countTargets(src cells.Source, r *results.Row) (int, error) {
	scores, err := src.Scores(r)
	names := map[string]bool{}
	for _, s := range scores {
		if s.Output != "" {
			names[s.Output] = true
		}
	}
	return max(1, len(names)), err
}
