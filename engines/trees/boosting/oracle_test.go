package boosting

import (
	"math"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/trees"
)

func TestOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"nan_boost": boostCase, "poisson_boost": boostCase})
}

// oracleNode is a node of a tree that is written depth first.
type oracleNode struct {
	Column    *int32
	Threshold *float64 // nil: all that have a value go left
	Missing   string
	Learned   bool
	Gain      float64
	Right     int
	Leaf      float64
}

// boostCase boosts as a case says, and compares trees and predictions.
func boostCase(t *testing.T, c oracle.Case) {
	var in struct {
		X, Test           [][]*float64
		Y                 []float64
		Weights, Exposure []float64
		TestExposure      []float64 `json:"test_exposure"`
	}
	options := struct {
		Loss                     string
		Rounds                   int
		Shrinkage, C1, C2, Gamma float64
		MaxDepth                 int     `json:"max_depth"`
		MinWeight                float64 `json:"min_weight"`
	}{Rounds: 1, Shrinkage: 1, C2: 1, MaxDepth: 2, MinWeight: 1}
	var want struct {
		Base        float64
		Trees       [][]oracleNode
		Train, Test []float64
	}
	c.Parts(t, &in, &options, &want)
	x, test := enginetest.Gappy(in.X), enginetest.Gappy(in.Test)
	target, expected := enginetest.Real("y", in.Y...), func(_ []float64, _ int, number float64) float64 { return number }
	if c.Kind == "poisson_boost" {
		target = enginetest.Count("y", in.Y...)
		expected = func(exposure []float64, i int, logRate float64) float64 {
			if exposure == nil {
				return math.Exp(logRate)
			}
			return exposure[i] * math.Exp(logRate)
		}
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), target)
	set.Weight, set.Exposure = in.Weights, in.Exposure
	e := with(func(e *Boosted) {
		e.Trees, e.Shrinkage, e.C1, e.C2, e.Gamma, e.MaxDepth, e.MinWeight = options.Rounds, options.Shrinkage, options.C1, options.C2, options.Gamma, options.MaxDepth, options.MinWeight
	})
	f, err := e.boost(t.Context(), runOn(enginetest.View(set, nil)))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "base", f.base, []float64{want.Base})
	if len(f.trees) != len(want.Trees) {
		t.Fatalf("%d trees, want %d", len(f.trees), len(want.Trees))
	}
	for k, tree := range f.trees {
		gains := f.gain[k]
		gain := map[int32]float64{}
		for number, n := range tree.Nodes {
			if n.Column != trees.Leaf {
				gain[int32(number)], gains = gains[0].by, gains[1:]
			}
		}
		compareNodes(t, tree, gain, 0, want.Trees[k], 0)
	}
	m := f.model(e.Trees)
	predict := func(rows [][]float64, exposure []float64) []float64 {
		out := make([]float64, len(rows))
		d := enginetest.Dataset(enginetest.Matrix(rows...), data.Target{Name: "y", Type: data.Real, Values: make([]float64, len(rows))})
		m.Predict(out, enginetest.View(d, nil).Inputs())
		for i := range out {
			out[i] = expected(exposure, i, out[i])
		}
		return out
	}
	near(t, "training rows", predict(x, in.Exposure), want.Train)
	near(t, "test rows", predict(test, in.TestExposure), want.Test)
}

// compareNodes compares node k of a tree, and those below, with the node at a place of the expected ones.
func compareNodes(t *testing.T, tree *trees.Tree, gain map[int32]float64, k int32, want []oracleNode, place int) {
	t.Helper()
	n, w := tree.Nodes[k], want[place]
	if w.Column == nil || n.Column == trees.Leaf {
		if w.Column != nil || n.Column != trees.Leaf {
			t.Fatalf("node %d: %+v, want %+v", place, n, w)
		}
		near(t, "leaf", tree.ValueOf(n, 1), []float64{w.Leaf})
		return
	}
	threshold := math.Inf(1)
	if w.Threshold != nil {
		threshold = *w.Threshold
	}
	if side := (trees.Side{Right: w.Missing == "right", Learned: w.Learned}); n.Column != *w.Column || n.Missing != side || n.Threshold != threshold && !(math.Abs(n.Threshold-threshold) <= 1e-9) {
		t.Errorf("node %d: %+v, want column %d at %v and %+v", place, n, *w.Column, threshold, side)
	}
	near(t, "gain", []float64{gain[k]}, []float64{w.Gain})
	compareNodes(t, tree, gain, n.Next, want, place+1)
	compareNodes(t, tree, gain, n.Next+1, want, w.Right)
}

// near compares numbers; those of trees are from sums rounded to some 2^-31 of the largest.
func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= 1e-7*max(1, math.Abs(w))) {
			t.Errorf("%s %d: %v, want %v", what, i, got[i], w)
		}
	}
}
