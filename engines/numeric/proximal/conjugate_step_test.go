package proximal

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines/enginetest"
)

// logLoss is that of two classes, written out.
type logLoss struct{ y []int32 }

func (l logLoss) Residuals(_ context.Context, r, z []float64, _ int) (loss float64) {
	for i, v := range z {
		p := 1 / (1 + math.Exp(-v))
		r[i] = p - float64(l.y[i])
		loss += math.Log1p(math.Exp(-math.Abs(v))) + max(0, v) - v*float64(l.y[i])
	}
	return loss
}

// Down a path of penalties, steps with a kept Hessian end where no condition is violated, and margins follow the weights, also where these
// come, go, and stop at zero. With the last step's moves it takes fewer than without.
func TestConjugateSteps(t *testing.T) {
	t.Parallel()
	total, plain := 0, 0
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 12))
		const rows, columns = 300, 40
		var x [][]float64
		var y []int32
		for range rows {
			common, row := rng.NormFloat64(), make([]float64, columns)
			for j := range row {
				row[j] = 0.7*common + rng.NormFloat64()
			}
			x = append(x, row)
			label := int32(0)
			if row[0]-row[1]+row[2]/2+rng.NormFloat64() > 0 {
				label = 1
			}
			y = append(y, label)
		}
		m := enginetest.Matrix(x...)
		walk := func(conjugate bool) (steps int) {
			n := New(Rows{Y: y, Blocks: 1, Full: true}, logLoss{y})
			s := &State{W: make([]float64, columns), Z: make([]float64, rows), R: make([]float64, rows)}
			s.Loss = n.loss.Residuals(t.Context(), s.R, s.Z, 1)
			for penalty := 60.0; penalty > 1; penalty *= 0.8 {
				n.Restart()
				for count := 0; ; count++ {
					var work []Coordinate
					worst := 0.0
					for j := range columns {
						c := Coordinate{
							Index: j, X: m.Col(j), L1: penalty, L2: float64(seed % 2), Weight: s.W[j], Gradient: m.Col(j).Dot(s.R),
							MaxMove: n.TrustRadius() / 4, MinCurvature: 1e-30,
						}
						worst = max(worst, c.Violation(c.Gradient))
						work = append(work, c)
					}
					if worst <= 1e-6*penalty {
						break
					}
					if count > 60 || n.Stalled() {
						t.Fatalf("seed %d, penalty %v: a condition is violated by %v after %d steps", seed, penalty, worst, count)
					}
					if !conjugate {
						n.last = lastStep{}
					}
					n.Step(t.Context(), s, work, 1)
					steps++
				}
			}
			for i, row := range x {
				z := 0.0
				for j, v := range row {
					z += v * s.W[j]
				}
				near(t, "margin", s.Z[i], z, 1e-11)
			}
			return steps
		}
		total += walk(true)
		plain += walk(false)
	}
	if t.Log(total, "steps, without the last moves", plain); !(total < plain) {
		t.Errorf("%d steps, without the last step's moves %d", total, plain)
	}
}
