package linear

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
)

// PathParameters returns c alone.
func (SVM) PathParameters() []string { return []string{"c"} }

// Paths have so many values a decade, four decades always, and further ones while the best value so far is one of the last decade's.
const (
	perDecade     = 3
	decadesAlways = 4
	decadesAtMost = 10
)

// PathValues rise from one over the sum of the rows' squared norms, at which, but for a free bias, no row is beyond the hinge's bend, so
// that all smaller c have the same direction.
func (e SVM) PathValues(run engines.Run) (engines.PathRange, error) {
	s, err := readTrainingSet(run.Train)
	if err != nil {
		return engines.PathRange{}, err
	}
	if err := s.center(context.Background(), e.bias()); err != nil {
		return engines.PathRange{}, err
	}
	total := 0.0
	for i := range s.level {
		x, square := s.x.Row(i), 1.0
		for k := range x.Idx {
			v := x.At(k)
			square += float64(v * v)
		}
		total += float64(s.weight.Of(i) * square)
	}
	decade := func(k int) (values []float64) {
		for step := k * perDecade; step < (k+1)*perDecade; step++ {
			values = append(values, elementary.Pow(10, float64(step)/perDecade)/total)
		}
		return values
	}
	r := engines.PathRange{Open: true}
	for k := range decadesAtMost {
		if k < decadesAlways {
			r.Values = append(r.Values, decade(k)...)
		} else {
			r.Onward = append(r.Onward, engines.PathPiece{Values: decade(k), Near: perDecade})
		}
	}
	return r, nil
}

// AtValue returns the engine with another c.
func (e SVM) AtValue(value float64) engines.Engine {
	e.C = value
	return e
}

// FitPath goes from each value to the next, from its dual variables times the ratio of the two: those at their bound stay there. It may end
// where next to nothing is left of the losses.
func (e SVM) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(int, engines.Model)) error {
	s, err := readTrainingSet(run.Train)
	if err != nil {
		return err
	}
	if err := s.prepare(ctx, e.bias(), run.Workers); err != nil {
		return err
	}
	var p problems
	rising := make([]int, len(points.Values))
	for i := range rising {
		rising[i] = i
	}
	slices.SortStableFunc(rising, func(i, j int) int { return cmp.Compare(points.Values[i], points.Values[j]) })
	for k, i := range rising {
		value := points.Values[i]
		if !(value > 0) || !elementary.IsFinite(value) {
			return fmt.Errorf("c %v, expected a number above 0", value)
		}
		if p == nil {
			e.C = value
			p = e.newProblems(s, run.Workers)
		} else {
			p.scale(value / points.Values[rising[k-1]])
		}
		weights, fitted, err := p.solve(ctx, true)
		if err != nil {
			return err
		}
		m := s.newModel(weights, fitted)
		keep(i, m)
		if points.MayEnd && engines.Saturated(e.lossOf(fitted, weights, len(s.total)), s.nullLoss(value, len(weights), e.Scheme)) {
			return nil
		}
	}
	return nil
}

// lossOf returns the objective without its penalty.
func (e SVM) lossOf(fitted engines.Fitted, weights map[int][]float64, levels int) float64 {
	loss := fitted.Certificate.Objective
	for l := range levels {
		w := weights[l]
		if e.bias() == freeBias && len(w) > 0 {
			w = w[:len(w)-1]
		}
		for _, v := range w {
			loss -= float64(0.5 * v * v)
		}
	}
	return loss
}

// nullLoss returns the loss of a model without weights, 1 for each row in each problem.
func (s *trainingSet) nullLoss(c float64, problems int, scheme string) float64 {
	if scheme == crammerSinger {
		problems = 1
	}
	all := dense.Sum(s.total)
	return c * all * float64(problems)
}
