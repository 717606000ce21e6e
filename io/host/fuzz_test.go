package host

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tenfold/io/files"
)

// FuzzRefs reads HEAD, a branch and packed refs of anybody: what it finds is a hash, and stands in one of them.
func FuzzRefs(f *testing.F) {
	const hash = "0123456789abcdef0123456789abcdef01234567"
	f.Add([]byte("ref: refs/heads/main\n"), []byte(hash+"\n"), []byte(""))
	f.Add([]byte("ref: refs/heads/topic\n"), []byte("ref: refs/heads/main"), []byte("# pack-refs with: peeled fully-peeled sorted \n"+hash+" refs/heads/topic\n^"+hash+"\n"))
	f.Add([]byte("ref: refs/heads/main\n"), []byte("ref: refs/heads/main\n"), []byte(hash))
	f.Add([]byte(hash+"01234567890123456789abcd\n"), []byte(nil), []byte(nil))
	f.Add([]byte("ref: refs/heads/../../HEAD\n"), []byte(nil), []byte(nil))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, head, branch, packed []byte) {
		err := os.MkdirAll(filepath.Join(dir, "refs", "heads"), 0o755)
		for name, text := range map[string][]byte{"HEAD": head, "refs/heads/main": branch, "packed-refs": packed} {
			err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), text, 0o644))
		}
		if err != nil {
			t.Fatal(err)
		}
		commit := repository{private: files.Root(dir), common: files.Root(dir)}.commit()
		if all := string(head) + "\n" + string(branch) + "\n" + string(packed); commit != "" && (!isHash(commit) || !strings.Contains(all, commit)) {
			t.Errorf("%q", commit)
		}
	})
}

// FuzzIndex compares the index of anybody with a small work tree. Entries come in order; no folder stays open.
func FuzzIndex(f *testing.F) {
	blob := objectID(20, "blob", []byte("text"))
	file := func(name string, flags ...byte) []byte {
		e := append(make([]byte, 40), blob...)
		copy(e[24:], "\x00\x00\x81\xa4")
		e[39] = 4
		return append(append(e, flags...), name...)
	}
	sum := make([]byte, 20)
	f.Add(bytes.Join([][]byte{[]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x02"), file("a", 0, 1), make([]byte, 9), file("b/c", 0, 3), make([]byte, 7), []byte("TREE\x00\x00\x00\x02ab"), sum}, nil))
	f.Add(bytes.Join([][]byte{[]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x02"), file("\x00a", 0x40, 1, 0x40, 0), {0}, file("\x01b/c", 0, 3), {0}, []byte("link\x00\x00\x00\x00"), sum}, nil))
	f.Add([]byte("DIRC"))
	dir := f.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "a"), []byte("text"), 0o644), os.Mkdir(filepath.Join(dir, "b"), 0o755), os.WriteFile(filepath.Join(dir, "b", "c"), []byte("text"), 0o644)); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		r, err := newIndexReader(content, 20)
		for last := ""; err == nil; {
			var e *entry
			if e, err = r.next(); err == nil && (e.name <= last || len(e.id) != 20) {
				t.Errorf("%q after %q", e.name, last)
			} else if err == nil {
				last = e.name
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		c := comparison{repository: repository{tree: dir}, ctx: ctx, written: time.Now(), hash: 20}
		if tree, err := c.compare(content); err == nil && len(tree) != 20 {
			t.Errorf("%x", tree)
		}
		for _, f := range c.folders {
			if f.root == nil {
				continue
			}
			if _, err := f.root.Stat("."); err == nil {
				t.Errorf("folder %q is open", f.name)
			}
		}
	})
}

// FuzzPack looks for a commit in the pack of anybody.
func FuzzPack(f *testing.F) {
	deflate := func(text string) string {
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		if _, err := z.Write([]byte(text)); err != nil {
			f.Fatal(err)
		}
		if err := z.Close(); err != nil {
			f.Fatal(err)
		}
		return b.String()
	}
	base := "tree " + strings.Repeat("0", 40) + "\nauthor\n"
	whole := string(rune(typeCommit<<4|8)) + deflate(base)
	delta := string(rune(typeOffsetDelta<<4|8)) + string(rune(len(whole))) + deflate("\x35\x37\x91\x00\x35\x02ab")
	f.Add([]byte(packIndex+strings.Repeat("\x00\x00\x00\x01", 256)+strings.Repeat("\x00", 24)+"\x00\x00\x00\x00"), []byte(whole), int64(0))
	f.Add([]byte(nil), []byte(whole+delta), int64(len(whole)))
	f.Add([]byte(nil), []byte(strings.Repeat("\x60\x01", 300)), int64(598))
	id, err := hex.DecodeString("00" + strings.Repeat("00", 19))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, index, pack []byte, at int64) {
		if found, is := findInPack(bytes.NewReader(index), id); is {
			readPacked(bytes.NewReader(pack), found, 0)
		}
		if content, err := readPacked(bytes.NewReader(pack), at, 0); err == nil && len(content) > maxObject {
			t.Errorf("%d bytes", len(content))
		}
	})
}
