package elementary

// SoftThreshold returns z moved towards zero by t, at most to zero.
func SoftThreshold(z, t float64) float64 {
	switch {
	case z > t:
		return z - t
	case z < -t:
		return z + t
	}
	return 0
}
