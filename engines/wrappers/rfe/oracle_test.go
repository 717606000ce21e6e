package rfe

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/ridge/leastsquares"
	"tenfold/engines/ridge/logistic"
)

func TestOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"rfe": checkRounds})
}

// checkRounds drops the columns of the case, those of each round the least important first.
func checkRounds(t *testing.T, c oracle.Case) {
	var in struct {
		X [][]float64
		Y []float64
	}
	var options struct {
		Engine   string
		C2, Step float64
		Keep     int
	}
	var want struct {
		Removed [][]int32
		Kept    []int32
	}
	c.Parts(t, &in, &options, &want)
	var base engines.Engine
	target := enginetest.Real("y", in.Y...)
	if options.Engine == "ridge" {
		base = leastsquares.Ridge{Lambda: options.C2, Scale: "none", Tol: 1e-10}
	} else {
		target = enginetest.Class("y", int(slices.Max(in.Y))+1, in.Y...)
		logistic := logistic.Kind.Defaults().(logistic.Logistic)
		logistic.C2, logistic.Bias, logistic.Tol = options.C2, "free", 1e-12
		base = logistic
	}
	e := Engine{base, Options{Size: options.Keep, Step: options.Step, Scale: unscaled, Importance: auto}}
	view := enginetest.View(enginetest.Dataset(enginetest.Matrix(in.X...), target), nil)
	left, err := e.eliminate(t.Context(), runOn(view), options.Keep)
	if err != nil {
		t.Fatal(err)
	}
	if len(left.rounds) != len(want.Removed) {
		t.Fatalf("%d rounds, want %d", len(left.rounds), len(want.Removed))
	}
	for k, r := range left.rounds {
		removed := slices.Clone(r.order[max(options.Keep, len(r.order)-e.dropped(len(r.order))):])
		if slices.Reverse(removed); !slices.Equal(removed, want.Removed[k]) {
			t.Errorf("round %d dropped %v, want %v", k, removed, want.Removed[k])
		}
	}
	m, err := e.Fit(t.Context(), runOn(view))
	if err != nil {
		t.Fatal(err)
	}
	if kept := engines.ColumnsOf(m, view.Columns()); !slices.Equal(kept, want.Kept) {
		t.Errorf("kept %v, want %v", kept, want.Kept)
	}
}

func runOn(v *data.View) engines.Run {
	return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(1, 1)), Workers: 1}
}
