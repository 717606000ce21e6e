package tabular

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines/data"
)

// survival collects the times and events of a survival target.
type survival struct {
	name, event string    // event: what an event is called; "" for 1 or true
	gaps        bool      // times and events may be missing
	times       []float64 // NaN where missing
	events      []int8    // -1 where missing
	censored    string    // the first other value, where event is given
}

// endpoint is the column of times, or that of events.
type endpoint struct {
	of  *survival
	add func(s *survival, c cell) error
}

func (e endpoint) addCell(c cell) error { return e.add(e.of, c) }

func (s *survival) addTime(c cell) error {
	if c.missing() {
		s.times = append(s.times, math.NaN())
		return s.refuseGap()
	}
	x, ok := c.number()
	if !ok || x <= 0 {
		return fmt.Errorf("found %q, expected a time: a number above 0", c.text())
	}
	s.times = append(s.times, x)
	return nil
}

func (s *survival) refuseGap() error {
	if s.gaps {
		return nil
	}
	return fmt.Errorf("%w; say what to do with target: {missing: drop-rows}", errMissing)
}

func (s *survival) addEvent(c cell) error {
	if c.missing() {
		s.events = append(s.events, -1)
		return s.refuseGap()
	}
	text := strings.Clone(c.text())
	if s.event != "" {
		return s.addNamed(text)
	}
	switch strings.ToLower(text) {
	case "1", "1.0", "true":
		s.events = append(s.events, 1)
	case "0", "0.0", "false":
		s.events = append(s.events, 0)
	default:
		return fmt.Errorf("found %q, expected 1 for an event or 0 for a censored time; say event_value: where events are called otherwise", text)
	}
	return nil
}

// addNamed adds an event or, of the one other value, a censored time.
func (s *survival) addNamed(text string) error {
	switch {
	case text == s.event:
		s.events = append(s.events, 1)
	case s.censored == "" || text == s.censored:
		s.censored = text
		s.events = append(s.events, 0)
	default:
		return fmt.Errorf("found %q, expected %q for an event or %q, as in rows before, for a censored time: there are two values", text, s.event, s.censored)
	}
	return nil
}

// buildTarget makes the target of all rows; the time is NaN where the event is missing.
func (s *survival) buildTarget() (data.Target, error) {
	t := data.Target{Name: s.name, Type: data.Survival, Values: s.times, Events: make([]int8, len(s.events))}
	for i, e := range s.events {
		if e < 0 {
			t.Values[i] = math.NaN()
		}
		t.Events[i] = max(e, 0)
	}
	if s.gaps { // of new rows there need not be any
		return t, nil
	}
	if !slices.Contains(t.Events, 1) {
		of := `1 or "true"`
		if s.event != "" {
			of = fmt.Sprintf("event_value: %s", s.event)
		}
		return t, fmt.Errorf("target %s: no row is an event (%s), so that nothing can be learned about times", s.name, of)
	}
	if len(t.Values) > 1 && slices.Min(t.Values) == slices.Max(t.Values) {
		return t, fmt.Errorf("target %s: all rows have the time %v, so that nothing can be learned about times", s.name, t.Values[0])
	}
	return t, nil
}
