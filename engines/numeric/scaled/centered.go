package scaled

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/sparse"
)

// Centered holds a matrix of columns γ_j·(x_ij − c_j), stored. To a model with a free intercept, centred columns are equivalent to
// those of x, and numerically far better where means exceed deviations. Only columns with entries in more than half of the rows are
// centred, which at most doubles their entries; with equal row weights, the mean of any other column is at most its standard
// deviation.
type Centered struct {
	X      *sparse.Matrix
	Center []float64 // c_j, or 0; nil if all are 0
	Scale  []float64 // γ_j: one over the standard deviation, 0 for a constant column; nil if all are 1
}

// flat is the ratio of standard deviation to mean up to which a deviation is nothing but rounding.
const flat = 1e-12

// Location says where the zero of centred columns is.
type Location int8

const (
	Unmoved Location = iota // columns are not centred
	Mean                    // the weighted mean
	Middle                  // the mean, or the median of a column most of whose entries lie far from their mean
)

// farMean is how many distances between the quartiles the mean is from the median where Middle is the median: beside entries that are
// larger by orders of magnitude, the others would differ from their mean by next to nothing, as a column of ones does.
const farMean = 10

// Center centres columns, scales them to a standard deviation of 1, or both. weight holds m_i > 0, or nil for 1 each. Columns of a
// matrix of ones are never centred, and if nothing changes, X is x. The error is the cause of ctx's end, polled every stride rows.
// O(nnz) time, and as much memory if something changes.
func Center(ctx context.Context, x *sparse.Matrix, weight []float64, center Location, scale bool) (*Centered, error) {
	if x.Binary() {
		center = Unmoved
	}
	if center == Unmoved && !scale {
		return &Centered{X: x}, nil
	}
	rows, cols := x.Dims()
	b := &centering{x: x, rows: rows, cols: cols, weight: weight, entries: make([]int, cols)}
	most := 0
	b.visitRows(ctx, func(row sparse.Vec, m float64) {
		b.total += m
		if x.IsFull() {
			return
		}
		for _, j := range row.Idx {
			b.entries[j]++
			most = max(most, b.entries[j])
		}
	})
	if x.IsFull() {
		for j := range b.entries {
			b.entries[j] = b.rows
		}
		most = b.rows
	}
	if 2*most <= b.rows {
		center = Unmoved
	}
	if center == Unmoved && !scale || ctx.Err() != nil {
		return &Centered{X: x}, context.Cause(ctx)
	}
	if err := b.learnScales(ctx, center, scale); err != nil {
		return nil, err
	}
	return &Centered{X: b.applyTo(ctx), Center: b.center, Scale: b.scale}, context.Cause(ctx)
}

// centering holds the state of one call of Center.
type centering struct {
	x             *sparse.Matrix
	rows, cols    int
	weight        sparse.Weights
	total         float64   // sum of the weights
	entries       []int     // by column
	center, scale []float64 // as in Centered
	drop          []bool    // constant columns: their entries are dropped, or in a full matrix become zeros
}

// stride is the number of rows between two polls of a context.
const stride = 1 << 14

func (b *centering) visitRows(ctx context.Context, do func(row sparse.Vec, m float64)) {
	for i := range b.rows {
		if i%stride == 0 && ctx.Err() != nil {
			return
		}
		do(b.x.Row(i), b.weight.Of(i))
	}
}

// manyEntries reports whether column j has entries in more than half of the rows.
func (b *centering) manyEntries(j int) bool { return 2*b.entries[j] > b.rows }

// learnScales computes centres and scales. The squares of columns with many entries are summed about their first value, so that a
// large mean costs no digits.
func (b *centering) learnScales(ctx context.Context, center Location, scale bool) error {
	x := b.x
	first, sum, square, stored := make([]float64, b.cols), make([]float64, b.cols), make([]float64, b.cols), make([]float64, b.cols)
	b.visitRows(ctx, func(row sparse.Vec, m float64) {
		if x.IsFull() {
			if stored[0] == 0 {
				copy(first, row.Val)
			}
			stored[0] += m
			addAbout(first, sum, square, row.Val, m)
			return
		}
		for k, j := range row.Idx {
			v := row.At(k)
			if stored[j] == 0 && b.manyEntries(int(j)) {
				first[j] = v
			}
			d := v - first[j]
			sum[j] += float64(m * d)
			square[j] += float64(m * float64(d*d))
			stored[j] += m
		}
	})
	b.drop = make([]bool, b.cols)
	if center != Unmoved {
		b.center = make([]float64, b.cols)
	}
	if scale {
		b.scale = make([]float64, b.cols)
	}
	for j, p := range first {
		if b.entries[j] < b.rows {
			zeros := max(0, b.total-stored[j])
			sum[j] -= float64(zeros * p)
			square[j] += float64(zeros * float64(p*p))
		}
		if math.IsInf(square[j], 1) {
			return tooLarge(j)
		}
		off := sum[j] / b.total
		mean, deviation := p+off, math.Sqrt(max(0, square[j]/b.total-float64(off*off)))
		if deviation <= flat*math.Abs(mean) || b.total*deviation*deviation < Subnormal {
			b.drop[j] = scale || center != Unmoved && b.manyEntries(j)
			continue
		}
		if scale {
			b.scale[j] = 1 / deviation
		}
		if center != Unmoved && b.manyEntries(j) {
			b.center[j] = mean
		}
	}
	if center == Middle {
		b.moveFarMeans()
	}
	return nil
}

const (
	farRows = 256 // rows, evenly spread, by which columns are far from zero or not,
	farRate = 4   // and how many standard deviations their mean is then beyond
)

// AnyFarFromZero reports whether the columns of a matrix with all its entries lose digits unless they are centred: the mean of some column
// is more than farRate standard deviations from zero, on a sample of the rows. It is false for other matrices. O(columns).
func AnyFarFromZero(x *sparse.Matrix) bool {
	if !x.IsFull() {
		return false
	}
	rows, cols := x.Dims()
	n := min(rows, farRows)
	first, sum, square := x.Row(0).Val, make([]float64, cols), make([]float64, cols)
	for k := range n {
		addAbout(first, sum, square, x.Row(k*rows/n).Val, 1)
	}
	for j, s := range sum {
		off := s / float64(n)
		if variance := square[j]/float64(n) - float64(off*off); !(math.Abs(first[j]+off) <= farRate*math.Sqrt(max(0, variance))) {
			return true
		}
	}
	return false
}

const (
	quartileRows    = 63 // how many rows the quartiles of columns are those of, at most: fewer numbers than the columns have entries
	quartileColumns = 64 // how many columns are gathered at a time, so that their values stay in the cache
)

// moveFarMeans takes the median of a column for its centre where the mean is far from it. Median and quartiles are those of rows evenly
// spread over all.
func (b *centering) moveFarMeans() {
	x := b.x
	rows := min(b.rows, quartileRows)
	values, next := make([]float64, rows*quartileColumns), make([]int, rows) // by column; by row, its first entry that was not gathered yet
	for from := 0; from < b.cols; from += quartileColumns {
		center := b.center[from:min(from+quartileColumns, b.cols)]
		clear(values)
		for k := range rows {
			row, e := x.Row(k*b.rows/rows), next[k]
			if x.IsFull() {
				for j, v := range row.Val[from : from+len(center)] {
					values[j*rows+k] = v
				}
				continue
			}
			for ; e < len(row.Idx) && int(row.Idx[e]) < from+len(center); e++ {
				values[(int(row.Idx[e])-from)*rows+k] = row.At(e)
			}
			next[k] = e
		}
		for j, mean := range center {
			column := values[j*rows : (j+1)*rows]
			if liesBetweenQuartiles(mean, column) {
				continue // and no farther from the median than they are apart
			}
			slices.Sort(column)
			if median := column[rows/2]; mean != 0 && math.Abs(mean-median) > farMean*(column[rows*3/4]-column[rows/4]) {
				center[j] = median
			}
		}
	}
}

// liesBetweenQuartiles reports whether a number is between the quartiles of values, which need not be in order.
func liesBetweenQuartiles(number float64, values []float64) bool {
	below, upTo := 0, 0
	for _, v := range values {
		if v < number {
			below++
		}
		if v <= number {
			upTo++
		}
	}
	return upTo > len(values)/4 && below <= len(values)*3/4
}

// addAbout adds m·d to sum and m·d² to square, where d are the differences between a row with all its entries and from.
func addAbout(from, sum, square, row []float64, m float64) {
	from, sum, square = from[:len(row)], sum[:len(row)], square[:len(row)]
	for j, v := range row {
		d := v - from[j]
		sum[j] += float64(m * d)
		square[j] += float64(m * float64(d*d))
	}
}

// applyTo returns the centred and scaled matrix; nil if ctx has ended.
func (b *centering) applyTo(ctx context.Context) *sparse.Matrix {
	x, center, scale := b.x, b.center, b.scale
	var centred, zero []int32
	entries := 0
	for j, n := range b.entries {
		if b.drop[j] {
			zero = append(zero, int32(j))
		}
		switch {
		case b.drop[j] && !x.IsFull():
		case center != nil && center[j] != 0:
			centred = append(centred, int32(j))
			entries += b.rows
		default:
			entries += n
		}
	}
	ptr := make([]int, 1, b.rows+1)
	idx, val, n := x.Int32s(entries), x.Float64s(entries), 0
	put := func(j int32, v float64) {
		if b.drop[j] {
			return
		}
		if center != nil {
			v -= center[j]
		}
		if scale != nil {
			v *= scale[j]
		}
		idx[n], val[n] = j, v
		n++
	}
	whole, room := entries == b.rows*b.cols, make([]float64, b.cols) // every column has all its entries
	for i := range b.rows {
		if i%stride == 0 && ctx.Err() != nil {
			return nil
		}
		if whole {
			for j := range b.cols {
				idx[n+j] = int32(j)
			}
			row := val[n : n+b.cols]
			b.applyToRow(row, x.Row(i).Spread(room))
			for _, j := range zero {
				row[j] = 0
			}
			n += b.cols
			ptr = append(ptr, n)
			continue
		}
		x.VisitWithZeros(i, centred, put)
		ptr = append(ptr, n)
	}
	return sparse.New(b.cols, ptr, idx[:n], val[:n]).On(x.Scratch())
}

// applyToRow sets dst to the centred and scaled values of a row with all its entries.
func (b *centering) applyToRow(dst, row []float64) {
	dst = dst[:len(row)]
	switch {
	case b.scale == nil:
		center := b.center[:len(row)]
		for j, v := range row {
			dst[j] = v - center[j]
		}
	case b.center == nil:
		scale := b.scale[:len(row)]
		for j, v := range row {
			dst[j] = v * scale[j]
		}
	default:
		center, scale := b.center[:len(row)], b.scale[:len(row)]
		for j, v := range row {
			dst[j] = (v - center[j]) * scale[j]
		}
	}
}
