package files

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenfold/io/rawtext"
)

// Set is the files of one data set by role. It implements source.Input and is safe for concurrent use.
type Set struct {
	byRole map[string]*file
	memory int64 // for reading, in bytes
}

// Open finds the files and reads none of them. cacheDir is where checksums are remembered, "" for nowhere; problems with
// it are no errors. All problems with the references are reported at once, as param.FieldError of "files.ROLE".
func Open(refs map[string]Ref, folders Folders, cacheDir string) (*Set, error) {
	places, err := locateAll(refs, folders)
	if err != nil {
		return nil, err
	}
	s := &Set{byRole: make(map[string]*file, len(refs)), memory: cmp.Or(folders.Memory, defaultMemory)}
	for role, ref := range refs {
		s.byRole[role] = newFile(ref, places[role], cacheDir, folders.Memory)
	}
	return s, nil
}

// Roles returns the roles in alphabetical order.
func (s *Set) Roles() []string { return slices.Sorted(maps.Keys(s.byRole)) }

// Has reports whether a file was given for the role.
func (s *Set) Has(role string) bool { return s.byRole[role] != nil }

// Digest returns the SHA-256 of the decoded bytes, in hexadecimal; of several files (a folder, a pattern of members), the
// SHA-256 of a list of their digests and names. An unchanged file that was hashed before is not read again. It returns an
// error if the checksum is not the one demanded.
func (s *Set) Digest(role string) (string, error) {
	f, err := s.fileOf(role)
	if err != nil {
		return "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.ensureDigest(); err != nil {
		return "", fmt.Errorf("%s: %w", f.displayName(), err)
	}
	return f.digest, nil
}

// Bytes returns the whole decoded content and the name for messages. Content that is not compressed is memory-mapped:
// never write to it, and do not use it after Close. A second call costs nothing.
func (s *Set) Bytes(role string) (content []byte, name string, err error) {
	f, err := s.fileOf(role)
	if err != nil {
		return nil, "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.ensureContent(); err != nil {
		return nil, f.displayName(), fmt.Errorf("%s: %w", f.displayName(), err)
	}
	return f.content, f.displayName(), nil
}

// Size estimates the bytes of decoded content over all roles: what is known, else the size on disk. Folders and patterns
// of members count nothing.
func (s *Set) Size() (bytes int64) {
	for _, f := range s.byRole {
		f.mu.Lock()
		switch {
		case f.isSeveral():
		case f.mapping != nil:
			bytes += int64(len(f.content))
		default:
			if now, err := f.currentStamp(); err == nil {
				bytes += now.Size
			}
		}
		f.mu.Unlock()
	}
	return bytes
}

// Bound returns about how many bytes of memory reading may take, and the size of what is read, decoded. It decodes what is not yet; an
// error of that comes with Bytes.
func (s *Set) Bound() (memory, size int64) {
	for _, f := range s.byRole {
		f.mu.Lock()
		if !f.isSeveral() {
			_ = f.ensureContent()
		}
		f.mu.Unlock()
	}
	return s.memory, s.Size()
}

// Members calls f for every file of a role, as source.Input says. The list of an archive's members is held in memory, and
// so are the members of a tar archive; the files of a folder and of a zip archive are read one after the other.
func (s *Set) Members(role string, f func(name string, content []byte) error) error {
	in, err := s.fileOf(role)
	if err != nil {
		return err
	}
	members, err := in.checkedMembers()
	if err != nil {
		return fmt.Errorf("%s: %w", in.displayName(), err)
	}
	for _, m := range members {
		content, err := m.decoded(decoder{memory: in.memory})
		if err == nil {
			err = f(m.name, content)
		}
		if err != nil {
			return rawtext.Named(m.label, err)
		}
	}
	return nil
}

// Unchanged returns an error if a file or folder whose digest or content was asked for has changed: what was read of it
// may then be a mixture.
func (s *Set) Unchanged() error {
	for _, role := range s.Roles() {
		f := s.byRole[role]
		f.mu.Lock()
		var err error
		if f.stamp != (stamp{}) {
			err = f.checkUnchanged()
		}
		f.mu.Unlock()
		if err != nil {
			return fmt.Errorf("%s: %w", f.displayName(), err)
		}
	}
	return nil
}

// Watch adds the files in use to a watch, for as long as the set is not closed.
func (s *Set) Watch(w *Watch) {
	for _, f := range s.byRole {
		f.mu.Lock()
		if f.mapping != nil {
			w.addFile(f.mapped)
		}
		f.mu.Unlock()
	}
}

// Close drops all contents: what Bytes returned, and anything that shares its memory, must not be used afterwards. The
// set itself stays usable and reads again when asked.
func (s *Set) Close() error {
	var errs []error
	for _, role := range s.Roles() {
		f := s.byRole[role]
		f.mu.Lock()
		errs = append(errs, f.unload())
		f.mu.Unlock()
	}
	return errors.Join(errs...)
}

func (s *Set) fileOf(role string) (*file, error) {
	if f := s.byRole[role]; f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("no file for the role %q (have %s)", role, strings.Join(s.Roles(), ", "))
}
