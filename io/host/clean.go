package host

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"tenfold/io/files"
)

// maxIndex limits the bytes of an index, 100 to 200 for a file.
const maxIndex = 64 << 20

// isClean reports whether the index has the tree of the commit, and the work tree the files of the index; false if it cannot be told.
func (r repository) isClean(ctx context.Context, commit string, nesting int) bool {
	id, err1 := hex.DecodeString(commit)
	info, err2 := r.private.Stat("index")
	content, err3 := r.private.ReadFile("index", maxIndex)
	if errors.Join(err1, err2, err3) != nil {
		return false
	}
	tree, err := r.treeOf(id)
	if err != nil {
		return false
	}
	c := comparison{repository: r, ctx: ctx, written: info.ModTime(), hash: len(id), nesting: nesting}
	indexed, err := c.compare(content)
	return err == nil && bytes.Equal(indexed, tree)
}

// comparison goes through an index, compares the files of the work tree, and makes the tree objects that git would store for it.
type comparison struct {
	repository
	ctx     context.Context
	written time.Time // when the index was
	hash    int       // bytes of a hash
	nesting int       // of submodules
	folders []folder  // from the work tree to the folder of the present entry
}

// folder is a folder of the work tree with what its tree object has so far.
type folder struct {
	name string
	root *os.Root // nil if the work tree has no such folder
	tree []byte
}

// errModified is the error of a file that is not shown to be that of the index.
var errModified = errors.New("not shown to be unmodified")

// compare returns the hash of an index's tree, or an error if it cannot be told that the files are those of the index.
func (c *comparison) compare(index []byte) (tree []byte, err error) {
	entries, err := newIndexReader(index, c.hash)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(c.tree)
	if err != nil {
		return nil, err
	}
	c.folders = []folder{{root: root}}
	defer func() {
		for _, f := range c.folders {
			f.close()
		}
	}()
	for {
		e, err := entries.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err = cmp.Or(err, c.ctx.Err()); err != nil {
			return nil, err
		}
		path := strings.Split(e.name, "/")
		folders, name := path[:len(path)-1], path[len(path)-1]
		if err := c.enter(folders); err != nil {
			return nil, err
		}
		if !c.isUnmodified(e, name) {
			return nil, errModified
		}
		c.add(e.mode, name, e.id)
	}
	if err := c.enter(nil); err != nil {
		return nil, err
	}
	return objectID(c.hash, "tree", c.folders[0].tree), nil
}

func (f folder) close() {
	if f.root != nil {
		f.root.Close()
	}
}

// add adds an entry to the tree object of the present folder.
func (c *comparison) add(mode uint32, name string, id []byte) {
	f := &c.folders[len(c.folders)-1]
	f.tree = append(fmt.Appendf(f.tree, "%o %s\x00", mode, name), id...)
}

// enter goes to a folder by its path from the work tree. It completes the tree objects of the folders that it leaves.
func (c *comparison) enter(path []string) error {
	common := 0
	for common < len(path) && common+1 < len(c.folders) && c.folders[common+1].name == path[common] {
		common++
	}
	for len(c.folders) > common+1 {
		last := c.folders[len(c.folders)-1]
		c.folders = c.folders[:len(c.folders)-1]
		last.close()
		c.add(modeFolder, last.name, objectID(c.hash, "tree", last.tree))
	}
	for _, name := range path[common:] {
		f, parent := folder{name: name}, c.folders[len(c.folders)-1].root
		if parent != nil {
			if info, err := parent.Lstat(name); err == nil && info.IsDir() {
				if f.root, err = parent.OpenRoot(name); err != nil {
					return err
				}
			}
		}
		c.folders = append(c.folders, f)
	}
	return nil
}

// Modes of entries.
const (
	modeFolder     = 0o040000
	modeFile       = 0o100644
	modeExecutable = 0o100755
	modeLink       = 0o120000
	modeSubmodule  = 0o160000
)

// isUnmodified reports whether an entry's file, of that name in the present folder, is as git stored it.
func (c *comparison) isUnmodified(e *entry, name string) bool {
	root := c.folders[len(c.folders)-1].root
	if root == nil {
		return e.absent
	}
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return e.absent
	case err != nil:
		return false
	case e.mode == modeSubmodule:
		return info.IsDir() && c.isSubmoduleClean(e)
	case e.mode == modeLink:
		target, err := root.Readlink(name)
		return err == nil && bytes.Equal(objectID(c.hash, "blob", []byte(filepath.ToSlash(target))), e.id)
	case !info.Mode().IsRegular() || e.mode != modeFile && e.mode != modeExecutable:
		return false
	case e.size != 0 && e.size != uint32(info.Size()):
		return false
	case runtime.GOOS != "windows" && (info.Mode()&0o100 != 0) != (e.mode == modeExecutable):
		return false
	}
	return c.isAsRecorded(e, info) || c.hasContent(e, root, name, info.Size())
}

// isSubmoduleClean reports whether a submodule is not checked out, or has the commit that the entry names, unmodified.
func (c *comparison) isSubmoduleClean(e *entry) bool {
	dir := filepath.Join(c.tree, filepath.FromSlash(e.name))
	if !hasRepository(dir) {
		return true
	}
	w := workTreeAt(c.ctx, dir, c.nesting+1)
	return w.Clean && w.Commit == hex.EncodeToString(e.id)
}

// clockTick is an upper bound of the interval in which a file system gives two changes the same time.
const clockTick = 10 * time.Millisecond

// isAsRecorded reports whether the times of a file are those that the index has. They do not tell of a change just after git had looked
// at the file: git records size 0 if it comes to know of one, and the index is not much younger than the file otherwise.
func (c *comparison) isAsRecorded(e *entry, info fs.FileInfo) bool {
	changed, known := inodeChanged(info)
	return e.size != 0 && e.modified == stampOf(info.ModTime()) && (!known || e.changed == changed) && info.ModTime().Add(clockTick).Before(c.written)
}

// maxConverted limits the bytes of a file whose line ends are converted to compare it.
const maxConverted = 32 << 20

// hasContent reports whether the content of a file has the hash of the entry, as it is, or with the line ends of Windows replaced: with
// these the file has the size that git knows of it.
func (c *comparison) hasContent(e *entry, root *os.Root, name string, size int64) bool {
	f, err := files.OpenRegular(root, name)
	if err != nil {
		return false
	}
	defer f.Close()
	defer context.AfterFunc(c.ctx, func() { f.Close() })() // ends the reading of a large file
	h := newHash(c.hash, "blob", size)
	if _, err := io.Copy(h, f); err != nil {
		return false
	}
	if bytes.Equal(h.Sum(nil), e.id) {
		return true
	}
	if e.size == 0 || size > maxConverted {
		return false
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false
	}
	content, err := io.ReadAll(io.LimitReader(f, maxConverted))
	return err == nil && bytes.Equal(objectID(c.hash, "blob", bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))), e.id)
}
