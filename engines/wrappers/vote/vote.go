// Package vote joins the rankings of several selectors into one.
//
// vote.go runs the selectors, positions.go says where each puts a column, and methods.go joins the positions.
package vote

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/param"
	"tenfold/engines/registry"
)

// Engine ranks columns by what several selectors say of the same training rows, and fits the plain model to the best.
type Engine struct {
	Selectors []engines.Engine `yaml:"vote" doc:"selectors, each as under select"`
	Method    string           `yaml:"method" doc:"borda: mean share of columns that are placed behind; median: of the places; reciprocal: sum of 1/(60 + place) (Cormack, Clarke & Büttcher 2009); votes: share of the selectors that have the column among their first q"`
	Features  int              `yaml:"features" simpler:"smaller,0 last" doc:"columns at most; 0: no limit; −1: a hundred, at most half of the columns, and of numbers and times at most the root of the training rows"`
	Weights   []float64        `yaml:"weights" doc:"of the selectors, above 0; without a list each counts once. median has none"`
	Q         int              `yaml:"q" simpler:"smaller,0 last" doc:"of votes: how many of its first columns a selector votes for; 0: all that it selected"`
	Share     float64          `yaml:"share" simpler:"larger" doc:"of votes: columns with at least this share of the votes are selected; 0: with any"`
}

// Joint registers the engine for experiment files.
var Joint = engines.Joint{
	Kind: registry.Define(engines.Kind{
		Name: "vote", Rev: 1,
		Doc:  "columns by what several selectors say of them",
		Cite: "Cormack, Clarke & Büttcher 2009 (reciprocal)",
	}, Engine{Method: borda, Features: subset.ByDefault}),
	Join: func(joint engines.Engine, parts []engines.Engine) engines.Engine {
		e := joint.(Engine)
		e.Selectors = parts
		return e
	},
}

// Validate checks the options, and the selectors once they are there.
func (e Engine) Validate() error {
	errs := []error{
		param.OneOf("method", e.Method, borda, median, reciprocal, votes),
		subset.CheckSize(e.Features),
		param.Require("q", e.Q >= 0, "%d, expected at least 1, or 0 for all that a selector selects", e.Q),
		param.Idle("q", e.Q, 0, e.Method == votes, "it is for method: votes"),
		param.Require("share", e.Share >= 0 && e.Share <= 1, "%v, expected a share from 0 to 1", e.Share),
		param.Idle("share", e.Share, 0, e.Method == votes, "it is for method: votes"),
		param.Require("weights", len(e.Weights) == 0 || e.Method != median, "a median has none"),
	}
	for i, w := range e.Weights {
		errs = append(errs, param.Require(fmt.Sprintf("weights.%d", i), w > 0 && w < maxWeight, "%v, expected a number above 0", w))
	}
	if e.Selectors == nil {
		return errors.Join(errs...)
	}
	errs = append(errs, param.Require("weights", len(e.Weights) == 0 || len(e.Weights) == len(e.Selectors),
		"%d, expected one for each of the %d selectors", len(e.Weights), len(e.Selectors)))
	all := e.Selectors[0].Needs()
	for i, s := range e.Selectors {
		_, staged := s.(engines.Across)
		both, compatible := all.Both(s.Needs())
		field := fmt.Sprintf("vote.%d.engine", i)
		errs = append(errs, s.Validate(),
			param.Require(field, !staged, "as set here, it learns from other tasks, in stages of its own, and cannot be a part of an algorithm"),
			param.Require(field, compatible, "it takes a %s target only, and one before it is %s", s.Needs().Target, all.Target))
		all = both
	}
	return errors.Join(errs...)
}

// maxWeight keeps sums of weights finite.
const maxWeight = 1e100

// Needs merges the requirements of the selectors.
func (e Engine) Needs() engines.Needs {
	var all engines.Needs
	compatible, missing := true, len(e.Selectors) > 0
	for i, s := range e.Selectors {
		if n := s.Needs(); i == 0 {
			all = n
		} else {
			all, _ = all.Both(n)
		}
		compatible = compatible && s.Needs().Together
		missing = missing && (s.Needs().Missing || s.Needs().ChoosesMissing)
	}
	all.Missing, all.ChoosesMissing = false, missing
	all.Sizes, all.Entry, all.Opaque, all.Together = engines.Sizes{Limit: "features", Ranked: true}, false, false, compatible && len(e.Selectors) > 0
	return all
}

// Footprint returns that of the largest selector.
func (e Engine) Footprint(s engines.Shape) (f engines.Footprint) {
	for _, selector := range e.Selectors {
		f = f.Or(engines.FootprintOf(selector, s))
	}
	return f.And(int64(8 * s.Columns * len(e.Selectors)))
}

// InnerFits counts those of all selectors.
func (e Engine) InnerFits(s engines.Shape) (n int) {
	for _, selector := range e.Selectors {
		n += engines.InnerFits(selector, s)
	}
	return n
}

// filter ranks by the votes. The model of a Fit is that of a filter at its default ridge; the engine is a selector, so only what it
// chooses counts.
func (e Engine) filter() ranking.Filter {
	return ranking.Filter{Rank: e.rank, Count: ranking.CountUpTo(e.Features), Ridge: 1}
}

// Fit selects, and fits the plain model.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return e.filter().Fit(ctx, run)
}

// Choose selects.
func (e Engine) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	return e.filter().Choose(ctx, run)
}

// rank runs the selectors one after the other, each with a seed of its own, and joins what they say.
func (e Engine) rank(ctx context.Context, run engines.Run) (*ranking.Ranking, error) {
	r := &ranking.Ranking{Kept: run.Train.Kept()}
	free := columnsWithout(run.Train.Columns(), r.Kept)
	rankings := make([]positions, len(e.Selectors))
	for i, s := range e.Selectors {
		one := run
		one.Rand, one.Trace, one.At, one.Keep = rand.New(rand.NewPCG(run.Rand.Uint64(), 1)), nil, nil, nil
		name := fmt.Sprintf("selector %d: ", i+1)
		one.Searched = run.SearchesOf(fmt.Sprintf("selector %d", i+1))
		one.Tell = func(f data.Fact) { run.Say(name+f.Name, f.Value) }
		one.Warn = func(note string) { run.Note(name + note) }
		if !s.Needs().Watch {
			one.Watch = nil
		}
		scores, err := scoresBy(ctx, s, one)
		if err != nil {
			return nil, fmt.Errorf("vote: selector %d: %w", i+1, err)
		}
		rankings[i] = place(data.ValuesAt(scores, free))
		r.Facts = append(r.Facts, data.Fact{Name: name + "columns selected", Value: fmt.Sprint(rankings[i].ranked)})
		if rankings[i].ranked == 0 {
			r.Notes = append(r.Notes, name+"it selects nothing, and all columns share one place")
		}
	}
	score, order := e.join(rankings)
	r.Score = make([]float64, run.Train.Columns())
	for k, j := range free {
		r.Score[j] = score[k]
	}
	r.Order = data.ValuesAt(free, order)
	return r, nil
}

// columnsWithout returns the numbers of the columns, rising, without some.
func columnsWithout(columns int, without []int32) []int32 {
	places := data.PlacesOf(without, columns)
	var out []int32
	for j, place := range places {
		if place < 0 {
			out = append(out, int32(j))
		}
	}
	return out
}
