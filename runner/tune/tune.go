// Package tune chooses parameters of an engine by cross-validation inside the training rows of a fold. Whatever an engine
// learns from rows, screening and scaling of its own included, it learns in each inner fold from the inner training rows
// alone; test rows of the outer fold are never seen.
//
// tune.go has the options and Fit: divide.go makes the inner folds, choice.go keeps the candidates and the points of their paths, score.go
// fits and scores them on every inner fold, and choice.go picks the best, or the simplest within one standard error of it. halving.go leaves out candidates by their scores with a part of a resource. words.go has
// the words of the experiment file that other packages need.
package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/registry"
	"tenfold/engines/searches"
	"tenfold/runner/inner"
	"tenfold/runner/metric"
)

// Options holds the options of the choice.
type Options struct {
	engines.InnerFolds `yaml:",inline"`
	Choose             string        `yaml:"choose" json:"choose" doc:"best, or one-se: of the candidates within one standard error of the best the simplest: of the smallest size, then of the largest penalty, at the start of a path"`
	Search             string        `yaml:"search" json:"search" key:"halving" doc:"grid: all combinations of the lists; random: points that are drawn, each value from its list or from a range such as {log: [0.001, 10]}; halving: all of either with a part of a resource, and the best of them with more, until a few have all of it"`
	Draws              int           `yaml:"draws" json:"draws" key:"-" doc:"of search random, the points drawn, at least 1; those that repeat an earlier one are left out; of search halving as well, 0: all combinations of the lists"`
	Seed               int64         `yaml:"seed" json:"seed" key:"-" doc:"seed of the draws; 0: that of the file"`
	Factor             int           `yaml:"factor" json:"factor" doc:"of search halving: one of so many candidates goes on, with so many times the resource, 2 to 100"`
	Resource           string        `yaml:"resource" json:"resource" doc:"of search halving: rows, of the inner training rows; path, the values of a path; or a parameter of which more is more work, such as trees"`
	Time               time.Duration `yaml:"time" json:"time" doc:"of the whole search in one fit, such as 10m: the best of the candidates that are finished by then is chosen, and the result is marked as not repeatable, since it depends on the machine; 0: no limit"`
	Threshold          Threshold     `yaml:"threshold" json:"threshold"`
}

// Values of the options.
const (
	chooseBest  = "best"
	chooseOneSE = "one-se"
	Grid        = "grid"
	Random      = "random"
	Halving     = "halving"
)

// Rows is the resource of halving that every engine has.
const Rows = "rows"

// Factors of halving.
const (
	defaultFactor = 3
	maxFactor     = 100
)

// Kind registers the options as experiment files have them.
var Kind = registry.Define[param.Validator](registry.Kind[param.Validator]{
	Name: "tune", Doc: "parameters that are chosen in each fit, inside its training rows: lists of values, ranges, or path", Cite: "Breiman et al. 1984, section 3.4.3 (one-se); Bergstra & Bengio 2012 (random); Jamieson & Talwalkar 2016 (halving)", Rev: 5,
}, Options{InnerFolds: engines.InnerFolds{K: 5, Repeats: 1}, Choose: chooseBest, Search: Grid, Factor: defaultFactor, Resource: Rows})

// Wrapper describes the section of the options. It has no Wrap, because candidates are made from the whole algorithm, after all
// other wrappers.
var Wrapper = engines.Wrapper{Kind: Kind, Excludes: []engines.Exclusion{{Key: "path", Why: ", which chooses one model"}}}

// Drawn reports whether points are drawn, and are not all combinations of lists.
func (o Options) Drawn() bool { return o.Search != Grid && o.Draws > 0 }

// Validate checks the options.
func (o Options) Validate() error {
	m, known := metric.Find(o.Metric) // unknown names, and those that the file defines, are checked when the experiment file is read
	return errors.Join(
		o.InnerFolds.Validate(),
		param.Require("metric", !known || m.OfPredictions(), "%s is no metric of predictions for rows that were not fitted", o.Metric),
		param.OneOf("choose", o.Choose, chooseBest, chooseOneSE),
		param.OneOf("search", o.Search, Grid, Random, Halving),
		param.Require("choose", o.Search != Halving || o.Choose != chooseOneSE, "one-se compares all candidates, and search: halving has few of them on all of the resource; search: grid or random has all"),
		param.Require("factor", o.Factor >= 2 && o.Factor <= maxFactor, "%d, expected 2 to %d", o.Factor, maxFactor),
		param.Idle("factor", o.Factor, defaultFactor, o.Search == Halving, "of search: halving alone"),
		param.Idle("resource", o.Resource, Rows, o.Search == Halving, "of search: halving alone"),
		param.Require("draws", o.Draws >= 0, "%d, expected at least 1", o.Draws),
		param.Require("search", o.Search != Random || o.Draws != 0, "random draws points, and draws does not say how many, as in {search: random, draws: 60}"),
		param.Idle("draws", o.Draws, 0, o.Search != Grid, "search: grid tries every combination of the lists; search: random draws"),
		param.Require("time", o.Time >= 0, "%v, expected a duration above 0, or 0 for no limit", o.Time),
		param.Require("time", o.Time == 0 || o.Search != Halving, "search: halving compares the candidates of a rung with each other, so that nothing is best before it ends; limits: {time: …} limits the fit"),
		param.Idle("seed", o.Seed, 0, o.Drawn(), "nothing is drawn; search: random with draws does"),
		o.Threshold.Validate(),
	)
}

// Candidate is an engine that may be chosen, or several: one for each value of a path.
type Candidate struct {
	Engine engines.Engine
	Label  string // the parameters: "c2=0.1, bias=none"
	// Partial has the engine with parts of the resource of halving: a factor-th first, then a factor-th of that; nil: Engine itself.
	Partial []engines.Engine
	Path    string    // the parameter that varies along the path of an engines.Pathed; "" for a single engine
	Values  []float64 // of the path, in its order; nil: the engine's own
	// Complexity orders candidates that differ in parameters whose values make simpler models (registry.Param.Simpler): the simpler has
	// the smaller number at the first place where they differ. Fixed has the values of all other parameters.
	Complexity []float64
	Fixed      string
	Ends       []string // parameters at the smallest or largest number of their lists, if the engine accepts numbers beyond: "c2=10, the largest of 5 in the list"
}

// Path holds candidates that differ only in a parameter along which their engine has a path: one path on each inner fold fits them
// all.
type Path struct {
	Engine engines.Pathed
	Of     []int // candidates, by point
	Points engines.PathPoints
}

// Engine is an engine whose parameters are chosen in every fit. It fits the candidates to the training rows of inner folds,
// and the chosen one to all training rows.
type Engine struct {
	Base       engines.Engine `yaml:",inline"` // without the chosen parameters; for descriptions only
	Options    `yaml:"tune"`
	Candidates []Candidate `yaml:"-"`
	Along      []Path      `yaml:"-"` // paths over candidates without a path of their own
	Most       int         `yaml:"-"` // of the resource of halving, if that is a parameter
	Defined    metric.Set  `yaml:"-"` // metrics that the file defines
}

// Validate checks all candidates, and that inner folds can compare them.
func (e Engine) Validate() error {
	errs := []error{e.Options.Validate()}
	for _, c := range e.Candidates {
		errs = append(errs, c.Engine.Validate())
	}
	return errors.Join(append(errs, e.comparable(), e.ordered())...)
}

// ordered returns an error if candidates are to be chosen by complexity, and no parameter tells it.
func (e Engine) ordered() error {
	if e.Choose != chooseOneSE || slices.ContainsFunc(e.Candidates, func(c Candidate) bool { return c.Path != "" || len(c.Complexity) > 0 }) {
		return nil
	}
	var have []string
	for _, p := range registry.Params(e.Candidates[0].Engine, e.Candidates[0].Engine) {
		if p.Simpler != "" {
			have = append(have, p.Name)
		}
	}
	which := "this engine has none that does"
	if len(have) > 0 {
		which = "of this engine these do: " + strings.Join(have, ", ")
	}
	return param.Errorf("tune.choose", "one-se takes the simplest candidate, and no parameter here says which values are simpler; %s", which)
}

// comparable returns an error about the first candidate that inner folds cannot compare with the others.
func (e Engine) comparable() error {
	all := e.Candidates[0].Engine.Needs()
	for _, c := range e.Candidates {
		subject := "tune: the engine"
		if c.Label != "" {
			subject += " with " + c.Label
		}
		needs, together := c.Engine.Needs(), true
		if needs.Watch {
			return fmt.Errorf("%s chooses by the test rows, which must not take part in tuning", subject)
		}
		if _, staged := c.Engine.(engines.Across); staged {
			return fmt.Errorf("%s learns from other tasks, in stages of its own, which inner folds have not", subject)
		}
		if all, together = all.Both(needs); !together {
			return fmt.Errorf("%s takes a %s target only, and another one that is %s", subject, needs.Target, all.Target)
		}
	}
	return nil
}

// Needs returns the combined requirements of all candidates, of the base if there are none, and of inner folds.
func (e Engine) Needs() engines.Needs {
	candidates := e.Candidates
	if len(candidates) == 0 {
		candidates = []Candidate{{Engine: e.Base}}
	}
	all := candidates[0].Engine.Needs()
	for _, c := range candidates[1:] {
		factors, together, needs := all.Factors, all.Together, c.Engine.Needs()
		all, _ = all.Both(needs)
		all.Factors, all.Together = factors && needs.Factors, together && needs.Together
	}
	all.Sizes, all.Inner = engines.Sizes{}, true
	if e.Threshold.Metric != "" {
		all.Target, all.Survival, all.Levels, all.Tasks = data.Class, false, 2, false
	}
	return all
}

// Footprint returns the largest footprint of the candidates, plus a copy of the rows for the inner folds.
func (e Engine) Footprint(s engines.Shape) engines.Footprint {
	most := engines.FootprintOf(e.Candidates[0].Engine, s)
	for _, c := range e.Candidates[1:] {
		most = most.Or(engines.FootprintOf(c.Engine, s))
	}
	most = most.And(16 * int64(s.Columns))
	copies := int64(2)
	if e.Time > 0 { // of the rows of all inner folds at once
		copies *= int64(e.K * e.Repeats)
	}
	most.Bytes += copies * s.EntryBytes() * s.Entries
	return most
}

// InnerFits counts every candidate, or path of candidates, on each inner fold, with the rungs of a halving, and the fits for a threshold.
func (e Engine) InnerFits(s engines.Shape) int {
	folds, last := e.K*e.Repeats, 0
	count := func(e Engine) (fits int) {
		gathered := make([]bool, len(e.Candidates))
		for _, p := range e.Along {
			for _, i := range p.Of[1:] {
				gathered[i] = true
			}
		}
		for i, c := range e.Candidates {
			inside := engines.InnerFits(c.Engine, s)
			if last = max(last, inside); !gathered[i] {
				fits += folds * (1 + inside)
			}
		}
		return fits
	}
	fits := 0
	if e.Search == Halving {
		most, least := max(1, e.Most), 1
		switch e.Resource {
		case Rows:
			most, least = s.Rows*(e.K-1)/e.K, max(minRungRows, 2*e.K*max(1, s.Levels))
		case AlongPath:
			most = math.MaxInt32
		}
		n := len(e.Candidates)
		for _, r := range newRungs(n, e.Factor, most, least) {
			some := make([]int32, n)
			for i := range some {
				some[i] = int32(i)
			}
			fits += count(e.reduced(some, r.power))
			n = (n + e.Factor - 1) / e.Factor
		}
	} else if e.Threshold.Metric == "" || len(e.Candidates) > 1 || e.Candidates[0].Path != "" {
		fits = count(e)
	}
	if e.Threshold.Metric != "" {
		count(e)
		fits += cmp.Or(e.Threshold.K, e.K) * e.Repeats * (1 + last)
	}
	return fits + last
}

// Fit chooses a candidate, and fits it to all training rows; where a threshold is asked for, it chooses this for the candidate, too.
func (e Engine) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if e.Threshold.Metric != "" {
		if err := checkDecided(run.Train); err != nil {
			return nil, fmt.Errorf("tune.threshold: %w", err)
		}
	}
	seed := run.Rand.Uint64()
	innerFolds, err := inner.Divide(ctx, run, e.InnerFolds, seed)
	if err != nil {
		return nil, fmt.Errorf("tune: %w", err)
	}
	chosen := e.Candidates[0].Engine
	if e.Threshold.Metric == "" || len(e.Candidates) > 1 || e.Candidates[0].Path != "" {
		if chosen, err = e.choose(ctx, run, innerFolds, seed); err != nil {
			return nil, err
		}
	}
	if e.Threshold.Metric != "" {
		m, err := e.fitCut(ctx, run, chosen, innerFolds, seed)
		if err != nil {
			return nil, fmt.Errorf("tune.threshold: %w", err)
		}
		return m, nil
	}
	run.Rand = random(seed)
	return chosen.Fit(ctx, run)
}

// choose returns the candidate that is best on the inner folds, or the simplest near it.
func (e Engine) choose(ctx context.Context, run engines.Run, innerFolds []inner.Fold, seed uint64) (engines.Engine, error) {
	may, err := inner.Metrics(e.Defined, e.Metric, run.Train)
	if err != nil {
		return nil, fmt.Errorf("tune: %w", err)
	}
	drawn := len(e.Candidates)
	search := searches.Record{Kind: Kind.Name, Parameter: e.parameter()}
	if e.Search == Halving {
		search.Kind = Halving
		if e, search.Stages, err = e.halve(ctx, run, innerFolds, may, seed); err != nil {
			return nil, err
		}
	}
	c, err := e.expand(run, seed, 1)
	if err != nil {
		return nil, err
	}
	trials := ctx
	if e.Time > 0 {
		var stop context.CancelFunc
		trials, stop = context.WithTimeoutCause(ctx, e.Time, errLate)
		defer stop()
	}
	var m metric.Metric
	best := -1
	for more := true; more; more = trials.Err() == nil && c.extend(best) {
		if err := c.score(ctx, trials, run, innerFolds, may, seed); err != nil {
			return nil, err
		}
		m = c.decides(may)
		if best = c.best(bool(m.Better)); best < 0 {
			return nil, c.noneWorked(m.Name)
		}
	}
	chosen := best
	if e.Choose == chooseOneSE {
		chosen = c.simplestWithinSE(best, bool(m.Better))
	}
	if e.Drawn() {
		run.Say("drawn", fmt.Sprintf("%d points, %d of them different", e.Draws, drawn))
	}
	c.tell(run, m.Name, len(innerFolds), chosen, best)
	if trials.Err() != nil {
		run.Note(fmt.Sprintf(engines.NotRepeatable+": the search ended after its time, %v, with %d of %d candidates compared", e.Time, len(c.points)-c.late(), len(c.points)))
	}
	last := c.stage(innerFolds)
	c.mark(&last, best, chosen, bool(m.Better))
	search.Stages = append(search.Stages, last)
	run.RecordSearch(search)
	return c.engine(chosen), nil
}

// pair returns both halves of the seed of a fit.
func pair(seed uint64) [2]uint64 { return [2]uint64{seed, seed ^ 0x74756e65} }

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed^0x74756e65)) }
