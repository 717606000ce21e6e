package sparse

import "tenfold/engines/numeric/dense"

// Dots sets dst[l] to the inner product with the dense vector w[l], four vectors at a time, since a single sum would wait for each
// of its additions. The last one to three vectors are left to Dot4.
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

// DotEach passes to set the inner product of each of n vectors with w, as Dot4 returns it, four vectors at a time if they have all
// their entries.
func DotEach(n int, w []float64, vector func(k int) Vec, set func(k int, dot float64)) {
	k := 0
	for ; k+4 <= n; k += 4 {
		a, b, c, d := vector(k), vector(k+1), vector(k+2), vector(k+3)
		var dots [4]float64
		if a.HasAll(len(w)) && b.HasAll(len(w)) && c.HasAll(len(w)) && d.HasAll(len(w)) {
			dots[0], dots[1], dots[2], dots[3] = dense.Dots(a.Val, b.Val, c.Val, d.Val, w)
		} else {
			dots = [4]float64{a.Dot4(w), b.Dot4(w), c.Dot4(w), d.Dot4(w)}
		}
		for i, dot := range dots {
			set(k+i, dot)
		}
	}
	for ; k < n; k++ {
		set(k, vector(k).Dot4(w))
	}
}

// HasAll reports whether a value is stored at each of the indices 0 … n−1.
func (v Vec) HasAll(n int) bool { return v.Val != nil && v.isFull(n) }

// DotColumns sets dst[k] to the inner product of column columns[k] with w, as Dot4 returns it. O(entries of the columns).
func (m *Matrix) DotColumns(dst []float64, columns []int32, w []float64) {
	m.once.Do(m.layOutColumns)
	if m.cptr != nil {
		for k, j := range columns {
			dst[k] = vecOf(m.cidx, m.cval, m.cptr[j], m.cptr[j+1]).Dot4(w)
		}
		return
	}
	k := 0
	for ; k+4 <= len(columns); k += 4 {
		four, out := columns[k:k+4:k+4], dst[k:k+4:k+4]
		out[0], out[1], out[2], out[3] = dense.Dots(m.fullColumn(int(four[0])), m.fullColumn(int(four[1])), m.fullColumn(int(four[2])), m.fullColumn(int(four[3])), w)
	}
	for ; k < len(columns); k++ {
		dst[k] = dense.Dot(m.fullColumn(int(columns[k])), w)
	}
}

// AddColumns adds a[k] times column columns[k] to dst, in order of k. O(entries of the columns).
func (m *Matrix) AddColumns(dst []float64, columns []int32, a []float64) {
	m.once.Do(m.layOutColumns)
	if m.cptr != nil {
		for k, j := range columns {
			vecOf(m.cidx, m.cval, m.cptr[j], m.cptr[j+1]).AddTo(dst, a[k])
		}
		return
	}
	k := 0
	for ; k+4 <= len(columns); k += 4 {
		four := columns[k : k+4 : k+4]
		dense.AddCombination(dst, m.fullColumn(int(four[0])), m.fullColumn(int(four[1])), m.fullColumn(int(four[2])), m.fullColumn(int(four[3])), (*[4]float64)(a[k:]))
	}
	for ; k < len(columns); k++ {
		dense.AddTo(dst, m.fullColumn(int(columns[k])), a[k])
	}
}
