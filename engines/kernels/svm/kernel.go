package svm

import (
	"fmt"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// kernelForm is the form of a kernel: rbf, linear, polynomial.
type kernelForm string

const (
	rbf        kernelForm = "rbf"
	linear     kernelForm = "linear"
	polynomial kernelForm = "polynomial"
)

// kernel with its parameters.
type kernel struct {
	form         kernelForm
	gamma, coef0 float64
	degree       int
}

// value returns the kernel, from the inner product of two rows and what each has of its own (points.offset).
func (k kernel) value(dot, x, z float64) float64 {
	switch k.form {
	case rbf:
		return k.radial(dot, x, z)
	case polynomial:
		return k.polynomial(dot, x, z)
	}
	return dot
}

func (k kernel) radial(dot, x, z float64) float64 {
	return elementary.Exp(-float64(k.gamma * max(0, x+z-float64(2*dot))))
}

func (k kernel) polynomial(dot, x, z float64) float64 {
	base, p := float64(k.gamma*(dot-x-z))+k.coef0, 1.0
	for range k.degree {
		p *= base
	}
	return p
}

// points are rows to take kernels with.
//
// Rows are scaled by column, but not moved, so sparse ones stay sparse. What x−m would have as inner products is
//
//	(x−m)·(z−m) = x·z − x·m − z·m + m·m.
//
// Distances do not ask for m; nor does the linear kernel, since the terms in one row alone cancel where Σβ = 0.
type points struct {
	kernel kernel
	x      *sparse.Matrix
	move   []float64 // m of the polynomial kernel, nil for zeros
	half   float64   // ½·m·m
	offset []float64 // by row: x·x for rbf, x·m − ½·m·m for polynomial
	// values has the rows with their zeros, where those are few, each from its start on. nil otherwise.
	values []float64
	start  []int
	// table is exp(−gamma·d) by squared distance d, which is a whole number between rows of zeros and ones. nil otherwise.
	table []float64
}

func newPoints(k kernel, x *sparse.Matrix, move []float64) *points {
	rows, _ := x.Dims()
	p := &points{kernel: k, x: x, offset: make([]float64, rows)}
	if k.form == polynomial && move != nil {
		p.move = move
		for _, m := range move {
			p.half += float64(0.5 * m * m)
		}
	}
	longest := 0
	for i := range rows {
		row := x.Row(i)
		p.offset[i] = p.ownOf(row)
		longest = max(longest, row.Len())
	}
	if _, columns := x.Dims(); x.IsFull() {
		p.values, p.start = x.FullRows(0, rows)
	} else if 3*x.NNZ() >= rows*columns {
		p.values, p.start = make([]float64, rows*columns), make([]int, rows)
		for i := range p.start {
			p.start[i] = i * columns
			x.Row(i).AddTo(p.values[i*columns:(i+1)*columns], 1)
		}
	}
	if k.form == rbf && x.Binary() {
		p.table = make([]float64, 2*longest+1)
		for d := range p.table {
			p.table[d] = k.value(0, float64(d), 0)
		}
	}
	return p
}

func (p *points) ownOf(row sparse.Vec) float64 {
	switch {
	case p.kernel.form == rbf:
		return squaredNorm(row)
	case p.move != nil:
		return row.Dot(p.move) - p.half
	}
	return 0
}

func squaredNorm(row sparse.Vec) float64 {
	s := 0.0
	for k := range row.Len() {
		v := row.At(k)
		s += float64(v * v)
	}
	return s
}

// subset returns some of the points.
func (p *points) subset(rows []int32) *points {
	q := *p
	q.x, q.offset = p.x.Pick(rows), make([]float64, len(rows))
	for k, i := range rows {
		q.offset[k] = p.offset[i]
	}
	if p.values != nil {
		q.start = make([]int, len(rows))
		for k, i := range rows {
			q.start[k] = p.start[i]
		}
	}
	return &q
}

// diagonal returns the kernel of every point with itself.
func (p *points) diagonal() ([]float64, error) {
	diagonal := make([]float64, len(p.offset))
	for i := range diagonal {
		if diagonal[i] = p.kernel.value(squaredNorm(p.x.Row(i)), p.offset[i], p.offset[i]); !elementary.IsFinite(diagonal[i]) {
			return nil, fmt.Errorf("row %d: its kernel with itself is %v; scale the columns", i, diagonal[i])
		}
	}
	return diagonal, nil
}

// innerProducts fills dst with the inner products of a row with every point: O(entries of the row's columns + points). Each is summed
// in an order of columns that is the same for all, so that of i with j is to the last bit that of j with i.
func (p *points) innerProducts(dst []float64, row sparse.Vec) {
	if p.values != nil {
		_, columns := p.x.Dims()
		dense.DotEachRow(dst, p.values, p.start, row.Spread(make([]float64, columns)))
		return
	}
	clear(dst)
	for k, j := range row.Idx {
		p.x.Col(int(j)).AddTo(dst, row.At(k))
	}
}

// kernelRow fills dst with the kernel of a row with every point.
func (p *points) kernelRow(dst []float64, row sparse.Vec, offset float64) {
	p.innerProducts(dst, row)
	k := p.kernel
	switch {
	case k.form == polynomial:
		for j, dot := range dst {
			dst[j] = k.polynomial(dot, offset, p.offset[j])
		}
	case k.form == rbf && p.table != nil && row.Val == nil && 2*int(offset) < len(p.table):
		for j, dot := range dst {
			dst[j] = p.table[int(offset+p.offset[j]-2*dot)]
		}
	case k.form == rbf:
		for j, dot := range dst {
			dst[j] = -float64(k.gamma * max(0, offset+p.offset[j]-float64(2*dot)))
		}
		elementary.SumExp(dst, dst, 0)
	}
}
