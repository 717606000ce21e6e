package lasso

import (
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

func TestCounts(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"poisson_enet": countsCase})
}

// countsCase fits counts with a penalty. The objective of a case is that of the deviance, halved, without what the counts alone tell.
func countsCase(t *testing.T, c oracle.Case) {
	var in struct {
		X                    [][]float64
		Y, Exposure, Weights []float64
	}
	var options struct{ Lambda, Alpha float64 }
	var want struct {
		Intercept, Objective float64
		Coef                 []float64
		LambdaMax            float64 `json:"lambda_max"`
	}
	c.Parts(t, &in, &options, &want)
	set := enginetest.Dataset(enginetest.Matrix(in.X...), enginetest.Count("y", in.Y...))
	set.Exposure, set.Weight = in.Exposure, in.Weights
	e := ElasticNet{Alpha: options.Alpha, Strength: Strength{Lambda: options.Lambda}, Stopping: Stopping{Tol: 1e-14, MaxIter: 1000}}
	v := enginetest.View(set, nil)
	p, err := e.read(t.Context(), v, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	oracle.Near(t, "lambda_max", p.LambdaMax()/options.Alpha, want.LambdaMax, 1e-9)
	m, err := e.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, len(want.Coef))
	for _, c := range m.Coefs() {
		got[c.Feature] = c.Value
	}
	for j, w := range want.Coef {
		oracle.Near(t, "coefficient", got[j], w, 1e-7)
	}
	oracle.Near(t, "intercept", engines.Biases(m)[0], want.Intercept, 1e-7)
	objective := m.(engines.Reporter).Fitted().Certificate.Objective
	for i, y := range in.Y {
		w := 1.0
		if in.Weights != nil {
			w = in.Weights[i]
		}
		if y > 0 {
			objective += w * (y - y*math.Log(y))
		}
	}
	oracle.Near(t, "objective", objective, want.Objective, 1e-9)
	if gap := m.(engines.Reporter).Fitted().Certificate.Gap(); !(gap <= 1e-9) {
		t.Errorf("the gap is %v", gap)
	}
}

// ofCounts asks the suite for counts.
type ofCounts struct{ ElasticNet }

func (e ofCounts) Needs() engines.Needs {
	n := e.ElasticNet.Needs()
	n.Target = data.Count
	return n
}

func TestSuiteOfCounts(t *testing.T) {
	for name, change := range map[string]func(e *ElasticNet){
		"share":        func(e *ElasticNet) { e.Ratio = 0.1 },
		"chosen":       func(e *ElasticNet) { e.Alpha = 1 },
		"path":         func(e *ElasticNet) { e.Steps, e.Ratio, e.Alpha = 8, 0.05, 1 },
		"standardized": func(e *ElasticNet) { e.Ratio, e.Standardize = 0.2, true },
	} {
		t.Run(name, func(t *testing.T) {
			e := ElasticNetKind.Defaults().(ElasticNet)
			change(&e)
			enginetest.Suite(t, ofCounts{e})
		})
	}
}
