package optim

import "tenfold/engines/numeric/dense"

// history holds the pairs of a limited-memory method: its last steps s and the differences y of the gradient along them.
type history struct {
	s, y    [][]float64
	rho     []float64 // 1 / s'y
	a       []float64
	next, n int               // where the next pair goes, and the number of pairs
	inverse []float64         // of the curvature guess; nil for ones
	solve   func(d []float64) // in place of inverse; nil for none
}

// newHistory has room for memory pairs, 0 for 10, and starts from a guess of the curvature, or nil.
func newHistory(memory int, curvature []float64) *history {
	if memory == 0 {
		memory = 10
	}
	h := &history{s: make([][]float64, memory), y: make([][]float64, memory), rho: make([]float64, memory), a: make([]float64, memory)}
	for _, c := range curvature {
		h.inverse = append(h.inverse, 1/c)
	}
	return h
}

// pushPair keeps s = w − from and y = grad − gradFrom, unless the function did not curve upwards along the step.
func (h *history) pushPair(w, from, grad, gradFrom []float64) {
	curve, square := 0.0, 0.0
	for i := range w {
		s, y := w[i]-from[i], grad[i]-gradFrom[i]
		curve += float64(s * y)
		square += float64(y * y)
	}
	if !(curve > 1e-16*square) {
		return
	}
	if h.s[h.next] == nil {
		h.s[h.next], h.y[h.next] = make([]float64, len(w)), make([]float64, len(w))
	}
	for i := range w {
		h.s[h.next][i], h.y[h.next][i] = w[i]-from[i], grad[i]-gradFrom[i]
	}
	h.rho[h.next] = 1 / curve
	h.next = (h.next + 1) % len(h.s)
	h.n = min(h.n+1, len(h.s))
}

// reset forgets all pairs.
func (h *history) reset() { h.n = 0 }

// twoLoop sets d = −H·grad by the two loops of Nocedal and Wright, Numerical Optimization (2006), algorithm 7.4. H
// starts from D, the inverse of the guessed curvature, times s'y / y'Dy of the last pair.
func (h *history) twoLoop(d, grad []float64) {
	for i, g := range grad {
		d[i] = -g
	}
	slot := func(back int) int { return (h.next - back + len(h.s)) % len(h.s) }
	for back := 1; back <= h.n; back++ {
		k := slot(back)
		h.a[k] = h.rho[k] * dense.Dot(h.s[k], d)
		dense.AddTo(d, h.y[k], -h.a[k])
	}
	h.precondition(d, slot(1))
	for back := h.n; back >= 1; back-- {
		k := slot(back)
		dense.AddTo(d, h.s[k], h.a[k]-float64(h.rho[k]*dense.Dot(h.y[k], d)))
	}
}

// precondition multiplies d by the matrix that H starts from; last is the index of the last pair, if there is one.
func (h *history) precondition(d []float64, last int) {
	square := 0.0 // y'Dy
	if h.solve != nil {
		h.solve(d)
		return
	}
	if h.n > 0 && h.inverse == nil {
		square = dense.Dot(h.y[last], h.y[last])
	}
	for i, c := range h.inverse {
		d[i] *= c
		if h.n > 0 {
			square += float64(h.y[last][i] * h.y[last][i] * c)
		}
	}
	if h.n == 0 {
		return
	}
	scale := 1 / (h.rho[last] * square)
	for i := range d {
		d[i] *= scale
	}
}
