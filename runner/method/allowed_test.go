package method

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Consent is to a declaration by its digest, or to all in a folder and below; a model that was stored there is not one of them.
func TestAllows(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(parts ...string) string { return filepath.Join(append([]string{root}, parts...)...) }
	for _, folder := range []string{at("work", "deep"), at("work", "..odd"), at("workshop")} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	declared := func(folder string, stored bool) *Declaration {
		return &Declaration{Name: "m", Command: []string{"run"}, Folder: folder, Stored: stored}
	}
	for _, c := range []struct {
		line, folder string
		stored, want bool
	}{
		{at("work"), at("work"), false, true}, {at("work") + string(filepath.Separator), at("work", "deep"), false, true}, {at("work"), at("work", "..odd"), false, true},
		{at("work"), at("workshop"), false, false}, {at("work", "deep"), at("work"), false, false}, {at("workshop"), at("work"), false, false}, {at("work"), at("work"), true, false},
		{at("work"), at("work", "gone"), false, true}, {"", at("work"), false, false}, {strings.Repeat("0", 32), at("work"), false, false},
		{declared(at("work"), false).Consent(), at("work"), false, true}, {declared(at("work"), false).Consent() + "  # m: run", at("work"), false, true},
	} {
		file := filepath.Join(t.TempDir(), "methods")
		if err := os.WriteFile(file, []byte("# folders and digests\n\n"+c.line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := ReadAllowed(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Allows(declared(c.folder, c.stored)); got != c.want {
			t.Errorf("%s allows what %s declares (stored %v): %v, want %v", c.line, c.folder, c.stored, got, c.want)
		}
	}
	for _, bad := range []string{"work", "./work", strings.Repeat("0", 31), strings.Repeat("g", 32)} {
		file := filepath.Join(t.TempDir(), "methods")
		if err := os.WriteFile(file, []byte("\n"+bad+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadAllowed(file); err == nil || !strings.Contains(err.Error(), "methods:2: ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	file := filepath.Join(root, "settings", "methods")
	a, err := ReadAllowed(file)
	d := declared(at("work"), true)
	if err != nil || a.Allows(d) {
		t.Fatalf("without a file: %v", err)
	}
	if err := a.Remember([]Program{d}); err != nil {
		t.Fatal(err)
	}
	if a, err = ReadAllowed(file); err != nil || !a.Allows(d) {
		t.Errorf("what was allowed is forgotten: %v", err)
	}
}
