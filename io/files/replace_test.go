package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestReplaceIsDisturbed: somebody removes the file, or its folder, while it is made.
func TestReplaceIsDisturbed(t *testing.T) {
	for name, disturb := range map[string]func(dir string) error{
		"swept": func(dir string) error { // as another process does whose clock leapt
			entries, err := os.ReadDir(dir)
			old := time.Now().Add(-2 * time.Hour)
			for _, e := range entries {
				err = errors.Join(err, os.Chtimes(filepath.Join(dir, e.Name()), old, old))
			}
			return errors.Join(err, Sweep(dir))
		},
		"removed": os.RemoveAll,
	} {
		dir := filepath.Join(t.TempDir(), "d")
		path, times := filepath.Join(dir, "f"), 0
		write := func(w io.Writer) error {
			if times++; times < 3 {
				if err := disturb(dir); err != nil {
					return err
				}
			}
			_, err := io.WriteString(w, text)
			return err
		}
		if err := Replace(path, write); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text || times != 3 {
			t.Errorf("%s: %q, %v, written %d times", name, got, err, times)
		}
		err := Replace(path, func(io.Writer) error { return disturb(dir) })
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path+": another program removed it") {
			t.Errorf("%s again and again: %v", name, err)
		}
	}
}

// TestSweep removes what is old, by whatever clock, and nothing else.
func TestSweep(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	for name, age := range map[string]time.Duration{
		".tmp-old": 2 * time.Hour, ".tmp-ancient": 50 * 365 * 24 * time.Hour, ".tmp-young": time.Minute, ".tmp-future": -1000 * time.Hour, "old": 2 * time.Hour,
	} {
		path := put(t, filepath.Join(dir, name), nil)
		os.Chtimes(path, now.Add(-age), now.Add(-age))
	}
	os.Mkdir(filepath.Join(dir, ".tmp-folder"), 0o700)
	os.Chtimes(filepath.Join(dir, ".tmp-folder"), now.Add(-2*time.Hour), now.Add(-2*time.Hour))
	if err := errors.Join(Sweep(dir), Sweep(filepath.Join(dir, "none"))); err != nil {
		t.Fatal(err)
	}
	entries, _ := os.ReadDir(dir)
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if got := strings.Join(left, " "); got != ".tmp-folder .tmp-future .tmp-young old" {
		t.Errorf("left: %s", got)
	}
}

// TestWatch: to write into a file that is in use, or to cut it, is noticed; to replace, to remove or to rename it does no harm.
func TestWatch(t *testing.T) {
	for name, c := range map[string]struct {
		do     func(path string) error
		spoilt bool
	}{
		"nothing":     {func(string) error { return nil }, false},
		"removed":     {os.Remove, false},
		"renamed":     {func(path string) error { return os.Rename(path, path+"x") }, false},
		"replaced":    {func(path string) error { return Replace(path, func(io.Writer) error { return nil }) }, false},
		"overwritten": {func(path string) error { return os.WriteFile(path, []byte(strings.ToUpper(text)), 0o600) }, true},
		"cut":         {func(path string) error { return os.Truncate(path, 1) }, true},
	} {
		path := put(t, filepath.Join(t.TempDir(), "f"), []byte(text))
		s := openOne(t, Ref{Path: path}, "")
		if _, _, err := s.Bytes("all"); err != nil {
			t.Fatal(err)
		}
		var w, none Watch
		s.Watch(&w)
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		refused := errors.New("refused")
		if err := none.Keep(f, func([]byte) error { return refused }); !errors.Is(err, refused) || f.Close() == nil {
			t.Errorf("%s: %v, or it is still open", name, err)
		}
		if err := errors.Join(w.Unchanged(), c.do(path)); err != nil {
			t.Fatal(err)
		}
		err = w.Unchanged()
		if errors.As(err, new(Overwritten)) != c.spoilt || (err != nil) != c.spoilt || c.spoilt && !strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("%s: %v", name, err)
		}
		if (s.Unchanged() != nil) != (name != "nothing") || none.Unchanged() != nil { // by its name it is another file in all cases
			t.Errorf("%s: of the set %v", name, s.Unchanged())
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
