package tuples

import (
	"context"
	"fmt"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/data/sequence"
	"tenfold/engines/numeric/sparse"
)

// ApplySequences does what ExpandSequences does, of records whose labels are not known, to apply a model to. The columns that look at labels
// are those of the model, known by the names that ExpandSequences gave them; previous.Levels are the model's.
func (t *Table) ApplySequences(ctx context.Context, templates []Template, previous Previous, known []string) (*data.Dataset, error) {
	h := histories{order: newOrder(t), first: len(t.label) - len(previous.Back), back: previous.Back, levels: len(previous.Levels)}
	looking := 0
	for looking < len(templates) && !h.looksAtLabels(templates[looking]) {
		looking++
	}
	set, err := h.order.buildDataset(ctx, templates[:looking], everything)
	if err != nil {
		return nil, err
	}
	m := remembered{histories: &h, level: map[string]int{"*": sequence.Beyond}, number: map[string]int{}}
	for l, text := range previous.Levels {
		m.level[string(appendEscaped(nil, text))] = l
	}
	h.template = make([]history, len(templates))
	names := make([]string, set.Features.Len())
	for j := range names {
		names[j] = set.Features.Name(j)
	}
	for k := looking; k < len(templates); k++ {
		for _, name := range known {
			if values, found := strings.CutPrefix(name, fmt.Sprintf("T%d:", k)); found && m.addColumn(k, templates[k].Positions, values, int32(len(names))) {
				names = append(names, name)
			}
		}
	}
	m.divideRecords()
	static := set.Features.Len()
	ptr, idx, _ := set.X.Rows()
	set.X, set.Features = sparse.New(len(names), ptr, idx, nil), data.NewFeatures(names)
	set.Sequences = h.buildSequences(static)
	return set, nil
}

// looksAtLabels reports whether a template looks at labels.
func (h *histories) looksAtLabels(t Template) bool { return t.Positions[len(t.Positions)-1] >= h.first }

// remembered is the columns of a model that look at labels, taken from their names.
type remembered struct {
	*histories
	level  map[string]int // of each label, as it stands in names
	number map[string]int // of each division, by its positions
	seen   [][]int        // positions of each division
	part   []map[string]int32
}

// addColumn adds the column of template k whose name has the values, as its column of some number. It is false for what is
// no such name.
func (m *remembered) addColumn(k int, positions []int, values string, column int32) bool {
	cut := 0
	for cut < len(positions) && positions[cut] < m.first {
		cut++
	}
	texts := strings.Split(values, ";")
	if len(texts) != len(positions) {
		return false
	}
	e := entry{column: column}
	for _, text := range texts[cut:] {
		_, label, _ := strings.Cut(text, "=")
		l, ok := m.level[label]
		if !ok {
			return false
		}
		e.code = sequence.Code(e.code, l, m.levels)
	}
	division := m.divisionBy(positions[:cut])
	seen := strings.Join(texts[:cut], ";")
	part, ok := m.part[division][seen]
	if !ok {
		part = int32(len(m.part[division]))
		m.part[division][seen] = part
	}
	e.part = part
	t := &m.template[k]
	t.labels, t.division, t.columns = positions[cut:], division, append(t.columns, e)
	return true
}

// divisionBy returns the division of the records by their values at some positions.
func (m *remembered) divisionBy(positions []int) int {
	key := fmt.Sprint(positions)
	division, ok := m.number[key]
	if !ok {
		division = len(m.seen)
		m.number[key] = division
		m.seen, m.part = append(m.seen, positions), append(m.part, map[string]int32{})
	}
	return division
}

// divideRecords gives each record its part in every division, -1 where the model has none.
func (m *remembered) divideRecords() {
	var text []byte
	for d, positions := range m.seen {
		parts := make([]int32, m.table.Len())
		for i := range parts {
			text = m.appendValues(text[:0], positions, int32(i))
			part, ok := m.part[d][string(text)]
			if parts[i] = part; !ok {
				parts[i] = -1
			}
		}
		m.divisions, m.parts = append(m.divisions, parts), append(m.parts, len(m.part[d]))
	}
}
