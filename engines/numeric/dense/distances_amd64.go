package dense

//go:noescape
func distancesVector(a, b, c, d, w *float64, n int, dst *[4]float64)

//go:noescape
func addDistancesVector(dst, a, b *float64, n int, x float64)
