package all

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenfold/engines/enginetest"
	"tenfold/engines/kind"
)

// Every engine keeps the laws of the suite with its defaults.
func TestSuite(t *testing.T) {
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range set.Names() {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, set[name].Defaults()) })
	}
}

// Every engine is documented down to its parameters, and valid as it comes.
func TestEngines(t *testing.T) {
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range set.Names() {
		e := set[name].Defaults()
		if err := e.Validate(); err != nil {
			t.Errorf("%s: the defaults are refused: %v", name, err)
		}
		for _, p := range kind.Params(e, e) {
			if p.Doc == "" {
				t.Errorf("%s: parameter %s has no documentation", name, p.Name)
			}
		}
		if got := kind.Canonical(e, e); got != "{}" {
			t.Errorf("%s: defaults make the key %s", name, got)
		}
	}
}

var update = flag.Bool("update", false, "write the golden file anew")

// TestDefaultsArePromised: keys hold only the parameters that differ from their defaults, so a changed default must come
// with a higher revision of its engine.
func TestDefaultsArePromised(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range set.Names() {
		k := set[name]
		fmt.Fprintf(&b, "%s revision %d %s\n", name, k.Rev, kind.Resolved(k.Defaults()))
	}
	path := filepath.Join("testdata", "defaults.golden")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("defaults changed: raise the revision, then run with -update\ngot\n%s\nwant\n%s", b.String(), want)
	}
}
