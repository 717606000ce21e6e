package tuples

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/data/sequence"
)

// Previous says which positions of a table hold labels of earlier records of a sequence: the last ones. Beyond the
// beginning of a sequence they are Leaf.
type Previous struct {
	Back   []int32  // for each of these positions, how many records back its label is
	Levels []string // of the target; all of them answers of some record
}

// ExpandSequences does what Expand does, of records in sequences. Patterns of fewer than atLeast records are left out: no training
// part can have more. Templates that look at labels must come after those that do not. The caller says where sequences
// begin. O(templates · records).
func (t *Table) ExpandSequences(ctx context.Context, templates []Template, atLeast int, previous Previous) (*data.Dataset, error) {
	h := histories{order: newOrder(t), first: len(t.label) - len(previous.Back), back: previous.Back, atLeast: atLeast}
	h.level = make([]int, len(t.text))
	for s := range h.level {
		h.level[s] = sequence.Beyond
	}
	for l, text := range previous.Levels {
		h.level[t.Symbol([]byte(text))] = l
	}
	h.levels = len(previous.Levels)
	if err := h.divideTemplates(ctx, templates); err != nil {
		return nil, err
	}
	set, err := h.order.buildDataset(ctx, templates, frequency{atLeast, h.addColumn})
	if err != nil {
		return nil, err
	}
	set.Sequences = h.buildSequences(set.Features.Len())
	return set, nil
}

// histories collects the columns that look at labels.
type histories struct {
	*order
	first  int // position that holds a label
	back   []int32
	level  []int // of each symbol
	levels int

	atLeast   int
	divisions [][]int32
	parts     []int // of each division
	template  []history
}

// history is a template that looks at labels.
type history struct {
	labels   []int // positions
	division int
	columns  []entry
}

type entry struct {
	part   int32
	code   int64
	column int32
}

// divideTemplates numbers, for every template that looks at labels, what it sees beside them. Templates that see the same
// share a division; what fewer than atLeast records show makes no column and gets no number.
func (h *histories) divideTemplates(ctx context.Context, templates []Template) error {
	known := map[string]int{}
	h.template = make([]history, len(templates))
	for k, t := range templates {
		cut, _ := slices.BinarySearch(t.Positions, h.first)
		seen, labels := t.Positions[:cut], t.Positions[cut:]
		if len(labels) == 0 {
			if k > 0 && h.template[k-1].labels != nil {
				return fmt.Errorf("template %d looks at no label, but one before it does", k)
			}
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		key := fmt.Sprint(seen)
		division, ok := known[key]
		if !ok {
			division = len(h.divisions)
			known[key] = division
			division, parts := h.frequentCombinations(seen)
			h.divisions, h.parts = append(h.divisions, division), append(h.parts, parts)
		}
		h.template[k] = history{labels: labels, division: division}
	}
	return nil
}

// frequentCombinations numbers the combinations of values at the positions that enough records show; of the others, -1.
func (h *histories) frequentCombinations(positions []int) (parts []int32, n int) {
	parts = make([]int32, h.table.Len())
	records := make([]int32, len(parts))
	for i := range records {
		records[i] = int32(i)
	}
	h.eachRun(h.sortRecords(records, positions), positions, func(run []int32) {
		part := int32(-1)
		if len(run) >= h.atLeast {
			part = int32(n)
			n++
		}
		for _, i := range run {
			parts[i] = part
		}
	})
	return parts, n
}

// addColumn records a column of template k, with the records that have it.
func (h *histories) addColumn(k int, column int32, run []int32) {
	t := &h.template[k]
	if t.labels == nil {
		return
	}
	e := entry{part: h.divisions[t.division][run[0]], column: column}
	for _, p := range t.labels {
		e.code = sequence.Code(e.code, h.level[h.table.values[p][run[0]]], h.levels)
	}
	t.columns = append(t.columns, e)
}

// buildSequences makes the sequences of the collected columns, for a data set with so many columns.
func (h *histories) buildSequences(columns int) *sequence.Sequences {
	s := &sequence.Sequences{Static: columns, Parts: h.divisions}
	for _, t := range h.template {
		if len(t.columns) == 0 {
			continue
		}
		s.Static = min(s.Static, int(t.columns[0].column))
		s.Previous = append(s.Previous, t.buildPrevious(h))
	}
	return s
}

func (t *history) buildPrevious(h *histories) sequence.Previous {
	p := sequence.Previous{Parts: t.division, Ptr: make([]int32, h.parts[t.division]+1)}
	for _, position := range t.labels {
		p.Back = append(p.Back, h.back[position-h.first])
	}
	slices.SortFunc(t.columns, func(a, b entry) int { return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.code, b.code)) })
	for _, e := range t.columns {
		p.Ptr[e.part+1]++
		p.Code, p.Column = append(p.Code, e.code), append(p.Column, e.column)
	}
	for k := range len(p.Ptr) - 1 {
		p.Ptr[k+1] += p.Ptr[k]
	}
	return p
}
