package proximal

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/sparse"
)

// keptHessian is the Hessian of the binary model between columns with entries in most rows, computed where the rows' D_i were as
// in origin. As long as they stay near, it does for the quadratic model: steps remain steps of descent, which the line search sees
// to, and a Newton step then costs a gradient instead of the products of all columns. (Iterations are quasi-Newton ones: the
// error falls by about the share by which D has changed.) Columns join when they are needed.
type keptHessian struct {
	origin  []float64
	total   float64     // Σ origin
	place   map[int]int // by weight
	columns []sparse.Vec
	h       [][]float64 // lower half, by place
}

// nearEnough is the share of Σ D_i that the changes of D may make up together.
const nearEnough = 0.05

// isNear reports whether the Hessian does for other D.
func (k *keptHessian) isNear(d []float64) bool {
	if k == nil {
		return false
	}
	change := 0.0
	for i, v := range d {
		change += math.Abs(v - k.origin[i])
	}
	return change <= nearEnough*k.total
}

// missing returns how many of the weights have not joined.
func (k *keptHessian) missing(active []*Coordinate) (n int) {
	for _, c := range active {
		if _, ok := k.place[c.Index]; !ok {
			n++
		}
	}
	return n
}

// join adds the column of a weight. O(rows · columns that joined).
func (k *keptHessian) join(c *Coordinate) {
	weighted := make([]float64, len(k.origin))
	for e, i := range c.X.Idx {
		weighted[i] = k.origin[i] * c.X.At(e)
	}
	k.place[c.Index] = len(k.columns)
	k.columns = append(k.columns, c.X)
	row := make([]float64, len(k.columns))
	sparse.DotEach(len(row), weighted, func(q int) sparse.Vec { return k.columns[q] }, func(q int, dot float64) { row[q] = dot })
	k.h = append(k.h, row)
}

// allDense reports whether all columns have entries in more than half of so many rows.
func allDense(active []*Coordinate, rows int) bool {
	return !slices.ContainsFunc(active, func(c *Coordinate) bool { return 2*c.X.Len() <= rows })
}

// canExtend reports whether the kept Hessian does for these weights, once those that are missing join.
func (q *binaryModel) canExtend(active []*Coordinate) (missing int, ok bool) {
	if !q.near {
		return 0, false
	}
	missing = q.kept.missing(active)
	return missing, len(q.kept.columns)+missing <= maxHessianWeights
}

// fillFromKept fills the lower half of the Hessian from the kept one, which it extends, or begins anew.
func (q *binaryModel) fillFromKept(ctx context.Context, g *hessian) {
	if _, ok := q.canExtend(g.active); !ok {
		q.kept = &keptHessian{origin: slices.Clone(q.d), total: dense.Sum(q.d), place: map[int]int{}}
	}
	place := make([]int, len(g.active))
	for a, c := range g.active {
		if ctx.Err() != nil {
			return
		}
		if _, ok := q.kept.place[c.Index]; !ok {
			q.kept.join(c)
		}
		place[a] = q.kept.place[c.Index]
	}
	for a, p := range place {
		for b, r := range place[:a+1] {
			g.h[a][b] = q.kept.h[max(p, r)][min(p, r)]
		}
	}
}
