package concave

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

// Factors multiply the penalty of a column: conditions of stationarity by the rows; kept columns are at the minimum beside the others, and of numbers, one
// that others of them determine has no coefficient; the path begins at their fit.
func TestFactors(t *testing.T) {
	factor := []float64{1, 1, 2, 0, 0.5, 1, 0, 3, 1, 1, 1, 0}
	values := []float64{1, 0.9, 0.7, 0.5, 0.35}
	for seed := range uint64(8) {
		s := draw(seed+50, 60, 12, seed%2 == 1, seed%3 == 0)
		for _, row := range s.x {
			row[11] = row[3] - 2*row[6]
		}
		z, _, sd, n := s.standardized()
		target, v := enginetest.Real("y", s.y...), 1.0
		if s.logistic {
			target, v = enginetest.Class("y", 2, s.y...), 0.25
		}
		set := enginetest.Dataset(enginetest.Matrix(s.x...), target)
		set.Weight = s.m
		e := mcp(3)
		if seed%4 > 1 {
			e = scad(3.7)
		}
		e.Tol, e.Alpha = 1e-9, 0.9
		run := engines.Run{Train: enginetest.Treated(set, data.Treatment{Factor: factor}), Workers: 1}
		lambdaMax := lambdaMaxOf(t, e, run)
		err := e.FitPath(t.Context(), run, ratios(values), func(k int, m engines.Model) {
			bias, b := engines.Biases(m), make([]float64, len(sd))
			for _, c := range m.Coefs() {
				b[c.Feature] = c.Value
			}
			lambda, pen := values[k]*lambdaMax, e.penalty()
			for j := range b {
				g := 0.0
				for i, row := range s.x {
					fit := bias[len(bias)-1]
					for l, x := range row {
						fit += b[l] * x
					}
					if s.logistic {
						fit = 1 / (1 + math.Exp(-fit))
					}
					g += s.weight(i) * z[i][j] * (s.y[i] - fit)
				}
				worst := violation(pen, b[j]*sd[j], g/(n*v), factor[j]*0.9*lambda/(n*v), factor[j]*0.1*lambda/(n*v))
				if worst*n*v > 1e-6*lambda {
					t.Errorf("seed %d, point %d, column %d of factor %v: violation %v", seed, k, j, factor[j], worst)
				}
				if kept := factor[j] == 0 && (j != 11 || s.logistic); kept && b[j] == 0 || j == 11 && !s.logistic && b[j] != 0 || k == 0 && !kept && b[j] != 0 {
					t.Errorf("seed %d, point %d: column %d has the coefficient %v", seed, k, j, b[j])
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Kept columns that leave nothing to select by are refused in words.
func TestAllKept(t *testing.T) {
	for _, target := range []data.Target{enginetest.Real("y", 1, 3, 2, 5, 4, 4), enginetest.Class("y", 2, 0, 0, 0, 1, 1, 1)} {
		var x [][]float64
		for i := range 6 {
			x = append(x, []float64{float64(i), math.Sin(float64(i)), math.Cos(float64(3 * i)), float64(i * i % 5), float64(i % 2), math.Exp(float64(i % 4))})
		}
		set := enginetest.Dataset(enginetest.Matrix(x...), target)
		_, err := mcp(3).Fit(t.Context(), engines.Run{Train: enginetest.Treated(set, data.Treatment{Factor: make([]float64, 6)}), Workers: 1})
		if err == nil || !strings.Contains(err.Error(), "nothing to select by") {
			t.Errorf("%v", err)
		}
	}
}

// Columns far from zero have the fit of the same columns near it.
func TestFarFromZero(t *testing.T) {
	near, far := draw(9, 60, 10, false, false), draw(9, 60, 10, false, false)
	for _, row := range far.x {
		for j := range row {
			row[j] = 1e4 + 1e-3*row[j]
		}
	}
	e := mcp(3)
	e.Ratio, e.Tol = 0.1, 1e-9
	m, want := fitAt(t, e, near.view())
	other, got := fitAt(t, e, far.view())
	fits, same := make([]float64, 60), make([]float64, 60)
	m.Predict(same, near.view().Inputs())
	other.Predict(fits, far.view().Inputs())
	oracle.NearAll(t, "prediction", fits, same, 1e-6)
	for j := range want {
		oracle.Near(t, "coefficient", 1e-3*got[j], want[j], 1e-6)
	}
}

// A kept column that nothing goes with is not counted as selected, nor taken from those that are.
func TestKeptWithoutCoefficient(t *testing.T) {
	t.Parallel()
	x := [][]float64{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}, {1, 2}, {-1, 2}, {1, -2}, {-1, -2}}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", 1, 1, -1, -1, 2, 2, -2, -2))
	e := mcp(3)
	e.Ratio = 0.5
	var active []int
	_, err := e.Fit(t.Context(), engines.Run{
		Train: enginetest.Treated(set, data.Treatment{Factor: []float64{0, 1}}), Workers: 1, Trace: func(s engines.Step) { active = append(active, s.Iter, s.Active) },
	})
	if err != nil || !slices.Equal(active, []int{0, 0, 1, 1}) {
		t.Errorf("steps with %v columns, expected 0 and 1 (%v)", active, err)
	}
}
