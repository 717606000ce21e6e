package forest

import (
	"fmt"
	"math"
	"sort"

	"tenfold/engines/data"
)

// bag says how often each row is in the sample of a tree: draws with replacement, each of a row as likely as its weight says (the
// case.weights of ranger), or all rows, whose weights are then whole numbers.
type bag struct {
	rows  int
	draws int
	upTo  []float64 // Σ weight of the rows up to each; nil where each row counts once
	times []int32   // of a sample of all rows, how often it has each
	heavy int       // rows of more than a fifth of all weight: hardly a sample lacks them
}

// newBag returns the samples of rows that count n times together.
func newBag(rows *data.View, n float64, bootstrap bool) (bag, error) {
	b, weight := bag{rows: rows.Len(), draws: int(n)}, rows.Weights()
	if bootstrap {
		sum := 0.0
		for _, w := range weight {
			sum += w
			b.upTo = append(b.upTo, sum)
		}
		for _, w := range weight {
			if 5*w > sum {
				b.heavy++
			}
		}
		return b, nil
	}
	b.draws, b.times = 0, make([]int32, b.rows)
	for i := range b.times {
		w := weight.Of(i)
		if w != math.Trunc(w) || w >= math.MaxInt32 {
			return b, fmt.Errorf("row %s has the weight %v, expected a whole number: bootstrap: false takes a row of weight 2 as if it were two, and samples take any weight", rows.ID(i), w)
		}
		b.times[i] = int32(w)
		b.draws += int(w)
	}
	return b, nil
}

// draw counts how often a sample has each row. Without weights a row is drawn by whole, which returns a number below that given;
// otherwise it is the first row up to which there is more than a share of the weight, which share returns, in [0, 1).
func (b *bag) draw(count []int32, whole func(n int) int, share func() float64) {
	if b.times != nil {
		copy(count, b.times)
		return
	}
	clear(count)
	for range b.draws {
		if b.upTo == nil {
			count[whole(b.rows)]++
			continue
		}
		most := share() * b.upTo[b.rows-1]
		count[min(b.rows-1, sort.Search(b.rows, func(i int) bool { return b.upTo[i] > most }))]++
	}
}
