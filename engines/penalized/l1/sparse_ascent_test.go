package l1

import (
	"context"
	"errors"
	"math"
	"slices"
	"tenfold/engines/enginetest/loglin"
	"tenfold/engines/losses/logits"
	"testing"
)

// manyDrawn is a problem of many classes.
func manyDrawn(t *testing.T, seed uint64, bias logits.Bias) *logits.Problem {
	return loglin.Drawn(t, seed, 900, 20, manyClasses+int(seed), bias, seed%2 == 0)
}

// Rows lead to the minimum that Newton steps find from zero, with fewer of these where the certificate of the rows does not do.
func TestSparseAscentAgreesWithNewton(t *testing.T) {
	for seed := range uint64(4) {
		p := manyDrawn(t, seed, []logits.Bias{logits.NoBias, logits.FreeBias}[seed/2])
		goal := logits.Goal{Penalty: logits.Penalty{L1: 4}, Stopping: logits.Stopping{Tol: 1e-9, MaxIter: 500}, Workers: 1}
		want, best := loglin.Solved(t, ProximalNewton, p, goal)
		for _, tol := range []float64{1e-3, 1e-9} {
			goal.Tol = tol
			pt, out := loglin.Solved(t, new(Newton).Solve, p, goal)
			if out.Stop != "gap" || !(out.Relative() <= tol) || out.Objective < best.Dual*(1-1e-10) || out.Dual > best.Objective*(1+1e-10) {
				t.Errorf("seed %d, tolerance %v: %+v, the minimum is in %+v", seed, tol, out, best.Certificate)
			}
			if tol > 1e-6 {
				if len(out.Facts) != 0 {
					t.Errorf("seed %d: rows do not get to %v: %+v", seed, tol, out)
				}
				continue
			}
			for k, w := range pt.W[:p.Columns()*p.Blocks] {
				if !(math.Abs(w-want.W[k]) <= 1e-2) {
					t.Errorf("seed %d: weight %d is %v, want %v", seed, k, w, want.W[k])
				}
			}
		}
	}
}

// Rows start where there are many classes, one penalty, no L2 penalty, no weights yet, and no penalised bias.
func TestStartsByRows(t *testing.T) {
	p := manyDrawn(t, 0, logits.FreeBias)
	goal := logits.Goal{Penalty: logits.Penalty{L1: 4}, Stopping: logits.Stopping{Tol: 1e-3, MaxIter: 100}}
	if !startsByRows(p.NewPoint(make([]float64, p.Width())), goal) {
		t.Error("not of many classes")
	}
	begun := make([]float64, p.Width())
	begun[3] = 1
	elastic, path := goal, goal
	elastic.L2, path.Least = 1, 2
	few, held := loglin.Drawn(t, 1, 100, 5, 4, logits.NoBias, true), manyDrawn(t, 0, logits.PenalizedBias)
	for name, got := range map[string]bool{
		"few classes": startsByRows(few.NewPoint(make([]float64, few.Width())), goal), "penalised bias": startsByRows(held.NewPoint(make([]float64, held.Width())), goal),
		"weights": startsByRows(p.NewPoint(begun), goal), "elastic": startsByRows(p.NewPoint(make([]float64, p.Width())), elastic),
		"path": startsByRows(p.NewPoint(make([]float64, p.Width())), path),
	} {
		if got {
			t.Error(name)
		}
	}
}

// The same bits on any number of workers; the end of the context is the end of the fit.
func TestSparseAscentDeterministic(t *testing.T) {
	p := manyDrawn(t, 1, logits.FreeBias)
	goal := logits.Goal{Penalty: logits.Penalty{L1: 3}, Stopping: logits.Stopping{Tol: 1e-3, MaxIter: 500}, Workers: 1}
	first, _ := loglin.Solved(t, new(Newton).Solve, p, goal)
	goal.Workers = 3
	goal.Trace = func(int, float64, []float64) {}
	if second, _ := loglin.Solved(t, new(Newton).Solve, p, goal); !slices.Equal(first.W, second.W) {
		t.Error("three workers and a listener change weights")
	}
	ctx, cancel := context.WithCancel(t.Context())
	goal.Trace = func(iter int, _ float64, _ []float64) {
		if iter == 3 {
			cancel()
		}
	}
	pt := p.NewPoint(make([]float64, p.Width()))
	if _, err := new(Newton).Solve(ctx, pt, goal); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
