// Package redundancy has filters that select columns one after the other, by what each tells of the response beside those that are
// selected already: the criteria that Brown, Pocock, Zhao & Luján (2012, Conditional likelihood maximisation: a unifying framework for
// information theoretic feature selection, JMLR 13) compare; and two that look at columns alone, mim and variance.
package redundancy

import (
	"context"
	"math"
	"slices"

	"tenfold/engines/numeric/ties"
)

// entropies are those, in nats, of a candidate X, a column S that is selected, and the response Y, with shares of the rows for
// probabilities.
type entropies struct{ x, s, y, xs, sy, xsy float64 }

func (t entropies) redundancy() float64  { return max(0, t.x+t.s-t.xs) }           // I(X;S)
func (t entropies) joint() float64       { return max(0, t.xs+t.y-t.xsy) }         // I(X,S;Y)
func (t entropies) conditional() float64 { return max(0, t.xs+t.sy-t.s-t.xsy) }    // I(X;Y|S)
func (t entropies) symmetric() float64   { return max(0, t.xs+t.y-t.xsy) / t.xsy } // I(X,S;Y)/H(X,S,Y)

// criterion is the score J of a candidate X, given the columns S₁, …, S_k that are selected. Before there is one, J is what X tells of
// the response by itself, its relevance: I(X;Y), or F.
type criterion struct {
	pair    func(t entropies) float64                                // what X and one of the columns selected say; nil: J stays the relevance
	gini    bool                                                     // of impurity in place of information
	fewer   bool                                                     // J depends on I(X;S) alone, which needs no classes
	least   bool                                                     // J is the least of the pairs; otherwise their sum counts
	bounded bool                                                     // of least: and at most the relevance
	score   func(relevance, pairs float64, selected float64) float64 // J
	ends    bool                                                     // the search ends where no J is above nothing
}

// nothing is what a relevance, and the J of criteria that end, must be above: else it is rounding.
const nothing = 1e-12

// Criteria by name: those of Brown et al.'s table 1 that select what follows from pairs, and two of Bennasar, Hicks & Setchi 2015.
var (
	// Lewis 1992: J = I(X;Y).
	mim = criterion{}
	// Peng, Long & Ding 2005 (equation 6), Brown et al. 2012 (equation 15): J = I(X;Y) − (1/k)·Σ I(X;S).
	mid = criterion{pair: entropies.redundancy, fewer: true, score: func(relevance, pairs, k float64) float64 { return relevance - pairs/k }}
	// Ding & Peng 2005, Minimum redundancy feature selection from microarray gene expression data, table 1: I(X;Y) over (1/k)·Σ I(X;S).
	miq = criterion{pair: entropies.redundancy, fewer: true, score: func(relevance, pairs, k float64) float64 { return relevance / max(1e-10, pairs/k) }}
	// Yang & Moody 1999, Meyer et al. 2008: J = Σ I(X,S;Y). Brown et al.'s form, I(X;Y) − (1/k)·Σ (I(X;S) − I(X;S|Y)) (their equation 17), is
	// that over k, less what all candidates of a step have in common.
	jmi = criterion{pair: entropies.joint, score: ofPairs}
	// Meyer & Bontempi 2006: J = Σ I(X,S;Y)/H(X,S,Y).
	disr = criterion{pair: entropies.symmetric, score: ofPairs}
	// Bennasar, Hicks & Setchi 2015, Feature selection using joint mutual information maximisation, equation 9: J = min I(X,S;Y).
	jmim = criterion{pair: entropies.joint, least: true, ends: true}
	// The same, equation 11: J = min I(X,S;Y)/H(X,S,Y).
	njmim = criterion{pair: entropies.symmetric, least: true, ends: true}
	// Fleuret 2004, Fast binary feature selection with conditional mutual information, equation 4: J = min{I(X;Y), min I(X;Y|S)}.
	cmim = criterion{pair: entropies.conditional, least: true, bounded: true, ends: true}

	// Ding & Peng 2005, table 1, F-test correlation: the pairs are |r|, F being the relevance. As a difference,
	fcd = criterion{score: func(relevance, pairs, k float64) float64 { return relevance - pairs/k }}
	// and as a quotient, in which columns that are repeated by all of those selected score nothing.
	fcq = criterion{score: func(relevance, pairs, k float64) float64 {
		if mean := pairs / k; mean < 1-1e-9 {
			return relevance / mean
		}
		return 0
	}}
)

func ofPairs(_, pairs, _ float64) float64 { return pairs }

// measure says what columns tell of the response, and what each has in common with one that is selected.
type measure interface {
	relevance() []float64
	// with column s, of every column that is open; good until the next call.
	with(ctx context.Context, s int, open []bool) (pairs []float64, err error)
}

// selection is columns in order of entry.
type selection struct {
	columns, candidates int       // that are not kept; and of these, those that tell anything by themselves
	kept                []int32   // columns that every model has, rising
	alone               []float64 // by column, what it is scored by itself
	order               []int32
	score               []float64 // J at entry, by rank
	evaluated           []int64   // candidates compared until then, by rank
	exhausted           bool      // no other column would enter
	cut                 int       // columns whose values were cut into levels, though nothing asked for it
}

// search runs the greedy search: the column with the largest J enters, the first of those with equal ones, until there are so many (0: no
// limit). Kept columns are no candidates, and what others repeat of them does not count. Columns that tell nothing by themselves never do. A step takes what measure.with
// takes, or less where the least of the pairs counts, and O(columns).
func (c criterion) search(ctx context.Context, m measure, features int, kept []int32) (*selection, error) {
	relevance := m.relevance()
	found := &selection{columns: len(relevance) - len(kept), kept: kept, alone: relevance}
	open, pairs, score := make([]bool, len(relevance)), make([]float64, len(relevance)), make([]float64, len(relevance))
	for j, r := range relevance {
		if open[j] = r > nothing && !slices.Contains(kept, int32(j)); open[j] {
			found.candidates++
		}
		score[j] = r
	}
	var lazy *lazyMinima
	if c.least {
		bound := slices.Clone(relevance)
		if !c.bounded {
			for j := range bound {
				bound[j] = math.Inf(1)
			}
		}
		lazy = newLazyMinima(m.(*information), bound)
	}
	for evaluated := int64(len(relevance)); ; evaluated += int64(found.candidates - len(found.order)) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		s := ties.Best(score, open)
		if found.exhausted = s < 0 || c.ends && score[s] <= nothing; found.exhausted || features > 0 && len(found.order) == features {
			return found, nil
		}
		open[s] = false
		found.order, found.score, found.evaluated = append(found.order, int32(s)), append(found.score, score[s]), append(found.evaluated, evaluated)
		if lazy != nil {
			if err := lazy.add(ctx, s, open); err != nil {
				return nil, err
			}
			copy(score, lazy.minimum)
			continue
		}
		with, err := m.with(ctx, s, open)
		if err != nil {
			return nil, err
		}
		for j := range score {
			if !open[j] {
				continue
			}
			pairs[j] += with[j]
			score[j] = c.score(relevance[j], pairs[j], float64(len(found.order)))
		}
	}
}

// alone returns the selection by scores that do not change as columns enter. O(columns · log columns).
func alone(score []float64, least float64, features int, kept []int32) *selection {
	found := &selection{columns: len(score) - len(kept), kept: kept, alone: score}
	found.order = slices.DeleteFunc(ties.Above(score, least), func(j int32) bool { return slices.Contains(kept, j) })
	found.candidates = len(found.order)
	if features > 0 && features < len(found.order) {
		found.order = found.order[:features]
	}
	found.exhausted = len(found.order) == found.candidates
	for _, j := range found.order {
		found.score, found.evaluated = append(found.score, score[j]), append(found.evaluated, int64(len(score)))
	}
	return found
}
