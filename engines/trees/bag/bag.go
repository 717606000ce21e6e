// Package bag draws the samples of rows that trees grow on.
package bag

import (
	"fmt"
	"math"
	"sort"

	"tenfold/engines/data"
)

// Bag says how often each row is in the sample of a tree: draws with replacement, each of a row as likely as its weight says (the
// case.weights of ranger), or all rows, whose weights are then whole numbers.
type Bag struct {
	Rows  int
	Draws int
	upTo  []float64 // Σ weight of the rows up to each; nil where each row counts once
	Times []int32   // of a sample of all rows, how often it has each
	Heavy int       // rows of more than a fifth of all weight: hardly a sample lacks them
}

// New returns the samples of rows with weights, those of rates times exposures, that count n times together.
func New(rows *data.View, weight data.Weights, n float64, bootstrap bool) (Bag, error) {
	b := Bag{Rows: rows.Len(), Draws: int(n)}
	if bootstrap {
		sum := 0.0
		for _, w := range weight {
			sum += w
			b.upTo = append(b.upTo, sum)
		}
		for _, w := range weight {
			if 5*w > sum {
				b.Heavy++
			}
		}
		return b, nil
	}
	b.Draws, b.Times = 0, make([]int32, b.Rows)
	for i := range b.Times {
		w := weight.Of(i)
		if w != math.Trunc(w) || w >= math.MaxInt32 {
			return b, fmt.Errorf("row %s has the weight %v, expected a whole number: bootstrap: false takes a row of weight 2 as if it were two, and samples take any weight", rows.ID(i), w)
		}
		b.Times[i] = int32(w)
		b.Draws += int(w)
	}
	return b, nil
}

// Draw counts how often a sample has each row. Without weights a row is drawn by whole, which returns a number below that given;
// otherwise it is the first row up to which there is more than a share of the weight, which share returns, in [0, 1).
func (b *Bag) Draw(count []int32, whole func(n int) int, share func() float64) {
	if b.Times != nil {
		copy(count, b.Times)
		return
	}
	clear(count)
	for range b.Draws {
		if b.upTo == nil {
			count[whole(b.Rows)]++
			continue
		}
		most := share() * b.upTo[b.Rows-1]
		count[min(b.Rows-1, sort.Search(b.Rows, func(i int) bool { return b.upTo[i] > most }))]++
	}
}
