package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
)

// Folder is an open folder in which another program may change anything at any time. It stays the folder that was opened, whatever
// takes its path. Nothing in it is trusted to be what it was: no link leads out of it, a pipe is never waited for, only regular
// files are read, and what is written goes into files that are made for it. Names are relative to it, with slashes. Something else
// in the place of a file or folder is an error that says what was found and expected; errors of the system are fs.PathError.
type Folder struct{ root *os.Root }

// OpenFolder opens a folder.
func OpenFolder(path string) (Folder, error) {
	root, err := os.OpenRoot(path)
	return Folder{root}, err
}

// Close closes the folder, which stays as it is. It may be closed again.
func (f Folder) Close() error { return f.root.Close() }

// Open opens a regular file for reading. A link to one is refused. A file that has other names elsewhere is not: only a program
// outside of containers can give it one here, and that has the rights of this process.
func (f Folder) Open(name string) (*os.File, error) {
	if err := f.checkRegular(name); err != nil {
		return nil, err
	}
	return OpenRegular(f.root, name)
}

// ReadDir lists a folder, by name.
func (f Folder) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := f.CheckFolder(name); err != nil {
		return nil, err
	}
	return readDir(f.root, name)
}

// Create makes a file. A regular file that has the name loses it and is not written into: it may have other names, elsewhere.
func (f Folder) Create(name string, mode fs.FileMode) (*os.File, error) {
	if err := f.Remove(name); err != nil {
		return nil, err
	}
	return f.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
}

// Remove removes a regular file, which need not exist.
func (f Folder) Remove(name string) error {
	err := f.checkRegular(name)
	if err == nil {
		err = f.root.Remove(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// RemoveAll removes whatever has the name, with what is in it.
func (f Folder) RemoveAll(name string) error { return f.root.RemoveAll(name) }

// MkdirAll makes a folder, and those above it, unless it exists.
func (f Folder) MkdirAll(name string) error {
	err := f.CheckFolder(name)
	if errors.Is(err, fs.ErrNotExist) {
		return f.root.MkdirAll(name, 0o755)
	}
	return err
}

// Has reports whether something has a name.
func (f Folder) Has(name string) bool {
	_, err := f.root.Lstat(name)
	return err == nil
}

// Writable reports whether this user can write into a file, whatever its mode says.
func (f Folder) Writable(name string) bool {
	file, err := f.root.OpenFile(name, os.O_WRONLY|nonblocking, 0)
	return err == nil && file.Close() == nil
}

// checkRegular returns an error unless the name is that of a regular file.
func (f Folder) checkRegular(name string) error {
	info, err := f.root.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is %s, expected a regular file", name, kindOf(info.Mode()))
	}
	return err
}

// CheckFolder returns an error unless the name is that of a folder.
func (f Folder) CheckFolder(name string) error {
	info, err := f.root.Lstat(name)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is %s, expected a folder", name, kindOf(info.Mode()))
	}
	return err
}

// kindOf names what a mode is of.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a regular file"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// OpenRegular opens what is known to be a regular file, unless it has been replaced since. Links are followed within the folder.
func OpenRegular(root *os.Root, name string) (*os.File, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = checkRegular(info)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// readDir lists a folder by name. Links are followed within the folder above it.
func readDir(root *os.Root, name string) ([]fs.DirEntry, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, syscall.ENOTDIR
	}
	f, err := root.OpenFile(name, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, errors.Join(err, f.Close())
}
