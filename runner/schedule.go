package runner

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"tenfold/engines"
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

// engineOf is the unit's engine, made from the stored outcomes of the units that it builds on where it asks for that.
func engineOf(u *Unit, store Store) (engines.Engine, error) {
	if u.Build == nil {
		return u.Engine, nil
	}
	after := make([]*results.Outcome, len(u.After))
	for i, a := range u.After {
		o, ok, err := store.Get(a.Label.Unit)
		switch {
		case err != nil:
			return nil, err
		case !ok:
			return nil, missing{a.Label.Algorithm, "has no result"}
		case o.Status != results.OK:
			return nil, missing{a.Label.Algorithm, "ended as " + string(o.Status)}
		}
		after[i] = o
	}
	return u.Build(after)
}
