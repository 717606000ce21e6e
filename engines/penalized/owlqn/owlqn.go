// Package owlqn minimises the objective of engine l1 by orthant-wise quasi-Newton steps (Andrew and Gao 2007), over fewer and fewer columns.
// The steps are those of package optim.
package owlqn

import (
	"context"
	"errors"
	"fmt"
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/losses/logits"
	"tenfold/engines/numeric/optim"
	"tenfold/engines/param"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/l1"
)

// OWLQN is the orthant-wise quasi-Newton method with a duality gap to stop by. Where the memory knows nothing yet, directions
// go by a bound of every weight's curvature, since frequent columns have more of it than rare ones; as published, by one
// number for all.
type OWLQN struct {
	l1.Objective    `yaml:",inline"`
	convex.Path     `yaml:",inline"`
	logits.Stopping `yaml:",inline"`
	Memory          int    `yaml:"memory" doc:"pairs of steps and gradient differences that the curvature is guessed from, ≥ 1"`
	Stop            string `yaml:"stop" doc:"what tol bounds: gap (the relative duality gap, looked at every 10 iterations), gradient (the largest component of the pseudo-gradient, as a share of max(1, ‖w‖)), decrease (the relative decrease of the objective in an iteration, as a mean of 10: Andrew and Gao's rule, theirs with 1e-5)"`
	Screen          bool   `yaml:"screen" doc:"leave columns out of the search that provably have no weight at the optimum"`
}

// OWLQNKind is OWL-QN.
var OWLQNKind = engines.Define(engines.Kind{
	Name: "owl-qn",
	Doc:  "L1-regularised (or elastic) log-linear model by orthant-wise limited-memory quasi-Newton steps, with a duality gap as its certificate",
	Cite: "Andrew & Gao 2007",
	Rev:  14,
}, owlqnDefaults())

func owlqnDefaults() OWLQN {
	return OWLQN{
		Objective: l1.Objective{Bias: string(logits.FreeBias)}, Stopping: logits.Stopping{Tol: 1e-6, MaxIter: 10_000},
		Memory: 10, Stop: convex.Gap, Screen: true,
	}
}

// Validate checks the parameters.
func (e OWLQN) Validate() error {
	return errors.Join(
		e.ValidateObjective(), e.ValidatePath(), e.Stopping.ValidateStopping(),
		param.Require("memory", e.Memory >= 1, "%d, expected 1 or more", e.Memory),
		param.OneOf("stop", e.Stop, convex.Gap, "gradient", "decrease"),
	)
}

// Footprint returns that of a fit: the history beside point, search and line.
func (e OWLQN) Footprint(s engines.Shape) engines.Footprint {
	s, filled := s.Filled()
	return engines.Footprint{Bytes: filled + logits.FootprintBytes(s, 2, int64(2*e.Memory+12)) + s.CenteredBytes(e.Standardize)}
}

// Needs returns one class target.
func (e OWLQN) Needs() engines.Needs { return l1.PathNeeds(e.Objective, e.Path) }

// Fit minimises the objective, or goes down a path of penalties.
func (e OWLQN) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return l1.Fit(ctx, run, e.Objective, e.Path, e.Stopping, e.solve)
}

// solve searches over fewer and fewer columns. All that is proved is proved of pt, the whole model: columns that a search
// leaves out have no weight at the optimum, but before it their gradients may still be above C1.
func (e OWLQN) solve(ctx context.Context, pt *logits.Point, goal logits.Goal) (logits.Outcome, error) {
	s := &orthantwiseSearch{OWLQN: e, goal: goal, pt: pt, reach: pt.Problem.Reach(), bounds: pt.Problem.GradientBounds(ctx, goal.Workers)}
	if err := s.updateCertificate(ctx); err != nil {
		return logits.Outcome{}, err
	}
	s.screenColumns()
	for s.stop == "" {
		if err := s.searchKept(ctx); err != nil {
			return logits.Outcome{}, err
		}
	}
	return s.newOutcome(), nil
}

// checkEvery is how many iterations lie between two looks at the gap; the published rule takes the mean of as many.
const checkEvery = 10

// orthantwiseSearch is one call of solve.
type orthantwiseSearch struct {
	OWLQN
	goal logits.Goal
	pt   *logits.Point // the whole model, brought up to date by certify
	now  engines.Certificate

	reach, bounds []float64 // by column, see Problem
	keep          []int32   // columns searched
	screened      float64   // gap of the last screening

	values                  []float64 // by iteration, from the start
	iterations, evaluations int
	stop                    string // "" while there is another search to come
}

// updateCertificate brings the whole model up to date, and looks whether the goal is met.
func (s *orthantwiseSearch) updateCertificate(ctx context.Context) error {
	if err := s.pt.Update(ctx, s.goal.Workers); err != nil {
		return err
	}
	s.now = s.pt.Certify(s.goal.Penalty)
	if s.Stop == convex.Gap && s.goal.Criterion().Met(s.now) {
		s.stop = convex.Gap
	}
	return nil
}

// screenColumns chooses the columns to search, by the whole model.
func (s *orthantwiseSearch) screenColumns() {
	s.screened = s.now.Gap()
	if !s.Screen {
		if s.keep == nil {
			s.keep = data.Numbers(s.pt.Problem.Columns())
		}
		return
	}
	s.keep = nil
	for _, j := range s.pt.Screen(s.goal.Penalty, s.reach) {
		if k := int(j) * s.pt.Problem.Blocks; s.bounds[j] >= s.goal.L1*(1-1e-12)*s.pt.Problem.Factor(k) {
			s.keep = append(s.keep, j)
		}
	}
}

// searchKept searches on the columns kept until it is over, or fewer columns will do.
func (s *orthantwiseSearch) searchKept(ctx context.Context) error {
	p, q := s.pt.Problem, s.pt.Problem
	if len(s.keep) < p.Columns() {
		q = p.Restrict(s.keep)
	}
	inner := q.NewPoint(p.Gather(s.pt.W, s.keep))
	clear(s.pt.W[:p.Columns()*p.Blocks]) // for good: weights of other columns
	res, err := optim.OWLQN(ctx, inner.SmoothObjective(ctx, s.goal.L2, s.goal.Workers), penaltyWeights(q, s.goal.L1), inner.W, optim.Options{
		Memory: s.Memory, Tol: s.gradientTol(), MaxIter: s.goal.MaxIter - s.iterations, Curvature: s.curvatureBounds(q),
		Each: func(iter int, value float64) (stop string) {
			if iter > 0 || len(s.values) == 0 {
				s.values = append(s.values, value)
			}
			if iter == 0 {
				return ""
			}
			return s.afterIteration(ctx, inner, s.iterations+iter)
		},
	})
	s.iterations += res.Iterations
	s.evaluations += res.Evaluations
	if err != nil || res.Stop == narrower {
		return err
	}
	p.Scatter(s.pt.W, inner.W, s.keep)
	if err := s.updateCertificate(ctx); err != nil {
		return err
	}
	if s.stop == "" {
		s.stop = res.Stop
	}
	return nil
}

// narrower is how a search ends that is to go on with fewer columns.
const narrower = "narrower"

// afterIteration hears of an iteration and says whether the search is over.
func (s *orthantwiseSearch) afterIteration(ctx context.Context, inner *logits.Point, iter int) (stop string) {
	if s.goal.Trace != nil {
		s.pt.Problem.Scatter(s.pt.W, inner.W, s.keep)
		s.goal.Trace(iter, inner.Loss, s.pt.W)
	}
	if s.Stop == "decrease" && s.relativeDecrease() < s.goal.Tol {
		return "decrease"
	}
	if iter%checkEvery != 0 {
		return ""
	}
	// Cheap, and no proof: some columns are left out, and free biases are not at their best.
	guess := inner.Certify(s.goal.Penalty)
	met := s.Stop == convex.Gap && s.goal.Criterion().Met(guess)
	if !met && !(s.Screen && guess.Gap() < s.screened/4) {
		return ""
	}
	s.pt.Problem.Scatter(s.pt.W, inner.W, s.keep)
	if s.updateCertificate(ctx) != nil || s.stop != "" {
		return s.stop // an error is the end of ctx, which ends the search
	}
	if !s.Screen {
		return ""
	}
	before := s.keep
	if s.screenColumns(); 5*len(s.keep) <= 4*len(before) {
		return narrower
	}
	s.keep = before // too little to begin anew
	return ""
}

func (s *orthantwiseSearch) gradientTol() float64 {
	if s.Stop == "gradient" {
		return s.goal.Tol
	}
	return 0
}

// relativeDecrease returns the mean relative decrease of the last iterations.
func (s *orthantwiseSearch) relativeDecrease() float64 {
	n := len(s.values) - 1
	if n < checkEvery {
		return math.Inf(1)
	}
	now := s.values[n]
	return (s.values[n-checkEvery] - now) / checkEvery / math.Max(1, math.Abs(now))
}

func (s *orthantwiseSearch) newOutcome() logits.Outcome {
	out := logits.Outcome{Certificate: s.now, Stop: s.stop, Iterations: s.iterations}
	out.AddFact("evaluations", "%d", s.evaluations)
	if s.Screen {
		out.Facts = append(out.Facts, data.Fact{
			Name: "columns searched last", Value: fmt.Sprintf("%d of %d: the others provably have no weight", len(s.keep), s.pt.Problem.Columns()),
		})
	}
	if s.stop != s.Stop {
		out.Notes = s.goal.Criterion().Notes(out)
	}
	return out
}

// curvatureBounds returns those of the columns kept.
func (s *orthantwiseSearch) curvatureBounds(q *logits.Problem) []float64 {
	reach := make([]float64, len(s.keep))
	for k, j := range s.keep {
		reach[k] = s.reach[j]
	}
	return q.CurvatureBounds(reach, s.goal.L2)
}

// Parts returns what the engine minimises, how far, and by which solver.
func (e OWLQN) Parts() (l1.Objective, logits.Stopping, logits.Solver) {
	return e.Objective, e.Stopping, e.solve
}

// AtValue returns the engine with another c1_ratio.
func (e OWLQN) AtValue(value float64) engines.Engine {
	e.Ratio = value
	return e
}

// FitPath goes from each point to the next.
func (e OWLQN) FitPath(ctx context.Context, run engines.Run, points engines.PathPoints, keep func(int, engines.Model)) error {
	return l1.FitPath(ctx, run, e.Objective, e.Stopping, e.solve, points, keep)
}

// penaltyWeights returns C1 for every weight that is not free.
func penaltyWeights(p *logits.Problem, c1 float64) []float64 {
	out := make([]float64, p.Width())
	for k := range out {
		if !p.Free(k) {
			out[k] = c1 * p.Factor(k)
		}
	}
	return out
}
