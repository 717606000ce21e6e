package univariate

import "slices"

// slack lets p-values that equal their bound but for rounding pass it.
const slack = 1 + 1e-12

// simesP returns the p-value of all hypotheses together, min m·p_(i)/i over the p-values in rising order (Simes 1986,
// Biometrika 73). 1 where there are none. O(m·log m).
func simesP(p []float64) float64 {
	global := 1.0
	for i, v := range slices.Sorted(slices.Values(p)) {
		global = min(global, float64(len(p))*v/float64(i+1))
	}
	return global
}

// stepUp returns the hypotheses that Simes' step-up procedure rejects at level alpha, rising: those up to the largest i with
// p_(i) ≤ i·alpha/m (the false discovery rate of Benjamini & Hochberg 1995). There are some exactly when simes(p) ≤ alpha.
// O(m·log m).
func stepUp(p []float64, alpha float64) []int32 {
	sorted := slices.Sorted(slices.Values(p))
	i := len(sorted)
	for i > 0 && sorted[i-1] > float64(i)*alpha/float64(len(p))*slack {
		i--
	}
	if i == 0 {
		return nil
	}
	var selected []int32
	for j, v := range p {
		if v <= sorted[i-1] {
			selected = append(selected, int32(j))
		}
	}
	return selected
}

// harmonic returns 1 + 1/2 + … + 1/m: the level of the step-up procedure divided by it holds for p-values that depend on each other in any way
// (Benjamini & Yekutieli 2001, Annals of Statistics 29, theorem 1.3).
func harmonic(m int) (sum float64) {
	for i := range m {
		sum += 1 / float64(i+1)
	}
	return sum
}
