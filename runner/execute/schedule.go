package execute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tenfold/io/results"
)

// schedule yields units in order, each after the units that it builds on.
type schedule struct {
	mu         sync.Mutex
	changed    *sync.Cond
	pending    []*Unit
	unfinished map[string]bool // keys of units of this run that have not ended
}

func newSchedule(units []*Unit) *schedule {
	s := &schedule{pending: slices.Clone(units), unfinished: make(map[string]bool, len(units))}
	s.changed = sync.NewCond(&s.mu)
	for _, u := range units {
		s.unfinished[u.Label.Unit] = true
	}
	return s
}

// next waits for a unit that is ready. It returns nil if none is left or ctx has ended.
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
		index := slices.IndexFunc(s.pending, s.isReady)
		if index >= 0 {
			u := s.pending[index]
			s.pending = slices.Delete(s.pending, index, index+1)
			return u
		}
		s.changed.Wait()
	}
	return nil
}

func (s *schedule) isReady(u *Unit) bool {
	return !slices.ContainsFunc(u.After, func(a *Unit) bool { return s.unfinished[a.Label.Unit] })
}

func (s *schedule) markEnded(u *Unit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.unfinished, u.Label.Unit)
	s.changed.Broadcast()
}

// dependencyError is the error of a unit that builds on one that did not end well.
type dependencyError struct{ name, why string }

func (m dependencyError) Error() string {
	return fmt.Sprintf("it builds on %s, which %s", m.name, m.why)
}

// outcomesBefore returns the function that looks up what a unit builds on.
func outcomesBefore(u *Unit, get Outcomes) Before {
	return func(i int) (*results.Outcome, error) {
		a := u.After[i]
		o, ok, err := get(a.Label.Unit)
		switch {
		case err != nil:
			return nil, err
		case !ok:
			return nil, dependencyError{a.Label.Name(), "has no result"}
		case o.Status != results.OK:
			first, _, _ := strings.Cut(o.Error, "\n")
			return nil, dependencyError{a.Label.Name(), fmt.Sprintf("ended as %s (%s)", o.Status, first)}
		}
		return o, nil
	}
}
