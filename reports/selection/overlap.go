// Package selection analyses what algorithms selected: how far two of them agree, and how often, how early and how strongly each
// feature was selected over the folds of one.
package selection

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

// Overlap measures how far two cells select the same features on the same folds. All numbers are means over folds (for averages
// means over tasks of these); shares are in [0, 1] and over the folds where they exist, NaN if there is none.
type Overlap struct {
	Folds        int     // or tasks
	JaccardFolds int     // of these, those on which either selects something
	SizeA, SizeB float64 // features
	Shared       float64 // features that both selected
	Jaccard      float64 // share of the features of either that both selected: "same active" of Okanohara's slides on L1-LLM
	SameSign     float64 // share of the shared coefficients that have the same sign; NaN if either has no coefficients, as forests
	Agree        float64 // share of the coefficients of either that are shared and have the same sign; likewise
}

// Comparer compares cells by their selections. What a fit selected is read and sorted once, and cached within a limit. Its methods
// may not be called from several goroutines at once.
type Comparer struct {
	src   cells.Source
	ids   map[string]uint32 // of the names of features and outputs
	known map[*results.Row]signs
	size  int // coefficients in known
}

// NewComparer returns a Comparer that reads from a source.
func NewComparer(src cells.Source) *Comparer {
	return &Comparer{src: src, ids: map[string]uint32{}, known: map[*results.Row]signs{}}
}

// Compare compares two cells fold by fold. Folds that ended well are paired by digest; it is an error if one has a fold that the
// other lacks, if there is none, or if selections were not kept. With several outputs a feature counts once, whichever it was
// selected for, and signs are compared for each output by itself: not at all if the two have no output in common.
func (c *Comparer) Compare(a, b *cells.Cell) (Overlap, error) {
	pairs, err := cells.Pairs(a, b)
	if err != nil {
		return Overlap{}, err
	}
	if a.Tasks != nil && b.Tasks != nil {
		return c.compareTasks(a, b)
	}
	var sum sums
	for _, p := range pairs {
		x, err := c.signsOf(p[0])
		if err != nil {
			return Overlap{}, err
		}
		y, err := c.signsOf(p[1])
		if err != nil {
			return Overlap{}, err
		}
		sum.addFold(x, y)
	}
	if sum.same.n == 0 && sum.shared.sum > 0 { // no coefficient of a shared feature is shared: their outputs have other names
		sum.agree = mean{}
	}
	return sum.meansOver(len(pairs)), nil
}

// compareTasks compares averages task by task: features of one task need not exist in another.
func (c *Comparer) compareTasks(a, b *cells.Cell) (Overlap, error) {
	partners := map[string]*cells.Cell{}
	for _, t := range b.Tasks {
		partners[t.Task] = t
	}
	var sum sums
	for _, t := range a.Tasks {
		if t.Trouble() != "" {
			continue // of both, since they were paired
		}
		partner := partners[t.Task]
		if partner == nil {
			return Overlap{}, fmt.Errorf("not on the same tasks: %s is none of %s", t.Task, b.AlgorithmLabel())
		}
		o, err := c.Compare(t, partner)
		if err != nil {
			return Overlap{}, err
		}
		for i, m := range sum.means() {
			if x := []float64{o.SizeA, o.SizeB, o.Shared, o.Jaccard, o.SameSign, o.Agree}[i]; !math.IsNaN(x) {
				m.addValue(x)
			}
		}
	}
	return sum.meansOver(sum.a.n), nil
}

// signs holds the coefficients of what one fit selected, each once, by feature and then by output.
type signs []coefficientSign

// coefficientSign encodes the feature in the upper half, the output in the lower half except its last two bits: one is 1 where the
// feature has a coefficient, the last where that is positive.
type coefficientSign uint64

func (c coefficientSign) feature() uint64 { return uint64(c) >> 32 }

// coefficient returns the part that identifies the coefficient, without its sign.
func (c coefficientSign) coefficient() uint64 { return uint64(c) >> 2 }

// has reports whether there is a coefficient, other than 0.
func (c coefficientSign) has() bool { return c&2 != 0 }

// countFeatures returns the number of features.
func (s signs) countFeatures() int {
	n := 0
	for i := range s {
		if i == 0 || s[i].feature() != s[i-1].feature() {
			n++
		}
	}
	return n
}

// keep is the maximum number of coefficients kept, 8 bytes each.
const keep = 1 << 23

func (c *Comparer) signsOf(r *results.Row) (signs, error) {
	if s, ok := c.known[r]; ok {
		return s, nil
	}
	selected, err := cells.Selection(c.src, r)
	if err != nil {
		return nil, err
	}
	s := make(signs, len(selected))
	for i, f := range selected {
		below := f.Output
		if f.Unit != "" { // its columns are further coefficients of one feature
			below = f.Feature + "\x00" + f.Output
		}
		s[i] = coefficientSign(uint64(c.idOf(f.Counted()))<<32 | uint64(c.idOf(below))<<2)
		switch {
		case f.Coefficient > 0:
			s[i] |= 3
		case f.Coefficient < 0:
			s[i] |= 2
		}
	}
	slices.SortStableFunc(s, func(a, b coefficientSign) int { return cmp.Compare(a.coefficient(), b.coefficient()) })
	last := s[:0] // if named again, the last counts
	for i := range s {
		if i+1 == len(s) || s[i+1].coefficient() != s[i].coefficient() {
			last = append(last, s[i])
		}
	}
	if c.size += len(last); c.size <= keep {
		c.known[r] = last
	}
	return last, nil
}

func (c *Comparer) idOf(name string) uint32 {
	n, ok := c.ids[name]
	if !ok {
		n = uint32(len(c.ids))
		c.ids[name] = n
	}
	return n
}

// sums accumulates over folds, or over the means of tasks.
type sums struct{ a, b, shared, jaccard, same, agree mean }

func (s *sums) means() []*mean {
	return []*mean{&s.a, &s.b, &s.shared, &s.jaccard, &s.same, &s.agree}
}

func (s *sums) meansOver(folds int) Overlap {
	return Overlap{Folds: folds, JaccardFolds: s.jaccard.n, SizeA: s.a.value(), SizeB: s.b.value(), Shared: s.shared.value(),
		Jaccard: s.jaccard.value(), SameSign: s.same.value(), Agree: s.agree.value()}
}

// mean averages numbers some of which may not exist.
type mean struct {
	sum float64
	n   int
}

func (m *mean) addValue(x float64) { m.sum, m.n = m.sum+x, m.n+1 }

// addShare adds part/whole, unless whole is 0.
func (m *mean) addShare(part, whole int) {
	if whole > 0 {
		m.addValue(float64(part) / float64(whole))
	}
}

func (m *mean) value() float64 {
	if m.n == 0 {
		return math.NaN()
	}
	return m.sum / float64(m.n)
}

// addFold adds the agreement of two selections on one fold.
func (s *sums) addFold(x, y signs) {
	features, coefficients, same := x.countShared(y)
	ofX, ofY := x.countFeatures(), y.countFeatures()
	s.a.addValue(float64(ofX))
	s.b.addValue(float64(ofY))
	s.shared.addValue(float64(features))
	s.jaccard.addShare(features, ofX+ofY-features)
	s.same.addShare(same, coefficients)
	if x.countCoefficients() > 0 && y.countCoefficients() > 0 || len(x) == 0 || len(y) == 0 {
		s.agree.addShare(same, x.countCoefficients()+y.countCoefficients()-coefficients)
	}
}

func (s signs) countCoefficients() (n int) {
	for _, c := range s {
		if c.has() {
			n++
		}
	}
	return n
}

// countShared counts the features of both, their coefficients of both, and those of the same sign.
func (s signs) countShared(o signs) (features, coefficients, same int) {
	last := uint64(math.MaxUint64) // feature that was counted
	for i, j := 0, 0; i < len(s) && j < len(o); {
		a, b := s[i], o[j]
		if f := a.feature(); f == b.feature() && f != last {
			features, last = features+1, f
		}
		if a.coefficient() == b.coefficient() && a.has() && b.has() {
			coefficients++
			if a == b {
				same++
			}
		}
		if a.coefficient() <= b.coefficient() {
			i++
		}
		if b.coefficient() <= a.coefficient() {
			j++
		}
	}
	return features, coefficients, same
}
