package oracle

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"tenfold/engines/numeric/sparse"
)

// Rows is the input of the first family's cases: one list a row, whose entries are a column index (value 1) or
// [column, value].
type Rows [][]json.RawMessage

// Matrix returns the matrix with p columns, or the refusal of a row.
func (r Rows) Matrix(t *testing.T, p int) (*sparse.Matrix, error) {
	t.Helper()
	var b sparse.Builder
	for i, row := range r {
		idx, val := make([]int32, len(row)), make([]float64, len(row))
		for k, entry := range row {
			pair := []*float64{nil, new(float64)}
			*pair[1] = 1
			if json.Unmarshal(entry, &pair[0]) != nil {
				if err := json.Unmarshal(entry, &pair); err != nil || len(pair) != 2 || pair[0] == nil {
					t.Fatalf("row %d: entry %s is neither a column nor [column, value]", i, entry)
				}
			}
			if pair[0] == nil || *pair[0] != math.Trunc(*pair[0]) {
				return nil, fmt.Errorf("row %d: entry %s, expected a whole column number", i, entry)
			}
			idx[k], val[k] = int32(*pair[0]), orNaN(pair[1])
		}
		if err := b.Add(idx, val); err != nil {
			return nil, fmt.Errorf("row %d: %w", i, err)
		}
	}
	x := b.Matrix(p)
	if _, cols := x.Dims(); cols > p {
		return nil, fmt.Errorf("column index %d outside 0..%d", cols-1, p-1)
	}
	return x, x.Check()
}

// Numbers is a list in which null stands for NaN.
type Numbers []float64

// UnmarshalJSON reads the list.
func (n *Numbers) UnmarshalJSON(raw []byte) error {
	var list []*float64
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	*n = make(Numbers, len(list))
	for k, v := range list {
		(*n)[k] = orNaN(v)
	}
	return nil
}

func orNaN(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}
