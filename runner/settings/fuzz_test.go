package settings

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzLoad reads settings files: they are refused with a reason, or give at least one job and a cache. Those of a stranger set neither
// executor nor profiles nor cache; those of the user are read as strictly.
func FuzzLoad(f *testing.F) {
	for _, s := range []string{"jobs: 3\ncache: /c\ndata: [a, b]\nmirrors: [https://m.example.org/x]\n", "jobs: {a: 3}\n", "data: [{a: b}]\n", "jobs: [\n", "jobs: 1e3\n", "a: &a [*a]\n", "<<: {jobs: 2}\n", "1: 2\n? [a]\n: b\n", "cache: ~\n", "jobs::x: 1\n"} {
		f.Add([]byte(s))
	}
	f.Setenv("TENFOLD_CACHE", "/nowhere")
	own := ownFolder(f)
	f.Fuzz(func(t *testing.T, content []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, File), content, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Load(nil, dir)
		if err == nil && (s.Jobs < 1 || s.Cache == "") || err != nil && err.Error() == "" {
			t.Errorf("%+v, %v", s, err)
		}
		if err == nil && (s.Executor != Local || len(s.Profiles) > 0 || s.Cache != "/nowhere") {
			t.Errorf("a stranger decides: %+v", s)
		}
		if err := os.WriteFile(filepath.Join(own, UserFile), content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, other := Load(nil, t.TempDir())
		if (err == nil) && (other != nil) && s.LeftOut == nil {
			t.Errorf("the same file of the user's: %v", other)
		}
		if err := os.Remove(filepath.Join(own, UserFile)); err != nil {
			t.Fatal(err)
		}
	})
}
