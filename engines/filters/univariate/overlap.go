package univariate

import (
	"context"
	"fmt"
	"math"

	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/numeric/tails"
)

// overlapP returns positiveP for columns and a response of zeros and ones, without the normal distribution behind it: the
// probability that a column with as many ones shares at least as many with the response, by the hypergeometric distribution
// (Fisher's exact test, one-sided). It is 1 for a constant column or response. O(nnz + columns·√n).
func overlapP(ctx context.Context, x *sparse.Matrix, r response) ([]float64, error) {
	for i, v := range r.y {
		if v != 0 && v != 1 {
			return nil, fmt.Errorf("row %d: response %v, expected 0 or 1", i, v)
		}
	}
	_, columns := x.Dims()
	p := make([]float64, columns)
	for j := range p {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		col := x.Col(j)
		for k, v := range col.Val {
			if v != 1 {
				return nil, fmt.Errorf("column %d, row %d: value %v, expected 0 or 1", j, col.Idx[k], v)
			}
		}
		p[j] = hypergeometric{r.n, r.ones, float64(col.Len())}.atLeast(col.Dot(r.y))
	}
	return p, nil
}

// hypergeometric is the number of marked rows among drawn ones of n, marked of which are.
type hypergeometric struct{ n, marked, drawn float64 }

// atLeast returns P(X ≥ k), summed on the side of the mean where terms fall.
func (h hypergeometric) atLeast(k float64) float64 {
	low, high := math.Max(0, h.drawn+h.marked-h.n), math.Min(h.drawn, h.marked)
	switch {
	case k <= low:
		return 1
	case k > high:
		return 0
	case k <= h.drawn*h.marked/h.n:
		return 1 - h.tailSum(k-1, -1, low)
	}
	return h.tailSum(k, 1, high)
}

// tailSum adds the probabilities from k to last, which fall.
func (h hypergeometric) tailSum(k, step, last float64) float64 {
	term := h.probability(k)
	sum := term
	for ; k != last && term > tails.Accuracy*sum; k += step {
		up := k + math.Min(step, 0) // P(up + 1) / P(up) = ratio
		ratio := (h.marked - up) * (h.drawn - up) / ((up + 1) * (h.n - h.marked - h.drawn + up + 1))
		if step < 0 {
			ratio = 1 / ratio
		}
		term = float64(term * ratio)
		sum += term
	}
	return sum
}

// probability returns P(X = k) as a quotient of binomial probabilities, which have no cancellation (Loader 2000, Fast and
// Accurate Computation of Binomial Probabilities).
func (h hypergeometric) probability(k float64) float64 {
	p, q := h.drawn/h.n, (h.n-h.drawn)/h.n
	return elementary.Exp(logBinomial(k, h.marked, p, q) + logBinomial(h.drawn-k, h.n-h.marked, p, q) - logBinomial(h.drawn, h.n, p, q))
}

// logBinomial returns the logarithm of the probability of x successes in n trials of probability p = 1 − q.
func logBinomial(x, n, p, q float64) float64 {
	switch {
	case x == 0 && n == 0:
		return 0
	case x == 0:
		return -deviance(n, n*q) - float64(n*p)
	case x == n:
		return -deviance(n, n*p) - float64(n*q)
	}
	return stirlingError(n) - stirlingError(x) - stirlingError(n-x) - deviance(x, n*p) - deviance(n-x, n*q) +
		float64(elementary.Log(n/(2*math.Pi*x*(n-x)))/2)
}

// deviance returns x·log(x/m) + m − x, by a series where x is near m.
func deviance(x, m float64) float64 {
	v := (x - m) / (x + m)
	if math.Abs(v) >= 0.1 {
		return float64(x*elementary.Log(x/m)) + m - x
	}
	sum, term := (x-m)*v, 2*x*v
	for j := 3.0; ; j += 2 {
		term *= v * v
		next := sum + term/j
		if next == sum {
			return sum
		}
		sum = next
	}
}

// stirlingError returns log n! − log(√(2πn)·(n/e)ⁿ).
func stirlingError(n float64) float64 {
	rest := 0.0
	for ; n < 16; n++ { // that of n less that of n + 1
		rest += float64((n+0.5)*elementary.Log1p(1/n)) - 1
	}
	z := 1 / (n * n)
	return rest + (1.0/12-float64(z*(1.0/360-float64(z*(1.0/1260-float64(z*(1.0/1680-z/1188)))))))/n
}
