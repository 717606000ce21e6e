package hazards

import (
	"context"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
)

func mustFit(t *testing.T, e engines.Engine, view *data.View) engines.Model {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	m, err := e.Fit(context.Background(), engines.Run{Train: view, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func coefficients(m engines.Model, columns int) []float64 {
	b := make([]float64, columns)
	for _, c := range m.Coefs() {
		b[c.Feature] = c.Value
	}
	return b
}
