package leastsquares

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/scaled"
)

func TestOracleOLS(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"ols": checkOLS})
}

func checkOLS(t *testing.T, c oracle.Case) {
	var in struct {
		P    int
		Rows oracle.Rows
		Y    oracle.Numbers
	}
	options := struct {
		Scale string
		Ridge float64
	}{Scale: "sd"}
	var want struct {
		Beta, Coef, Fitted []float64
		Intercept, RSS     float64
		TSS                float64
		R2                 *float64
		Constant           []int32 `json:"constant_columns"`
		Unique             bool    `json:"unique_solution"`
	}
	c.Decode(t, c.Input, &in)
	c.Decode(t, c.Options, &options)
	c.Decode(t, c.Expect, &want)

	view, model, err := fitCase(t, in.P, in.Rows, in.Y, options.Scale, options.Ridge)
	if why := c.WantError(t); why != "" {
		if err == nil {
			t.Fatalf("not refused, expected: %s", why)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	tol := c.Tol(t)
	g, err := scaled.Standardize(view.Matrix(), nil, options.Scale)
	if err != nil {
		t.Fatal(err)
	}
	_, _, tss := g.Center(in.Y)
	oracle.Near(t, "tss", tss, want.TSS, tol)
	if got := fmt.Sprint(g.Constant()); got != fmt.Sprint(want.Constant) {
		t.Errorf("constant columns: got %s, want %v", got, want.Constant)
	}

	coef, beta := make([]float64, in.P), make([]float64, in.P)
	for _, b := range model.Coefs() {
		coef[b.Feature], beta[b.Feature] = b.Value, b.Value/g.Scale[b.Feature]
	}
	oracle.NearAll(t, "coef", coef, want.Coef, tol)
	oracle.NearAll(t, "beta", beta, want.Beta, tol)
	oracle.Near(t, "intercept", model.Bias(0), want.Intercept, tol)
	fitted := make([]float64, view.Len())
	model.Predict(fitted, view.Inputs())
	oracle.NearAll(t, "fitted", fitted, want.Fitted, tol)
	oracle.Near(t, "rss", mse(model, view)*float64(view.Len()), want.RSS, tol)

	report := model.Fitted()
	if report.Stop != "tol" {
		t.Errorf("stop %q, want tol", report.Stop)
	}
	if want.R2 != nil {
		oracle.Near(t, "reported R²", number(t, report.Facts, "R²"), *want.R2, max(tol, 1e-8))
	}
	oracle.Near(t, "reported rss", number(t, report.Facts, "residual sum of squares"), want.RSS, max(tol, 1e-8))
	if !want.Unique && !strings.Contains(strings.Join(report.Notes, "\n"), "minimum norm") {
		t.Errorf("no note says that the solution is not unique: %q", report.Notes)
	}
}

func fitCase(t *testing.T, p int, rows oracle.Rows, y []float64, scale string, lambda float64) (*data.View, *engines.Linear, error) {
	x, err := rows.Matrix(t, p)
	if err != nil {
		return nil, nil, err
	}
	set := enginetest.Dataset(x, enginetest.Real("y", y...))
	if err := set.Check(); err != nil {
		return nil, nil, err
	}
	var e engines.Engine = OLS{Scale: scale, Tol: 1e-13, MaxIter: 1000}
	if lambda != 0 {
		e = Ridge{Lambda: lambda, Scale: scale, Tol: 1e-13, MaxIter: 1000}
	}
	view := enginetest.View(set, nil)
	if err := e.Validate(); err != nil {
		return nil, nil, err
	}
	model, err := e.Fit(context.Background(), engines.Run{Train: view, Workers: 1})
	if err != nil {
		return nil, nil, err
	}
	linear, ok := model.(*engines.Linear)
	if !ok {
		return nil, nil, errors.New("not a linear model")
	}
	return view, linear, nil
}

func number(t *testing.T, facts []data.Fact, name string) (v float64) {
	t.Helper()
	for _, f := range facts {
		if f.Name == name {
			if _, err := fmt.Sscan(f.Value, &v); err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
	t.Fatalf("no fact %q among %v", name, facts)
	return 0
}
