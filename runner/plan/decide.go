package plan

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"tenfold/io/results"
)

// Decide says for every unit whether it has to run and why, and predicts its time from stored fits of the same engine on
// the same data. Units with the same key, such as one algorithm under two names, share an outcome and run once, with the
// longest of their time limits. before returns the plan of an earlier run (nil if there is none) and is called only if a
// unit has nothing stored; retry runs failed units again; only limits the plan to the cells it accepts (nil: all).
//
// The returned stages are the units of stages that the cells build on and that are not stored.
func (p *Plan) Decide(before func() *Frozen, store Store, retry bool, only func(*Cell) bool) (stages, todo []*Unit) {
	history := sync.OnceValue(func() map[historyKey]average { return before().meanTimes(store) })
	old := sync.OnceValue(func() unitIndex { return before().indexUnits() })
	wanted := map[*Cell]bool{} // stages that some unit to run may build on
	for _, c := range p.Cells {
		if only == nil || only(c) {
			for _, stage := range c.After {
				wanted[stage] = true
			}
		}
	}
	for _, c := range slices.Backward(p.Stages) { // a stage before those that it builds on
		u := c.Units[0]
		if !wanted[c] {
			continue
		}
		u.predictTime(history)
		if u.Reason = reasonToRun(u, old, retry); u.Reason != "" {
			stages = append(stages, u)
			for _, before := range c.After {
				wanted[before] = true
			}
		}
	}
	slices.Reverse(stages)
	index := map[string]int{} // in todo, by key
	for _, c := range p.Cells {
		if only != nil && !only(c) {
			continue
		}
		for _, u := range c.Units {
			u.predictTime(history)
			if u.Reason = reasonToRun(u, old, retry); u.Reason == "" {
				continue
			}
			place, known := index[u.Label.Unit]
			switch {
			case !known:
				index[u.Label.Unit] = len(todo)
				todo = append(todo, u)
			case looserLimit(u.Limits.Time, todo[place].Limits.Time):
				todo[place] = u
			}
		}
	}
	return stages, todo
}

// predictTime sets the predicted time: what the stored fit took, else the mean of similar fits.
func (u *Unit) predictTime(history func() map[historyKey]average) {
	if u.Stored != nil {
		u.Predicted = seconds(u.Stored.SecondsFit)
		return
	}
	u.Predicted = history()[historyKey{u.Label.DatasetDigest, u.Label.Algorithm, u.Label.Engine, u.Label.Stage}].mean()
}

// looserLimit reports whether limit a allows more than b; zero means no limit.
func looserLimit[T ~int64](a, b T) bool { return b != 0 && (a == 0 || a > b) }

// Reasons to run a unit of an earlier plan: its outcome was stored once, or never.
const (
	Gone   = "its stored result is gone"
	NotRun = "not run yet"
)

// reasonToRun says why a unit has to run; "" if its stored outcome is used.
func reasonToRun(u *Unit, old func() unitIndex, retry bool) string {
	if u.Stored != nil {
		switch {
		case u.Stored.Status == results.Timeout && looserLimit(u.Limits.Time, u.Stored.Limit):
			return fmt.Sprintf("timed out before, after %s; the limit was raised", u.Stored.Limit)
		case u.Stored.Status == results.Skipped:
			return "skipped before"
		case retry && u.Stored.Status == results.Failed:
			return "failed before"
		}
		if u.Stored.NoPredictions && u.Predictions {
			return "its predictions were not kept"
		}
		return ""
	}
	was, same := old().nearest(u)
	switch {
	case was == nil:
		return "new"
	case same:
		return Gone
	}
	return "changed: " + difference(*was, u.Ingredients)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
