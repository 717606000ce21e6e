package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"tenfold/io/scratch"
)

// file is one source file, or several together. It may be read and decoded or not, and its digest may be known or not.
type file struct {
	ref Ref
	location
	memo digestMemo

	mu      sync.Mutex
	stamp   stamp          // when the digest was remembered or the content read
	digest  string         // of the decoded bytes; "" while unknown
	mapping []byte         // the raw file, while content is read
	space   *scratch.Space // for large decoded content; nil for memory
	memory  int64          // for reading; 0 for the default
	mapped  openStamp      // the open file of the mapping
	content []byte         // decoded; shares the mapping when nothing had to be decoded
}

func newFile(ref Ref, found location, cacheDir string, memory int64) *file {
	f := &file{ref: ref, location: found, memo: newMemo(cacheDir, found.path, ref.Member), memory: memory}
	if cacheDir != "" && scratch.Supported {
		f.space = scratch.New(scratch.In(cacheDir), nil)
	}
	return f
}

func (f *file) displayName() string {
	if f.ref.Member != "" {
		return f.path + ":" + f.ref.Member
	}
	return f.path
}

func (f *file) newDecoder() decoder { return decoder{f.space, f.memory} }

// isSeveral reports whether it is a folder or a pattern of members, whose files have no bytes as a whole.
func (f *file) isSeveral() bool { return f.isFolder || isPattern(f.ref.Member) }

// checkedMembers lists the files. If a digest was demanded or taken, it checks that the files are those it was taken from.
func (f *file) checkedMembers() ([]member, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.digest == "" && f.ref.SHA256 != "" {
		if err := f.ensureDigest(); err != nil {
			return nil, err
		}
	}
	if f.isFolder && f.digest != "" {
		if err := f.checkUnchanged(); err != nil {
			return nil, err
		}
	}
	return f.listMembers()
}

// currentStamp returns the stamp of the file, or of the files below the folder, as they are now.
func (f *file) currentStamp() (stamp, error) {
	if f.isFolder {
		return f.folderStamp()
	}
	return stampAt(f.path)
}

// ensureDigest makes the digest known, and checks it.
func (f *file) ensureDigest() error {
	if f.digest != "" {
		return nil
	}
	if f.mapping == nil {
		now, err := f.currentStamp()
		if err != nil {
			return err
		}
		if digest, ok := f.memo.recall(now); ok {
			f.stamp = now
			return f.setDigest(digest)
		}
		f.stamp = now
	}
	return f.rehash()
}

// rehash hashes the content, remembers the digest, and checks it. f.stamp has to be taken before.
func (f *file) rehash() error {
	digest, err := f.computeDigest()
	if err != nil {
		return err
	}
	if err := f.checkUnchanged(); err != nil {
		return err
	}
	f.memo.remember(f.stamp, digest)
	return f.setDigest(digest)
}

// computeDigest reads and hashes the content.
func (f *file) computeDigest() (string, error) {
	if f.isSeveral() {
		members, err := f.listMembers()
		if err != nil {
			return "", err
		}
		return decoder{memory: f.memory}.hashList(members)
	}
	if err := f.load(); err != nil {
		return "", err
	}
	sum := sha256.Sum256(f.content)
	return hex.EncodeToString(sum[:]), nil
}

// ensureContent makes the content known; it is hashed if a digest was demanded and is not known yet.
func (f *file) ensureContent() error {
	if f.isSeveral() {
		return errors.New("several files, and the format reads one")
	}
	if f.digest == "" && f.ref.SHA256 != "" {
		if err := f.ensureDigest(); err != nil {
			return err
		}
	}
	return f.load()
}

func (f *file) setDigest(digest string) error {
	if want := f.ref.SHA256; want != "" && !strings.EqualFold(digest, want) {
		return fmt.Errorf("the SHA-256 of the decoded bytes is %s, expected %s", digest, strings.ToLower(want))
	}
	f.digest = digest
	return nil
}

// load maps and decodes the file. If the digest is known already, the file must still be the one it was taken from.
func (f *file) load() error {
	if f.mapping != nil {
		return nil
	}
	in, err := os.Open(f.path)
	if err != nil {
		return err
	}
	if err := f.mapOpenFile(in); err != nil {
		return errors.Join(err, in.Close())
	}
	return nil
}

// mapOpenFile maps and decodes an open file, which stays open with the mapping.
func (f *file) mapOpenFile(in *os.File) error {
	now, err := stampOf(in)
	if err != nil {
		return err
	}
	if f.digest != "" && now != f.stamp {
		return errChanged
	}
	as, err := openStampOf(in)
	if err != nil {
		return err
	}
	mapping, err := Map(in)
	if err != nil {
		return err
	}
	one := f.ref.Member
	if f.isSeveral() {
		one = "" // members are extracted later
	}
	content, err := f.newDecoder().decode(mapping, one)
	if err != nil {
		return errors.Join(err, unmap(mapping))
	}
	f.stamp, f.mapping, f.mapped, f.content = now, mapping, as, content
	return nil
}

var errChanged = errors.New("the file changed while it was being read; run again")

func (f *file) checkUnchanged() error {
	now, err := f.currentStamp()
	if err == nil && now != f.stamp {
		err = errChanged
	}
	return err
}

func (f *file) unload() error {
	if f.mapping == nil {
		return nil
	}
	mapping, in := f.mapping, f.mapped.file
	f.mapping, f.mapped, f.content = nil, openStamp{}, nil
	return errors.Join(unmap(mapping), in.Close())
}
