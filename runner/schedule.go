package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tenfold/io/results"
)

// schedule hands out units in order, each not before the units that it builds on have ended.
type schedule struct {
	mu      sync.Mutex
	changed *sync.Cond
	pending []*Unit
	open    map[string]bool // keys of units in this run that have not ended yet
}

func newSchedule(units []*Unit) *schedule {
	s := &schedule{pending: slices.Clone(units), open: make(map[string]bool, len(units))}
	s.changed = sync.NewCond(&s.mu)
	for _, u := range units {
		s.open[u.Label.Unit] = true
	}
	return s
}

// next waits for a unit that is ready; nil when none is left or ctx has ended.
func (s *schedule) next(ctx context.Context) *Unit {
	wake := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.changed.Broadcast()
	})
	defer wake()
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.pending) > 0 && ctx.Err() == nil {
		at := slices.IndexFunc(s.pending, s.ready)
		if at >= 0 {
			u := s.pending[at]
			s.pending = slices.Delete(s.pending, at, at+1)
			return u
		}
		s.changed.Wait()
	}
	return nil
}

func (s *schedule) ready(u *Unit) bool {
	return !slices.ContainsFunc(u.After, func(a *Unit) bool { return s.open[a.Label.Unit] })
}

func (s *schedule) ended(u *Unit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, u.Label.Unit)
	s.changed.Broadcast()
}

// missing is a unit that cannot run because one that it builds on did not end well.
type missing struct{ name, why string }

func (m missing) Error() string {
	return fmt.Sprintf("it builds on %s, which %s", m.name, m.why)
}

// before looks up what a unit builds on.
func before(u *Unit, get Outcomes) Before {
	return func(i int) (*results.Outcome, error) {
		a := u.After[i]
		o, ok, err := get(a.Label.Unit)
		switch {
		case err != nil:
			return nil, err
		case !ok:
			return nil, missing{a.Label.Name(), "has no result"}
		case o.Status != results.OK:
			first, _, _ := strings.Cut(o.Error, "\n")
			return nil, missing{a.Label.Name(), fmt.Sprintf("ended as %s (%s)", o.Status, first)}
		}
		return o, nil
	}
}
