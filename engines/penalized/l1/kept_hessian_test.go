package l1

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The kept Hessian is Σ D_i x_ik x_ij at the point where it began, whichever weights joined first, serves as long as D stays near, and
// is built anew beyond.
func TestKeptHessian(t *testing.T) {
	t.Parallel()
	s := draw(5, 2*maxHessianSweeps, 12, 2, NoBias, true)
	rng := rand.New(rand.NewPCG(5, 5))
	for _, row := range s.x {
		for j := range row {
			row[j] = rng.NormFloat64() // in all rows
		}
	}
	p := s.problem(t)
	w := make([]float64, p.Width())
	q := p.quadraticModel().(*binaryModel)
	var at []float64 // D where it began
	fill := func(weights ...int) *hessian {
		t.Helper()
		pt := p.NewPoint(slices.Clone(w))
		if err := pt.Update(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		q.expandAt(pt)
		var active []*coordinate
		for _, k := range weights {
			active = append(active, &coordinate{weightIndex: k, x: p.X.Col(k)})
		}
		g := newHessian(active)
		q.fillFromKept(t.Context(), g)
		return g
	}
	check := func(what string, g *hessian) {
		t.Helper()
		for a, c := range g.active {
			for b, d := range g.active[:a+1] {
				want := 0.0
				for i, v := range at {
					want += v * c.x.At(i) * d.x.At(i)
				}
				if !(math.Abs(g.h[a][b]-want) <= 1e-12*(1+math.Abs(want))) {
					t.Errorf("%s: weights %d and %d: %v, want %v", what, c.weightIndex, d.weightIndex, g.h[a][b], want)
				}
			}
		}
	}
	g := fill(3, 7, 1)
	at = slices.Clone(q.d)
	check("at the start", g)
	w[3] = 1e-3
	check("near, as it was at the start", fill(7, 11, 0, 3))
	if slices.Equal(at, q.d) {
		t.Error("the rows' D did not move: the test tests nothing")
	}
	w[3], w[7] = 3, -3
	g = fill(0, 3)
	at = slices.Clone(q.d)
	check("far away, built anew", g)
}
