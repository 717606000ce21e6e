// Package logistic fits logistic regression with an L2 penalty alone, multinomial for more than two classes: every column has a weight. The
// problem, its certificate and its model are those of package l1, which has the L1 penalty beside. Begin with Logistic.Fit; which solver a
// problem gets is in Logistic.solver:
//
//   - few columns: quasi-Newton steps from the Hessian at a point that depends on the rows alone (few_columns.go, reference.go, hessian.go);
//   - else two classes: dual coordinate descent and Newton steps (two_classes.go, package margin);
//   - more: the dual, row by row (row_ascent.go, package rowascent), and quasi-Newton steps (logistic.go) where that is slow, or weights have
//     a limit;
//   - many more columns than rows: any of these in the rows' own axes (rotated.go).
package logistic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/data/memo"
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/optim"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/param"
)

// Logistic is the log-linear model without an L1 penalty: every column has a weight.
type Logistic struct {
	C2        float64 `yaml:"c2" simpler:"larger" rows:"times" doc:"strength of the L2 penalty (half the sum of squared weights) beside the sum (not the mean) of log-losses, ≥ 0: 1/C of scikit-learn's LogisticRegression; 0 only with max_weight; −1: a tenth of the number of columns that vary, each divided by its standard deviation (as with standardize), which stands for logarithms of odds with a variance of ten, however many columns there are, each in whatever unit"`
	MaxWeight float64 `yaml:"max_weight" doc:"largest absolute weight allowed, > 0, free biases aside; 0: no limit. With standardize, or c2: -1, the weight of a column divided by its standard deviation. Without a penalty, weights of columns that separate the labels go there"`
	Bias      string  `yaml:"bias" doc:"a column of ones: none, free (neither penalised nor limited), penalized (as every weight)"`
	// By words of its own, since max_weight speaks of the same columns.
	Standardize bool `yaml:"standardize" doc:"penalise, and limit, the weights of columns divided by their standard deviation; weights are reported on the scale of the data all the same"`

	logits.Stopping `yaml:",inline"`
}

// ByColumns stands for a strength of a tenth of the number of columns that vary, each divided by its standard deviation.
const ByColumns = -1

// standardizes reports whether the penalty is that of columns divided by their standard deviation.
func (e Logistic) standardizes() bool { return e.Standardize || e.C2 == ByColumns }

// strength returns C2 for a problem as it is penalised.
func (e Logistic) strength(p *logits.Problem) (float64, error) {
	if e.C2 != ByColumns {
		return e.C2, nil
	}
	return varianceOfTen(p)
}

// varianceOfTen returns the strength that stands for logarithms of odds with a variance of ten: a tenth of the sum of the columns' variances; 1
// where no column varies. O(nnz).
func varianceOfTen(p *logits.Problem) (float64, error) {
	_, squares, n, err := scaled.Moments(p.X, p.Weight)
	total := 0.0
	for _, s := range squares {
		total += s / n
	}
	if !(total > 0) {
		total = 10
	}
	return total / 10, err
}

// Kind is L2-penalised logistic regression.
var Kind = engines.Define(engines.Kind{
	Name: "logistic",
	Doc:  "L2-regularised logistic regression: few columns by quasi-Newton steps from the Hessian; else two classes by dual coordinate descent and Newton steps, more (multinomial) by steps on the dual, row by row",
	Cite: "le Cessie & van Houwelingen 1992",
	Rev:  14,
}, Logistic{C2: ByColumns, Bias: string(logits.FreeBias), Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 10_000}})

// Validate checks the parameters.
func (e Logistic) Validate() error {
	return errors.Join(
		param.Require("c2", e.C2 >= 0 && elementary.IsFinite(e.C2) || e.C2 == ByColumns, "%v, expected 0 or more, or %d for the default", e.C2, ByColumns),
		param.Require("c2", e.C2 != 0 || e.MaxWeight > 0, "0: without a penalty separable labels have no finite optimum; give a c2 above 0, or a max_weight"),
		param.Require("max_weight", e.MaxWeight >= 0 && elementary.IsFinite(e.MaxWeight), "%v, expected a number above 0, or 0 for no limit", e.MaxWeight),
		param.OneOf("bias", e.Bias, string(logits.NoBias), string(logits.FreeBias), string(logits.PenalizedBias)),
		e.Stopping.ValidateStopping(),
	)
}

// Needs returns one class target.
func (Logistic) Needs() engines.Needs {
	return engines.Needs{Target: data.Class, Keeps: true, Factors: true}
}

// Footprint returns that of a fit: the history of L-BFGS beside point, search and line, or what the solver of two classes keeps beside the point. Of
// more than two classes, each has its own; where rows are ascended, that is more than what they take before.
func (e Logistic) Footprint(s engines.Shape) engines.Footprint {
	s, filled := s.Filled()
	centered := filled + s.CenteredBytes(e.standardizes()) + s.RotatedBytes() + fewColumnsBytes(s)
	if s.Levels > 2 {
		s.Rows, s.Columns = s.Rows*s.Levels, s.Columns*s.Levels
		return engines.Footprint{Bytes: logits.FootprintBytes(s, 1, 30) + centered}
	}
	return engines.Footprint{Bytes: max(logits.FootprintBytes(s, 1, 30), logits.FootprintBytes(s, 1, 2)+twoClassesBytes(s)) + centered}
}

// beginning is what fits to the same rows have in common, whatever their penalty.
type beginning struct {
	problem *logits.Problem
	weights []float64 // of the model without penalised weights
}

// variant is what the beginning depends on beside the rows.
type variant struct {
	bias        logits.Bias
	standardize bool
}

// begin reads the rows. O(nnz).
func (e Logistic) begin(ctx context.Context, run engines.Run) (*beginning, error) {
	p, err := logits.Read(run.Train, logits.Bias(e.Bias))
	if err != nil {
		return nil, err
	}
	if e.standardizes() || !hasFewColumns(p) || scaled.AnyFarFromZero(p.X) {
		if p, err = p.Centered(ctx, e.standardizes()); err != nil {
			return nil, err
		}
	}
	pt := p.NewPoint(nullWeights(p))
	if p.HasFactors() || !p.AllBiasesFree() { // else this is the model without penalised weights
		if err := pt.OptimizeFree(ctx, run.Workers); err != nil {
			return nil, err
		}
	}
	return &beginning{p, pt.W}, nil
}

// Fit minimises the sum of log-losses plus C2/2·Σ w².
func (e Logistic) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	v := variant{logits.Bias(e.Bias), e.standardizes()}
	begun, err := memo.Once(run.Train.Memo(), v, func() (*beginning, error) { return e.begin(ctx, run) })
	if err != nil {
		return nil, err
	}
	p := begun.problem.Alone()
	pt := p.NewPoint(slices.Clone(begun.weights))
	reference := func(ctx context.Context, from *logits.Point, workers int) (*reference, error) {
		type key struct{ variant }
		return memo.Once(run.Train.Memo(), key{v}, func() (*reference, error) { return newReference(ctx, from, workers) })
	}
	c2, err := e.strength(p)
	if err != nil {
		return nil, err
	}
	goal := logits.Goal{Penalty: logits.Penalty{L2: c2}, Stopping: e.Stopping, Workers: run.Workers}
	if run.Trace != nil {
		goal.Trace = func(iter int, loss float64, w []float64) { p.Tell(run.Trace, iter, loss, w, 0) }
		p.Margins(ctx, pt.Z, pt.W, run.Workers)
		goal.Trace(0, p.Residuals(ctx, pt.R, pt.Z, run.Workers), pt.W)
	}
	out, err := e.solver(p, reference, run.Rand)(ctx, pt, goal)
	if err != nil {
		return nil, err
	}
	return pt.Model(out.Fitted()), nil
}

// solver returns that of a problem: row by row for more than two classes, where that is possible.
func (e Logistic) solver(p *logits.Problem, reference referrer, rng *rand.Rand) logits.Solver {
	if p.HasFactors() || e.MaxWeight > 0 {
		return e.solveSmooth
	}
	if logits.FitsRows(p.Rows(), p.Blocks) {
		return solveFewColumns(reference, rotated(rowAscent(rng, e.solveSmooth)))
	}
	return solveFewColumns(reference, rotated(e.solveSmooth))
}

// solveSmooth solves problems without C1, with the engine's limit on weights.
func (e Logistic) solveSmooth(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
	if !pt.Problem.HasFactors() && pt.Problem.Blocks == 1 && e.MaxWeight == 0 {
		return solveTwoClasses(ctx, pt, goal)
	}
	return e.solveQuasiNewton(ctx, pt, goal)
}

// solveQuasiNewton solves by limited-memory quasi-Newton steps, projected where weights are limited.
func (e Logistic) solveQuasiNewton(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
	p := pt.Problem
	// Free biases are variables like all others, but only at their optimum there is a certificate: that of a copy.
	proved := p.NewPoint(make([]float64, p.Width()))
	opt := optim.Options{MaxIter: goal.MaxIter, Curvature: p.CurvatureBounds(p.Reach(), goal.L2)}
	opt.Each = func(iter int, _ float64) (stop string) {
		if iter > 0 && goal.Trace != nil {
			goal.Trace(iter, pt.Loss, pt.W)
		}
		if pt.CertifyWithin(goal.Penalty, e.weightLimit()).Relative() > goal.Tol { // cheap, and no proof
			return ""
		}
		copy(proved.W, pt.W)
		if proved.Update(ctx, goal.Workers) == nil && proved.CertifyWithin(goal.Penalty, e.weightLimit()).Relative() <= goal.Tol {
			return "gap"
		}
		return "" // an error is the end of ctx, which ends the search anyway
	}
	res, err := e.minimise(ctx, pt, goal, opt)
	if err != nil {
		return logits.Outcome{}, err
	}
	if err := pt.Update(ctx, goal.Workers); err != nil {
		return logits.Outcome{}, err
	}
	now := pt.CertifyWithin(goal.Penalty, e.weightLimit())
	out := logits.Outcome{Certificate: now, Stop: res.Stop, Iterations: res.Iterations, Notes: e.boundedNotes(pt)}
	out.AddFact("evaluations", "%d", res.Evaluations)
	out.Notes = append(out.Notes, goal.Criterion().Notes(out)...)
	return out, nil
}

func (e Logistic) minimise(ctx context.Context, pt *logits.Point, goal logits.Goal, opt optim.Options) (optim.Result, error) {
	f := pt.SmoothObjective(ctx, goal.L2, goal.Workers)
	if e.MaxWeight == 0 {
		return optim.LBFGS(ctx, f, pt.W, opt)
	}
	bound := slices.Repeat([]float64{e.MaxWeight}, pt.Problem.Width())
	for k := range bound {
		if pt.Problem.Free(k) {
			bound[k] = math.Inf(1)
		}
	}
	return optim.Boxed(ctx, f, bound, pt.W, opt)
}

// weightLimit returns that on the weights; +Inf for none.
func (e Logistic) weightLimit() float64 {
	if e.MaxWeight == 0 {
		return math.Inf(1)
	}
	return e.MaxWeight
}

// boundedNotes says how many weights are at the limit.
func (e Logistic) boundedNotes(pt *logits.Point) (notes []string) {
	n := 0
	for k, w := range pt.W {
		if e.MaxWeight > 0 && math.Abs(w) >= e.MaxWeight && !pt.Problem.Free(k) {
			n++
		}
	}
	if n > 0 {
		notes = append(notes, fmt.Sprintf("%d weights are at the limit, max_weight %.6g: they would be larger without it", n, e.MaxWeight))
	}
	return notes
}
