package slope

import (
	"fmt"
	"math"
	"slices"

	"tenfold/engines/numeric/elementary"
)

// sequence returns the penalties at scale 1 of the columns that vary, not rising: the first of those given, or those of q.
func (e Slope) sequence(columns, varying int) ([]float64, error) {
	if n := len(e.Lambdas); n > 0 {
		if n != columns {
			return nil, fmt.Errorf("lambdas: %d penalties, and the data has %d columns: expected one for each", n, columns)
		}
		return e.Lambdas[:varying], nil
	}
	out := make([]float64, varying)
	for i := range out { // Φ⁻¹(1 − t/2) is √2·erf⁻¹(1 − t)
		out[i] = max(0, math.Sqrt2*elementary.Erfinv(1-float64(i+1)*e.Q/float64(varying)))
	}
	switch {
	case varying > 0 && out[0] == 0:
		return nil, fmt.Errorf("q: %v leaves no penalty above 0 for %d columns, expected less", e.Q, varying)
	case varying > 0 && !elementary.IsFinite(out[0]):
		return nil, fmt.Errorf("q: %v makes penalties infinite for %d columns, expected more", e.Q, varying)
	}
	return out, nil
}

// norm returns Σ_i λ_i·|b|_(i), of sizes that fall. O(sizes).
func norm(sizes, penalties []float64) (sum float64) {
	for i, b := range sizes {
		sum += float64(penalties[i] * b)
	}
	return sum
}

// dualScale returns the largest s for which s·g is in the dual ball: its first k sizes, which fall, sum to no more than the first k
// penalties, for every k. (Bogdan et al. 2015, proposition 1.1.) Infinite where all are 0.
func dualScale(sizes, penalties []float64) float64 {
	least, g, l := math.Inf(1), 0.0, 0.0
	for i, size := range sizes {
		if g, l = g+size, l+penalties[i]; g > 0 {
			least = min(least, l/g)
		}
	}
	return least
}

// candidates returns how many of the columns with the largest gradients, whose sizes fall, may have coefficients: all up to the last k
// for which the first k, or those after an earlier such k, exceed their penalties together. Each penalty counts share times. (Larsson,
// Bogdan and Wallin, "The strong screening rule for SLOPE", 2020, algorithm 1.)
func candidates(sizes, penalties []float64, share float64) (most int) {
	over := 0.0
	for i, size := range sizes {
		if over += size - float64(share*penalties[i]); over >= 0 {
			most, over = i+1, 0
		}
	}
	return most
}

// proximal is the work space of proximal steps.
type proximal struct {
	order  []int32
	size   []float64
	blocks []block
}

// block of sorted sizes that have one value.
type block struct {
	first int
	sum   float64
	value float64
}

// step sets z to argmin_b ½‖b − z‖² + t·Σ_i λ_i·|b|_(i): sizes fall after their penalties are taken off, those that would not are pooled, and none
// goes below 0. (Bogdan et al. 2015, algorithm 4, FastProxSL1.) O(n·log n).
func (p *proximal) step(z, penalties []float64, t float64) {
	p.size, p.blocks = p.size[:0], p.blocks[:0]
	for _, v := range z {
		p.size = append(p.size, math.Abs(v))
	}
	for k := len(p.order); k < len(z); k++ { // those before stand in the order of the last step, which is near that of this one
		p.order = append(p.order, int32(k))
	}
	slices.SortFunc(p.order, func(a, b int32) int {
		switch x, y := p.size[a], p.size[b]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return int(a - b)
	})
	for i, k := range p.order {
		p.pool(i, p.size[k]-float64(t*penalties[i]), 1)
	}
	for q, b := range p.blocks {
		last := len(z)
		if q+1 < len(p.blocks) {
			last = p.blocks[q+1].first
		}
		for _, k := range p.order[b.first:last] {
			z[k] = math.Copysign(b.value, z[k])
			if b.value == 0 {
				z[k] = 0 // not −0
			}
		}
	}
}

// pool adds to the blocks a value of so many places from first on, and merges the blocks before it that would rise to it.
func (p *proximal) pool(first int, value float64, many int) {
	b := block{first, value * float64(many), value}
	end := first + many
	for n := len(p.blocks); n > 0 && p.blocks[n-1].value <= max(0, b.value); n-- {
		before := p.blocks[n-1]
		b.first, b.sum = before.first, before.sum+b.sum
		b.value = b.sum / float64(end-b.first)
		p.blocks = p.blocks[:n-1]
	}
	b.value = max(0, b.value)
	p.blocks = append(p.blocks, b)
}
