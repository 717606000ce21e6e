package progress

import (
	"time"

	"tenfold/runner/execute"
)

// estimator learns how long units take as they end. The estimate for a unit is the mean of its cell on other folds;
// before any of those has ended, what the plan predicts; else the mean of its algorithm on the data set; else that of
// all. It never exceeds the time limit of a fit.
type estimator struct {
	cells   map[string]*cellTimes
	similar map[string]*meanTime // by data set and algorithm
	all     meanTime
	busy    time.Duration // summed over all workers, of units that ended
}

// cellTimes holds the times of one cell's units.
type cellTimes struct {
	meanTime
	waiting   int
	predicted meanTime
	similar   *meanTime
	limit     time.Duration // of one unit, the highest of them; 0 for none
}

// meanTime is a running mean of durations.
type meanTime struct {
	n   int
	sum time.Duration
}

func (m *meanTime) add(d time.Duration) { m.n, m.sum = m.n+1, m.sum+d }

func (m *meanTime) value() time.Duration { return m.sum / time.Duration(max(1, m.n)) }

func newEstimator(units []*execute.Unit) *estimator {
	e := &estimator{cells: map[string]*cellTimes{}, similar: map[string]*meanTime{}}
	for _, u := range units {
		c := e.cells[u.Label.Cell]
		if c == nil {
			cell := u.Label.Dataset + "\x00" + u.Label.Algorithm + "\x00" + u.Label.Stage
			if e.similar[cell] == nil {
				e.similar[cell] = new(meanTime)
			}
			c = &cellTimes{similar: e.similar[cell], limit: u.Limits.Time}
			e.cells[u.Label.Cell] = c
		}
		c.waiting++
		if c.limit > 0 && (u.Limits.Time == 0 || u.Limits.Time > c.limit) {
			c.limit = u.Limits.Time
		}
		if u.Predicted > 0 {
			c.predicted.add(u.Predicted)
		}
	}
	return e
}

func (e *estimator) beginUnit(u *execute.Unit) {
	if g := e.cells[u.Label.Cell]; g != nil {
		g.waiting--
	}
}

// endUnit records that a unit ended after took; counted is false if it was abandoned.
func (e *estimator) endUnit(u *execute.Unit, took time.Duration, counted bool) {
	e.busy += took
	if g := e.cells[u.Label.Cell]; g != nil && counted {
		g.add(took)
		g.similar.add(took)
		e.all.add(took)
	}
}

// expectedTime estimates a unit of the cell from its neighbours or the plan; 0 if neither is known.
func (c *cellTimes) expectedTime() time.Duration {
	if c.n > 0 {
		return c.value()
	}
	return c.predicted.value()
}

func (e *estimator) usualTime(u *execute.Unit) time.Duration {
	if g := e.cells[u.Label.Cell]; g != nil {
		return g.expectedTime()
	}
	return 0
}

func (e *estimator) estimate(g *cellTimes) time.Duration {
	expected := g.expectedTime()
	switch {
	case expected > 0:
	case g.similar.n > 0:
		expected = g.similar.value()
	default:
		expected = e.all.value()
	}
	if g.limit > 0 {
		return min(expected, g.limit)
	}
	return expected
}

// timeLeft estimates the time to the end of the run, if as many units run together as did so far. It is at least what the
// longest running unit has left. It is 0 where it is unknown: before any unit has ended, and while one runs longer than was
// guessed from the others, since nothing like it has ended. O(cells).
func (e *estimator) timeLeft(running []runningUnit, spent time.Duration, now time.Time) time.Duration {
	if e.all.n == 0 || spent <= 0 {
		return 0
	}
	work, busy, longest := 0.0, e.busy, time.Duration(0)
	for _, g := range e.cells {
		work += float64(float64(g.waiting) * float64(e.estimate(g)))
	}
	for _, f := range running {
		took := now.Sub(f.since)
		busy += took
		if g := e.cells[f.unit.Label.Cell]; g != nil {
			rest := max(0, e.estimate(g)-took)
			if rest == 0 && g.expectedTime() == 0 && g.similar.n == 0 {
				return 0
			}
			work += float64(rest)
			longest = max(longest, rest)
		}
	}
	together := busy.Seconds() / spent.Seconds()
	if together <= 0 {
		return longest
	}
	return max(longest, time.Duration(work/together))
}
