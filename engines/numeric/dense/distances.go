package dense

import "math"

// Distances returns Σ|a_j − w_j| of each of four vectors, all of the length of w, each in four alternating sums.
func Distances(a, b, c, d, w []float64) (p, q, r, s float64) {
	a, b, c, d = a[:len(w)], b[:len(w)], c[:len(w)], d[:len(w)]
	if n := wide(len(w)); n > 0 {
		var dst [4]float64
		distancesVector(&a[0], &b[0], &c[0], &d[0], &w[0], n, &dst)
		return dst[0], dst[1], dst[2], dst[3]
	}
	return distancePlain(a, w), distancePlain(b, w), distancePlain(c, w), distancePlain(d, w)
}

// AddDistances adds x·|a_j − b_j| to each entry of dst.
func AddDistances(dst, a, b []float64, x float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	if n := wide(len(dst)); n > 0 {
		addDistancesVector(&dst[0], &a[0], &b[0], n, x)
		return
	}
	addDistancesPlain(dst, a, b, x)
}

func distancePlain(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += math.Abs(x[0] - y[0])
		s1 += math.Abs(x[1] - y[1])
		s2 += math.Abs(x[2] - y[2])
		s3 += math.Abs(x[3] - y[3])
	}
	for ; i < len(a); i++ {
		s0 += math.Abs(a[i] - b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

func addDistancesPlain(dst, a, b []float64, x float64) {
	for j := range dst {
		dst[j] += float64(x * math.Abs(a[j]-b[j]))
	}
}
