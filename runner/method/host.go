package method

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"weak"

	"tenfold/engines/data"
	"tenfold/io/files"
)

// Host runs methods: it holds their folders, and the processes that wait for more fits. The zero value runs nothing.
type Host struct {
	// Folder holds exchange folders during fits; "" if methods may not run.
	Folder string
	// Log is the folder of the run, in which status/methods receives what methods write to standard error; "" for none.
	Log files.Root
	// Keep asks all methods to leave their models in their answers, so that models can be stored in files.
	Keep bool
	// Grace is how long a process may take to end after SIGTERM, before SIGKILL; 0: ten seconds.
	Grace time.Duration
	// Hidden lists files and folders that methods in a sandbox do not see, such as the data.
	Hidden []string
	// Home is HOME of the processes; "": that of tenfold.
	Home string
	// Watcher is told about processes; may be nil.
	Watcher Watcher

	supervisors supervisors

	mu     sync.Mutex
	left   map[string]int // by method, processes that it left running and that were ended
	shared map[sharedKey]*sharedFiles
	root   string // parent of the folders of this and other processes; "" if there is none

	undeclared undeclared

	removals sync.WaitGroup // removals of exchange folders, which fits do not wait for
}

// remove deletes an exchange folder in the background.
func (h *Host) remove(x *exchange) {
	x.Close()
	h.removals.Go(func() { os.RemoveAll(x.path) })
}

// errNotAllowed is the error of a fit whose method has no consent.
var errNotAllowed = errors.New("methods may not run here")

const defaultGrace = 10 * time.Second

func (h *Host) grace() time.Duration {
	if h.Grace > 0 {
		return h.Grace
	}
	return defaultGrace
}

// patience returns how long processes that a method has started may go on when it has ended. Somebody who watches wants to know which
// ones would not end; a run does not wait for them.
func (h *Host) patience() time.Duration {
	half := h.grace() / 2
	if h.Watcher != nil {
		return half
	}
	return min(half, 200*time.Millisecond)
}

// newFolder makes an empty exchange folder.
func (h *Host) newFolder(method string) (string, error) {
	if h == nil || h.Folder == "" {
		return "", errNotAllowed
	}
	if err := os.MkdirAll(h.Folder, 0o755); err != nil {
		return "", err
	}
	const characters = 13 // of 5 bits; more would be too much for the paths of sockets in the folder
	folder, err := filepath.Abs(filepath.Join(h.Folder, method+"-"+rand.Text()[:characters]))
	if err != nil {
		return "", err
	}
	return folder, os.Mkdir(folder, 0o700)
}

// hidden lists what methods in a sandbox do not see.
func (h *Host) hidden() []string {
	if h.root == "" {
		return h.Hidden
	}
	return append(slices.Clone(h.Hidden), h.root)
}

// noteLeft counts the processes that a method has left.
func (h *Host) noteLeft(d *Declaration, n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.left == nil {
		h.left = map[string]int{}
	}
	h.left[d.Name] += n
}

// Left returns, for each method that left processes running when it had ended, how many there were. They were ended.
func (h *Host) Left() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	left := maps.Clone(h.left)
	maps.DeleteFunc(left, func(_ string, n int) bool { return n == 0 })
	return left
}

// sharedKey identifies the training rows of a fit in the form that one method wants.
type sharedKey struct {
	rows        weak.Pointer[data.View]
	declaration *Declaration
}

// training returns the folder with the files of the training rows, which the first call writes. They are removed when the rows are
// garbage.
func (h *Host) training(d *Declaration, train *data.View) (*sharedFiles, error) {
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
func (h *Host) take(s *sharedFiles) *process {
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
func (h *Host) give(s *sharedFiles, p *process) {
	h.mu.Lock()
	current := h.shared[s.key] == s
	if current {
		s.idle = append(s.idle, p)
	}
	h.mu.Unlock()
	if !current {
		p.end()
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
	h.removals.Wait()
	h.undeclared.close()
	h.supervisors.close()
	if h.Folder == "" {
		return nil
	}
	err := removeAll(h.Folder)
	if h.root != "" {
		os.Remove(h.root) // succeeds only if this was the last
	}
	return err
}

// Open makes a folder below root for the exchange folders of this process. It ends processes and containers, and removes folders,
// that killed processes of this host left there; those of living processes, and of other hosts, stay.
func (h *Host) Open(root string) error {
	name, err := os.Hostname()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	root = resolved(root) // what was started here knows the folder by one path
	entries, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !ownerGone(e.Name(), name) {
			continue
		}
		left := filepath.Join(root, e.Name())
		endLeftBehind(left)
		if err := removeAll(left); err != nil {
			return err
		}
	}
	h.Folder, h.root = filepath.Join(root, ownerName(name)), root
	return os.MkdirAll(h.Folder, 0o755)
}

// removeAll removes a folder and ends the containers that run for exchange folders in it. No link is followed.
func removeAll(folder string) error {
	parent, err := os.OpenRoot(filepath.Dir(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer parent.Close()
	name := filepath.Base(folder)
	_ = fs.WalkDir(parent.FS(), name, func(path string, e fs.DirEntry, err error) error { // what cannot be read is not removed, either, and that is an error
		switch {
		case err != nil:
		case e.IsDir():
			parent.Chmod(path, 0o700) // to list it and to remove what is in it
		case e.Name() == runtimeFile:
			endContainers(filepath.Join(parent.Name(), path))
		}
		return nil
	})
	return parent.RemoveAll(name)
}

// ownerName returns the name of this process on a host, for the name of its folder.
func ownerName(host string) string {
	own := os.Getpid()
	return strings.Join([]string{host, strconv.Itoa(own), startOf(own)}, ownerMark)
}

// ownerGone reports whether a folder is named after a process of the host that no longer exists.
func ownerGone(folder, host string) bool {
	parts := strings.Split(folder, ownerMark)
	if len(parts) < 3 || parts[0] != host {
		return false
	}
	number, err := strconv.Atoi(parts[1])
	return err == nil && startOf(number) != parts[2]
}

// temporaryPrefix is the prefix of folders among the system's temporary files.
const temporaryPrefix = "tenfold-"

// Temporary makes a folder among the system's temporary files. It also removes such folders that killed processes of this user on
// this host left, and ends the processes that still run in them.
func Temporary(kind string) (string, error) {
	host, err := os.Hostname()
	if err != nil {
		return "", err
	}
	temporary := resolved(os.TempDir())
	entries, _ := os.ReadDir(temporary) // an error means that nothing is cleaned up
	for _, e := range entries {
		name, ours := strings.CutPrefix(e.Name(), temporaryPrefix)
		_, owner, _ := strings.Cut(name, "-")
		if !ours || !ownerGone(owner, host) {
			continue
		}
		at := filepath.Join(temporary, e.Name())
		if info, err := os.Lstat(at); err != nil || !info.IsDir() || !isMine(info) { // other users can make folders there, too
			continue
		}
		endLeftBehind(at)
		removeAll(at)
	}
	return os.MkdirTemp(temporary, temporaryPrefix+kind+"-"+ownerName(host)+ownerMark)
}

// ownerMark separates host, process and its start time in the name of a folder.
const ownerMark = "+"
