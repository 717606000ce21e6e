// Package stagewise is epsilon Forward Stagewise regression: each step looks for the feature most correlated with the
// residual and moves its coefficient a little.
//
// Giles Hooker and Fuliang Weng, "Feature selection with forward stagewise regression" (2004), with the paper's formulas
// for sparse data corrected (the correlation update's sign, its rank-one offset, the intercept in R²), an exact search
// for the largest correlation that looks at about one feature in a hundred, and every look-up mode of its section 7.
package stagewise

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/kind"
)

// Stagewise minimises Σ m·(y − b₀ − X·b)² by small steps from b = 0. With G the columns of X, centred and scaled, and r
// the residual, one turn takes the feature with the largest |c|, c = G'r, and moves its coefficient by ±ε.
type Stagewise struct {
	Epsilon float64 `yaml:"epsilon" doc:"size of a step, > 0, in units of the target per standard deviation of a feature; a multiple of what step says, and at most 1 for linesearch"`
	Step    string  `yaml:"step" doc:"fixed; rss: epsilon times the share of the variance not yet explained; rms: epsilon times the residual's root mean square; linesearch: epsilon times the best step on the feature (shrinkage)"`
	Scale   string  `yaml:"scale" doc:"what features are divided by: sd (standard deviation), unit (Euclidean norm after centring), none"`

	Lookup string  `yaml:"lookup" doc:"features looked at in a turn: full, random (sample of them, drawn anew), queue (the sample not looked at for longest), list (lists, in turn)"`
	Sample int     `yaml:"sample" doc:"features looked at in a turn of lookup random or queue, ≥ 1"`
	Carry  bool    `yaml:"carry" doc:"look at the feature of the previous step too"`
	Lists  [][]int `yaml:"lists" doc:"for lookup list: 0-based columns that turn t looks at, t modulo the number of lists"`
	Lazy   bool    `yaml:"lazy" doc:"keep residuals and no inner products: no Gram column is ever computed; for random, queue and list on systems too large for them"`

	MaxIter    int     `yaml:"max_iter" doc:"turns at most, ≥ 0"`
	MaxEntered int     `yaml:"max_entered" doc:"stop when this many features have entered; 0: no limit"`
	MinC       float64 `yaml:"min_c" doc:"stop when no |c| is above this, ≥ 0, in units of c"`
	Patience   int     `yaml:"patience" doc:"stop when the held-out error has found no new minimum for this many turns; 0: never"`
	TestEvery  int     `yaml:"test_every" doc:"turns between looks at the held-out error, ≥ 1"`
	Loop       bool    `yaml:"loop" doc:"stop when a step would undo the one before (step fixed, lookup full)"`
	LoopRun    int     `yaml:"loop_run" doc:"stop after this many steps in a row that each undo the one before, for the other steps and look-ups; 0: never"`

	Choose     string  `yaml:"choose" doc:"the step whose model is kept: last; validation (the best on a held-out part of the training rows, then a refit on all of them for as many turns); test (the best on the fold's test rows, as in the paper: optimistic)"`
	Validation float64 `yaml:"validation" doc:"share of the training rows (of their groups, where there are groups) held out for choose: validation, in (0, 1)"`

	Jumps      bool   `yaml:"jumps" doc:"take the steps that provably fall on one feature at once (step fixed, lookup full)"`
	DriftEvery int    `yaml:"drift_every" doc:"steps between computing the state anew from the coefficients, against accumulated rounding; 0: never"`
	Scan       string `yaml:"scan" key:"-" doc:"how lookup full finds the largest |c|: blocked, or full (every feature; the same path, slowly)"`
	Block      int    `yaml:"block" key:"-" doc:"features in a block of scan blocked: a power of two, 0 for 64 below 50,000 features and 256 above"`
	GramMemory int64  `yaml:"gram_memory" key:"-" doc:"bytes of Gram columns kept in memory; others are computed again"`
}

// Kind of the engine.
var Kind = engines.Define(engines.Kind{
	Name: "stagewise",
	Doc:  "forward stagewise regression: many small steps, each on the feature most correlated with the residual",
	Cite: "Hooker & Weng 2004",
	Rev:  1,
}, Stagewise{
	Epsilon: 0.01, Step: "fixed", Scale: "sd",
	Lookup: "full", Sample: 50,
	MaxIter: 100_000, TestEvery: 10, Loop: true,
	Choose: "validation", Validation: 0.1,
	DriftEvery: 10_000, Scan: "blocked", GramMemory: 512 << 20,
})

// Validate checks the parameters.
func (e Stagewise) Validate() error {
	require := func(field string, ok bool, format string, args ...any) error {
		if ok {
			return nil
		}
		return kind.Errorf(field, format, args...)
	}
	return errors.Join(
		require("epsilon", e.Epsilon > 0 && !math.IsInf(e.Epsilon, 0), "%v: expected a positive number", e.Epsilon),
		require("epsilon", e.Step != "linesearch" || !(e.Epsilon > 1), "%v: with step linesearch expected at most 1", e.Epsilon),
		kind.OneOf("step", e.Step, "fixed", "rss", "rms", "linesearch"),
		kind.OneOf("scale", e.Scale, "sd", "unit", "none"),
		kind.OneOf("lookup", e.Lookup, "full", "random", "queue", "list"),
		require("sample", e.Sample >= 1, "%d: expected at least 1", e.Sample),
		require("carry", !e.Carry || e.Lookup != "full", "lookup full looks at every feature anyway"),
		require("lists", (e.Lookup == "list") == (len(e.Lists) > 0), "lookup list needs lists, and only it uses them"),
		require("lists", !slices.ContainsFunc(e.Lists, func(list []int) bool { return len(list) > 0 && slices.Min(list) < 0 }), "a column is negative; columns count from 0"),
		require("lazy", !e.Lazy || e.Lookup != "full", "with lookup full every turn would read all of the data"),
		require("max_iter", e.MaxIter >= 0, "%d: expected 0 or more", e.MaxIter),
		require("max_entered", e.MaxEntered >= 0, "%d: expected 0 or more", e.MaxEntered),
		require("min_c", e.MinC >= 0 && !math.IsInf(e.MinC, 0), "%v: expected 0 or more", e.MinC),
		require("patience", e.Patience >= 0, "%d: expected 0 or more", e.Patience),
		require("patience", e.Patience == 0 || e.Choose != "last", "choose: last looks at no held-out error that could run out of patience"),
		require("test_every", e.TestEvery >= 1, "%d: expected at least 1", e.TestEvery),
		require("loop_run", e.LoopRun >= 0, "%d: expected 0 or more", e.LoopRun),
		kind.OneOf("choose", e.Choose, "last", "validation", "test"),
		require("validation", e.Validation > 0 && e.Validation < 1, "%v: expected a share between 0 and 1", e.Validation),
		require("jumps", !e.Jumps || e.Step == "fixed" && e.Lookup == "full" && e.Scan == "blocked", "jumps need step fixed, lookup full and scan blocked"),
		require("drift_every", e.DriftEvery >= 0, "%d: expected 0 or more", e.DriftEvery),
		kind.OneOf("scan", e.Scan, "blocked", "full"),
		require("block", e.Block >= 0 && e.Block&(e.Block-1) == 0, "%d: expected a power of two, or 0", e.Block),
		require("gram_memory", e.GramMemory >= 0, "%d: expected 0 or more", e.GramMemory),
	)
}

// Needs one real target, and the fold's test rows for choose: test.
func (e Stagewise) Needs() engines.Needs {
	return engines.Needs{Target: data.Real, Watch: e.Choose == "test"}
}

// Footprint is the memory of a fit: compact copies of the training rows by row and by column (and a plain one of most of
// them for validation), vectors, and Gram columns up to their limit or to what all of them would take.
func (e Stagewise) Footprint(rows, columns int, entries int64) int64 {
	n, p := int64(max(rows, 1)), int64(columns)
	bytes := 5*entries + 16*n + 150*p
	if e.Choose == "validation" {
		bytes += 8*entries + 24*n
	}
	if e.Lazy {
		return bytes
	}
	return bytes + min(e.GramMemory, 3*p*p, 3*entries*(entries/n+1))
}

// Fit walks the path and returns the model of one of its steps.
func (e Stagewise) Fit(ctx context.Context, run engines.Run) (engines.Model, error) {
	if e.Choose == "validation" {
		return e.fitValidated(ctx, run)
	}
	if e.Choose == "test" && run.Watch == nil {
		return nil, fmt.Errorf("choose: test: there are no test rows to watch")
	}
	if e.Choose == "last" {
		run.Watch = nil
	}
	w, err := e.start(ctx, run)
	if err != nil {
		return nil, err
	}
	if err := w.walk(ctx); err != nil {
		return nil, err
	}
	return w.model(e.fitted(w)), nil
}

// fitValidated chooses the number of turns on a part of the training rows, then takes as many on all of them.
func (e Stagewise) fitValidated(ctx context.Context, run engines.Run) (engines.Model, error) {
	part, held, err := split(run.Train, run.Rand, e.Validation)
	if err != nil {
		return nil, err
	}
	inner := run
	inner.Train, inner.Watch = part, held
	search, err := e.start(ctx, inner)
	if err != nil {
		return nil, err
	}
	if err := search.walk(ctx); err != nil {
		return nil, err
	}
	search.release()
	run.Watch = nil
	e.MaxIter, e.Patience = search.best.turn, 0
	refit, err := e.start(ctx, run)
	if err != nil {
		return nil, err
	}
	refit.refit = true
	if err := refit.walk(ctx); err != nil {
		return nil, err
	}
	return refit.model(e.fittedTwice(search, refit)), nil
}
