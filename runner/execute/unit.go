package execute

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/searches"
	"tenfold/io/results"
	"tenfold/runner/inner"
	"tenfold/runner/metric"
	"tenfold/runner/score"
)

// timeLimitError is the cause of cancelling a fit that exceeds its time limit.
type timeLimitError struct{ limit time.Duration }

func (o timeLimitError) Error() string {
	return fmt.Sprintf("the fit exceeded its limit of %s", o.limit)
}

// memoryLimitError is the error of a unit whose memory limit is below what it is predicted to need.
type memoryLimitError struct{ need, limit int64 }

func (t memoryLimitError) Error() string {
	return fmt.Sprintf("predicted to need %.4g MiB, the limit is %.4g MiB", float64(t.need)/(1<<20), float64(t.limit)/(1<<20))
}

// executeUnit fits, predicts and scores one unit. What was recorded before an error stays in the outcome.
func executeUnit(ctx context.Context, u *Unit, store Store, logs *innerLogs, helpers int, o *results.Outcome) error {
	o.Limit = u.Limits.Time
	if u.Pool != nil {
		return runPool(ctx, u, store, o)
	}
	o.RowsTrain, o.RowsTest = int64(len(u.Split.Fold.Train)), int64(len(u.Split.Fold.Test))
	if need := u.Need(); u.Limits.Memory > 0 && need > u.Limits.Memory {
		return memoryLimitError{need, u.Limits.Memory}
	}
	if u.Imported != nil {
		return scoreImported(u, o)
	}
	engine, err := u.Engine, error(nil)
	if u.Build != nil {
		if engine, err = u.Build(outcomesBefore(u, store.Get)); err != nil {
			return err
		}
	}
	train, test, notices, err := u.Split.prepare()
	if err != nil {
		return err
	}
	o.Columns = int64(train.RealColumns())
	o.Prepared = append(o.Prepared, notices.facts...)
	o.Notes = append(o.Notes, notices.warnings...)
	limited, stop := u.withTimeLimit(ctx)
	defer stop()
	var opened openedFiles
	defer func() { o.Facts = append(o.Facts, opened.facts()...) }() // of predictions, too
	var along pathModels
	model, err := fitEngine(limited, engine, u, newRecaller(u, train, logs, helpers > 1), helpers, train, test, &along, &opened, o)
	if err != nil {
		return contextCause(limited, err)
	}
	defer engines.Close(model)
	if u.Label.Stage != "" {
		return storeArtefact(o, model)
	}
	start := time.Now()
	outputs, err := score.Predict(model, train, test, helpers)
	if err != nil {
		return err
	}
	o.SecondsPredict = time.Since(start).Seconds()
	addSelected(o, model, train)
	o.Scores = append(o.Scores, sizeScores(int(o.Nonzero), int(o.Features), score.FinalPoint)...)
	o.Scores = append(o.Scores, candidateScores(train)...)
	o.Scores = append(o.Scores, workScore("seconds_fit", score.FinalPoint, o.SecondsFit), workScore("seconds_predict", score.FinalPoint, o.SecondsPredict))
	u.recordPredictions(o, test, outputs)
	return along.scoreModels(ctx, o, train, test, helpers)
}

// recordPredictions adds the metrics and notes of the predictions for the test rows, and stores the predictions if the unit asks
// for it.
func (u *Unit) recordPredictions(o *results.Outcome, test *data.View, outputs []score.Target) {
	score.Add(o, outputs, score.FinalPoint)
	for i := range outputs {
		o.Notes = append(o.Notes, outputs[i].Notes()...)
		o.Facts = append(o.Facts, metric.ChunkFacts(&outputs[i].Outcome)...)
	}
	if u.Predictions {
		score.KeepPredictions(o, test, outputs)
	}
}

// withTimeLimit returns the context of a fit, or of a stage's work in place of one, which ends at the unit's time limit.
func (u *Unit) withTimeLimit(ctx context.Context) (context.Context, context.CancelFunc) {
	if u.Limits.Time <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, u.Limits.Time, timeLimitError{u.Limits.Time})
}

// contextCause replaces a context's error by its cause.
func contextCause(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return context.Cause(ctx)
	}
	return err
}

// fitEngine runs the engine on a locked thread, so that its processor time can be measured apart from other units'.
func fitEngine(ctx context.Context, engine engines.Engine, u *Unit, works *recaller, helpers int, train, test *data.View, along *pathModels, opened *openedFiles, o *results.Outcome) (engines.Model, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	seed := uint64(u.Label.Seed)
	var charged seconds
	var recalled credit
	path := newRecorder(test)
	run := engines.Run{
		Train: train, Trace: path.recordStep, Workers: helpers,
		Rand: rand.New(rand.NewPCG(seed, seed^0x9E3779B97F4A7C15)), Inner: u.Inner, Divide: inner.Validation(u.Defined), Recall: works.recall(&recalled),
		Cache: u.cache, Memory: u.Limits.Memory, Charge: func(seconds float64) { charged.add(seconds) }, Opened: opened.add,
		Tell:     func(f data.Fact) { o.Facts = append(o.Facts, f) },
		Warn:     func(note string) { o.Notes = append(o.Notes, note) },
		Searched: func(s searches.Record) { o.Searches = append(o.Searches, s) },
		Progress: func(text string) { u.progress.Store(&text) },
	}
	defer u.progress.Store(nil)
	along.attach(&run, u.At, path)
	if engine.Needs().Watch {
		run.Watch = test
	}
	alone := helpers > 1
	start, cpu := time.Now(), cpuSeconds(alone)
	model, err := engine.Fit(ctx, run)
	o.SecondsFit = time.Since(start).Seconds() + recalled.wall.sum()
	o.CPUSeconds = cpuSeconds(alone) - cpu + charged.sum() + recalled.cpu.sum()
	o.Optimistic = train.Pooled()
	best := -1
	if err == nil && model == nil {
		return nil, errors.New("the engine returned no model")
	}
	if r, ok := model.(engines.Reporter); ok && err == nil {
		f := r.Fitted()
		best = f.Best
		o.Stop, o.Optimistic, o.Notes = f.Stop, o.Optimistic || f.Optimistic, append(o.Notes, f.Notes...)
		o.Facts = append(o.Facts, f.Facts...)
		o.Scores = append(o.Scores, workScores(f, score.FinalPoint)...)
	}
	if err == nil && len(u.At) > 0 {
		if note := along.carryOn(u.At, model, engine.Needs().Sizes, train); note != "" {
			o.Notes = append(o.Notes, note)
		}
	}
	o.Path = path.recordedPath(best)
	return model, err
}

// seconds is a sum that several goroutines add to.
type seconds struct {
	mu    sync.Mutex
	total float64
}

func (s *seconds) add(more float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total += more
}

func (s *seconds) sum() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total
}

// openedFiles collects the facts about files that programs opened for a fit.
type openedFiles struct {
	mu     sync.Mutex
	unique map[data.Fact]bool
}

func (f *openedFiles) add(file data.Fact) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.unique == nil {
		f.unique = map[data.Fact]bool{}
	}
	f.unique[file] = true
}

// facts returns them by name.
func (f *openedFiles) facts() []data.Fact {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.SortedFunc(maps.Keys(f.unique), func(a, b data.Fact) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Value, b.Value))
	})
}

func workScore(name string, point int32, value float64) results.Score {
	return results.Score{Metric: name, Point: point, Value: value}
}

// workScores returns the metrics that follow from the course of the fit.
func workScores(f engines.Fitted, point int32) (scores []results.Score) {
	for _, m := range metric.All() {
		if m.Fitted == nil {
			continue
		}
		if v, ok := m.Fitted(f); ok {
			scores = append(scores, results.Score{Metric: m.Name, Point: point, Value: v, Higher: bool(m.Better)})
		}
	}
	return scores
}

// candidateScores returns what could be selected: the number of kept columns or units if there are some, and of other units, if
// columns are counted by units.
func candidateScores(train *data.View) (out []results.Score) {
	kept := len(train.Kept())
	units, n := train.Units()
	if units != nil {
		open := map[int32]bool{} // units with a column that is not kept
		for j, u := range units {
			if train.Competes(j) {
				open[u] = true
			}
		}
		if kept > 0 {
			kept = n - len(open)
		}
		out = append(out, workScore(results.UnitsMetric, score.FinalPoint, float64(len(open)-train.Probes().Number)))
	}
	if len(train.Kept()) > 0 {
		out = append(out, workScore(results.KeptMetric, score.FinalPoint, float64(kept)))
	}
	return out
}

func sizeScores(nonzero, selected int, point int32) []results.Score {
	return []results.Score{workScore("nonzero", point, float64(nonzero)), workScore("selected", point, float64(selected))}
}

// addSelected records the selected features; those with an importance only have no coefficient.
func addSelected(o *results.Outcome, model engines.Model, train *data.View) {
	coefs, weighing := engines.Entries(model), len(model.Coefs()) == 0
	features, name := train.Features(), featureNamer(model, train)
	o.Selected = slices.Grow(o.Selected, len(coefs))
	least, rank := leastKept(coefs), rankBesideKept(coefs, train)
	for _, c := range coefs {
		kept := score.IsKept(train, c.Feature)
		if kept && !weighing && math.Abs(c.Value) <= least {
			continue
		}
		s := results.Selected{
			Rank: rank(c), Feature: name(c.Feature), Output: outputName(train, c.Output),
			Coefficient: c.Value, Score: c.Score, Bits: bitsOf(c.Bits), Kept: kept,
		}
		if c.Feature < features.Len() { // features of the model itself have no class
			if k := features.Class(c.Feature); k >= 0 {
				s.Class = features.Classes()[k]
			}
			s.Unit = train.UnitName(c.Feature)
		}
		if c.Rank < 0 && c.Score == 0 { // engines without an order of entry mostly have no scores
			s.Score = math.NaN()
		}
		if weighing {
			s.Coefficient, s.Output = math.NaN(), ""
		}
		o.Selected = append(o.Selected, s)
	}
	slices.SortStableFunc(o.Selected, func(a, b results.Selected) int {
		return cmp.Or(cmp.Compare(a.Output, b.Output), cmp.Compare(a.Rank, b.Rank))
	})
	names := featureNames(model, train)
	nonzero, selected := realSizes(model, train, names)
	o.Nonzero, o.Features = int32(nonzero), int32(selected)
	o.SelectedSum = namesDigest(names)
	if len(train.Kept()) > 0 {
		counted := map[string]bool{} // what is selected, and what is kept
		for _, s := range o.Selected {
			if !data.IsProbe(s.Feature) {
				counted[s.Counted()] = true
			}
		}
		o.Scores = append(o.Scores, workScore(results.SelectedWithKeptMetric, score.FinalPoint, float64(len(counted))))
	}
}

// rankBesideKept returns the function that gives the place of a coefficient in the order of entry of an output, among those of columns that
// are not kept; −1 for those, and where there is no order.
func rankBesideKept(coefs []engines.Coef, train *data.View) func(engines.Coef) int32 {
	kept := map[int][]int{} // ranks by output, rising
	for _, c := range coefs {
		if score.IsKept(train, c.Feature) {
			kept[c.Output] = append(kept[c.Output], c.Rank)
		}
	}
	for _, ranks := range kept {
		slices.Sort(ranks)
	}
	return func(c engines.Coef) int32 {
		if score.IsKept(train, c.Feature) {
			return -1
		}
		ahead, _ := slices.BinarySearch(kept[c.Output], c.Rank)
		return int32(max(-1, c.Rank-ahead))
	}
}

// leastKept returns the size up to which the coefficient of a kept column is rounding: 1e-12 of the largest. Collinear kept levels
// get such coefficients.
func leastKept(coefs []engines.Coef) float64 {
	largest := 0.0
	for _, c := range coefs {
		largest = max(largest, math.Abs(c.Value))
	}
	return 1e-12 * largest
}

// realSizes returns the numbers of coefficients and of distinct features, or units, in a model with these features, without probes
// and kept columns.
func realSizes(model engines.Model, train *data.View, names []string) (nonzero, selected int) {
	probes := train.Probes()
	for _, c := range model.Coefs() {
		if !probes.Has(c.Feature) && !score.IsKept(train, c.Feature) {
			nonzero++
		}
	}
	return nonzero, countSelected(names, train)
}

// countSelected counts distinct features without probes and kept columns; the features of a unit count once.
func countSelected(names []string, train *data.View) int {
	probes, kept := train.Probes().Number > 0, len(train.Kept()) > 0
	if units, _ := train.Units(); units == nil && !probes && !kept {
		return len(names)
	}
	counted := map[string]bool{}
	for _, name := range names {
		if probes && data.IsProbe(name) {
			continue
		}
		unit := ""
		if j, ok := train.Features().Lookup(name); ok {
			if score.IsKept(train, j) {
				continue
			}
			unit = train.UnitName(j)
		}
		counted[cmp.Or(unit, name)] = true
	}
	return len(counted)
}

// bitsOf converts a coefficient's bits to the form of results.
func bitsOf(b *engines.Bits) *results.Bits {
	if b == nil {
		return nil
	}
	return &results.Bits{Saved: b.Saved, Refined: b.Refined, Class: b.Class, Index: b.Index, Subset: b.Subset, Coefficient: b.Coefficient}
}

// featureNamer returns the function that names the model's features.
func featureNamer(model engines.Model, train *data.View) func(feature int) string {
	if namer, ok := model.(engines.Namer); ok {
		return namer.FeatureName
	}
	return train.Features().Name
}

// featureNames returns the distinct names among a model's coefficients, or of the columns that it uses without coefficients, sorted.
func featureNames(model engines.Model, train *data.View) []string {
	var features []int
	for _, c := range model.Coefs() {
		features = append(features, c.Feature)
	}
	if m, ok := model.(engines.Selective); ok {
		for _, j := range m.Selected() {
			features = append(features, int(j))
		}
	}
	slices.Sort(features)
	features = slices.Compact(features)
	names, name := make([]string, len(features)), featureNamer(model, train)
	for i, j := range features {
		names[i] = name(j)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// namesDigest returns the digest of sorted names.
func namesDigest(names []string) string {
	h := sha256.New()
	for _, n := range names {
		io.WriteString(h, n)
		io.WriteString(h, "\n")
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// outputName returns "" for the only output of the only target, the target's name if there are several, and the level's
// name if a class target has one output for each level.
func outputName(v *data.View, output int) string {
	k := 0
	for t := range v.Targets() {
		info := v.TargetInfo(t)
		width := info.Outputs()
		if output < k+width {
			switch {
			case v.Targets() == 1 && width == 1:
				return ""
			case width == 1:
				return info.Name
			case v.Targets() == 1:
				return info.Levels[output-k]
			}
			return info.Name + "=" + info.Levels[output-k]
		}
		k += width
	}
	return fmt.Sprint(output)
}
