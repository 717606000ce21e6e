package runner

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
)

// TooLarge is an experiment that cannot run here, since some fit needs more memory than there is.
type TooLarge struct{ error }

// Fits finds, before anything runs, what cannot: where a unit is predicted to need more than all memory, even with what can lie
// on disk there. It decides which splits do, so it has to see all units of a run. The error is a TooLarge, which says what
// would help; nil where the memory there is is not known.
//
// What lies on disk changes no result: it is memory all the same, which the system may write out.
func (opt Options) Fits(units []*Unit) error {
	for _, u := range units {
		if allowed := lower(opt.Memory, u.Limits.Memory); u.Split != nil && opt.Scratch != "" && allowed > 0 && u.Need() > allowed {
			u.Split.toDisk(opt.Scratch)
		}
	}
	for _, u := range units {
		if allowed := lower(opt.Memory, u.Limits.Memory); u.Split.onDisk() {
			u.cache = 0
			u.cache = max(leastCache, min(u.Footprint.Useful, (allowed-u.Need())/2))
		}
	}
	var errs []error
	count := 0
	for _, u := range units {
		if need := u.Need(); opt.Most > 0 && need > opt.Most && u.Limits.Memory == 0 {
			if count++; count <= 5 {
				errs = append(errs, u.refusal(opt))
			}
		}
	}
	switch {
	case count == 0:
		return nil
	case count > 5:
		errs = append(errs, fmt.Errorf("and %d more fits", count-5))
	}
	return TooLarge{errors.Join(errs...)}
}

// leastCache is what a fit may always keep of what it could compute again.
const leastCache = 8 << 20

// Need is the memory that the unit is predicted to take, with what its split holds.
func (u *Unit) Need() int64 {
	if of := u.Footprint; u.Split.onDisk() && of.Resident > 0 {
		return of.Resident + min(of.Useful, u.cache) + u.Split.Bytes()
	}
	return u.Footprint.Bytes + u.Split.Bytes()
}

// own is what the unit is predicted to take beside its split.
func (u *Unit) own() int64 { return u.Need() - u.Split.Bytes() }

func (u *Unit) refusal(opt Options) error {
	place := "in memory"
	if u.Split.onDisk() {
		place = "with the data's arrays on disk"
	}
	shape := u.Split.shape()
	return fmt.Errorf("%s: %s it is predicted to need %s (the fit %s, the data of the fold %s: %d rows, %d columns, %d entries), and all memory here is %s; "+
		"fewer columns (features.cutoff), fewer rows (train_fraction) or another engine need less (tenfold plan tells how much each takes), --memory says how much there is where that is not found out",
		u.Label.Name(), place, size(u.Need()), size(u.own()), size(u.Split.Bytes()), shape.Rows, shape.Columns, shape.Entries, size(opt.Most))
}

// size in words.
func size(bytes int64) string {
	if bytes < 1<<30 {
		return fmt.Sprintf("%.3g MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%.3g GiB", float64(bytes)/(1<<30))
}

// collectEarly makes the garbage collector work harder as memory comes near the budget, where it would otherwise let garbage
// grow to the size of the data. GOMEMLIMIT, where it is set, is left as it is. It returns what takes that back.
func (opt Options) collectEarly() (undo func()) {
	if opt.Memory <= 0 || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetMemoryLimit(max(opt.Memory, 64<<20))
	return func() { debug.SetMemoryLimit(before) }
}
