// Package files finds the source files that experiments name and decodes them: gzip anywhere, members of zip and tar
// archives, files below folders, checksums of the decoded bytes. It implements source.Input lazily: a file whose checksum
// is remembered is not read until a reader asks for its bytes.
package files

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tenfold/engines/param"
	"tenfold/io/sanitize"
	"tenfold/io/source"
)

// Ref names source files.
type Ref = source.Ref

// Folders lists where relative paths are looked up: the data folders in order, then the folder of the experiment file, then the
// working directory.
type Folders struct {
	Data []string
	Spec string // folder of the experiment file; "" if there is none
	// Memory is about how many bytes reading may take, 0 for 1 GiB. It bounds what compressed files may unpack to.
	Memory int64
}

// location is where a reference was found.
type location struct {
	path     string
	isFolder bool
}

// find returns the first existing file or folder. It fails if there is none, or if the first match cannot be read.
func (f Folders) find(r Ref) (location, error) {
	places := f.candidates(r.Path)
	for _, p := range places {
		info, err := os.Stat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return location{}, err
		case !info.Mode().IsRegular() && !info.IsDir():
			return location{}, fmt.Errorf("%s: a %s file, expected a regular file or a folder", p, info.Mode().Type())
		}
		return location{p, info.IsDir()}, nil
	}
	return location{}, notFoundError{r, places, len(f.Data) > 0}
}

// notFoundError is the error of a reference that was found nowhere. It is fs.ErrNotExist.
type notFoundError struct {
	ref    Ref
	places []string
	inData bool // data folders were among them
}

func (m notFoundError) Error() string {
	s := fmt.Sprintf("no file %q: looked for %s", m.ref.Path, sanitize.Line(strings.Join(m.places, ", ")))
	if filepath.IsAbs(filepath.FromSlash(m.ref.Path)) { // it cannot be in a data folder
		if m.ref.URL != "" {
			s += "; it can be downloaded from " + m.ref.URL
		}
		return s
	}
	if m.inData {
		s += "; data folders come from --data, TENFOLD_DATA or data: in tenfold.yaml"
	} else {
		s += "; no data folder is set: use --data, TENFOLD_DATA or data: in tenfold.yaml"
	}
	if m.ref.URL != "" {
		s += fmt.Sprintf("; tenfold data fetch downloads it from %s", m.ref.URL)
	}
	return s
}

func (m notFoundError) Is(target error) bool { return target == fs.ErrNotExist }

func (f Folders) candidates(path string) []string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return []string{path}
	}
	var places []string
	for _, dir := range append(slices.Clone(f.Data), f.Spec, ".") {
		if p := filepath.Join(dir, path); dir != "" && !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	return places
}

// locateAll looks for every file without reading any. It reports all problems at once, as param.FieldError of "files.ROLE", or
// of the option that names the file, unless they are a Fault.
func locateAll(refs map[string]Ref, folders Folders) (map[string]location, error) {
	places := make(map[string]location, len(refs))
	var errs []error
	for _, role := range slices.Sorted(maps.Keys(refs)) {
		if err := refs[role].Validate(); err != nil {
			errs = append(errs, param.Errorf(cmp.Or(refs[role].At, "files."+role), "%v", err))
			continue
		}
		found, err := folders.find(refs[role])
		if Fault(err) {
			errs = append(errs, err)
			continue
		}
		if err != nil {
			errs = append(errs, param.Errorf(cmp.Or(refs[role].At, "files."+role), "%v", err))
			continue
		}
		places[role] = found
	}
	return places, errors.Join(errs...)
}

// Paths returns where references are found, without those that are not.
func (f Folders) Paths(refs map[string]Ref) (paths []string) {
	for _, ref := range refs {
		if found, err := f.find(ref); err == nil {
			paths = append(paths, found.path)
		}
	}
	return paths
}

// Lacks reports whether some files are found nowhere, and the references are otherwise right.
func (f Folders) Lacks(refs map[string]Ref) bool {
	lacks := false
	for _, ref := range refs {
		if _, err := f.find(ref); ref.Validate() != nil || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false
		} else if err != nil {
			lacks = true
		}
	}
	return lacks
}

// DefaultCache returns the cache folder if no setting names one: tenfold below the user's own cache folder.
func DefaultCache() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "tenfold"), nil
}
