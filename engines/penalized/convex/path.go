package convex

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
)

// Problem is solved for one penalty after the other, each from the minimum for the last (a warm start). It starts at the null
// model.
type Problem interface {
	// Solve minimises for a penalty. least is the smallest penalty that will be asked for later, 0 if this is the last: columns
	// that none of them selects may be screened out.
	Solve(ctx context.Context, lambda, least float64) (Outcome, error)
	Loss() float64 // of the present model on the training rows, without the penalty
	Model(lambda float64, out Outcome) engines.Model
}

// WayDown generates penalties falling from the largest, a fixed number per decade, for objectives with several minima: the path
// determines which one is found.
type WayDown struct {
	Max       float64
	PerDecade int
	steps     int // number of penalties returned so far
}

// Next returns the next penalty on the way down to to, or to itself if none is left above it.
func (w *WayDown) Next(to float64) (next float64, onWay bool) {
	next = w.Max
	if w.steps > 0 {
		next *= elementary.Pow(10, -float64(w.steps)/float64(w.PerDecade))
	}
	if next > to*(1+1e-9) {
		w.steps++
		return next, true
	}
	return to, false
}

// Selecting is a Problem whose path can end at a number of columns.
type Selecting interface {
	Problem
	LambdaMax() float64             // the smallest penalty that selects nothing
	Selected() int                  // number of columns with a coefficient
	Trace(iter int, lambda float64) // reports the present model
}

// Fit solves for one penalty.
func Fit(ctx context.Context, p Problem, lambda float64) (engines.Model, error) {
	out, err := p.Solve(ctx, lambda, 0)
	if err != nil {
		return nil, err
	}
	return p.Model(lambda, out), nil
}

// Along solves for the points of a path along the parameter name, or name_ratio (shares of λ_max), from the largest penalty down;
// it stops at a saturated model if the path may end there (engines.Pathed).
func Along(ctx context.Context, p Problem, name string, points engines.PathPoints, lambdaMax float64, keep func(i int, m engines.Model)) error {
	lambdas, err := penalties(name, points, lambdaMax)
	if err != nil {
		return err
	}
	null, order := p.Loss(), make([]int, len(lambdas))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(lambdas[j], lambdas[i]) })
	for k, i := range order {
		lambda, least := lambdas[i], 0.0
		if k+1 < len(order) {
			least = lambdas[order[len(order)-1]]
		}
		out, err := p.Solve(ctx, lambda, least)
		if err != nil {
			return err
		}
		if keep(i, p.Model(lambda, out)); points.MayEnd && engines.Saturated(p.Loss(), null) {
			break
		}
	}
	return nil
}

// Path holds the parameters of a path whose penalties fall geometrically from λ_max, the smallest that selects nothing.
type Path struct {
	Steps    int `yaml:"path" doc:"penalties on a warm-started path down to the one that the parameters above give, that included; 0: that one alone"`
	Features int `yaml:"features" simpler:"smaller,0 last" doc:"end the path before more columns than this are selected, for each target; 0: no limit"`
}

// ValidatePath checks the parameters.
func (p Path) ValidatePath() error {
	return errors.Join(
		param.Require("path", p.Steps >= 0, "%d, expected 0 or more", p.Steps),
		param.Require("features", p.Features >= 0, "%d, expected 0 or more", p.Features),
		param.Require("features", p.Features == 0 || p.Along(), "%d: only a path of penalties (parameter path: 2 or more) can end at a number of features", p.Features),
	)
}

// Along reports whether there is a path, not one penalty alone.
func (p Path) Along() bool { return p.Steps > 1 }

// Fit solves for lambda, at the end of the path if there is one.
func (p Path) Fit(ctx context.Context, run engines.Run, s Selecting, lambda float64) (engines.Model, error) {
	start := max(lambda, s.LambdaMax())
	if p.Along() {
		null, err := s.Solve(ctx, start, lambda)
		if err != nil {
			return nil, err
		}
		return p.Follow(ctx, run, s, null, lambda)
	}
	s.Trace(0, start)
	m, err := Fit(ctx, s, lambda)
	if err == nil {
		s.Trace(1, lambda)
	}
	return m, err
}

// Follow solves the penalties from λ_max, for which null is the outcome, down to lambda. A model of a size in run.At is the last
// one with at most that many columns, the same that a fit with that limit ends with. Sizes above that of the last model have none.
func (p Path) Follow(ctx context.Context, run engines.Run, s Selecting, null Outcome, lambda float64) (engines.Model, error) {
	lambdaMax, sizes := s.LambdaMax(), run.At
	keepBelow := func(size int, m engines.Model) {
		for ; len(sizes) > 0 && sizes[0] < size; sizes = sizes[1:] {
			run.Keep(sizes[0], m)
		}
	}
	value, out := max(lambda, lambdaMax), null
	s.Trace(0, value)
	k := 1
	if lambda >= lambdaMax { // nothing is selected before
		k = p.Steps
	}
	for ; k <= p.Steps; k++ {
		var last engines.Model
		if p.Features > 0 || len(sizes) > 0 { // it may be returned
			last = s.Model(value, out)
		}
		least := 0.0
		if value = lambda; k < p.Steps {
			value, least = lambdaMax*elementary.Pow(lambda/lambdaMax, float64(k)/float64(p.Steps)), lambda
		}
		next, err := s.Solve(ctx, value, least)
		if err != nil {
			return nil, err
		}
		next.Iterations += out.Iterations
		out = next
		size := s.Selected()
		keepBelow(size, last)
		if p.Features > 0 && size > p.Features {
			keepBelow(math.MaxInt, last)
			return last, nil
		}
		s.Trace(k, value)
	}
	last := s.Model(value, out)
	keepBelow(s.Selected()+1, last)
	return last, nil
}

// Shares of λ_max that count where neither a penalty nor a share is given: of one penalty, and of the last of a path.
const (
	defaultShare     = 0.1
	defaultPathShare = 0.01
)

// Strength returns the penalty that the parameters ask for: ratio·lambdaMax if ratio is above 0, else lambda, and where both are 0 a tenth
// of lambdaMax, at the end of a path a hundredth.
func (p Path) Strength(lambda, ratio, lambdaMax float64) float64 {
	switch {
	case ratio > 0:
		return share(ratio, lambdaMax)
	case lambda > 0:
		return lambda
	case p.Along():
		return share(defaultPathShare, lambdaMax)
	}
	return share(defaultShare, lambdaMax)
}

// share returns that share of lambdaMax, and 1 where it is 0: nothing goes with the target, and every penalty selects nothing.
func share(ratio, lambdaMax float64) float64 {
	if lambda := ratio * lambdaMax; lambda > 0 {
		return lambda
	}
	return 1
}

// RequireRatio checks the parameter name_ratio, beside which the strength has to be the standard one.
func RequireRatio(name string, strength, standard, ratio float64) error {
	return errors.Join(
		param.Require(name+"_ratio", ratio >= 0 && ratio <= 1, "%v, expected a share above 0, at most 1, or 0 where %s counts", ratio, name),
		param.Idle(name, strength, standard, !(ratio > 0 && ratio <= 1 && strength > 0), fmt.Sprintf("%s_ratio %v counts", name, ratio)),
	)
}

// penalties returns the penalties at the points of a path along name, or along name_ratio.
func penalties(name string, points engines.PathPoints, lambdaMax float64) (lambdas []float64, err error) {
	for _, v := range points.Values {
		switch {
		case points.Parameter == name && v > 0:
			lambdas = append(lambdas, v)
		case points.Parameter == name:
			return nil, fmt.Errorf("%s %v, expected a number above 0", name, v)
		case v > 0 && v <= 1:
			lambdas = append(lambdas, share(v, lambdaMax))
		default:
			return nil, fmt.Errorf("%s %v, expected a share above 0, at most 1", points.Parameter, v)
		}
	}
	return lambdas, nil
}

// StrengthFact returns a fact with the penalty and λ_max.
func StrengthFact(name string, lambda, lambdaMax float64) data.Fact {
	return data.Fact{Name: name, Value: fmt.Sprintf("%.6g (selects nothing from %.6g on)", lambda, lambdaMax)}
}

// Step returns the trace of a model on its way to the minimum for a penalty, all of whose coefficients may have moved. Loss is a
// mean over rows; lambda is 0 if there is no penalty to report.
func Step(iter int, loss float64, active int, name string, lambda float64) engines.Step {
	s := engines.Step{Iter: iter, TrainError: loss, Active: active, Whole: true, Changed: engines.Coef{Feature: -1}}
	if lambda > 0 {
		s.Parameter, s.ParameterValue = name, lambda
	}
	return s
}
