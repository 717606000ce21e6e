package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// temporaryPrefix begins the names of files that are not complete yet.
const temporaryPrefix = ".tmp-"

// Output is a file that gets its name when it is complete: readers see the old file or the new one, also if several
// processes write it at once. It is not synced, so after a power failure it may be damaged: content that cannot be made
// again has to be checked when it is read.
type Output struct {
	*os.File
	in         Root
	root       *os.Root
	name, part string // when it is complete, and until then
}

// Create creates a file that is to become path; its folder must exist.
func Create(path string) (*Output, error) {
	dir, name := splitPath(path)
	return dir.Create(name)
}

// splitPath returns a file's folder, and its name in it.
func splitPath(path string) (Root, string) { return Root(filepath.Dir(path)), filepath.Base(path) }

// Create creates a file in the folder that gets its name when it is committed; the folder above it must exist.
func (r Root) Create(name string) (*Output, error) {
	root, err := r.openRoot(name)
	if err != nil {
		return nil, err
	}
	o := &Output{in: r, root: root, name: name, part: path.Join(path.Dir(name), fmt.Sprintf("%s%s-%x", temporaryPrefix, path.Base(name), rand.Uint64()))}
	// os.CreateTemp would make files that only their owner can read.
	if o.File, err = root.OpenFile(o.part, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666); err != nil {
		return nil, errors.Join(r.wrapError(o.part, err), root.Close())
	}
	return o, nil
}

// Commit replaces the file of that name; the output must have been closed. If it is gone, the error is fs.ErrNotExist.
func (o *Output) Commit() error {
	err := o.in.wrapError(o.name, o.root.Rename(o.part, o.name))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: another program removed it, or its folder, before it was complete: %w", o.in.Path(o.name), fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	return o.root.Close()
}

// Abort removes the file.
func (o *Output) Abort() error {
	err := o.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	if gone := o.root.Remove(o.part); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, o.in.wrapError(o.part, gone))
	}
	return errors.Join(err, o.root.Close())
}

// Replace writes the file at path atomically, and makes folders as needed. If the file is removed while it is written (by
// another program, or by Sweep after a jump of the clock), it is written again.
func Replace(path string, write func(w io.Writer) error) error {
	dir, name := splitPath(path)
	return dir.Replace(name, write)
}

// Replace replaces a file in the folder; see the function Replace.
func (r Root) Replace(name string, write func(w io.Writer) error) (err error) {
	for range 3 {
		if err = r.replaceOnce(name, write); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

func (r Root) replaceOnce(name string, write func(w io.Writer) error) error {
	out, err := r.Create(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err = r.makeParents(name); err == nil {
			out, err = r.Create(name)
		}
	}
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(out, 1<<16)
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if err = errors.Join(err, out.Close()); err == nil {
		err = out.Commit()
	}
	if err != nil {
		return errors.Join(err, out.Abort())
	}
	return nil
}

// Sweep removes files that killed writers left in a folder more than an hour ago; younger ones may belong to a live
// writer. The folder need not exist. Files that cannot be removed stay.
func Sweep(dir string) error { return Root(dir).Sweep(".") }

// Sweep sweeps a folder in this one; see the function Sweep.
func (r Root) Sweep(name string) error {
	entries, err := r.ReadDir(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.HasPrefix(e.Name(), temporaryPrefix) {
			continue
		}
		left := path.Join(name, e.Name())
		info, gone := r.Stat(left)
		if gone != nil || time.Since(info.ModTime()) < time.Hour {
			continue
		}
		if e := r.Remove(left); !errors.Is(e, fs.ErrPermission) && !errors.Is(e, syscall.EROFS) {
			err = errors.Join(err, e)
		}
	}
	return err
}
