package l1

import (
	"cmp"
	"context"
	"math"
	"slices"

	"tenfold/engines/parallel"
	"tenfold/engines/sparse"
)

// working is the columns that may have a weight, laid out by column, and the weights that are worked on. It lasts for all
// penalties of a path.
type working struct {
	p      *Problem
	least  float64 // no column beside these has a weight at a penalty from here on
	number []int32 // of the columns, rising; the column of ones comes last
	x      *sparse.Selection
	ones   []int32

	reach, highest []float64 // of a column: see Reach; its largest absolute value

	alive []int32 // places of those not yet proven to have no weight at the present penalty
}

// layOut finds and lays out the columns that may have a weight at the penalty least or above it, or that w has a weight in.
// A residual lies between those of the two labels' certainties, so the slope of a column cannot exceed the sum of its
// positive, or of its negative, entries of a label against all others': no dual point needs to know a column that stays
// within the penalty.
func (p *Problem) layOut(ctx context.Context, w []float64, least float64, workers int) (*working, error) {
	s := &working{p: p, least: least}
	for j, b := range p.bounds(ctx, workers) {
		if b > least*(1-1e-12) || some(w[j*p.Blocks:(j+1)*p.Blocks]) {
			s.number = append(s.number, int32(j))
		}
	}
	var err error
	if s.x, err = sparse.Select(ctx, p.strips(workers), s.number); err != nil {
		return nil, err
	}
	if p.Bias != NoBias {
		s.ones = make([]int32, p.Rows())
		for i := range s.ones {
			s.ones[i] = int32(i)
		}
		s.number = append(s.number, int32(p.Columns()))
	}
	s.reach, s.highest = make([]float64, len(s.number)), make([]float64, len(s.number))
	for q := range s.number {
		s.reach[q], s.highest[q] = p.extent(s.col(int32(q)))
	}
	s.revive()
	return s, nil
}

// covers tells whether these columns are enough for a penalty, from the given weights.
func (s *working) covers(w []float64, penalty float64) bool {
	if penalty < s.least {
		return false
	}
	q := 0
	for k, v := range w {
		if v == 0 {
			continue
		}
		for j := int32(k / s.p.Blocks); q < len(s.number) && s.number[q] < j; {
			q++
		}
		if q == len(s.number) || s.number[q] != int32(k/s.p.Blocks) {
			return false
		}
	}
	return true
}

func (s *working) col(place int32) sparse.Vec {
	if int(place) == s.x.Len() {
		return sparse.Vec{Idx: s.ones}
	}
	return s.x.Col(int(place))
}

// revive takes every column back.
func (s *working) revive() {
	s.alive = s.alive[:0]
	for q := range s.number {
		s.alive = append(s.alive, int32(q))
	}
}

// whole tells whether no column was left out.
func (s *working) whole() bool { return len(s.alive) == len(s.number) }

// gradient of the loss along the columns alive. O(their entries · Blocks).
func (s *working) gradient(ctx context.Context, g, r []float64, workers int) {
	parallel.Stretches(workers, 256, len(s.alive), func(first, last int) {
		if ctx.Err() != nil {
			return
		}
		for _, q := range s.alive[first:last] {
			if x, g := s.col(q), s.of(g, q); len(g) == 1 {
				g[0] = x.Dot4(r)
			} else {
				slopes(g, r, x)
			}
		}
	})
}

// slopes is the gradient of the loss along a column, by block.
func slopes(g, r []float64, col sparse.Vec) {
	clear(g)
	for q, i := range col.Idx {
		x, at := col.At(q), int(i)*len(g)
		for b := range g {
			g[b] += float64(x * r[at+b])
		}
	}
}

// weight is the number of a column's first weight.
func (s *working) weight(place int32) int { return int(s.number[place]) * s.p.Blocks }

// of is the part of a slice of all weights that belongs to a column.
func (s *working) of(all []float64, place int32) []float64 {
	at := s.weight(place)
	return all[at : at+s.p.Blocks]
}

// screen leaves out the columns that a dual point proves to have no weight at the optimum.
func (s *working) screen(d dual, pt *Point, pen Penalty) {
	keep := s.alive[:0]
	for _, q := range s.alive {
		g := s.of(pt.G, q)
		if int(q) == s.x.Len() || d.allows(pen, g, s.reach[q]) || some(s.of(pt.W, q)) {
			keep = append(keep, q)
			continue
		}
		clear(g) // as if there were no such column
	}
	s.alive = keep
}

func some(w []float64) bool { return slices.ContainsFunc(w, func(v float64) bool { return v != 0 }) }

// fewest weights that are added where more violate their conditions.
const fewest = 100

// choose the weights to work on, rising: those that are not zero, and of those whose slope exceeds the penalty the largest
// (ties: the lowest number), as many as at most double the number. None is to change a margin by more than trust.
func (s *working) choose(pt *Point, pen Penalty, trust float64) (set []coordinate) {
	in := 0 // are in anyway
	for _, q := range s.alive {
		for b, w := range s.of(pt.W, q) {
			n := s.weight(q) + b
			c := coordinate{number: n, block: b, l1: pen.L1, l2: pen.L2, weight: w, slope: pt.G[n]}
			if s.p.Free(n) {
				c.l1, c.l2 = 0, 0
			}
			if c.must() {
				in++
			} else if c.violation(c.slope) == 0 {
				continue
			}
			c.x, c.limit = s.col(q), trust/s.highest[q]
			c.flat = max(4e-12*s.reach[q]*s.reach[q], math.SmallestNonzeroFloat64)
			set = append(set, c)
		}
	}
	most := in + max(in, fewest)
	if len(set) <= most {
		return set
	}
	slices.SortFunc(set, func(a, b coordinate) int {
		if a.must() != b.must() {
			if a.must() {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.violation(b.slope), a.violation(a.slope)), cmp.Compare(a.number, b.number))
	})
	set = set[:most]
	slices.SortFunc(set, func(a, b coordinate) int { return cmp.Compare(a.number, b.number) })
	return set
}

// must tells whether the weight belongs to every working set.
func (c *coordinate) must() bool { return c.weight != 0 || c.l1 == 0 }
