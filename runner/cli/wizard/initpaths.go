package wizard

import (
	"os"
	"path/filepath"
	"slices"
)

// findData returns path as it was given if it exists, else below the first data folder that has it.
func (w *wizard) findData(path string, folders []string) string {
	if _, err := os.Stat(path); err == nil || filepath.IsAbs(path) {
		return path
	}
	for _, dir := range folders {
		if found := filepath.Join(dir, path); exists(found) {
			return found
		}
	}
	return path
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

// pathInFile returns the path by which an experiment file names its data. Data folders are searched first: a path found there
// stays as given, any other is relative to the file, and absolute if a data folder has another file of that name.
func pathInFile(given, found, file string, folders []string) (string, error) {
	if given != found {
		return filepath.ToSlash(given), nil
	}
	near, err := relativeToFile(found, file)
	if err == nil && slices.ContainsFunc(folders, func(dir string) bool { return exists(filepath.Join(dir, near)) }) {
		near, err = filepath.Abs(found)
		near = filepath.ToSlash(near)
	}
	return near, err
}

// relativeToFile returns path relative to the experiment file if neither is far from the other, else the absolute path.
func relativeToFile(path, file string) (string, error) {
	if filepath.IsAbs(path) {
		return filepath.ToSlash(path), nil
	}
	from, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	near, err := filepath.Rel(from, to)
	return filepath.ToSlash(near), err
}
