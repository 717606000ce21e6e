package progress

import (
	"bytes"
	"strings"
	"testing"

	"tenfold/io/results"
	"tenfold/runner"
)

func TestMeter(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	m := New(&out, 4)
	unit := func(name string) *runner.Unit {
		u := &runner.Unit{Label: results.Label{Dataset: "d", Algorithm: name, Fold: 2}}
		m.Begin(u)
		return u
	}
	m.End(unit("good"), &results.Outcome{Status: results.OK})
	m.End(unit("bad"), &results.Outcome{Status: results.Failed, Error: "singular\nstack"})
	m.End(unit("large"), &results.Outcome{Status: results.Skipped, Error: "too large"})
	m.End(unit("abandoned"), nil)
	m.Close()
	text := out.String()
	for _, want := range []string{"failed: d × bad fold 2: singular\n", "skipped: d × large fold 2: too large\n", "3/4 fits, 2 failed"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "abandoned") || strings.Contains(text, "stack") {
		t.Errorf("too much is told:\n%s", text)
	}
}

// Of a family with many tasks that fail, a few are told.
func TestManyFailures(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	m := New(&out, 40)
	for range 20 {
		for _, family := range []string{"news", "mail"} {
			u := &runner.Unit{Label: results.Label{Dataset: family + "/a vs b", Family: family, Task: "a vs b", Algorithm: "bad"}}
			m.Begin(u)
			m.End(u, &results.Outcome{Status: results.Failed, Error: "no"})
		}
	}
	m.Close()
	text := out.String()
	if told, counted := strings.Count(text, "failed: "), strings.Count(text, "further failures of news × bad are only counted\n"); told != 20 || counted != 1 {
		t.Errorf("%d told, %d times counted:\n%s", told, counted, text)
	}
	if !strings.Contains(text, "40/40 fits, 40 failed") {
		t.Errorf("the last line:\n%s", text)
	}
}
