package bayes

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/entropy"
)

type reference struct {
	in      enginetest.Labelled
	options struct {
		Variant       string
		PerRound      *int     `json:"per_round"`
		MaxRounds     *int     `json:"max_rounds"`
		MaxActive     *int     `json:"max_active"`
		PriorVariance *float64 `json:"prior_variance"`
		BiasVariance  *float64 `json:"bias_variance"`
		ModelPrior    struct {
			Kind string
			Odds *float64
		} `json:"model_prior"`
	}
	want struct {
		Chosen      [][2]int32
		Rounds      []referenceRound
		Params      [][2]int32
		Weights     []float64
		LogLik      float64
		TrainErrors float64 `json:"train_errors"`
		Stop        string
	}
}

type referenceRound struct {
	Beta0         float64
	Misclassified float64
	Proposed      [][2]int32
	FirstPass     []referencePair `json:"first_pass"`
	Added         []referencePair
}

type referencePair struct {
	Pair        [2]int32
	Mu, A, Beta float64
}

func TestOracleBayesFactor(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"bayes_factor": checkBayes})
}

func checkBayes(t *testing.T, c oracle.Case) {
	var r reference
	c.Parts(t, &r.in, &r.options, &r.want)
	s, err := r.selection(t)
	if c.Refused(t, err) {
		return
	}
	tol := c.Tol(t)
	for s.stop == "" {
		p, err := s.beginRound(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		n := len(s.rounds) - 1
		if s.stop != "" {
			break
		}
		if n >= len(r.want.Rounds) {
			t.Fatalf("a round too many: %d expected", n)
		}
		what := fmt.Sprintf("round %d: ", n+1)
		r.want.Rounds[n].starts(t, what, s.rounds[n], p, tol)
		if err := s.growModel(context.Background(), p); err != nil {
			t.Fatal(err)
		}
		r.want.Rounds[n].adds(t, what, s.rounds[n], tol)
	}
	r.ends(t, s, tol)
}

// selection of the case, or its refusal.
func (r *reference) selection(t *testing.T) (*selection, error) {
	set, err := r.in.Dataset(t)
	e := r.parameters()
	if err := errors.Join(err, e.Validate()); err != nil {
		return nil, err
	}
	run := engines.Run{Train: enginetest.View(set, nil), Workers: 2}
	p, err := entropy.Read(context.Background(), run.Train)
	if err != nil {
		return nil, err
	}
	return e.newSelection(p, run), nil
}

func (r *reference) parameters() Bayes {
	e, o := Kind.Defaults().(Bayes), r.options
	e.RefitTol, e.RefitIter = 1e-11, 10_000
	set(&e.Variant, &o.Variant, o.Variant != "")
	set(&e.PerRound, o.PerRound, true)
	set(&e.MaxRounds, o.MaxRounds, true)
	set(&e.MaxActive, o.MaxActive, true)
	set(&e.PriorVariance, o.PriorVariance, true)
	set(&e.BiasVariance, o.BiasVariance, true)
	set(&e.ModelPrior, &o.ModelPrior.Kind, o.ModelPrior.Kind != "")
	set(&e.Odds, o.ModelPrior.Odds, true)
	return e
}

func set[T any](dst, v *T, ok bool) {
	if ok && v != nil {
		*dst = *v
	}
}

func (want referenceRound) starts(t *testing.T, what string, got roundStats, p *proposals, tol float64) {
	oracle.Near(t, what+"β₀", got.beta0, want.Beta0, tol)
	oracle.Near(t, what+"misclassified", got.wrong, want.Misclassified, 0)
	var proposed [][2]int32
	for _, pr := range p.list {
		proposed = append(proposed, [2]int32{pr.Column, pr.Class})
	}
	if fmt.Sprint(proposed) != fmt.Sprint(want.Proposed) {
		t.Fatalf("%sproposals %v, want %v", what, proposed, want.Proposed)
	}
	for k, w := range want.FirstPass {
		pr, name := p.list[k], fmt.Sprintf("%sfirst pass, %v: ", what, w.Pair)
		oracle.Near(t, name+"μ", pr.mu, w.Mu, tol)
		oracle.Near(t, name+"a", pr.a, w.A, tol)
		oracle.Near(t, name+"β", got.beta0+pr.score, w.Beta, tol)
	}
}

func (want referenceRound) adds(t *testing.T, what string, got roundStats, tol float64) {
	if len(got.added) != len(want.Added) {
		t.Fatalf("%s%d pairs added, want %d", what, len(got.added), len(want.Added))
	}
	for k, w := range want.Added {
		a := got.added[k]
		if a.Column != w.Pair[0] || a.Class != w.Pair[1] {
			t.Fatalf("%spair %d is %v, want %v", what, k+1, a.Feature, w.Pair)
		}
		name := fmt.Sprintf("%sadded %v: ", what, w.Pair)
		oracle.Near(t, name+"μ", a.mu, w.Mu, tol)
		oracle.Near(t, name+"a", a.a, w.A, tol)
		oracle.Near(t, name+"β", a.beta, w.Beta, tol)
	}
}

func (r *reference) ends(t *testing.T, s *selection, tol float64) {
	if len(s.rounds) != len(r.want.Rounds) || s.stop != r.want.Stop {
		t.Errorf("%d rounds, stop %s; want %d, %s", len(s.rounds), s.stop, len(r.want.Rounds), r.want.Stop)
	}
	var params, chosen [][2]int32
	for k, f := range s.features {
		params = append(params, [2]int32{f.Column, f.Class})
		if k >= s.p.Classes {
			chosen = append(chosen, params[k])
		}
	}
	if fmt.Sprint(params, chosen) != fmt.Sprint(r.want.Params, r.want.Chosen) {
		t.Fatalf("pairs %v, want %v", params, r.want.Params)
	}
	oracle.NearAll(t, "weights", s.weight, r.want.Weights, max(tol, 1e-8))
	oracle.Near(t, "log-likelihood", s.estimate.LogLik, r.want.LogLik, tol)
	oracle.Near(t, "train errors", s.wrong, r.want.TrainErrors, 0)
}
