package engines

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"tenfold/engines/numeric/exact"
	"tenfold/engines/numeric/sparse"
)

// This file encodes what the states of many kinds of models have in common.

// Coefs are coefficients in a saved model: one list for each field. Lists that hold nothing but defaults are left out.
type Coefs []Coef

type coefLists struct {
	Feature []int        `json:"feature"`
	Output  []int        `json:"output,omitempty"` // left out: 0
	Value   exact.Floats `json:"value"`
	Rank    []int        `json:"rank,omitempty"`  // left out: -1
	Score   exact.Floats `json:"score,omitempty"` // left out: 0
	Bits    []*Bits      `json:"bits,omitempty"`  // left out: none
}

// MarshalJSON writes the lists.
func (coefs Coefs) MarshalJSON() ([]byte, error) {
	n := len(coefs)
	all := coefLists{make([]int, n), make([]int, n), make(exact.Floats, n), make([]int, n), make(exact.Floats, n), make([]*Bits, n)}
	var outputs, ranks, scores, bits bool
	for k, c := range coefs {
		all.Feature[k], all.Output[k], all.Value[k], all.Rank[k], all.Score[k], all.Bits[k] = c.Feature, c.Output, c.Value, c.Rank, c.Score, c.Bits
		outputs, ranks, scores, bits = outputs || c.Output != 0, ranks || c.Rank != -1, scores || math.Float64bits(c.Score) != 0, bits || c.Bits != nil
	}
	if !outputs {
		all.Output = nil
	}
	if !ranks {
		all.Rank = nil
	}
	if !scores {
		all.Score = nil
	}
	if !bits {
		all.Bits = nil
	}
	return json.Marshal(all)
}

// UnmarshalJSON reads the lists, which must have equal lengths.
func (coefs *Coefs) UnmarshalJSON(text []byte) error {
	var all coefLists
	if err := Decode(text, &all); err != nil {
		return err
	}
	n := len(all.Feature)
	for _, list := range []struct {
		name string
		n    int
	}{{"values", len(all.Value)}, {"outputs", len(all.Output)}, {"ranks", len(all.Rank)}, {"scores", len(all.Score)}, {"ledgers", len(all.Bits)}} {
		if list.n != n && (list.n > 0 || list.name == "values") {
			return fmt.Errorf("%d %s for %d coefficients", list.n, list.name, n)
		}
	}
	*coefs = make(Coefs, n)
	for k := range *coefs {
		c := &(*coefs)[k]
		c.Feature, c.Value, c.Rank = all.Feature[k], all.Value[k], -1
		if len(all.Output) > 0 {
			c.Output = all.Output[k]
		}
		if len(all.Rank) > 0 {
			c.Rank = all.Rank[k]
		}
		if len(all.Score) > 0 {
			c.Score = all.Score[k]
		}
		if len(all.Bits) > 0 {
			c.Bits = all.Bits[k]
		}
	}
	return nil
}

// Check verifies that outputs is at least 1, that features and outputs are in range, and that the coefficients are sorted by output and
// feature.
func (coefs Coefs) Check(features, outputs int) error {
	if outputs < 1 {
		return errors.New("it has no output")
	}
	for k, c := range coefs {
		switch {
		case c.Feature < 0 || c.Feature >= features:
			return fmt.Errorf("coefficient %d is of column %d, and there are %d", k, c.Feature, features)
		case c.Output < 0 || c.Output >= outputs:
			return fmt.Errorf("coefficient %d is of output %d, and there are %d", k, c.Output, outputs)
		case k > 0 && (c.Output < coefs[k-1].Output || c.Output == coefs[k-1].Output && c.Feature <= coefs[k-1].Feature):
			return fmt.Errorf("coefficient %d is out of order", k)
		}
	}
	return nil
}

// CheckPicked verifies that the numbers of some of a total of columns (or rows) rise and are in range.
func CheckPicked(picked []int32, total int) error {
	for k, j := range picked {
		if j < 0 || int(j) >= total || k > 0 && j <= picked[k-1] {
			return fmt.Errorf("number %d of those picked is %d: they must rise, and there are %d", k, j, total)
		}
	}
	return nil
}

// MarshalJSON writes the objective and the dual value.
func (c Certificate) MarshalJSON() ([]byte, error) { return exact.Pack(c.Objective, c.Dual) }

// UnmarshalJSON reads them.
func (c *Certificate) UnmarshalJSON(text []byte) error {
	return exact.Unpack(text, &c.Objective, &c.Dual)
}

// MarshalJSON writes the three lengths.
func (d Description) MarshalJSON() ([]byte, error) { return exact.Pack(d.Null, d.Responses, d.Model) }

// UnmarshalJSON reads them.
func (d *Description) UnmarshalJSON(text []byte) error {
	return exact.Unpack(text, &d.Null, &d.Responses, &d.Model)
}

// MarshalJSON writes Saved, Refined and the parts of the price.
func (b Bits) MarshalJSON() ([]byte, error) {
	return exact.Pack(b.Saved, b.Refined, b.Class, b.Index, b.Subset, b.Coefficient)
}

// UnmarshalJSON reads them.
func (b *Bits) UnmarshalJSON(text []byte) error {
	return exact.Unpack(text, &b.Saved, &b.Refined, &b.Class, &b.Index, &b.Subset, &b.Coefficient)
}

// Rows is a sparse matrix in a saved model: the end of each row among the entries, and the entries.
type Rows struct {
	End    []int        `json:"end"`
	Column []int32      `json:"column"`
	Value  exact.Floats `json:"value"` // null where every value is one
}

// SaveRows returns the rows of a matrix.
func SaveRows(m *sparse.Matrix) Rows {
	rows, _ := m.Dims()
	ptr, idx, val := m.Rows()
	from, to := ptr[0], ptr[rows]
	out := Rows{End: make([]int, rows), Column: idx[from:to]}
	for i := range out.End {
		out.End[i] = ptr[i+1] - from
	}
	if val != nil {
		out.Value = exact.Floats(val[from:to])
	}
	return out
}

// Matrix returns the rows as a matrix with the given number of columns.
func (r Rows) Matrix(columns int) (*sparse.Matrix, error) {
	ptr := append([]int{0}, r.End...)
	m := sparse.New(columns, ptr, r.Column, r.Value)
	if err := m.Check(); err != nil {
		return nil, err
	}
	if last := ptr[len(ptr)-1]; last != len(r.Column) {
		return nil, fmt.Errorf("rows of %d entries, but there are %d", last, len(r.Column))
	}
	return m, nil
}
