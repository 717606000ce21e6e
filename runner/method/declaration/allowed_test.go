package declaration

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
	} {
		file := filepath.Join(t.TempDir(), "methods")
		if err := os.WriteFile(file, []byte("# folders and digests\n\n"+c.line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := ReadAllowed(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := declared(c.folder, c.stored); (d.InFolder() && a.AllowsFolder(d.Folder)) != c.want {
			t.Errorf("%s allows what %s declares (stored %v): %v, want %v", c.line, c.folder, c.stored, !c.want, c.want)
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
	c := consentTo(t, d)
	if err != nil || a.Allows(c) || a.Last(c) != nil {
		t.Fatalf("without a file: %v", err)
	}
	if err := a.Remember([]Consent{c}); err != nil {
		t.Fatal(err)
	}
	if a, err = ReadAllowed(file); err != nil || !a.Allows(c) {
		t.Errorf("what was allowed is forgotten: %v", err)
	}
	if last := a.Last(c); last == nil || last.Digest() != c.Digest() {
		t.Errorf("the last consent is %v, want %v", last, c)
	}
	for _, damaged := range []string{"", "{", `{"command": ["other"]}`} { // what changed can then not be said, and that is all
		if err := os.WriteFile(a.record(c), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if last := a.Last(c); last != nil || !a.Allows(c) {
			t.Errorf("%q: the last consent is %v", damaged, last)
		}
	}
}

func consentTo(t *testing.T, d *Declaration, own ...string) Consent {
	t.Helper()
	c, err := d.Consent(own...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
