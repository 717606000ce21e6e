package stagewise

import (
	"context"
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/elementary"
)

// logistic is the conditional likelihood of two classes with features for the second one:
//
//	p_i = 1/(1 + e^{−h_i}),   h_i = b₀ + x_i'λ.
//
// b₀ is the log odds of the training rows, and stays; or it moves to its best value after every so many steps.
type logistic struct {
	*conditional
	every int // steps between moves of b₀; 0: never
	steps int // since the last one
}

func (l *logistic) move(ctx context.Context, k int, h float64) (rise float64) {
	l.steps++
	return l.conditional.move(ctx, k, h)
}

func (l *logistic) stale() bool { return l.every > 0 && l.steps >= l.every }

func (l *logistic) restart(ctx context.Context, weights []float64) (level, drift float64) {
	level, drift = l.conditional.restart(ctx, weights)
	if !l.stale() || ctx.Err() != nil {
		return level, drift
	}
	l.steps = 0
	l.bias[1] += l.known.shift(1)
	level, _ = l.conditional.restart(ctx, weights)
	return level, drift
}

func (l *logistic) intercept() float64 { return l.bias[1] }

// shift is what an intercept of the class must grow by so that Σ m·([y = class] − p) = 0: Newton's method, kept between
// bounds. O(rows) an iteration.
func (o *outcomes) shift(class int) float64 {
	const most, precise = 100, 1e-13
	x, low, high := 0.0, -30.0, 30.0
	for range most {
		slope, curve := 0.0, 0.0
		t := newTilt(x)
		for i := range o.y {
			p, _, _ := t.of(o.row(i)[class])
			slope += float64(o.m(i) * (o.is(i, class) - p))
			curve += float64(o.m(i) * float64(p*(1-p)))
		}
		if slope > 0 {
			low = x
		} else {
			high = x
		}
		next := x + slope/curve
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if math.Abs(next-x) <= precise*max(1, math.Abs(x)) {
			return next
		}
		x = next
	}
	return x
}

// checkTwo refuses targets that are not two classes: levels 0 and 1, or the values 0 and 1 where it is real.
func checkTwo(info data.Target, y []float64, id func(i int) string) error {
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
func (o *outcomes) logOdds(info data.Target) (float64, error) {
	var of [2]float64
	for i, y := range o.y {
		of[int(y)] += o.m(i)
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
