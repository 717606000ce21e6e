package paired

import "gonum.org/v1/gonum/mathext"

// Sign applies the sign test over folds: it tests the number of positive differences against a fair coin, exactly (Hollander & Wolfe,
// Nonparametric Statistical Methods, sections 3.4 to 3.6; Demšar 2006, section 3.1.4, counts wins and losses in this way).
// Differences of 0 are dropped. For a hypothesis other than 0 the differences are shifted by it first. The interval is that of the
// median difference.
func Sign(a, b []Fold) (Result, error) {
	d, err := pairFolds(a, b)
	if err != nil {
		return Result{}, err
	}
	return d.rankTest(func(d differences) belief { return signs{d} }), nil
}

// signs implements belief for the sign test; its differences rise.
type signs struct{ differences }

func (s signs) tails(x float64) (below, above float64) {
	shifted := s.nonzeroShifts(x).values
	n, positive := len(shifted), 0
	for _, v := range shifted {
		if v > 0 {
			positive++
		}
	}
	return binomialTail(positive, n), binomialTail(n-positive, n)
}

// interval extends from the c-th smallest difference to the c-th largest, with the largest c that keeps the level: P(fewer than c
// heads) ≤ (1 − level)/2. If there is none, as below 6 differences at 95 %, it is the range of the differences.
func (s signs) interval(level float64) (low, high float64) {
	n := len(s.values)
	c := 1
	for c < n/2 && binomialTail(c, n) <= (1-level)/2*(1+rounding) {
		c++
	}
	return s.values[c-1], s.values[n-c]
}

// binomialTail returns the probability of at most k heads in n throws of a fair coin.
func binomialTail(k, n int) float64 {
	if k >= n {
		return 1
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 0.5)
}
