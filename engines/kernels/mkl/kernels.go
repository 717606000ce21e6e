package mkl

import (
	"context"
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
)

// The candidates of Rakotomamonjy et al. (2008), section 4.2, on the columns of each class of features and on all together:
// Gaussian kernels exp(−‖x − z‖²/(2σ²)) and polynomial ones (x·z + 1)^d of centred columns of standard deviation 1. Every
// kernel matrix has trace 1, rows counting by their weights.
var (
	widths  = []float64{0.5, 1, 2, 5, 7, 10, 12, 15, 17, 20}
	degrees = []int{1, 2, 3}
)

// perBase is the number of kernels on the columns of one class.
var perBase = len(widths) + len(degrees)

// kernelShape of a kernel: a width, or a degree.
type kernelShape struct {
	width  float64
	degree int
}

func (s kernelShape) String() string {
	if s.degree > 0 {
		return fmt.Sprintf("polynomial %d", s.degree)
	}
	return fmt.Sprintf("gaussian %v", s.width)
}

func kernelShapes() (out []kernelShape) {
	for _, w := range widths {
		out = append(out, kernelShape{width: w})
	}
	for _, d := range degrees {
		out = append(out, kernelShape{degree: d})
	}
	return out
}

// kernelValue returns k(x, z) from the inner products xz, xx and zz.
func (s kernelShape) kernelValue(xz, xx, zz float64) float64 {
	if s.degree > 0 {
		v, out := xz+1, 1.0
		for range s.degree {
			out *= v
		}
		return out
	}
	return elementary.Exp(-max(0, xx+zz-2*xz) / (2 * s.width * s.width))
}

// columnSet is the columns of a class, centred and scaled: row i is x_i − offset, where x is sparse.
type columnSet struct {
	name    string
	columns []int32 // of the data
	x       *sparse.Matrix
	offset  []float64
	scale   []float64 // what a raw value less its mean is multiplied with
	mean    []float64
	share   float64 // what inner products are multiplied with
}

type columnSets []*columnSet

// splitByClass divides the columns into sets, by class; those without one are the last. Without any classes there is one, of all
// columns. center is what the data's columns are less than in g; nil for nothing.
func splitByClass(f *data.Features, g *scaled.Matrix, center []float64) columnSets {
	names := f.Classes()
	all := make(columnSets, len(names)+1)
	for c := range all {
		all[c] = &columnSet{name: data.None, share: 1}
		if c < len(names) {
			all[c].name = names[c]
		}
	}
	for j := range int32(f.Len()) {
		c := f.Class(int(j))
		if c < 0 {
			c = len(names)
		}
		all[c].columns = append(all[c].columns, j)
	}
	var out columnSets
	for _, b := range all {
		if len(b.columns) > 0 {
			b.standardize(g, center)
			out = append(out, b)
		}
	}
	return out
}

func (b *columnSet) standardize(g *scaled.Matrix, center []float64) {
	n := len(b.columns)
	b.offset, b.scale, b.mean = make([]float64, n), make([]float64, n), make([]float64, n)
	for k, j := range b.columns {
		b.scale[k], b.mean[k] = g.Scale[j], g.Mean[j]
		b.offset[k] = g.Scale[j] * g.Mean[j]
		if center != nil {
			b.mean[k] += center[j]
		}
	}
	b.x = g.X.Keep(b.columns).Valued(func(k int32, v float64) float64 { return b.scale[k] * v })
}

// centredRow fills z with the centred and scaled values of a row of the data.
func (b *columnSet) centredRow(z []float64, raw sparse.Vec) {
	for k := range z {
		z[k] = -b.scale[k] * b.mean[k]
	}
	q := 0
	for e, j := range raw.Idx {
		for q < len(b.columns) && b.columns[q] < j {
			q++
		}
		if q < len(b.columns) && b.columns[q] == j {
			z[q] = b.scale[q] * (raw.At(e) - b.mean[q])
		}
	}
}

// innerProducts sets dst[i] to the inner product of row i with z, for the first len(dst) rows.
func (b *columnSet) innerProducts(dst, z []float64) {
	back := dense.DotInOrder(z, b.offset)
	for i := range dst {
		dst[i] = b.share * (b.x.Row(i).Dot(z) - back)
	}
}

// gram returns all inner products within a base. O(rows · entries).
func (b *columnSet) gram(ctx context.Context, rows int) dense.Triangle {
	a, z := dense.NewTriangle(rows), make([]float64, len(b.columns))
	for i := range rows {
		if ctx.Err() != nil {
			return a
		}
		for k := range z {
			z[k] = -b.offset[k]
		}
		b.x.Row(i).AddTo(z, 1)
		b.innerProducts(a.Row(i), z)
	}
	return a
}

// kernel is one candidate.
type kernel struct {
	kernelShape
	base  int // number of the base; -1: all columns
	trace float64
	reach float64        // the root of the trace in which each row counts once, 1 without weights
	k     dense.Triangle // of trace 1
}

// countColumnSets returns the number of sets of columns that have kernels: the classes, and all together where that is something else.
func countColumnSets(bases int) int {
	if bases == 1 {
		return 1
	}
	return bases + 1
}

// candidates returns all kernels of the bases on training rows, and the inner products of every row with itself, by set of columns. Those on all columns
// are a share of the sum of those on the bases.
func (bs columnSets) candidates(ctx context.Context, rows int, weight data.Weights, workers int, share float64) (out []kernel, self [][]float64, err error) {
	n := countColumnSets(len(bs))
	out, self = make([]kernel, n*perBase), make([][]float64, n)
	fill := func(set, base int, gram dense.Triangle) {
		self[set] = make([]float64, rows)
		for i := range rows {
			self[set][i] = gram.Row(i)[i]
		}
		parallel.Each(workers, perBase, func(k int) {
			one := &out[set*perBase+k]
			*one = kernel{kernelShape: kernelShapes()[k], base: base, k: dense.NewTriangle(rows)}
			one.fillMatrix(ctx, gram, self[set], weight)
		})
	}
	sum := dense.NewTriangle(rows)
	for c, b := range bs {
		gram := b.gram(ctx, rows)
		for k, v := range gram {
			sum[k] += float64(share * v)
		}
		fill(c, c, gram)
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
	}
	if len(bs) < n {
		fill(n-1, -1, sum)
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	return out, self, nil
}

// fillMatrix computes the kernel, and divides it by its trace, in which rows count by their weights.
func (k *kernel) fillMatrix(ctx context.Context, gram dense.Triangle, self []float64, weight data.Weights) {
	once := 0.0
	for i := range self {
		if ctx.Err() != nil {
			return
		}
		from, to := gram.Row(i), k.k.Row(i)
		for j, v := range from {
			to[j] = k.kernelValue(v, self[i], self[j])
		}
		k.trace += float64(weight.Of(i) * to[i])
		once += to[i]
	}
	k.reach = math.Sqrt(once / k.trace)
	for q := range k.k {
		k.k[q] /= k.trace
	}
}

// kernelBytes returns the memory of all candidates on so many rows.
func kernelBytes(rows, bases int) int64 {
	n := int64(rows)
	triangles := int64(perBase)*int64(countColumnSets(bases)) + 4 // and inner products, their sum, a Hessian
	return 8 * n * (n + 1) / 2 * triangles
}
