package hazards

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/penalized/concave"
	"tenfold/engines/penalized/convex"
)

// minusLog is −log PL by Breslow, as the formula reads.
func minusLog(eta, times []float64, events []int8, weights []float64) (sum float64) {
	for i, t := range times {
		if events[i] == 0 {
			continue
		}
		at := 0.0
		for k := range times {
			if times[k] >= t {
				at += weights[k] * math.Exp(eta[k])
			}
		}
		sum -= weights[i] * (eta[i] - math.Log(at))
	}
	return sum
}

// With MCP and SCAD, at every penalty of a path: the conditions of a stationary point hold by derivatives of the formula taken
// numerically, the objective told is that of the formula, and no small change of the coefficients lowers it where they are few.
func TestCoxConcave(t *testing.T) {
	t.Parallel()
	const rows, columns = 80, 25
	for seed := range uint64(3) {
		x, times, events := drawn(seed, rows, columns)
		weights, total, died := make([]float64, rows), 0.0, 0.0
		for i := range weights {
			weights[i] = float64(1 + i%2)
			total += weights[i]
			died += weights[i] * float64(events[i])
		}
		sd, z := make([]float64, columns), make([][]float64, rows)
		for i := range z {
			z[i] = make([]float64, columns)
		}
		for j := range sd {
			mean, square := 0.0, 0.0
			for i := range x {
				mean += weights[i] * x[i][j] / total
			}
			for i := range x {
				square += weights[i] * (x[i][j] - mean) * (x[i][j] - mean) / total
			}
			sd[j] = math.Sqrt(square)
			for i := range x {
				z[i][j] = (x[i][j] - mean) / sd[j]
			}
		}
		view := survivalView(x, times, events, weights)
		for _, e := range []Cox{
			{Penalty: byMCP, Gamma: 3, Ties: breslow, Alpha: 1, Lambda: 1, Standardize: true, Tol: 1e-6, MaxIter: 1000},
			{Penalty: bySCAD, Gamma: 3.7, Ties: breslow, Alpha: 1, Lambda: 1, Standardize: true, Tol: 1e-6, MaxIter: 1000},
		} {
			if err := e.Validate(); err != nil {
				t.Fatal(err)
			}
			penalty := concave.MCP(e.Gamma)
			if e.Penalty == bySCAD {
				penalty = concave.SCAD(e.Gamma)
			}
			p, err := e.read(context.Background(), view, 0, 1)
			if err != nil {
				t.Fatal(err)
			}
			ratios := []float64{0.8, 0.5, 0.3, 0.2}
			rng := rand.New(rand.NewPCG(seed, 1))
			err = e.FitPath(context.Background(), engines.Run{Train: view, Workers: 1}, engines.PathPoints{Parameter: "lambda_ratio", Values: ratios}, func(k int, m engines.Model) {
				where := fmt.Sprintf("seed %d, %s, ratio %v", seed, e.Penalty, ratios[k])
				lambda := ratios[k] * p.LambdaMax()
				b := coefficients(m, columns)
				for j := range b {
					b[j] *= sd[j]
				}
				loss := func(b []float64) float64 {
					eta := make([]float64, rows)
					for i := range eta {
						for j := range b {
							eta[i] += b[j] * z[i][j]
						}
					}
					return minusLog(eta, times, events, weights)
				}
				objective := func(b []float64) float64 {
					sum := loss(b)
					for _, v := range b {
						sum += died * penalty.Value(math.Abs(v), lambda/died)
					}
					return sum
				}
				for j := range b {
					const h = 1e-5
					b[j] += h
					up := loss(b)
					b[j] -= 2 * h
					down := loss(b)
					b[j] += h
					if off := died * violation(penalty, b[j], (down-up)/(2*h)/died, lambda/died); off > 1e-4*lambda {
						t.Errorf("%s: column %d, coefficient %v: violated by %.3g of lambda", where, j, b[j], off/lambda)
					}
				}
				f := m.(engines.Reporter).Fitted()
				if f.Stop != convex.Stationary || f.Certificate != nil || len(f.Notes) > 0 {
					t.Errorf("%s: stop %s, %v", where, f.Stop, f.Notes)
				}
				here := objective(b)
				var told float64
				for _, fact := range f.Facts {
					if fact.Name == "objective" {
						fmt.Sscan(fact.Value, &told)
					}
				}
				oracle.Near(t, where+": objective", told, here, 1e-7)
				if ratios[k] < 0.5 { // of many columns, stationary points need be no minima
					return
				}
				for range 200 {
					near := make([]float64, columns)
					for j := range near {
						near[j] = b[j] + 1e-3*rng.NormFloat64()
					}
					if objective(near) < here-1e-9 {
						t.Errorf("%s: an objective nearby is lower", where)
						break
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A long penalty is the lasso's, and a fit at one penalty is that of the path.
func TestCoxConcaveLimits(t *testing.T) {
	t.Parallel()
	x, times, events := drawn(5, 80, 25)
	view := survivalView(x, times, events, nil)
	e := Cox{Penalty: byMCP, Gamma: 1e9, Ties: efron, Alpha: 1, Ratio: 0.3, Standardize: true, Tol: 1e-8, MaxIter: 1000}
	l := e
	l.Penalty, l.Gamma, l.Tol = byL1, defaultGamma, 1e-12
	oracle.NearAll(t, "as the lasso", coefficients(mustFit(t, e, view), 25), coefficients(mustFit(t, l, view), 25), 1e-6)
	e.Gamma = 3
	one := coefficients(mustFit(t, e, view), 25)
	err := e.FitPath(context.Background(), engines.Run{Train: view, Workers: 1}, engines.PathPoints{Parameter: "lambda_ratio", Values: []float64{0.9, 0.55, 0.3}}, func(k int, m engines.Model) {
		if k == 2 {
			oracle.NearAll(t, "along a path", coefficients(m, 25), one, 1e-6)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Where the columns selected order the events, the fit ends and says so.
func TestCoxConcaveWithoutEnd(t *testing.T) {
	t.Parallel()
	const rows = 30
	x, times, events := make([][]float64, rows), make([]float64, rows), make([]int8, rows)
	for i := range x {
		x[i], times[i], events[i] = []float64{float64(i), float64(i % 3)}, float64(rows-i), 1
	}
	e := Cox{Penalty: byMCP, Gamma: 1.5, Ties: efron, Alpha: 1, Ratio: 0.001, Standardize: true, Tol: 1e-6, MaxIter: 1000}
	f := mustFit(t, e, survivalView(x, times, events, nil)).(engines.Reporter).Fitted()
	if f.Stop != convex.Infinite || len(f.Notes) == 0 {
		t.Errorf("stop %s, notes %v", f.Stop, f.Notes)
	}
}

// violation returns by how much a coefficient and the negative gradient of the loss there, for rows of curvature 1, miss the condition of a
// stationary point.
func violation(p concave.Penalty, b, gradient, lambda float64) float64 {
	if b == 0 {
		return max(0, math.Abs(gradient)-lambda)
	}
	return math.Abs(gradient - math.Copysign(p.Derivative(math.Abs(b), lambda), b))
}
