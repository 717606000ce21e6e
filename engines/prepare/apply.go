package prepare

import (
	"errors"
	"fmt"

	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
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
	if p.X, err = alignColumns(d.X, to, len(l.Columns)); err != nil {
		return nil, met, err
	}
	counted := p.X
	if err := l.applyValues(p, &met); err != nil {
		return nil, met, err
	}
	if err := l.applySequences(p, to); err != nil {
		return nil, met, err
	}
	if l.Topics != nil {
		addColumns(p, len(l.Topics.Names), data.Numbers(d.Rows()), l.Topics.topicsOf(counted))
	}
	for _, t := range l.Targets {
		target, err := t.targetOf(d, len(l.Targets) == 1, &met)
		if err != nil {
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

// alignColumns returns the matrix with column j as column to[j], without those that map to -1. Columns that stay in place share
// their entries.
func alignColumns(x *sparse.Matrix, to []int32, cols int) (*sparse.Matrix, error) {
	last, stays, rises := int32(-1), len(to) <= cols, true
	for j, k := range to {
		stays = stays && k == int32(j)
		if k >= 0 {
			rises, last = rises && k > last, k
		}
	}
	ptr, from, values := x.Rows()
	if stays {
		return sparse.New(cols, ptr, from, values), nil
	}
	if !rises {
		return alignUnordered(x, to, cols)
	}
	rows, _ := x.Dims()
	out, idx := make([]int, 1, rows+1), make([]int32, 0, x.NNZ())
	var val []float64
	if values != nil {
		val = make([]float64, 0, x.NNZ())
	}
	for i := range rows {
		for q := ptr[i]; q < ptr[i+1]; q++ {
			k := to[from[q]]
			if k < 0 {
				continue
			}
			if idx = append(idx, k); values != nil {
				val = append(val, values[q])
			}
		}
		out = append(out, len(idx))
	}
	return sparse.New(cols, out, idx, val), nil
}

// alignUnordered is alignColumns for columns that change places.
func alignUnordered(x *sparse.Matrix, to []int32, cols int) (*sparse.Matrix, error) {
	var b sparse.Builder
	var idx []int32
	var val []float64
	rows, _ := x.Dims()
	b.Grow(rows, x.NNZ())
	for i := range rows {
		row := x.Row(i)
		idx, val = idx[:0], val[:0]
		for q, j := range row.Idx {
			if k := to[j]; k >= 0 {
				idx, val = append(idx, k), append(val, row.At(q))
			}
		}
		if err := b.Add(idx, val); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	return b.Matrix(cols), nil
}

// applyValues fills, cuts, scales and weighs values, like Recipe.fitValues and fitText.
func (l *Learned) applyValues(p *data.Prepared, met *Met) error {
	if q, row := firstMissing(p.X); q >= 0 {
		if l.Fill == nil {
			_, idx, _ := p.X.Rows()
			return fmt.Errorf("row %s, column %s: the value is missing, and the model was fitted to rows without missing values; fit it with prepare: {missing: mean | median | zero}",
				p.Set.NameRow(row), p.Features.Name(int(idx[q])))
		}
		p.X, met.Filled = fillMissing(p.X, l.Fill)
	}
	if l.Cuts != nil {
		p.X = applyCuts(p.X, l.Cuts)
	}
	if l.Scale != nil {
		p.X = scaleVarying(p.X, l.Scale)
	}
	if l.IDF != nil {
		p.X = scaleColumns(p.X, l.IDF)
	}
	if l.Normalize == "l2" {
		p.X = unitRows(p.X, l.preparedTexts())
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
		p.Sequences = &data.Sequences{Start: s.Start, Static: len(l.Columns)}
		return nil
	}
	if l.Static == nil {
		return errors.New("columns of these rows look at the labels of the rows before, which the model knows nothing of")
	}
	p.Sequences = s.KeepColumns(to)
	p.Sequences.Static = *l.Static
	levels := []data.Target{{Type: data.Class, Levels: l.Targets[0].Levels}}
	if err := p.Sequences.Check(p.Set.Rows(), len(l.Columns), levels, p.X.Binary()); err != nil {
		return fmt.Errorf("sequences: %w", err)
	}
	p.X = data.StripLabels(p.X, *l.Static, nil)
	return nil
}
