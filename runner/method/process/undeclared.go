package process

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tenfold/engines/data"
	"tenfold/runner/method/declaration"
)

// An undeclared file is one in the folder of a declaration that a process of the method opens, though its code does not name it.

// undeclared watches for them. Who opens a file is not known: one that is opened in the time of a process counts as opened by it.
// The zero value is ready.
type undeclared struct {
	mu       sync.Mutex
	watch    *opens // nil if no process has started
	live     map[*opening]bool
	methods  map[*declaration.Declaration]bool // of which some process has started
	declared map[string]bool                   // paths of their code, and of the files that declare them
	digests  declaration.Digests
}

// opening holds the files that were opened and written in the time of a process, by path in the folder of the declaration.
type opening struct {
	watcher         *undeclared
	method          *declaration.Declaration
	opened, written map[string]bool
}

// begin begins to watch for a process of a method that is about to start. It returns nil if the method has no code whose content decides, or can read
// nothing else.
func (u *undeclared) begin(d *declaration.Declaration) *opening {
	if d.Untracked() || d.VersionDecides() || d.Container.Image != "" {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.watch == nil {
		u.watch, u.live = newOpens(), map[*opening]bool{}
		u.methods, u.declared = map[*declaration.Declaration]bool{}, map[string]bool{}
	}
	if !u.methods[d] {
		u.methods[d] = true
		u.watch.add(d.Folder)
		u.declared[resolved(d.File)] = true
		code, _ := d.CodePaths() // an error ended the command before
		for _, file := range code {
			u.declared[resolved(d.FilePath(file))] = true
		}
	}
	u.take()
	o := &opening{watcher: u, method: d, opened: map[string]bool{}, written: map[string]bool{}}
	u.live[o] = true
	return o
}

// take adds what was opened since the last call to the processes that live.
func (u *undeclared) take() {
	if u.watch == nil {
		return
	}
	u.watch.take(func(folder, file string, written bool) {
		file = sourceOf(folder, file)
		for o := range u.live {
			switch {
			case o.method.Folder != folder:
			case written:
				o.written[file] = true
			default:
				o.opened[file] = true
			}
		}
	})
}

// sourceOf returns the Python source whose compiled form a file is; the file itself if there is no such source.
func sourceOf(folder, file string) string {
	dir, name := path.Split(file)
	if module, _, _ := strings.Cut(name, "."); path.Base(dir) == "__pycache__" {
		source := path.Join(path.Dir(path.Clean(dir)), module+".py")
		if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(source))); err == nil {
			return source
		}
	}
	return file
}

// mostUndeclared limits the undeclared files that are reported of a process.
const mostUndeclared = 1000

// report reports the undeclared files that were opened so far, and not written, with their digests. It may be called again.
func (o *opening) report(tell func(data.Fact)) {
	if o == nil || tell == nil {
		return
	}
	o.watcher.mu.Lock()
	defer o.watcher.mu.Unlock()
	o.watcher.take()
	listed := 0
	for _, file := range slices.Sorted(maps.Keys(o.opened)) {
		path := o.method.FilePath(file)
		if o.written[file] || o.watcher.declared[resolved(path)] {
			continue
		}
		if sum, err := o.watcher.digests.Sum(path, undeclaredDigest); err == nil && listed < mostUndeclared {
			tell(data.Fact{Name: o.method.Name + opensWord + file, Value: sum})
			listed++
		}
	}
}

// end ends the watch for a process that has ended.
func (o *opening) end() {
	if o != nil {
		o.watcher.mu.Lock()
		defer o.watcher.mu.Unlock()
		o.watcher.take()
		delete(o.watcher.live, o)
	}
}

// close ends the watch.
func (u *undeclared) close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.watch != nil {
		u.watch.close()
		u.watch = nil
	}
}

// opensWord stands between the names of a method and of an undeclared file in the name of a fact.
const opensWord = " opened "

// ReadOpened returns the method and the path of an undeclared file that a fact is about; false if it is about something else. The
// value of the fact is the digest.
func ReadOpened(f data.Fact) (method, file string, ok bool) {
	method, file, ok = strings.Cut(f.Name, opensWord)
	return method, file, ok && declaration.CheckName(method) == nil && filepath.IsLocal(filepath.FromSlash(file))
}

// UndeclaredDigest returns the digest of an undeclared file as it is now, "" if it cannot be read.
func UndeclaredDigest(d *declaration.Declaration, file string) string {
	sum, err := undeclaredDigest(d.FilePath(file))
	if err != nil {
		return ""
	}
	return sum
}

// mostHashed is the size in bytes up to which an undeclared file is read; the digest of a larger one is that of its size and time.
const mostHashed = 64 << 20

func undeclaredDigest(file string) (string, error) {
	if info, err := os.Stat(file); err == nil && info.Size() > mostHashed {
		sum := sha256.Sum256(fmt.Appendln(nil, info.Size(), info.ModTime().UnixNano()))
		return hex.EncodeToString(sum[:]), nil
	}
	return declaration.HashFile(file)
}
