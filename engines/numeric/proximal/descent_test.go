package proximal

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

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
		w := make([]float64, columns)
		for j := range w {
			w[j] = 0.3 * rng.NormFloat64()
		}
		s := at{x: x, y: y, blocks: 1, w: w}.state()
		work := s.coordinates(4, 0, 1e9)
		model := s.rows.quadraticModel()
		model.expandAt(s.residuals)
		d := &descent{model: model, coordinates: work}
		active := make([]*Coordinate, len(work))
		for k := range work {
			active[k] = &work[k]
			active[k].curvature = model.curvature(active[k].X, 0)
		}
		start, _ := d.sweep(t.Context(), active)
		_, active = d.sweep(t.Context(), active)
		d.runWithHessian(t.Context(), active, start)
		model.expandAt(s.residuals)
		for k := range work {
			if work[k].Weight != 0 && work[k].Weight+work[k].Move == 0 {
				zeroed++
			}
			model.update(work[k].X, 0, work[k].Move)
		}
		for _, c := range active {
			if v := c.Violation(c.Gradient + model.gradient(c.X, 0)); v > hessianTolerance*math.Max(1, start) {
				t.Fatalf("column %d is left with a violation of %.3g, %.3g of all at the start", c.Index, v, v/start)
			}
		}
	}
	if zeroed == 0 {
		t.Error("no weight went to zero: the test says nothing")
	}
}

// The two ways through a descent, columns and Hessian, come to the same model's minimum.
func TestDescent(t *testing.T) {
	for _, classes := range []int{2, 3} {
		for _, weights := range []bool{false, true} {
			s := drawn(6, 80, 10, classes, weights).state()
			move := func(closely bool) (value float64) {
				d := descent{model: s.rows.quadraticModel(), coordinates: s.coordinates(0.5, 0.01, 1e6)}
				d.model.expandAt(s.residuals)
				active := make([]*Coordinate, len(d.coordinates))
				for k := range d.coordinates {
					active[k] = &d.coordinates[k]
					d.coordinates[k].curvature = d.model.curvature(d.coordinates[k].X, d.coordinates[k].Block)
				}
				for range 20_000 {
					if !closely {
						d.sweep(t.Context(), slices.Clone(active))
					}
				}
				for range 20 {
					if closely {
						d.runWithHessian(t.Context(), active, 1e-12)
					}
				}
				d.model.expandAt(s.residuals)
				for _, c := range d.coordinates {
					value += c.predictedChange() + c.L2/2*c.Move*c.Move
					d.model.update(c.X, c.Block, c.Move)
				}
				for _, c := range d.coordinates {
					value += d.model.gradient(c.X, c.Block) * c.Move / 2
				}
				return value
			}
			near(t, fmt.Sprintf("%d classes, weights %v: model", classes, weights), move(false), move(true), 1e-9)
		}
	}
}
