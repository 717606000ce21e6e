package execute

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"tenfold/engines"
	"tenfold/io/files"
	"tenfold/io/results"
)

// isFault reports whether a unit ended badly because the system failed. Its outcome says nothing about the unit, which may end well once
// there is room on the disk. That something may not be read is a failure: a method may have shut its own folder.
func isFault(err error) bool {
	var disturbed engines.Disturbance
	return files.Fault(err) && !errors.Is(err, fs.ErrPermission) || errors.As(err, &disturbed) && disturbed.System
}

// ErrMemoryFault is the error of memory that stands for a file on a disk.
var ErrMemoryFault = errors.New("a data file, or one of the cache, could not be read from the disk, or was cut short by another program, while it was in use; what is stored stays: run again")

// IsMemoryFault reports whether a panic came from unreadable memory, such as a mapped file that another program shortened.
func IsMemoryFault(panicked any) bool {
	err, ok := panicked.(error)
	var fault interface{ Addr() uintptr }
	return ok && errors.As(err, &fault)
}

// lostUnits are the units whose outcomes are not stored because the system failed. It is safe for concurrent use.
type lostUnits struct {
	mu    sync.Mutex
	keys  map[string]bool
	first error
}

// add reports whether the outcome of a unit is lost: by a fault of the system, or because the unit builds on one that is lost.
func (l *lostUnits) add(u *Unit, o *results.Outcome, fault error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	builds := o.Status == results.Skipped && slices.ContainsFunc(u.After, func(a *Unit) bool { return l.keys[a.Label.Unit] })
	if fault == nil && !builds {
		return false
	}
	if l.keys == nil {
		l.keys, l.first = map[string]bool{}, fmt.Errorf("%s: %w", u.Label.Name(), fault)
	}
	l.keys[u.Label.Unit] = true
	return true
}

// err returns nil if no unit is lost.
func (l *lostUnits) err() error {
	switch len(l.keys) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("a fit failed for a fault of the system, and is not stored; the same command fits it again: %w", l.first)
	}
	return fmt.Errorf("%d fits failed for a fault of the system, and are not stored; the same command fits them again; the first: %w", len(l.keys), l.first)
}
