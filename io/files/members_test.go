package files

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// tree is files by name, among them some that nobody wants.
var tree = map[string]string{
	"pos/b.txt": "two", "pos/a.txt.gz": string(gz([]byte("one"))), "neg/deep/c.txt": "three", "top.txt": "",
	".hidden": "x", "pos/.DS_Store": "x", ".git/config": "x", "__MACOSX/pos/b.txt": "x",
}

// treeNames in an order that is not the one wanted.
func treeNames() []string {
	names := slices.Sorted(maps.Keys(tree))
	slices.Reverse(names)
	return names
}

func tarTree() []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	w.WriteHeader(&tar.Header{Name: "./pos/", Typeflag: tar.TypeDir})
	w.WriteHeader(&tar.Header{Name: "./link", Linkname: "top.txt", Typeflag: tar.TypeSymlink})
	for _, name := range treeNames() {
		w.WriteHeader(&tar.Header{Name: "./" + name, Mode: 0o600, Size: int64(len(tree[name]))})
		w.Write([]byte(tree[name]))
	}
	w.Close()
	return b.Bytes()
}

func zipTree() []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.Create("pos/")
	for _, name := range treeNames() {
		w, _ := z.Create(name)
		w.Write([]byte(tree[name]))
	}
	z.Close()
	return b.Bytes()
}

func putTree(t testing.TB) string {
	dir := filepath.Join(t.TempDir(), "tree")
	for name, content := range tree {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(content))
	}
	return dir
}

// shown is all members as name=content.
func shown(s *Set) (string, error) {
	var all []string
	err := s.Members("all", func(name string, content []byte) error {
		all = append(all, name+"="+string(content))
		return nil
	})
	return strings.Join(all, " "), err
}

func TestMembers(t *testing.T) {
	at := func(name string, content []byte) string { return put(t, filepath.Join(t.TempDir(), name), content) }
	places := map[string]string{
		"folder": putTree(t), "tar": at("a", tarTree()), "tar.gz": at("b", gz(tarTree())), "zip": at("c", zipTree()), "zip.gz": at("d", gz(zipTree())),
	}
	for pattern, want := range map[string]string{
		"":              "neg/deep/c.txt=three pos/a.txt=one pos/b.txt=two top.txt=",
		"**":            "neg/deep/c.txt=three pos/a.txt=one pos/b.txt=two top.txt=",
		"*/*.txt":       "pos/b.txt=two",
		"pos/[ab].txt*": "pos/a.txt=one pos/b.txt=two",
		"**/?.txt":      "neg/deep/c.txt=three pos/b.txt=two",
		"neg/**":        "neg/deep/c.txt=three",
		"top.tx?":       "top.txt=",
	} {
		lists := map[string]string{} // digests by place
		for kind, path := range places {
			s := openOne(t, Ref{Path: path, Member: pattern}, "")
			got, err := shown(s)
			if err != nil || got != want {
				t.Errorf("%s, %q: %s, %v", kind, pattern, got, err)
			}
			if lists[kind], err = s.Digest("all"); err != nil {
				t.Error(err)
			}
		}
		if pattern != "" && (lists["folder"] != lists["tar.gz"] || lists["folder"] != lists["zip"]) {
			t.Errorf("%q: the digest tells where files are: %v", pattern, lists)
		}
	}
	if digest, err := openOne(t, Ref{Path: places["tar.gz"]}, "").Digest("all"); err != nil || digest != sum(string(tarTree())) {
		t.Errorf("the digest of an archive is that of its decoded bytes, not %s, %v", digest, err)
	}
	// As sha256sum prints it: digest, two blanks, name.
	list := fmt.Sprintf("%s  pos/a.txt\n%s  pos/b.txt\n", sum("one"), sum("two"))
	if _, err := shown(openOne(t, Ref{Path: places["folder"], Member: "pos/*", SHA256: sum(list)}, "")); err != nil {
		t.Error(err)
	}
}

func TestMembersOfOneFile(t *testing.T) {
	dir := t.TempDir()
	for _, ref := range []Ref{
		{Path: put(t, filepath.Join(dir, "x.txt.gz"), gz([]byte(text)))},
		{Path: put(t, filepath.Join(dir, "x.tar"), tarOf("in/x.txt.gz", gz([]byte(text)))), Member: "in/x.txt.gz"},
		{Path: put(t, filepath.Join(dir, "x.zip"), zipOf("in/y.tar", tarOf("x.txt", []byte(text)))), Member: "in/y.tar"},
	} {
		got, err := shown(openOne(t, ref, ""))
		if want := "x.txt=" + text; err != nil || strings.TrimPrefix(got, "other.txt= ") != want {
			t.Errorf("%+v: %q, %v", ref, got, err)
		}
	}
	if got, err := shown(openOne(t, Ref{Path: put(t, filepath.Join(dir, "empty"), nil)}, "")); got != "empty=" || err != nil {
		t.Errorf("empty file: %q, %v", got, err)
	}
	long := strings.Repeat("no header of an archive\n", 40)
	if got, err := shown(openOne(t, Ref{Path: put(t, filepath.Join(dir, "long"), []byte(long))}, "")); got != "long="+long || err != nil {
		t.Errorf("long file: %q, %v", got, err)
	}
}

func TestMembersRefuse(t *testing.T) {
	dir := t.TempDir()
	at := func(name string, content []byte) string { return put(t, filepath.Join(dir, name), content) }
	tree := putTree(t)
	if err := os.Mkdir(filepath.Join(dir, "none"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "twice", "a"), nil)
	put(t, filepath.Join(dir, "twice", "a.gz"), nil)
	put(t, filepath.Join(dir, "linked", "a"), nil)
	if err := os.Symlink(tree, filepath.Join(dir, "linked", "b")); err != nil {
		t.Fatal(err)
	}
	broken := gz([]byte(text))[:12]
	for _, c := range []struct {
		ref  Ref
		want string
	}{
		{Ref{Path: filepath.Join(dir, "none")}, "none: no files in it"},
		{Ref{Path: at("empty.tar", make([]byte, 1024))}, "empty.tar: no files in it"},
		{Ref{Path: tree, Member: "*.csv"}, `none of the 4 files in it is called "*.csv" (the first is "neg/deep/c.txt")`},
		{Ref{Path: tree, Member: "pos/b.tx"}, `none of the 4 files in it is called "pos/b.tx"; did you mean "pos/b.txt"?`},
		{Ref{Path: at("plain", []byte(text)), Member: "*.txt"}, "plain:*.txt: member \"*.txt\" was asked for, but the file is neither"},
		{Ref{Path: filepath.Join(dir, "twice")}, `"a" and "a.gz" have the same name`},
		{Ref{Path: filepath.Join(dir, "linked")}, `b is a link to a folder`},
		{Ref{Path: at("bad.tar", tarOf("in/a", broken))}, "bad.tar:in/a: gzip: "},
		{Ref{Path: at("bad.zip", zipOf("in/a", broken)), Member: "in/*"}, "bad.zip:in/a: gzip: "},
		{Ref{Path: at("short.tar", tarOf("a", []byte(text))[:1026])}, "short.tar: tar"},
		{Ref{Path: tree, SHA256: sum("")}, "expected " + sum("")},
	} {
		if _, err := shown(openOne(t, c.ref, "")); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, expected %q", c.ref, err, c.want)
		}
	}
	stop := errors.New("stop")
	calls := 0
	err := openOne(t, Ref{Path: tree}, "").Members("all", func(string, []byte) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 || !strings.HasPrefix(err.Error(), filepath.Join(tree, "neg", "deep", "c.txt")+": ") {
		t.Errorf("%d calls, %v", calls, err)
	}
	if _, _, err := openOne(t, Ref{Path: tree}, "").Bytes("all"); err == nil || !strings.Contains(err.Error(), "tree: several files") {
		t.Errorf("%v", err)
	}
	if err := (Ref{Path: "x", Member: "a[b"}).Validate(); err == nil || !strings.HasPrefix(err.Error(), "member: ") {
		t.Errorf("%v", err)
	}
}

func TestUnchangedFolderIsNotReadAgain(t *testing.T) {
	dir, cache := putTree(t), t.TempDir()
	first, err := openOne(t, Ref{Path: dir}, cache).Digest("all")
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Repeat("0", 64)
	s := openOne(t, Ref{Path: dir}, cache)
	now, err := s.byRole["all"].currentStamp()
	if err != nil {
		t.Fatal(err)
	}
	s.byRole["all"].memo.remember(now, other)
	if digest, err := s.Digest("all"); err != nil || digest != other {
		t.Errorf("not remembered: %s, %v", digest, err)
	}
	// What was remembered is of other files from here on.
	older := time.Now().Add(-2 * time.Hour)
	extra := put(t, filepath.Join(dir, "more.txt"), []byte("four"))
	os.Chtimes(extra, older, older)
	if _, err := shown(s); !errors.Is(err, errChanged) {
		t.Errorf("%v", err)
	}
	if digest, err := openOne(t, Ref{Path: dir}, cache).Digest("all"); err != nil || digest == first || digest == other {
		t.Errorf("%s, %v", digest, err)
	}
	os.Remove(extra)
	if digest, err := openOne(t, Ref{Path: dir}, cache).Digest("all"); err != nil || digest != first {
		t.Errorf("%s, %v", digest, err)
	}
}

func FuzzMembers(f *testing.F) {
	for _, content := range [][]byte{[]byte(text), tarTree(), zipTree(), gz(tarOf("a", gz([]byte(text))))} {
		f.Add(content, "")
		f.Add(content, "**/*.txt")
	}
	f.Fuzz(func(t *testing.T, raw []byte, member string) {
		if len(strings.Split(member, "/")) > 8 || (Ref{Path: "x", Member: member}).Validate() != nil {
			return
		}
		s := openOne(t, Ref{Path: put(t, filepath.Join(t.TempDir(), "f"), raw), Member: member}, "")
		_, first := shown(s)
		if _, again := shown(s); fmt.Sprint(first) != fmt.Sprint(again) {
			t.Errorf("%v, then %v", first, again)
		}
	})
}
