package files_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/io/files"
)

// TestFolder: nothing is read, written or removed outside a folder, whatever takes the places of files in it, or its own.
func TestFolder(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside")
	at := filepath.Join(t.TempDir(), "folder")
	if err := errors.Join(os.WriteFile(outside, []byte("kept"), 0o600), os.Mkdir(at, 0o755)); err != nil {
		t.Fatal(err)
	}
	f, err := files.OpenFolder(at)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := errors.Join(os.Symlink(outside, filepath.Join(at, "link")), os.Symlink(filepath.Dir(outside), filepath.Join(at, "out")),
		os.Mkdir(filepath.Join(at, "inner"), 0o755), os.Link(outside, filepath.Join(at, "name"))); err != nil {
		t.Skipf("no links here: %v", err)
	}
	for name, want := range map[string]string{
		"link": "link is a link, expected a regular file", "inner": "inner is a folder, expected a regular file", "out": "out is a link, expected a regular file",
		"out/outside": "path escapes from parent", "../outside": "path escapes from parent",
	} {
		_, opened := f.Open(name)
		_, created := f.Create(name, 0o644)
		for what, err := range map[string]error{"opened": opened, "created": created, "removed": f.Remove(name)} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s is %s: %v, want %s", name, what, err, want)
			}
		}
	}
	for _, name := range []string{"link", "out", "name"} {
		_, listed := f.ReadDir(name)
		for what, err := range map[string]error{"listed": listed, "made": f.MkdirAll(name), "checked": f.CheckFolder(name)} {
			if err == nil || !strings.Contains(err.Error(), "expected a folder") {
				t.Errorf("%s is %s as a folder: %v", name, what, err)
			}
		}
	}
	if _, err := f.Open("missing"); !errors.Is(err, fs.ErrNotExist) || f.Remove("missing") != nil {
		t.Errorf("a missing file: %v", err)
	}
	if err := f.MkdirAll("a/b"); err != nil || f.MkdirAll("a/b") != nil {
		t.Error(err)
	}
	if err := os.Rename(at, at+"-moved"); err != nil {
		t.Skipf("an open folder cannot be moved: %v", err)
	}
	if err := os.Symlink(filepath.Dir(outside), at); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"name", "outside"} { // another name of the file outside, and its own
		w, err := f.Create(name, 0o644)
		if err == nil {
			_, err = w.WriteString("new")
			err = errors.Join(err, w.Close())
		}
		if err != nil {
			t.Error(err)
		}
	}
	if err := f.RemoveAll("out"); err != nil {
		t.Error(err)
	}
	if content, err := os.ReadFile(outside); err != nil || string(content) != "kept" {
		t.Errorf("the file outside: %q, %v", content, err)
	}
	r, err := f.Open("outside")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if content, err := io.ReadAll(r); err != nil || string(content) != "new" {
		t.Errorf("the file inside: %q, %v", content, err)
	}
}
