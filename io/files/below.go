package files

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// Below returns the path relative to a folder that it leads into, or to; ok is false if it leads elsewhere. Links are followed; what does
// not exist would be made where the path says.
func Below(folder, path string) (relative string, ok bool) {
	folder, err := realPath(folder)
	if err != nil {
		return "", false
	}
	path, err = realPath(path)
	if err != nil {
		return "", false
	}
	relative, err = filepath.Rel(folder, path)
	return relative, err == nil && filepath.IsLocal(relative)
}

// realPath returns the absolute path without links.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) && path != filepath.Dir(path) {
		parent, err := realPath(filepath.Dir(path))
		return filepath.Join(parent, filepath.Base(path)), err
	}
	return real, err
}
