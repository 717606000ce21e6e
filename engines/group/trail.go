package group

// trail is the last iterates of a descent, all of which are affine in each other.
type trail struct {
	b, v, sum [][]float64
}

// trailLength is how many differences of iterates an extrapolation is made from.
const trailLength = 5

func (a *trail) clear() { a.b, a.v, a.sum = a.b[:0], a.v[:0], a.sum[:0] }

// add the iterate at hand.
func (a *trail) add(d *descent) {
	a.b, a.v, a.sum = push(a.b), push(a.v), push(a.sum)
	n := len(a.b) - 1
	a.b[n], a.v[n], a.sum[n] = d.coefficients(a.b[n][:0]), append(a.v[n][:0], d.v...), append(a.sum[n][:0], d.sum...)
}

// push makes the list one longer, with the room that was there before.
func push(list [][]float64) [][]float64 {
	if len(list) < cap(list) {
		return list[:len(list)+1]
	}
	return append(list, nil)
}

// coefficients of the blocks worked on, appended to dst.
func (d *descent) coefficients(dst []float64) []float64 {
	for k := range d.work {
		for _, j := range d.work[k].columns {
			dst = append(dst, d.pt.of(j)...)
		}
	}
	return dst
}

// set the coefficients of the blocks worked on.
func (d *descent) set(b []float64) {
	k := d.pt.p.tasks
	for q := range d.work {
		for _, j := range d.work[q].columns {
			copy(d.pt.of(j), b[:k])
			b = b[k:]
		}
	}
}

// leap goes to the combination of the last iterates, with weights c that sum to 1, whose combined difference to the one before
// is the shortest, if Q is lower there.
func (a *trail) leap(d *descent) {
	n := len(a.b) - 1
	if n < 2 {
		return
	}
	c := a.weights()
	if c == nil {
		return
	}
	before := d.value()
	d.set(combine(nil, a.b[1:], c))
	combine(d.v, a.v[1:], c)
	combine(d.sum, a.sum[1:], c)
	if !(d.value() < before) {
		d.set(a.b[n])
		copy(d.v, a.v[n])
		copy(d.sum, a.sum[n])
	}
}

// weights solve (U'U)·c ∝ 1, with the differences of iterates in U; nil where that says nothing.
func (a *trail) weights() []float64 {
	n := len(a.b) - 1
	system := make([][]float64, n)
	for r := range system {
		system[r] = make([]float64, n+1)
		system[r][n] = 1
		for q := range r + 1 {
			s := 0.0
			for i := range a.b[0] {
				s += float64((a.b[r+1][i] - a.b[r][i]) * (a.b[q+1][i] - a.b[q][i]))
			}
			system[r][q], system[q][r] = s, s
		}
	}
	trace := 0.0
	for r := range system {
		trace += system[r][r]
	}
	for r := range system {
		system[r][r] += float64(1e-12 * trace)
	}
	c, sum := eliminate(system), 0.0
	for _, v := range c {
		sum += v
	}
	for k := range c {
		c[k] /= sum
		if c[k]-c[k] != 0 {
			return nil
		}
	}
	return c
}

// eliminate solves a small positive definite system, whose right side is the last column.
func eliminate(a [][]float64) []float64 {
	n := len(a)
	for k := range n {
		for r := k + 1; r < n; r++ {
			f := a[r][k] / a[k][k]
			for q := k; q <= n; q++ {
				a[r][q] -= float64(f * a[k][q])
			}
		}
	}
	x := make([]float64, n)
	for r := n - 1; r >= 0; r-- {
		s := a[r][n]
		for q := r + 1; q < n; q++ {
			s -= float64(a[r][q] * x[q])
		}
		x[r] = s / a[r][r]
	}
	return x
}

// combine sets dst to the sum of vectors times their weights.
func combine(dst []float64, vectors [][]float64, c []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(vectors[0]))
	}
	clear(dst)
	for k, v := range vectors {
		for i, x := range v {
			dst[i] += float64(c[k] * x)
		}
	}
	return dst
}
