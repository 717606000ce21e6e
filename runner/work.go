package runner

import (
	"slices"

	"tenfold/io/results"
	"tenfold/runner/execute"
	"tenfold/runner/plan"
)

// Work holds the units that a session lacks, for other processes to run.
type Work struct {
	*Session
	units    []*plan.Unit
	previous map[string]results.Head // what was stored of units that run again
	ended    map[string]bool
	reported map[*plan.Unit]bool // units that Ended has returned
}

// Work returns the units that had to run when the session was opened.
func (s *Session) Work() *Work {
	w := &Work{Session: s, previous: map[string]results.Head{}, ended: map[string]bool{}, reported: map[*plan.Unit]bool{}}
	for _, units := range [][]*plan.Unit{s.Stages, s.Todo} {
		for _, u := range units {
			w.units = append(w.units, u)
			if u.Stored != nil {
				w.previous[u.Label.Unit] = *u.Stored
			}
		}
	}
	return w
}

// Len returns the number of units.
func (w *Work) Len() int { return len(w.units) }

// Ready returns the units that can run now: without a new outcome, and with all stages ended. Other units either have
// ended or wait for these. It lists the folder of outcomes and reads only those it has not seen, because a shared file
// system is slow to say that a file is missing.
func (w *Work) Ready() (ready []*plan.Unit, err error) {
	keys, err := w.store.Keys()
	if err != nil {
		return nil, err
	}
	stored := map[string]bool{}
	for _, k := range keys {
		stored[k] = true
	}
	waits := func(u *plan.Unit) bool {
		return slices.ContainsFunc(u.After, func(before *execute.Unit) bool { return !stored[before.Label.Unit] })
	}
	for _, u := range w.units {
		if !w.hasNewOutcome(u, stored[u.Label.Unit]) && !waits(u) {
			ready = append(ready, u)
		}
	}
	return ready, nil
}

func (w *Work) hasNewOutcome(u *plan.Unit, stored bool) bool {
	key := u.Label.Unit
	if w.ended[key] || !stored {
		return w.ended[key]
	}
	h, ok := w.store.Head(key)
	if was, again := w.previous[key]; ok && !(again && h == was) {
		w.ended[key] = true
	}
	return w.ended[key]
}

// Ended returns the units that ended since its last call.
func (w *Work) Ended() (units []*plan.Unit) {
	for _, u := range w.units {
		if !w.reported[u] && w.ended[u.Label.Unit] {
			w.reported[u] = true
			units = append(units, u)
		}
	}
	return units
}

// Outcome returns the outcome that is stored for a unit.
func (s *Session) Outcome(unit string) (*results.Outcome, bool, error) { return s.store.Get(unit) }

// Only limits the units to run to those with these keys, and returns how many remain.
func (s *Session) Only(keys []string) int {
	chosen := map[string]bool{}
	for _, k := range keys {
		chosen[k] = true
	}
	n := 0
	for _, units := range []*[]*plan.Unit{&s.Stages, &s.Todo} {
		kept := (*units)[:0]
		for _, u := range *units {
			if chosen[u.Label.Unit] {
				kept = append(kept, u)
			}
		}
		*units = kept
		n += len(kept)
	}
	return n
}

// Refresh looks up what is stored now, by whichever process.
func (s *Session) Refresh() {
	for u := range s.All {
		u.Look(s.store)
	}
}

// Planned counts the keys that are units of the plan.
func (s *Session) Planned(keys []string) int {
	has := map[string]bool{}
	for u := range s.All {
		has[u.Label.Unit] = true
	}
	n := 0
	for _, k := range keys {
		if has[k] {
			n++
		}
	}
	return n
}
