package paired

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/io/results"
)

// The number of replicates of a bootstrap, and the seed of its draws: fixed, so that a report is the same each time.
const (
	replicates = 2000
	seed       = 0x7e4f01d
)

// Bootstrap compares two algorithms on the rows of one fold: groups of rows are drawn with replacement, the same for
// both. The interval is that of the percentiles of the difference; one-sided p-values are the share of replicates on the
// other side, (count + 1) / (replicates + 1), and P is twice the smaller one against 0 (Davison & Hinkley 1997, sections
// 4.2 and 5.3). None is below 2⁻ⁿ of n groups, that of a sign flip: a few groups that agree show no more, whatever the number of
// replicates. O(replicates · groups).
func Bootstrap(a, b *Losses) (Result, error) {
	if err := sameRows(a, b); err != nil {
		return Result{}, err
	}
	switch {
	case slices.Equal(a.sum, b.sum): // the same predictions: the common case of a program that did not change
		return constantResult(a.Groups(), 0), nil
	case a.Groups() < 2:
		return Result{}, fmt.Errorf("a bootstrap needs at least 2 groups of rows, there is %d", a.Groups())
	}
	d := drawReplicates(a, b)
	mean, se := a.metricValue()-b.metricValue(), results.Summarise(d).SD
	slices.Sort(d)
	scale := differences{scale: math.Max(a.metricValue(), b.metricValue())}
	if scale.roundToZero(d[len(d)-1]-d[0]) == 0 {
		return constantResult(a.Groups(), scale.roundToZero(mean)), nil
	}
	return Result{N: a.Groups(), Differ: a.Groups(), Mean: mean, SE: se, T: math.NaN()}.withBelief(resampled{d, a.Groups()}), nil
}

// SE returns the bootstrap standard error of the metric; NaN with fewer than two groups.
func (l *Losses) SE() float64 {
	if l.Groups() < 2 {
		return math.NaN()
	}
	return results.Summarise(l.bootstrapReplicates()).SD
}

// Interval returns the interval of the metric, from the percentiles of the bootstrap; NaN with fewer than two groups.
func (l *Losses) Interval(level float64) (low, high float64) {
	if l.Groups() < 2 {
		return math.NaN(), math.NaN()
	}
	return resampled{sorted: slices.Sorted(slices.Values(l.bootstrapReplicates()))}.interval(level)
}

// bootstrapReplicates returns replicates of the metric itself, drawn once.
func (l *Losses) bootstrapReplicates() []float64 {
	l.once.Do(func() { l.draws = drawReplicates(l) })
	return l.draws
}

// drawReplicates draws groups of rows with replacement and computes the metric of the first, minus that of the second if
// there is one.
func drawReplicates(first *Losses, second ...*Losses) []float64 {
	type group struct{ count, a, b float64 } // side by side: draws access memory at random
	groups := make([]group, first.Groups())
	for g := range groups {
		groups[g] = group{count: first.count[g], a: first.sum[g]}
		if len(second) > 0 {
			groups[g].b = second[0].sum[g]
		}
	}
	rng := rand.New(rand.NewPCG(seed, seed))
	out := make([]float64, replicates)
	for r := range out {
		var sum group
		for range groups {
			g := &groups[rng.IntN(len(groups))]
			sum.count += g.count
			sum.a += g.a
			sum.b += g.b
		}
		out[r] = first.fromMean(sum.a / sum.count)
		if len(second) > 0 {
			out[r] -= first.fromMean(sum.b / sum.count)
		}
	}
	return out
}

// resampled implements belief by the replicates of a bootstrap, rising.
type resampled struct {
	sorted []float64
	groups int
}

func (r resampled) tails(x float64) (below, above float64) {
	from, _ := slices.BinarySearch(r.sorted, x)
	to, _ := slices.BinarySearch(r.sorted, math.Nextafter(x, math.Inf(1)))
	n, least := float64(len(r.sorted)+1), math.Ldexp(1, -r.groups)
	return math.Max(least, float64(len(r.sorted)-from+1)/n), math.Max(least, float64(to+1)/n)
}

// interval leaves the same number of replicates out on either side.
func (r resampled) interval(level float64) (low, high float64) {
	n := len(r.sorted)
	out := int(float64(float64(n)*(1-level)/2) + float64(rounding*replicates))
	out = min(max(out, 0), (n-1)/2)
	return r.sorted[out], r.sorted[n-1-out]
}
