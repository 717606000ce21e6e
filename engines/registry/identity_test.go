package registry

import (
	"sync"
	"testing"
)

type base struct {
	C2      float64 `yaml:"c2"`
	Workers int     `yaml:"workers" key:"-"`
	Mode    string  `yaml:"mode" key:"exact"`
	hidden  int
}

type around struct {
	Base any `yaml:",inline"`
	Of   []any
	By   map[string]int
}

type program struct{ id string }

func (p program) Identity() (string, bool) { return p.id, p.id != "" }

// Values have one identity if they compute the same, and no two that do not.
func TestIdentity(t *testing.T) {
	text := func(v any) string {
		t.Helper()
		text, ok := Revisions(nil).Identity(v)
		if !ok {
			t.Fatalf("%v has no identity", v)
		}
		return text
	}
	same := func(a, b any) {
		t.Helper()
		if text(a) != text(b) {
			t.Errorf("%v and %v differ: %s, %s", a, b, text(a), text(b))
		}
	}
	same(base{C2: 1, Workers: 3}, base{C2: 1, Workers: 4})
	same(base{Mode: "fast"}, base{Mode: "quick"})
	same(around{By: map[string]int{"a": 1, "b": 2}}, around{By: map[string]int{"b": 2, "a": 1}})
	same(&base{C2: 2}, base{C2: 2})
	seen := map[string]any{}
	for _, v := range []any{
		base{}, base{C2: 1}, base{C2: 1 + 1e-15}, base{hidden: 1}, base{Mode: "exact"}, around{}, around{Base: base{}}, around{Base: base{C2: 1}},
		around{Of: []any{1, 2}}, around{Of: []any{1}}, around{Of: []any{"1"}}, around{Of: []any{int8(1)}}, around{By: map[string]int{"a": 1}},
		around{By: map[string]int{"a:1": 1}}, around{Of: []any{"1,", "2"}}, around{Of: []any{"1", ",2"}}, program{"x"}, program{"y"},
	} {
		if other, is := seen[text(v)]; is {
			t.Errorf("%#v and %#v have one identity", v, other)
		}
		seen[text(v)] = v
	}
	for _, v := range []any{func() {}, around{Base: func() {}}, around{Of: []any{make(chan int)}}, program{}, around{Base: program{}}, make([]byte, 1<<20), &sync.Pool{New: func() any { return 1 }}} {
		if text, ok := Revisions(nil).Identity(v); ok {
			t.Errorf("%T has the identity %.80s", v, text)
		}
	}
}

// A revision counts in values that hold its type, and in no others.
func TestRevisionsOfTypes(t *testing.T) {
	for _, c := range []struct {
		value   any
		changes bool
	}{{base{}, true}, {&base{}, true}, {around{Base: base{}}, true}, {around{Of: []any{1, base{}}}, true}, {around{}, false}, {program{"x"}, false}} {
		first, next := Revisions{}, Revisions{}
		first.Add("base", 1, base{})
		next.Add("base", 2, base{})
		a, _ := first.Identity(c.value)
		if b, _ := next.Identity(c.value); a == b == c.changes {
			t.Errorf("%#v: %s and %s", c.value, a, b)
		}
	}
	first, next := Revisions{}, Revisions{}
	for _, r := range []Revisions{first, next} {
		r.Add("one", 1, program{})
	}
	next.Add("two", 1, program{})
	a, _ := first.Identity(program{"x"})
	if b, _ := next.Identity(program{"x"}); a == b {
		t.Errorf("kinds of one type: %s", a)
	}
}
