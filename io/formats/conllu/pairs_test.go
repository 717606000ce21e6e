package conllu

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/registry"
	"tenfold/io/source/sourcetest"
)

// TestPairs of the worked sentence, by hand.
func TestPairs(t *testing.T) {
	s := PairsKind.Defaults().(Pairs)
	s.Lower, s.Within, s.Features.Templates = true, 2, []string{"m.form h.form", "m-1.upos h+1.upos side distance", "between.VERB"}
	bad := "1\tlost\t_\tX\t_\t_\t7\tdep\t_\t_\n\n"
	d := sourcetest.MustLoad(t, s, map[string]string{"train": bad + worked, "test": worked})
	if want := "2:1-2 2:1-3 2:2-1 2:2-3 2:2-4 2:3-1 2:3-2 2:3-4 2:4-2 2:4-3 3:1-2"; !strings.HasPrefix(strings.Join(d.IDs, " "), want) || d.Rows() != 20 {
		t.Errorf("rows %v", d.IDs)
	}
	if y := d.Targets[0]; fmt.Sprint(y.Values[:10]) != "[1 0 0 0 0 0 0 1 1 0]" || y.Levels[y.Positive] != "yes" {
		t.Errorf("target %+v", y)
	}
	if fmt.Sprint(d.Part) != "[0 0 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 1 1]" || len(d.Groups.Key) != 1 || slices.Max(d.Groups.Of) != 0 {
		t.Errorf("parts %v, groups %v", d.Part, d.Groups)
	}
	columns := func(i int) (names []string) {
		for _, j := range d.X.Row(i).Idx {
			names = append(names, d.Features.Name(int(j)))
		}
		slices.Sort(names)
		return names
	}
	for i, want := range map[int]string{
		0: "T0:h.form=likes;m.form=sue T1:distance=1;h+1.upos=ADJ;m-1.upos=*;side=right T2:between.VERB=no",
		1: "T0:h.form=old;m.form=sue T1:distance=2;h+1.upos=NOUN;m-1.upos=*;side=right T2:between.VERB=yes",
		8: "T0:h.form=likes;m.form=films T1:distance=2;h+1.upos=ADJ;m-1.upos=ADJ;side=left T2:between.VERB=no",
	} {
		if got := strings.Join(columns(i), " "); got != want {
			t.Errorf("row %d: %s, want %s", i, got, want)
		}
	}
	for name, want := range map[string]string{
		"sentences": "3", "skipped sentences": "1", "first skipped sentence": "train:1: token 1 has no head in the sentence",
		"pairs": "20, in 6 of them the first depends on the second", "words that depend on none": "2", "attachments of words": "0",
	} {
		if got := sourcetest.Fact(d, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	s.Within = 1
	d = sourcetest.MustLoad(t, s, map[string]string{"all": worked})
	if got := sourcetest.Fact(d, "attachments of words"); d.Rows() != 6 || got != "1" {
		t.Errorf("%d rows within 1, %s attachments left", d.Rows(), got)
	}
	s.Within = 0
	if d = sourcetest.MustLoad(t, s, map[string]string{"all": worked}); d.Rows() != 12 {
		t.Errorf("%d pairs in all", d.Rows())
	}
	s.Features.Cutoff = 5
	if got := registry.Canonical(s, PairsKind.Defaults()); got != `{"features.templates":["m.form h.form","m-1.upos h+1.upos side distance","between.VERB"],"lower":true,"within":0}` {
		t.Errorf("canonical %s", got)
	}
}

func TestPairsRefuse(t *testing.T) {
	for text, want := range map[string]string{
		"m.deprel": `"m.deprel" in "m.deprel", expected form`, "m0.form": `"m0.form"`, "x.form": `"x.form"`, "m.": `"m."`, "between.": `"between."`, "m+10.form": `"m+10.form"`, " ": "an empty template",
	} {
		s := PairsKind.Defaults().(Pairs)
		s.Features.Templates = []string{text}
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	s := PairsKind.Defaults().(Pairs)
	if s.Within = -1; s.Validate() == nil {
		t.Error("within -1")
	}
	if s.Within, s.Target.Name = 1, "relation"; s.Validate() == nil {
		t.Error("target relation")
	}
}
