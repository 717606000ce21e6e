package l0

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// Descents from penalty to penalty end at the objectives of L0Learn (version and command are in the file), which looks at columns in another order,
// but where that leads to another local minimum, seldom and not far above.
func TestL0Learn(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/l0learn.json")
	if err != nil {
		t.Fatal(err)
	}
	var peer struct {
		X    [][]float64
		Y    []float64
		Fits []struct {
			Algorithm string
			Lambdas   []float64
			Lambda2   float64
			Coef      [][]float64
		}
	}
	if err := json.Unmarshal(text, &peer); err != nil {
		t.Fatal(err)
	}
	points, same := 0, 0
	for _, fit := range peer.Fits {
		m := started(t, numbers(peer.X, peer.Y), fit.Lambda2)
		for k, lambda := range fit.Lambdas {
			for m.descend(t.Context(), lambda, 1000); fit.Algorithm == "CDPSI"; m.descend(t.Context(), lambda, 1000) {
				if _, _, some := m.swap(t.Context(), lambda); !some {
					break
				}
			}
			theirs := started(t, numbers(peer.X, peer.Y), fit.Lambda2)
			for j, b := range fit.Coef[k] {
				if b != 0 {
					theirs.move(int32(j), b/theirs.x.Scale[j])
				}
			}
			points++
			switch ratio := m.objective(lambda) / theirs.objective(lambda); {
			case ratio > 1.02:
				t.Errorf("%s, λ2 %v, λ %v: objective %v, L0Learn's %v", fit.Algorithm, fit.Lambda2, lambda, m.objective(lambda), theirs.objective(lambda))
			case math.Abs(ratio-1) <= 1e-7:
				same++
			}
		}
	}
	if same*10 < points*8 {
		t.Errorf("%d of %d objectives are those of L0Learn", same, points)
	}
}
