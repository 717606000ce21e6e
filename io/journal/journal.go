// Package journal keeps the outcome of every finished unit of work in a file of its own, named by the unit's key. This
// makes runs resumable: outcomes arrive in any order, from several goroutines and processes, and stay however the run
// ends. Deleting a file makes its unit, and only that, run again. inner.go keeps the results of works inside the fits of units, of which
// there can be very many: in logs.
package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"tenfold/io/files"
	"tenfold/io/results"
)

const (
	folder    = "cells" // inside the run's folder
	extension = ".cell"
)

// Journal is the stored outcomes of a run. It holds no state: several journals, in several processes, may use one folder.
type Journal struct {
	// Warn, if set, is called for damaged files that Head ignores.
	Warn func(error)

	run files.Root
}

// maxCellSize bounds the size of a file that is read, in bytes.
const maxCellSize = 1 << 31

// Open opens a run's folder, which need not exist yet, and removes what killed writers left (files.Sweep).
func Open(run string) (*Journal, error) {
	j := At(run)
	if info, err := os.Stat(run); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is a file; a folder for results was expected", run)
	}
	return j, errors.Join(j.run.Sweep("."), j.forEachFolder(folder, j.run.Sweep), j.forEachFolder(innerFolder, j.run.Sweep))
}

// At returns the journal of a run's folder for reading: unlike Open it removes nothing.
func At(run string) *Journal { return &Journal{run: files.Root(run)} }

// Put stores the outcome of a unit atomically and replaces an earlier one. The file survives the end of the process at
// any moment; after a power failure it may be damaged, which Get and Head then notice.
func (j *Journal) Put(unit string, o *results.Outcome) error {
	path, err := j.unitPath(unit)
	if err != nil {
		return err
	}
	b, err := encodeCell(unit, o)
	if err != nil {
		return fmt.Errorf("%s: %w", j.run.Path(path), err)
	}
	if len(b) > maxCellSize {
		return fmt.Errorf("%s: an outcome of %d bytes; at most %d can be read again", j.run.Path(path), len(b), maxCellSize)
	}
	return j.run.Replace(path, func(w io.Writer) error { _, err := w.Write(b); return err })
}

// Get returns the outcome of a unit; false if there is none. A damaged file counts as none, with an error that says what
// is wrong with it: the unit should run again.
func (j *Journal) Get(unit string) (*results.Outcome, bool, error) {
	c, err := j.openUnit(unit)
	if c == nil || err != nil {
		return nil, false, err
	}
	o, err := c.decodeOutcome()
	if err != nil {
		return nil, false, j.damagedError(unit, err)
	}
	return o, true, nil
}

// Head returns the part of a stored outcome that planning needs, without decoding the rest; false if there is none or if
// it is damaged.
func (j *Journal) Head(unit string) (results.Head, bool) {
	c, err := j.openUnit(unit)
	if err != nil && j.Warn != nil {
		j.Warn(err)
	}
	if c == nil || err != nil {
		return results.Head{}, false
	}
	return c.head, true
}

// Keys returns the keys of the stored units, sorted.
func (j *Journal) Keys() ([]string, error) {
	var keys []string
	err := j.forEachFolder(folder, func(dir string) error {
		entries, err := j.run.ReadDir(dir)
		for _, e := range entries {
			if unit, ok := strings.CutSuffix(e.Name(), extension); ok && isKey(unit) {
				keys = append(keys, unit)
			}
		}
		return err
	})
	slices.Sort(keys)
	return keys, err
}

// Size returns the bytes of a unit's file; 0 if there is none.
func (j *Journal) Size(unit string) (int64, error) {
	path, err := j.unitPath(unit)
	if err != nil {
		return 0, err
	}
	info, err := j.run.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Remove removes the outcome of a unit, if there is one.
func (j *Journal) Remove(unit string) error {
	path, err := j.unitPath(unit)
	if err != nil {
		return err
	}
	return j.run.Remove(path)
}

// openUnit reads and checks a unit's file; nil, without an error, if there is none.
func (j *Journal) openUnit(unit string) (*cell, error) {
	path, err := j.unitPath(unit)
	if err != nil {
		return nil, err
	}
	b, err := j.run.ReadFile(path, maxCellSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c, err := checkCell(unit, b)
	if err != nil {
		return nil, j.damagedError(unit, err)
	}
	return c, nil
}

func (j *Journal) damagedError(unit string, err error) error {
	path, _ := j.unitPath(unit)
	return fmt.Errorf("%s: %w; its unit has to run again", j.run.Path(path), err)
}

// unitPath returns the path of a unit's file in the run's folder: the first two digits of its key name a folder, so that
// no folder grows large.
func (j *Journal) unitPath(unit string) (string, error) {
	if !isKey(unit) {
		return "", fmt.Errorf("key of a unit %q: at least two digits 0-9a-f were expected, and nothing else", unit)
	}
	return path.Join(folder, unit[:2], unit+extension), nil
}

func isKey(s string) bool { return len(s) >= 2 && strings.Trim(s, "0123456789abcdef") == "" }

// forEachFolder visits the folders in a folder.
func (j *Journal) forEachFolder(above string, visit func(dir string) error) error {
	entries, err := j.run.ReadDir(above)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if e.IsDir() && err == nil {
			err = visit(path.Join(above, e.Name()))
		}
	}
	return err
}
