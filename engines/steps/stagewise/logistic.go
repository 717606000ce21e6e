package stagewise

import (
	"context"
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
)

// logisticLikelihood is the conditional likelihood of two classes with features for the second one:
//
//	p_i = 1/(1 + e^{−h_i}),   h_i = b₀ + x_i'λ.
//
// b₀ is the log odds of the training rows. It is constant, or moves to its best value every interceptEvery steps.
type logisticLikelihood struct {
	*conditionalLikelihood
	interceptEvery      int // steps between moves of b₀; 0: never
	stepsSinceIntercept int // since b₀ last moved
}

func (l *logisticLikelihood) update(ctx context.Context, k int, h float64) (increase float64) {
	l.stepsSinceIntercept++
	return l.conditionalLikelihood.update(ctx, k, h)
}

func (l *logisticLikelihood) needsRecompute() bool {
	return l.interceptEvery > 0 && l.stepsSinceIntercept >= l.interceptEvery
}

func (l *logisticLikelihood) recompute(ctx context.Context, weights []float64) (logLikelihood, drift float64) {
	logLikelihood, drift = l.conditionalLikelihood.recompute(ctx, weights)
	if !l.needsRecompute() || ctx.Err() != nil {
		return logLikelihood, drift
	}
	l.stepsSinceIntercept = 0
	l.intercepts[1] += l.probabilities.interceptShift(1)
	logLikelihood, _ = l.conditionalLikelihood.recompute(ctx, weights)
	return logLikelihood, drift
}

func (l *logisticLikelihood) intercept() float64 { return l.intercepts[1] }

// interceptShift is by how much the intercept of the class must rise for Σ m·([y = class] − p) = 0. It is Newton's method
// safeguarded by bisection. O(rows) an iteration.
func (o *classProbabilities) interceptShift(class int) float64 {
	const maxIterations, precision = 100, 1e-13
	x, low, high := 0.0, -30.0, 30.0
	for range maxIterations {
		gradient, hessian := 0.0, 0.0
		t := newTilt(x)
		for i := range o.y {
			p, _, _ := t.apply(o.probabilitiesOf(i)[class])
			gradient += float64(o.weightOf(i) * (o.isClass(i, class) - p))
			hessian += float64(o.weightOf(i) * float64(p*(1-p)))
		}
		if gradient > 0 {
			low = x
		} else {
			high = x
		}
		next := x + gradient/hessian
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-x) <= precision*max(1, math.Abs(x)) {
			return next
		}
		x = next
	}
	return x
}

// checkBinary refuses targets that are not two classes: levels 0 and 1, or the values 0 and 1 where it is real.
func checkBinary(info data.Target, y []float64, id func(i int) string) error {
	if info.Type == data.Class && len(info.Levels) != 2 {
		return fmt.Errorf("family logistic takes a target of two levels, %s has %d; loglinear takes any number", info.Name, len(info.Levels))
	}
	for i, v := range y {
		if v != 0 && v != 1 {
			return fmt.Errorf("row %s: target %s is %v, family logistic takes two levels or the numbers 0 and 1", id(i), info.Name, v)
		}
	}
	return nil
}

// logOdds of class 1, Σ m over its rows to Σ m over the others.
func (o *classProbabilities) logOdds(info data.Target) (float64, error) {
	var of [2]float64
	for i, y := range o.y {
		of[int(y)] += o.weightOf(i)
	}
	for class, m := range of {
		if m == 0 {
			return 0, fmt.Errorf("all training rows have %s = %s: the intercept of family logistic, their log odds, is infinite; it needs both classes", info.Name, levelName(info, 1-class))
		}
	}
	return elementary.Log(of[1] / of[0]), nil
}

func levelName(info data.Target, class int) string {
	if info.Type == data.Class {
		return info.Levels[class]
	}
	return fmt.Sprint(class)
}
