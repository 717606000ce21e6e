package group

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/penalized/convex"
)

func TestOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"grouplasso": checkOracle, "multitask": checkOracle})
}

func checkOracle(t *testing.T, c oracle.Case) {
	var in struct {
		X [][]float64
		Y [][]float64 `json:"Y"`
		S []float64   `json:"y"`
	}
	var options struct {
		Lambda  float64
		Groups  [][]int
		Weights []float64
	}
	var want struct {
		Objective, Gap float64
		Largest        float64 `json:"lambda_max"`
		Coef           any
		Intercept      []float64
		Active         []int
	}
	c.Decode(t, c.Input, &in)
	c.Decode(t, c.Options, &options)
	c.Decode(t, c.Expected, &want)
	if in.Y == nil {
		for _, y := range in.S {
			in.Y = append(in.Y, []float64{y})
		}
	}
	tasks := len(in.Y[0])
	var targets []data.Target
	for k := range tasks {
		y := make([]float64, len(in.Y))
		for i := range y {
			y[i] = in.Y[i][k]
		}
		targets = append(targets, enginetest.Real(fmt.Sprint("y", k), y...))
	}
	set := enginetest.Dataset(enginetest.Matrix(in.X...), targets...)
	params := defaults
	params.Lambda, params.Tol = options.Lambda, 1e-13
	params.multitask = c.Kind != "grouplasso"
	if !params.multitask {
		class := make([]int, len(in.X[0]))
		for g, columns := range options.Groups {
			for _, j := range columns {
				class[j] = g
			}
		}
		set.Features = inClasses(set.Features, class)
	}
	view := enginetest.View(set, nil)
	f, err := params.read(context.Background(), engines.Run{Train: view})
	if err != nil {
		t.Fatal(err)
	}
	for g, w := range options.Weights {
		oracle.Near(t, "weight", f.parts.weight[g], w, 1e-12)
	}
	oracle.Near(t, "lambda_max", f.lambdaMax, want.Largest, 1e-9)

	m, err := params.Fit(context.Background(), engines.Run{Train: view})
	if err != nil {
		t.Fatal(err)
	}
	linear := m.(*engines.Linear)
	oracle.Near(t, "objective", linear.Fitted().Certificate.Objective, want.Objective, 1e-9)
	for k, b := range want.Intercept {
		oracle.Near(t, "intercept", linear.Bias(k), b, 1e-6)
	}
	got := make([]float64, view.Columns()*tasks)
	for _, b := range m.Coefs() {
		got[b.Feature*tasks+b.Output] = b.Value
	}
	oracle.NearAll(t, "coefficients", got, flat(want.Coef), 1e-6)
	var active []int
	if _, err := convex.Fit(context.Background(), f, options.Lambda); err != nil {
		t.Fatal(err)
	}
	for g := range f.p.blocks {
		if f.pt.blockNorm(&f.p.blocks[g]) > 0 {
			active = append(active, g)
		}
	}
	if fmt.Sprint(active) != fmt.Sprint(want.Active) {
		t.Errorf("blocks with coefficients: %v, want %v", active, want.Active)
	}
}

// flat is the numbers of a list, or of lists.
func flat(v any) (out []float64) {
	if list, ok := v.([]any); ok {
		for _, x := range list {
			out = append(out, flat(x)...)
		}
		return out
	}
	x, ok := v.(float64)
	if !ok {
		x = math.NaN()
	}
	return []float64{x}
}

// inClasses puts column j into class group[j]; below 0 into none.
func inClasses(f *data.Features, group []int) *data.Features {
	class, names := make([]int32, len(group)), []string(nil)
	for j, g := range group {
		class[j] = int32(g)
		for len(names) <= g {
			names = append(names, fmt.Sprintf("c%d", len(names)))
		}
	}
	return f.WithClasses(class, names)
}
