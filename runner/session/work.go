package session

import (
	"slices"

	"tenfold/io/results"
	"tenfold/runner"
	"tenfold/runner/plan"
)

// Work is what a session lacks, for other processes to do.
type Work struct {
	*Session
	units  []*plan.Unit
	before map[string]results.Head // what was stored of units that run again
	ended  map[string]bool
	told   map[*plan.Unit]bool
}

// Work that the session found to do when it was opened.
func (s *Session) Work() *Work {
	w := &Work{Session: s, before: map[string]results.Head{}, ended: map[string]bool{}, told: map[*plan.Unit]bool{}}
	for _, units := range [][]*plan.Unit{s.Stages, s.Todo} {
		for _, u := range units {
			w.units = append(w.units, u)
			if u.Stored != nil {
				w.before[u.Label.Unit] = *u.Stored
			}
		}
	}
	return w
}

// Len is the number of units.
func (w *Work) Len() int { return len(w.units) }

// Ready are the units without a new outcome whose stages have ended: what can run now. The other ones either have ended or
// wait for these. It lists the folder of outcomes and looks at those alone that it has not seen: a shared file system is slow
// to say that a file is not there.
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
		return slices.ContainsFunc(u.After, func(before *runner.Unit) bool { return !stored[before.Label.Unit] })
	}
	for _, u := range w.units {
		if !w.end(u, stored[u.Label.Unit]) && !waits(u) {
			ready = append(ready, u)
		}
	}
	return ready, nil
}

// end tells whether a unit has a new outcome.
func (w *Work) end(u *plan.Unit, stored bool) bool {
	key := u.Label.Unit
	if w.ended[key] || !stored {
		return w.ended[key]
	}
	h, ok := w.store.Head(key)
	if was, again := w.before[key]; ok && !(again && h == was) {
		w.ended[key] = true
	}
	return w.ended[key]
}

// Ended are the units that ended since it was last asked.
func (w *Work) Ended() (units []*plan.Unit) {
	for _, u := range w.units {
		if !w.told[u] && w.ended[u.Label.Unit] {
			w.told[u] = true
			units = append(units, u)
		}
	}
	return units
}

// Outcome that is stored for a unit.
func (s *Session) Outcome(unit string) (*results.Outcome, bool, error) { return s.store.Get(unit) }

// Only the units with these keys remain to be run: it tells how many of them there are.
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

// Refresh looks at what is stored now, by whichever process.
func (s *Session) Refresh() {
	for u := range s.All {
		u.Look(s.store)
	}
}

// Planned tells how many of some units the plan has.
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
