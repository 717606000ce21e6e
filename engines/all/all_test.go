package all

import (
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
