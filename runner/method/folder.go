package method

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"tenfold/io/files"
)

// exchange is an exchange folder. Its method writes in it, also from a container that can write nowhere else, so tenfold reads and
// writes by the open folder alone.
type exchange struct {
	files.Folder
	path string
}

// openExchange opens an exchange folder.
func openExchange(path string) (*exchange, error) {
	folder, err := files.OpenFolder(path)
	if err != nil {
		return nil, err
	}
	return &exchange{folder, path}, nil
}

// fileMode is the mode of files that one fit alone gets, of which the mask leaves less.
const fileMode fs.FileMode = 0o666

// sharedMode is the mode of the files, which some methods would otherwise change in place by mistake.
const sharedMode fs.FileMode = 0o444

// write makes a file, and the folders above it.
func (x *exchange) write(name string, mode fs.FileMode, write func(io.Writer) error) error {
	if dir := path.Dir(name); dir != "." {
		if err := x.MkdirAll(dir); err != nil {
			return err
		}
	}
	f, err := x.Create(name, mode)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		if !errors.As(err, new(*fs.PathError)) { // a PathError has the path already
			err = fmt.Errorf("%s: %w", f.Name(), err)
		}
		return err
	}
	return f.Close()
}

// writeJSON makes a file with a value in JSON.
func (x *exchange) writeJSON(name string, value any) error {
	return x.write(name, fileMode, func(w io.Writer) error { return json.NewEncoder(w).Encode(value) })
}

// copy adds a copy of a read-only file of another folder.
func (x *exchange) copy(name string, from files.Folder) error {
	in, err := from.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	return x.write(name, sharedMode, func(w io.Writer) error { _, err := io.Copy(w, in); return err })
}
