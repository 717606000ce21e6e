package all

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
)

// longProblem returns a problem that meets the needs and takes many engines long: columns are correlated, and many matter.
func longProblem(needs engines.Needs, target data.Type, rows, columns int) *data.View {
	rng := rand.New(rand.NewPCG(7, 7))
	x, y, z := make([][]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		common := rng.NormFloat64()
		for j := range x[i] {
			v := common + rng.NormFloat64()
			if needs.Binary {
				v = float64(rng.IntN(2))
			}
			if needs.Counts {
				v = math.Abs(math.Round(v))
			}
			x[i][j] = v
			if j%10 == 0 {
				y[i] += v * float64(1-j/10%2*2) / 10
				z[i] -= v / 20
			}
		}
		y[i] += rng.NormFloat64()
	}
	levels := max(needs.Levels, 2)
	var targets []data.Target
	switch target {
	case data.Survival:
		for i, v := range y {
			y[i] = math.Exp(v / 10)
		}
		targets = append(targets, enginetest.Survival("y", y...))
	case data.Class:
		if needs.Levels == 0 {
			levels = 3
		}
		for i, v := range y {
			y[i] = float64(min(levels-1, max(0, int(v)+1)))
		}
		targets = append(targets, enginetest.Class("y", levels, y...))
	default:
		targets = append(targets, enginetest.Real("y", y...))
		if needs.Tasks {
			targets = append(targets, enginetest.Real("z", z...))
		}
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), targets...)
	class := make([]int32, columns)
	for j := range class {
		class[j] = int32(j % 7)
	}
	set.Features = set.Features.WithClasses(class, []string{"A", "B", "C", "D", "E", "F", "G"})
	if needs.Truth {
		set.Truth = []data.True{{Feature: 0, Value: 1}}
	}
	return enginetest.View(set, nil)
}

// TestCancelledFitsEnd: a fit of many rows, or of many columns, that is cancelled after a twentieth of a second ends. It should within a
// second; five are allowed, of the processor's time, which knows nothing of other programs.
func TestCancelledFitsEnd(t *testing.T) {
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	fits := map[string]engines.Engine{}
	for name, kind := range set {
		fits[name] = kind.Defaults()
	}
	for _, w := range Wrappers().Around {
		if inner := fits["elastic-net"]; w.Takes(inner) {
			if e := w.Wrap(inner, w.Kind.Defaults()); e.Validate() == nil {
				fits[w.Key()+" of elastic-net"] = e
			}
		}
	}
	const after, most = 50 * time.Millisecond, 5 // seconds
	stop := errors.New("told to end")
	for _, size := range [][2]int{{2000, 800}, {150, 12000}} {
		problems := map[string]*data.View{}
		for name, e := range fits {
			needs := e.Needs()
			for _, target := range []data.Type{data.Real, data.Class, data.Survival} {
				if !needs.Takes(target) {
					continue
				}
				shape := fmt.Sprint(target, needs.Binary, needs.Counts, needs.Levels, needs.Tasks && target == data.Real, needs.Truth)
				if problems[shape] == nil {
					problems[shape] = longProblem(needs, target, size[0], size[1])
				}
				run := engines.Run{Train: problems[shape], Rand: rand.New(rand.NewPCG(1, 1)), Workers: runtime.NumCPU(), Divide: enginetest.Divide}
				if needs.Watch {
					run.Watch = run.Train
				}
				ctx, cancel := context.WithTimeoutCause(t.Context(), after, stop)
				begun := enginetest.CPU()
				_, err := e.Fit(ctx, run)
				if took := enginetest.CPU() - begun; took > most || err != nil && !errors.Is(err, stop) {
					t.Errorf("%s of %s, %d × %d: it took %.2f s of the processor's time, and ended with %v", name, target, size[0], size[1], took, err)
				}
				cancel()
			}
		}
	}
}
