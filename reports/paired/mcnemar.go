package paired

import (
	"fmt"
	"math"

	"tenfold/io/results"
)

// rightOrWrong reports whether McNemar's test applies to a metric: each row counts 1 or 0.
func rightOrWrong(m results.Properties) bool {
	return m.RowMean() && (m.RowLoss == results.Correct || m.RowLoss == results.ZeroOneLoss)
}

// McNemar compares the share of rows that two algorithms get right on the rows of one fold. P is exact: among the rows that only
// one of the two gets right, the number of the first's is tested against a fair coin (McNemar 1947, Psychometrika 12; the exact
// form in Dietterich 1998, Neural Computation 10, is the sign test of these rows). It assumes that rows are independent draws, and
// refuses groups of rows.
//
// Against a difference other than 0 there is no exact conditional test: those p-values and the interval are Tango's score test (see
// tangoP). If no row distinguishes the two, the result is constant.
func McNemar(a, b *Losses) (Result, error) {
	if err := sameRows(a, b); err != nil {
		return Result{}, err
	}
	if !rightOrWrong(a.properties) {
		return Result{}, fmt.Errorf("McNemar's test is of shares of rows that are right or wrong, not of %s", a.metric)
	}
	m := discordant{n: a.Groups()}
	for g, c := range a.count {
		if c != 1 {
			return Result{}, fmt.Errorf("McNemar's test needs independent rows that count the same, but they are in groups or have weights (one group has %v rows)", c)
		}
		switch d := a.sum[g] - b.sum[g]; {
		case d > 0:
			m.up++
		case d < 0:
			m.down++
		}
	}
	if m.up+m.down == 0 {
		return constantResult(m.n, 0), nil
	}
	n, up, down := float64(m.n), float64(m.up), float64(m.down)
	return Result{
		N: m.n, Mean: (up - down) / n, T: math.NaN(),
		SE: math.Sqrt(up+down-(up-down)*(up-down)/n) / n,
	}.withBelief(m), nil
}

// discordant implements belief for McNemar's test: of n rows, up have a difference of 1 and down one of −1.
type discordant struct{ up, down, n int }

// swapped returns the counts of the second minus the first.
func (m discordant) swapped() discordant { return discordant{up: m.down, down: m.up, n: m.n} }

func (m discordant) tails(x float64) (below, above float64) { return m.below(x), m.swapped().below(-x) }

func (m discordant) below(x float64) float64 {
	exact := binomialTail(m.up, m.up+m.down)
	switch {
	case x == 0:
		return exact
	case x < 0: // no smaller than against 0
		return math.Max(exact, m.tangoP(x))
	}
	return math.Min(exact, m.tangoP(x))
}

// tangoP returns the one-sided p-value of Tango 1998 (Statistics in Medicine 17, section 2) against a difference of x or more
// between paired proportions: the score test z = (up − down − n·x) / sqrt(n·(2q + x·(1 − x))), with q the maximum likelihood share
// of down-rows given a difference of x: the root of 2n·q² + B·q + C. Unlike Wald's test it holds its level with few discordant
// rows, or none.
func (m discordant) tangoP(x float64) float64 {
	n, up, down := float64(m.n), float64(m.up), float64(m.down)
	excess := up - down - float64(n*x)
	if math.Abs(x) >= 1 {
		return indicator(excess >= 0)
	}
	b := float64((float64(2*n)-up+down)*x) - up - down
	c := -down * x * (1 - x)
	q := (math.Sqrt(float64(b*b)-float64(8*n*c)) - b) / (4 * n)
	return normalCDF(excess / math.Sqrt(n*(float64(2*q)+float64(x*(1-x)))))
}

// interval returns the differences that Tango's test does not reject.
func (m discordant) interval(level float64) (low, high float64) {
	return -m.swapped().upperBound((1 - level) / 2), m.upperBound((1 - level) / 2)
}

// upperBound returns the difference at which Tango's p-value is p, by bisection: it falls with the difference.
func (m discordant) upperBound(p float64) float64 {
	low, high := float64(m.up-m.down)/float64(m.n), 1.0
	for range 60 {
		if middle := (low + high) / 2; m.tangoP(middle) > p {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
