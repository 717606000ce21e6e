package loglinear

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/sparse"
)

// Agree numbers the distinct rows so that those equal in the given columns (rising) share a number: number[i] is that of row i,
// first[k] the first row with number k. A model whose features are all of these columns is the same in all rows of a number. The
// error is the cause of ctx's end. O(nnz).
func (p *Problem) Agree(ctx context.Context, columns []int32) (number, first []int32, err error) {
	number, first = distinctRows(ctx, p.X.Keep(columns))
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	return number, first, nil
}

// stride is the number of rows between two polls of a context.
const stride = 1 << 12

// distinctRows numbers the distinct rows of x in order of first appearance: number[i] is the number of row i, first[k] the first row
// with number k. It returns early when ctx ends. O(nnz).
func distinctRows(ctx context.Context, x *sparse.Matrix) (number, first []int32) {
	rows, _ := x.Dims()
	number = make([]int32, rows)
	bits := 1
	for 1<<bits < 2*rows {
		bits++
	}
	table := make([]int32, 1<<bits) // number + 1
	for i := range rows {
		if i%stride == 0 && ctx.Err() != nil {
			return number, first
		}
		row := x.Row(i)
		slot := hashRow(row) >> (64 - bits)
		for table[slot] != 0 && !equalRows(row, x.Row(int(first[table[slot]-1]))) {
			slot = (slot + 1) & (1<<bits - 1)
		}
		if table[slot] == 0 {
			first = append(first, int32(i))
			table[slot] = int32(len(first))
		}
		number[i] = table[slot] - 1
	}
	return number, first
}

func equalRows(a, b sparse.Vec) bool { return slices.Equal(a.Idx, b.Idx) && slices.Equal(a.Val, b.Val) }

// hashRow mixes the entries of a row; the multiplier is 2⁶⁴ divided by the golden ratio.
func hashRow(v sparse.Vec) uint64 {
	const mul = 0x9E3779B97F4A7C15
	h := uint64(len(v.Idx)) * mul
	for _, j := range v.Idx {
		h = (h ^ h>>29 ^ uint64(j)) * mul
	}
	for _, x := range v.Val {
		h = (h ^ h>>29 ^ math.Float64bits(x)) * mul
	}
	return (h ^ h>>32) * mul
}
