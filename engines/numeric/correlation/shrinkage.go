package correlation

// Shrinkage returns λ, the weight of the identity in the correlations of columns that minimises the expected squared error of these,
// estimated as the sum of the variances of all r_jk, j ≠ k, over that of their squares, in [0, 1] (Schäfer and Strimmer 2005, table 2, target
// D, without shrinking variances). z has a standardised row each, by standard deviations with n − 1, and squares is Σ over j ≠ k of
// (Σ_i z_ij·z_ik)². It is 0 of uncorrelated columns. O(rows · columns).
func Shrinkage(z [][]float64, squares float64) float64 {
	if !(squares > 0) {
		return 0
	}
	n, fourth := float64(len(z)), 0.0 // Σ over i and j ≠ k of (z_ij·z_ik)²
	for _, row := range z {
		all, diagonal := 0.0, 0.0
		for _, v := range row {
			v = float64(v * v)
			all += v
			diagonal += float64(v * v)
		}
		fourth += float64(all*all) - diagonal
	}
	return max(0, min(1, float64(n/(n-1))*(fourth-squares/n)/squares))
}
