// Package stability selects the columns that an engine selects on most halves of the training rows (Meinshausen and Bühlmann 2010;
// Shah and Samworth 2013), with a bound on the expected number of mistakes among them.
//
// halves.go draws the halves, columns.go makes an engine select on each, bounds.go computes the bound.
package stability

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/narrowed"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/param"
	"tenfold/engines/prepare/probes"
	"tenfold/engines/registry"
	"tenfold/engines/searches"
	"tenfold/engines/wrappers/refit"
)

// Options holds the parameters of stability selection.
type Options struct {
	Q         int     `yaml:"q" doc:"columns selected on each half; with threshold and pfer, two of the three are given; 0 with an engine that cannot be limited, which selects as many as it does"`
	Threshold float64 `yaml:"threshold" doc:"share of the halves that have to select a column, above 0.5 and up to 1"`
	PFER      float64 `yaml:"pfer" doc:"per-family error rate: the expected number of columns that are selected by mistake is at most this"`
	Draws     int     `yaml:"draws" doc:"pairs of halves, or halves where sampling is half; 0: 50 pairs or 100 halves"`
	Sampling  string  `yaml:"sampling" doc:"pairs: complementary halves (Shah and Samworth 2013); half: single ones (Meinshausen and Bühlmann 2010)"`
	Bound     string  `yaml:"bound" doc:"none: no assumption; unimodal, r-concave: on the law of the frequencies of columns that are selected by mistake, for pairs alone; by default unimodal for pairs and none for halves"`
	Stratify  bool    `yaml:"stratify" doc:"halves have the shares of the classes"`
	Decoys    Decoys  `yaml:"decoys"`
}

// Decoys are columns known to be irrelevant, which compete with the others: the threshold is the one that minimises the estimated
// share of mistakes among the selected columns (Hédou et al. 2024).
type Decoys struct {
	Kind  string  `yaml:"kind" doc:"none, or the threshold is found by decoys, in place of threshold and pfer: permuted (training values of columns in random order)"`
	Share float64 `yaml:"share" doc:"decoys as a share of the columns that vary, above 0 and up to 1"`
}

const (
	pairs = "pairs"
	half  = "half"
)

// Validate checks the options by themselves.
func (o Options) Validate() error {
	return errors.Join(
		param.Require("q", o.Q >= 0, "%d, expected 1 or more", o.Q),
		param.Require("threshold", o.Threshold >= 0 && o.Threshold <= 1, "%v, expected a share above 0.5 and up to 1", o.Threshold),
		param.Require("threshold", !(o.Threshold > 0 && o.Threshold <= 0.5) || o.Threshold == 0.5 && o.shape() == rConcave, "%v, expected a share above 0.5: no bound is known where half of the halves may select a stable column", o.Threshold),
		param.Require("pfer", o.PFER >= 0 && o.PFER-o.PFER == 0, "%v, expected a number above 0", o.PFER),
		param.Require("q", o.given() < 3, "q, threshold and pfer are all given, expected two of them: the third follows"),
		param.Require("draws", o.Draws >= 0 && o.Draws <= 100_000, "%d, expected 1 to 100000", o.Draws),
		param.OneOf("sampling", o.Sampling, pairs, half),
		param.OneOf("bound", o.Bound, noShape, unimodal, rConcave, ""),
		param.Require("bound", o.Sampling != half || o.Bound == noShape || o.Bound == "", "%s, expected none with sampling half: the theorem is about complementary pairs", o.Bound),
		param.OneOf("decoys.kind", o.Decoys.Kind, "none", probes.Permuted),
		param.Require("decoys.share", o.Decoys.Share > 0 && o.Decoys.Share <= 1, "%v, expected a share above 0 and up to 1", o.Decoys.Share),
		o.withDecoys(),
		param.Require("draws", o.shape() == noShape || o.draws() != 1, "%d, expected at least 2 with the bound %s", o.Draws, o.shape()),
	)
}

// thresholdSuits refuses a threshold for which the bound is not known, however few columns are selected.
func (o Options) thresholdSuits() error {
	b := bound{pairs: o.draws(), halves: o.halves()}
	return param.Require("stability.threshold", !(o.Threshold > 0.5) || o.shape() != unimodal || b.suits(o.Threshold, 0),
		"%v, expected at least %.4g for the bound unimodal with %d draws", o.Threshold, b.leastUnimodal(0), b.pairs)
}

// withDecoys refuses parameters that decoys replace.
func (o Options) withDecoys() error {
	if !o.decoyed() {
		return param.Require("decoys.share", o.Decoys.Share == 1, "%v, and there are no decoys; say kind: permuted", o.Decoys.Share)
	}
	return errors.Join(
		param.Require("threshold", o.Threshold == 0, "%v, and decoys find it; leave one of them out", o.Threshold),
		param.Require("pfer", o.PFER == 0, "%v: a threshold found by decoys has no bound on mistakes; leave one of them out", o.PFER),
		param.Require("bound", o.Bound == "", "%s: a threshold found by decoys has no bound on mistakes; leave one of them out", o.Bound),
	)
}

func (o Options) decoyed() bool { return o.Decoys.Kind == probes.Permuted }

// given returns how many of q, threshold and pfer are given.
func (o Options) given() (n int) {
	for _, is := range []bool{o.Q != 0, o.Threshold != 0, o.PFER != 0} {
		if is {
			n++
		}
	}
	return n
}

func (o Options) draws() int {
	if o.Sampling == half {
		return cmp.Or(o.Draws, 100)
	}
	return cmp.Or(o.Draws, 50)
}

func (o Options) halves() int {
	if o.Sampling == half {
		return o.draws()
	}
	return 2 * o.draws()
}

func (o Options) shape() string {
	if o.Sampling == half || o.decoyed() {
		return noShape
	}
	return cmp.Or(o.Bound, unimodal)
}

// Engine selects the columns that are stable under a base engine, and fits the plain model to them.
type Engine struct {
	Base    engines.Engine `yaml:",inline"`
	Options `yaml:"stability"`
}

// Wrapper adds stability selection around an engine.
var Wrapper = engines.Wrapper{
	Kind: registry.Define(registry.Kind[param.Validator]{
		Name: "stability", Rev: 5,
		Doc:  "stability selection: the columns that the engine selects on most halves of the training rows",
		Cite: "Meinshausen & Bühlmann 2010; Shah & Samworth 2013; Hédou et al. 2024",
	}, Options{Sampling: pairs, Stratify: true, Decoys: Decoys{Kind: "none", Share: 1}}),
	Accepts: func(inner engines.Engine) bool { _, across := inner.(engines.Across); return !across },
	Lacks:   "does not learn from other tasks",
	Excludes: []engines.Exclusion{
		{Key: "path", Why: ": the stable columns have no order in which they enter"},
		{Key: "combinations", Why: ", since halves select columns, not products"},
	},
	Wrap: func(inner engines.Engine, o param.Validator) engines.Engine { return Engine{inner, o.(Options)} },
}

// Validate checks the options together with the engine.
func (e Engine) Validate() error {
	return errors.Join(e.Base.Validate(), e.suits())
}

func (e Engine) suits() error {
	n := e.Base.Needs()
	switch {
	case n.Watch:
		return param.Errorf("stability", "halves of the training rows are fitted, and the engine, with these parameters, chooses by test rows")
	case n.Truth:
		return param.Errorf("stability", "the engine knows the true coefficients: nothing is left to be found")
	case selection(e.Base) != asItEnds && e.decoyed():
		return param.Require("stability", e.Q != 0, "expected q: decoys find the threshold alone")
	case selection(e.Base) != asItEnds:
		return errors.Join(param.Require("stability", e.given() >= 2, "expected two of q, threshold and pfer: the third follows"), e.thresholdSuits())
	}
	return errors.Join(
		param.Require("stability.q", e.Q == 0, "%d: the engine has neither a path nor a size, so that it selects as many columns as it does; leave q out", e.Q),
		param.Require("stability.pfer", e.PFER == 0, "%v: without q the bound is known only afterwards; leave pfer out", e.PFER),
		param.Require("stability.threshold", e.Threshold != 0 || e.decoyed(), "0, expected a share above 0.5: the engine selects as many columns as it does"),
	)
}

// Needs returns the requirements of the base.
func (e Engine) Needs() engines.Needs {
	n := e.Base.Needs()
	n.Sizes, n.Entry, n.Opaque = engines.Sizes{}, false, false
	n.Inner = true // whether groups stay together
	n.ChoosesMissing, n.Missing = n.ChoosesMissing || n.Missing, false
	return n
}

// Footprint returns that of the fits to halves that run at the same time, or of the plain model, and a count for each column.
func (e Engine) Footprint(s engines.Shape) engines.Footprint {
	whole := s
	if e.decoyed() {
		s.Columns, s.Entries = 2*s.Columns, 2*s.Entries
	}
	s.Rows, s.Entries = (s.Rows+1)/2, (s.Entries+1)/2
	return engines.FootprintOf(e.Base, s).And(whole.EntryBytes() * whole.Entries).Or(engines.FootprintOf(refit.Plain{}, whole)).And(8 * int64(s.Columns))
}

// InnerFits counts a fit for each half.
func (e Engine) InnerFits(s engines.Shape) int {
	return e.halves() * (1 + engines.InnerFits(e.Base, s))
}

// Fit selects the stable columns and fits the plain model to them, as filters do.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	return narrowed.Selected(ctx, e, refit.Plain{}, run)
}

// Choose selects the stable columns: score and rank are by the share of halves that selected them.
func (e Engine) Choose(ctx context.Context, run engines.Run) ([]engines.Coef, engines.Fitted, error) {
	if ctx.Err() != nil {
		return nil, engines.Fitted{}, context.Cause(ctx)
	}
	rule, limit, err := e.plan(itemsOf(run.Train).competing)
	if err != nil {
		return nil, engines.Fitted{}, fmt.Errorf("stability: %w", err)
	}
	s := newSampler(run, e.Stratify)
	if len(s.units) < 4 {
		return nil, engines.Fitted{}, fmt.Errorf("stability: %d rows or groups to draw halves of, expected at least 4", len(s.units))
	}
	if e.decoyed() {
		probes := probes.Rule{Kind: probes.Permuted, Share: e.Decoys.Share}
		if run.Train, err = probes.Beside(run.Train, run.Rand.Uint64()); err != nil {
			return nil, engines.Fitted{}, fmt.Errorf("stability.decoys: %w", err)
		}
	}
	all := itemsOf(run.Train)
	found, err := e.fitHalves(ctx, run, s, all, rule.Q)
	if err != nil {
		return nil, engines.Fitted{}, err
	}
	t := tally(found, all.n, rule.Q)
	var facts []data.Fact
	var notes []string
	if e.decoyed() {
		facts, notes = thresholdByDecoys(run.Train.Probes(), all.real, &rule, &t)
	} else {
		if rule.Q == 0 {
			rule.PFER, err = limit.value(t.meanSize(), rule.Threshold)
		}
		facts, notes = t.promise(rule, e), limit.notes(rule, err)
	}
	fitted := engines.Fitted{Stop: "done", Best: -1, Notes: append(t.notes(), notes...)}
	if all.byColumn != nil {
		facts = append([]data.Fact{{Name: "units, which are counted in place of columns", Value: fmt.Sprint(all.competing)}}, facts...)
	}
	fitted.Facts = append(append(t.facts(rule, e), facts...), t.frequencies(all, rule.Count)...)
	return all.columns(t.stable(rule.Count)), fitted, nil
}

// plan completes q, threshold and pfer for this many columns, or units.
func (e Engine) plan(columns int) (plan, bound, error) {
	b := bound{shape: e.shape(), columns: columns, pairs: e.draws(), halves: e.halves()}
	if e.Q > columns {
		return plan{}, b, fmt.Errorf("q %d, and the data has %d columns", e.Q, columns)
	}
	if e.decoyed() {
		return plan{Q: e.Q}, b, nil
	}
	if selection(e.Base) == asItEnds {
		return plan{Threshold: e.Threshold, Count: b.count(e.Threshold)}, b, nil
	}
	p, err := b.complete(e.Q, e.Threshold, e.PFER)
	return p, b, err
}

// outcome is the selection on one half.
type outcome struct {
	entered
	constant bool // its response does not vary, so that nothing can be fitted
}

// fitHalves draws the halves and selects on each. The results are the same for any number of workers.
func (e Engine) fitHalves(ctx context.Context, run engines.Run, s sampler, all items, q int) ([]outcome, error) {
	seed := run.Rand.Uint64()
	sides := 2
	if e.Sampling == half {
		sides = 1
	}
	found := make([]outcome, e.halves())
	errs := make([]error, len(found))
	counter := searches.NewCounter(run.ShowProgress, "", len(found))
	parallel.Each(run.Workers, e.draws(), func(b int) {
		var rows [2][]int32
		rows[0], rows[1] = s.draw(rand.New(rand.NewPCG(seed, data.Key("stability", fmt.Sprint(b)))))
		for side := range sides {
			k := b*sides + side
			if ctx.Err() != nil {
				errs[k] = context.Cause(ctx)
				return
			}
			on, draws := run.Train.Subsample(rows[side]), [2]uint64{seed, data.Key("stability", fmt.Sprint(b), fmt.Sprint(side))}
			if found[k].constant = isConstant(on); found[k].constant {
				continue
			}
			if found[k].entered, errs[k] = e.fitHalf(ctx, run, on, draws, all, q); errs[k] != nil {
				errs[k] = fmt.Errorf("stability, half %d of draw %d: %w", side+1, b+1, errs[k])
			}
			counter.Add()
		}
	})
	for _, err := range errs { // the first in the order of draws
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// fitHalf selects on one half.
func (e Engine) fitHalf(ctx context.Context, run engines.Run, on *data.View, seed [2]uint64, all items, q int) (found entered, err error) {
	work := engines.Work{What: fmt.Sprintf("half, %d columns at most", q), Engine: e.Base, On: []*data.View{on}, Seed: seed}
	y, _, err := run.Recalled(work, func(inside engines.Run) (y engines.Yield, err error) {
		half := inside.Inside(on, seed)
		half.Workers = 1
		found, err = selectOn(ctx, e.Base, half, all, q)
		for k, item := range found.items {
			y.Values = append(y.Values, float64(item), float64(found.sizes[k]))
		}
		return y, err
	})
	if found.items == nil {
		for k := 0; k < len(y.Values); k += 2 {
			found.items, found.sizes = append(found.items, int32(y.Values[k])), append(found.sizes, int32(y.Values[k+1]))
		}
	}
	return found, err
}

// isConstant reports whether no response varies.
func isConstant(v *data.View) bool {
	for t := range v.Targets() {
		if _, y := v.Target(t); slices.ContainsFunc(y, func(value float64) bool { return value != y[0] }) {
			return false
		}
	}
	return true
}
