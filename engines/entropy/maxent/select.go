package maxent

import (
	"context"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/numeric/loglinear"
)

// tie is how close, relatively, two values must be to count as equal: then the lowest index wins.
const tie = 1e-9

// chooser finds the candidate of a stage.
type chooser interface {
	// nextCandidate returns a candidate with its weight and gain, -1 when none is left. It is not offered again.
	nextCandidate(ctx context.Context) (scoredCandidate, error)
	// addFeature adds the candidate to the model with that weight. It may return early, with less than that, when ctx ends.
	addFeature(ctx context.Context, k int, alpha float64)
	// invalidate tells that all weights have changed.
	invalidate(ctx context.Context) error
	// evaluated is the number of gains computed so far.
	evaluated() int64
}

type scoredCandidate struct {
	k           int
	alpha, gain float64
}

// largestGain returns the position of the largest gain; of the lowest candidate where gains tie; -1 where none is a number.
func largestGain(picks []scoredCandidate) int {
	high := math.Inf(-1)
	for _, p := range picks {
		if p.gain > high {
			high = p.gain
		}
	}
	best := -1
	for place, p := range picks {
		if p.gain >= high-float64(tie*math.Abs(high)) && (best < 0 || p.k < picks[best].k) {
			best = place
		}
	}
	return best
}

// selection is a model that grows.
type selection struct {
	p      *loglinear.Problem
	state  *loglinear.State
	cands  []loglinear.Candidate
	picks  []scoredCandidate
	weight []float64 // of the picks: their alphas, until they are estimated again
	stop   string
	refits int
	kept   engines.Model // the last that was handed out, nil where none was
	buf    loglinear.Buffer
}

// growModel adds the best candidate, again and again:
//
//	f* = argmax_f max_α G_f(α)   over the candidates not yet in the model,
//
// until enough are in, none is left, or the best gains too little (Berger et al. 1996, section 4).
func (e Selection) growModel(ctx context.Context, run engines.Run, s *selection, choose chooser) error {
	minGain := e.MinGain + float64(1e-12*math.Abs(s.p.Uniform()))
	s.stop = "selected"
	run.Trace.At(s.traceStep(nil, choose))
	for len(s.picks) < e.Features {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		best, err := choose.nextCandidate(ctx)
		switch {
		case err != nil:
			return err
		case best.k < 0:
			s.stop = "exhausted"
			return nil
		case best.gain <= minGain:
			s.stop = "min_gain"
			return nil
		}
		choose.addFeature(ctx, best.k, best.alpha)
		s.picks, s.weight = append(s.picks, best), append(s.weight, best.alpha)
		whole := e.RefitEvery > 0 && len(s.picks)%e.RefitEvery == 0
		if whole {
			if err := e.refitWeights(ctx, run, s); err != nil {
				return err
			}
			if err := choose.invalidate(ctx); err != nil {
				return err
			}
		}
		step := s.traceStep(&best, choose)
		step.Whole = whole
		run.Trace.At(step)
		if err := e.keepModel(ctx, run, s, choose.evaluated()); err != nil {
			return err
		}
	}
	return nil
}

// keepModel passes on the model of the features picked so far, where there are as many as the path asks for.
func (e Selection) keepModel(ctx context.Context, run engines.Run, s *selection, evaluated int64) error {
	if _, wanted := slices.BinarySearch(run.At, len(s.picks)); !wanted {
		return nil
	}
	m, err := e.estimateModel(ctx, run, s, evaluated)
	if err != nil {
		return err
	}
	s.kept = m
	run.Keep(len(s.picks), m)
	return nil
}

func (s *selection) add(k int, alpha float64) { s.state.Add(s.cands[k], alpha, &s.buf) }

// traceStep returns the step of a trace. A bias is no column: what moved is then feature -1.
func (s *selection) traceStep(moved *scoredCandidate, choose chooser) engines.Step {
	step := engines.Step{
		Iter: len(s.picks), Active: len(s.picks), TrainError: -s.state.LogLik() / s.p.Weight,
		Evaluations: choose.evaluated(), Changed: engines.Coef{Feature: -1},
	}
	if moved != nil {
		f := s.cands[moved.k]
		step.Changed = engines.Coef{Feature: int(f.Column), Output: int(f.Class), Value: moved.alpha, Rank: len(s.picks) - 1, Score: moved.gain}
	}
	return step
}

// refitWeights estimates all weights again and sets the state to them.
func (e Selection) refitWeights(ctx context.Context, run engines.Run, s *selection) error {
	fs := s.features()
	if _, err := e.estimateWeights(ctx, run, s.p, fs, s.weight); err != nil {
		return err
	}
	s.refits++
	return s.state.Set(ctx, fs, s.weight)
}

// features picked, in order.
func (s *selection) features() []loglinear.Candidate {
	fs := make([]loglinear.Candidate, len(s.picks))
	for k, pick := range s.picks {
		fs[k] = s.cands[pick.k]
	}
	return fs
}
