package combine

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/engines/numeric/parallel"
)

// Sample counts what a sampled search did.
type Sample struct {
	Entries, Sketched int64 // of the columns left by the bounds, and the number of them in sketches
	Estimated         int64 // pairs that share a row in their sketches
	Verified          int64 // pairs that may be hits: their sums were computed
}

// Rate returns the share of the entries that are in sketches.
func (s Sample) Rate() float64 { return float64(s.Sketched) / max(1, float64(s.Entries)) }

func (s *Sample) addCounts(t Sample) {
	s.Entries += t.Entries
	s.Sketched += t.Sketched
	s.Estimated += t.Estimated
	s.Verified += t.Verified
}

// Sampled finds pairs by conditional random sampling (Li, Church and Hastie 2007): the sketch of a column is its first z rows in a
// random order. Up to the row where the shorter of two sketches ends, both are complete: these rows are a simple random sample.
// Pairs whose estimate is a hit, or within two standard errors of one, are computed: no value of a hit is an estimate, but hits may
// be missed. Otherwise like Exact.
func (s *Search) Sampled(ctx context.Context, rng *rand.Rand, z int) ([]Hit, Census, error) {
	return s.searchBlocks(ctx, func(b bounds, x *index, block int32, into []*finds) {
		k := x.sketchColumns(ctx, rng.Perm(len(x.r)), z)
		into[0].Sample.addCounts(Sample{Entries: int64(len(x.part)), Sketched: int64(len(k.part))})
		samplers := make([]*sampler, len(into))
		for w, f := range into {
			samplers[w] = &sampler{Search: s, bounds: b, finds: f, block: block, whole: x, drawn: k}
			samplers[w].resize(len(x.column))
		}
		parallel.Numbered(len(into), len(x.column), func(w, k int) {
			if ctx.Err() == nil {
				samplers[w].screenColumn(k)
			}
		})
	})
}

// sketches is an index of the same columns with few of their rows, which are in random order.
type sketches struct {
	index
	squares terms
	sample  []int // number of rows, from the first, for which the sketch of a column is complete
}

// sketchColumns takes of each column its first z rows in the given order. When ctx ends, it leaves that unfinished.
func (x *index) sketchColumns(ctx context.Context, order []int, z int) *sketches {
	k := &sketches{sample: make([]int, len(x.column))}
	k.column, k.first = x.column, append(k.first, 0)
	have := make([]int, len(x.column))
	for t, i := range order {
		if t%1024 == 0 && ctx.Err() != nil {
			break
		}
		for q := x.first[i]; q < x.first[i+1]; q++ {
			j := x.part[q]
			if have[j] == z {
				continue
			}
			have[j]++
			k.sample[j] = t + 1
			if k.part = append(k.part, j); x.val != nil {
				k.val = append(k.val, x.val[q])
			}
		}
		k.first, k.r = append(k.first, len(k.part)), append(k.r, x.r[i])
	}
	for j, n := range have {
		if n == x.rowsOf(j) {
			k.sample[j] = len(order)
		}
	}
	k.buildColumns()
	k.squares = k.terms.mapTerms(func(v float64) float64 { return v * v })
	return k
}

// sampler processes the pairs of one block, as one of several goroutines.
type sampler struct {
	*Search
	bounds
	*finds
	block       int32
	whole       *index
	drawn       *sketches
	sum, square []float64
	partners
	likely []int32
}

func (s *sampler) resize(n int) {
	s.sum, s.square = make([]float64, n), make([]float64, n)
	s.partners.resize(n)
}

// screenColumn estimates the pairs of column k with those before it, and adds the hits.
func (s *sampler) screenColumn(k int) {
	d := s.drawn
	visits := d.addPairs(s.sum, k, d.terms)
	d.addPairs(s.square, k, d.squares)
	s.Visits += 2 * int64(visits)
	s.likely = s.likely[:0]
	for _, j := range s.partnersOf(&d.index, k, visits) {
		if s.square[j] > 0 {
			s.Sample.Estimated++
			total, se := estimateTotal(s.sum[j], s.square[j], min(d.sample[j], d.sample[k]), len(d.r))
			if math.Abs(total)+2*se >= s.low {
				s.likely = append(s.likely, j)
			}
		}
		s.sum[j], s.square[j] = 0, 0
	}
	if s.Squares {
		s.finds.addSquare(s.bounds, s.whole, k, s.block)
	}
	s.Sample.Verified += int64(len(s.likely))
	s.verifyPairs(k)
}

// few pairs of a column are computed one by one; more, together with all others.
const few = 4

// verifyPairs computes the pairs of column k that may be hits.
func (s *sampler) verifyPairs(k int) {
	x, manyLikely := s.whole, len(s.likely) > few
	if manyLikely {
		s.Visits += int64(x.addPairs(s.sum, k, x.terms))
	}
	for _, j := range s.likely {
		v := s.sum[j]
		if !manyLikely {
			v = x.pairSum(k, j)
			s.Visits += int64(x.rowsOf(k))
		}
		if math.Abs(v) >= s.low {
			s.addHit(s.block, v, x.column[k], x.column[j])
		}
	}
	if manyLikely {
		clear(s.sum[:k])
	}
}

// estimateTotal estimates the sum of n terms, with its standard error, from the sum of d of them drawn at random and the
// sum of their squares.
func estimateTotal(sum, square float64, d, n int) (total, se float64) {
	m := float64(d)
	total = float64(n) / m * sum
	if d < 2 {
		return total, math.Inf(1)
	}
	variance := max(0, square-sum*sum/m) / (m - 1)
	return total, float64(n) * math.Sqrt(variance/m*(1-m/float64(n)))
}

// pairSum returns the sum for column k and one before it, in the order of addPairs and so with its rounding.
func (x *index) pairSum(k int, j int32) (sum float64) {
	for _, p := range x.post[x.start[k]:x.start[k+1]] {
		from := x.first[p.row]
		to := from + int(p.before)
		q, ok := slices.BinarySearch(x.part[from:to], j)
		switch {
		case !ok:
		case x.val == nil:
			sum += x.r[p.row]
		default:
			sum += float64(float64(x.r[p.row]*x.val[to]) * x.val[from+q])
		}
	}
	return sum
}
