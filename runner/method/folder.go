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

// fileMode is the mode of files that one fit alone gets, of which the mask leaves less.
const fileMode fs.FileMode = 0o666

// newExchange makes an empty exchange folder.
func (h *Host) newExchange(method string) (*exchange, error) {
	at, err := h.newFolder(method)
	if err != nil {
		return nil, err
	}
	folder, err := files.OpenFolder(at)
	if err != nil {
		return nil, err
	}
	return &exchange{folder, at}, nil
}

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
