package boruta

import (
	"math/big"
	"slices"
)

// trial is what is known of the columns after some runs. A hit of a column is a run in which it was above the largest shadow; the hits of
// one that is like a shadow are less than a fair coin's (Kursa and Rudnicki 2010, section 2).
type trial struct {
	params     Boruta
	tried      int // columns on trial
	state      []verdict
	hits       []int
	decided    []int       // run after which a column was decided, 0 where it is not
	importance [][]float64 // by column and run, up to its rejection
	shadow     []float64   // the largest, by run
	runs       int
}

type verdict int

const (
	tentative verdict = iota
	confirmed
	rejected
	always // not on trial: every node of every run looks at the column
)

// newTrial returns the trial of so many columns, some of which, by their places, are always in the runs.
func newTrial(e Boruta, columns int, kept ...int32) *trial {
	t := &trial{params: e, tried: columns - len(kept), state: make([]verdict, columns), hits: make([]int, columns), decided: make([]int, columns), importance: make([][]float64, columns)}
	for _, j := range kept {
		t.state[j] = always
	}
	return t
}

// open returns how many columns are tentative.
func (t *trial) open() (n int) {
	for _, s := range t.state {
		if s == tentative {
			n++
		}
	}
	return n
}

// kept returns the columns that are not rejected: confirmed ones, and those that are always there, go on in the runs.
func (t *trial) kept() (columns []int32) {
	for j, s := range t.state {
		if s != rejected {
			columns = append(columns, int32(j))
		}
	}
	return columns
}

// add adds a run by the importances of the columns kept and of the largest shadow, and tests the tentative ones.
func (t *trial) add(kept []int32, importance []float64, shadow float64) {
	t.runs++
	t.shadow = append(t.shadow, shadow)
	enough := t.enough(t.runs)
	for k, j := range kept {
		t.importance[j] = append(t.importance[j], importance[k])
		if importance[k] > shadow {
			t.hits[j]++
		}
		if t.state[j] != tentative {
			continue
		}
		switch h := t.hits[j]; { // the law of the hits of a coin is symmetric
		case h >= enough:
			t.state[j], t.decided[j] = confirmed, t.runs
		case t.runs-h >= enough:
			t.state[j], t.decided[j] = rejected, t.runs
		}
	}
}

// enough returns the smallest h with p·P(B(runs, ½) ≥ h) < α, in whole numbers; more than the runs where there is none. p counts all columns
// on trial, decided or not, and is 1 without correction.
func (t *trial) enough(runs int) int {
	p := int64(1)
	if t.params.Correct {
		p = int64(t.tried)
	}
	alpha := new(big.Rat).SetFloat64(t.params.Alpha)
	bound := new(big.Int).Lsh(alpha.Num(), uint(runs)) // of p·Σ_{k ≥ h} C(runs, k), times the denominator of α
	unit := new(big.Int).Mul(alpha.Denom(), big.NewInt(p))
	tail, ways := new(big.Int), big.NewInt(1)
	for h := runs; h >= 0; h-- {
		if tail.Add(tail, new(big.Int).Mul(ways, unit)); tail.Cmp(bound) >= 0 {
			return h + 1
		}
		ways.Mul(ways, big.NewInt(int64(h))).Quo(ways, big.NewInt(int64(runs-h+1)))
	}
	return 0
}

// firstDecision returns the first run after which a column can be decided.
func (t *trial) firstDecision() int {
	runs := 1
	for t.enough(runs) > runs {
		runs++
	}
	return runs
}

// median returns the median of numbers, 0 of none.
func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(x))
	n := len(sorted)
	return float64(sorted[(n-1)/2]/2) + float64(sorted[n/2]/2)
}
