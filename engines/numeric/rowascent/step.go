package rowascent

import (
	"math"

	"tenfold/engines/numeric/elementary"
)

// shortenings is the number of times a step is cut to a quarter before the row is left as it is.
const shortenings = 4

// step chooses new shares for row i, by the scores s, logarithms of probabilities, and the old shares a: they raise
//
//	H(α) + α·s − q/2·‖α − a‖²,  q = m_i(‖x_i‖²/L2 + 1/B),
//
// which is what the row can do for D. move is then α − a, and moved false where nothing was gained; short tells of a step that
// had to be cut.
func (a *Ascent) step(i int) (moved, short bool) {
	q := a.weightOf(i) * (a.length[i]/a.p.L2 + a.bias.most)
	if !a.started {
		a.leaveLabel(i, q)
		return true, false
	}
	k := a.p.Levels
	u, s, old := a.shares[i*k:(i+1)*k], a.score[:k], a.old[:k]
	a.newtonDirection(u, q)
	entropy := 0.0 // of the old shares
	for l, v := range u {
		entropy -= float64(old[l] * v)
	}
	size := 1.0
	if a.relaxed {
		size = relaxation
	}
	for range shortenings {
		gain := a.tryStep(u, s, old, size, q) - entropy
		if gain > 0 {
			copy(u, a.trial)
			return true, short
		}
		size, short = size/4, gain < -1e-14 // below it is rounding
	}
	return false, short
}

// leaveLabel makes a row's first step, from its label, where logarithms are infinite: a share 1/(1 + q/2) of the way to the
// probabilities.
func (a *Ascent) leaveLabel(i int, q float64) {
	k, y := a.p.Levels, a.p.Y[i]
	t := 1 / (1 + float64(q/2))
	u, shift := a.shares[i*k:(i+1)*k], elementary.Log(t)
	elementary.SumExp(a.move[:k], a.score[:k], 0)
	share := (1 - t) + float64(t*a.move[y])
	for l, s := range a.score[:k] {
		u[l] = s + shift
		a.move[l] *= t
	}
	u[y] = elementary.Log(share)
	a.move[y] = share - 1
}

// newtonDirection returns Newton's step for the logarithms u of the shares, where α = softmax(u) and the best u solves
//
//	u + q·(α(u) − a) = s  but for a constant, so that (1 + q·diag(α) − q·αα') Δ = s − u,  α = a,
//
// whose matrix is diagonal but for a product (Sherman and Morrison). O(Levels).
func (a *Ascent) newtonDirection(u []float64, q float64) {
	n := len(u)
	s, old, direction, curve := a.score[:n], a.old[:n], a.direction[:n], a.move[:n]
	top, bottom := 0.0, 0.0
	for l, v := range u {
		e := 1 / (1 + float64(q*old[l]))
		share := float64(old[l] * e)
		r := s[l] - v
		top += float64(share * r)
		bottom += share
		direction[l], curve[l] = r*e, share
	}
	common := q * top / bottom
	for l, share := range curve {
		direction[l] += float64(common * share)
	}
}

// tryStep returns the row's value after a step of that size along the direction; it sets trial to the logarithms of its shares, and
// move to the shares minus the old ones. O(Levels).
func (a *Ascent) tryStep(u, s, old []float64, size, q float64) float64 {
	n := len(u)
	trial, direction, to := a.trial[:n], a.direction[:n], a.move[:n]
	high := math.Inf(-1)
	for l, v := range u {
		v += float64(size * direction[l])
		trial[l] = v
		high = max(high, v)
	}
	sum := elementary.SumExp(to, trial, high)
	norm, inverse := high+elementary.Log(sum), 1/sum
	linear, square := 0.0, 0.0
	for l, e := range to {
		v := trial[l] - norm
		share := float64(e * inverse)
		d := share - old[l]
		trial[l], to[l] = v, d
		linear += float64(d*s[l]) - float64(share*v)
		square += float64(d * d)
	}
	return linear - float64(q/2*square)
}
