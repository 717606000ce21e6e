package stagewise

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/numeric/sparse"
)

// centring holds the means that are subtracted from dense numeric columns before a likelihood is fitted. Without it, a step on a
// column far from zero moves the scores of all rows together, as the intercept does. Sparse columns stay as they are.
type centring struct {
	mean   []float64 // by column, 0 if it is not centred; nil if none is
	column []int32   // the centred ones
}

// centreNumbers centres the design's columns that are nonzero in most rows and have values other than 0 and 1: its features are
// then G = γ·(x − mean). O(entries).
func (d *design) centreNumbers(ctx context.Context) (c centring, err error) {
	rows, cols := d.x.Dims()
	if d.x.Binary() {
		return c, nil
	}
	mean := make([]float64, cols)
	for a, j := range d.column {
		col, nonzero, ones := d.cols.Col(int(j)), 0, 0
		for q := range col.Idx {
			switch col.At(q) {
			case 0:
			case 1:
				ones++
				fallthrough
			default:
				nonzero++
			}
		}
		if 2*nonzero > rows && ones < nonzero {
			mean[j], c.mean = d.scales[a].mu, mean
		}
	}
	if c.mean == nil {
		return c, nil
	}
	for j, m := range mean {
		if m != 0 {
			c.column = append(c.column, int32(j))
		}
	}
	d.x = c.apply(d.x)
	d.cols, err = sparse.NewColumns(ctx, d.x)
	return c, err
}

// apply subtracts the means from other rows.
func (c centring) apply(x *sparse.Matrix) *sparse.Matrix {
	if c.mean == nil {
		return x
	}
	rows, cols := x.Dims()
	size := x.NNZ() + rows*len(c.column)/4
	ptr, idx, val := make([]int, 1, rows+1), make([]int32, 0, size), make([]float64, 0, size)
	put := func(j int32, v float64) { idx, val = append(idx, j), append(val, v-c.mean[j]) }
	for i := range rows {
		x.VisitWithZeros(i, c.column, put)
		ptr = append(ptr, len(idx))
	}
	return sparse.New(cols, ptr, idx, val)
}

// intercepts turns those of centred columns into those of the data's own: b − Σ mean·coefficient, by output. It changes b.
func (c centring) intercepts(b []float64, coefs []engines.Coef) []float64 {
	if c.mean != nil {
		for _, k := range coefs {
			b[k.Output] -= float64(k.Value * c.mean[k.Feature])
		}
	}
	return b
}
