package maxent

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/loglinear"
	"tenfold/engines/param"
)

// MaxEnt estimates the weights of all candidates.
type MaxEnt struct {
	Candidates `yaml:",inline"`
	Estimation `yaml:",inline"`
}

// MaxEntKind is the engine maxent.
var MaxEntKind = engines.Define(engines.Kind{
	Name: "maxent",
	Doc:  "maximum entropy with all features and a Gaussian prior",
	Cite: "Zhou et al. 2003, section 4; Chen & Rosenfeld 1999",
	Rev:  3, // 3: fits know the squares of columns
}, MaxEnt{Candidates{Cutoff: 1, Bias: true}, estimation})

// Validate checks the parameters.
func (e MaxEnt) Validate() error {
	return errors.Join(e.Candidates.validateCandidates(), e.Estimation.validateEstimation())
}

// Needs one class target.
func (MaxEnt) Needs() engines.Needs { return engines.Needs{Target: data.Class, Keeps: true} }

// Footprint returns the memory of a fit: the distinct rows, candidates and an estimation.
func (e MaxEnt) Footprint(s engines.Shape) engines.Footprint {
	problem, candidates := e.problemBytes(s)
	return engines.Footprint{Bytes: problem + (100+perWeight)*candidates}
}

// Fit estimates the weights of all features. O(iterations · Σ over rows of the features that fire).
func (e MaxEnt) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	f, err := e.Candidates.newFixedFeatures(ctx, run, e.Estimation)
	if err != nil {
		return nil, err
	}
	m, step, err := f.fitModel(ctx, f.cands)
	if err != nil {
		return nil, err
	}
	run.Trace.At(step)
	return m, nil
}

// Count takes the most frequent candidates and estimates their weights.
type Count struct {
	Features   int `yaml:"features" simpler:"smaller" doc:"features of columns to take, ≥ 0"`
	Candidates `yaml:",inline"`
	Estimation `yaml:",inline"`
}

// CountKind is the engine count.
var CountKind = engines.Define(engines.Kind{
	Name: "count",
	Doc:  "maximum entropy with the features seen most often",
	Cite: "Zhou et al. 2003, section 4",
	Rev:  3, // 3: fits know the squares of columns
}, Count{1000, Candidates{Cutoff: 1, Bias: true}, estimation})

// Validate checks the parameters.
func (e Count) Validate() error {
	return errors.Join(param.Require("features", e.Features >= 0, "%d, expected 0 or more", e.Features),
		e.Candidates.validateCandidates(), e.Estimation.validateEstimation())
}

// Needs one class target. Weights are always estimated together: there are no others.
func (Count) Needs() engines.Needs {
	return engines.Needs{Target: data.Class, Sizes: engines.Sizes{Limit: "features", Coefficients: true}}
}

// Footprint returns the memory of a fit: the distinct rows, candidates and an estimation.
func (e Count) Footprint(s engines.Shape) engines.Footprint {
	problem, candidates := e.problemBytes(s)
	return engines.Footprint{Bytes: problem + 100*candidates + perWeight*min(int64(e.Features), candidates)}
}

// Fit keeps the most frequent candidates and estimates their weights. O(candidates · log candidates +
// iterations · Σ over rows of the features that fire), the latter for every size.
func (e Count) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	f, err := e.Candidates.newFixedFeatures(ctx, run, e.Estimation)
	if err != nil {
		return nil, err
	}
	order := mostFrequent(f.cands[f.biases:])
	n := min(e.Features, len(order))
	reached, _ := slices.BinarySearch(run.At, n)
	for _, size := range run.At[:reached] {
		m, _, err := f.fitModel(ctx, f.candidatesOf(order[:size]))
		if err != nil {
			return nil, err
		}
		run.Keep(size, m)
	}
	m, step, err := f.fitModel(ctx, f.candidatesOf(order[:n]))
	if err != nil {
		return nil, err
	}
	if reached < len(run.At) && run.At[reached] == n {
		run.Keep(n, m)
	}
	run.Trace.At(step)
	return m, nil
}

// mostFrequent orders candidates by weight of the rows where they are seen, falling, then by index.
func mostFrequent(cands []loglinear.Candidate) []int {
	order := make([]int, len(cands))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cands[b].Seen, cands[a].Seen) })
	return order
}

// fixedFeatures makes models of given features: there is nothing to select one after the other.
type fixedFeatures struct {
	Estimation
	run    engines.Run
	p      *loglinear.Problem
	cands  []loglinear.Candidate // those of biases first
	biases int
	ranked bool // features of columns stand in order of rank
}

func (c Candidates) newFixedFeatures(ctx context.Context, run engines.Run, e Estimation) (*fixedFeatures, error) {
	p, cands, err := c.readProblem(ctx, run)
	if err != nil {
		return nil, err
	}
	biases := slices.IndexFunc(cands, func(c loglinear.Candidate) bool { return c.Column != loglinear.Always })
	if biases < 0 {
		biases = len(cands)
	}
	run.Trace.At(engines.Step{TrainError: -p.Uniform() / p.Weight, Changed: engines.Coef{Feature: -1}})
	return &fixedFeatures{Estimation: e, run: run, p: p, cands: cands, biases: biases}, nil
}

// candidatesOf returns every bias and some of the candidates of columns, in order of rank.
func (f *fixedFeatures) candidatesOf(ranks []int) []loglinear.Candidate {
	f.ranked = true
	fs := slices.Clone(f.cands[:f.biases])
	for _, k := range ranks {
		fs = append(fs, f.cands[f.biases+k])
	}
	return fs
}

// fitModel estimates the model of given features; the step is the last of its estimation.
func (f *fixedFeatures) fitModel(ctx context.Context, fs []loglinear.Candidate) (engines.Model, engines.Step, error) {
	w := make([]float64, len(fs))
	done, err := f.estimateWeights(ctx, f.run, f.p, fs, w)
	if err != nil {
		return nil, engines.Step{}, err
	}
	r := reporter{run: f.run, p: f.p}
	r.fitted.Stop, r.fitted.Iterations, r.fitted.Best = done.Stop, done.Iterations, -1
	r.addFact("features", "%d of %d candidates", len(fs), len(f.cands))
	r.addFact("log-likelihood without features", "%.8g", f.p.Uniform())
	r.addEstimation(done)
	coefs := make([]engines.Coef, len(fs))
	for k, c := range fs {
		coefs[k] = engines.Coef{Feature: int(c.Column), Output: int(c.Class), Value: w[k], Rank: -1}
		if f.ranked && k >= f.biases {
			coefs[k].Rank, coefs[k].Score = k-f.biases, c.Seen
		}
	}
	step := engines.Step{Iter: done.Iterations, Active: len(fs), TrainError: -done.LogLik / f.p.Weight, Whole: true}
	return r.newModel(coefs), step, nil
}
