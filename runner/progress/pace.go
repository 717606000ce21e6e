package progress

import (
	"time"

	"tenfold/runner"
)

// pace is how long units take, learnt as they end. What is expected of one is the mean of its neighbours, the same cell on
// other folds; before any of those has ended, what the plan predicts; else the mean of its algorithm on the data set; else
// that of all. It is never more than the limit of a fit.
type pace struct {
	cells map[string]*group
	kin   map[string]*mean // by data set and algorithm
	all   mean
	busy  time.Duration // of all workers together, by units that ended
}

// group is the units of one cell.
type group struct {
	mean
	waiting   int
	predicted mean
	kin       *mean
	limit     time.Duration // of one unit, the highest of them; 0 for none
}

// mean of lengths of time.
type mean struct {
	n   int
	sum time.Duration
}

func (m *mean) add(d time.Duration) { m.n, m.sum = m.n+1, m.sum+d }

func (m *mean) value() time.Duration { return m.sum / time.Duration(max(1, m.n)) }

func newPace(units []*runner.Unit) *pace {
	p := &pace{cells: map[string]*group{}, kin: map[string]*mean{}}
	for _, u := range units {
		g := p.cells[u.Label.Cell]
		if g == nil {
			of := u.Label.Dataset + "\x00" + u.Label.Algorithm + "\x00" + u.Label.Stage
			if p.kin[of] == nil {
				p.kin[of] = new(mean)
			}
			g = &group{kin: p.kin[of], limit: u.Limits.Time}
			p.cells[u.Label.Cell] = g
		}
		g.waiting++
		if g.limit > 0 && (u.Limits.Time == 0 || u.Limits.Time > g.limit) {
			g.limit = u.Limits.Time
		}
		if u.Predicted > 0 {
			g.predicted.add(u.Predicted)
		}
	}
	return p
}

func (p *pace) begin(u *runner.Unit) {
	if g := p.cells[u.Label.Cell]; g != nil {
		g.waiting--
	}
}

// end of a unit after so long; counted is false where it was abandoned.
func (p *pace) end(u *runner.Unit, took time.Duration, counted bool) {
	p.busy += took
	if g := p.cells[u.Label.Cell]; g != nil && counted {
		g.add(took)
		g.kin.add(took)
		p.all.add(took)
	}
}

// usual length of a unit of the cell, by its neighbours or the plan; 0 where nothing is known.
func (g *group) usual() time.Duration {
	if g.n > 0 {
		return g.value()
	}
	return g.predicted.value()
}

func (p *pace) usual(u *runner.Unit) time.Duration {
	if g := p.cells[u.Label.Cell]; g != nil {
		return g.usual()
	}
	return 0
}

func (p *pace) expect(g *group) time.Duration {
	expected := g.usual()
	switch {
	case expected > 0:
	case g.kin.n > 0:
		expected = g.kin.value()
	default:
		expected = p.all.value()
	}
	if g.limit > 0 {
		return min(expected, g.limit)
	}
	return expected
}

// left is how long it will take from here, if units go on to be in flight together as they were: never less than what the
// longest running one has before it. 0 before anything has ended. O(cells).
func (p *pace) left(running []flight, spent time.Duration, now time.Time) time.Duration {
	if p.all.n == 0 || spent <= 0 {
		return 0
	}
	work, busy, longest := 0.0, p.busy, time.Duration(0)
	for _, g := range p.cells {
		work += float64(float64(g.waiting) * float64(p.expect(g)))
	}
	for _, f := range running {
		took := now.Sub(f.since)
		busy += took
		if g := p.cells[f.unit.Label.Cell]; g != nil {
			rest := max(0, p.expect(g)-took)
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
