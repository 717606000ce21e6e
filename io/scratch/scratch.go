// Package scratch lends disk space in place of memory: arrays in the size of the data that live in temporary files, mapped
// into memory. The system keeps as much of them resident as there is room for, and writes out the rest, so that a program
// needs no more memory of its own than what it really works on.
//
// The files have no names once they are open, so they are gone with the process, however it ends.
package scratch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// Space is arrays on disk. It is a sparse.Scratch, and is safe for several goroutines.
type Space struct {
	dir  string
	warn func(error) // may be nil

	mu     sync.Mutex
	lent   [][]byte // mappings
	spools []*Spool
	warned bool
}

// New space in files of a folder, which is made as needed. Where the disk has no room an array is made in memory after all,
// and warn, which may be nil, hears of it once.
func New(dir string, warn func(error)) *Space { return &Space{dir: dir, warn: warn} }

// Another space in the same folder.
func (s *Space) Another() *Space { return New(s.dir, s.warn) }

// In returns the folder for such files in a cache folder.
func In(cache string) string { return filepath.Join(cache, "scratch") }

// Bytes returns n bytes, all zero.
func (s *Space) Bytes(n int) []byte {
	b, err := s.lend(n)
	if err != nil {
		s.tell(err)
		return make([]byte, n)
	}
	return b
}

// Int32s returns n numbers, all zero.
func (s *Space) Int32s(n int) []int32 { return array[int32](s, n, 4) }

// Uint64s returns n numbers, all zero.
func (s *Space) Uint64s(n int) []uint64 { return array[uint64](s, n, 8) }

// Float64s returns n numbers, all zero.
func (s *Space) Float64s(n int) []float64 { return array[float64](s, n, 8) }

func array[T number](s *Space, n, size int) []T {
	b, err := s.lend(n * size)
	if err != nil {
		s.tell(err)
		return make([]T, n)
	}
	return view[T](b, n)
}

// Lent returns how many bytes are lent.
func (s *Space) Lent() (bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.lent {
		bytes += int64(len(b))
	}
	return bytes
}

// Close takes all arrays and spools back: nothing that shares their memory may be used afterwards. The space can be used again.
func (s *Space) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, b := range s.lent {
		errs = append(errs, unmap(b))
	}
	for _, p := range s.spools {
		if err := p.file.Close(); !errors.Is(err, os.ErrClosed) {
			errs = append(errs, err)
		}
	}
	s.lent, s.spools = nil, nil
	return errors.Join(errs...)
}

func (s *Space) lend(n int) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	f, err := temporary(s.dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := reserve(f, int64(n)); err != nil {
		return nil, fmt.Errorf("%d MiB in %s: %w", n>>20, s.dir, err)
	}
	b, err := mapWritable(f, n)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lent = append(s.lent, b)
	return b, nil
}

func (s *Space) tell(err error) {
	s.mu.Lock()
	first := !s.warned
	s.warned = true
	s.mu.Unlock()
	if first && s.warn != nil {
		s.warn(fmt.Errorf("no disk space in place of memory, so memory is taken: %w", err))
	}
}

// temporary makes a file without a name.
func temporary(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, ".tmp-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
