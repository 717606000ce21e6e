package metric

import (
	"cmp"
	"math"
	"slices"
)

// ranked returns the test rows by falling margin of a level, cut into stretches of equal margins. O(rows · log rows).
func ranked(o *Outcome, level int) (stretches [][]int) {
	rows, margin := make([]int, len(o.Test.Truth)), o.margins(level)
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(margin[b], margin[a]) })
	for first := 0; first < len(rows); {
		last := first + 1
		for last < len(rows) && margin[rows[last]] == margin[rows[first]] {
			last++
		}
		stretches = append(stretches, rows[first:last])
		first = last
	}
	return stretches
}

// margins returns the margin of each row for a level. With two levels it is the level's score less that of the other one: if the
// model gives probabilities the log-odds, which separate rows that it is sure of. With more levels it is the score.
func (o *Outcome) margins(level int) []float64 {
	levels, out := len(o.Levels), make([]float64, len(o.Test.Truth))
	for i := range out {
		if out[i] = o.Test.Score[i*levels+level]; levels == 2 {
			out[i] -= o.Test.Score[2*i+1-level]
		}
	}
	return out
}

// masses returns the weight of the test rows of each level, and the levels that have any; nil if the model gives no scores.
func masses(o *Outcome) (mass []float64, seen []int) {
	mass = make([]float64, len(o.Levels))
	if len(o.Test.Score) == 0 {
		return mass, nil
	}
	for i, t := range o.Test.Truth {
		mass[int(t)] += o.Test.weight(i)
	}
	for k, m := range mass {
		if m > 0 {
			seen = append(seen, k)
		}
	}
	return mass, seen
}

// ahead returns, for every other level, the weight of the pairs of a row of the given level and one of the other level in which the
// first has the larger margin; pairs with equal margins count half. A pair weighs the product of its rows. O(rows · log rows).
func ahead(o *Outcome, level int) []float64 {
	pairs, above := make([]float64, len(o.Levels)), 0.0
	for _, rows := range ranked(o, level) {
		tied := 0.0
		for _, i := range rows {
			if int(o.Test.Truth[i]) == level {
				tied += o.Test.weight(i)
			}
		}
		for _, i := range rows {
			if k := int(o.Test.Truth[i]); k != level {
				pairs[k] += float64(o.Test.weight(i) * (above + float64(tied/2)))
			}
		}
		above += tied
	}
	return pairs
}

// rocAUC returns the probability that a positive row is ranked above a negative one, ties counting half, for two levels that both
// have rows.
func rocAUC(o *Outcome) float64 {
	mass, seen := masses(o)
	if len(o.Levels) != 2 || len(seen) != 2 {
		return math.NaN()
	}
	return ahead(o, o.Positive)[1-o.Positive] / (mass[0] * mass[1])
}

// handTill returns Hand & Till's M (2001, A simple generalisation of the area under the ROC curve for multiple class classification
// problems, equation 7): the mean, over pairs of levels with test rows, of A(a,b) = ½(A(a|b) + A(b|a)), where A(a|b) is the
// probability that a row of a has a larger margin of a than a row of b, ties counting half. NaN for fewer than two such levels.
// O(levels · rows · log rows).
func handTill(o *Outcome) float64 {
	mass, seen := masses(o)
	sum := 0.0
	for _, a := range seen {
		pairs := ahead(o, a)
		for _, b := range seen {
			if b != a {
				sum += pairs[b] / (mass[a] * mass[b])
			}
		}
	}
	n := float64(len(seen))
	return sum / (n * (n - 1)) // 0/0 of one level
}

// againstRest returns the mean, over levels with test rows, of the probability that a row of the level has a larger margin of it than a row
// of any other, ties counting half (Provost & Domingos 2000, with equal weights of levels). NaN for fewer than two such levels.
// O(levels · rows · log rows).
func againstRest(o *Outcome) float64 {
	mass, seen := masses(o)
	sum := 0.0
	for _, a := range seen {
		pairs, won, rest := ahead(o, a), 0.0, 0.0
		for _, b := range seen {
			if b != a {
				won += pairs[b]
				rest += mass[b]
			}
		}
		sum += won / (mass[a] * rest) // 0/0 of one level
	}
	return sum / float64(len(seen))
}

// averagePrecision returns Σ (recall step) · precision over the distinct margins of the positive one of two levels; NaN without a
// positive row.
func averagePrecision(o *Outcome) float64 {
	if mass, _ := masses(o); len(o.Levels) != 2 || !(mass[o.Positive] > 0) {
		return math.NaN()
	}
	sum, found, seen := 0.0, 0.0, 0.0
	for _, rows := range ranked(o, o.Positive) {
		p := 0.0
		for _, i := range rows {
			w := o.Test.weight(i)
			seen += w
			if int(o.Test.Truth[i]) == o.Positive {
				p += w
			}
		}
		found += p
		sum += float64(p * (found / seen))
	}
	return sum / found
}
