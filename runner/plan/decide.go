package plan

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"tenfold/io/results"
)

// Decide says for every unit whether it has to run and why, and predicts its time from stored fits of the same engine on
// the same data. Units with one key, such as the same algorithm under two names, share an outcome and run once, under the
// longest of their time limits. before is the plan of an earlier run (nil when there is none), asked for only where a unit
// has nothing stored; retry runs failed units again; only limits the plan to the cells it accepts (nil: all).
//
// stages are the units of stages that have to run: those that the cells build on and that are not stored.
func (p *Plan) Decide(before func() *Frozen, store Store, retry bool, only func(*Cell) bool) (stages, todo []*Unit) {
	history := sync.OnceValue(func() map[historyKey]average { return before().history(store) })
	old := sync.OnceValue(func() earlier { return before().index() })
	wanted := map[*Cell]bool{} // stages
	for _, c := range p.Cells {
		if only == nil || only(c) {
			for _, stage := range c.After {
				wanted[stage] = true
			}
		}
	}
	for _, c := range slices.Backward(p.Stages) { // those that build on others come later
		u := c.Units[0]
		if !wanted[c] {
			continue
		}
		u.predict(history)
		if u.Reason = reason(u, old, retry); u.Reason != "" {
			stages = append(stages, u)
			for _, before := range c.After {
				wanted[before] = true
			}
		}
	}
	slices.Reverse(stages)
	place := map[string]int{} // of each key in todo
	for _, c := range p.Cells {
		if only != nil && !only(c) {
			continue
		}
		for _, u := range c.Units {
			u.predict(history)
			if u.Reason = reason(u, old, retry); u.Reason == "" {
				continue
			}
			at, again := place[u.Label.Unit]
			switch {
			case !again:
				place[u.Label.Unit] = len(todo)
				todo = append(todo, u)
			case longer(u.Limits.Time, todo[at].Limits.Time):
				todo[at] = u
			}
		}
	}
	return stages, todo
}

// predict the time of a unit: what it took, or what units like it took.
func (u *Unit) predict(history func() map[historyKey]average) {
	if u.Stored != nil {
		u.Predicted = seconds(u.Stored.SecondsFit)
		return
	}
	u.Predicted = history()[historyKey{u.Label.DatasetDigest, u.Label.Algorithm, u.Label.Engine, u.Label.Stage}].mean()
}

// longer compares time limits, of which zero is none.
func longer(a, b time.Duration) bool { return b != 0 && (a == 0 || a > b) }

// reason why a unit has to run; "" when its stored outcome is used.
func reason(u *Unit, old func() earlier, retry bool) string {
	if u.Stored != nil {
		switch {
		case u.Stored.Status == results.Timeout && longer(u.Limits.Time, u.Stored.Limit):
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
		return "its stored result is gone"
	}
	return "changed: " + difference(*was, u.Ingredients)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
