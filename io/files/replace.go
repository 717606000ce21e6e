package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
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
	path string
}

// Create a file that is to become path; its folder must exist.
func Create(path string) (*Output, error) {
	dir, name := filepath.Split(path)
	// Not os.CreateTemp, whose files only their owner may read.
	f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("%s%s-%x", temporary, name, rand.Uint64())), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	return &Output{f, path}, nil
}

// Commit replaces what had the name; the file must have been closed. Where it is gone, the error is fs.ErrNotExist.
func (o *Output) Commit() error {
	err := os.Rename(o.Name(), o.path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: another program removed it, or its folder, before it was complete: %w", o.path, fs.ErrNotExist)
	}
	return err
}

// Abort removes the file.
func (o *Output) Abort() error {
	err := o.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	if gone := os.Remove(o.Name()); !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// Replace puts what write produces under path, whole or not at all. Folders are made as needed. Where somebody removes the
// file while it is made (or Sweep does, after a leap of the clock), it is made again.
func Replace(path string, write func(w io.Writer) error) (err error) {
	for range 3 {
		if err = replace(path, write); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

func replace(path string, write func(w io.Writer) error) error {
	out, err := Create(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o777); err == nil {
			out, err = Create(path)
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
func Sweep(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !strings.HasPrefix(e.Name(), temporary) {
			continue
		}
		info, gone := e.Info()
		if gone != nil || time.Since(info.ModTime()) < time.Hour {
			continue
		}
		if e := os.Remove(filepath.Join(dir, e.Name())); !errors.Is(e, fs.ErrNotExist) && !errors.Is(e, fs.ErrPermission) && !errors.Is(e, syscall.EROFS) {
			err = errors.Join(err, e)
		}
	}
	return err
}
