// Package selection looks at what algorithms selected as a result: how far two of them agree, and how often, how early
// and how strongly each feature was selected over the folds of one.
package selection

import (
	"fmt"
	"math"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

// Overlap is how far two cells select the same features on the same folds. All numbers are means over folds (of averages
// means over tasks of these); shares are in [0, 1] and over the folds where they exist, NaN where there is none.
type Overlap struct {
	Folds        int     // or tasks
	SizeA, SizeB float64 // features
	Shared       float64 // features that both selected
	Jaccard      float64 // share of the features of either that both selected: "same active" of Okanohara's slides on L1-LLM
	SameSign     float64 // share of the shared coefficients that have the same sign
	Agree        float64 // share of the coefficients of either that are shared and have the same sign
}

// Compare two cells fold by fold. Folds that ended well are paired by digest; it is an error when one has a fold that the
// other has not, when there is none, or when selections were not kept. With several outputs a feature counts once,
// whichever it was selected for, and signs are compared for each output by itself: not at all where the two have no output
// in common.
func Compare(src cells.Source, a, b *cells.Cell) (Overlap, error) {
	if a.Tasks != nil && b.Tasks != nil {
		return compareTasks(src, a, b)
	}
	pairs, err := cells.Pairs(a, b)
	if err != nil {
		return Overlap{}, err
	}
	var sum sums
	for _, p := range pairs {
		x, err := signsOf(src, p[0])
		if err != nil {
			return Overlap{}, err
		}
		y, err := signsOf(src, p[1])
		if err != nil {
			return Overlap{}, err
		}
		sum.add(x, y)
	}
	if sum.same.n == 0 && sum.shared.sum > 0 { // no coefficient of a shared feature is shared: their outputs have other names
		sum.agree = mean{}
	}
	return Overlap{Folds: len(pairs), SizeA: sum.a.value(), SizeB: sum.b.value(), Shared: sum.shared.value(),
		Jaccard: sum.jaccard.value(), SameSign: sum.same.value(), Agree: sum.agree.value()}, nil
}

// compareTasks compares averages task by task: features of one task need not exist in another.
func compareTasks(src cells.Source, a, b *cells.Cell) (Overlap, error) {
	if _, err := cells.Pairs(a, b); err != nil {
		return Overlap{}, err
	}
	partners := map[string]*cells.Cell{}
	for _, t := range b.Tasks {
		partners[t.Task] = t
	}
	var means [6]mean
	for _, t := range a.Tasks {
		if t.Trouble() != "" {
			continue // of both, since they were paired
		}
		partner := partners[t.Task]
		if partner == nil {
			return Overlap{}, fmt.Errorf("not on the same tasks: %s is none of %s", t.Task, b.AlgorithmLabel())
		}
		o, err := Compare(src, t, partner)
		if err != nil {
			return Overlap{}, err
		}
		for i, x := range []float64{o.SizeA, o.SizeB, o.Shared, o.Jaccard, o.SameSign, o.Agree} {
			if !math.IsNaN(x) {
				means[i].add(x)
			}
		}
	}
	return Overlap{Folds: means[0].n, SizeA: means[0].value(), SizeB: means[1].value(), Shared: means[2].value(),
		Jaccard: means[3].value(), SameSign: means[4].value(), Agree: means[5].value()}, nil
}

// signs of what one fold selected: true where the coefficient is positive.
type signs struct {
	features map[string]bool // set
	positive map[coefficient]bool
}

type coefficient struct{ feature, output string }

func signsOf(src cells.Source, r *results.Row) (signs, error) {
	selected, err := cells.Selection(src, r)
	s := signs{features: map[string]bool{}, positive: map[coefficient]bool{}}
	for _, f := range selected {
		s.features[f.Feature] = true
		s.positive[coefficient{f.Feature, f.Output}] = f.Coefficient > 0
	}
	return s, err
}

// sums over folds.
type sums struct{ a, b, shared, jaccard, same, agree mean }

// mean of numbers some of which may not exist.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(x float64) { m.sum, m.n = m.sum+x, m.n+1 }

// share adds part/whole, if there is a whole.
func (m *mean) share(part, whole int) {
	if whole > 0 {
		m.add(float64(part) / float64(whole))
	}
}

func (m *mean) value() float64 {
	if m.n == 0 {
		return math.NaN()
	}
	return m.sum / float64(m.n)
}

func (s *sums) add(x, y signs) {
	features, coefficients, same := 0, 0, 0
	for f := range x.features {
		if y.features[f] {
			features++
		}
	}
	for c, positive := range x.positive {
		if other, ok := y.positive[c]; ok {
			coefficients++
			if other == positive {
				same++
			}
		}
	}
	s.a.add(float64(len(x.features)))
	s.b.add(float64(len(y.features)))
	s.shared.add(float64(features))
	s.jaccard.share(features, len(x.features)+len(y.features)-features)
	s.same.share(same, coefficients)
	s.agree.share(same, len(x.positive)+len(y.positive)-coefficients)
}
