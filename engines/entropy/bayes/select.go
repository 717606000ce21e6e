package bayes

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/model/softmax"
	"tenfold/engines/numeric/loglinear"
)

// selection is a model that grows.
type selection struct {
	e   Bayes
	run engines.Run
	p   *loglinear.Problem
	ev  evidence

	features []loglinear.Candidate // a bias a class, then the pairs in order of entry
	weight   []float64
	active   map[loglinear.Feature]bool
	gain     []float64 // of the pairs: logarithm of the Bayes factor at entry

	model     *softmax.Model
	estimate  loglinear.Estimate
	wrong     float64 // weight of the rows that the estimated model gets wrong
	rounds    []roundStats
	evaluated int64
	stop      string
	last      *engines.Step // told when the weights are estimated
}

// roundStats are the numbers that the report has of a round.
type roundStats struct {
	beta0     float64
	wrong     float64
	proposals int
	added     []addedPair
}

// addedPair is a pair with its evidence.
type addedPair struct {
	loglinear.Feature
	mu, a, beta float64
}

func (e Bayes) newSelection(p *loglinear.Problem, run engines.Run) *selection {
	s := &selection{e: e, run: run, p: p, ev: e.evidence(), active: map[loglinear.Feature]bool{}, weight: make([]float64, p.Classes)}
	for c := range p.Classes {
		s.features = append(s.features, p.Count(loglinear.Feature{Column: loglinear.Always, Class: int32(c)}))
	}
	return s
}

// countPairs returns the number of pairs in the model.
func (s *selection) countPairs() int { return len(s.features) - s.p.Classes }

// beginRound estimates all weights, and finds the proposals of a round, or that there is none.
func (s *selection) beginRound(ctx context.Context) (*proposals, error) {
	prior := loglinear.Prior{Variance: s.e.PriorVariance, Bias: s.e.BiasVariance}
	var err error
	s.estimate, err = s.p.Estimate(ctx, s.features, s.weight, prior, s.e.RefitTol, s.e.RefitIter, s.run.Workers)
	if err != nil {
		return nil, err
	}
	s.model = softmax.NewModel(s.run.Train.Columns(), s.weight[:s.p.Classes], s.coefs(), engines.Fitted{})
	g, err := newGroups(ctx, s.p, s.model, s.columns())
	if err != nil {
		return nil, err
	}
	r := &proposals{p: s.p, ev: s.ev, groups: g, guess: g.mostLikely(), buffers: make([]lineBuffer, max(s.run.Workers, 1))}
	s.wrong = r.misclassified()
	s.traceEstimate()
	switch {
	case s.countPairs() >= s.e.MaxActive:
		s.stop = "max_active"
		return nil, nil
	case len(s.rounds) >= s.e.MaxRounds:
		s.stop = "max_rounds"
		return nil, nil
	}
	if err := r.addProposals(ctx, s.active, s.e.MaxProposals); err != nil {
		return nil, err
	}
	s.rounds = append(s.rounds, roundStats{beta0: s.estimate.LogLik, wrong: s.wrong, proposals: len(r.list)})
	if len(r.list) == 0 {
		s.stop = "no_proposal"
		return nil, nil
	}
	s.evaluated += int64(len(r.list))
	return r, r.scoreAll(ctx)
}

// growModel adds the pair of largest evidence, again and again while that rises (Daumé 2004, Figure 1). With T carried, β_ĝ is
// the next β_0 and T + log p(D|λ⁰, μ_Cur) alike.
func (s *selection) growModel(ctx context.Context, r *proposals) error {
	now := &s.rounds[len(s.rounds)-1]
	loglik, beta0 := now.beta0, now.beta0
	for len(now.added) < s.e.perRound() && s.countPairs() < s.e.MaxActive {
		base := beta0
		if s.e.asPrinted(s.e.Carry) { // T is dropped
			base = loglik
		}
		best, looked, err := r.bestProposal(ctx, base)
		if err != nil {
			return err
		}
		s.evaluated += looked
		if best == nil || !(base+best.score > beta0) { // nothing rises
			break
		}
		beta := base + best.score
		s.add(best, best.score+(base-beta0))
		now.added = append(now.added, addedPair{best.Feature, best.mu, best.a, beta})
		loglik, beta0 = loglik+best.value, beta
		s.traceStep(loglik)
		if err := r.addToModel(ctx, best); err != nil {
			return err
		}
	}
	if len(now.added) == 0 {
		s.stop = "no_gain"
	}
	return nil
}

func (s *selection) add(best *proposal, gain float64) {
	s.features, s.weight = append(s.features, best.Candidate), append(s.weight, best.mu)
	s.active[best.Feature] = true
	s.gain = append(s.gain, gain)
}

// traceStep traces the previous pair, and keeps the last: the weights may be estimated again right after it.
func (s *selection) traceStep(loglik float64) {
	if s.last != nil {
		s.run.Trace.At(*s.last)
	}
	k := s.countPairs() - 1
	s.last = &engines.Step{
		Iter: k + 1, Active: k + 1, TrainError: -loglik / s.p.Weight, Evaluations: s.evaluated, Changed: s.coef(k),
	}
}

// traceEstimate traces the estimated model, as a step of its last pair.
func (s *selection) traceEstimate() {
	step := engines.Step{Changed: engines.Coef{Feature: -1}}
	if s.last != nil {
		step, s.last = *s.last, nil
		step.Whole = true
	}
	step.TrainError = -s.estimate.LogLik / s.p.Weight
	s.run.Trace.At(step)
}

// columns returns those that the model uses, rising.
func (s *selection) columns() []int32 {
	_, cols := s.p.X.Dims()
	used := make([]bool, cols)
	for _, f := range s.features[s.p.Classes:] {
		used[f.Column] = true
	}
	var out []int32
	for j, u := range used {
		if u {
			out = append(out, int32(j))
		}
	}
	return out
}

// coefs returns those of the pairs, in order of entry.
func (s *selection) coefs() []engines.Coef {
	out := make([]engines.Coef, s.countPairs())
	for k := range out {
		out[k] = s.coef(k)
	}
	return out
}

func (s *selection) coef(k int) engines.Coef {
	f := s.features[s.p.Classes+k]
	return engines.Coef{Feature: int(f.Column), Output: int(f.Class), Value: s.weight[s.p.Classes+k], Rank: k, Score: s.gain[k]}
}
