// Package bylevel makes a model of a class target of any number of levels from models of two: one a level, fitted to the level
// against all others together. The level of the highest score is predicted.
package bylevel

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
)

// Fewest is the minimum number of training rows that have a level, and that lack it, for a model of it.
const Fewest = 2

// Fit fits a model for each level of the first target of the training view. each returns the engine, given the level against the
// rest; nil for none. Levels that fewer than two training rows have, or lack, get none either, without a call of each.
//
// Levels are fitted one after the other, with all workers and with random numbers of their own, so that the model of one does not
// depend on the others. Their steps together are the path of no model, so nothing is traced.
//
// The model reports facts first, before those of the levels' fits.
func Fit(ctx context.Context, run engines.Run, each func(level int, view *data.View) (engines.Engine, error), facts ...data.Fact) (engines.Model, error) {
	target := run.Train.TargetInfo(0)
	if target.Type != data.Class {
		return nil, fmt.Errorf("target %s is %s; one against the rest is for classes", target.Name, target.Type)
	}
	c := count(run.Train, len(target.Levels))
	if c.all == 0 {
		return nil, fmt.Errorf("target %s has no training row", target.Name)
	}
	parts, notes, complete := make([]engines.Model, len(target.Levels)), make([]string, len(target.Levels)), false
	defer func() {
		if !complete {
			closeAll(parts)
		}
	}()
	for level, name := range target.Levels {
		levelRun := against(run, level, name)
		var err error
		if !c.enough(level) {
			notes[level] = fmt.Sprintf("no model, since %d of %d training rows have the level", c.rows[level], c.all)
		} else if parts[level], err = fit(ctx, level, levelRun, each); parts[level] == nil {
			notes[level] = "no model"
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			return nil, fmt.Errorf("%s against the rest: %w", name, err)
		}
	}
	fitted := join(target.Levels, parts, notes)
	fitted.Facts = slices.Concat(facts, fitted.Facts)
	complete = true
	return newModel(run.Train.Features(), c.share, parts, fitted), nil
}

// against returns the run of one level. Messages around its fit get the level's name.
func against(run engines.Run, level int, name string) engines.Run {
	levelRun := run
	levelRun.Train, levelRun.Trace, levelRun.At, levelRun.Keep = run.Train.OneVsRest(level), nil, nil, nil
	levelRun.Rand = rand.New(rand.NewPCG(run.Rand.Uint64(), run.Rand.Uint64()))
	levelRun.Tell = func(f data.Fact) { run.Say(about(name)+f.Name, f.Value) }
	levelRun.Warn = func(note string) { run.Note(about(name) + note) }
	levelRun.Searched = run.SearchesOf(name)
	if run.Watch != nil {
		levelRun.Watch = run.Watch.OneVsRest(level)
	}
	return levelRun
}

// fit fits the model of one level; nil if each returns no engine.
func fit(ctx context.Context, level int, run engines.Run, each func(int, *data.View) (engines.Engine, error)) (engines.Model, error) {
	engine, err := each(level, run.Train)
	if err != nil || engine == nil || ctx.Err() != nil {
		return nil, err
	}
	m, err := engine.Fit(ctx, run)
	if err == nil && m.Outputs() != 2 {
		err = fmt.Errorf("the engine's model has %d outputs, expected one for each of two levels", m.Outputs())
	}
	return m, err
}

// counts holds the training rows by level.
type counts struct {
	rows  []int
	all   int
	share []float64 // of the weight of all rows
}

func count(train *data.View, levels int) counts {
	rows, y := train.Defined(0)
	weight, total := rows.Weights(), 0.0
	c := counts{rows: make([]int, levels), all: len(y), share: make([]float64, levels)}
	for i, level := range y {
		c.rows[int(level)]++
		c.share[int(level)] += weight.Of(i)
		total += weight.Of(i)
	}
	for level := range c.share {
		c.share[level] /= total
	}
	return c
}

// enough reports whether enough rows have the level, and enough lack it.
func (c counts) enough(level int) bool {
	return c.rows[level] >= Fewest && c.all-c.rows[level] >= Fewest
}
