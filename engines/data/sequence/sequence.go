// Package sequence describes rows that follow each other, such as the words of a sentence, and columns that look at the labels of the rows before.
package sequence

import (
	"errors"
	"fmt"
	"slices"

	"tenfold/engines/numeric/sparse"
)

// Lookback is the maximum number of rows by which a column may look back at a label.
const Lookback = 4

// Sequences says which rows follow each other, and which columns depend on the labels of the rows before, as previous outputs may be
// features too. In data.Dataset these columns follow from the true labels, for training. Recipes strip them from other rows, and a
// decoder gets them from data.Steps as it goes.
type Sequences struct {
	Start    []int32   // first row of each sequence, rising from 0; it ends where the next one begins
	Static   int       // columns below it look at no label, those from it on do
	Parts    [][]int32 // ways to divide the rows: the part of each row, numbered from 0; -1 where no column looks at it
	Previous []Previous
}

// Previous holds the columns of one template that looks at previous labels. A row has at most one of them, given by its part (what the
// template sees besides labels) and the code of the labels.
type Previous struct {
	Back   []int32 // how many rows back each label is, 1 to Lookback
	Parts  int     // which way to divide the rows
	Ptr    []int32 // part p has the entries Ptr[p] up to Ptr[p+1]
	Code   []int64 // of the labels, rising within a part
	Column []int32
}

// Code appends a label to the code of the labels before it. Codes are numbers in base levels+1: digit l+1 is level l, and digit 0 a place
// before the sequence.
func Code(code int64, label, levels int) int64 { return code*int64(levels+1) + int64(label+1) }

// Beyond is the label of a place before the first row of a sequence.
const Beyond = -1

// Check verifies that all indices are in range. levels is the number of labels; 0 where there are none that columns could look at, which is
// where the data have not one class target alone, on every row. O(rows · divisions + columns).
func (s *Sequences) Check(rows, cols, levels int, binary bool) error {
	if err := checkStarts(s.Start, rows); err != nil {
		return err
	}
	if s.Static < 0 || s.Static > cols {
		return fmt.Errorf("%d static columns of %d", s.Static, cols)
	}
	if len(s.Previous) == 0 {
		return nil
	}
	if levels == 0 || !binary {
		return errors.New("columns of previous labels need one class target, on every row, and 0/1 values")
	}
	parts := make([]int, len(s.Parts))
	for k, part := range s.Parts {
		if len(part) != rows {
			return fmt.Errorf("division %d: %d parts for %d rows", k, len(part), rows)
		}
		if slices.Min(part) < -1 {
			return fmt.Errorf("division %d: part %d, expected at least -1", k, slices.Min(part))
		}
		parts[k] = int(slices.Max(part)) + 1
	}
	last := int32(s.Static) - 1
	for k := range s.Previous {
		p := &s.Previous[k]
		if p.Parts < 0 || p.Parts >= len(parts) {
			return fmt.Errorf("template %d: division %d of %d", k, p.Parts, len(parts))
		}
		if err := p.check(parts[p.Parts], levels); err != nil {
			return fmt.Errorf("template %d: %w", k, err)
		}
		if len(p.Column) == 0 {
			continue
		}
		// A later template has larger columns, so rows come out sorted.
		if first := slices.Min(p.Column); first <= last {
			return fmt.Errorf("template %d: column %d, expected more than %d", k, first, last)
		}
		if last = slices.Max(p.Column); int(last) >= cols {
			return fmt.Errorf("template %d: column %d of %d", k, last, cols)
		}
	}
	return nil
}

func checkStarts(start []int32, rows int) error {
	for k, row := range start {
		if k == 0 && row != 0 || k > 0 && row <= start[k-1] || int(row) >= rows {
			return fmt.Errorf("sequence %d begins at row %d, expected rising rows from 0 below %d", k, row, rows)
		}
	}
	if len(start) == 0 {
		return errors.New("no sequences")
	}
	return nil
}

func (p *Previous) check(parts, levels int) error {
	if len(p.Back) == 0 || len(p.Back) > Lookback || slices.Min(p.Back) < 1 || slices.Max(p.Back) > Lookback || levels >= 1<<15 {
		return fmt.Errorf("labels %v rows back of %d levels, expected 1 to %d back", p.Back, levels, Lookback)
	}
	n := len(p.Code)
	if len(p.Column) != n || len(p.Ptr) <= parts || p.Ptr[0] != 0 || int(p.Ptr[len(p.Ptr)-1]) != n || !slices.IsSorted(p.Ptr) {
		return fmt.Errorf("%d codes and %d columns do not make %d parts", n, len(p.Column), parts)
	}
	for q := range len(p.Ptr) - 1 {
		if !slices.IsSorted(p.Code[p.Ptr[q]:p.Ptr[q+1]]) {
			return fmt.Errorf("the codes of part %d do not rise", q)
		}
	}
	return nil
}

// KeepColumns returns the sequences after columns were dropped; to holds the new number of each column, -1 for a dropped one.
func (s *Sequences) KeepColumns(to []int32) *Sequences {
	out := &Sequences{Start: s.Start, Parts: slices.Clone(s.Parts), Previous: make([]Previous, len(s.Previous))}
	for _, j := range to[:s.Static] {
		if j >= 0 {
			out.Static++
		}
	}
	for k, p := range s.Previous {
		q := Previous{Back: p.Back, Parts: p.Parts, Ptr: make([]int32, len(p.Ptr))}
		for part := range len(p.Ptr) - 1 {
			for e := p.Ptr[part]; e < p.Ptr[part+1]; e++ {
				if j := to[p.Column[e]]; j >= 0 {
					q.Code, q.Column = append(q.Code, p.Code[e]), append(q.Column, j)
				}
			}
			q.Ptr[part+1] = int32(len(q.Code))
		}
		out.Previous[k] = q
	}
	return out
}

// columnOf returns the column for a part and the code of the labels before the row, -1 for none.
func (p *Previous) columnOf(part int32, code int64) int32 {
	a, b := p.Ptr[part], p.Ptr[part+1]
	if k, ok := slices.BinarySearch(p.Code[a:b], code); ok {
		return p.Column[int(a)+k]
	}
	return -1
}

// Columns returns the columns of row i, given those that it has without labels and the labels of all rows before it in its sequence. They are in
// dst, which grows as needed.
func (s *Sequences) Columns(dst, row []int32, i int32, before []int32, levels int) []int32 {
	dst = append(dst[:0], row[:countBelow(row, s.Static)]...)
	for k := range s.Previous {
		p := &s.Previous[k]
		part := s.Parts[p.Parts][i]
		if part < 0 || p.Ptr[part] == p.Ptr[part+1] {
			continue
		}
		code := int64(0)
		for _, back := range p.Back {
			label := int32(Beyond)
			if from := len(before) - int(back); from >= 0 {
				label = before[from]
			}
			code = Code(code, int(label), levels)
		}
		if j := p.columnOf(part, code); j >= 0 {
			dst = append(dst, j)
		}
	}
	return dst
}

// StripLabels returns the matrix without the columns static, static+1, … in all rows but those of train, which rise.
func StripLabels(x *sparse.Matrix, static int, train []int32) *sparse.Matrix {
	rows, cols := x.Dims()
	ptr, idx := make([]int, 1, rows+1), make([]int32, 0, x.NNZ())
	next := 0
	for i := range rows {
		row := x.Row(i).Idx
		if next < len(train) && int(train[next]) == i {
			next++
		} else {
			row = row[:countBelow(row, static)]
		}
		idx = append(idx, row...)
		ptr = append(ptr, len(idx))
	}
	return sparse.New(cols, ptr, idx, nil)
}

// countBelow returns the number of columns below static.
func countBelow(row []int32, static int) int {
	n, _ := slices.BinarySearch(row, int32(static))
	return n
}
