package files

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"tenfold/io/source"
)

// Set is the files of one data set by role. It implements source.Input and is safe for several goroutines.
type Set struct {
	byRole map[string]*file
	memory int64 // for reading
}

// Open finds the files and reads none of them. cacheDir is where checksums are remembered, empty for nowhere; problems
// with it are not errors. What is wrong with the references is reported at once, as kind.FieldError of "files.ROLE".
func Open(refs map[string]Ref, folders Folders, cacheDir string) (*Set, error) {
	places, err := locate(refs, folders)
	if err != nil {
		return nil, err
	}
	s := &Set{byRole: make(map[string]*file, len(refs)), memory: cmp.Or(folders.Memory, memory)}
	for role, ref := range refs {
		s.byRole[role] = newFile(ref, places[role], cacheDir, folders.Memory)
	}
	return s, nil
}

// Roles in alphabetical order.
func (s *Set) Roles() []string { return sorted(s.byRole) }

// Has tells whether a file was given for the role.
func (s *Set) Has(role string) bool { return s.byRole[role] != nil }

// Digest is the SHA-256 of the decoded bytes, in hexadecimal; of several files (a folder, a pattern of members), the
// SHA-256 of a list of their digests and names. An unchanged file that was hashed before is not read again.
// A file whose checksum is not the one demanded is an error.
func (s *Set) Digest(role string) (string, error) {
	f, err := s.file(role)
	if err != nil {
		return "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.hash(); err != nil {
		return "", fmt.Errorf("%s: %w", f.name(), err)
	}
	return f.digest, nil
}

// Bytes is the whole decoded content and the name for messages. Content that is not compressed is memory-mapped: never
// write to it, and do not use it after Close. A second call costs nothing.
func (s *Set) Bytes(role string) (content []byte, name string, err error) {
	f, err := s.file(role)
	if err != nil {
		return nil, "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.read(); err != nil {
		return nil, f.name(), fmt.Errorf("%s: %w", f.name(), err)
	}
	return f.content, f.name(), nil
}

// Size is about how many bytes of decoded content there are, over all roles: what is known, else what the files have on disk.
// Folders and patterns of members count nothing.
func (s *Set) Size() (bytes int64) {
	for _, f := range s.byRole {
		f.mu.Lock()
		switch {
		case f.several():
		case f.mapping != nil:
			bytes += int64(len(f.content))
		default:
			if now, err := f.stampNow(); err == nil {
				bytes += now.Size
			}
		}
		f.mu.Unlock()
	}
	return bytes
}

// Bound is about how many bytes of memory reading may take, and the size of what is read.
func (s *Set) Bound() (memory, size int64) { return s.memory, s.Size() }

// Members calls f for every file of a role, as source.Input says. The list of an archive's members is held in memory,
// and so are the members of a tar archive; the files of a folder and of a zip archive are read one after the other.
func (s *Set) Members(role string, f func(name string, content []byte) error) error {
	in, err := s.file(role)
	if err != nil {
		return err
	}
	members, err := in.members()
	if err != nil {
		return fmt.Errorf("%s: %w", in.name(), err)
	}
	for _, m := range members {
		content, err := m.content(decoder{memory: in.memory})
		if err == nil {
			err = f(m.name, content)
		}
		if err != nil {
			return source.Named(m.at, err)
		}
	}
	return nil
}

// Unchanged is an error when a file or folder whose digest or content was asked for is another one by now: what was read
// of it may be neither the one nor the other.
func (s *Set) Unchanged() error {
	for _, role := range s.Roles() {
		f := s.byRole[role]
		f.mu.Lock()
		var err error
		if f.stamp != (stamp{}) {
			err = f.unchanged()
		}
		f.mu.Unlock()
		if err != nil {
			return fmt.Errorf("%s: %w", f.name(), err)
		}
	}
	return nil
}

// Watch adds the files that are in use to those of a watch, for as long as the set is not closed.
func (s *Set) Watch(w *Watch) {
	for _, f := range s.byRole {
		f.mu.Lock()
		if f.mapping != nil {
			w.add(f.mapped)
		}
		f.mu.Unlock()
	}
}

// Close forgets all contents: what Bytes returned, and anything made from it without a copy, must not be used
// afterwards. The set itself stays usable and reads again when asked.
func (s *Set) Close() error {
	var errs []error
	for _, role := range s.Roles() {
		f := s.byRole[role]
		f.mu.Lock()
		errs = append(errs, f.forget())
		f.mu.Unlock()
	}
	return errors.Join(errs...)
}

func (s *Set) file(role string) (*file, error) {
	if f := s.byRole[role]; f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("no file for the role %q (have %s)", role, strings.Join(s.Roles(), ", "))
}
