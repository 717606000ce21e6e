package process

import (
	"crypto/rand"
	"errors"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"tenfold/io/files"
	"tenfold/runner/method/declaration"
	"tenfold/runner/method/exchange"
)

// Programs starts the programs of methods, each in an exchange folder. The zero value runs nothing.
type Programs struct {
	// Folder holds exchange folders during fits; "" if methods may not run.
	Folder string
	// Log is the folder of the run, in which status/methods receives what methods write to standard error; "" for none.
	Log files.Root
	// Grace is how long a process may take to end after SIGTERM, before SIGKILL; 0: ten seconds.
	Grace time.Duration
	// Hidden lists files and folders that methods in a sandbox do not see, such as the data.
	Hidden []string
	// Home is HOME of the processes; "": that of tenfold.
	Home string
	// Watcher is told about processes; may be nil.
	Watcher Watcher

	supervisors supervisors

	undeclared undeclared
	root       string         // parent of the folders of this and other processes; "" if there is none
	removals   sync.WaitGroup // removals of exchange folders, which fits do not wait for

	mu   sync.Mutex
	left map[string]int // by method, processes that it left running and that were ended
}

// Remove deletes an exchange folder in the background.
func (p *Programs) Remove(x *exchange.Folder) {
	x.Close()
	p.removals.Go(func() { os.RemoveAll(x.Path) })
}

// errNotAllowed is the error of a fit whose method has no consent.
var errNotAllowed = errors.New("methods may not run here")

const defaultGrace = 10 * time.Second

func (p *Programs) grace() time.Duration {
	if p.Grace > 0 {
		return p.Grace
	}
	return defaultGrace
}

// patience returns how long processes that a method has started may go on when it has ended. Somebody who watches wants to know which
// ones would not end; a run does not wait for them.
func (p *Programs) patience() time.Duration {
	half := p.grace() / 2
	if p.Watcher != nil {
		return half
	}
	return min(half, 200*time.Millisecond)
}

// NewFolder makes an empty exchange folder for a method.
func (p *Programs) NewFolder(method string) (*exchange.Folder, error) {
	if p.Folder == "" {
		return nil, errNotAllowed
	}
	if err := os.MkdirAll(p.Folder, 0o755); err != nil {
		return nil, err
	}
	const characters = 13 // of 5 bits; more would be too much for the paths of sockets in the folder
	path, err := filepath.Abs(filepath.Join(p.Folder, method+"-"+rand.Text()[:characters]))
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		return nil, err
	}
	return exchange.OpenFolder(path)
}

// hidden lists what methods in a sandbox do not see.
func (p *Programs) hidden() []string {
	if p.root == "" {
		return p.Hidden
	}
	return append(slices.Clone(p.Hidden), p.root)
}

// noteLeft counts the processes that a method has left.
func (p *Programs) noteLeft(d *declaration.Declaration, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left == nil {
		p.left = map[string]int{}
	}
	p.left[d.Name] += n
}

// Left returns, for each method that left processes running when it had ended, how many there were. They were ended.
func (p *Programs) Left() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	left := maps.Clone(p.left)
	maps.DeleteFunc(left, func(_ string, n int) bool { return n == 0 })
	return left
}

// Close removes the remaining exchange folders, and ends what watches and supervises programs.
func (p *Programs) Close() error {
	p.removals.Wait()
	p.undeclared.close()
	p.supervisors.close()
	if p.Folder == "" {
		return nil
	}
	err := removeAll(p.Folder)
	if p.root != "" {
		os.Remove(p.root) // succeeds only if this was the last
	}
	return err
}

// Open makes a folder below root for the exchange folders of this process. It ends processes and containers, and removes folders,
// that killed processes of this host left there; those of living processes, and of other hosts, stay.
func (p *Programs) Open(root string) error {
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
	p.Folder, p.root = filepath.Join(root, ownerName(name)), root
	return os.MkdirAll(p.Folder, 0o755)
}

// Between links or moves something from one exchange folder to another. No link in the place of these leads out of the folder that
// has all of them.
func (p *Programs) Between(from, to, name string, do func(folders *os.Root, from, to string) error) error {
	folders, err := os.OpenRoot(p.Folder)
	if err != nil {
		return err
	}
	defer folders.Close()
	return do(folders, path.Join(filepath.Base(from), name), path.Join(filepath.Base(to), name))
}
