package data

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines/data/sequence"
	"tenfold/engines/numeric/sparse"
)

// FitSequences renumbers the sequences' columns to those kept, and hides the true labels of rows outside train (nil: of none).
func (p *Prepared) FitSequences(keep, train []int32) error {
	s := p.Set.Sequences
	if s == nil {
		return nil
	}
	if keep != nil {
		s = s.KeepColumns(PlacesOf(keep, p.Set.Features.Len()))
	}
	p.Sequences = s
	if len(s.Previous) == 0 {
		return nil
	}
	if !p.X.Binary() {
		return errors.New("columns of previous labels cannot be scaled")
	}
	if train != nil {
		train = slices.Clone(train)
		slices.Sort(train)
		p.X = sequence.StripLabels(p.X, s.Static, train)
	}
	return nil
}

// Starts returns the rows of the view at which sequences begin; nil if the data has none. A sequence that is only partly in the view
// begins at its first row there.
func (v *View) Starts() []int32 {
	s := v.from.Sequences
	if s == nil {
		return nil
	}
	starts := []int32{}
	for i, row := range v.rows {
		if _, first := slices.BinarySearch(s.Start, row); first || i == 0 || v.rows[i-1] != row-1 {
			starts = append(starts, int32(i))
		}
	}
	return starts
}

// Steps gives a decoder the rows of a view in their sequences: it labels the rows of a sequence one after the other, and asks for the
// columns of each row once the labels before it are known. Safe for several goroutines.
type Steps struct {
	Beam   int // hypotheses to keep, at least 1, as the recipe says
	Levels int

	v     *View
	start []int32 // and the number of rows
	seq   *sequence.Sequences
}

// Steps returns the rows in their sequences; nil if no column looks at previous labels. It is an error if the view has only part of a
// sequence.
func (in Inputs) Steps() (*Steps, error) {
	v, seq := in.v, in.v.from.Sequences
	if seq == nil || len(seq.Previous) == 0 {
		return nil, nil
	}
	start := v.Starts()
	for k, i := range start {
		end := len(v.rows)
		if k+1 < len(start) {
			end = int(start[k+1])
		}
		number, whole := slices.BinarySearch(seq.Start, v.rows[i])
		after := v.from.Set.Rows()
		if number+1 < len(seq.Start) {
			after = int(seq.Start[number+1])
		}
		if !whole || int(v.rows[end-1]) != after-1 {
			return nil, fmt.Errorf("row %s is cut off from its sequence: folds must keep sequences whole", v.from.Set.RowID(int(v.rows[i])))
		}
	}
	return &Steps{
		Beam: cmp.Or(v.from.Beam, 1), Levels: len(v.from.Targets[0].Levels),
		v: v, start: append(start, int32(len(v.rows))), seq: seq,
	}, nil
}

// Len returns the number of sequences.
func (s *Steps) Len() int { return len(s.start) - 1 }

// Span returns the rows first … end−1 of sequence k.
func (s *Steps) Span(k int) (first, end int) { return int(s.start[k]), int(s.start[k+1]) }

// Row returns row i of the view, given the labels of all rows before it in its sequence. The row's columns are in dst, which grows as
// needed, and are valid until dst is used again.
func (s *Steps) Row(dst []int32, i int, before []int32) sparse.Vec {
	return sparse.Vec{Idx: s.seq.Columns(dst, s.v.Row(i).Idx, s.v.rows[i], before, s.Levels)}
}
