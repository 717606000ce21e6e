package l1

import (
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
)

// Of rows that nearly all have a few common words, whose columns nearly repeat the column of ones, Newton steps get to the certificate in a few
// iterations: sweeps do not end while such columns move each other's gradients back.
func TestCommonWords(t *testing.T) {
	t.Parallel()
	const rows, words = 900, 3000
	rng := rand.New(rand.NewPCG(5, 5))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, words)
		y[i] = float64(i % 2)
		for j := range x[i] { // Zipf's law
			often := min(0.97, 20/float64(j+1))
			if j%7 == 3 {
				often *= 1 + 0.3*(y[i]-0.5)*float64(1-j%2*2)
			}
			if rng.Float64() < often {
				x[i][j] = 1
			}
		}
	}
	e := L1Kind.Defaults().(L1)
	m, err := e.Fit(t.Context(), engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, y...)), nil), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if f := m.(engines.Reporter).Fitted(); f.Stop != "gap" || f.Iterations > 15 {
		t.Errorf("ended by %s after %d iterations, gap %.3g", f.Stop, f.Iterations, f.Certificate.Relative())
	}
}

// A descent that goes on with the Hessian of the weights still active knows how the others have moved: these are at the minimum of the model
// beside them.
func TestHessianKnowsAllMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	zeroed := 0
	for range 40 {
		const rows, columns = 80, 24
		x, y := make([][]float64, rows), make([]int32, rows)
		for i := range x {
			x[i] = make([]float64, columns)
			common := rng.Float64()
			for j := range x[i] {
				if rng.Float64() < common {
					x[i][j] = 1 + rng.Float64()
				}
			}
			y[i] = int32(i % 2)
		}
		p, err := New(enginetest.Matrix(x...), y, nil, 2, NoBias)
		if err != nil {
			t.Fatal(err)
		}
		w := make([]float64, columns)
		for j := range w {
			w[j] = 0.3 * rng.NormFloat64()
		}
		pt := p.NewPoint(w)
		if err := pt.Update(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		candidates, err := p.newCandidateColumns(t.Context(), pt.W, 0.5, 1)
		if err != nil {
			t.Fatal(err)
		}
		candidates.unscreen()
		candidates.gradient(t.Context(), pt.G, pt.R, 1)
		work := candidates.selectWeights(pt, Penalty{L1: 4}, 1e9)
		model := p.quadraticModel()
		model.expandAt(pt)
		d := &descent{model: model, coordinates: work}
		active := make([]*coordinate, len(work))
		for k := range work {
			active[k] = &work[k]
			active[k].curvature = model.curvature(active[k].x, 0)
		}
		start, _ := d.sweep(t.Context(), active)
		_, active = d.sweep(t.Context(), active)
		d.runWithHessian(t.Context(), active, start)
		model.expandAt(pt)
		for k := range work {
			if work[k].weight != 0 && work[k].weight+work[k].move == 0 {
				zeroed++
			}
			model.update(work[k].x, 0, work[k].move)
		}
		for _, c := range active {
			if v := c.violation(c.gradient + model.gradient(c.x, 0)); v > hessianTolerance*math.Max(1, start) {
				t.Fatalf("column %d is left with a violation of %.3g, %.3g of all at the start", c.weightIndex, v, v/start)
			}
		}
	}
	if zeroed == 0 {
		t.Error("no weight went to zero: the test says nothing")
	}
}
