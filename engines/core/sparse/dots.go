package sparse

// Dots sets dst[l] to the inner product with the dense vector w[l], of four vectors at a time: one sum alone would wait for
// each of its additions. What remains of the vectors is left to Dot4.
func (v Vec) Dots(dst []float64, w [][]float64) {
	for ; len(w) >= 4; dst, w = dst[4:], w[4:] {
		dst[0], dst[1], dst[2], dst[3] = v.dots4(w[0], w[1], w[2], w[3])
	}
	for l := range w {
		dst[l] = v.Dot4(w[l])
	}
}

func (v Vec) dots4(a, b, c, d []float64) (p, q, r, s float64) {
	if v.Val == nil {
		for _, i := range v.Idx {
			p += a[i]
			q += b[i]
			r += c[i]
			s += d[i]
		}
		return p, q, r, s
	}
	for k, i := range v.Idx {
		x := v.Val[k]
		p += float64(x * a[i])
		q += float64(x * b[i])
		r += float64(x * c[i])
		s += float64(x * d[i])
	}
	return p, q, r, s
}
