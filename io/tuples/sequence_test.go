package tuples

import (
	"fmt"
	"strings"
	"testing"
)

// sequence is records of a word and the labels one and two before: a b a, in which a is labelled x, b y.
func sequence() *Table {
	t := NewTable("w", "c[-2]", "c[-1]")
	s := func(text string) int32 {
		if text == "*" {
			return Leaf
		}
		return t.Symbol([]byte(text))
	}
	for _, r := range []string{"a * * x", "b * x y", "a x y x"} {
		f := strings.Fields(r)
		t.Add(s(f[0]), s(f[1]), s(f[2]))
		t.Answer(s(f[3]))
	}
	return t
}

func TestExpandSequences(t *testing.T) {
	previous := Previous{Back: []int32{2, 1}, Levels: []string{"x", "y"}}
	templates := []Template{{Positions: []int{0}}, {Positions: []int{0, 2}}, {Positions: []int{1, 2}}}
	d, err := sequence().ExpandSequences(t.Context(), templates, 1, previous)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for j := range d.Features.Len() {
		names = append(names, d.Features.Name(j))
	}
	// Codes are in base 3: 0 is before the beginning, 1 is x, 2 is y.
	got := fmt.Sprintf("%v static %d parts %v %v", names, d.Sequences.Static, d.Sequences.Parts, d.Sequences.Previous)
	want := "[T0:w=a T0:w=b T1:w=a;c[-1]=* T1:w=a;c[-1]=y T1:w=b;c[-1]=x T2:c[-2]=*;c[-1]=* T2:c[-2]=*;c[-1]=x T2:c[-2]=x;c[-1]=y]" +
		" static 2 parts [[0 1 0] [0 0 0]]" +
		" [{[1] 0 [0 2 3] [0 2 1] [2 3 4]} {[2 1] 1 [0 3] [0 1 5] [5 6 7]}]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if d, err = sequence().ExpandSequences(t.Context(), templates, 2, previous); err != nil || d.Features.Len() != 1 || len(d.Sequences.Previous) != 0 {
		t.Errorf("patterns of two records: %+v, %v", d, err)
	}
	templates[0], templates[1] = templates[1], templates[0]
	if _, err := sequence().ExpandSequences(t.Context(), templates, 1, previous); err == nil {
		t.Error("a template without labels after one with labels was accepted")
	}
}
