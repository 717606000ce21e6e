package mdl

import (
	"context"
	"math"
	"slices"
	"sort"

	"tenfold/engines"
	"tenfold/engines/coding/codes"
	"tenfold/engines/coding/likelihood"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/growing"
)

// problem is what one search describes: tasks on the same columns, whose features are priced together.
type problem struct {
	engine   MDL
	code     codes.Code
	classes  *codes.Classes // nil if the code uses none
	tasks    []*task
	order    []int32 // of columns, for searches that offer them one after the other
	designOf func(context.Context, *task) (*growing.Design, error)
	trace    func(s *selection, moved engines.Coef)
}

// selection is the model that a search extends, a feature at a time.
type selection struct {
	problem
	data  *growing.Design
	like  likelihood.Likelihood
	coder codes.Coder
	picks []selectedFeature // in order of entry
	empty float64           // S_E without any feature

	used      []bool
	saved     []float64 // scratch of scanCandidates, by column
	list      []int32   // scratch of scanCandidates: columns
	evaluated int64
	stop      string
	saturated *task // the task that can take no more columns, if that ended the search

	grown   int // search mixed: features when it turns to take them out
	visited int // search mixed: sets that it compared
}

// selectedFeature is a feature of the model with its bits. saved is by task of tasks, with the noise estimated before the feature
// entered; refined, likewise, is what re-estimating the noise with the feature saves beyond that.
type selectedFeature struct {
	column  int32
	tasks   []int32 // rising
	saved   []float64
	refined []float64
	price   engines.Price
}

func (p selectedFeature) entry() codes.Entry {
	return codes.Entry{Column: p.column, Tasks: len(p.tasks)}
}

// netBits returns what the feature saved at entry less its price.
func (p selectedFeature) netBits() float64 { return dense.Sum(p.saved) - p.price.Paid() }

// newSelection returns the model without features.
func (p problem) newSelection(ctx context.Context) (*selection, error) {
	d, err := p.designOf(ctx, p.tasks[0])
	if err != nil {
		return nil, err
	}
	like, err := p.likelihood(ctx, d)
	if err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	m := d.Columns()
	return &selection{
		problem: p, data: d, like: like, coder: p.code.Make(p.newTerms(d)), empty: dense.Sum(like.Bits()),
		used: make([]bool, m), saved: make([]float64, m),
	}, nil
}

func (p problem) newTerms(d *growing.Design) codes.Terms {
	m := float64(d.Columns())
	if p.engine.MCost == withIntercept {
		m++
	}
	return codes.Terms{Rows: d.N, Columns: m, Tasks: len(p.tasks), CoefBits: p.engine.CoefBits, Classes: p.classes}
}

// candidate is a column for some tasks, with the bits saved in all of them.
type candidate struct {
	column int32
	tasks  []int32
	saved  float64
	price  engines.Price
}

func (c candidate) netBits() float64 { return c.saved - c.price.Paid() }

// noCandidate has fewer net bits than any candidate.
var noCandidate = candidate{column: -1, saved: math.Inf(-1)}

// netThreshold returns what a feature's net bits must exceed: 0 if accept is strict. With carry, as in the authors' program, the
// description without the feature is the one computed before the noise was last re-estimated, so that a loss up to what that
// re-estimation saved is accepted.
func (s *selection) netThreshold() float64 {
	if s.engine.Accept == acceptCarry && len(s.picks) > 0 {
		return likelihood.TieBits - max(0, dense.Sum(s.picks[len(s.picks)-1].refined))
	}
	return likelihood.TieBits
}

// stopReason says why the model can take no more features; "" if it can.
func (s *selection) stopReason() string {
	if limit := s.engine.MaxFeatures; limit > 0 && len(s.picks) >= limit {
		return "max_features"
	}
	if k, ok := s.like.SaturatedTask(); ok {
		s.saturated = s.tasks[k]
		return "saturated"
	}
	return ""
}

// bestCandidate returns the unused column and the tasks of most net bits, with its savings computed exactly. Ties go to the lowest
// index, then to the fewest tasks. It returns noCandidate if no column saves anything.
func (s *selection) bestCandidate(ctx context.Context) (candidate, likelihood.Trial, error) {
	for again := true; ; again = false {
		c := s.scanCandidates(ctx)
		if ctx.Err() != nil {
			return noCandidate, likelihood.Trial{}, context.Cause(ctx)
		}
		if c.column < 0 {
			return noCandidate, likelihood.Trial{}, nil
		}
		t := s.like.Evaluate(ctx, c.column, c.tasks)
		exact := t.TotalSaved()
		if again && math.Abs(exact-c.saved) > growing.DriftTolerance*max(math.Abs(exact), math.Abs(c.saved)) {
			s.like.Recompute(ctx)
			continue
		}
		c.saved = exact
		return c, t, nil
	}
}

// scanCandidates finds the best candidate from the running sums. If the screened savings are exact bounds, it ranks the tasks only
// of columns whose bound, less what they cost at least, reaches the net bits of the best so far, beginning with the column of largest
// bound; with one task, that is the best column alone. Else it looks at the top columns.
func (s *selection) scanCandidates(ctx context.Context) candidate {
	each := s.minBitsPerTask()
	exact := s.like.ScreenSavings(ctx, s.saved, each)
	s.list = s.list[:0]
	for j, bits := range s.saved {
		if !s.used[j] && bits > math.Inf(-1) {
			s.list = append(s.list, int32(j))
		}
	}
	list := s.list
	s.evaluated += int64(len(list))
	if top := s.engine.Top; top > 0 && len(list) > top && !exact {
		list = largestColumns(list, s.saved, top)
	}
	atLeast := math.Inf(-1)
	if exact && len(list) > 0 {
		lead, once := list[0], s.lowestPrice(list[0], each)
		for _, j := range list {
			if s.like.Tasks() == 1 {
				once = s.lowestPrice(j, each)
			}
			if s.saved[j] -= once; s.saved[j] > s.saved[lead] {
				lead = j
			}
		}
		atLeast = s.bestTasksOf(ctx, lead).netBits() - likelihood.TieBits
	}
	best := noCandidate
	for _, j := range list {
		if exact && s.saved[j] < max(atLeast, best.netBits()-likelihood.TieBits) {
			continue
		}
		if ctx.Err() != nil {
			return noCandidate
		}
		if c := s.bestTasksOf(ctx, j); c.netBits() > best.netBits()+likelihood.TieBits {
			best = c
		}
	}
	return best
}

// minBitsPerTask returns a lower bound of what each further task adds to the price of a column, in bits; 0 with one task, or if the code
// has no word for some number of tasks.
func (s *selection) minBitsPerTask() float64 {
	for k := 1; k < s.like.Tasks(); k++ {
		if math.IsInf(s.coder.Price(codes.Entry{Tasks: k}).Paid(), 1) {
			return 0
		}
	}
	if s.like.Tasks() == 1 {
		return 0
	}
	return s.engine.CoefBits
}

// lowestPrice returns the lowest price of column j over the numbers of tasks, beside so many bits for each. With several tasks all
// columns cost the same.
func (s *selection) lowestPrice(j int32, each float64) float64 {
	low := math.Inf(1)
	for k := 1; k <= s.like.Tasks(); k++ {
		low = min(low, s.coder.Price(codes.Entry{Column: j, Tasks: k}).Paid()-float64(each*float64(k)))
	}
	return low
}

// bestTasksOf returns column j for the tasks in which it has most net bits.
func (s *selection) bestTasksOf(ctx context.Context, j int32) candidate {
	order, saved := s.like.RankTasks(ctx, j)
	best, size := noCandidate, 0
	for k, bits := range saved {
		c := candidate{column: j, saved: bits, price: s.coder.Price(codes.Entry{Column: j, Tasks: k + 1})}
		if c.netBits() > best.netBits()+likelihood.TieBits {
			best, size = c, k+1
		}
	}
	best.tasks = slices.Sorted(slices.Values(order[:size]))
	return best
}

// largestColumns lists the columns of the n largest values, ties to the lowest index, in rising order of columns.
func largestColumns(list []int32, value []float64, n int) []int32 {
	kept := make([]int32, 0, n+1) // by falling value
	for _, j := range list {
		if len(kept) == n && !(value[j] > value[kept[n-1]]) {
			continue
		}
		place := sort.Search(len(kept), func(k int) bool { return value[kept[k]] < value[j] })
		kept = slices.Insert(kept, place, j)
		kept = kept[:min(n, len(kept))]
	}
	slices.Sort(kept)
	return kept
}

// roundedBits is the difference, in bits a row, up to which two lengths count as equal.
const roundedBits = 1e-10

// addFeature adds a candidate to the models of its tasks.
func (s *selection) addFeature(ctx context.Context, c candidate, t likelihood.Trial) error {
	before := s.like.Bits()
	if err := t.Commit(ctx); err != nil {
		return err
	}
	p := selectedFeature{column: c.column, tasks: c.tasks, saved: t.Saved, price: c.price}
	after := s.like.Bits()
	rest := dense.Sum(before) - dense.Sum(p.saved) - dense.Sum(after)
	for i, task := range p.tasks {
		p.refined = append(p.refined, before[task]-p.saved[i]-after[task])
		rest -= p.refined[i]
	}
	for i := range p.refined { // where noise is joint, the other tasks' bits have changed too
		if p.refined[i] += rest / float64(len(p.tasks)); math.Abs(p.refined[i]) <= roundedBits*s.data.N {
			p.refined[i] = 0
		}
	}
	s.coder.Include(p.entry())
	s.used[c.column] = true
	s.picks = append(s.picks, p)
	s.trace(s, engines.Coef{Feature: int(c.column), Output: int(c.tasks[0]), Rank: len(s.picks) - 1, Score: p.netBits()})
	return nil
}
