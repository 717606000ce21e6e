package method

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
	"weak"

	"tenfold/engines/data"
	"tenfold/io/files"
)

// Host is where methods run: their folders, and the processes that wait for more fits. The zero value runs nothing.
type Host struct {
	// Folder holds exchange folders while fits go on; "" where methods may not run.
	Folder string
	// Log holds what methods write to standard error.
	Log string
	// Keep says that models are to be kept in files: all methods leave them in their answers.
	Keep bool
	// Grace is how long a process may take to end after SIGTERM, before SIGKILL; 0: ten seconds.
	Grace time.Duration
	// Home is HOME of the processes; "": that of tenfold.
	Home string
	// Watcher is told of processes; nil: nobody is.
	Watcher Watcher

	mu      sync.Mutex
	shared  map[sharedKey]*sharedFiles
	waiting map[waitingKey][]*process // started with reuse: fold, idle
	closed  bool

	removals sync.WaitGroup // of exchange folders, which no fit waits for
}

// remove an exchange folder, while others go on.
func (h *Host) remove(folder string) { h.removals.Go(func() { os.RemoveAll(folder) }) }

// errNotAllowed is the error of a fit of a method for which there is no consent.
var errNotAllowed = errors.New("methods may not run here")

const defaultGrace = 10 * time.Second

func (h *Host) grace() time.Duration {
	if h.Grace > 0 {
		return h.Grace
	}
	return defaultGrace
}

// newFolder makes an empty exchange folder.
func (h *Host) newFolder(method string) (string, error) {
	if h == nil || h.Folder == "" {
		return "", errNotAllowed
	}
	if err := os.MkdirAll(h.Folder, 0o755); err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(h.Folder, method+"-")
	if err != nil {
		return "", err
	}
	return filepath.Abs(folder)
}

// sharedKey is the training rows of a fit, as one method wants them.
type sharedKey struct {
	rows        weak.Pointer[data.View]
	declaration *Declaration
}

// sharedFiles are written once for all fits on the same rows.
type sharedFiles struct {
	once   sync.Once
	folder string
	files  requestFiles
	err    error
}

// training returns the folder with the files of the training rows, which it writes on the first call. They go when the rows go.
func (h *Host) training(d *Declaration, train *data.View) (*sharedFiles, error) {
	key := sharedKey{weak.Make(train), d}
	h.mu.Lock()
	if h.shared == nil {
		h.shared = map[sharedKey]*sharedFiles{}
	}
	s := h.shared[key]
	if s == nil {
		s = &sharedFiles{}
		h.shared[key] = s
		runtime.AddCleanup(train, h.forget, key)
	}
	h.mu.Unlock()
	s.once.Do(func() {
		if s.folder, s.err = h.newFolder("rows"); s.err == nil {
			s.files, s.err = d.writeTraining(s.folder, train)
		}
	})
	if s.err != nil { // such as a full disk; the next fit tries again
		h.mu.Lock()
		if h.shared[key] == s {
			delete(h.shared, key)
		}
		h.mu.Unlock()
		os.RemoveAll(s.folder)
	}
	return s, s.err
}

// forget what is kept for rows that are gone.
func (h *Host) forget(key sharedKey) {
	h.mu.Lock()
	s, idle := h.shared[key], h.waiting[waitingKey(key)]
	delete(h.shared, key)
	delete(h.waiting, waitingKey(key))
	h.mu.Unlock()
	for _, p := range idle {
		p.end()
	}
	if s != nil && s.folder != "" {
		os.RemoveAll(s.folder)
	}
}

// waitingKey is a method and the training rows that its processes have seen.
type waitingKey sharedKey

// take an idle process of a method that has seen no other training rows; nil where there is none.
func (h *Host) take(key waitingKey) *process {
	h.mu.Lock()
	defer h.mu.Unlock()
	idle := h.waiting[key]
	if len(idle) == 0 {
		return nil
	}
	p := idle[len(idle)-1]
	h.waiting[key] = idle[:len(idle)-1]
	return p
}

// give an idle process back. It ends at once where the host is closed.
func (h *Host) give(key waitingKey, p *process) {
	h.mu.Lock()
	closed := h.closed
	if !closed {
		if h.waiting == nil {
			h.waiting = map[waitingKey][]*process{}
		}
		h.waiting[key] = append(h.waiting[key], p)
	}
	h.mu.Unlock()
	if closed {
		p.end()
	}
}

// Close ends all processes that wait, and removes what is left of exchange folders.
func (h *Host) Close() error {
	h.mu.Lock()
	h.closed = true
	waiting := h.waiting
	h.waiting, h.shared = nil, nil
	h.mu.Unlock()
	for _, idle := range waiting {
		for _, p := range idle {
			p.end()
		}
	}
	h.removals.Wait()
	if h.Folder == "" {
		return nil
	}
	err := os.RemoveAll(h.Folder)
	os.Remove(filepath.Dir(h.Folder)) // where it is the last
	return err
}

// Open makes a folder below root for the exchange folders of this process. What processes of this host left there when they were killed
// goes: process groups are ended, folders removed. Those of processes that live stay, and those of other hosts.
func (h *Host) Open(root string) error {
	name, err := os.Hostname()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		host, owner, _ := strings.Cut(e.Name(), ownerMark)
		pid, started, _ := strings.Cut(owner, ownerMark)
		number, err := strconv.Atoi(pid)
		if err != nil || host != name || startOf(number) == started {
			continue
		}
		endLeftBehind(filepath.Join(root, e.Name()))
		if err := os.RemoveAll(filepath.Join(root, e.Name())); err != nil {
			return err
		}
	}
	own := os.Getpid()
	h.Folder = filepath.Join(root, strings.Join([]string{name, strconv.Itoa(own), startOf(own)}, ownerMark))
	return os.MkdirAll(h.Folder, 0o755)
}

// ownerMark stands between host, process and the time of its start in the name of a folder.
const ownerMark = "+"

// endLeftBehind ends the process groups of the exchange folders in a folder.
func endLeftBehind(folder string) {
	found, _ := filepath.Glob(filepath.Join(folder, "*", groupFile)) // the pattern is sound
	for _, file := range found {
		content, err := files.ReadRegular(file, 1<<10)
		if err != nil {
			continue
		}
		var group int
		var started string
		var in container
		if n, _ := fmt.Sscanf(string(content), "%d %s %s %s", &group, &started, &in.runtime, &in.name); n >= 2 {
			endLeftOver(group, started, filepath.Dir(file))
			in.end()
		}
	}
}
