//go:build !amd64

package dense

func distancesVector(a, b, c, d, w *float64, n int, dst *[4]float64) { panic("no vector instructions") }

func addDistancesVector(dst, a, b *float64, n int, x float64) { panic("no vector instructions") }
