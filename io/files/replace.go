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

// temporary begins the names of files that are not complete yet.
const temporary = ".tmp-"

// Output is a file that gets its name when it is complete: readers see the old file or the new one, also when several
// processes write it at once. It is not forced to the disk, so after a power failure it may be damaged: who cannot make
// it again has to check what is read.
type Output struct {
	*os.File
	in         Root
	at         *os.Root
	name, part string // when it is complete, and until then
}

// Create a file that is to become path; its folder must exist.
func Create(path string) (*Output, error) {
	dir, name := apart(path)
	return dir.Create(name)
}

// apart is a file's folder, and its name in it.
func apart(path string) (Root, string) { return Root(filepath.Dir(path)), filepath.Base(path) }

// Create a file in the folder that is to get a name; what is above it must exist.
func (r Root) Create(name string) (*Output, error) {
	at, err := r.root(name)
	if err != nil {
		return nil, err
	}
	o := &Output{in: r, at: at, name: name, part: path.Join(path.Dir(name), fmt.Sprintf("%s%s-%x", temporary, path.Base(name), rand.Uint64()))}
	// Not os.CreateTemp, whose files only their owner may read.
	if o.File, err = at.OpenFile(o.part, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666); err != nil {
		return nil, errors.Join(r.named(o.part, err), at.Close())
	}
	return o, nil
}

// Commit replaces what had the name; the file must have been closed. Where it is gone, the error is fs.ErrNotExist.
func (o *Output) Commit() error {
	err := o.in.named(o.name, o.at.Rename(o.part, o.name))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: another program removed it, or its folder, before it was complete: %w", o.in.Path(o.name), fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	return o.at.Close()
}

// Abort removes the file.
func (o *Output) Abort() error {
	err := o.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	if gone := o.at.Remove(o.part); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, o.in.named(o.part, gone))
	}
	return errors.Join(err, o.at.Close())
}

// Replace puts what write produces under path, whole or not at all. Folders are made as needed. Where somebody removes the
// file while it is made (or Sweep does, after a leap of the clock), it is made again.
func Replace(path string, write func(w io.Writer) error) error {
	dir, name := apart(path)
	return dir.Replace(name, write)
}

// Replace is Replace in the folder.
func (r Root) Replace(name string, write func(w io.Writer) error) (err error) {
	for range 3 {
		if err = r.replace(name, write); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

func (r Root) replace(name string, write func(w io.Writer) error) error {
	out, err := r.Create(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err = r.make(name); err == nil {
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

// Sweep removes from a folder what writers that were killed left there more than an hour ago; younger files may belong
// to a writer that is alive. The folder need not exist. What may not be removed stays.
func Sweep(dir string) error { return Root(dir).Sweep(".") }

// Sweep is Sweep of a folder in this one.
func (r Root) Sweep(name string) error {
	entries, err := r.ReadDir(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.HasPrefix(e.Name(), temporary) {
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
