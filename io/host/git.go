// Package host reads what results say of where they were computed: the git work tree around an experiment. git.go finds the repository
// and the commit that HEAD leads to, object.go reads commits, index.go the index, and clean.go compares these with the files.
//
// No program is started: the git command obeys the configuration of the repository, which may be a stranger's and names programs to
// run. Here the configuration is not read, and what is not understood is unknown. The formats are those of git's documentation
// (gitrepository-layout, gitformat-index, gitformat-pack).
package host

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"tenfold/io/files"
)

// WorkTree is the state of a git work tree.
type WorkTree struct {
	// Commit is what HEAD leads to, in hexadecimal: "" outside a repository, before its first commit, and if it cannot be told.
	Commit string
	// Clean says that every tracked file was found to be that of the commit, which is not said of files that a filter, such as that
	// of LFS, has to convert before they can be compared, of sparse and split indexes, and of commits in borrowed objects.
	Clean bool
}

// FindWorkTree returns the state of the git work tree around a folder: that of the nearest .git, which may be a folder, or the file
// of a linked work tree or a submodule. It looks at every tracked file, until ctx ends, and reads those that seem to have changed.
func FindWorkTree(ctx context.Context, dir string) WorkTree {
	dir, err := filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return WorkTree{}
	}
	for !hasRepository(dir) {
		parent := filepath.Dir(dir)
		if parent == dir {
			return WorkTree{}
		}
		dir = parent
	}
	return workTreeAt(ctx, dir, 0)
}

func hasRepository(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// maxNesting limits submodules in submodules.
const maxNesting = 4

// workTreeAt returns the state of the work tree of a folder that has a .git.
func workTreeAt(ctx context.Context, dir string, nesting int) WorkTree {
	r, ok := openRepository(dir)
	if !ok || nesting > maxNesting {
		return WorkTree{}
	}
	w := WorkTree{Commit: r.commit()}
	if w.Commit != "" {
		w.Clean = r.isClean(ctx, w.Commit, nesting)
	}
	return w
}

// repository is where the parts of a repository lie.
type repository struct {
	tree    string     // the work tree
	private files.Root // HEAD and index of this work tree
	common  files.Root // refs and objects, which all work trees share
}

const (
	maxLine = 8 << 10  // bytes of a file of one line
	maxRefs = 64 << 20 // bytes of packed-refs
)

func openRepository(tree string) (r repository, ok bool) {
	path := filepath.Join(tree, ".git")
	if line, err := readLine(files.Root(tree), ".git"); err == nil {
		target, found := strings.CutPrefix(line, "gitdir: ")
		if !found {
			return repository{}, false
		}
		path = linkedFolder(tree, target)
	}
	r = repository{tree, files.Root(path), files.Root(path)}
	if !isFolder(path) {
		return repository{}, false
	}
	if line, err := readLine(r.private, "commondir"); err == nil {
		r.common = files.Root(linkedFolder(path, line))
	} else if !errors.Is(err, fs.ErrNotExist) {
		return repository{}, false
	}
	return r, isFolder(string(r.common))
}

// linkedFolder returns the path of a folder that a file of git names, absolute or relative to base; "" for one on another host, which
// would be told who asks.
func linkedFolder(base, path string) string {
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	if volume := filepath.VolumeName(path); len(volume) > len("C:") && volume != filepath.VolumeName(base) {
		return ""
	}
	return path
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// readLine returns the text of a file of one line.
func readLine(in files.Root, name string) (string, error) {
	text, err := in.ReadFile(name, maxLine)
	return strings.TrimSpace(string(text)), err
}

// maxSymbolic limits the refs that lead to another one on the way to a commit, as git does.
const maxSymbolic = 5

// commit returns the hash that HEAD leads to; "" if it leads nowhere.
func (r repository) commit() string {
	value, _ := readLine(r.private, "HEAD")
	for range maxSymbolic {
		name, symbolic := strings.CutPrefix(value, "ref:")
		if !symbolic {
			break
		}
		value = r.ref(strings.TrimSpace(name))
	}
	if !isHash(value) {
		return ""
	}
	return value
}

// ref returns what a ref says: a hash, or the name of another ref; "" if there is none.
func (r repository) ref(name string) string {
	if !strings.HasPrefix(name, "refs/") || !fs.ValidPath(name) {
		return ""
	}
	value, err := readLine(r.common, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EISDIR) {
		return r.packedRef(name)
	}
	return value
}

// packedRef returns the hash of a ref that has no file of its own; "" if there is none.
func (r repository) packedRef(name string) string {
	f, err := r.common.Open("packed-refs")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(io.LimitReader(f, maxRefs)); lines.Scan(); {
		if hash, found := strings.CutSuffix(lines.Text(), " "+name); found {
			return hash
		}
	}
	return ""
}

// isHash reports whether a text is a SHA-1 or a SHA-256 as git writes them.
func isHash(text string) bool {
	_, err := hex.DecodeString(text)
	return err == nil && (len(text) == 40 || len(text) == 64) && strings.ToLower(text) == text
}
