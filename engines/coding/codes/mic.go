package codes

import (
	"math"

	"tenfold/engines"
	"tenfold/engines/numeric/elementary"
)

// Multiple inclusion (Dhillon, Foster & Ungar 2011, section 3.2): a column in k of h tasks is named once, then the number of
// tasks and which of them, then its k coefficients.

// partialMIC codes k with the universal code for integers:
//
//	lg m + lg* k + c_h + lg C(h,k) + 2k.
func partialMIC(t Terms) Coder {
	c := integerNorm(t.Tasks)
	return inclusion(t, func(k int) float64 { return logStar(k) + c + logBinomial(t.Tasks, k) })
}

// partialLogH codes k with lg h bits whatever it is.
func partialLogH(t Terms) Coder {
	return inclusion(t, func(k int) float64 { return elementary.Log2(float64(t.Tasks)) + logBinomial(t.Tasks, k) })
}

// fullMIC has a column in all tasks or in none: lg m + 2h.
func fullMIC(t Terms) Coder {
	return inclusion(t, func(k int) float64 {
		if k < t.Tasks {
			return math.Inf(1)
		}
		return 0
	})
}

func inclusion(t Terms, subset func(k int) float64) Coder {
	c := make(byTasks, t.Tasks+1)
	for k := 1; k <= t.Tasks; k++ {
		c[k] = engines.Price{Index: elementary.Log2(t.Columns), Subset: subset(k), Coefficient: t.CoefBits * float64(k)}
	}
	return c
}

// logStar returns lg* k = lg k + lg lg k + … while positive: Rissanen's code for integers but for its constant.
func logStar(k int) float64 {
	sum := 0.0
	for x := elementary.Log2(float64(k)); x > 0; x = elementary.Log2(x) {
		sum += x
	}
	return sum
}

// integerNorm returns c_h = lg Σ_{k=1..h} 2^(−lg* k), which makes the code of the integers 1…h complete (docs/engines/mdl.md#errata).
func integerNorm(h int) float64 {
	sum := 0.0
	for k := 1; k <= h; k++ {
		sum += elementary.Exp2(-logStar(k))
	}
	return elementary.Log2(sum)
}

// logBinomial returns lg C(h,k).
func logBinomial(h, k int) float64 {
	sum := 0.0
	for i := 1; i <= min(k, h-k); i++ {
		sum += elementary.Log2(float64(h-i+1) / float64(i))
	}
	return sum
}
