// Package combine adds products of columns to a sparse log-linear model (Okanohara, "Dualized L1-regularized log-linear models",
// 2008; Okanohara and Tsujii, "Learning combination features with L1 regularization", 2009).
//
// A column k that a model lacks would enter it if its dual value v_k = u_k/C1 is beyond 1 (the slides check |v_k| = 1, which only
// columns inside the problem obey). For the product of columns k1 and k2,
//
//	u = Σ_i r_i x_ik1 x_ik2,   r_i = m_i ([y_i = y] − p(y|x_i; w)) in block y,
//
// needs only the residuals of the present model. A fit trains the base model, finds the products with |v| ≥ threshold, adds them as
// columns, trains again from the present weights, and repeats this for the given number of rounds.
//
// Where to look: combine.go and options.go are the engine and its parameters; search.go is a search, with index.go (an inverted
// index of the columns that a bound leaves), walk.go (exact) and sampled.go; products.go are columns made of columns; model.go and
// saved.go a model of them.
package combine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/losses/logits"
	"tenfold/engines/param"
	"tenfold/engines/penalized/convex"
	"tenfold/engines/penalized/l1"
)

// Base is implemented by engines that combinations can build on: they extend the model that its parts describe.
type Base interface {
	engines.Engine
	// Parts returns the objective, the stopping rule and the solver of the engine.
	Parts() (l1.Objective, logits.Stopping, logits.Solver)
	// Along reports whether it fits a path of penalties: combinations would not know which of its models to extend.
	Along() bool
}

// Engine is a base engine with combinations. Its parameters are those of the base, and the options in the section combinations.
type Engine struct {
	Base    `yaml:",inline"`
	Options `yaml:"combinations"`
}

// Validate refuses a base that follows a path, or whose columns are not the data's.
func (e Engine) Validate() error {
	err := errors.Join(e.Base.Validate(), e.Options.Validate())
	if e.Along() {
		err = errors.Join(err, param.Errorf("path", "combinations are found at one penalty; leave out path"))
	}
	if objective, _, _ := e.Parts(); objective.Standardize {
		err = errors.Join(err, param.Errorf("standardize", "combinations are products of columns as they are; leave out standardize"))
	}
	return err
}

// Needs returns the requirements of the base, without its path.
func (e Engine) Needs() engines.Needs {
	n := e.Base.Needs()
	n.Sizes = engines.Sizes{}
	n.Keeps, n.Factors, n.Missing = false, false, false // products have no factors
	return n
}

// Footprint returns that of the base with a copy of the matrix that has the products, and an index of the same size.
func (e Engine) Footprint(s engines.Shape) engines.Footprint {
	with := s
	with.Columns += e.Cap * e.Rounds
	with.Entries *= 2
	return engines.Footprint{Bytes: engines.FootprintOf(e.Base, with).Bytes + 36*s.Entries + 16*int64(s.Columns) + 64*int64(s.Rows)}
}

// Fit trains the base's model, then repeats: search, add, train again.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	objective, stop, solve := e.Parts()
	objective, err := objective.Chosen(ctx, run)
	if err != nil {
		return nil, err
	}
	pt, largest, err := objective.Begin(ctx, run)
	if err != nil {
		return nil, err
	}
	p := pt.Problem
	f := &fitting{Options: e.Options, run: run, stop: stop, solve: solve, whole: p, products: newProducts(p.Columns()), pt: pt}
	f.penalty = objective.Penalty(largest)
	f.fitted.Facts = append(f.fitted.Facts, convex.StrengthFact("c1", f.penalty.L1, largest))
	f.traceIteration(0, f.pt.Loss, f.pt.W)
	if err := f.trainWeights(ctx); err != nil {
		return nil, err
	}
	f.addFact("combinations judged by", "p(y|x) of the trained model")
	for round := range f.Rounds {
		if added, err := f.runRound(ctx, round+1); err != nil {
			return nil, err
		} else if !added {
			break
		}
	}
	return f.buildModel(), nil
}

// fitting is one call of Fit.
type fitting struct {
	Options
	run      engines.Run
	stop     logits.Stopping
	solve    logits.Solver
	penalty  logits.Penalty
	whole    *logits.Problem // the rows with the data's columns alone
	products *Products
	pt       *logits.Point // of the rows with the products so far
	out      logits.Outcome
	fitted   engines.Fitted
}

func (f *fitting) addFact(name, format string, args ...any) {
	f.fitted.Facts = append(f.fitted.Facts, data.Fact{Name: name, Value: fmt.Sprintf(format, args...)})
}

// trainWeights minimises the objective from the weights that the point has.
func (f *fitting) trainWeights(ctx context.Context) (err error) {
	before := f.fitted.Iterations
	f.out, err = f.solve(ctx, f.pt, logits.Goal{
		Penalty: f.penalty, Stopping: f.stop, Workers: f.run.Workers,
		Trace: func(iter int, loss float64, w []float64) { f.traceIteration(before+iter, loss, w) },
	})
	f.fitted.Iterations += f.out.Iterations
	for _, n := range f.out.Notes {
		if !slices.Contains(f.fitted.Notes, n) {
			f.fitted.Notes = append(f.fitted.Notes, n)
		}
	}
	return err
}

func (f *fitting) traceIteration(iter int, loss float64, w []float64) {
	f.pt.Problem.Tell(f.run.Trace, iter, loss, w, f.penalty.L1)
}

// runRound searches for combinations at the present model, adds them and trains again; it reports whether there were any.
func (f *fitting) runRound(ctx context.Context, number int) (bool, error) {
	hits, census, err := f.findCombinations(ctx)
	if err != nil {
		return false, err
	}
	f.fitted.Evaluated += int64(min(census.Bounded, 1<<60))
	taken, err := f.products.Take(ctx, f.whole.X, hits, f.Cap, f.MinSupport)
	if err != nil {
		return false, err
	}
	before := f.out.Objective
	if taken.Added > 0 {
		if err := f.addProducts(ctx); err != nil {
			return false, err
		}
		if err := f.trainWeights(ctx); err != nil {
			return false, err
		}
	}
	f.reportRound(number, census, taken, before)
	return taken.Added > 0, nil
}

// findCombinations searches the combinations of the data's columns; combinations with a product are found as triples.
func (f *fitting) findCombinations(ctx context.Context) ([]Hit, Census, error) {
	p := f.pt.Problem
	s := &Search{
		X: f.whole.X, R: make([]float64, len(f.pt.R)), Blocks: p.Blocks, Low: f.Threshold * f.penalty.L1, Order: f.Order, Squares: f.Squares,
		MinSupport: f.MinSupport, Keep: 4*(f.Cap+f.products.Len())*p.Blocks + 1<<12, Workers: f.run.Workers,
	}
	for i, r := range f.pt.R { // the gradient's residuals are probability − label
		s.R[i] = -r
	}
	for j := range f.whole.Columns() {
		if f.Of == "all" || slices.ContainsFunc(f.pt.W[j*p.Blocks:(j+1)*p.Blocks], func(w float64) bool { return w != 0 }) {
			s.Columns = append(s.Columns, int32(j))
		}
	}
	if f.Search == "sampled" {
		return s.Sampled(ctx, f.run.Rand, f.Sketch)
	}
	return s.Exact(ctx)
}

// addProducts extends the problem by the new products, with weights of zero.
func (f *fitting) addProducts(ctx context.Context) error {
	x, err := f.products.Matrix(ctx, f.whole.X)
	if err != nil {
		return err
	}
	old := f.pt.Problem
	p := *f.whole
	p.X = x
	w, k := make([]float64, p.Width()), old.Columns()*old.Blocks
	copy(w, f.pt.W[:k])
	copy(w[p.Columns()*p.Blocks:], f.pt.W[k:]) // biases
	f.pt = p.NewPoint(w)
	return nil
}

// reportRound adds the facts of a round.
func (f *fitting) reportRound(number int, c Census, t Taken, before float64) {
	among := ""
	if f.Rounds > 1 {
		among = fmt.Sprintf(", round %d", number)
	}
	f.addFact("combinations"+among, "%.6g", c.Candidates)
	f.addFact("within the bounds"+among, "%.6g (%.3g%%), of %d columns", c.Bounded, 100*c.Bounded/max(1, c.Candidates), c.Columns)
	if f.Search == "sampled" {
		f.addFact("entries in sketches"+among, "%.3g%%", 100*c.Sample.Rate())
		f.addFact("estimated"+among, "%d, of which %d were verified", c.Sample.Estimated, c.Sample.Verified)
	}
	f.addFact("terms added up"+among, "%d", c.Visits)
	f.addFact("found"+among, "%d", c.Found)
	f.addFact("not added"+among, "%d equal another, %d rare, %d capped", t.Equal, t.Rare, t.Over)
	f.addFact("added"+among, "%d", t.Added)
	f.addFact("objective without them"+among, "%.9g", before)
	f.addFact("objective with them"+among, "%.9g", f.out.Objective)
	if t.Over > 0 {
		f.fitted.Notes = append(f.fitted.Notes, fmt.Sprintf("combinations%s: the cap of %d left some out", among, f.Cap))
	}
}

// buildModel returns the model of the present weights.
func (f *fitting) buildModel() *Model {
	fitted := f.fitted
	fitted.Stop, fitted.Best, fitted.Certificate = f.out.Stop, -1, &f.out.Certificate
	fitted.Facts = append(fitted.Facts, f.out.Facts...)
	return &Model{Model: f.pt.Model(fitted), products: f.products, features: f.run.Train.Features()}
}
