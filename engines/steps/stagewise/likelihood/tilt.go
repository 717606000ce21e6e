package likelihood

import "tenfold/engines/numeric/elementary"

// tilt is the exponential tilt by x, the effect of adding x to the log-weight of an outcome that has probability p:
//
//	p' = p·eˣ/u,   every other probability times 1/u,   u = 1 − p + p·eˣ = 1 + p·(eˣ − 1).
type tilt struct{ x, expm1 float64 }

func newTilt(x float64) tilt { return tilt{x, elementary.Expm1(x)} }

// largeExponent is an x for which eˣ + 1 is eˣ in float64, nearly.
const largeExponent = 36

// apply returns p', 1/u and log u, finite for every finite x and p in [0, 1].
func (t tilt) apply(p float64) (after, others, log float64) {
	switch {
	case p <= 0:
		return 0, 1, 0
	case p >= 1:
		return 1, 1, t.x
	case t.x > largeExponent:
		e := elementary.Exp(-t.x)
		u := p + float64((1-p)*e)
		return p / u, e / u, t.x + elementary.Log(u)
	case t.x < -largeExponent:
		pe := float64(p * elementary.Exp(t.x))
		u := (1 - p) + pe
		return pe / u, 1 / u, elementary.Log(u)
	}
	r := float64(p * t.expm1)
	return (p + r) / (1 + r), 1 / (1 + r), elementary.Log1p(r)
}
