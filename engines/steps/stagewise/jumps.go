package stagewise

import (
	"math"
	"tenfold/engines/steps/stagewise/lookup"
)

// stepsOnSameFeature returns how many of the next steps are certain to fall on feature j, the one found, at least 1. After i of them
// its |c| is V − i·εg, and no other exceeds V₂ + i·εκ with κ = max_k |G_k'G_j|. So the next
//
//	⌈ (V − V₂ − 2·TIE·V) / (ε·(g + κ)) ⌉
//
// steps are on j.
func (p *leastSquaresPath) stepsOnSameFeature(found lookup.Choice, eps float64) int {
	g := p.correlations.(*gramCorrelations)
	v, norm := math.Abs(found.Score), p.d.Norm[found.Position]
	ahead := v - g.blocks.MaxAbsOfOthers(found.Position) - float64(2*lookup.TieTolerance*v)
	if ahead <= eps*norm {
		return 1 // whatever κ is
	}
	steps := math.Ceil(ahead / (eps * (norm + g.maxGramEntry(found.Position))))
	steps = min(steps, math.Ceil((v-p.tol)/(eps*norm)), float64(p.e.MaxIter-p.iteration))
	return max(1, int(steps))
}

// maxGramEntry bounds |G_k'G_j| for every k but j. Where no row holds both, X'MX is 0 and −γ_kγ_j·N_kN_j/n is left.
func (g *gramCorrelations) maxGramEntry(j int) float64 {
	f, total := g.d.Scales[j], g.d.Total[j]
	bound := 0.0
	for _, q := range g.blocks.Widths {
		bound = max(bound, q*f.Gamma*math.Abs(total))
	}
	g.gram.Column(int(g.d.Column[j])).Each(func(k int, v float64) {
		if k != j {
			o := g.d.Scales[k]
			bound = max(bound, f.Gamma*o.Gamma*math.Abs(v-float64(total*o.Mu)))
		}
	})
	return bound
}
