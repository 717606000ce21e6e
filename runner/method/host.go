package method

import (
	"os"
	"runtime"
	"sync"
	"weak"

	"tenfold/engines/data"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/process"
)

// Host runs methods: their programs, the files that fits on the same rows share, and the processes that wait for more fits on these.
// The zero value runs nothing.
type Host struct {
	process.Programs
	// Keep asks all methods to leave their models in their answers, so that models can be stored in files.
	Keep bool

	mu     sync.Mutex
	shared map[sharedKey]*sharedFiles
}

// sharedKey identifies the training rows of a fit in the form that one method wants.
type sharedKey struct {
	rows        weak.Pointer[data.View]
	declaration *declaration.Declaration
}

// training returns the folder with the files of the training rows, which the first call writes. They are removed when the rows are
// garbage.
func (h *Host) training(d *declaration.Declaration, train *data.View) (*sharedFiles, error) {
	key := sharedKey{weak.Make(train), d}
	h.mu.Lock()
	if h.shared == nil {
		h.shared = map[sharedKey]*sharedFiles{}
	}
	s := h.shared[key]
	if s == nil {
		s = &sharedFiles{key: key}
		h.shared[key] = s
		runtime.AddCleanup(train, h.forget, key)
	}
	h.mu.Unlock()
	s.once.Do(func() { s.err = s.write(h, d, train) })
	if s.err != nil { // e.g. the disk was full; the next fit tries again
		h.mu.Lock()
		if h.shared[key] == s {
			delete(h.shared, key)
		}
		h.mu.Unlock()
		os.RemoveAll(s.folder)
	}
	return s, s.err
}

// forget removes the files of rows that are gone.
func (h *Host) forget(key sharedKey) {
	h.mu.Lock()
	s := h.shared[key]
	delete(h.shared, key)
	h.mu.Unlock()
	if s == nil {
		return
	}
	h.endIdle(s)
	if s.folder != "" {
		os.RemoveAll(s.folder)
	}
}

// take returns an idle process that has the files; nil if there is none.
func (h *Host) take(s *sharedFiles) *process.Process {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(s.idle) == 0 {
		return nil
	}
	p := s.idle[len(s.idle)-1]
	s.idle = s.idle[:len(s.idle)-1]
	return p
}

// give returns an idle process to the host, which ends it at once if its files are handed out no more.
func (h *Host) give(s *sharedFiles, p *process.Process) {
	h.mu.Lock()
	current := h.shared[s.key] == s
	if current {
		s.idle = append(s.idle, p)
	}
	h.mu.Unlock()
	if !current {
		p.End()
	}
}

// Close ends all waiting processes, and removes the remaining exchange folders.
func (h *Host) Close() error {
	h.mu.Lock()
	shared := h.shared
	h.shared = nil
	h.mu.Unlock()
	for _, s := range shared {
		h.endIdle(s)
	}
	return h.Programs.Close()
}
