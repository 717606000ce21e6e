package prepare

import (
	"fmt"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare/pruning"
)

// prune leaves out columns that hardly vary in the training rows, then those that say the same as others there, and records them as
// known and unused. keep has the columns that are left so far, nil for all; prune returns the places in it of those left now, nil for
// all.
func (r Recipe) prune(p *data.Prepared, l *Learned, keep, train []int32) ([]int32, error) {
	if r.NearZero == (pruning.NearZero{}) && r.Correlated == (pruning.Correlated{}) {
		return nil, nil
	}
	if keep == nil {
		keep = data.Numbers(p.Set.Features.Len())
	}
	factor, err := r.Treatment.factors(p.Set)
	if err != nil {
		return nil, err
	}
	s := &survivors{p: p, l: l, from: keep, places: data.Numbers(len(keep)), factor: factor}
	if r.NearZero != (pruning.NearZero{}) {
		found := r.NearZero.Drop(trainingRows(p.X, train), s.protected(), r.variables(p.Set, keep))
		if err := s.remove(found, "near_zero"); err != nil {
			return nil, err
		}
	}
	if r.Correlated != (pruning.Correlated{}) {
		found, err := r.Correlated.Drop(trainingRows(p.X, train).Keep(s.places), s.protected())
		if err != nil {
			return nil, param.Errorf("prepare.correlated", "%v", err)
		}
		if err := s.remove(found, "correlated"); err != nil {
			return nil, err
		}
	}
	if len(s.places) == len(keep) {
		return nil, nil
	}
	p.X, p.Features, l.Texts = p.X.Keep(s.places), p.Features.Keep(s.places), l.Texts.At(s.places)
	if l.Fill != nil {
		l.Fill = data.ValuesAt(l.Fill, s.places)
	}
	if l.words != nil {
		l.words = data.ValuesAt(l.words, s.places)
	}
	l.renumberGaps(s.places)
	return s.places, nil
}

// survivors holds the columns that pruning has left so far: places in from, which numbers the data set's columns.
type survivors struct {
	p            *data.Prepared
	l            *Learned
	from, places []int32
	factor       []float64 // of penalties, by column of the data set; nil for 1 each
}

// number returns the data set's number of survivor k.
func (s *survivors) number(k int32) int { return int(s.from[s.places[k]]) }

// protected marks the survivors that are in every model.
func (s *survivors) protected() []bool {
	out := make([]bool, len(s.places))
	for k := range out {
		out[k] = s.factor != nil && s.factor[s.number(int32(k))] == 0
	}
	return out
}

// remove takes out columns by the option named, and says which. It is an error if none is left.
func (s *survivors) remove(found []pruning.Dropped, option string) error {
	rule := strings.ReplaceAll(option, "_", "-")
	s.p.AddFact("columns left out as "+rule, fmt.Sprintf("%d of %d", len(found), len(s.places)))
	if len(found) > 0 {
		s.p.AddFact(rule+" columns", s.words(found))
	}
	out := make([]bool, len(s.places))
	for _, d := range found {
		out[d.Column] = true
		if j := s.number(d.Column); !isLevel(s.p.Set, j) { // levelsLeft lists levels
			s.l.Left = append(s.l.Left, s.p.Set.Features.Name(j))
		}
	}
	left := make([]int32, 0, len(out)-len(found))
	for k, place := range s.places {
		if !out[k] {
			left = append(left, place)
		}
	}
	if s.places = left; len(left) == 0 {
		return param.Errorf("prepare."+option, "all columns leave, and nothing is left to fit; choose a milder rule")
	}
	return nil
}

// maxNamed limits the columns that a fact names.
const maxNamed = 1000

// words names the survivors that leave, each with the reason.
func (s *survivors) words(found []pruning.Dropped) string {
	name := func(k int32) string { return s.p.Set.Features.Name(s.number(k)) }
	var b strings.Builder
	for i, f := range found {
		switch {
		case i == maxNamed:
			fmt.Fprintf(&b, ", and %d more", len(found)-maxNamed)
			return b.String()
		case i > 0:
			b.WriteString(", ")
		}
		if f.With >= 0 {
			fmt.Fprintf(&b, "%s (%s with %s)", name(f.Column), f.Why, name(f.With))
		} else {
			fmt.Fprintf(&b, "%s (%s)", name(f.Column), f.Why)
		}
	}
	return b.String()
}

// variables numbers the variables that leave as a whole: the columns kept of a categorical column, where these are units. nil if each
// column is one.
func (r Recipe) variables(d *data.Dataset, keep []int32) []int32 {
	if r.Treatment.Unit == "" || d.Factor == nil {
		return nil
	}
	unit := make([]int32, len(keep))
	for k, j := range keep {
		if unit[k] = j; d.Factor[j] >= 0 {
			unit[k] = int32(d.Features.Len()) + d.Factor[j]
		}
	}
	return unit
}
