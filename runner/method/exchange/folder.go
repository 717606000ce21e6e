package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"tenfold/io/files"
)

// Folder is an exchange folder. Its method writes in it, also from a container that can write nowhere else, so tenfold reads and
// writes by the open folder alone.
type Folder struct {
	files.Folder
	Path string
}

// OpenFolder opens an exchange folder.
func OpenFolder(path string) (*Folder, error) {
	folder, err := files.OpenFolder(path)
	if err != nil {
		return nil, err
	}
	return &Folder{folder, path}, nil
}

// FileMode is the mode of files that one fit alone gets, of which the mask leaves less.
const FileMode fs.FileMode = 0o666

// sharedMode is the mode of the files, which some methods would otherwise change in place by mistake.
const sharedMode fs.FileMode = 0o444

// Write makes a file, and the folders above it.
func (x *Folder) Write(name string, mode fs.FileMode, Write func(io.Writer) error) error {
	if dir := path.Dir(name); dir != "." {
		if err := x.MkdirAll(dir); err != nil {
			return err
		}
	}
	f, err := x.Create(name, mode)
	if err != nil {
		return err
	}
	if err := Write(f); err != nil {
		f.Close()
		if !errors.As(err, new(*fs.PathError)) { // a PathError has the path already
			err = fmt.Errorf("%s: %w", f.Name(), err)
		}
		return err
	}
	return f.Close()
}

// WriteJSON makes a file with a value in JSON.
func (x *Folder) WriteJSON(name string, value any) error {
	return x.Write(name, FileMode, func(w io.Writer) error { return json.NewEncoder(w).Encode(value) })
}

// Copy adds a copy of a read-only file of another folder.
func (x *Folder) Copy(name string, from files.Folder) error {
	in, err := from.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	return x.Write(name, sharedMode, func(w io.Writer) error { _, err := io.Copy(w, in); return err })
}
