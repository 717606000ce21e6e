package combine

import (
	"cmp"
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/sparse"
)

// Search looks for products of columns.
type Search struct {
	X       *sparse.Matrix
	R       []float64 // row-major, rows × Blocks: the row's weight times (1 for its label − probability)
	Blocks  int
	Columns []int32 // the columns to combine, rising
	Low     float64 // minimum of |C·v| of a hit: θ·C
	Order   int     // 2: pairs; 3: triples too
	Squares bool    // include products of a column with itself
	// MinSupport leaves out columns with fewer rows.
	MinSupport int
	Keep       int // maximum number of hits, those of largest |C·v|
	Workers    int // the result does not depend on it
}

// Hit is a combination of columns in a block, Value its C·v. Columns rise; the third is -1 for a pair.
type Hit struct {
	Columns [3]int32
	Block   int32
	Value   float64
}

// Census counts the work of a search; the same columns in another block are another combination.
type Census struct {
	Candidates float64 // all combinations
	Columns    int     // columns that their bound left in, over all blocks
	Bounded    float64 // combinations that the bounds left
	Visits     int64   // products of a row that were added up
	Found      int     // hits, including those beyond Keep
	Sample     Sample  // of a sampled search
}

func (c *Census) addCounts(d Census) {
	c.Candidates += d.Candidates
	c.Columns += d.Columns
	c.Bounded += d.Bounded
	c.Visits += d.Visits
	c.Found += d.Found
	c.Sample.addCounts(d.Sample)
}

// searchBlocks searches block by block: each is a problem of its own, for which the bounds leave few columns.
func (s *Search) searchBlocks(ctx context.Context, do func(b bounds, x *index, block int32, into []*finds)) ([]Hit, Census, error) {
	b := s.makeBounds()
	into := make([]*finds, max(1, s.Workers))
	for w := range into {
		into[w] = &finds{keep: s.Keep}
	}
	census := Census{Candidates: float64(s.Blocks) * s.countCombinations(len(s.Columns))}
	rows, _ := s.X.Dims()
	r := make([]float64, rows)
	for y := range s.Blocks {
		for i := range r {
			r[i] = s.R[i*s.Blocks+y]
		}
		x := s.newIndex(ctx, b, r)
		census.Columns += len(x.column)
		census.Bounded += s.countPairs(len(x.column))
		if ctx.Err() == nil {
			do(b, x, int32(y), into)
		}
		if ctx.Err() != nil {
			return nil, census, context.Cause(ctx)
		}
	}
	for _, f := range into {
		census.addCounts(f.Census)
	}
	return largestHits(into, s.Keep), census, nil
}

// largestHits merges the hits of all workers, ordered. Which are the largest is decided by value to the last bit, as workers drop
// hits in that way: a tolerance for ties would make the result depend on the division of work.
func largestHits(into []*finds, keep int) (hits []Hit) {
	for _, f := range into {
		hits = append(hits, f.hits...)
	}
	slices.SortFunc(hits, bySize)
	hits = hits[:min(len(hits), keep)]
	sortHits(hits)
	return hits
}

// countPairs returns the number of pairs of n columns.
func (s *Search) countPairs(n int) float64 {
	m := float64(n)
	if s.Squares {
		return m * (m + 1) / 2
	}
	return m * (m - 1) / 2
}

// countCombinations returns the number of combinations of n columns, of the orders searched.
func (s *Search) countCombinations(n int) float64 {
	m := float64(n)
	if s.Order > 2 {
		return s.countPairs(n) + m*(m-1)*(m-2)/6
	}
	return s.countPairs(n)
}

// finds holds the hits of one worker, and its share of the counts.
type finds struct {
	keep int
	hits []Hit
	Census
}

// addHit adds the product of up to three columns.
func (f *finds) addHit(block int32, value float64, columns ...int32) {
	h := Hit{Columns: [3]int32{-1, -1, -1}, Block: block, Value: value}
	copy(h.Columns[:], columns)
	slices.Sort(h.Columns[:len(columns)])
	f.hits = append(f.hits, h)
	f.Found++
	if len(f.hits) >= 2*f.keep {
		slices.SortFunc(f.hits, bySize)
		f.hits = f.hits[:f.keep]
	}
}

func bySize(a, b Hit) int {
	return cmp.Or(cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)), byPlace(a, b))
}

func byPlace(a, b Hit) int {
	return cmp.Or(slices.Compare(a.Columns[:], b.Columns[:]), cmp.Compare(a.Block, b.Block))
}

// sortHits sorts hits by falling absolute value, ties by columns and block. Values equal up to rounding to the first of a run are
// ties: equal columns should not change places with the last digit of a sum.
func sortHits(hits []Hit) {
	slices.SortFunc(hits, bySize)
	for first := 0; first < len(hits); {
		last, low := first+1, math.Abs(hits[first].Value)*(1-slack)
		for last < len(hits) && math.Abs(hits[last].Value) >= low {
			last++
		}
		slices.SortFunc(hits[first:last], byPlace)
		first = last
	}
}
