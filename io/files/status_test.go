package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLookReadsNothing(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	folders := Folders{Data: []string{dir}}
	content := gz([]byte(text))
	path := put(t, filepath.Join(dir, "f.gz"), content)
	ref := Ref{Path: "f.gz", SHA256: sum(text)}
	want := Status{Path: path, Size: int64(len(content))}
	if got, err := Look(ref, folders, cache); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	if digest, err := Check(ref, folders, cache); err != nil || digest != sum(text) {
		t.Errorf("%s, %v", digest, err)
	}
	want.Digest = sum(text)
	if got, err := Look(ref, folders, cache); err != nil || got != want {
		t.Errorf("after Check: %+v, %v", got, err)
	}
	if _, err := Look(Ref{Path: "none"}, folders, cache); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestCheckReads: what is remembered does not count, as for bytes that rotted under an unchanged date.
func TestCheckReads(t *testing.T) {
	cache := t.TempDir()
	path := put(t, filepath.Join(t.TempDir(), "f"), []byte(text))
	ref := Ref{Path: path, SHA256: sum("other")}
	Remember(ref, Folders{}, cache, sum("other"))
	if got, err := Look(ref, Folders{}, cache); err != nil || got.Digest != sum("other") {
		t.Fatalf("%+v, %v", got, err)
	}
	if digest, err := Check(ref, Folders{}, cache); err == nil || digest != sum(text) {
		t.Errorf("%s, %v", digest, err)
	}
	if got, err := Look(ref, Folders{}, cache); err != nil || got.Digest != sum(text) {
		t.Errorf("afterwards: %+v, %v", got, err)
	}
}

func TestCheckOfSeveral(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a"), []byte(text))
	put(t, filepath.Join(dir, "sub", "b"), []byte(text))
	want := sum(sum(text) + "  a\n" + sum(text) + "  sub/b\n")
	if digest, err := Check(Ref{Path: dir, SHA256: want}, Folders{}, ""); err != nil || digest != want {
		t.Errorf("%s, %v", digest, err)
	}
	if got, err := Look(Ref{Path: dir}, Folders{}, ""); err != nil || got.Size != 2*int64(len(text)) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestMissing(t *testing.T) {
	t.Chdir(t.TempDir())
	const url = "https://example.org/f"
	absolute := filepath.Join(t.TempDir(), "f")
	for _, c := range []struct {
		ref     Ref
		folders Folders
		want    string
	}{
		{Ref{Path: "f"}, Folders{}, `no file "f": looked for f; no data folder is set: use --data, TENFOLD_DATA or data: in tenfold.yaml`},
		{Ref{Path: "f", URL: url}, Folders{Data: []string{"d"}},
			`no file "f": looked for d/f, f; data folders come from --data, TENFOLD_DATA or data: in tenfold.yaml; tenfold data fetch downloads it from ` + url},
		{Ref{Path: absolute, URL: url}, Folders{Data: []string{"d"}}, `no file "` + absolute + `": looked for ` + absolute + `; it can be downloaded from ` + url},
	} {
		_, err := c.folders.find(c.ref)
		if err == nil || err.Error() != filepath.FromSlash(c.want) && err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
		if !errors.Is(err, fs.ErrNotExist) || errors.Is(err, os.ErrPermission) {
			t.Errorf("%v is not fs.ErrNotExist", err)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		ref  Ref
		want string
	}{
		{Ref{Path: "f", URL: "http://example.org/f?x=1", Licence: "CC BY-SA 4.0, https://example.org/é"}, ""},
		{Ref{}, "path: empty"},
		{Ref{Path: "f", SHA256: "abc"}, `sha256: "abc", expected 64`},
		{Ref{Path: "f", URL: "example.org/f"}, `url: "example.org/f", expected an address`},
		{Ref{Path: "f", URL: "ftp://example.org/f"}, "url: "},
		{Ref{Path: "f", URL: "https:///f"}, "url: "},
		{Ref{Path: "f", URL: "https://example.org/\x1b"}, "url: "},
		{Ref{Path: "f", Licence: "one\ntwo"}, "licence: "},
		{Ref{Path: "f", Licence: "\x1b[2K"}, "licence: "},
		{Ref{Path: "f", Licence: strings.Repeat("x", 201)}, "licence: "},
	} {
		err := c.ref.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.ref, err, c.want)
		}
	}
}
