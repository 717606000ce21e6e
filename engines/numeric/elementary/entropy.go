package elementary

// Entr returns −p·log p, the share of an outcome in an entropy: 0 at p = 0 and below.
func Entr(p float64) float64 {
	if p <= 0 {
		return 0
	}
	return float64(-p * Log(p))
}

// Entr1m returns Entr of 1 − p, which keeps the digits of a small p.
func Entr1m(p float64) float64 {
	if p >= 1 {
		return 0
	}
	return float64(-(1 - p) * Log1p(-p))
}
