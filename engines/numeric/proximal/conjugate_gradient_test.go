package proximal

import (
	"fmt"
	"testing"
)

// A leap through columns is that with the Hessian, and leaves the model where its moves are.
func TestLeapThroughColumns(t *testing.T) {
	clipped := 0
	for _, classes := range []int{2, 3} {
		for steps := 1; steps <= 12; steps++ {
			s := drawn(uint64(steps), 80, 10, classes, steps%2 == 0).state()
			start := func() (d *descent, active []*Coordinate) {
				d = &descent{model: s.rows.quadraticModel(), coordinates: s.coordinates(0.5, 0.01, 1e6)}
				d.model.expandAt(s.residuals)
				for k := range d.coordinates {
					c := &d.coordinates[k]
					c.curvature = d.model.curvature(c.X, c.Block)
					active = append(active, c)
				}
				return d, active
			}
			d, through := start()
			arrived := d.leap(t.Context(), through, steps)
			e, with := start()
			g := e.model.hessian(t.Context(), with)
			g.begin()
			if g.leap(t.Context(), steps) != arrived {
				t.Errorf("%d classes, %d steps: one arrived, and one did not", classes, steps)
			}
			for k, c := range through {
				near(t, fmt.Sprintf("%d classes, %d steps: move %d", classes, steps, k), c.Move, with[k].Move, 1e-9)
				near(t, fmt.Sprintf("%d classes, %d steps: gradient %d", classes, steps, k), c.Gradient+d.model.gradient(c.X, c.Block), g.gradient[g.place[k]], 1e-9)
				if c.Weight != 0 && c.Weight+c.Move == 0 {
					clipped++
				}
			}
		}
	}
	if clipped < 2 {
		t.Error("no leap ended at weights of 0")
	}
}

// Leaps grow while they arrive.
func TestLeapSteps(t *testing.T) {
	steps := sweepsBeforeLeap
	for range 20 {
		steps = leapSteps(steps, true)
	}
	if steps != maxLeapSteps || leapSteps(steps, false) != maxLeapSteps/2 || leapSteps(sweepsBeforeLeap, false) != sweepsBeforeLeap {
		t.Errorf("%d steps after 20 leaps that arrived", steps)
	}
}
