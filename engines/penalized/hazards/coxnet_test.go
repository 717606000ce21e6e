package hazards

import (
	"fmt"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest/oracle"
)

// Coefficients are those of R's glmnet with L1, both penalties and L2, fewer columns than rows and more, and those of coxph without a
// penalty, with its baseline hazard.
func TestCoxnet(t *testing.T) {
	t.Parallel()
	for k, c := range oracle.Fixture[struct {
		By, Ties      string
		Alpha, Lambda float64
		X             [][]float64
		Time          []float64
		Event         []int8
		Coef          []float64
		Hazard, At    []float64
	}](t, "coxnet.json") {
		e := Cox{Penalty: byL1, Gamma: defaultGamma, Ties: c.Ties, Alpha: c.Alpha, Lambda: c.Lambda, Standardize: true, Tol: 1e-12, MaxIter: 1000}
		if c.Alpha == 0 {
			e.Alpha, e.Lambda, e.Lambda2 = 1, 0, c.Lambda
		}
		m := mustFit(t, e, survivalView(c.X, c.Time, c.Event, nil))
		tol := 1e-6 // of coxph
		if c.By == "glmnet" {
			tol = 2e-5 // which stops by changes of the deviance
		}
		oracle.NearAll(t, fmt.Sprintf("case %d, %s, alpha %v", k, c.By, c.Alpha), coefficients(m, len(c.Coef)), c.Coef, tol)
		base := m.(engines.Reporter).Fitted().Baseline
		for i, at := range c.At {
			oracle.Near(t, fmt.Sprint("hazard at ", at), base.At(at), c.Hazard[i], 1e-6)
		}
	}
}
