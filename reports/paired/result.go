package paired

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Level is the default level of tests.
const Level = 0.05

// Result is the result of a test. Differences are first minus second.
type Result struct {
	N         int     // folds, or resampled units (groups or rows)
	Differ    int     // for tests of ranks and signs: the number of nonzero differences, on which they are based; for the bootstrap: of groups; else 0
	Mean      float64 // difference
	SE        float64 // standard error of the test; NaN for tests without one (Wilcoxon, sign)
	T         float64 // NaN for all but the t-tests
	P         float64 // two-sided
	Low, High float64 // 95 % interval of the difference

	// Constant: the differences do not vary, so that a test that divides by their spread is undefined. Then P is 1 if Mean is 0 and
	// else 0, or of fewer than 6 differences 2/2ⁿ; SE is 0 and the interval is the point. The tests of ranks and signs need no spread: they are constant only if every
	// difference is 0.
	Constant bool

	belief belief
}

// belief is implemented by the tests: one-sided p-values against any difference, and intervals.
type belief interface {
	tails(x float64) (below, above float64)
	interval(level float64) (low, high float64)
}

// withBelief sets the p-values and the interval from the belief.
func (r Result) withBelief(b belief) Result {
	r.belief = b
	below, above := b.tails(0)
	r.P = math.Min(1, 2*math.Min(below, above))
	r.Low, r.High = b.interval(0.95)
	return r
}

// Below returns the one-sided p-value against a difference of x or more: small if the difference is shown to be below x.
func (r Result) Below(x float64) float64 {
	below, _ := r.tails(x)
	return below
}

// Above returns the one-sided p-value against a difference of x or less: small if the difference is shown to be above x.
func (r Result) Above(x float64) float64 {
	_, above := r.tails(x)
	return above
}

// tails returns both one-sided p-values; a result that no test made shows nothing (1), unless it is constant.
func (r Result) tails(x float64) (below, above float64) {
	switch {
	case r.belief != nil:
		return r.belief.tails(x)
	case r.Constant:
		return point{r.Mean, r.N}.tails(x)
	}
	return 1, 1
}

// Direction returns the sign of the difference as the test sees it: 1 above 0, −1 below, 0 neither. For tests of ranks or signs it
// need not be the sign of the mean.
func (r Result) Direction() int {
	switch below, above := r.tails(0); {
	case above < below:
		return 1
	case below < above:
		return -1
	}
	return 0
}

// Interval returns the two-sided interval of a level in (0, 1), such as 0.95.
func (r Result) Interval(level float64) (low, high float64) {
	if r.belief == nil {
		return r.Low, r.High
	}
	return r.belief.interval(level)
}

// Equivalent returns the p-value of the two one-sided tests (TOST) that the difference is within ±margin: Schuirmann 1987, Journal
// of Pharmacokinetics and Biopharmaceutics 15.
func (r Result) Equivalent(margin float64) float64 {
	return math.Max(r.Above(-margin), r.Below(margin))
}

// NotWorse returns the one-sided p-value of non-inferiority: small if the first is shown not to be worse than the second by as much
// as the margin; higher says whether more is better. Unlike equivalence it allows any amount of better.
func (r Result) NotWorse(margin float64, higher bool) float64 {
	if higher {
		return r.Above(-margin)
	}
	return r.Below(margin)
}

// Detectable returns the minimum detectable difference: the true difference that the two-sided test at alpha finds with probability
// power,
//
//	(t_{1−α/2} + t_{power}) · SE, N−1 degrees of freedom
//
// (Bloom 1995, Evaluation Review 19). NaN without a standard error.
func (r Result) Detectable(alpha, power float64) float64 {
	if !(r.SE > 0) || r.N < 2 {
		return math.NaN()
	}
	student := distuv.StudentsT{Sigma: 1, Nu: float64(r.N - 1)}
	return (student.Quantile(1-float64(alpha/2)) + student.Quantile(power)) * r.SE
}

// point implements belief for n differences that are the same number.
type point struct {
	point float64
	n     int
}

// constantResult returns the result if every difference is the same number.
func constantResult(n int, mean float64) Result {
	return Result{N: n, Mean: mean, T: math.NaN(), Constant: true}.withBelief(point{mean, n})
}

// tails returns those of a sign test where differences other than 0 are so few that equal ones show nothing. Folds that do not differ at all
// show that.
func (p point) tails(x float64) (below, above float64) {
	least := 0.0
	if p.n < 6 && p.point != 0 {
		least = math.Ldexp(1, -p.n)
	}
	return math.Max(least, indicator(!(p.point < x))), math.Max(least, indicator(!(p.point > x)))
}

func (p point) interval(float64) (low, high float64) { return p.point, p.point }
