package likelihood

import (
	"context"
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/steps/stagewise/design"
)

// ClassProbabilities are the probabilities of the classes of training or held-out rows under a log-linear model,
//
//	p_i(y) ∝ exp(b_y + Σ_f λ_f·x_if·[c_f = y]),
//
// updated as weights change one at a time. They are 0 until recompute.
type ClassProbabilities struct {
	Y       []float64 // class of each row
	weight  data.Weights
	Classes int
	p       []float64 // rows × classes
	change  []float64 // scratch: m·Δp of one row, by class
}

func newClassProbabilities(y []float64, weight data.Weights, classes int) ClassProbabilities {
	return ClassProbabilities{Y: y, weight: weight, Classes: classes, p: make([]float64, len(y)*classes), change: make([]float64, classes)}
}

func (o *ClassProbabilities) weightOf(i int) float64 { return o.weight.Of(i) }

// Row returns the probabilities of the classes of row i.
func (o *ClassProbabilities) Row(i int) []float64 {
	return o.p[i*o.Classes : (i+1)*o.Classes]
}

// update adds h to the weight of a column and class, calls changed (unless nil) with m·Δp of every row that this changes, and
// returns the increase of the log-likelihood. O(entries · classes).
func (o *ClassProbabilities) update(ctx context.Context, col sparse.Vec, class int, h float64, changed func(i int, d []float64)) (increase float64) {
	t := newTilt(h)
	for q, i := range col.Idx {
		if q%rowsPerCheck == rowsPerCheck-1 && ctx.Err() != nil {
			return 0
		}
		if col.Val != nil {
			t = newTilt(h * col.Val[q])
		}
		i, m, p := int(i), o.weightOf(int(i)), o.Row(int(i))
		after, others, log := t.apply(p[class])
		for y, before := range p {
			now := float64(before * others)
			if y == class {
				now = after
			}
			p[y], o.change[y] = now, float64(m*(now-before))
		}
		increase += float64(m * (float64(t.x*o.isClass(i, class)) - log))
		if changed != nil {
			changed(i, o.change)
		}
	}
	return increase
}

// logNormalizerChange returns Σ m·log(1 − p + p·e^{h·x}) over a column's rows, with p of a class: by how much the log-normalisers rise
// when h is added to the weight of the column and class. O(entries).
func (o *ClassProbabilities) logNormalizerChange(col sparse.Vec, class int, h float64) (cost float64) {
	if t := newTilt(h); col.Val == nil && o.weight == nil && math.Abs(h) <= largeExponent {
		return o.logProduct(col.Idx, class, t.expm1)
	}
	for q, i := range col.Idx {
		_, _, log := newTilt(h * col.At(q)).apply(o.p[int(i)*o.Classes+class])
		cost += float64(o.weightOf(int(i)) * log)
	}
	return cost
}

// logProduct returns Σ log(1 + p·expm1), expm1 = e^h − 1, with one logarithm for 16 factors. Each is between e^{−36} and e^{36}
// (largeExponent), so that their product neither overflows nor underflows.
func (o *ClassProbabilities) logProduct(rows []int32, class int, expm1 float64) (log float64) {
	const factors = 16
	p := o.p[class:]
	for from := 0; from < len(rows); from += factors {
		u := 1.0
		for _, i := range rows[from:min(from+factors, len(rows))] {
			u *= 1 + float64(p[int(i)*o.Classes]*expm1)
		}
		log += elementary.Log(u)
	}
	return log
}

// isClass returns 1 if row i is of the class, otherwise 0.
func (o *ClassProbabilities) isClass(i, class int) float64 {
	if int(o.Y[i]) == class {
		return 1
	}
	return 0
}

// recompute computes the probabilities from the intercepts of the classes and the scores that the callback adds to them (rows ×
// classes). It returns the log-likelihood.
func (o *ClassProbabilities) recompute(ctx context.Context, bias []float64, scores func(to []float64)) (logLikelihood float64) {
	for i := range o.Y {
		copy(o.Row(i), bias)
	}
	scores(o.p)
	var l design.Sum
	for i := range o.Y {
		if i%rowsPerCheck == rowsPerCheck-1 && ctx.Err() != nil {
			return 0
		}
		p := o.Row(i)
		score := p[int(o.Y[i])]
		l.Add(float64(o.weightOf(i) * (score - toProbabilities(p))))
	}
	return l.Total
}

// toProbabilities turns scores into probabilities in place, and returns log Σ exp.
func toProbabilities(p []float64) (log float64) {
	top := math.Inf(-1)
	for _, v := range p {
		top = max(top, v)
	}
	z := 0.0
	for y, v := range p {
		p[y] = elementary.Exp(v - top)
		z += p[y]
	}
	for y := range p {
		p[y] /= z
	}
	return top + elementary.Log(z)
}

// ReadBinary reads the classes of a view's rows, 0 and 1.
func ReadBinary(view *data.View) (ClassProbabilities, error) {
	view, y := view.Defined(0)
	if err := checkBinary(view.TargetInfo(0), y, view.ID); err != nil {
		return ClassProbabilities{}, err
	}
	return newClassProbabilities(y, view.Weights(), 2), nil
}

// ReadClasses reads the classes of a view's rows.
func ReadClasses(view *data.View) (ClassProbabilities, error) {
	view, y := view.Defined(0)
	levels := view.TargetInfo(0).Levels
	for i, v := range y {
		if !(v >= 0 && v < float64(len(levels))) || v != float64(int(v)) {
			return ClassProbabilities{}, fmt.Errorf("row %s: class %v, expected 0..%d", view.ID(i), v, len(levels)-1)
		}
	}
	return newClassProbabilities(y, view.Weights(), len(levels)), nil
}
