package execute

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"tenfold/io/scratch"
)

// TooLarge is the error of an experiment that cannot run here because a fit needs more memory than there is.
type TooLarge struct{ error }

func (e TooLarge) Unwrap() error { return e.error }

// CheckMemory returns a TooLarge error, before anything runs, if a unit cannot run (see CannotRun); the error says what would help. It decides which splits use the disk, so it has to see all units of a
// run. It returns nil if the memory is unknown.
//
// Arrays on disk change no result: they are mapped memory, which the system may write out.
func (opt Options) CheckMemory(units []*Unit) error {
	for _, u := range units {
		if allowed := lowerLimit(opt.Memory, u.Limits.Memory); u.Split != nil && opt.Scratch != "" && allowed > 0 && u.Need() > allowed {
			u.Split.useDisk(opt.Scratch)
		}
	}
	for _, u := range units {
		if allowed := lowerLimit(opt.Memory, u.Limits.Memory); u.Split.usesDisk() {
			u.cache = 0
			u.cache = max(minCache, min(u.Footprint.Useful, (allowed-u.Need())/2))
		}
	}
	var errs []error
	count := 0
	for _, u := range units {
		if err := opt.CannotRun(u); err != nil {
			if count++; count <= 5 {
				errs = append(errs, fmt.Errorf("%s: %w", u.Label.Name(), err))
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

// minCache is the memory, in bytes, that a fit may always use to keep what it could recompute.
const minCache = 8 << 20

// Need returns the bytes that the unit is predicted to take, with its split.
func (u *Unit) Need() int64 {
	if footprint := u.Footprint; u.Split.usesDisk() && footprint.Resident > 0 {
		return footprint.Resident + min(footprint.Useful, u.cache) + u.Split.Bytes()
	}
	return u.Footprint.Bytes + u.Split.Bytes()
}

// ownBytes returns the bytes that the unit is predicted to take without its split.
func (u *Unit) ownBytes() int64 { return u.Need() - u.Split.Bytes() }

// CannotRun returns why a unit cannot run: it is predicted to need more than all memory even with its arrays on disk, and no limit
// of the experiment leaves it out. It returns nil if the unit can run, or the memory is unknown.
func (opt Options) CannotRun(u *Unit) error {
	if opt.MemoryLimit <= 0 || u.Limits.Memory > 0 {
		return nil
	}
	bytes, place, data := u.Footprint.Bytes, "in memory", u.Split.bytes(false)
	if bytes+data <= opt.MemoryLimit {
		return nil
	}
	if u.Split != nil && opt.Scratch != "" && scratch.Supported {
		place, data = "with the data's arrays on disk", u.Split.bytes(true)
		if u.Footprint.Resident > 0 {
			bytes = u.Footprint.Resident + min(u.Footprint.Useful, minCache)
		}
	}
	if bytes+data <= opt.MemoryLimit {
		return nil
	}
	shape, levels, fewer := u.Split.dataShape(), "", ""
	if n := u.Split.levels(); n > manyLevels {
		levels, fewer = fmt.Sprintf(", %d levels of the target", n), "fewer levels, "
	}
	return fmt.Errorf("%s it is predicted to need %s (the fit %s, the data of the fold %s: %d rows, %d columns, %d entries%s), and all memory here is %s; "+
		"%sfewer columns (features.cutoff), fewer rows (train_fraction) or another engine need less (tenfold plan tells how much each takes), --memory says how much there is where that is not found out",
		place, sizeText(bytes+data), sizeText(bytes), sizeText(data), shape.Rows, shape.Columns, shape.Entries, levels, sizeText(opt.MemoryLimit), fewer)
}

// manyLevels is the number of levels above which the message about too little memory names them beside rows and columns.
const manyLevels = 100

func sizeText(bytes int64) string {
	if bytes < 1<<30 {
		return fmt.Sprintf("%.3g MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%.3g GiB", float64(bytes)/(1<<30))
}

// collectEarly sets the memory limit of the garbage collector, which would otherwise let garbage grow to the size of the
// data, unless GOMEMLIMIT is set. undo restores the old limit.
func (opt Options) collectEarly() (undo func()) {
	if opt.Memory <= 0 || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	before := debug.SetMemoryLimit(max(opt.Memory, 64<<20))
	return func() { debug.SetMemoryLimit(before) }
}
