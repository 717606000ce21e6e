package maxent

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/loglinear"
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
	Rev:  1,
}, MaxEnt{Candidates{Cutoff: 1, Bias: true}, estimation})

// Validate checks the parameters.
func (e MaxEnt) Validate() error {
	return errors.Join(e.Candidates.validate(), e.Estimation.validate())
}

// Needs one class target.
func (MaxEnt) Needs() engines.Needs { return engines.Needs{Target: data.Class} }

// Footprint of a fit: the distinct rows, candidates and an estimation.
func (e MaxEnt) Footprint(rows, columns int, entries int64) int64 {
	problem, candidates := e.footprint(rows, columns, entries)
	return problem + (100+perWeight)*candidates
}

// Fit is O(iterations · Σ over rows of the features that fire).
func (e MaxEnt) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return frequent(ctx, run, e.Candidates, e.Estimation, nil)
}

// Count takes the most frequent candidates and estimates their weights.
type Count struct {
	Features   int `yaml:"features" doc:"features of columns to take, ≥ 0"`
	Candidates `yaml:",inline"`
	Estimation `yaml:",inline"`
}

// CountKind is the engine count.
var CountKind = engines.Define(engines.Kind{
	Name: "count",
	Doc:  "maximum entropy with the features seen most often",
	Cite: "Zhou et al. 2003, section 4",
	Rev:  1,
}, Count{1000, Candidates{Cutoff: 1, Bias: true}, estimation})

// Validate checks the parameters.
func (e Count) Validate() error {
	return errors.Join(require("features", e.Features >= 0, "%d: expected 0 or more", e.Features),
		e.Candidates.validate(), e.Estimation.validate())
}

// Needs one class target.
func (Count) Needs() engines.Needs { return engines.Needs{Target: data.Class} }

// Footprint of a fit: the distinct rows, candidates and an estimation.
func (e Count) Footprint(rows, columns int, entries int64) int64 {
	problem, candidates := e.footprint(rows, columns, entries)
	return problem + 100*candidates + perWeight*min(int64(e.Features), candidates)
}

// Fit is O(candidates · log candidates + iterations · Σ over rows of the features that fire).
func (e Count) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return frequent(ctx, run, e.Candidates, e.Estimation, func(cands []loglinear.Candidate) []int {
		return mostFrequent(cands, e.Features)
	})
}

// mostFrequent of some candidates: by weight of the rows where they are seen, then by index.
func mostFrequent(cands []loglinear.Candidate, n int) []int {
	order := make([]int, len(cands))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cands[b].Seen, cands[a].Seen) })
	return order[:min(n, len(order))]
}

// frequent fits a set of candidates: of those of columns the ones that choose lists, in order of rank, or all; and every bias.
func frequent(ctx context.Context, run engines.Run, c Candidates, e Estimation, choose func([]loglinear.Candidate) []int) (engines.Model, error) {
	p, cands, err := c.read(ctx, run)
	if err != nil {
		return nil, err
	}
	biases := slices.IndexFunc(cands, func(c loglinear.Candidate) bool { return c.Column != loglinear.Always })
	if biases < 0 {
		biases = len(cands)
	}
	fs, ranked := cands, choose != nil
	if ranked {
		fs = slices.Clone(cands[:biases])
		for _, k := range choose(cands[biases:]) {
			fs = append(fs, cands[biases+k])
		}
	}
	w := make([]float64, len(fs))
	done, err := e.estimate(ctx, run, p, fs, w)
	if err != nil {
		return nil, err
	}
	run.Trace.At(engines.Step{Iter: done.Iterations, Active: len(fs), TrainError: -done.LogLik / p.Weight, Whole: true})
	r := report{run: run, p: p, cands: cands}
	r.fitted.Stop, r.fitted.Iterations, r.fitted.Best = done.Stop, done.Iterations, -1
	r.fact("features", "%d of %d candidates", len(fs), len(cands))
	r.fact("log-likelihood without features", "%.8g", p.Uniform())
	r.estimated(done)
	coefs := make([]engines.Coef, len(fs))
	for k, f := range fs {
		coefs[k] = engines.Coef{Feature: int(f.Column), Output: int(f.Class), Value: w[k], Rank: -1}
		if ranked && k >= biases {
			coefs[k].Rank, coefs[k].Score = k-biases, f.Seen
		}
	}
	return r.model(coefs), nil
}
