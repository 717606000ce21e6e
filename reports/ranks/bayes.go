package ranks

import (
	"fmt"
	"math/rand/v2"

	"tenfold/engines/numeric/elementary"
	"tenfold/io/results"
)

// Posterior holds the probabilities that one algorithm is worse than another on a further data set, that they are practically
// equal, or that it is better.
type Posterior struct{ Worse, Equal, Better float64 }

// draws is the number of draws from the posterior, with a fixed seed.
const draws = 50000

// SignedRank applies the Bayesian signed-rank test (Benavoli, Corani, Demšar & Zaffalon 2017, Time for a change, JMLR 18(77), section
// 4.2.3) of the differences on data sets, positive for better, with a region of practical equivalence from −rope to rope. The prior
// is a Dirichlet process of strength 1 at a difference of 0, so that weights w of the differences z and of z₀ = 0 come from a
// Dirichlet distribution with all parameters 1. A draw of them has
//
//	better Σᵢⱼ wᵢwⱼ [zᵢ + zⱼ > 2·rope]   worse Σᵢⱼ wᵢwⱼ [zᵢ + zⱼ < −2·rope]   equal the rest
//
// and the result is the share of draws in which each is the largest, on ties worse before equal before better. O(draws · n²).
func SignedRank(differences []float64, rope float64) (Posterior, error) {
	z := make([]float64, 1, len(differences)+1) // z₀ first
	for i, d := range differences {
		if !results.Finite(d) {
			return Posterior{}, fmt.Errorf("data set %d: difference %v, expected a finite number", i, d)
		}
		z = append(z, d)
	}
	n := len(z)
	above, below := make([]bool, n*n), make([]bool, n*n)
	for i := range n {
		for j := range n {
			above[i*n+j], below[i*n+j] = z[i]+z[j] > 2*rope, z[i]+z[j] < -2*rope
		}
	}
	rng, w := rand.New(rand.NewPCG(2017, 77)), make([]float64, n)
	var most [3]int
	for range draws {
		total := 0.0
		for i := range w {
			w[i] = -elementary.Log(1 - float64(rng.Float64()))
			total += w[i]
		}
		better, worse := 0.0, 0.0
		for i := range n {
			up, down := 0.0, 0.0
			for j := range n {
				if above[i*n+j] {
					up += w[j]
				}
				if below[i*n+j] {
					down += w[j]
				}
			}
			better += float64(w[i] * up)
			worse += float64(w[i] * down)
		}
		equal := float64(total*total) - better - worse
		switch {
		case worse >= equal && worse >= better:
			most[0]++
		case equal >= better:
			most[1]++
		default:
			most[2]++
		}
	}
	return Posterior{float64(most[0]) / draws, float64(most[1]) / draws, float64(most[2]) / draws}, nil
}
