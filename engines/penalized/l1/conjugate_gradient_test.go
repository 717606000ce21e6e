package l1

import (
	"fmt"
	"math"
	"testing"

	"tenfold/engines/enginetest"
)

// A leap through columns is that with the Hessian, and leaves the model where its moves are.
func TestLeapThroughColumns(t *testing.T) {
	clipped := 0
	for _, classes := range []int{2, 3} {
		for steps := 1; steps <= 12; steps++ {
			p := draw(uint64(steps), 80, 10, classes, NoBias, steps%2 == 0).problem(t)
			pt := p.NewPoint(make([]float64, p.Width()))
			for k := range pt.W {
				pt.W[k] = float64(k%5-2) / 8
			}
			if err := pt.Update(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			set, err := p.newCandidateColumns(t.Context(), pt.W, 0.5, 1)
			if err != nil {
				t.Fatal(err)
			}
			start := func() (d *descent, active []*coordinate) {
				d = &descent{model: p.quadraticModel(), coordinates: set.selectWeights(pt, Penalty{L1: 0.5, L2: 0.01}, 1e6)}
				d.model.expandAt(pt)
				for k := range d.coordinates {
					c := &d.coordinates[k]
					c.curvature = d.model.curvature(c.x, c.block)
					active = append(active, c)
				}
				return d, active
			}
			d, through := start()
			arrived := d.leap(t.Context(), through, steps)
			e, with := start()
			g := newHessian(with)
			e.model.fillHessian(t.Context(), g)
			g.symmetrize()
			for a, c := range with {
				g.gradient[a] = c.gradient
			}
			if g.leap(t.Context(), steps) != arrived {
				t.Errorf("%d classes, %d steps: one arrived, and one did not", classes, steps)
			}
			for k, c := range through {
				near(t, fmt.Sprintf("%d classes, %d steps: move %d", classes, steps, k), c.move, with[k].move, 1e-9)
				near(t, fmt.Sprintf("%d classes, %d steps: gradient %d", classes, steps, k), c.gradient+d.model.gradient(c.x, c.block), g.gradient[k], 1e-9)
				if c.weight != 0 && c.weight+c.move == 0 {
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

// Where nearly all rows are of one class, a step goes far beyond the minimum of its model, which is 2 off for p = ½. Margins stay those of
// the weights.
func TestExtend(t *testing.T) {
	const rows = 4000
	x, y := make([][]float64, rows), make([]int32, rows)
	for i := range x {
		x[i] = []float64{1}
	}
	y[17] = 1
	p, err := New(enginetest.Matrix(x...), y, nil, 2, NoBias)
	if err != nil {
		t.Fatal(err)
	}
	pt := p.NewPoint(make([]float64, 1))
	var objectives []float64
	out, err := newton(t.Context(), pt, Goal{Penalty: Penalty{L1: 0.1}, Stopping: Stopping{Tol: 1e-9, MaxIter: 1}, Workers: 1, Trace: func(_ int, loss float64, w []float64) {
		objectives = append(objectives, loss+0.1*math.Abs(w[0]))
	}})
	if err != nil || out.Iterations != 1 || len(objectives) != 1 {
		t.Fatal(out, err)
	}
	if pt.W[0] > -3.9 || pt.W[0] < -8.5 { // the minimum is at −8.2
		t.Errorf("the weight is %v after one step", pt.W[0])
	}
	near(t, "margin", pt.Z[5], pt.W[0], 1e-12)
}

// What is known of the problems' minima (docs/benchmarks.md), to a millionth.
func TestReferenceOptima(t *testing.T) {
	if testing.Short() {
		t.Skip("minutes")
	}
	stop := Stopping{Tol: 1e-6, MaxIter: 500}
	t.Run("C, L1", func(t *testing.T) {
		train, _ := enginetest.BenchmarkSigns(t, "C")
		p, err := Read(train, NoBias)
		meets(t, p, err, newton, Goal{Penalty: Penalty{L1: 20}, Stopping: stop, Workers: 1}, 101_174.859)
	})
	// The first class of B10 against the rest: liblinear -s 6 -c 1 -e 1e-6 ends at 15,134.7661.
	t.Run("B10, L1", func(t *testing.T) {
		train, _ := enginetest.BenchmarkClasses(t, "B10", 86)
		p, err := Read(train.OneVsRest(0), NoBias)
		meets(t, p, err, newton, Goal{Penalty: Penalty{L1: 1}, Stopping: stop, Workers: 1}, 15_134.76605)
	})
}

func meets(t *testing.T, p *Problem, err error, solve Solver, goal Goal, want float64) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	out, err := solve(t.Context(), p.NewPoint(make([]float64, p.Width())), goal)
	if err != nil || out.Stop != "gap" || !(math.Abs(out.Objective-want) <= 1e-6*want) {
		t.Errorf("%+v, error %v, want %v", out, err, want)
	}
}
