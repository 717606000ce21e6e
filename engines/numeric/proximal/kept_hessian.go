package proximal

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/activeset"
	"tenfold/engines/numeric/dense"
)

// keptHessian is the Hessian of the binary model between columns with entries in most rows, computed where the rows' D_i were as
// in origin, with the factor that minima over the weights that are not zero are computed by. As long as the D_i stay near multiples of those, it
// does, multiplied, for the quadratic model: steps remain steps of descent, which the line search sees to, and a Newton step then costs a gradient
// instead of the products of all columns. (Iterations are quasi-Newton ones: the error falls by about the share by which D has changed.) Columns
// join when they are needed.
type keptHessian struct {
	origin []float64
	total  float64     // Σ origin
	place  map[int]int // by weight
	values [][]float64 // columns, by place
	h      [][]float64 // by place
	l2     []float64   // of the L2 penalty as the factor has it, by place
	factor activeset.Factor
	credit float64 // multiplications, about, that the factor may still take: as many as the Hessian and sweeps with it have taken
}

// nearEnough is the share of Σ D_i that the changes of D may make up together, beside one that all have in common.
const nearEnough = 0.15

// scaleFor returns what the Hessian is to be multiplied by for other D; 0 where it does not do for these.
func (k *keptHessian) scaleFor(d []float64) float64 {
	if k == nil {
		return 0
	}
	total, change := dense.Sum(d), 0.0
	scale := total / k.total
	for i, v := range d {
		change += math.Abs(v - float64(scale*k.origin[i]))
	}
	if !(change <= nearEnough*total) {
		return 0
	}
	return scale
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

// join adds the columns of weights. O(rows · columns that joined), for each.
func (k *keptHessian) join(ctx context.Context, joining []*Coordinate, scale float64) {
	before, n := len(k.values), len(k.origin)
	weighted := make([][]float64, len(joining))
	for a, c := range joining {
		k.place[c.Index] = before + a
		values := c.X.Val
		if !c.X.HasAll(n) {
			values = c.X.Spread(make([]float64, n))
		}
		k.values, k.l2 = append(k.values, values), append(k.l2, c.L2/scale)
		weighted[a] = make([]float64, n)
		dense.AddProductsTo(weighted[a], values, k.origin, 1)
	}
	k.h = dense.ExtendGram(ctx, 1, k.h, k.values[:before], k.values[before:], weighted)
	k.credit += float64(pairsOf(len(joining), before) * float64(n))
}

// allDense reports whether all columns have entries in more than half of so many rows.
func allDense(active []*Coordinate, rows int) bool {
	return !slices.ContainsFunc(active, func(c *Coordinate) bool { return 2*c.X.Len() <= rows })
}

// canExtend reports whether the kept Hessian does for these weights, once those that are missing join. Where none of several has a penalty it never
// does: if they have no finite minimum, rows that hardly count any more decide how they go on.
func (q *binaryModel) canExtend(active []*Coordinate) (missing int, ok bool) {
	if free := countFree(active); q.scale == 0 || free > 1 && free == len(active) {
		return 0, false
	}
	missing = q.kept.missing(active)
	return missing, len(q.kept.values)+missing <= maxHessianWeights
}

// countFree returns how many of the weights have no penalty.
func countFree(active []*Coordinate) (free int) {
	for _, c := range active {
		if c.L1 == 0 && c.L2 == 0 {
			free++
		}
	}
	return free
}

// fromKept returns the kept Hessian for some weights, which it extends by these, or begins anew.
func (q *binaryModel) fromKept(ctx context.Context, active []*Coordinate) *hessian {
	q.spared = max(0, -q.hessianCost(active))
	if _, ok := q.canExtend(active); !ok {
		q.kept, q.scale = &keptHessian{origin: slices.Clone(q.d), total: dense.Sum(q.d), place: map[int]int{}}, 1
	}
	k := q.kept
	var joining []*Coordinate
	for _, c := range active {
		q.spared += float64(expectedSweeps * c.X.Len())
		if _, ok := k.place[c.Index]; !ok {
			joining = append(joining, c)
		}
	}
	k.join(ctx, joining, q.scale)
	g := &hessian{active: active, place: make([]int, len(active)), h: k.h, scale: q.scale, gradient: make([]float64, len(k.h)), kept: k}
	same := true
	for a, c := range active {
		p := k.place[c.Index]
		g.place[a] = p
		l2 := c.L2 / g.scale
		same = same && k.l2[p] == l2
		k.l2[p] = l2
	}
	if !same {
		k.factor = activeset.Factor{}
	}
	return g
}
