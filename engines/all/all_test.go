package all

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/registry"
	"tenfold/engines/trees/boruta"
)

// Every engine keeps the laws of the suite: here with its defaults, unless the tests of its package hold it to them with several
// parameters.
func TestSuite(t *testing.T) {
	t.Parallel()
	set, err := Engines()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range set.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := set[name].Defaults()
			if !hasSuite(t, e) {
				enginetest.Suite(t, e)
			}
			if err := enginetest.StepParameters(smaller(e)); err != nil {
				t.Error(err)
			}
		})
	}
}

// hasSuite reports whether a test file of the engine's package calls the suite and names the engine's type.
func hasSuite(t *testing.T, e engines.Engine) bool {
	kind := reflect.TypeOf(e)
	files, err := filepath.Glob(filepath.Join("../..", strings.TrimPrefix(kind.PkgPath(), "tenfold/"), "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no tests: %v", kind, err)
	}
	named := regexp.MustCompile(`\b` + kind.Name() + `\b`)
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Contains(text, []byte("enginetest.Suite(")) && named.Match(text)
	})
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
		for _, p := range registry.Params(e, e) {
			if p.Doc == "" {
				t.Errorf("%s: parameter %s has no documentation", name, p.Name)
			}
		}
		if got := registry.Canonical(e, e); got != "{}" {
			t.Errorf("%s: defaults make the key %s", name, got)
		}
	}
}

// Every wrapper has a key of its own, a sentence, and either two words or options, perhaps with a word for none, documented and valid as they
// come.
func TestWrappers(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{"path": true, "tune": true}
	for _, key := range Wrappers().Pair.Keys {
		seen[key] = true
	}
	for _, w := range Wrappers().Around {
		if seen[w.Key()] || w.Kind.Doc == "" || w.On != "" && w.Off == "" || (w.Accepts == nil) != (w.Lacks == "") {
			t.Errorf("wrapper %q: its key is taken, or it lacks documentation, a word, or what engines lack that it does not accept", w.Key())
		}
		seen[w.Key()] = true
		if w.On != "" {
			continue
		}
		if _, err := registry.NewSet(w.Kind); err != nil {
			t.Error(err)
		}
		options := w.Kind.Defaults()
		if err := options.Validate(); err != nil {
			t.Errorf("%s: the defaults are refused: %v", w.Key(), err)
		}
		for _, p := range registry.Params(options, options) {
			if p.Doc == "" {
				t.Errorf("%s: option %s has no documentation", w.Key(), p.Name)
			}
		}
	}
}

// smaller returns an engine with fewer trees, where it grows a forest again and again; otherwise the engine itself.
func smaller(e engines.Engine) engines.Engine {
	if b, ok := e.(boruta.Boruta); ok {
		b.MaxRuns, b.Trees = 20, 20
		return b
	}
	return e
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
		fmt.Fprintf(&b, "%s revision %d %s\n", name, k.Rev, registry.Resolved(k.Defaults()))
	}
	for _, w := range Wrappers().Around {
		if w.On == "" {
			fmt.Fprintf(&b, "wrapper %s revision %d %s\n", w.Key(), w.Kind.Rev, registry.Resolved(w.Kind.Defaults()))
		}
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
