package dense

import "tenfold/engines/numeric/elementary"

// The kernels here have two forms that give the same bits: plain Go, and vector instructions for processors that have them. Four
// alternating sums are the four lanes of a vector; products are rounded before they are added.

// Dot returns an inner product in four alternating sums, which a processor computes in parallel.
func Dot(a, b []float64) float64 {
	b = b[:len(a)]
	if n := wide(len(a)); n > 0 {
		return dotVector(&a[0], &b[0], n)
	}
	return dotPlain(a, b)
}

// DotInOrder returns an inner product in one sum, which waits for each of its additions.
func DotInOrder(a, b []float64) (sum float64) {
	b = b[:len(a)]
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}

// Sum returns the sum of v, added in order.
func Sum(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum
}

// Dots returns Dot of each of four vectors with w, all of the length of w. With vector instructions it takes hardly longer than one
// Dot.
func Dots(a, b, c, d, w []float64) (p, q, r, s float64) {
	a, b, c, d = a[:len(w)], b[:len(w)], c[:len(w)], d[:len(w)]
	if n := wide(len(w)); n > 0 {
		var dst [4]float64
		dotsVector(&a[0], &b[0], &c[0], &d[0], &w[0], n, &dst)
		return dst[0], dst[1], dst[2], dst[3]
	}
	return dotPlain(a, w), dotPlain(b, w), dotPlain(c, w), dotPlain(d, w)
}

// DotEach passes to set the inner product of each of n vectors with w, as Dot returns it, four vectors at a time.
func DotEach(n int, w []float64, vector func(k int) []float64, set func(k int, dot float64)) {
	k := 0
	for ; k+4 <= n; k += 4 {
		p, q, r, s := Dots(vector(k), vector(k+1), vector(k+2), vector(k+3), w)
		set(k, p)
		set(k+1, q)
		set(k+2, r)
		set(k+3, s)
	}
	for ; k < n; k++ {
		set(k, Dot(vector(k), w))
	}
}

// DotDifference returns Σ x_i·w_i·(a_i − b_i) in four alternating sums.
func DotDifference(x, w, a, b []float64) float64 {
	w, a, b = w[:len(x)], a[:len(x)], b[:len(x)]
	if n := wide(len(x)); n > 0 {
		return dotDifferenceVector(&x[0], &w[0], &a[0], &b[0], n)
	}
	return dotDifferencePlain(x, w, a, b)
}

// AddTo adds a times x to dst.
func AddTo(dst, x []float64, a float64) {
	x = x[:len(dst)]
	if n := wide(len(dst)); n > 0 {
		addToVector(&dst[0], &x[0], n, a)
		return
	}
	addToPlain(dst, x, a)
}

// AddFour adds (a + b) + (c + d), entry by entry, to dst.
func AddFour(dst, a, b, c, d []float64) {
	a, b, c, d = a[:len(dst)], b[:len(dst)], c[:len(dst)], d[:len(dst)]
	n := wide(len(dst)) &^ 3
	if n > 0 {
		addFourVector(&dst[0], &a[0], &b[0], &c[0], &d[0], n)
	}
	addFourPlain(dst[n:], a[n:], b[n:], c[n:], d[n:])
}

// AddTwo adds x·a + y·b, entry by entry, to dst.
func AddTwo(dst, a, b []float64, x, y float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	n := wide(len(dst)) &^ 3
	if n > 0 {
		addTwoVector(&dst[0], &a[0], &b[0], n, x, y)
	}
	addTwoPlain(dst[n:], a[n:], b[n:], x, y)
}

// AddCombination adds w[0]·a, w[1]·b, w[2]·c and w[3]·d to dst, entry by entry and one after the other.
func AddCombination(dst, a, b, c, d []float64, w *[4]float64) {
	a, b, c, d = a[:len(dst)], b[:len(dst)], c[:len(dst)], d[:len(dst)]
	n := wide(len(dst)) &^ 3
	if n > 0 {
		addCombinationVector(&dst[0], &a[0], &b[0], &c[0], &d[0], n, w)
	}
	addCombinationPlain(dst[n:], a[n:], b[n:], c[n:], d[n:], w)
}

// TakeShrunk subtracts x·d from u, entry by entry, and sets w to u soft-thresholded by t > 0.
func TakeShrunk(u, w, d []float64, x, t float64) {
	w, d = w[:len(u)], d[:len(u)]
	n := wide(len(u)) &^ 3
	if n > 0 {
		takeShrunkVector(&u[0], &w[0], &d[0], n, x, t)
	}
	takeShrunkPlain(u[n:], w[n:], d[n:], x, t)
}

// AddProductsTo adds a times x times y, entry by entry, to dst.
func AddProductsTo(dst, x, y []float64, a float64) {
	x, y = x[:len(dst)], y[:len(dst)]
	if n := wide(len(dst)); n > 0 {
		addProductsToVector(&dst[0], &x[0], &y[0], n, a)
		return
	}
	addProductsToPlain(dst, x, y, a)
}

// DotRows sets dst[t] to Σ_i x[i]·v[i·k+t], k = len(dst): x times a matrix of len(x) rows. Each is one sum in order.
func DotRows(dst, x, v []float64) {
	k := len(dst)
	v = v[:len(x)*k]
	t := 0
	if hasVectors && k >= 4 && len(x) > 0 {
		for ; t+16 <= k; t += 16 {
			dot16Vector(&dst[t], &x[0], &v[t], len(x), k)
		}
		for ; t+4 <= k; t += 4 {
			dot4Vector(&dst[t], &x[0], &v[t], len(x), k)
		}
	}
	dotRowsPlain(dst, x, v, t)
}

// AddRows adds x[i]·d[t] to v[i·k+t], k = len(d).
func AddRows(v, x, d []float64) {
	k := len(d)
	v = v[:len(x)*k]
	t := 0
	if hasVectors && k >= 4 && len(x) > 0 {
		for ; t+16 <= k; t += 16 {
			add16Vector(&v[t], &x[0], &d[t], len(x), k)
		}
		for ; t+4 <= k; t += 4 {
			add4Vector(&v[t], &x[0], &d[t], len(x), k)
		}
	}
	addRowsPlain(v, x, d, t)
}

// widest is the length from which vectors go to vector instructions.
const widest = 8

// wide returns n if vectors of that length go to vector instructions, else 0.
func wide(n int) int {
	if hasVectors && n >= widest {
		return n
	}
	return 0
}

func dotPlain(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += float64(x[0] * y[0])
		s1 += float64(x[1] * y[1])
		s2 += float64(x[2] * y[2])
		s3 += float64(x[3] * y[3])
	}
	for ; i < len(a); i++ {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

func dotDifferencePlain(x, w, a, b []float64) float64 {
	var s [4]float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		for k := range s {
			s[k] += float64(x[i+k] * w[i+k] * (a[i+k] - b[i+k]))
		}
	}
	for ; i < len(x); i++ {
		s[0] += float64(x[i] * w[i] * (a[i] - b[i]))
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

func addToPlain(dst, x []float64, a float64) {
	x = x[:len(dst)]
	for i, v := range x {
		dst[i] += float64(a * v)
	}
}

func addFourPlain(dst, a, b, c, d []float64) {
	a, b, c, d = a[:len(dst)], b[:len(dst)], c[:len(dst)], d[:len(dst)]
	for i := range dst {
		dst[i] += (a[i] + b[i]) + (c[i] + d[i])
	}
}

func addTwoPlain(dst, a, b []float64, x, y float64) {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] += float64(x*a[i]) + float64(y*b[i])
	}
}

func addCombinationPlain(dst, a, b, c, d []float64, w *[4]float64) {
	a, b, c, d = a[:len(dst)], b[:len(dst)], c[:len(dst)], d[:len(dst)]
	for i, v := range dst {
		v += float64(w[0] * a[i])
		v += float64(w[1] * b[i])
		v += float64(w[2] * c[i])
		dst[i] = v + float64(w[3]*d[i])
	}
}

func takeShrunkPlain(u, w, d []float64, x, t float64) {
	w, d = w[:len(u)], d[:len(u)]
	for i, v := range d {
		v = u[i] - float64(x*v)
		u[i], w[i] = v, elementary.SoftThreshold(v, t)
	}
}

func addProductsToPlain(dst, x, y []float64, a float64) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i, v := range x {
		dst[i] += float64(a * v * y[i])
	}
}

// dotRowsPlain does what DotRows does from column t on, four sums at a time.
func dotRowsPlain(dst, x, v []float64, t int) {
	k := len(dst)
	for ; t+4 <= k; t += 4 {
		var a, b, c, d float64
		for i, m := range x {
			row := v[i*k+t:][:4]
			a += float64(m * row[0])
			b += float64(m * row[1])
			c += float64(m * row[2])
			d += float64(m * row[3])
		}
		dst[t], dst[t+1], dst[t+2], dst[t+3] = a, b, c, d
	}
	for ; t < k; t++ {
		s := 0.0
		for i, m := range x {
			s += float64(m * v[i*k+t])
		}
		dst[t] = s
	}
}

// addRowsPlain does what AddRows does from column t on.
func addRowsPlain(v, x, d []float64, t int) {
	k := len(d)
	if t == k {
		return
	}
	for i, a := range x {
		addToPlain(v[i*k:][t:k], d[t:], a)
	}
}
