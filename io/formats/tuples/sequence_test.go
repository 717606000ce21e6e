package tuples

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
)

// wordTable returns records of a word and the labels one and two before: a b a, in which a is labelled x, b y.
func wordTable() *Table {
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
	d, err := wordTable().ExpandSequences(t.Context(), templates, 1, previous)
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
	if d, err = wordTable().ExpandSequences(t.Context(), templates, 2, previous); err != nil || d.Features.Len() != 1 || len(d.Sequences.Previous) != 0 {
		t.Errorf("patterns of two records: %+v, %v", d, err)
	}
	templates[0], templates[1] = templates[1], templates[0]
	if _, err := wordTable().ExpandSequences(t.Context(), templates, 1, previous); err == nil {
		t.Error("a template without labels after one with labels was accepted")
	}
}

// labelled is one sequence: a record of each word, with the labels one and two before.
func labelled(words, labels string) (*Table, []string) {
	t, before := NewTable("w", "c[-2]", "c[-1]"), strings.Fields(labels)
	at := func(k int) int32 {
		if k < 0 {
			return Leaf
		}
		return t.Symbol([]byte(before[k]))
	}
	for i, word := range strings.Fields(words) {
		t.Add(t.Symbol([]byte(word)), at(i-2), at(i-1))
		t.Answer(at(i))
	}
	return t, before
}

// New records whose labels come out as the true ones have the columns that these make, of those that the model knows.
func TestApplySequences(t *testing.T) {
	previous := Previous{Back: []int32{2, 1}, Levels: []string{"x", "y"}}
	templates := []Template{{Positions: []int{0}}, {Positions: []int{0, 2}}, {Positions: []int{1, 2}}, {Positions: []int{0, 1}}}
	names := func(d *data.Dataset) (all []string) {
		for j := range d.Features.Len() {
			all = append(all, d.Features.Name(j))
		}
		return all
	}
	first, _ := labelled("a b a a b", "x y x x y")
	model, err := first.ExpandSequences(t.Context(), templates, 1, previous)
	if err != nil {
		t.Fatal(err)
	}
	known := append(names(model), "T1:w=a;c[-1]=q", "T1:w=a", "T12:w=a;c[-1]=x", "bias")
	const words, labels = "b a z a b z a", "y x y y x x y"
	fresh, truth := labelled(words, labels)
	whole, err := fresh.ExpandSequences(t.Context(), templates, 1, previous)
	if err != nil {
		t.Fatal(err)
	}
	fresh, _ = labelled(words, labels)
	d, err := fresh.ApplySequences(t.Context(), templates, previous, known)
	if err != nil {
		t.Fatal(err)
	}
	d.Sequences.Start = []int32{0}
	d.Targets = []data.Target{{Name: "c", Type: data.Class, Levels: previous.Levels, Values: make([]float64, d.Rows())}}
	p, err := prepare.Recipe{}.Fit(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := p.View(nil).Inputs().Steps()
	if err != nil {
		t.Fatal(err)
	}
	var before []int32
	looking := 0
	for i := range truth {
		var got, want []string
		for _, j := range steps.Row(nil, i, before).Idx {
			got = append(got, d.Features.Name(int(j)))
		}
		for _, j := range whole.X.Row(i).Idx {
			if name := whole.Features.Name(int(j)); int(j) < whole.Sequences.Static || slices.Contains(known, name) {
				want = append(want, name)
			}
		}
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("record %d: got %v, want %v", i, got, want)
		}
		looking += len(want) - 1
		before = append(before, int32(slices.Index(previous.Levels, truth[i])))
	}
	if looking < 5 {
		t.Errorf("%d columns look at labels: the test says little", looking)
	}
}
