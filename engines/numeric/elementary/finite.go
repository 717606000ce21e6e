package elementary

// IsFinite reports whether x is neither infinite nor NaN. The conversion keeps a product from being fused with the difference.
func IsFinite(x float64) bool {
	x = float64(x)
	return x-x == 0
}
