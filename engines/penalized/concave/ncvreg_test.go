package concave

import (
	"encoding/json"
	"os"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

// Paths of numbers are those of ncvreg, run to the limit (version and command are in the file).
func TestNcvreg(t *testing.T) {
	text, err := os.ReadFile("testdata/ncvreg.json")
	if err != nil {
		t.Fatal(err)
	}
	var peer struct {
		X    [][]float64
		Y    []float64
		Fits []struct {
			Penalty      string
			Gamma, Alpha float64
			Lambdas      []float64
			Coef         [][]float64
			Intercept    []float64
		}
	}
	if err := json.Unmarshal(text, &peer); err != nil {
		t.Fatal(err)
	}
	train := enginetest.View(enginetest.Dataset(enginetest.Matrix(peer.X...), enginetest.Real("y", peer.Y...)), nil)
	for _, fit := range peer.Fits {
		e := engineOf(fit.Penalty, fit.Gamma)
		e.Alpha, e.Tol = fit.Alpha, 1e-11
		points := engines.PathPoints{Parameter: "lambda", Values: fit.Lambdas}
		err := e.FitPath(t.Context(), engines.Run{Train: train, Workers: 1}, points, func(k int, m engines.Model) {
			b := make([]float64, len(peer.X[0]))
			for _, c := range m.Coefs() {
				b[c.Feature] = c.Value
			}
			oracle.NearAll(t, fit.Penalty, b, fit.Coef[k], 1e-8)
			oracle.Near(t, "intercept", engines.Biases(m)[0], fit.Intercept[k], 1e-8)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
