// Package stagewise is epsilon Forward Stagewise regression: each step finds the feature most correlated with the
// residual and moves its coefficient a little.
//
// Giles Hooker and Fuliang Weng, "Feature selection with forward stagewise regression" (2004), with the paper's formulas
// for sparse data corrected (docs/engines/stagewise.md#source-and-errata), an exact search for the largest correlation that looks at
// about one feature in a hundred, and every look-up mode of its section 7; and its section 8, the same steps up a
// log-likelihood, for the exponential family, two classes and any number of them.
//
// The way through the files:
//
//   - stagewise.go: parameters, Fit, and the main loop (iterate). path.go: what every path keeps, and the stopping rules
//   - least squares: least_squares.go takes the steps, least_squares_start.go sets them up; the correlations are updated by Gram
//     columns (gram_correlations.go, gram_blocks.go) or computed from residuals (residual_correlations.go); jumps.go takes many
//     equal steps at once
//   - likelihoods: likelihood_path.go takes the steps, package likelihood holds the partial derivatives
//   - package lookup finds the next feature; package design centres and scales columns and numbers them by position; split.go holds
//     out rows
//   - families.go and class_families.go: what each family accepts, and how its path starts. report.go: facts of a fit
package stagewise

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/param"
	"tenfold/engines/steps/stagewise/lookup"
)

// Stagewise minimises Σ m·(y − b₀ − X·b)² by small steps from b = 0. With G the columns of X, centred and scaled, and r
// the residual, one iteration takes the feature with the largest |c|, c = G'r, and moves its coefficient by ±ε.
//
// The other families increase a log-likelihood L(λ) from λ = 0 instead: one iteration takes the feature with the largest
// |∂L/∂λ|, or the one whose step raises L most, and moves its weight by ±ε.
type Stagewise struct {
	Family string `yaml:"family" doc:"what is fitted: auto (gaussian where the target is a number, logistic of two levels, loglinear of more); gaussian (least squares; real target); logistic (probability of the second of two levels, or of a real target's 1 against 0); loglinear (probabilities of any number of levels, with weights for column and class); expfam (log-weights of rows; the real target is each row's base weight W, > 0)"`

	Epsilon float64 `yaml:"epsilon" simpler:"larger" doc:"size of a step, > 0, in units of the target per standard deviation of a feature (of log-weight, where the family has a likelihood); a multiple of what step says, and at most 1 for linesearch"`
	Step    string  `yaml:"step" doc:"fixed; rss: epsilon times the share of the variance not yet explained; rms: epsilon times the residual's root mean square; linesearch: epsilon times the best step on the feature (shrinkage)"`
	Scale   string  `yaml:"scale" doc:"what features are divided by: sd (standard deviation), unit (Euclidean norm after centring), none; gaussian centres them too, likelihoods of classes those of numbers that are mostly not 0"`

	Lookup string  `yaml:"lookup" doc:"features looked at in an iteration: full, random (sample of them, drawn anew), queue (the sample not looked at for longest), list (lists, in turn)"`
	Sample int     `yaml:"sample" doc:"features looked at in an iteration of lookup random or queue, ≥ 1"`
	Carry  bool    `yaml:"carry" doc:"look at the feature of the previous step too"`
	Lists  [][]int `yaml:"lists" doc:"for lookup list: 0-based columns that iteration t looks at, t modulo the number of lists"`
	Lazy   bool    `yaml:"lazy" doc:"keep residuals and no inner products: no Gram column is ever computed; for random, queue and list on systems too large for them"`

	Select         string `yaml:"select" doc:"what a step is chosen by: gradient (the largest partial derivative), explicit (the largest increase of the log-likelihood; not for gaussian)"`
	Cutoff         int    `yaml:"cutoff" doc:"for loglinear: rows in which column and class must come together for a weight, ≥ 1"`
	InterceptEvery int    `yaml:"intercept_every" doc:"for logistic: steps between moves of the intercept to its best value; 0: it stays at the log odds"`

	MaxIter     int     `yaml:"max_iter" resource:"yes" doc:"maximum number of iterations, ≥ 0"`
	MaxEntered  int     `yaml:"max_entered" doc:"stop when this many features have entered; 0: no limit"`
	MinC        float64 `yaml:"min_c" doc:"stop when no |c| is above this, ≥ 0, in units of c"`
	MinGradient float64 `yaml:"min_gradient" doc:"for select gradient of a likelihood: stop when no partial derivative is above this, ≥ 0"`
	MinIncrease float64 `yaml:"min_increase" doc:"for select explicit: stop when no step raises the log-likelihood by more than this, ≥ 0"`
	Patience    int     `yaml:"patience" doc:"stop when the held-out error has found no new minimum for this many iterations; 0: never"`
	TestEvery   int     `yaml:"test_every" doc:"iterations between looks at the held-out error, ≥ 1"`
	Loop        bool    `yaml:"loop" doc:"stop when a step would undo the one before (step fixed, lookup full)"`
	LoopRun     int     `yaml:"loop_run" doc:"stop after this many steps in a row that each undo the one before, for the other steps and look-ups; 0: never"`

	Choose     string  `yaml:"choose" doc:"the step whose model is kept: last; validation (the best on a held-out part of the training rows, then a refit on all of them for as many iterations); test (the best on the fold's test rows, as in the paper: optimistic); the best has the least squared error, or for classes the highest log-likelihood"`
	Validation float64 `yaml:"validation" doc:"share of the training rows (of their groups, where there are groups) held out for choose: validation, below 1; 0: a tenth, but twenty of fewer than 200, and at most a third"`

	Jumps      bool   `yaml:"jumps" doc:"take the steps that provably fall on one feature at once (step fixed, lookup full)"`
	DriftEvery int    `yaml:"drift_every" doc:"steps between computing the state anew from the coefficients, against accumulated rounding; 0: never; a likelihood does so at least every 1000 steps"`
	Scan       string `yaml:"scan" key:"-" doc:"how lookup full finds the largest |c|: blocked, or full (every feature; the same path, slowly)"`
	Block      int    `yaml:"block" key:"-" doc:"features in a block of scan blocked: a power of two, 0 for 64 below 50,000 features and 256 above"`
	GramMemory int64  `yaml:"gram_memory" key:"-" doc:"bytes of Gram columns kept in memory; others are computed again"`
}

// Kind of the engine.
var Kind = engines.Define(engines.Kind{
	Name: "stagewise",
	Doc:  "forward stagewise regression: many small steps, each on the feature most correlated with the residual, or of the steepest log-likelihood",
	Cite: "Hooker & Weng 2004",
	Rev:  4,
}, Stagewise{
	Family: auto, Select: "gradient", Cutoff: 1,
	Epsilon: 0.01, Step: "fixed", Scale: "sd",
	Lookup: "full", Sample: defaultSample,
	MaxIter: 100_000, TestEvery: defaultTestEvery, Loop: true,
	Choose:     "validation",
	DriftEvery: 10_000, Scan: "blocked", GramMemory: 512 << 20,
})

const (
	defaultSample    = 50
	defaultTestEvery = 10
)

// Fit follows the path and returns the model of its best point (choose).
func (e Stagewise) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	e, err := e.resolveFamily(run)
	if err != nil {
		return nil, err
	}
	if run.Cache > 0 {
		e.GramMemory = min(e.GramMemory, run.Cache)
	}
	if e.Choose == "validation" {
		return e.fitValidated(ctx, run)
	}
	if e.Choose == "test" && run.Watch == nil {
		return nil, fmt.Errorf("choose: test: there are no test rows to watch")
	}
	if e.Choose == "last" {
		run.Watch = nil
	}
	p, err := e.follow(ctx, run, false)
	if err != nil {
		return nil, err
	}
	return p.model(e.fitted(p)), nil
}

// fitValidated finds the best number of iterations on a part of the training rows, then takes as many on all of them.
func (e Stagewise) fitValidated(ctx context.Context, run engines.Run) (engines.Model, error) {
	part, held, err := splitForValidation(run.Train, run.Rand, e.Validation)
	if err != nil {
		return nil, err
	}
	inner := run
	inner.Train, inner.Watch = part, held
	search, err := e.follow(ctx, inner, false)
	if err != nil {
		return nil, err
	}
	search.release()
	run.Watch = nil
	e.MaxIter, e.Patience = search.state().best.iteration, 0
	refit, err := e.follow(ctx, run, true)
	if err != nil {
		return nil, err
	}
	return refit.model(e.fittedByValidation(search, refit)), nil
}

// follow starts a path on the training rows of run and follows it to its end.
func (e Stagewise) follow(ctx context.Context, run engines.Run, isRefit bool) (path, error) {
	p, err := e.family().start(ctx, e, run)
	if err != nil {
		return nil, err
	}
	p.state().isRefit = isRefit
	return p, p.run(ctx)
}

// stepper takes the steps of a path. leastSquaresPath and likelihoodPath implement it.
type stepper interface {
	tolerance() float64                                // the largest |c| that is not worth a step
	exhaustedReason() string                           // the stop reason if no feature is worth a step
	takeStep(ctx context.Context, found lookup.Choice) // moves the feature found, and sets stop if a rule ends the path
	traceSkipped()                                     // traces an iteration without a step
}

// iterate runs the main loop until a stopping rule holds. Each iteration looks at features, takes the one with the largest
// |c|, a correlation or partial derivative (select explicit: the largest increase of the log-likelihood), and moves its
// coefficient by one step.
func (p *pathState) iterate(ctx context.Context, steps stepper) error {
	for p.stop == "" {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if p.iteration == p.e.MaxIter {
			p.stop = stopMaxIter
			break
		}
		found := p.lookup.Choose(ctx, p.last)
		p.evaluated += int64(found.Looked)
		switch {
		case found.Position >= 0 && !(math.Abs(found.Score) <= steps.tolerance()):
			steps.takeStep(ctx, found)
		case ctx.Err() != nil: // choose was interrupted
		case p.e.Lookup == "full":
			p.stop = steps.exhaustedReason()
		default: // a sample without a candidate says nothing about the other features
			p.iteration++
			p.skipped++
			steps.traceSkipped()
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx) // the last step may not have been finished
	}
	return nil
}

// Validate checks the parameters.
func (e Stagewise) Validate() error {
	return errors.Join(
		param.OneOf("family", e.Family, append([]string{auto}, families...)...),
		param.OneOf("select", e.Select, "gradient", "explicit"),
		e.checkFamily(),
		param.Require("cutoff", e.Cutoff >= 1, "%d, expected at least 1", e.Cutoff),
		param.Require("intercept_every", e.InterceptEvery >= 0, "%d, expected 0 or more", e.InterceptEvery),
		param.Require("min_gradient", e.MinGradient >= 0 && !math.IsInf(e.MinGradient, 0), "%v, expected 0 or more", e.MinGradient),
		param.Require("min_increase", e.MinIncrease >= 0 && !math.IsInf(e.MinIncrease, 0), "%v, expected 0 or more", e.MinIncrease),
		param.Require("epsilon", e.Epsilon > 0 && !math.IsInf(e.Epsilon, 0), "%v, expected a positive number", e.Epsilon),
		param.Require("epsilon", e.Step != "linesearch" || !(e.Epsilon > 1), "%v: with step linesearch expected at most 1", e.Epsilon),
		param.OneOf("step", e.Step, "fixed", "rss", "rms", "linesearch"),
		param.OneOf("scale", e.Scale, "sd", "unit", "none"),
		param.OneOf("lookup", e.Lookup, "full", "random", "queue", "list"),
		param.Require("sample", e.Sample >= 1, "%d, expected at least 1", e.Sample),
		param.Idle("sample", e.Sample, defaultSample, e.Lookup == "random" || e.Lookup == "queue", "it is for lookup random and queue"),
		param.Require("carry", !e.Carry || e.Lookup != "full", "lookup full looks at every feature anyway"),
		param.Require("lists", (e.Lookup == "list") == (len(e.Lists) > 0), "lookup list needs lists, and only it uses them"),
		param.Require("lists", !slices.ContainsFunc(e.Lists, func(list []int) bool { return len(list) > 0 && slices.Min(list) < 0 }), "a column is negative; columns count from 0"),
		param.Require("lazy", !e.Lazy || e.Lookup != "full", "with lookup full every iteration would read all of the data"),
		param.Require("max_iter", e.MaxIter >= 0, "%d, expected 0 or more", e.MaxIter),
		param.Require("max_entered", e.MaxEntered >= 0, "%d, expected 0 or more", e.MaxEntered),
		param.Require("min_c", e.MinC >= 0 && !math.IsInf(e.MinC, 0), "%v, expected 0 or more", e.MinC),
		param.Require("patience", e.Patience >= 0, "%d, expected 0 or more", e.Patience),
		param.Require("patience", e.Patience == 0 || e.Choose != "last", "choose: last looks at no held-out error that could run out of patience"),
		param.Require("test_every", e.TestEvery >= 1, "%d, expected at least 1", e.TestEvery),
		param.Idle("test_every", e.TestEvery, defaultTestEvery, e.Choose != "last", "choose: last looks at no held-out error"),
		param.Idle("loop", e.Loop, true, e.Step == "fixed" && e.Lookup == "full", "it is for step fixed and lookup full"),
		param.Require("loop_run", e.LoopRun >= 0, "%d, expected 0 or more", e.LoopRun),
		param.Idle("loop_run", e.LoopRun, 0, !(e.Loop && e.Step == "fixed" && e.Lookup == "full"), "with step fixed and lookup full, loop ends the path at the first"),
		param.OneOf("choose", e.Choose, "last", "validation", "test"),
		param.Require("validation", e.Validation >= 0 && e.Validation < 1, "%v, expected a share below 1, or 0 for the default", e.Validation),
		param.Idle("validation", e.Validation, 0, e.Choose == "validation", "it is for choose: validation"),
		param.Require("jumps", !e.Jumps || e.Step == "fixed" && e.Lookup == "full" && e.Scan == "blocked", "jumps need step fixed, lookup full and scan blocked"),
		param.Require("drift_every", e.DriftEvery >= 0, "%d, expected 0 or more", e.DriftEvery),
		param.OneOf("scan", e.Scan, "blocked", "full"),
		param.Require("block", e.Block >= 0 && e.Block&(e.Block-1) == 0, "%d, expected a power of two, or 0", e.Block),
		param.Require("gram_memory", e.GramMemory >= 0, "%d, expected 0 or more", e.GramMemory),
	)
}

// checkFamily refuses parameters that mean nothing in the family.
func (e Stagewise) checkFamily() error {
	if e.Family == auto {
		return e.checkAuto()
	}
	return e.family().check(e)
}

// Needs returns one target of the family's type, and the fold's test rows for choose: test.
func (e Stagewise) Needs() engines.Needs {
	needs := e.family().needs()
	if e.Family == auto {
		needs = e.autoNeeds()
	}
	needs.Watch, needs.Entry = e.Choose == "test", true
	return needs
}

// Footprint returns the memory of a fit: compact copies of the training rows by row and by column, the indices of the rows held out
// for validation, vectors, and Gram columns up to their limit or to what all of them would take.
// With least squares the compact copies can lie on disk; Gram columns save time.
func (e Stagewise) Footprint(s engines.Shape) engines.Footprint {
	e = e.withFamily(s.Levels)
	n, p := int64(max(s.Rows, 1)), int64(s.Columns)
	vectors := e.vectorBytes(n, p)
	bytes := 5*s.Entries + vectors
	if e.Family != "gaussian" {
		if e.Choose == "validation" {
			bytes += 8 * s.Entries
		}
		if !s.Ones { // columns that are centred
			bytes += 24 * s.Entries
		}
		return engines.Footprint{Bytes: bytes + e.family().footprint(n, p, s.Entries)}
	}
	gram := e.gramBytes(n, p, s.Entries)
	return engines.Footprint{Bytes: bytes + gram, Resident: vectors, Useful: gram}
}

func (e Stagewise) vectorBytes(n, p int64) int64 {
	bytes := 16*n + 150*p
	if e.Choose == "validation" {
		bytes += 36 * n
	}
	return bytes
}

// gramBytes bounds the bytes of the Gram columns.
func (e Stagewise) gramBytes(n, p, entries int64) int64 {
	if e.Lazy {
		return 0
	}
	return min(e.GramMemory, 3*p*p, 3*entries*(entries/n+1))
}
