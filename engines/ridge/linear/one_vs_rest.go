package linear

import (
	"context"
	"fmt"
	"math/rand/v2"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/ridge/margin"
)

// sides returns the levels that have a problem of their own against all others. A target of two levels makes one, whose positive side is
// the positive level; the other level scores 0.
func (s *trainingSet) sides() []int {
	if len(s.target.Levels) == 2 {
		return []int{s.target.Positive}
	}
	return s.present()
}

// problem returns the problem of a level against all others.
func (e SVM) problem(s *trainingSet, level int) margin.Problem {
	p := margin.Problem{X: s.x, Sign: make([]float64, len(s.level)), Weight: make([]float64, len(s.level)), Loss: margin.Hinge, C2: 1}
	if e.Loss == squaredHinge {
		p.Loss = margin.SquaredHinge
	}
	switch e.bias() {
	case freeBias:
		p.Bias = margin.FreeBias
	case penalizedBias:
		p.Bias = margin.PenalizedBias
	}
	for i, l := range s.level {
		if p.Sign[i] = 1; int(l) != level {
			p.Sign[i] = -1
		}
		p.Weight[i] = float64(e.C * s.weight.Of(i))
	}
	return p
}

// oneVsRestProblems are the problems of all levels with a side of their own.
type oneVsRestProblems struct {
	e       SVM
	set     *trainingSet
	levels  []int
	solvers []*margin.Solver // what is known of them so far
	workers int
}

// newOneVsRestProblems leaves the solvers to be made with their first problem, so that only as many are made at a time as there are workers.
func (e SVM) newOneVsRestProblems(s *trainingSet, workers int) *oneVsRestProblems {
	levels := s.sides()
	return &oneVsRestProblems{e: e, set: s, levels: levels, solvers: make([]*margin.Solver, len(levels)), workers: workers}
}

// scale multiplies c by a number.
func (p *oneVsRestProblems) scale(by float64) {
	p.e.C *= by
	for _, s := range p.solvers {
		s.Scale(by)
	}
}

// solve solves the problems, as many at a time as there are workers. No seed decides the order of rows: the same rows give the same
// model. Solvers are kept where another c follows.
func (p *oneVsRestProblems) solve(ctx context.Context, keep bool) (weights map[int][]float64, fitted engines.Fitted, err error) {
	outcomes, errs := make([]margin.Outcome, len(p.levels)), make([]error, len(p.levels))
	inside := p.workers
	if len(p.levels) > 1 {
		inside = 1
	}
	parallel.Each(p.workers, len(p.levels), func(k int) {
		if ctx.Err() != nil {
			return
		}
		solver := p.solvers[k]
		if solver == nil {
			if solver, errs[k] = margin.NewSolver(p.e.problem(p.set, p.levels[k])); errs[k] != nil {
				return
			}
		}
		if outcomes[k], errs[k] = solver.Solve(ctx, p.e.goal(k, inside)); keep {
			p.solvers[k] = solver
		}
	})
	if ctx.Err() != nil {
		return nil, fitted, context.Cause(ctx)
	}
	weights = map[int][]float64{}
	for k, err := range errs {
		if err != nil {
			return nil, fitted, fmt.Errorf("target %s, level %s: %w", p.set.target.Name, p.set.target.Levels[p.levels[k]], err)
		}
		weights[p.levels[k]] = outcomes[k].W
	}
	return weights, p.e.fitted(outcomes), nil
}

// goal returns the goal of problem k.
func (e SVM) goal(k, workers int) margin.Goal {
	return margin.Goal{Tol: e.Tol, MaxIter: e.MaxIter, Workers: workers, Rand: rand.New(rand.NewPCG(0, uint64(k)))}
}

// fitted sums up how problems ended: the first that did not meet its goal says why.
func (e SVM) fitted(outcomes []margin.Outcome) engines.Fitted {
	f := engines.Fitted{Stop: "gap", Best: -1, Certificate: &engines.Certificate{}}
	passes, steps, products, unfinished, worst := 0, 0, 0, 0, 0.0
	for k := range outcomes {
		o := &outcomes[k]
		f.Certificate.Objective += o.Objective
		f.Certificate.Dual += o.Dual
		passes, steps, products = passes+o.Passes, steps+o.Steps, products+o.Products
		if o.Stop == "gap" {
			continue
		}
		if unfinished++; f.Stop == "gap" {
			f.Stop = o.Stop
		}
		worst = max(worst, o.Relative())
	}
	f.Iterations = passes + steps
	if unfinished > 0 {
		f.Notes = append(f.Notes, e.unfinishedNote(unfinished, len(outcomes), f.Stop, worst))
	}
	f.Facts = []data.Fact{
		{Name: "problems", Value: fmt.Sprint(len(outcomes))},
		{Name: "passes", Value: fmt.Sprint(passes)},
	}
	if steps > 0 {
		f.Facts = append(f.Facts, data.Fact{Name: "Newton steps", Value: fmt.Sprintf("%d, of %d products with the Hessian", steps, products)})
	}
	return f
}

// unfinishedNote says how far from its goal a fit ended, and what would take it there.
func (e SVM) unfinishedNote(unfinished, problems int, stop string, worst float64) string {
	note := fmt.Sprintf(engines.NotConverged+": %d of %d problems ended by %s with a duality gap of up to %.3g of the objective (tol %.3g)", unfinished, problems, stop, worst, e.Tol)
	if e.Loss == hinge {
		note += "; a larger tol, a smaller c, loss squared-hinge, a free bias, or columns of about one size get there"
	}
	return note
}
