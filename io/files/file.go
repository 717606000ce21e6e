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

// file is one source file, or several together: not read, or read and decoded, and with or without a known digest.
type file struct {
	ref Ref
	place
	memo memo

	mu      sync.Mutex
	stamp   stamp          // of the file when the digest was remembered or the content read
	digest  string         // of the decoded bytes; empty while unknown
	mapping []byte         // the file itself while content is read
	space   *scratch.Space // for decoded content that is large; nil for memory
	memory  int64          // for reading; 0 for the usual
	mapped  mark           // the open file of the mapping
	content []byte         // decoded; shares the mapping when nothing had to be decoded
}

func newFile(ref Ref, at place, cacheDir string, memory int64) *file {
	f := &file{ref: ref, place: at, memo: newMemo(cacheDir, at.path, ref.Member), memory: memory}
	if cacheDir != "" && scratch.Supported {
		f.space = scratch.New(scratch.In(cacheDir), nil)
	}
	return f
}

func (f *file) name() string {
	if f.ref.Member != "" {
		return f.path + ":" + f.ref.Member
	}
	return f.path
}

// decoder of the file.
func (f *file) decoder() decoder { return decoder{f.space, f.memory} }

// several tells a folder or a pattern of members, whose files have no bytes as a whole.
func (f *file) several() bool { return f.folder || pattern(f.ref.Member) }

// members lists the files and, where a digest was demanded or taken, makes sure that they are the ones it was taken from.
func (f *file) members() ([]member, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.digest == "" && f.ref.SHA256 != "" {
		if err := f.hash(); err != nil {
			return nil, err
		}
	}
	if f.folder && f.digest != "" {
		if err := f.unchanged(); err != nil {
			return nil, err
		}
	}
	return f.list()
}

// stampNow is the present stamp of the file, or of the files below the folder.
func (f *file) stampNow() (stamp, error) {
	if f.folder {
		return f.stampBelow()
	}
	return stampAt(f.path)
}

// hash makes the digest known, and checks it.
func (f *file) hash() error {
	if f.digest != "" {
		return nil
	}
	if f.mapping == nil {
		now, err := f.stampNow()
		if err != nil {
			return err
		}
		if digest, ok := f.memo.recall(now); ok {
			f.stamp = now
			return f.accept(digest)
		}
		f.stamp = now
	}
	return f.rehash()
}

// rehash reads what is there, remembers the digest, and checks it. The stamp must be that of before.
func (f *file) rehash() error {
	digest, err := f.sum()
	if err != nil {
		return err
	}
	if err := f.unchanged(); err != nil {
		return err
	}
	f.memo.remember(f.stamp, digest)
	return f.accept(digest)
}

// sum reads what is there and hashes it.
func (f *file) sum() (string, error) {
	if f.several() {
		members, err := f.list()
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

// read makes the content known; it is hashed when a digest was demanded and is not known yet.
func (f *file) read() error {
	if f.several() {
		return errors.New("several files, and the format reads one")
	}
	if f.digest == "" && f.ref.SHA256 != "" {
		if err := f.hash(); err != nil {
			return err
		}
	}
	return f.load()
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
	if err := f.mapAs(in); err != nil {
		return errors.Join(err, in.Close())
	}
	return nil
}

// mapAs maps and decodes an open file, which stays open with the mapping.
func (f *file) mapAs(in *os.File) error {
	now, err := stampOf(in)
	if err != nil {
		return err
	}
	if f.digest != "" && now != f.stamp {
		return errChanged
	}
	as, err := markOf(in)
	if err != nil {
		return err
	}
	mapping, err := Map(in)
	if err != nil {
		return err
	}
	one := f.ref.Member
	if f.several() {
		one = "" // members are taken out of the archive later
	}
	content, err := f.decoder().decode(mapping, one)
	if err != nil {
		return errors.Join(err, Unmap(mapping))
	}
	f.stamp, f.mapping, f.mapped, f.content = now, mapping, as, content
	return nil
}

var errChanged = errors.New("the file changed while it was being read; run again")

func (f *file) unchanged() error {
	now, err := f.stampNow()
	if err == nil && now != f.stamp {
		err = errChanged
	}
	return err
}

func (f *file) forget() error {
	if f.mapping == nil {
		return nil
	}
	mapping, in := f.mapping, f.mapped.file
	f.mapping, f.mapped, f.content = nil, mark{}, nil
	return errors.Join(Unmap(mapping), in.Close())
}
