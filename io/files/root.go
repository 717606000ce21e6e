package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"syscall"
)

// Root is the path of a folder that somebody else may have made, such as that of a run: no link leads out of it, and only
// regular files of bounded size are read. Names are relative to it, with slashes. Errors have whole paths; those of a
// missing folder or file are fs.ErrNotExist.
type Root string

var (
	errOutside = errors.New("a link leads out of the folder, and is not followed")
	errSpecial = errors.New("a device, a pipe or a socket; a regular file was expected")
)

// Unreadable is an error of the system that does not depend on the folder's content: of permissions, disks, and resources.
type Unreadable struct{ error }

func (u Unreadable) Unwrap() error { return u.error }

// Path returns the path of something in the folder.
func (r Root) Path(name string) string { return filepath.Join(string(r), filepath.FromSlash(name)) }

// Open opens a file for reading.
func (r Root) Open(name string) (f *os.File, err error) {
	err = r.withRoot(name, func(root *os.Root) error {
		info, err := root.Stat(name)
		if err == nil {
			err = checkRegular(info)
		}
		if err == nil {
			f, err = OpenRegular(root, name)
		}
		return err
	})
	return f, err
}

func checkRegular(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return syscall.EISDIR
	case !info.Mode().IsRegular():
		return errSpecial
	}
	return nil
}

// ReadFile reads a file of at most most bytes.
func (r Root) ReadFile(name string, most int64) ([]byte, error) {
	f, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := readRegularUpTo(f, most)
	if err != nil {
		return nil, r.wrapError(name, err)
	}
	return content, nil
}

// ReadRegular reads a regular file of bounded size that a user names: links to it are followed. It is for files that may
// come with those of a stranger, such as a baseline beside an experiment.
func ReadRegular(path string, most int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := readRegularUpTo(f, most)
	if err != nil {
		if e := (*fs.PathError)(nil); errors.As(err, &e) {
			err = e.Err
		}
		return nil, &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return content, nil
}

// readRegularUpTo reads an open file, which must be a regular one of at most most bytes.
func readRegularUpTo(f *os.File, most int64) ([]byte, error) {
	info, err := f.Stat()
	if err == nil {
		err = checkRegular(info)
	}
	if err != nil {
		return nil, err
	}
	size := info.Size()
	var b bytes.Buffer
	if size <= most {
		b.Grow(int(size) + bytes.MinRead)
		size, err = b.ReadFrom(io.LimitReader(f, most+1)) // it may grow meanwhile
	}
	if err == nil && size > most {
		err = fmt.Errorf("%d bytes or more; at most %d were expected", size, most)
	}
	return b.Bytes(), err
}

// ReadDir lists a folder in this one, by name.
func (r Root) ReadDir(name string) (entries []fs.DirEntry, err error) {
	err = r.withRoot(name, func(root *os.Root) error {
		entries, err = readDir(root, name)
		return err
	})
	return entries, err
}

// Stat describes a file or folder.
func (r Root) Stat(name string) (info fs.FileInfo, err error) {
	err = r.withRoot(name, func(root *os.Root) error {
		info, err = root.Stat(name)
		return err
	})
	return info, err
}

// Remove removes a file or a link, which need not exist.
func (r Root) Remove(name string) error {
	err := r.withRoot(name, func(root *os.Root) error { return root.Remove(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// CreateNew makes a file, and folders as needed. A regular file that has the name loses it, and is not written into.
func (r Root) CreateNew(name string) (f *os.File, err error) {
	if err = r.makeParents(name); err != nil {
		return nil, err
	}
	err = r.withRoot(name, func(root *os.Root) error {
		f, err = Folder{root}.Create(name, 0o666)
		return err
	})
	return f, err
}

// makeParents makes the folder of a file, and those above it.
func (r Root) makeParents(name string) error {
	if err := os.MkdirAll(string(r), 0o777); err != nil {
		return r.wrapError(".", err)
	}
	dir := path.Dir(name)
	if dir == "." {
		return nil
	}
	return r.withRoot(dir, func(root *os.Root) error { return root.MkdirAll(dir, 0o777) })
}

// withRoot calls do with the opened folder and adds the path of name to its errors.
func (r Root) withRoot(name string, do func(root *os.Root) error) error {
	root, err := r.openRoot(name)
	if err != nil {
		return err
	}
	defer root.Close()
	return r.wrapError(name, do(root))
}

// openRoot opens the folder; name is what it is opened for, for messages.
func (r Root) openRoot(name string) (*os.Root, error) {
	root, err := os.OpenRoot(string(r))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, r.wrapError(name, err)
	}
	return root, r.wrapError(".", err)
}

// wrapError adds the path of what an error is about.
func (r Root) wrapError(name string, err error) error {
	if err == nil {
		return nil
	}
	what := err
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		what = e.Err
	} else if e := (*os.LinkError)(nil); errors.As(err, &e) {
		what = e.Err
	}
	if what.Error() == "path escapes from parent" { // package os has no error for it
		what = errOutside
	}
	named := &fs.PathError{Op: "open", Path: r.Path(name), Err: what}
	if errno := syscall.Errno(0); errors.As(what, &errno) && !slices.Contains(contentErrors, errno) {
		return Unreadable{named}
	}
	return named
}
