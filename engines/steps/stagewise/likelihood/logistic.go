package likelihood

import (
	"context"
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
)

// Logistic is the conditional likelihood of two classes with features for the second one:
//
//	p_i = 1/(1 + e^{−h_i}),   h_i = b₀ + x_i'λ.
//
// b₀ is the log odds of the training rows. It is constant, or moves to its best value every InterceptEvery steps.
type Logistic struct {
	*Conditional
	InterceptEvery      int // steps between moves of b₀; 0: never
	stepsSinceIntercept int // since b₀ last moved
}

// Update adds h to λ_k.
func (l *Logistic) Update(ctx context.Context, k int, h float64) (increase float64) {
	l.stepsSinceIntercept++
	return l.Conditional.Update(ctx, k, h)
}

// NeedsRecompute reports whether b₀ is due to move.
func (l *Logistic) NeedsRecompute() bool {
	return l.InterceptEvery > 0 && l.stepsSinceIntercept >= l.InterceptEvery
}

// Recompute computes everything from the weights, and moves b₀ if that is due.
func (l *Logistic) Recompute(ctx context.Context, weights []float64) (logLikelihood, drift float64) {
	logLikelihood, drift = l.Conditional.Recompute(ctx, weights)
	if !l.NeedsRecompute() || ctx.Err() != nil {
		return logLikelihood, drift
	}
	l.stepsSinceIntercept = 0
	l.Intercepts[1] += l.Probabilities.interceptShift(1)
	logLikelihood, _ = l.Conditional.Recompute(ctx, weights)
	return logLikelihood, drift
}

// Intercept returns b₀.
func (l *Logistic) Intercept() float64 { return l.Intercepts[1] }

// interceptShift returns by how much the intercept of the class must rise for Σ m·([y = class] − p) = 0, by Newton's method
// safeguarded by bisection. O(rows) an iteration.
func (o *ClassProbabilities) interceptShift(class int) float64 {
	const maxIterations, precision = 100, 1e-13
	x, low, high := 0.0, -30.0, 30.0
	for range maxIterations {
		gradient, hessian := 0.0, 0.0
		t := newTilt(x)
		for i := range o.Y {
			p, _, _ := t.apply(o.Row(i)[class])
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

// LogOdds returns the log odds of class 1: of Σ m over its rows to Σ m over the others.
func (o *ClassProbabilities) LogOdds(info data.Target) (float64, error) {
	var total [2]float64
	for i, y := range o.Y {
		total[int(y)] += o.weightOf(i)
	}
	for class, m := range total {
		if m == 0 {
			return 0, fmt.Errorf("all training rows have %s = %s: the intercept of family logistic, their log odds, is infinite; it needs both classes", info.Name, levelName(info, 1-class))
		}
	}
	return elementary.Log(total[1] / total[0]), nil
}

func levelName(info data.Target, class int) string {
	if info.Type == data.Class {
		return info.Levels[class]
	}
	return fmt.Sprint(class)
}
