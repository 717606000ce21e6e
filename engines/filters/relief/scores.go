package relief

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/parallel"
)

// response holds the target of each row.
type response struct {
	class   []int32   // of a class target, or of one class for all numbers
	byClass [][]int32 // of each class, its rows, rising
	number  []float64 // of a number, divided by its range; nil for a class target
	sd      float64   // of number, divisor rows − 1
}

// newResponse reads a target that is not constant.
func newResponse(class bool, y []float64) *response {
	r := &response{class: make([]int32, len(y))}
	if class {
		for i, v := range y {
			r.class[i] = int32(v)
		}
	} else {
		least, most := slices.Min(y), slices.Max(y)
		r.number = make([]float64, len(y))
		for i, v := range y {
			r.number[i] = (float64(v/2) - float64(least/2)) / (float64(most/2) - float64(least/2))
		}
		mean := dense.Sum(r.number) / float64(len(y))
		for _, v := range r.number {
			r.sd += float64((v - mean) * (v - mean))
		}
		r.sd = math.Sqrt(r.sd / float64(len(y)-1))
	}
	r.byClass = make([][]int32, 1+slices.Max(r.class))
	for i, c := range r.class {
		r.byClass[c] = append(r.byClass[c], int32(i))
	}
	return r
}

// isHit reports whether rows i and r are of the same class, or their numbers less than a standard deviation apart.
func (r *response) isHit(i, k int32) bool {
	if r.number == nil {
		return r.class[i] == r.class[k]
	}
	return math.Abs(r.number[i]-r.number[k]) < r.sd
}

// blockCentres is the number of centres whose distances are computed, and whose sums are added, together.
const blockCentres = 16

// scorer compares centres with their neighbours.
type scorer struct {
	*table
	*response
	params  Relief
	workers int
}

// sums holds what the centres of a block add, by part of the table, and then by gap.
type sums struct {
	diff     []float64 // Σ w·diff, of ReliefF and MultiSURF with the sign of the score
	together []float64 // of RReliefF: Σ w·t·diff
	apart    float64   // of RReliefF: Σ w·t
}

func (s *scorer) newSums() *sums {
	return &sums{diff: make([]float64, s.terms()), together: make([]float64, s.terms()*min(1, len(s.number)))}
}

func (s *sums) clear() {
	clear(s.diff)
	clear(s.together)
	s.apart = 0
}

func (s *sums) add(o *sums) {
	dense.AddTo(s.diff, o.diff, 1)
	dense.AddTo(s.together, o.together, 1)
	s.apart += o.apart
}

// scoreItems returns the scores W of the items: columns, or units of them. Blocks of centres are added in order, whoever computed them.
// O(centres · rows · columns).
func (s *scorer) scoreItems(ctx context.Context, centres []int32) ([]float64, error) {
	blocks, ahead := (len(centres)+blockCentres-1)/blockCentres, 2*max(1, s.workers)
	block, total := make([]*sums, ahead), s.newSums()
	room := make([]*workspace, max(1, s.workers))
	parallel.InOrder(s.workers, blocks, ahead, func(worker, k int) bool {
		if ctx.Err() != nil {
			return false
		}
		if room[worker] == nil {
			room[worker] = s.newWorkspace()
		}
		if block[k%ahead] == nil {
			block[k%ahead] = s.newSums()
		}
		block[k%ahead].clear()
		s.addBlock(block[k%ahead], centres[k*blockCentres:min((k+1)*blockCentres, len(centres))], room[worker])
		return true
	}, func(k int) { total.add(block[k%ahead]) })
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	m := float64(len(centres))
	for j := range total.diff {
		if s.number != nil && s.params.Variant == kindReliefF {
			total.diff[j] = ratio(total.together[j], total.apart) - ratio(total.diff[j]-total.together[j], m-total.apart)
		} else {
			total.diff[j] /= m
		}
	}
	return s.scoresOf(total.diff), nil
}

// ratio returns a/b; 0 if b is 0, where a is a part of it.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// workspace is what a worker needs for a block.
type workspace struct {
	distances [][]float64 // of every row, by centre
	nearest   nearest
	near      []neighbour // of MultiSURF
	row       []float64   // zeros, by part
}

func (s *scorer) newWorkspace() *workspace {
	w := &workspace{distances: make([][]float64, blockCentres), row: make([]float64, s.parts)}
	for c := range w.distances {
		w.distances[c] = make([]float64, len(s.class))
	}
	w.nearest.weights = rankWeights(min(s.params.Neighbours, len(s.class)), s.params.Sigma)
	return w
}

// addBlock adds what some centres say.
func (s *scorer) addBlock(to *sums, centres []int32, w *workspace) {
	s.measure(w.distances, centres)
	for c, i := range centres {
		switch {
		case s.params.Variant == kindMultiSURF:
			s.addSURF(to, i, w.distances[c], w)
		case s.number != nil:
			s.addNumber(to, i, w.distances[c], w)
		default:
			s.addClasses(to, i, w.distances[c], w)
		}
	}
}

// addClasses adds the differences from the nearest rows of each class: hits with −1, misses with P(c)/(1 − P(y_i)) (Kononenko 1994,
// ReliefF).
func (s *scorer) addClasses(to *sums, i int32, d []float64, w *workspace) {
	others := float64(len(s.class) - len(s.byClass[s.class[i]]))
	for c, rows := range s.byClass {
		factor := float64(len(rows)) / others
		if int32(c) == s.class[i] {
			factor = -1
		}
		found := w.nearest.find(d, rows, i)
		for k := range found {
			found[k].weight *= factor
		}
		s.addDifferences(to.diff, i, found, w.row)
	}
}

// addNumber adds what RReliefF counts of the nearest rows: how much they differ in the columns, in the target, and in both
// (Robnik-Šikonja & Kononenko 2003, figure 3).
func (s *scorer) addNumber(to *sums, i int32, d []float64, w *workspace) {
	found := w.nearest.find(d, s.byClass[0], i)
	s.addDifferences(to.diff, i, found, w.row)
	for k := range found {
		found[k].weight = float64(found[k].weight * math.Abs(s.number[i]-s.number[found[k].row]))
		to.apart += found[k].weight
	}
	s.addDifferences(to.together, i, found, w.row)
}

// addSURF adds the mean difference from near misses, and takes that from near hits: rows nearer than the mean distance less half its
// standard deviation (Urbanowicz et al. 2018, MultiSURF).
func (s *scorer) addSURF(to *sums, i int32, d []float64, w *workspace) {
	if len(d) < 2 {
		return
	}
	mean, sd := spread(d, i)
	limit := mean - float64(sd/2) - tieTolerance
	near, hits := w.near[:0], 0
	for r, v := range d {
		if r := int32(r); r != i && v < limit {
			near = append(near, neighbour{row: r})
			if s.isHit(i, r) {
				hits++
			}
		}
	}
	for k, n := range near {
		if s.isHit(i, n.row) {
			near[k].weight = -1 / float64(hits)
		} else {
			near[k].weight = 1 / float64(len(near)-hits)
		}
	}
	w.near = near
	s.addDifferences(to.diff, i, near, w.row)
}
