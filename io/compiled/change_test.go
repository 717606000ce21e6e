package compiled

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/files"
)

// TestFileThatChangesWhileItIsRead: what was read may be half of the one and half of the other, and must not be kept under the
// digest of either.
func TestFileThatChangesWhileItIsRead(t *testing.T) {
	path, dir := write1(t, "first"), t.TempDir()
	spoil := reader(func() *data.Dataset {
		if err := os.WriteFile(path, []byte("other"), 0o600); err != nil {
			t.Error(err)
		}
		return small()
	})
	_, _, err := Cache{Dir: dir}.Load(t.Context(), plain, spoil, open1(t, path, dir))
	if err == nil || !strings.Contains(err.Error(), path+": the file changed while it was being read") {
		t.Errorf("%v", err)
	}
	if kept, _ := filepath.Glob(filepath.Join(dir, "datasets", "*")); len(kept) > 0 {
		t.Errorf("kept: %v", kept)
	}
}

// TestWatched: the files that loaded data lie in are watched, in the cache and where there is none.
func TestWatched(t *testing.T) {
	for _, dir := range []string{t.TempDir(), ""} {
		path := write1(t, "first")
		c := Cache{Dir: dir, Watch: new(files.Watch)}
		load(t, c, plain, reader(small), open1(t, path, dir))
		if err := c.Watch.Unchanged(); err != nil {
			t.Fatal(err)
		}
		in := path
		if dir != "" {
			found, _ := filepath.Glob(filepath.Join(dir, "datasets", "*"))
			in = found[0]
		}
		if err := os.Truncate(in, 3); err != nil {
			t.Fatal(err)
		}
		if err := c.Watch.Unchanged(); err == nil || !strings.HasPrefix(err.Error(), in) {
			t.Errorf("%s: %v", in, err)
		}
	}
}
