package sequential

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
)

// tieTolerance is the difference of means, relative to max(1, |mean|), up to which they are equal.
const tieTolerance = 1e-9

// set is a set of units, and what was measured with it.
type set struct {
	units  []int32     // rising
	values [][]float64 // by metric and inner fold, NaN where undefined; nil if a fit failed
	// action and unit are the move by which the search came to it first; a search begins with a set of no action.
	action string
	unit   int32
}

// actions of steps.
const (
	add     = "add"
	drop    = "drop"
	restore = "restore"
)

// step is one move from set to set; a restored set has no unit.
type step struct {
	action string
	unit   int32
	to     *set
}

// search holds the state of a search. Sizes count units that compete.
type search struct {
	Options
	units    []int32 // that may be in a set, rising
	constant []int32 // of these, units without two values, rising
	metrics  []engines.InnerMetric
	// measure returns what is measured with each set, by set.
	measure func(ctx context.Context, units [][]int32) ([][][]float64, error)

	known    map[string]*set
	measured [][]*set // those measured together, in order
	pending  []*set   // measured before it was known which metric decides
	metric   int      // the one that decides; −1 before a set with units is measured
	defined  []bool   // by inner fold: the metric has a value for every set
	best     []*set   // by size; nil where no set was measured
	steps    []step
	turns    int
	restores int
	stop     string
}

// bounds returns the smallest and the largest size that may be chosen.
func (s *search) bounds() (smallest, largest int) { return s.Options.bounds(len(s.units)) }

// bounds returns the sizes for so many units.
func (o Options) bounds(units int) (smallest, largest int) {
	if size, fixed := o.number(); fixed {
		return size, size
	}
	if len(o.Sizes) == 2 {
		return o.Sizes[0], min(o.Sizes[1], units)
	}
	return 1, units
}

// progress describes the step that comes next.
func (s *search) progress() string {
	smallest, largest := s.bounds()
	steps := largest
	if s.Direction == backward {
		steps = len(s.units) - smallest
	}
	return fmt.Sprintf("step %d of at most %d: ", s.turns+1, steps)
}

// run moves from set to set until the last size is reached, patience is used up, or no set could be measured.
func (s *search) run(ctx context.Context) error {
	s.known, s.best, s.metric = map[string]*set{}, make([]*set, len(s.units)+1), -1
	smallest, end := s.bounds()
	forwards := s.Direction == forward
	current := &set{units: []int32{}}
	if !forwards {
		current.units, end = s.units, smallest
	}
	if !forwards || smallest == 0 {
		measured, err := s.measureSets(ctx, [][]int32{current.units})
		if err != nil {
			return err
		}
		if current = measured[0]; current.values != nil {
			s.best[len(current.units)] = current
		}
	}
	idle, top := 0, math.Inf(-1)
	for len(current.units) != end {
		to, unit, err := s.move(ctx, current, forwards)
		if err != nil {
			return err
		}
		if to == nil {
			s.stop = "failed"
			return nil
		}
		s.turns++
		s.record(forwards, unit, to)
		switch size := len(to.units); {
		case s.improves(to):
			s.best[size], current = to, to
			if s.Floating {
				if current, err = s.float(ctx, current, !forwards); err != nil {
					return err
				}
			}
		case s.Floating && s.best[size] != nil:
			current = s.best[size]
			s.restores++
			s.steps = append(s.steps, step{restore, -1, current})
		default:
			current = to
		}
		if now := s.top(); isBetter(now, top) {
			idle, top = 0, now
		} else if !math.IsInf(now, -1) {
			idle++
		}
		if s.Patience > 0 && idle == s.Patience {
			s.stop = "patience"
			return nil
		}
	}
	s.stop = "size"
	return nil
}

// float moves on, the other way than turns do, while that finds a set better than the best of its size (Pudil et al. 1994; Somol et al. 1999).
func (s *search) float(ctx context.Context, current *set, adding bool) (*set, error) {
	for {
		if adding && len(current.units) == len(s.units) || !adding && len(current.units) == 1 {
			return current, nil
		}
		to, unit, err := s.move(ctx, current, adding)
		if err != nil || to == nil || !s.improves(to) {
			return current, err
		}
		s.record(adding, unit, to)
		s.best[len(to.units)], current = to, to
	}
}

// record adds a step.
func (s *search) record(adding bool, unit int32, to *set) {
	s.steps = append(s.steps, step{actionOf(adding), unit, to})
}

func actionOf(adding bool) string {
	if adding {
		return add
	}
	return drop
}

// move returns the best of the sets with one unit more, or one fewer, and that unit; nil if none could be measured. Constant units are
// the first to leave, unmeasured, and never enter.
func (s *search) move(ctx context.Context, from *set, adding bool) (*set, int32, error) {
	var units []int32
	var sets [][]int32
	for _, u := range s.units {
		i, in := slices.BinarySearch(from.units, u)
		_, constant := slices.BinarySearch(s.constant, u)
		switch {
		case in == adding || constant && adding:
			continue
		case adding:
			sets = append(sets, slices.Insert(slices.Clone(from.units), i, u))
		case constant:
			without := &set{units: slices.Delete(slices.Clone(from.units), i, i+1), values: from.values}
			s.known[nameOf(without.units)] = without
			return without, u, nil
		default:
			sets = append(sets, slices.Delete(slices.Clone(from.units), i, i+1))
		}
		units = append(units, u)
	}
	measured, err := s.measureSets(ctx, sets)
	if err != nil {
		return nil, 0, err
	}
	for k, m := range measured {
		if m.action == "" {
			m.action, m.unit = actionOf(adding), units[k]
		}
	}
	largest := math.Inf(-1)
	for _, m := range measured {
		largest = max(largest, s.merit(m))
	}
	for k, m := range measured {
		if j := s.merit(m); !math.IsInf(j, -1) && j >= largest-float64(tieTolerance*max(1, math.Abs(largest))) {
			return m, units[k], nil
		}
	}
	return nil, 0, nil
}

// errUndefined is the error of a metric that has a value on no inner fold.
var errUndefined = errors.New("has a value on no inner fold for every set of columns")

// measureSets measures the sets that are not known yet, and returns all.
func (s *search) measureSets(ctx context.Context, sets [][]int32) ([]*set, error) {
	out, fresh := make([]*set, len(sets)), [][]int32(nil)
	for _, units := range sets {
		if s.known[nameOf(units)] == nil {
			fresh = append(fresh, units)
		}
	}
	values, err := s.measure(ctx, fresh)
	if err != nil {
		return nil, err
	}
	var measured []*set
	for k, units := range fresh {
		m := &set{units: units, values: values[k]}
		s.known[nameOf(units)], measured = m, append(measured, m)
		if m.values != nil {
			s.pending = append(s.pending, m)
		}
	}
	if len(measured) > 0 {
		s.measured = append(s.measured, measured)
	}
	for k, units := range sets {
		out[k] = s.known[nameOf(units)]
	}
	if s.metric < 0 && (len(out) > 1 || len(out) == 1 && len(out[0].units) > 0) {
		s.decide(out)
	}
	if s.metric < 0 {
		return out, nil
	}
	for _, m := range s.pending {
		s.restrict(m)
	}
	if s.pending = nil; s.defined != nil && !slices.Contains(s.defined, true) {
		return nil, fmt.Errorf("%s %w", s.metrics[s.metric].Name, errUndefined)
	}
	return out, nil
}

// decide chooses the metric by the first sets with units: the first that has a value for each of them.
func (s *search) decide(first []*set) {
	for m := range s.metrics {
		lacks := slices.ContainsFunc(first, func(one *set) bool { return one.values != nil && isUndefined(one.values[m]) })
		if s.metric = m; !lacks {
			return
		}
	}
}

// restrict leaves out the inner folds on which the metric is undefined for a set. A set without any value counts as one that failed.
func (s *search) restrict(m *set) {
	values := m.values[s.metric]
	if isUndefined(values) {
		m.values = nil
		return
	}
	if s.defined == nil {
		s.defined = slices.Repeat([]bool{true}, len(values))
	}
	for f, v := range values {
		s.defined[f] = s.defined[f] && !math.IsNaN(v)
	}
}

func isUndefined(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return !math.IsNaN(v) })
}

// mean returns the mean over the inner folds with a value for every set, and its standard error, NaN with one of them.
func (s *search) mean(m *set) (mean, se float64) {
	n := 0.0
	for f, v := range m.values[s.metric] {
		if s.defined[f] {
			mean, n = mean+v, n+1
		}
	}
	mean /= n
	squares := 0.0
	for f, v := range m.values[s.metric] {
		if s.defined[f] {
			squares += float64((v - mean) * (v - mean))
		}
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}

// merit returns the mean in its better direction; −∞ for a set that has none.
func (s *search) merit(m *set) float64 {
	if m == nil || m.values == nil {
		return math.Inf(-1)
	}
	mean, _ := s.mean(m)
	if !s.metrics[s.metric].Higher {
		mean = -mean
	}
	if math.IsNaN(mean) || math.IsInf(mean, 0) {
		return math.Inf(-1)
	}
	return mean
}

func isBetter(a, b float64) bool {
	return a > b && (math.IsInf(b, -1) || a > b+float64(tieTolerance*max(1, math.Abs(b))))
}

// improves reports whether a set is better than the best of its size.
func (s *search) improves(m *set) bool { return isBetter(s.merit(m), s.merit(s.best[len(m.units)])) }

// top returns the best merit of the sizes that may be chosen; −∞ if there is none.
func (s *search) top() float64 {
	top := math.Inf(-1)
	smallest, largest := s.bounds()
	for _, m := range s.best[smallest : largest+1] {
		top = max(top, s.merit(m))
	}
	return top
}

// choices returns, of the sizes that may be chosen, the set with the best mean, and the smallest within a standard error of it; nil if no
// set of these sizes was measured.
func (s *search) choices() (best, smallestNear *set) {
	smallest, largest := s.bounds()
	sets, top := s.best[smallest:largest+1], s.top()
	if math.IsInf(top, -1) {
		return nil, nil
	}
	within := func(slack float64) *set {
		goal := top - slack - float64(tieTolerance*max(1, math.Abs(top)))
		return sets[slices.IndexFunc(sets, func(m *set) bool { return s.merit(m) >= goal })]
	}
	best = within(0)
	_, se := s.mean(best)
	if math.IsNaN(se) {
		return best, best
	}
	return best, within(se)
}

// choose returns the set of the size that is asked for; nil if no set of a size that may be chosen was measured.
func (s *search) choose() *set {
	best, smallestNear := s.choices()
	if s.Size == oneSE {
		return smallestNear
	}
	return best
}

// entry returns the steps by which the units of a set entered, in order; nil if they did not enter one by one.
func (s *search) entry(chosen *set) (entered []step) {
	for _, move := range s.steps {
		switch move.action {
		case restore:
			return nil
		case drop:
			entered = slices.DeleteFunc(entered, func(e step) bool { return e.unit == move.unit })
		default:
			entered = append(entered, move)
		}
		if move.to == chosen {
			break
		}
	}
	if len(entered) != len(chosen.units) {
		return nil
	}
	return entered
}

// nameOf returns a text that only this set of units has.
func nameOf(units []int32) string {
	name := make([]byte, 0, 4*len(units))
	for _, u := range units {
		name = append(name, byte(u), byte(u>>8), byte(u>>16), byte(u>>24))
	}
	return string(name)
}
