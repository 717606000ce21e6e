package proximal

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines/numeric/dense"
)

// The kept Hessian is Σ D_i x_ik x_ij at the point where it began, whichever weights joined first, serves as long as D stays near, and
// is built anew beyond.
func TestKeptHessian(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 5))
	problem := at{blocks: 1, w: make([]float64, 12)}
	for i := range 2 * maxHessianSweeps {
		row := make([]float64, 12)
		for j := range row {
			row[j] = rng.NormFloat64() // in all rows
		}
		problem.x, problem.y = append(problem.x, row), append(problem.y, int32(i%2))
		problem.weight = append(problem.weight, float64(1+rng.IntN(3)))
	}
	s, w := problem.state(), problem.w
	q := s.rows.quadraticModel().(*binaryModel)
	var began []float64 // D where it began
	fill := func(weights ...int) *hessian {
		t.Helper()
		q.expandAt(problem.state().residuals)
		var active []*Coordinate
		for _, k := range weights {
			active = append(active, &Coordinate{Index: k, X: s.columns[k], L1: 1})
		}
		return q.hessian(t.Context(), active)
	}
	check := func(what string, g *hessian) {
		t.Helper()
		for a, c := range g.active {
			for b, d := range g.active[:a+1] {
				want := 0.0
				for i, v := range began {
					want += v * c.X.At(i) * d.X.At(i)
				}
				if got := g.h[g.place[a]][g.place[b]]; !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))) {
					t.Errorf("%s: weights %d and %d: %v, want %v", what, c.Index, d.Index, got, want)
				}
			}
		}
	}
	g := fill(3, 7, 1)
	began = slices.Clone(q.d)
	check("at the start", g)
	w[3] = 1e-3
	g = fill(7, 11, 0, 3)
	check("near, as it was at the start", g)
	if slices.Equal(began, q.d) {
		t.Error("the rows' D did not move: the test tests nothing")
	}
	if want := dense.Sum(q.d) / dense.Sum(began); !(math.Abs(g.scale-want) <= 1e-15) {
		t.Errorf("near, it is multiplied by %v, want %v", g.scale, want)
	}
	for i := range q.d {
		q.d[i] = 0.3 * began[i]
	}
	if got := q.kept.scaleFor(q.d); !(math.Abs(got-0.3) <= 1e-15) {
		t.Errorf("where all D have fallen alike, it is multiplied by %v, want 0.3", got)
	}
	w[3], w[7] = 3, -3
	g = fill(0, 3)
	began = slices.Clone(q.d)
	check("far away, built anew", g)
}
