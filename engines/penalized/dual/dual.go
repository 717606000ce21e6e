// Package dual goes through the dual of L1-regularised log-linear models, as Okanohara did (2008; docs/engines/log-linear.md#errata): steps on pairs
// of dual variables select features, and something else finds the weights, since the steps stall. The problem, its certificate, and the solver that
// finishes are those of package l1. Begin with Dual.solveByPairs:
//
//   - dual.go: the engine l1-dual, and what it reports;
//   - pair_ascent.go: the pair steps;
//   - recovery.go and log_ratios.go: from dual variables to weights;
//   - augmented_lagrangian.go: the other solver of the dual, exact in the limit.
package dual

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/param"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/l1"
)

// Dual is the engine l1-dual: pair steps on the dual variables, which select features by v, the gradient of the dual's
// constraints, and a way on from there to weights.
type Dual struct {
	l1.Objective    `yaml:",inline"`
	Order           string  `yaml:"order" doc:"order in which a pass visits the rows: cyclic (as they come) or shuffled (anew for each pass)"`
	Damping         float64 `yaml:"damping" doc:"share of a step that is taken in the first four fifths of max_passes, or until a pass gains nothing; 1: whole steps, in (0, 1]"`
	MaxPasses       int     `yaml:"max_passes" doc:"passes of pair steps at most, ≥ 1"`
	PassTol         float64 `yaml:"pass_tol" doc:"pair steps end with the pass that gains less than this share of 1 + the dual objective, ≥ 0"`
	Threshold       float64 `yaml:"threshold" doc:"a feature is selected where |v| is at least this, in (0, 1]; 1: at the bound up to 1e-6"`
	Finish          string  `yaml:"finish" doc:"way on from the pair steps, which stall: screen (train on the selected features, add what the optimality conditions ask for until nothing is: exact), dal (instead of them, the proximal dual method: exact), none (recover alone)"`
	Recover         string  `yaml:"recover" doc:"with finish none, weights of the selected features: retrain (the best), least-squares (from the shares of the dual, with the signs of v), scale (v times the best factor)"`
	Weighted        bool    `yaml:"weighted" doc:"with least-squares, an equation counts by its dual variable"`
	Eta             float64 `yaml:"eta" doc:"with finish dal, length of the first proximal step, > 0, in units of 1 / (the largest mean square of a column); later ones adapt. With c2 it is 1/c2 instead"`
	logits.Stopping `yaml:",inline"`
}

// Words of the parameters.
const (
	cyclic   = "cyclic"
	shuffled = "shuffled"

	finishScreen = "screen"
	finishDAL    = "dal"
	finishNone   = "none"

	recoverRetrain = "retrain"
	recoverSquares = "least-squares"
	recoverScale   = "scale"

	noPairs = "finish dal has no pair steps"
)

// Kind is Okanohara's method.
var Kind = engines.Define(engines.Kind{
	Name: "l1-dual",
	Doc:  "L1-regularised log-linear model through its dual: pair steps that select features, and recovery of the weights",
	Cite: "Okanohara 2008",
	Rev:  15,
}, defaults())

func defaults() Dual {
	return Dual{
		Objective: l1.Objective{Bias: string(logits.PenalizedBias)},
		Order:     cyclic, Damping: 1, MaxPasses: 1000, PassTol: 1e-12, Threshold: 0.9,
		Finish: finishScreen, Recover: recoverRetrain, Eta: 1,
		Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 1000},
	}
}

// Validate checks the parameters.
func (e Dual) Validate() error {
	original, pairs := defaults(), e.Finish != finishDAL
	return errors.Join(
		e.ValidateObjective(), e.Stopping.ValidateStopping(),
		param.Require("bias", e.Bias != string(logits.FreeBias), "free: the dual would need Σ m (p − [label]) = 0 exactly, which no step on a single row keeps; penalise the bias, or leave it out"),
		param.Require("c2", e.C2 == 0 || e.Finish == finishDAL, "%v: pair steps are for the L1 penalty alone; finish dal takes both", e.C2),
		param.OneOf("order", e.Order, cyclic, shuffled),
		param.Require("damping", e.Damping > 0 && e.Damping <= 1, "%v, expected a share above 0, at most 1", e.Damping),
		param.Require("max_passes", e.MaxPasses >= 1, "%d, expected 1 or more", e.MaxPasses),
		param.Require("pass_tol", e.PassTol >= 0 && elementary.IsFinite(e.PassTol), "%v, expected 0 or more", e.PassTol),
		param.Require("threshold", e.Threshold > 0 && e.Threshold <= 1, "%v, expected a number above 0, at most 1", e.Threshold),
		param.OneOf("finish", e.Finish, finishScreen, finishDAL, finishNone),
		param.OneOf("recover", e.Recover, recoverRetrain, recoverSquares, recoverScale),
		param.Idle("recover", e.Recover, recoverRetrain, e.Finish == finishNone, "it is for finish none"),
		param.Idle("weighted", e.Weighted, false, e.Recover == recoverSquares, "it is for recover least-squares"),
		param.Require("eta", e.Eta > 0 && elementary.IsFinite(e.Eta), "%v, expected a number above 0", e.Eta),
		param.Idle("eta", e.Eta, original.Eta, !pairs && e.C2 == 0, "it is for finish dal, without c2"),
		param.Idle("order", e.Order, original.Order, pairs, noPairs),
		param.Idle("damping", e.Damping, original.Damping, pairs, noPairs),
		param.Idle("max_passes", e.MaxPasses, original.MaxPasses, pairs, noPairs),
		param.Idle("pass_tol", e.PassTol, original.PassTol, pairs, noPairs),
		param.Idle("threshold", e.Threshold, original.Threshold, pairs, noPairs),
	)
}

// Needs returns one class target.
func (e Dual) Needs() engines.Needs {
	return engines.Needs{Target: data.Class, Inner: e.IsChosen()}
}

// Footprint returns that of the solver that ends the fit, and the dual variables of two classes.
func (e Dual) Footprint(s engines.Shape) engines.Footprint {
	return engines.Footprint{Bytes: l1.L1{Objective: e.Objective}.Footprint(s).Bytes + 8*int64(s.Columns) + 48*int64(s.Rows)}
}

// Fit goes through the dual. Coefficients are scored by v_k = u_k/C of the dual point that pair steps ended at: at most 1 in
// size, but for C2 > 0, where the dual has no bounds.
func (e Dual) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	solve := proximalDual(e.Eta)
	if e.Finish != finishDAL {
		solve = e.solveByPairs(run.Rand)
	}
	return l1.Fit(ctx, run, e.Objective, convex.Path{}, e.Stopping, func(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
		out, err := solve(ctx, pt, goal)
		if err == nil {
			addWeightFacts(&out, pt)
		}
		return out, err
	})
}

// addWeightFacts tells how good the weights are.
func addWeightFacts(out *logits.Outcome, pt *logits.Point) {
	out.AddFact("weights that are not zero", "%d", logits.CountNonzero(pt.W))
	out.AddFact("objective", "%.8g, at most %.3g (%.3g of it) above the minimum", out.Objective, out.Gap(), out.Relative())
}

// solveByPairs returns a solver: pair steps, then the way on.
func (e Dual) solveByPairs(rng *rand.Rand) logits.Solver {
	if e.Order == cyclic {
		rng = nil
	}
	return func(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
		d := newPairs(pt.Problem, goal.L1)
		if err := d.run(ctx, pairOptions{e.MaxPasses, e.PassTol, e.Damping, rng}, goal.Workers); err != nil {
			return logits.Outcome{}, err
		}
		bound := d.lowerBound(ctx, goal.Workers)
		out, err := e.recoverWeights(ctx, pt, d, goal)
		if err != nil {
			return logits.Outcome{}, err
		}
		e.addPairFacts(&out, d, bound)
		pt.Scores = scaleVector(d.u, 1/d.c)
		return out, nil
	}
}

// addPairFacts adds facts of the pair steps: how far their dual point, which is feasible, is from the objective of the weights in the end.
func (e Dual) addPairFacts(out *logits.Outcome, d *pairAscent, bound float64) {
	steps := engines.Certificate{Objective: out.Objective, Dual: bound}
	status, after := d.stopReason(steps.Relative()), out.Facts
	out.Facts = nil
	out.AddFact("pair steps", "%s after %d passes", status, d.passes)
	out.AddFact("dual objective of the pair steps", "%.8g, %.3g (%.3g of it) below the objective", bound, steps.Gap(), steps.Relative())
	out.AddFact("weights selected", "%d with |v| ≥ %.4g; %d at the bound, 1", len(d.selectedWeights(e.Threshold)), e.Threshold, len(d.selectedWeights(1)))
	out.Facts = append(out.Facts, after...)
	if e.Finish != finishNone {
		return
	}
	out.Dual, out.Stop = max(out.Dual, bound), status
	if out.Relative() > stall {
		out.Notes = append(out.Notes, fmt.Sprintf(
			engines.NotConverged+": the objective may be %.3g of it above the minimum, and v does not prove which weights are there: finish screen and dal go on to it", out.Relative()))
	}
}

// recoverWeights goes from the pair steps to weights. Solvers work on columns: of a column with one selected weight they look at those
// of all classes.
func (e Dual) recoverWeights(ctx context.Context, pt *logits.Point, d *pairAscent, goal logits.Goal) (out logits.Outcome, err error) {
	chosen := d.selectedWeights(e.Threshold)
	switch {
	case e.Finish == finishScreen: // reports for itself
		return solveScreened(ctx, pt, columnsOfWeights(pt.Problem, chosen), goal)
	case e.Recover == recoverRetrain:
		out, err = solveOnColumns(ctx, pt, columnsOfWeights(pt.Problem, chosen), goal)
		out.Facts, out.Notes = nil, nil // of a part of the columns
	case e.Recover == recoverSquares:
		var s leastSquaresResult
		s, err = newLogRatioSystem(pt.Problem, d.alpha, e.Weighted).leastSquares(ctx, pt, chosen, d.u, goal.Workers)
		out.AddFact("least squares", "residual norm %.4g over %d equations (%d more have a share of 0); %d sweeps", s.norm, s.count, s.dropped, s.sweeps)
		if !s.done {
			out.Notes = append(out.Notes, fmt.Sprintf(engines.NotConverged+": least squares had not settled after %d sweeps", s.sweeps))
		}
	default:
		err = rescaleSelected(ctx, pt, chosen, d.u, goal)
	}
	out.Iterations = d.passes
	out.Certificate = pt.Certify(goal.Penalty)
	return out, err
}

// columnsOfWeights returns the columns of some weights, rising, without that of ones.
func columnsOfWeights(p *logits.Problem, weights []int32) (columns []int32) {
	for _, k := range weights {
		if j := k / int32(p.Blocks); int(j) < p.Columns() && (len(columns) == 0 || columns[len(columns)-1] != j) {
			columns = append(columns, j)
		}
	}
	return columns
}

// stall is the relative gap above which a point that nothing changes any more is called stalled.
const stall = 1e-3

// stopReason returns that of the pair steps: that passes gained nothing proves nothing, only a gap does.
func (d *pairAscent) stopReason(gap float64) string {
	switch {
	case gap <= stall:
		return "optimal"
	case d.stalled:
		return "stalled"
	}
	return "max_passes"
}
