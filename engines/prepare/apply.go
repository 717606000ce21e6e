package prepare

import (
	"errors"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/data/sequence"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare/gaps"
	"tenfold/engines/prepare/intervals"
	"tenfold/engines/prepare/tfidf"
)

// Met reports how new rows differ from the rows learned from.
type Met struct {
	Unknown []string // unknown columns with a value in some row, in order; they are ignored
	Levels  []string // unknown levels of categorical columns, likewise
	Absent  int      // used columns that the data does not have; they were 0 everywhere
	Filled  int      // missing values filled in
	// Labels lists, for class targets, labels that are no levels; rows that have one have no value of the target.
	Labels []string
}

// Apply applies what was learned to new rows. The targets of the result have values if the data set has targets of their names, or
// if both have a single target; else they have none on any row. O(entries + columns).
func (l *Learned) Apply(d *data.Dataset) (*data.Prepared, Met, error) {
	var met Met
	rows := *d
	rows.Sequences = nil // checked below, with the model's levels
	if err := rows.CheckIndices(); err != nil {
		return nil, met, err
	}
	p := &data.Prepared{Set: d, Features: l.Features(), Beam: l.Beam}
	to := l.matchColumns(d, &met)
	if len(met.Levels) > 0 && l.Unseen == "error" {
		return nil, met, fmt.Errorf("level %q occurs in none of the rows that the model was fitted to (prepare: {unseen: error})", met.Levels[0])
	}
	var err error
	if p.X, err = l.align(d, to); err != nil {
		return nil, met, err
	}
	counted := p.X
	lacking := gaps.Columns(p.X, func(int32) bool { return len(l.Indicators) > 0 })
	if err := l.applyValues(p, &met); err != nil {
		return nil, met, err
	}
	if err := l.applySequences(p, to); err != nil {
		return nil, met, err
	}
	if l.Topics != nil {
		l.Topics.AddTo(p, counted)
	}
	if len(l.Indicators) > 0 {
		p.X = p.X.Beside(l.indicators(lacking))
	}
	for _, t := range l.Targets {
		target, unknown, err := t.Of(d, len(l.Targets) == 1)
		if met.Labels = append(met.Labels, unknown...); err != nil {
			return nil, met, fmt.Errorf("target %s: %w", t.Name, err)
		}
		p.Targets = append(p.Targets, target)
	}
	return p, met, nil
}

// matchColumns returns the model's number of each column of a data set, -1 for those that it does not know or use.
func (l *Learned) matchColumns(d *data.Dataset, met *Met) (to []int32) {
	number := make(map[string]int32, len(l.Columns)+len(l.Left))
	for _, name := range l.Left {
		number[name] = -1
	}
	for j, name := range l.Columns {
		number[name] = int32(j)
		if !l.Uses(j) {
			number[name] = -1
		}
	}
	to = make([]int32, d.Features.Len())
	unknown, known := map[int32]bool{}, 0
	for j := range to {
		k, ok := number[d.Features.Name(j)]
		if to[j] = k; !ok {
			to[j] = -1
			unknown[int32(j)] = false
		} else if k >= 0 {
			known++
		}
	}
	met.Absent = l.Used() - known
	if len(unknown) == 0 {
		return to
	}
	for i := range d.Rows() {
		row := d.X.Row(i)
		for q, j := range row.Idx {
			if seen, is := unknown[j]; is && !seen {
				v := row.At(q)
				unknown[j] = v == v && v != 0
			}
		}
	}
	for j := range to {
		if !unknown[int32(j)] {
			continue
		}
		if name := d.Features.Name(j); isLevel(d, j) {
			met.Levels = append(met.Levels, name)
		} else {
			met.Unknown = append(met.Unknown, name)
		}
	}
	return to
}

// align returns the matrix with column j as column to[j], without those that map to -1; missing words stand where the model has them.
// Columns that stay in place share their entries.
func (l *Learned) align(d *data.Dataset, to []int32) (*sparse.Matrix, error) {
	missing := l.wordsMissing(d, to)
	taken, stays := make([]bool, len(l.Columns)), len(to) <= len(l.Columns)
	for j, k := range to {
		if k >= 0 && taken[k] {
			return nil, fmt.Errorf("two columns are named %q", l.Columns[k])
		} else if k >= 0 {
			taken[k] = true
		}
		stays = stays && k == int32(j) && missing[j] == k
	}
	var x *sparse.Matrix
	if ptr, idx, values := d.X.Rows(); stays {
		x = sparse.New(len(l.Columns), ptr, idx, values)
	} else {
		x = d.X.Place(len(l.Columns), to, missing)
	}
	if l.KeepWords && l.Factors != nil {
		x = gaps.Spread(x, l.Factors)
	}
	return x, nil
}

// wordsMissing returns, by column of new rows, where the model has what lacks a value: a number in its own column, a word in the column
// that stands for missing words of its categorical one. -1 stands for words that the model does not use.
func (l *Learned) wordsMissing(d *data.Dataset, to []int32) []int32 {
	if d.Factor == nil {
		return to
	}
	takes := func(k int32) bool { return l.Fill == nil || l.Fill[k] != 0 } // or refuses it
	stands := map[int32]int32{}                                            // for missing words, by categorical column of the model
	for k, f := range l.Factors {
		if _, ok := stands[f]; !ok && takes(int32(k)) {
			stands[f] = int32(k)
		}
	}
	leads := map[int32]int32{} // from the rows' categorical columns to the columns of the model
	for j, k := range to {
		if k < 0 || !isLevel(d, j) {
			continue
		}
		if l.Factors == nil || l.Factors[k] < 0 { // of two values, one of which stands for no column
			leads[d.Factor[j]] = k
		} else if lead, ok := stands[l.Factors[k]]; ok {
			leads[d.Factor[j]] = lead
		}
	}
	out := slices.Clone(to)
	for j, k := range to {
		if lead, ok := leads[d.Factor[j]]; ok && isLevel(d, j) && (k < 0 || !takes(k)) {
			out[j] = lead
		}
	}
	return out
}

// applyValues fills, cuts, scales and weighs values, like Recipe.fitValues and fitText.
func (l *Learned) applyValues(p *data.Prepared, met *Met) error {
	row, column := -1, int32(-1) // of the first value that nothing replaces
	gaps.Each(p.X, func(i int, j int32) {
		switch isWord := l.Factors != nil && l.Factors[j] >= 0; {
		case isWord && l.KeepWords || !isWord && l.KeepNumbers:
		case l.Fill == nil || l.Fill[j] != l.Fill[j]:
			if column < 0 {
				row, column = i, j
			}
		default:
			met.Filled++
		}
	})
	if column >= 0 {
		return fmt.Errorf("row %s, column %s: the value is missing, and the model was fitted to rows without missing values; fit it with prepare: {missing: mean | median | zero | indicator | level}",
			p.Set.NameRow(row), columnOf(p.Set, p.Features.Name(int(column))))
	}
	if met.Filled > 0 {
		p.X = gaps.Fill(p.X, l.Fill)
	}
	if l.Cuts != nil {
		p.X = intervals.Apply(p.X, l.Cuts)
	}
	if l.Scale != nil {
		p.X = scaleVarying(p.X, l.Scale)
	}
	if l.IDF != nil {
		p.X = tfidf.ScaleColumns(p.X, l.IDF)
	}
	if l.Normalize == "l2" {
		p.X = tfidf.UnitRows(p.X, l.preparedTexts())
	}
	return nil
}

// applySequences renumbers the columns of label features, and hides the labels that the rows may have.
func (l *Learned) applySequences(p *data.Prepared, to []int32) error {
	s := p.Set.Sequences
	if s == nil {
		if l.Static != nil {
			return errors.New("the model looks at the labels of the rows before, and these rows follow in no sequences")
		}
		return nil
	}
	if len(s.Previous) == 0 && l.Static == nil {
		p.Sequences = &sequence.Sequences{Start: s.Start, Static: len(l.Columns)}
		return nil
	}
	if l.Static == nil {
		return errors.New("columns of these rows look at the labels of the rows before, which the model knows nothing of")
	}
	p.Sequences = s.KeepColumns(to)
	p.Sequences.Static = *l.Static
	if err := p.Sequences.Check(p.Set.Rows(), len(l.Columns), len(l.Targets[0].Levels), p.X.Binary()); err != nil {
		return fmt.Errorf("sequences: %w", err)
	}
	p.X = sequence.StripLabels(p.X, *l.Static, nil)
	return nil
}
