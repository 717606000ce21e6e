package sets

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/filters/redundancy"
	"tenfold/engines/numeric/ties"
	"tenfold/engines/param"
)

// CFS is correlation-based feature selection: a search for the set of columns of the largest merit.
type CFS struct {
	Measure           string `yaml:"measure" doc:"symmetric-uncertainty (of levels, with a class), or correlation (|r|, with a number)"`
	Patience          int    `yaml:"patience" doc:"expansions in a row without a better set, after which the search ends, at least 1"`
	Local             bool   `yaml:"local" doc:"adds columns afterwards that go with the target more than with any column selected"`
	redundancy.Levels `yaml:",inline"`
	subset.Ridge      `yaml:",inline"`
}

// Words of parameter measure.
const (
	ofUncertainty = "symmetric-uncertainty"
	ofCorrelation = "correlation"
)

// CFSKind is the engine cfs.
var CFSKind = engines.Define(engines.Kind{
	Name: "cfs",
	Doc:  "logistic regression, or least squares, on the set of columns that go with the target and not with each other, found by best-first search",
	Cite: "Hall 1999",
	Rev:  2,
}, CFS{Measure: ofUncertainty, Patience: 5, Levels: redundancy.DefaultLevels()})

// Validate checks the parameters.
func (e CFS) Validate() error {
	levels, usual := e.Measure != ofCorrelation, redundancy.DefaultLevels()
	return errors.Join(
		param.OneOf("measure", e.Measure, ofUncertainty, ofCorrelation),
		param.Require("patience", e.Patience >= 1, "%d, expected at least 1", e.Patience),
		param.Idle("discretize", e.Discretize, usual.Discretize, levels, "measure correlation is of numbers"),
		param.Idle("bins", e.Bins, usual.Bins, levels, "measure correlation is of numbers"),
		e.ValidateLevels(), e.Ridge.Validate(),
	)
}

// Needs returns what the engine asks of data: one class target, or a number for correlations.
func (e CFS) Needs() engines.Needs {
	n := engines.Needs{Target: data.Class, Keeps: true}
	if e.Measure == ofCorrelation {
		n.Target = data.Real
	}
	return n
}

// Footprint returns the memory of a fit: tables, or numbers, and of a hundred columns how much they go with each other one.
func (e CFS) Footprint(s engines.Shape) engines.Footprint {
	pairs := 800 * int64(s.Columns)
	if e.Measure == ofCorrelation {
		return redundancy.MRMR{Measure: ofCorrelation}.Footprint(s).And(pairs)
	}
	return redundancy.TablesFootprint(s).And(pairs)
}

// Fit selects and fits. O(entries) for each column of the sets that are expanded, and O(columns · size) for each of these sets.
func (e CFS) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return finder(e.find).fit(ctx, run, e.Ridge)
}

// Choose selects.
func (e CFS) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return finder(e.find).choose(ctx, run)
}

func (e CFS) find(ctx context.Context, run engines.Run) (*selection, error) {
	s := bestFirst{patience: e.Patience, kept: run.Train.Kept()}
	cut := 0
	var err error
	if e.Measure == ofCorrelation {
		s.Measure, err = redundancy.NewCorrelation(ctx, run)
	} else {
		s.Measure, cut, err = redundancy.NewUncertainty(ctx, run, e.Levels)
	}
	if err != nil {
		return nil, err
	}
	columns, merit, err := s.search(ctx)
	if err == nil && e.Local {
		columns, err = s.addLocal(ctx, columns)
	}
	if err != nil {
		return nil, err
	}
	relevance := s.Relevance()
	found := newSelection(relevance, len(s.candidates), s.kept)
	found.evaluated += int64(len(s.sets))
	found.facts = append(found.facts, data.Fact{Name: "merit of the set", Value: fmt.Sprintf("%.6g", merit)}, data.Fact{Name: "sets compared", Value: fmt.Sprint(len(s.sets))})
	found.addCut(cut)
	for _, j := range ties.Above(relevance, nothing) {
		if slices.Contains(columns, j) {
			found.order = append(found.order, j)
		}
	}
	return found, nil
}

// bestFirst searches sets of columns by their merit (Hall 1999, equation 4.4): Σ r_c / √(k + 2·Σ_{i<j} r_ij), with r_c of the k columns and
// the target, r_ij of two of them.
type bestFirst struct {
	redundancy.Measure
	patience   int
	kept       []int32
	candidates []int32             // columns that say anything of the target, rising
	sets       []columnSet         // in order of creation, but for the empty one
	expanded   [][]int32           // columns of the sets that were expanded, each rising
	pairs      map[int32][]float64 // r of a column with every one, when it was first needed
}

// columnSet is a set with one column more than another.
type columnSet struct {
	parent     int32 // place in expanded
	column     int32
	relevance  float64 // Σ r_c
	redundancy float64 // Σ r_ij
	merit      float64
	closed     bool // expanded
}

// better reports whether merit a is larger than b, and not by rounding alone.
func better(a, b float64) bool { return a > b+float64(1e-9*max(1, b)) }

// search returns the best set, rising, and its merit. It expands the set of the largest merit, the first of equal ones, until this has brought
// no better set so often in a row as patience says.
func (s *bestFirst) search(ctx context.Context) (best []int32, merit float64, err error) {
	for j, r := range s.Relevance() {
		if r > nothing && !slices.Contains(s.kept, int32(j)) {
			s.candidates = append(s.candidates, int32(j))
		}
	}
	s.pairs = map[int32][]float64{}
	next, columns := columnSet{}, []int32(nil)
	for stale := 0; stale < s.patience; stale++ {
		first := len(s.sets)
		if err := s.expand(ctx, next, columns); err != nil {
			return nil, 0, err
		}
		if k := s.bestOf(first); k >= 0 && better(s.sets[k].merit, merit) {
			best, merit, stale = s.columnsOf(s.sets[k]), s.sets[k].merit, -1
		}
		k := s.bestOf(0)
		if k < 0 {
			break
		}
		s.sets[k].closed = true
		next, columns = s.sets[k], s.columnsOf(s.sets[k])
	}
	return best, merit, nil
}

// columnsOf returns the columns of a set, rising.
func (s *bestFirst) columnsOf(set columnSet) []int32 {
	parent := s.expanded[set.parent]
	place, _ := slices.BinarySearch(parent, set.column)
	return slices.Insert(slices.Clone(parent), place, set.column)
}

// bestOf returns the place of the open set of the largest merit among those created from first on, the first of equal ones; −1 if none is open.
func (s *bestFirst) bestOf(first int) int {
	largest := -1
	for k := first; k < len(s.sets); k++ {
		if !s.sets[k].closed && (largest < 0 || s.sets[k].merit > s.sets[largest].merit) {
			largest = k
		}
	}
	if largest < 0 {
		return -1
	}
	limit := s.sets[largest].merit - float64(1e-9*max(1, s.sets[largest].merit))
	for k := first; ; k++ {
		if !s.sets[k].closed && s.sets[k].merit >= limit {
			return k
		}
	}
}

// expand creates the sets with one column more than a set, but those that an earlier one has created: one that has all but one of its
// columns, and one more.
func (s *bestFirst) expand(ctx context.Context, set columnSet, columns []int32) error {
	created := slices.Clone(columns)
	for _, other := range s.expanded {
		if len(other) != len(columns) {
			continue
		}
		further := slices.DeleteFunc(slices.Clone(other), func(j int32) bool { _, in := slices.BinarySearch(columns, j); return in })
		if len(further) == 1 {
			created = append(created, further[0])
		}
	}
	var rows [][]float64
	for _, i := range columns {
		r, err := s.pairsOf(ctx, i)
		if err != nil {
			return err
		}
		rows = append(rows, r)
	}
	s.expanded = append(s.expanded, columns)
	size := float64(len(columns) + 1)
	for _, j := range s.candidates {
		if slices.Contains(created, j) {
			continue
		}
		next := columnSet{parent: int32(len(s.expanded) - 1), column: j, relevance: set.relevance + s.Relevance()[j], redundancy: set.redundancy}
		for _, r := range rows {
			next.redundancy += r[j]
		}
		next.merit = next.relevance / math.Sqrt(size+float64(2*next.redundancy))
		s.sets = append(s.sets, next)
	}
	return nil
}

// pairsOf returns how much a column goes with every one.
func (s *bestFirst) pairsOf(ctx context.Context, i int32) ([]float64, error) {
	if r, known := s.pairs[i]; known {
		return r, nil
	}
	r, err := s.With(ctx, int(i), nil)
	if err == nil {
		s.pairs[i] = slices.Clone(r)
	}
	return s.pairs[i], err
}

// addLocal adds columns, those first that go with the target most, that go with it more than with any column selected so far (Hall 1999,
// section 4.4).
func (s *bestFirst) addLocal(ctx context.Context, columns []int32) ([]int32, error) {
	relevance := s.Relevance()
	nearest := make([]float64, len(relevance)) // the largest r with a column selected
	include := func(i int32) error {
		r, err := s.pairsOf(ctx, i)
		if err != nil {
			return err
		}
		for j, v := range r {
			nearest[j] = max(nearest[j], v)
		}
		return nil
	}
	for _, i := range columns {
		if err := include(i); err != nil {
			return nil, err
		}
	}
	for _, j := range ties.Above(relevance, nothing) {
		if _, candidate := slices.BinarySearch(s.candidates, j); !candidate || slices.Contains(columns, j) || !better(relevance[j], nearest[j]) {
			continue
		}
		columns = append(columns, j)
		if err := include(j); err != nil {
			return nil, err
		}
	}
	return columns, nil
}
