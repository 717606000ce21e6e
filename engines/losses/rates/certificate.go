package rates

import (
	"math"

	"tenfold/engines"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/penalized/targets"
)

// certify returns the objective at the coefficients, and a lower bound of it at all: e^η ≥ m + m(η − log m) for any m > 0, so that with the
// residuals r = c·w(μ − y), which sum to 0, and m = y + r/w = (1 − c)y + cμ the objective is at least
//
//	Σ w·m(1 − log m) − Σ_j max(|x_j'r| − λ1·f_j, 0)²/(2·λ2·f_j)   (and the constant of the deviance),
//
// where without an L2 penalty c ≤ 1 is such that no |x_j'r| exceeds λ1·f_j. Columns without a penalty have to be at their optimum: until then
// there is no bound but 0.
func (p *Problem) certify(pen targets.Penalty) engines.Certificate {
	penalty, most, free, excess, settled := 0.0, 0.0, 0.0, 0.0, true
	for j, b := range p.coefficients() {
		f, g := p.factorOf(j), math.Abs(p.gradient[j])
		if f == 0 {
			free += float64(g * math.Abs(b))
			settled = settled && g <= float64(1e-8*p.Curvature()*p.largest[j])
			continue
		}
		penalty += float64(f*pen.L1*math.Abs(b)) + float64(f*pen.L2*b*b/2)
		most = max(most, g/f)
		if over := g - float64(f*pen.L1); over > 0 {
			excess += over * over / f
		}
	}
	c := engines.Certificate{Objective: p.state.Loss + penalty}
	if !settled {
		return c
	}
	share := 1.0
	if most > pen.L1 {
		share = pen.L1 / most
	}
	c.Dual = p.bound(share) - float64(share*free)
	if pen.L2 > 0 && share < 1 {
		c.Dual = max(c.Dual, p.bound(1)-free-excess/(2*pen.L2))
	}
	c.Dual = max(0, c.Dual) // a deviance is never below
	return c
}

// bound returns Σ w·m(1 − log m) with m = (1 − c)y + cμ, less what no loss is below. O(rows).
func (p *Problem) bound(c float64) (sum float64) {
	for i, y := range p.rate {
		w := p.weight.Of(i)
		if m := y + float64(c*p.state.R[i])/w; m > 0 {
			sum += float64(w * m * (1 - elementary.Log(m)))
		}
	}
	return sum - p.least
}
