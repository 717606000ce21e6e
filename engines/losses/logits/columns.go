package logits

import (
	"context"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/numeric/proximal"
	"tenfold/engines/numeric/sparse"
)

// Columns is some columns of a problem laid out by column, and that of ones, where there are biases. A place is a position in Index.
type Columns struct {
	Problem *Problem
	Index   []int32 // the columns, rising; that of ones, numbered Problem.Columns(), comes last

	Reach, MaxAbs []float64 // by place: reach (Problem.Reach), largest absolute value

	x    *sparse.Selection
	ones []int32
}

// LayOut lays out columns of the given numbers, rising. The error is the cause of ctx's end. O(nnz).
func (p *Problem) LayOut(ctx context.Context, columns []int32, workers int) (*Columns, error) {
	c := &Columns{Problem: p, Index: columns}
	var err error
	if c.x, err = sparse.Select(ctx, p.strips(workers), columns); err != nil {
		return nil, err
	}
	if p.Bias != NoBias {
		c.ones = data.Numbers(p.Rows())
		c.Index = append(c.Index, int32(p.Columns()))
	}
	c.Reach, c.MaxAbs = make([]float64, len(c.Index)), make([]float64, len(c.Index))
	for q := range c.Index {
		c.Reach[q], c.MaxAbs[q] = p.reachAndMaxAbs(c.Column(int32(q)))
	}
	return c, nil
}

// Len returns the number of columns beside that of ones.
func (c *Columns) Len() int { return c.x.Len() }

// IsOnes reports whether a place is that of the column of ones.
func (c *Columns) IsOnes(place int32) bool { return int(place) == c.x.Len() }

// Column returns the entries of a column.
func (c *Columns) Column(place int32) sparse.Vec {
	if c.IsOnes(place) {
		return sparse.Vec{Idx: c.ones}
	}
	return c.x.Col(int(place))
}

// Gradient sets the gradient of the loss in the weights of the columns at some places, for residuals r. O(their entries · Blocks).
func (s *Columns) Gradient(ctx context.Context, places []int32, g, r []float64, workers int) {
	parallel.Stretches(workers, 256, len(places), func(first, last int) {
		if ctx.Err() != nil {
			return
		}
		some := places[first:last]
		if s.Problem.Blocks == 1 {
			sparse.DotEach(len(some), r, func(k int) sparse.Vec { return s.Column(some[k]) },
				func(k int, dot float64) { g[s.Index[some[k]]] = dot })
			return
		}
		for _, q := range some {
			columnGradient(s.Weights(g, q), r, s.Column(q))
		}
	})
}

// columnGradient sets g to the gradient of the loss along a column, by block.
func columnGradient(g, r []float64, col sparse.Vec) {
	if len(g) > 1 && col.HasAll(len(r)/len(g)) {
		dense.DotRows(g, col.Val, r)
		return
	}
	clear(g)
	for q, i := range col.Idx {
		x, first := col.At(q), int(i)*len(g)
		for b := range g {
			g[b] += float64(x * r[first+b])
		}
	}
}

// FirstWeight returns the number of a column's first weight.
func (s *Columns) FirstWeight(place int32) int { return int(s.Index[place]) * s.Problem.Blocks }

// Factor returns the factor of the penalties of a column; 1 of the column of ones.
func (s *Columns) Factor(place int32) float64 { return s.Problem.Factor(s.FirstWeight(place)) }

// Weights returns the part of a slice of all weights that belongs to a column.
func (s *Columns) Weights(all []float64, place int32) []float64 {
	first := s.FirstWeight(place)
	return all[first : first+s.Problem.Blocks]
}

// Coordinate returns the weight of a block of a column at the point for a Newton step, with its gradient there and its penalty. No step may
// change a margin by more than trust.
func (s *Columns) Coordinate(pt *Point, place int32, block int, pen Penalty, trust float64) proximal.Coordinate {
	n := s.FirstWeight(place) + block
	weighted, reach := pen.Times(s.Factor(place)), s.Reach[place]
	c := proximal.Coordinate{
		Index: n, X: s.Column(place), Block: block, L1: weighted.L1, L2: weighted.L2, Weight: pt.W[n], Gradient: pt.G[n],
		MaxMove: trust / s.MaxAbs[place], MinCurvature: max(4e-30*reach*reach, math.SmallestNonzeroFloat64),
	}
	if s.Problem.Free(n) {
		c.L1, c.L2 = 0, 0
	}
	return c
}
