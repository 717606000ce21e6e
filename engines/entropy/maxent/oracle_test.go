package maxent

import (
	"context"
	"fmt"
	"math"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/entropy"
	"tenfold/engines/numeric/loglinear"
)

type reference struct {
	in struct {
		enginetest.Labelled
		Features [][2]int32
	}
	options struct {
		Algorithm     string
		Select        *int
		Cutoff        *float64
		Lookahead     int
		MinGain       float64  `json:"min_gain"`
		AlphaMax      *float64 `json:"alpha_max"`
		PriorVariance float64  `json:"prior_variance"`
		RefitEvery    int      `json:"refit_every"`
		RefitVariance *float64 `json:"refit_variance"`
		FinalRefit    *bool    `json:"final_refit"`
	}
	want struct {
		Features      [][2]int32
		Order         []int
		Stages        []referenceStage
		Lambda        []float64
		LogLik        *float64
		InitialLogLik float64 `json:"initial_loglik"`
		Stop          string
		Evaluations   *int64
		RefitLambda   []float64 `json:"refit_lambda"`
		RefitLogLik   *float64  `json:"refit_loglik"`
	}
}

type referenceStage struct {
	Stage, Feature int
	Alpha, Gain    float64
	Evaluations    int64
	LogLik         float64
	Refit          any
}

func TestOracleMaxent(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"maxent": checkMaxent})
}

func checkMaxent(t *testing.T, c oracle.Case) {
	var r reference
	c.Parts(t, &r.in, &r.options, &r.want)
	run, p, err := r.problem(t)
	if c.Refused(t, err) {
		return
	}
	cands, err := p.Candidates(context.Background(), or(r.options.Cutoff, 1), false)
	if err != nil {
		t.Fatal(err)
	}
	if r.in.Features != nil {
		cands = nil
		for _, f := range r.in.Features {
			cands = append(cands, p.Count(loglinear.Feature{Column: f[0], Class: f[1]}))
		}
	}
	var features [][2]int32
	for _, f := range cands {
		features = append(features, [2]int32{f.Column, f.Class})
	}
	if fmt.Sprint(features) != fmt.Sprint(r.want.Features) {
		t.Fatalf("candidates %v, want %v", features, r.want.Features)
	}
	oracle.Near(t, "log-likelihood without features", p.Uniform(), r.want.InitialLogLik, c.Tol(t))
	if a := r.options.Algorithm; a == "ifs" || a == "sgc" {
		r.selects(t, run, p, cands, c.Tol(t))
	} else {
		r.counts(t, run, p, cands, c.Tol(t))
	}
}

func or[T any](p *T, v T) T {
	if p != nil {
		return *p
	}
	return v
}

func start(t *testing.T, p *loglinear.Problem) *loglinear.State {
	t.Helper()
	s, err := p.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// problem of the case, or its refusal.
func (r *reference) problem(t *testing.T) (engines.Run, *loglinear.Problem, error) {
	set, err := r.in.Dataset(t)
	if err != nil {
		return engines.Run{}, nil, err
	}
	run := engines.Run{Train: enginetest.View(set, nil), Workers: 2}
	p, err := entropy.Read(context.Background(), run.Train)
	return run, p, err
}

func (r *reference) parameters(candidates int) Selection {
	o := r.options
	e := Selection{
		Features: or(o.Select, candidates), MinGain: o.MinGain, AlphaMax: or(o.AlphaMax, 10), PriorVariance: o.PriorVariance,
		RefitEvery: o.RefitEvery, FinalRefit: or(o.FinalRefit, true),
		Candidates: Candidates{Cutoff: int(or(o.Cutoff, 1))},
		Estimation: Estimation{RefitVariance: or(o.RefitVariance, 1), RefitTol: 1e-11, RefitIter: 10_000},
	}
	return e
}

func (r *reference) selects(t *testing.T, run engines.Run, p *loglinear.Problem, cands []loglinear.Candidate, tol float64) {
	e := r.parameters(len(cands))
	s := &selection{p: p, state: start(t, p), cands: cands}
	var by chooser = newExhaustive(s, e.gainLimits(), 2)
	if r.options.Algorithm == "sgc" {
		by = &selectiveGains{gainHeap: newGainHeap(context.Background(), s, e.gainLimits()), lookahead: r.options.Lookahead}
	}
	var steps []engines.Step
	run.Trace = func(step engines.Step) { steps = append(steps, step) }
	if err := e.growModel(context.Background(), run, s, by); err != nil {
		t.Fatal(err)
	}
	order := []int{}
	for _, pick := range s.picks {
		order = append(order, pick.k)
	}
	if fmt.Sprint(order) != fmt.Sprint(r.want.Order) || s.stop != r.want.Stop {
		t.Fatalf("order %v, stop %s; want %v, %s", order, s.stop, r.want.Order, r.want.Stop)
	}
	for k, want := range r.want.Stages {
		what, before := fmt.Sprintf("stage %d: ", want.Stage), steps[k].Evaluations
		oracle.Near(t, what+"alpha", s.picks[k].alpha, want.Alpha, max(tol, 1e-9))
		oracle.Near(t, what+"gain", s.picks[k].gain, want.Gain, tol)
		oracle.Near(t, what+"log-likelihood", -steps[k+1].TrainError*p.Weight, want.LogLik, tol)
		if got := steps[k+1].Evaluations - before; got != want.Evaluations {
			t.Errorf("%s%d evaluations, want %d", what, got, want.Evaluations)
		}
	}
	if r.want.Evaluations != nil && by.evaluated() != *r.want.Evaluations {
		t.Errorf("%d evaluations, want %d", by.evaluated(), *r.want.Evaluations)
	}
	if r.want.LogLik != nil {
		oracle.Near(t, "log-likelihood", s.state.LogLik(), *r.want.LogLik, tol)
		oracle.Near(t, "log-likelihood from its definition", s.state.Recount(), *r.want.LogLik, tol)
	}
	weights := func() []float64 {
		w := make([]float64, len(cands))
		for k, pick := range s.picks {
			w[pick.k] = s.weight[k]
		}
		return w
	}
	if r.want.Lambda != nil {
		oracle.NearAll(t, "lambda", weights(), r.want.Lambda, tol)
	}
	if r.want.RefitLambda != nil {
		if err := e.refitWeights(context.Background(), run, s); err != nil {
			t.Fatal(err)
		}
		oracle.NearAll(t, "weights estimated", weights(), r.want.RefitLambda, max(tol, 1e-8))
		oracle.Near(t, "log-likelihood after estimation", s.state.LogLik(), *r.want.RefitLogLik, tol)
	}
	if r.options.Algorithm == "ifs" {
		r.sameAsProof(t, run, e, s)
	}
}

// sameAsProof: with bounds, fewer gains are computed and the same features taken.
func (r *reference) sameAsProof(t *testing.T, run engines.Run, e Selection, want *selection) {
	s := &selection{p: want.p, state: start(t, want.p), cands: want.cands}
	run.Trace = nil
	if err := e.growModel(context.Background(), run, s, newGainBounds(newGainHeap(context.Background(), s, e.gainLimits()), 2)); err != nil {
		t.Fatal(err)
	}
	if len(s.picks) != len(want.picks) || s.stop != want.stop {
		t.Fatalf("exact: %d features, %s; want %d, %s", len(s.picks), s.stop, len(want.picks), want.stop)
	}
	for k, pick := range s.picks {
		if d := math.Abs(pick.gain - want.picks[k].gain); pick.k != want.picks[k].k || d > 1e-9 {
			t.Errorf("exact: stage %d takes %+v, want %+v", k+1, pick, want.picks[k])
		}
	}
}

func (r *reference) counts(t *testing.T, run engines.Run, p *loglinear.Problem, cands []loglinear.Candidate, tol float64) {
	order := mostFrequent(cands)
	order = order[:min(or(r.options.Select, len(cands)), len(order))]
	if r.want.Order != nil && r.options.Algorithm == "count" && fmt.Sprint(order) != fmt.Sprint(r.want.Order) {
		t.Fatalf("order %v, want %v", order, r.want.Order)
	}
	if r.options.Algorithm == "all" {
		order = mostFrequent(cands)
	}
	fs := make([]loglinear.Candidate, len(order))
	for k, at := range order {
		fs[k] = cands[at]
	}
	e := r.parameters(len(cands))
	w := make([]float64, len(fs))
	done, err := e.estimateWeights(context.Background(), run, p, fs, w)
	if err != nil {
		t.Fatal(err)
	}
	lambda := make([]float64, len(cands))
	for k, at := range order {
		lambda[at] = w[k]
	}
	oracle.NearAll(t, "weights estimated", lambda, r.want.RefitLambda, max(tol, 1e-8))
	oracle.Near(t, "log-likelihood after estimation", done.LogLik, *r.want.RefitLogLik, tol)
}
