package files

import (
	"errors"
	"fmt"
	"strings"
)

// Set is the files of one data set by role. It implements source.Input and is safe for several goroutines.
type Set struct{ byRole map[string]*file }

// Open finds the files and reads none of them. cacheDir is where checksums are remembered, empty for nowhere; problems
// with it are not errors. What is wrong with the references is reported at once, as kind.FieldError of "files.ROLE".
func Open(refs map[string]Ref, folders Folders, cacheDir string) (*Set, error) {
	places, err := locate(refs, folders)
	if err != nil {
		return nil, err
	}
	s := &Set{byRole: make(map[string]*file, len(refs))}
	for role, ref := range refs {
		s.byRole[role] = newFile(ref, places[role], cacheDir)
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
		content, err := m.content()
		if err == nil {
			err = f(m.name, content)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.at, err)
		}
	}
	return nil
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
