package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
)

// Set is the files of one data set by role. It implements source.Input and is safe for several goroutines.
type Set struct{ byRole map[string]*file }

// Open finds the files and reads none of them. cacheDir is where checksums are remembered, empty for nowhere; problems
// with it are not errors. What is wrong with the references is reported at once, as kind.FieldError of "files.ROLE".
func Open(refs map[string]Ref, folders Folders, cacheDir string) (*Set, error) {
	paths, err := locate(refs, folders)
	if err != nil {
		return nil, err
	}
	s := &Set{byRole: make(map[string]*file, len(refs))}
	for role, ref := range refs {
		s.byRole[role] = &file{ref: ref, path: paths[role], memo: newMemo(cacheDir, paths[role], ref.Member)}
	}
	return s, nil
}

// Roles in alphabetical order.
func (s *Set) Roles() []string { return sorted(s.byRole) }

// Has tells whether a file was given for the role.
func (s *Set) Has(role string) bool { return s.byRole[role] != nil }

// Digest is the SHA-256 of the decoded bytes, in hexadecimal. An unchanged file that was hashed before is not read again.
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

// file is one source file: not read, or read and decoded, and with or without a known digest.
type file struct {
	ref  Ref
	path string
	memo memo

	mu      sync.Mutex
	stamp   stamp  // of the file when the digest was remembered or the content read
	digest  string // of the decoded bytes; empty while unknown
	mapping []byte // the file itself while content is read
	content []byte // decoded; shares the mapping when nothing had to be decoded
}

func (f *file) name() string {
	if f.ref.Member != "" {
		return f.path + ":" + f.ref.Member
	}
	return f.path
}

// hash makes the digest known, and checks it.
func (f *file) hash() error {
	if f.digest != "" {
		return nil
	}
	if f.mapping == nil {
		now, err := stampAt(f.path)
		if err != nil {
			return err
		}
		if digest, ok := f.memo.recall(now); ok {
			f.stamp = now
			return f.accept(digest)
		}
	}
	if err := f.load(); err != nil {
		return err
	}
	return f.hashContent()
}

// read makes the content known; it is hashed when a digest was demanded and is not known yet.
func (f *file) read() error {
	if f.digest == "" && f.ref.SHA256 != "" {
		if err := f.hash(); err != nil {
			return err
		}
	}
	return f.load()
}

func (f *file) hashContent() error {
	sum := sha256.Sum256(f.content)
	if err := f.unchanged(); err != nil {
		return err
	}
	digest := hex.EncodeToString(sum[:])
	f.memo.remember(f.stamp, digest)
	return f.accept(digest)
}

func (f *file) accept(digest string) error {
	if want := f.ref.SHA256; want != "" && !strings.EqualFold(digest, want) {
		return fmt.Errorf("the SHA-256 of the decoded bytes is %s, expected %s", digest, strings.ToLower(want))
	}
	f.digest = digest
	return nil
}

// load maps and decodes the file. When the digest is known already, the file must still be the one it was taken from.
func (f *file) load() error {
	if f.mapping != nil {
		return nil
	}
	in, err := os.Open(f.path)
	if err != nil {
		return err
	}
	defer in.Close()
	now, err := stampOf(in)
	if err != nil {
		return err
	}
	if f.digest != "" && now != f.stamp {
		return errChanged
	}
	mapping, err := Map(in)
	if err != nil {
		return err
	}
	content, err := decode(mapping, f.ref.Member)
	if err != nil {
		return errors.Join(err, Unmap(mapping))
	}
	f.stamp, f.mapping, f.content = now, mapping, content
	return nil
}

var errChanged = errors.New("the file changed while it was being read; run again")

func (f *file) unchanged() error {
	now, err := stampAt(f.path)
	if err == nil && now != f.stamp {
		err = errChanged
	}
	return err
}

func (f *file) forget() error {
	mapping := f.mapping
	f.mapping, f.content = nil, nil
	return Unmap(mapping)
}
