package forward

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

// timesView has times and events.
func timesView(x [][]float64, times []float64, events []int8) *data.View {
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), data.Target{Name: "t", Type: data.Survival, Values: times, Events: events}), nil)
}

// timesStepwise asks the suite for times.
type timesStepwise struct{ Stepwise }

func (e timesStepwise) Needs() engines.Needs {
	return engines.Needs{Target: data.Survival, Sizes: e.Stepwise.Needs().Sizes}
}

func TestStepwiseOfTimesSuite(t *testing.T) {
	t.Parallel()
	enginetest.Suite(t, timesStepwise{greedy(nil)})
	enginetest.Suite(t, timesStepwise{greedy(func(e *Stepwise) { e.Choose, e.Criterion = chooseCorrelation, criterionF })})
}

// Order, likelihoods, BIC, coefficients and the baseline are those of forward selection with R's coxph (testdata/coxph.R).
func TestStepwiseLikeCoxph(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/coxph.json")
	if err != nil {
		t.Fatal(err)
	}
	var peer struct {
		X                [][]float64
		Time             []float64
		Event            []int8
		Null, Hazard, At float64
		Order            []int
		Log, BIC, Three  []float64
	}
	if err := json.Unmarshal(text, &peer); err != nil {
		t.Fatal(err)
	}
	view := timesView(peer.X, peer.Time, peer.Event)
	var losses []float64
	all := stepwiseOn(t, greedy(everything), engines.Run{Train: view, Trace: func(s engines.Step) { losses = append(losses, -s.TrainError) }})
	if got := entered(all); !slices.Equal(got, peer.Order) {
		t.Errorf("order %v, of R %v", got, peer.Order)
	}
	oracle.NearAll(t, "log PL", losses, append([]float64{peer.Null}, peer.Log...), 1e-10)
	best := 0
	for k := range peer.BIC { // until the first that BIC refuses
		before := -2 * peer.Null
		if k > 0 {
			before = peer.BIC[k-1]
		}
		if peer.BIC[k] >= before {
			break
		}
		best = k + 1
	}
	byBIC := stepwiseOn(t, greedy(nil), engines.Run{Train: view})
	if got := entered(byBIC); !slices.Equal(got, peer.Order[:best]) {
		t.Errorf("by BIC %v, of R %v", got, peer.Order[:best])
	}
	three := stepwiseOn(t, greedy(func(e *Stepwise) { e.Criterion, e.MaxFeatures = criterionNone, 3 }), engines.Run{Train: view})
	for _, c := range three.Coefs() {
		oracle.Near(t, "coefficient", c.Value, peer.Three[slices.Index(peer.Order, c.Feature)], 1e-7)
	}
	oracle.Near(t, "baseline", three.(engines.Reporter).Fitted().Baseline.At(peer.At), peer.Hazard, 1e-7)
}

// Columns that are equal, or constant, do not enter; a column that orders all events ends the path with a note; and the two ways to
// choose take the same first column where they must.
func TestStepwiseOfTimesEdges(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 9))
	var x [][]float64
	var times []float64
	var events []int8
	for range 60 {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		x = append(x, []float64{1, a, 2 * a, b})
		times, events = append(times, math.Ceil(10*rng.ExpFloat64()*math.Exp(-a))), append(events, int8(min(1, rng.IntN(4))))
	}
	for _, choose := range []string{chooseDrop, chooseCorrelation} {
		m := stepwiseOn(t, greedy(func(e *Stepwise) { e.Criterion, e.Choose = criterionNone, choose }), engines.Run{Train: timesView(x, times, events)})
		if got := entered(m); !slices.Equal(got, []int{1, 3}) || m.(engines.Reporter).Fitted().Stop != "exhausted" {
			t.Errorf("%s: %v, stop %s", choose, got, m.(engines.Reporter).Fitted().Stop)
		}
	}
	for i := range x {
		x[i][3] = -times[i]
	}
	m := stepwiseOn(t, greedy(nil), engines.Run{Train: timesView(x, times, events)})
	if f := m.(engines.Reporter).Fitted(); f.Stop != infinite || !strings.HasPrefix(f.Notes[0], engines.NotConverged) || !slices.Equal(entered(m), []int{3}) {
		t.Errorf("stop %s, notes %v, columns %v", f.Stop, f.Notes, m.Coefs())
	}
}
