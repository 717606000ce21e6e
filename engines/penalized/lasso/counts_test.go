package lasso

import (
	"encoding/json"
	"math"
	"os"
	"strings"
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

// Counts are fitted as glmnet fits them, with exposures as its offset, weights and factors of the penalty.
func TestCountsAsGlmnet(t *testing.T) {
	text, err := os.ReadFile("testdata/counts.json")
	if err != nil {
		t.Fatal(err)
	}
	var peer struct {
		X           [][]float64
		Y, Exposure []float64
		Cases       []struct {
			Name                     string
			Alpha, Lambda, Intercept float64
			Standardize, Exposed     bool
			Weights, Factors, Coef   []float64
		}
	}
	if err := json.Unmarshal(text, &peer); err != nil {
		t.Fatal(err)
	}
	for _, c := range peer.Cases {
		set := enginetest.Dataset(enginetest.Matrix(peer.X...), enginetest.Count("y", peer.Y...))
		if set.Weight = c.Weights; c.Exposed {
			set.Exposure = peer.Exposure
		}
		e := ElasticNet{Alpha: c.Alpha, Strength: Strength{Lambda: c.Lambda, Standardize: c.Standardize}, Stopping: Stopping{Tol: 1e-14, MaxIter: 1000}}
		m, err := e.Fit(t.Context(), engines.Run{Train: enginetest.View(set, nil).WithFactors(c.Factors), Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, len(c.Coef))
		for _, b := range m.Coefs() {
			got[b.Feature] = b.Value
		}
		for j, want := range append(c.Coef, c.Intercept) {
			if b := append(got, engines.Biases(m)...)[j]; !(math.Abs(b-want) <= 1e-6) {
				t.Errorf("%s, coefficient %d: %v, want %v", c.Name, j, b, want)
			}
		}
	}
}

// Columns that are kept are in every model; where rows of a kept level have no count, its coefficient goes far, and a note names it.
func TestKeptCounts(t *testing.T) {
	x, y := [][]float64{}, []float64{}
	for i := range 40 {
		level, count := float64(i%4/3), float64(i%3)
		if level == 1 {
			count = 0
		}
		x, y = append(x, []float64{level, float64(i%7) - 3, float64(i%5) - 2}), append(y, count)
	}
	v := enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Count("y", y...)), nil).WithFactors([]float64{0, 1, 1})
	m, err := Lasso{Strength: Strength{Ratio: 1}, Stopping: DefaultStopping}.Fit(t.Context(), engines.Run{Train: v, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	f, coefs := m.(engines.Reporter).Fitted(), m.Coefs()
	if len(coefs) != 1 || coefs[0].Feature != 0 || !(coefs[0].Value < -15) || len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "column x0") {
		t.Errorf("coefficients %+v, notes %q", coefs, f.Notes)
	}
}
