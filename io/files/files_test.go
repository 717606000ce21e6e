package files

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tenfold/engines/param"
	"tenfold/io/scratch"
	"tenfold/io/source"
)

var _ source.Input = (*Set)(nil)

const text = "one\ntwo\n"

func gz(content []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(content)
	w.Close()
	return b.Bytes()
}

func zipOf(name string, content []byte) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.Create("folder/")
	z.Create("empty.txt")
	w, _ := z.Create(name)
	w.Write(content)
	z.Close()
	return b.Bytes()
}

func tarOf(name string, content []byte) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	w.WriteHeader(&tar.Header{Name: "other.txt", Mode: 0o600})
	w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(content))})
	w.Write(content)
	w.Close()
	return b.Bytes()
}

func sum(content string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(content))) }

// put writes an old file, whose stamp can be trusted.
func put(t testing.TB, path string, content []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	return path
}

func openOne(t testing.TB, ref Ref, cache string) *Set {
	t.Helper()
	s, err := Open(map[string]Ref{"all": ref}, Folders{}, cache)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDecoding(t *testing.T) {
	raw := []byte(text)
	archive := zipOf("in/a.txt", raw)
	for name, c := range map[string]struct {
		file   []byte
		member string
		want   string
	}{
		"plain":               {raw, "", text},
		"empty":               {nil, "", ""},
		"gzip":                {gz(raw), "", text},
		"gzip of nothing":     {gz(nil), "", ""},
		"two gzip members":    {append(gz(raw), gz(raw)...), "", text + text},
		"zip stays a zip":     {archive, "", string(archive)},
		"zip member":          {archive, "in/a.txt", text},
		"zip member, gzipped": {zipOf("a.gz", gz(raw)), "a.gz", text},
		"tar member":          {tarOf("in/a.txt", raw), "in/a.txt", text},
		"tar member, dotted":  {tarOf("./in/a.txt", raw), "in/a.txt", text},
		"tar.gz member":       {gz(tarOf("a.txt", raw)), "a.txt", text},
		"tar.gz, gzipped":     {gz(tarOf("a.gz", gz(raw))), "a.gz", text},
	} {
		t.Run(name, func(t *testing.T) {
			path := put(t, filepath.Join(t.TempDir(), "misleading.zip.gz"), c.file)
			s := openOne(t, Ref{Path: path, Member: c.member, SHA256: strings.ToUpper(sum(c.want))}, "")
			got, _, err := s.Bytes("all")
			if err != nil || string(got) != c.want {
				t.Fatalf("%q, %v", got, err)
			}
			if digest, err := s.Digest("all"); err != nil || digest != sum(c.want) {
				t.Errorf("digest %s, %v", digest, err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if got, _, err := s.Bytes("all"); err != nil || string(got) != c.want {
				t.Errorf("after Close: %q, %v", got, err)
			}
		})
	}
}

func TestDamagedFiles(t *testing.T) {
	packed := gz(bytes.Repeat([]byte(text), 100))
	flipped := bytes.Clone(packed)
	flipped[len(flipped)-6] ^= 1
	archive := zipOf("a.txt", []byte(text))
	for name, c := range map[string]struct {
		file   []byte
		member string
		want   string
	}{
		"short gzip":      {packed[:len(packed)/2], "", "it is cut off"},
		"gzip header":     {packed[:5], "", "gzip: "},
		"gzip checksum":   {flipped, "", "its checksum does not match"},
		"gzip, then junk": {append(bytes.Clone(packed), 1, 2, 3, 4), "", "gzip: after 800 decoded bytes"},
		"no archive":      {[]byte(text), "a.txt", "neither a zip nor a tar"},
		"zip, no member":  {archive, "b.txt", `no member "b.txt" among the 3 of the zip archive; did you mean "a.txt"?`},
		"tar, no member":  {tarOf("a.txt", nil), "b.txt", `no member "b.txt" among the 2 of the tar archive`},
		"zip folder":      {archive, "folder", "no member"},
		"short zip":       {archive[:len(archive)-9], "a.txt", "no zip archive, or one that is cut off"},
		"short tar":       {tarOf("a.txt", []byte(text))[:1026], "a.txt", "cut off"},
		"short tar.gz":    {gz(tarOf("a.txt", []byte(text)))[:40], "a.txt", "cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			path := put(t, filepath.Join(t.TempDir(), "f"), c.file)
			_, _, err := openOne(t, Ref{Path: path, Member: c.member}, "").Bytes("all")
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), path) {
				t.Errorf("%v, expected %q", err, c.want)
			}
		})
	}
}

func TestWrongChecksum(t *testing.T) {
	path := put(t, filepath.Join(t.TempDir(), "f"), []byte(text))
	cache := t.TempDir()
	ref := Ref{Path: path, SHA256: sum("other")}
	for _, when := range []string{"hashed", "remembered"} {
		_, err := openOne(t, ref, cache).Digest("all")
		for _, part := range []string{path, sum(text), sum("other")} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v lacks %s", when, err, part)
			}
		}
	}
	if _, _, err := openOne(t, ref, cache).Bytes("all"); err == nil {
		t.Error("Bytes gave content with a wrong checksum")
	}
}

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	t.Chdir(dir)
	for _, f := range []string{"d1/both", "d2/both", "d2/spec+d2", "spec/spec+d2", "spec/spec+cwd", "spec+cwd", "cwd"} {
		put(t, at(f), []byte(f))
	}
	folders := Folders{Data: []string{at("d1"), at("d2")}, Spec: at("spec")}
	for ref, want := range map[string]string{
		"both": "d1/both", "spec+d2": "d2/spec+d2", "spec+cwd": "spec/spec+cwd", "cwd": "cwd",
		at("cwd"): "cwd", "../d2/both": "d2/both",
	} {
		at, err := folders.find(Ref{Path: ref})
		if err != nil {
			t.Error(err)
			continue
		}
		if got, _ := os.ReadFile(at.path); string(got) != want {
			t.Errorf("%s: found %s, expected %s", ref, got, want)
		}
	}
	_, err := folders.find(Ref{Path: "sub/none", URL: "https://example.org/none"})
	if err == nil {
		t.Fatal("found")
	}
	for _, part := range []string{at("d1/sub/none"), at("d2/sub/none"), at("spec/sub/none"), "TENFOLD_DATA", "tenfold data fetch downloads it from https://example.org/none"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q lacks %s", err, part)
		}
	}
}

func TestOpenReportsEverything(t *testing.T) {
	dir := t.TempDir()
	refs := map[string]Ref{
		"test":   {Path: "none"},
		"all":    {Path: put(t, filepath.Join(dir, "there"), nil)},
		"train":  {Path: os.DevNull},
		"labels": {SHA256: "abc"},
	}
	want := []string{"files.labels: ", "files.test: no file", "files.train: " + os.DevNull + ": a D"}
	_, err := Open(refs, Folders{}, "")
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || len(joined.Unwrap()) != len(want) {
		t.Fatalf("%v", err)
	}
	for i, e := range joined.Unwrap() {
		var field *param.FieldError
		if !errors.As(e, &field) || !strings.HasPrefix(e.Error(), want[i]) {
			t.Errorf("error %d: %v, expected %s", i, e, want[i])
		}
	}
	if _, err := Open(refs, Folders{}, ""); err == nil {
		t.Error("Open succeeded")
	}
}

func TestUnchangedFileIsNotReadAgain(t *testing.T) {
	path, cache := put(t, filepath.Join(t.TempDir(), "f"), gz([]byte(text))), t.TempDir()
	if _, err := openOne(t, Ref{Path: path}, cache).Digest("all"); err != nil {
		t.Fatal(err)
	}
	s := openOne(t, Ref{Path: path}, cache)
	digest, err := s.Digest("all")
	if err != nil || digest != sum(text) {
		t.Fatalf("%s, %v", digest, err)
	}
	if s.byRole["all"].mapping != nil {
		t.Error("the file was read")
	}

	// The same bytes with another date, and other bytes with the same size and date.
	later := time.Now().Add(-time.Minute)
	os.Chtimes(path, later, later)
	if digest, err := openOne(t, Ref{Path: path}, cache).Digest("all"); err != nil || digest != sum(text) {
		t.Errorf("touched: %s, %v", digest, err)
	}
	before, _ := stampAt(path)
	other := strings.ToUpper(text)
	os.WriteFile(path, gz([]byte(other)), 0o600)
	os.Chtimes(path, later, later)
	if after, _ := stampAt(path); after == before {
		t.Skip("the file system's clock is too coarse for the rest")
	}
	if digest, err := openOne(t, Ref{Path: path}, cache).Digest("all"); err != nil || digest != sum(other) {
		t.Errorf("rewritten: %s, %v", digest, err)
	}
}

func TestFreshFileIsNotRemembered(t *testing.T) {
	path, cache := filepath.Join(t.TempDir(), "f"), t.TempDir()
	os.WriteFile(path, []byte(text), 0o600)
	openOne(t, Ref{Path: path}, cache).Digest("all")
	if memos, _ := filepath.Glob(filepath.Join(cache, "digests", "*")); len(memos) != 0 {
		t.Errorf("remembered: %v", memos)
	}
}

func TestSpoiledMemoIsIgnored(t *testing.T) {
	path, cache := put(t, filepath.Join(t.TempDir(), "f"), []byte(text)), t.TempDir()
	openOne(t, Ref{Path: path}, cache).Digest("all")
	memos, _ := filepath.Glob(filepath.Join(cache, "digests", "*"))
	if len(memos) != 1 {
		t.Fatalf("%v", memos)
	}
	good, _ := os.ReadFile(memos[0])
	for _, bad := range []string{"", "{", "{}", strings.Replace(string(good), sum(text), "", 1), strings.Replace(string(good), sum(text), sum("other"), 1), strings.Replace(string(good), path, "/else", 1)} {
		os.WriteFile(memos[0], []byte(bad), 0o600)
		if digest, err := openOne(t, Ref{Path: path}, cache).Digest("all"); err != nil || digest != sum(text) {
			t.Errorf("memo %q: %s, %v", bad, digest, err)
		}
	}
}

func TestFileThatChangesIsRefused(t *testing.T) {
	path, cache := put(t, filepath.Join(t.TempDir(), "f"), []byte(text)), t.TempDir()
	openOne(t, Ref{Path: path}, cache).Digest("all")
	s := openOne(t, Ref{Path: path}, cache)
	if _, err := s.Digest("all"); err != nil {
		t.Fatal(err)
	}
	put(t, path, []byte("something else"))
	if _, _, err := s.Bytes("all"); !errors.Is(err, errChanged) {
		t.Errorf("%v", err)
	}
}

func TestManyAtOnce(t *testing.T) {
	path, cache := put(t, filepath.Join(t.TempDir(), "f"), gz([]byte(text))), t.TempDir()
	shared := openOne(t, Ref{Path: path}, cache)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, s := range []*Set{shared, openOne(t, Ref{Path: path}, cache)} {
				digest, err := s.Digest("all")
				content, _, err2 := s.Bytes("all")
				if err != nil || err2 != nil || digest != sum(text) || string(content) != text {
					t.Errorf("%s %q %v %v", digest, content, err, err2)
				}
			}
		})
	}
	wg.Wait()
	if left, _ := filepath.Glob(filepath.Join(cache, "digests", ".tmp*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestUnknownRole(t *testing.T) {
	s, err := Open(nil, Folders{}, "")
	if err != nil || s.Has("all") || len(s.Roles()) != 0 {
		t.Fatalf("%v", err)
	}
	if _, _, err := s.Bytes("all"); err == nil {
		t.Error("no error")
	}
}

func TestReplaceLeavesTheOldFileOnError(t *testing.T) {
	path := put(t, filepath.Join(t.TempDir(), "f"), []byte(text))
	full := errors.New("no space left on device")
	if err := Replace(path, func(w io.Writer) error { io.WriteString(w, "half"); return full }); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	got, _ := os.ReadFile(path)
	names, _ := os.ReadDir(filepath.Dir(path))
	if string(got) != text || len(names) != 1 {
		t.Errorf("%q, %v", got, names)
	}
}

func FuzzDecode(f *testing.F) {
	for _, content := range [][]byte{[]byte(text), gz([]byte(text)), zipOf("a", []byte(text)), tarOf("a", []byte(text)), gz(tarOf("a", gz([]byte(text))))} {
		f.Add(content, "")
		f.Add(content, "a")
	}
	f.Fuzz(func(t *testing.T, raw []byte, member string) {
		content, err := decoder{}.decode(raw, member)
		if err != nil && content != nil {
			t.Error("content and an error")
		}
	})
}

// What is decoded to disk is what is decoded in memory.
func TestDecodeToDisk(t *testing.T) {
	if !scratch.Supported {
		t.Skip("this system maps no files")
	}
	content := bytes.Repeat([]byte("0123456789"), 50)
	for _, held := range []int64{1, 7, 499, 500, 501} {
		space := scratch.New(t.TempDir(), nil)
		got, err := decoder{space: space}.readOrSpool(held, bytes.NewReader(content), int64(len(content)), len(content))
		if err != nil || !bytes.Equal(got, content) {
			t.Errorf("%d bytes in memory: %d bytes, %v", held, len(got), err)
		}
		if onDisk := space.Lent() > 0; onDisk != (held <= 500) {
			t.Errorf("%d bytes in memory: on disk %v", held, onDisk)
		}
		if err := space.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Little that is packed unpacks to no more than memory is for, unless it is as much as data make of it.
func TestBombs(t *testing.T) {
	zeros := bytes.Repeat([]byte("0"), 1<<20)
	for _, c := range []struct {
		name   string
		packed []byte
		member string
	}{
		{"gz", gz(zeros), ""}, {"zip", zipOf("a", zeros), "a"}, {"members", zipOf("a", zeros), "*"}, {"tar.gz", gz(tarOf("a", zeros)), "a"},
		{"gz in zip", zipOf("a.gz", gz(zeros)), "a.gz"}, {"gz among members", zipOf("a.gz", gz(zeros)), "*"}, {"gz of members", gz(tarOf("a", zeros)), "*"},
	} {
		path := filepath.Join(t.TempDir(), "packed")
		if err := os.WriteFile(path, c.packed, 0o600); err != nil {
			t.Fatal(err)
		}
		for memory, want := range map[int64]bool{1 << 20: false, 16 << 20: true} {
			in, err := Open(map[string]Ref{"all": {Path: path, Member: c.member}}, Folders{Memory: memory}, "")
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			err = in.Members("all", func(_ string, content []byte) error { n += len(content); return nil })
			if want && (err != nil || n != len(zeros)) || !want && (err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), " unpack to more than 1")) {
				t.Errorf("%s, with memory of %d: %d bytes, %v", c.name, memory, n, err)
			}
			if err := in.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
