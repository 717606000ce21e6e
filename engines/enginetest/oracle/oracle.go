// Package oracle runs reference cases: small problems with full expected outputs. A package keeps the cases it answers
// for in testdata/oracle; TENFOLD_ORACLES names a folder of further cases.
package oracle

import (
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Case is one reference case, in either family's format. Input, Options and Expect are decoded by the test of its kind.
type Case struct {
	File      string          `json:"-"`
	Name      string          `json:"name"`
	Kind      string          `json:"kind"`
	Tolerance json.RawMessage `json:"tolerance"`
	Input     json.RawMessage `json:"input"`
	Options   json.RawMessage `json:"options"`
	Expect    json.RawMessage `json:"expect"`
	Expected  json.RawMessage `json:"expected"` // the name of Expect in the other family
}

// Fixture reads the cases of a file in testdata of the calling package: a JSON object whose source says where its numbers
// come from, and whose cases are decoded as they are.
func Fixture[C any](t *testing.T, file string) []C {
	t.Helper()
	var f struct {
		Source string
		Cases  []C
	}
	raw, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		t.Fatal(err)
	}
	if f.Source == "" || len(f.Cases) == 0 {
		t.Fatalf("%s has no source or no cases", file)
	}
	return f.Cases
}

// Run runs every case of the given kinds, from testdata/oracle of the calling package and from TENFOLD_ORACLES, one
// subtest a case, named by its file.
func Run(t *testing.T, kinds map[string]func(*testing.T, Case)) {
	t.Helper()
	found := 0
	for _, c := range append(Cases(t, filepath.Join("testdata", "oracle")), Extra(t)...) {
		if check := kinds[c.Kind]; check != nil {
			found++
			t.Run(filepath.ToSlash(c.File), func(t *testing.T) { check(t, c) })
		}
	}
	if found == 0 {
		t.Fatal("no reference case of these kinds was found in testdata/oracle")
	}
}

// Extra returns the cases below the folder that TENFOLD_ORACLES names; none when it is not set.
func Extra(t *testing.T) []Case {
	t.Helper()
	if dir := os.Getenv("TENFOLD_ORACLES"); dir != "" {
		return Cases(t, dir)
	}
	return nil
}

// bare is a number that JSON has no word for, as some writers write it: it is read as null.
var bare = regexp.MustCompile(`([\[,:]\s*)(?:NaN|-?Infinity)\b`)

// Cases reads every .json file below a folder, in order of path.
func Cases(t *testing.T, dir string) []Case {
	t.Helper()
	var out []Case
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".json") {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		c := Case{File: path}
		if rel, err := filepath.Rel(dir, path); err == nil {
			c.File = rel
		}
		if err := json.Unmarshal(bare.ReplaceAll(raw, []byte("${1}null")), &c); err != nil {
			t.Errorf("%s: %v", path, err)
			return nil
		}
		out = append(out, c)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Decode fills v from one part of a case.
func (c Case) Decode(t *testing.T, part json.RawMessage, v any) {
	t.Helper()
	if len(part) == 0 {
		return
	}
	if err := json.Unmarshal(part, v); err != nil {
		t.Fatalf("%s: %v", c.File, err)
	}
}

// WantError returns the refusal that the case expects, "" when it expects results.
func (c Case) WantError(t *testing.T) string {
	t.Helper()
	var e struct {
		Error string `json:"error"`
	}
	c.Decode(t, c.Expect, &e)
	return e.Error
}

// Parts fills the three parts of a case.
func (c Case) Parts(t *testing.T, input, options, want any) {
	t.Helper()
	c.Decode(t, c.Input, input)
	c.Decode(t, c.Options, options)
	c.Decode(t, c.Expect, want)
	c.Decode(t, c.Expected, want)
}

// Refused reports whether the case expects a refusal, which err then has to be. Where it expects none, an error ends the test.
func (c Case) Refused(t *testing.T, err error) bool {
	t.Helper()
	switch why := c.WantError(t); {
	case why != "" && err == nil:
		t.Fatalf("not refused, expected: %s", why)
	case why == "" && err != nil:
		t.Fatal(err)
	}
	return err != nil
}

// Tol returns the case's single tolerance, absolute and relative.
func (c Case) Tol(t *testing.T) float64 {
	t.Helper()
	tol := 1e-9
	c.Decode(t, c.Tolerance, &tol)
	return tol
}

// Near fails the test unless got is within tol of want, absolutely or relatively.
func Near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if d := math.Abs(got - want); !(d <= tol || d <= tol*math.Abs(want)) {
		t.Errorf("%s: got %.17g, want %.17g", what, got, want)
	}
}

// NearAll does what Near does for slices.
func NearAll(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %d values, want %d", what, len(got), len(want))
		return
	}
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= tol || d <= tol*math.Abs(want[i])) {
			t.Errorf("%s[%d]: got %.17g, want %.17g", what, i, got[i], want[i])
			return
		}
	}
}
