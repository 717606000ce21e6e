package tabular

import (
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/io/source"
	"tenfold/io/tablefile"
)

// survival collects the times and events of survival targets, column by column: end points may share one.
type survival struct {
	gaps   bool // times and events may be missing
	times  map[string]*timesUntil
	events map[string]*endings
}

// timesUntil is a column of times until an event, NaN where missing.
type timesUntil struct {
	gaps  bool
	times []float64
}

func (t *timesUntil) AddCell(c tablefile.Cell) error {
	if c.Missing() {
		t.times = append(t.times, math.NaN())
		return refuseGap(t.gaps)
	}
	x, ok := c.Number()
	if !ok || source.CheckTime(x) != nil {
		return fmt.Errorf("found %q, expected a time: a number above 0 (half a unit stands for the first day)", c.Text())
	}
	t.times = append(t.times, x)
	return nil
}

// endings is a column that says how times ended.
type endings struct {
	gaps bool
	source.Endings
}

func (e *endings) AddCell(c tablefile.Cell) error {
	if c.Missing() {
		e.AddMissing()
		return refuseGap(e.gaps)
	}
	return e.Add(c.Text())
}

func refuseGap(accepted bool) error {
	if accepted {
		return nil
	}
	return fmt.Errorf("%w; say what to do with target: {missing: drop-rows}", errMissing)
}

// timesOf returns where a column of times goes.
func (s *survival) timesOf(name string) tablefile.Sink {
	s.times[name] = &timesUntil{gaps: s.gaps}
	return s.times[name]
}

// endingsOf returns where a column of events goes.
func (s *survival) endingsOf(name, event string) tablefile.Sink {
	s.events[name] = &endings{s.gaps, source.Endings{Event: event}}
	return s.events[name]
}

// targets returns those of the end points whose columns are there.
func (s *survival) targets(r source.Response) (all []data.Target) {
	for k, name := range r.Names() {
		times, events := s.times[r.Time[k]], s.events[r.Event[k]]
		if times != nil && events != nil {
			all = append(all, events.Target(name, times.times))
		}
	}
	return all
}
