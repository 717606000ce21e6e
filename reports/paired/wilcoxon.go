package paired

import (
	"cmp"
	"math"
	"slices"

	"tenfold/io/results"
)

// exactRanks is the maximum number of differences for which the exact signed-rank distribution is computed, at O(n³).
const exactRanks = 100

// Wilcoxon applies the signed-rank test over folds: Wilcoxon 1945, Biometrics Bulletin 1; Hollander & Wolfe, Nonparametric Statistical
// Methods, sections 3.1 to 3.3. Differences of 0 are dropped; ties share their mean rank. P-values are exact up to 100 differences,
// with ties too; beyond that they come from the normal distribution with corrections for ties and continuity. For a hypothesis
// other than 0 the differences are shifted by it first. The interval is that of Hodges and Lehmann (see walsh.go). Mean remains the
// mean difference.
func Wilcoxon(a, b []Fold) (Result, error) {
	d, err := pairFolds(a, b)
	if err != nil {
		return Result{}, err
	}
	return d.rankTest(func(d differences) belief { return signedRanks{d} }), nil
}

// rankTest returns the result of a test of ranks or signs.
func (d differences) rankTest(believe func(differences) belief) Result {
	sorted := differences{values: slices.Sorted(slices.Values(d.values)), scale: d.scale}
	n := len(sorted.values)
	if d.roundToZero(sorted.values[0]) == 0 && d.roundToZero(sorted.values[n-1]) == 0 {
		return constantResult(n, 0)
	}
	return Result{N: n, Differ: len(sorted.nonzeroShifts(0).values), Mean: results.Summarise(d.values).Mean, SE: math.NaN(), T: math.NaN()}.withBelief(believe(sorted))
}

// nonzeroShifts returns the differences minus x, without those that are 0.
func (d differences) nonzeroShifts(x float64) differences {
	out := differences{scale: math.Max(d.scale, math.Abs(x))}
	for _, v := range d.values {
		if v = out.roundToZero(v - x); v != 0 {
			out.values = append(out.values, v)
		}
	}
	return out
}

// signedRanks implements belief for the signed-rank test; its differences rise.
type signedRanks struct{ differences }

// tails returns the probabilities, if each sign is as likely as the other, that the ranks of the differences above x sum to no more
// than they do, and to no less.
func (s signedRanks) tails(x float64) (below, above float64) {
	d := s.nonzeroShifts(x)
	n := len(d.values)
	if n == 0 {
		return 1, 1
	}
	ranks, ties := d.doubledRanks()
	sum := 0
	for i, v := range d.values {
		if v > 0 {
			sum += ranks[i]
		}
	}
	if n <= exactRanks {
		p := subsetSums(ranks)
		return math.Min(1, sumOf(p[:sum+1])), math.Min(1, sumOf(p[sum:]))
	}
	m := float64(n)
	w, mean := float64(float64(sum)/2), float64(m*(m+1)/4)
	sd := math.Sqrt(m*(m+1)*(2*m+1)/24 - ties/48)
	return normalCDF((w + 0.5 - mean) / sd), normalCDF((mean - w + 0.5) / sd)
}

// doubledRanks returns twice the mid-rank of every difference by magnitude, which is whole; and Σ (t³ − t) over the ties.
func (d differences) doubledRanks() (ranks []int, ties float64) {
	n := len(d.values)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	magnitude := func(k int) float64 { return math.Abs(d.values[order[k]]) }
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(math.Abs(d.values[i]), math.Abs(d.values[j])) })
	ranks = make([]int, n)
	for from := 0; from < n; {
		to := from + 1
		for to < n && d.roundToZero(magnitude(to)-magnitude(from)) == 0 {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = from + 1 + to
		}
		t := float64(to - from)
		ties += float64(t*t*t) - t
		from = to
	}
	return ranks, ties
}

// subsetSums returns the distribution of the sum of a random subset, each element in or out with probability ½.
func subsetSums(ranks []int) []float64 {
	most := 0
	for _, r := range ranks {
		most += r
	}
	p := make([]float64, most+1)
	p[0] = 1
	reached := 0
	for _, r := range ranks {
		reached += r
		for s := reached; s >= r; s-- {
			p[s] = (p[s] + p[s-r]) / 2
		}
		for s := range r {
			p[s] /= 2
		}
	}
	return p
}

func sumOf(p []float64) float64 {
	sum := 0.0
	for _, q := range p {
		sum += q
	}
	return sum
}

// normalCDF returns the standard normal distribution function.
func normalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
