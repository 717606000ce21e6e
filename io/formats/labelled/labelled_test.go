package labelled

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/formats/conll"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// shown is each row as class:feature=value...
func shown(d *data.Dataset) string {
	var rows []string
	for i := range d.Rows() {
		row := d.X.Row(i)
		text := d.Targets[0].Levels[int(d.Targets[0].Values[i])] + ":"
		for k, j := range row.Idx {
			text += " " + d.Features.Name(int(j))
			if row.Val != nil {
				text += fmt.Sprintf("=%v", row.At(k))
			}
		}
		rows = append(rows, text)
	}
	return strings.Join(rows, " | ")
}

func megam(use string, values bool) Megam {
	m := MegamKind.Defaults().(Megam)
	m.Use, m.Values = use, values
	return m
}

func TestMegam(t *testing.T) {
	const text = "1 a  b\r\n\n0\tb c b\nDEV\n1 d\nTEST\n0 a\n1 c\n"
	for _, c := range []struct {
		m          Megam
		text, want string
	}{
		{megam("train", false), text, "1: a b | 0: b c [] [] 2 of 5 (3 of other parts (use: train))"},
		{megam("all", false), text, "1: a b | 0: b c | 1: d | 0: a | 1: c [] [] 5"},
		{megam("train-dev", false), text, "1: a b | 0: b c | 1: d [0 0 1] [] 3 of 5 (2 of other parts (use: train-dev))"},
		{megam("train-test", false), text, "1: a b | 0: b c | 0: a | 1: c [0 0 1 1] [] 4 of 5 (1 of other parts (use: train-test))"},
		{megam("train", true), "x a 2 b -0.5\ny a 1\nz\n", "x: a=2 b=-0.5 | y: a=1 | z: [] [] 3"},
		{megam("train", false), "x $$$WEIGHT 2.5 a\ny a\n", "x: a | y: a [] [2.5 1] 2"},
		{megam("train", false), "DEVIL a\nTEST a\nDEV x\n", "DEVIL: a | TEST: a | DEV: x [] [] 3"},
	} {
		d := sourcetest.MustLoad(t, c.m, map[string]string{"all": c.text})
		got := fmt.Sprintf("%s %v %v %v", shown(d), d.Part, d.Weight, d.Accounts().Rows)
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.m.Use, got, c.want)
		}
	}
	d := sourcetest.MustLoad(t, megam("train", false), map[string]string{"train": text, "test": text})
	if got := fmt.Sprint(shown(d), d.Part); got != "1: a b | 0: b c | 1: a b | 0: b c[0 0 1 1]" {
		t.Error(got)
	}
	if got := d.Facts[0].Value; got != "2" {
		t.Errorf("%s features given again, want 2", got)
	}
}

func words(change func(w *Words)) Words {
	w := WordsKind.Defaults().(Words)
	change(&w)
	return w
}

func TestWords(t *testing.T) {
	const text = "NUM:date When did it end ?\nHUM:ind Who did * it ?\nNUM\n"
	for _, c := range []struct {
		w    Words
		want string
	}{
		{words(func(*Words) {}), "NUM:date: When did it end ? | HUM:ind: did it ? Who %2A | NUM:"},
		{words(func(w *Words) { w.Cut, w.Lower = ":", true }), "NUM: when did it end ? | HUM: did it ? who %2A | NUM:"},
		{words(func(w *Words) { w.Features.Ngrams = 2 }), "NUM:date: When did it end ? * When When did did it it end end ? ? * | " +
			"HUM:ind: did it ? ? * Who %2A * Who Who did did %2A %2A it it ? | NUM:"},
	} {
		if got := shown(sourcetest.MustLoad(t, c.w, map[string]string{"all": text})); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	d := sourcetest.MustLoad(t, words(func(*Words) {}), map[string]string{"train": "A x y\nB x\n", "test": "B x y\n"})
	if got := fmt.Sprint(d.Part, d.Groups.Of, d.Groups.Name); got != "[0 0 1] [0 1 0]text" {
		t.Error(got)
	}
	latin := words(func(w *Words) { w.Encoding = rawtext.Latin1 })
	if got := shown(sourcetest.MustLoad(t, latin, map[string]string{"all": "A \xe9t\xe9\nB x\n"})); got != "A: été | B: x" {
		t.Error(got)
	}
}

func TestBadFiles(t *testing.T) {
	for _, c := range []struct {
		s          source.Source
		text, want string
	}{
		{megam("train", true), "x a 1\nx a\n", `all:2: found "a" at the end of the line, expected pairs`},
		{megam("train", true), "x a b\n", `all:1: feature a: found "b", expected a finite number`},
		{megam("train", true), "x a NaN\n", `expected a finite number`},
		{megam("train", true), "x a 1 a 1\n", `all:1: feature a is given twice`},
		{megam("train", false), "x $$$WEIGHT 0 a\n", `found weight "0", expected a positive number`},
		{megam("train", false), "x $$$WEIGHT\n", `at the end of the line, expected a positive number`},
		{megam("all", false), "x a\nTEST\nx a\nDEV\n", `all:4: found DEV, but the rows before it are of TEST already`},
		{megam("train", false), "DEV\nx a\n", `no rows before DEV or TEST`},
		{megam("train", false), "\n \n", `all: no rows`},
		{words(func(w *Words) { w.Cut = ":" }), "A x\n:b c\n", `all:2: found the label ":b", expected text before ":"`},
		{words(func(*Words) {}), "A x\nB \xf0\n", `all:2:3: found byte 0xf0, expected UTF-8`},
		{words(func(w *Words) { w.Target.Positive = "C" }), "A x\nB y\n", `has no level "C"`},
	} {
		_, err := c.s.Load(t.Context(), sourcetest.Input(map[string]string{"all": c.text}))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.text, err, c.want)
		}
	}
	if _, err := megam("train-test", false).Load(t.Context(), sourcetest.Input(map[string]string{"train": "a b", "test": "a b"})); err == nil || !strings.Contains(err.Error(), "use: train-test takes both parts from one file") {
		t.Errorf("parts twice: %v", err)
	}
}

func TestValidate(t *testing.T) {
	for want, s := range map[string]source.Source{
		"use: ":             megam("dev", false),
		"encoding: ":        Megam{Target: Target{Name: label}, Use: "all"},
		"target: ":          words(func(w *Words) { w.Target.Name = "label" }),
		"features.ngrams: ": words(func(w *Words) { w.Features.Ngrams = 0 }),
		"features.cutoff: ": words(func(w *Words) { w.Features.Cutoff = -1 }),
	} {
		if err := s.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s...", err, want)
		}
	}
}

func FuzzMegam(f *testing.F) {
	for _, s := range []string{"1 a b\nDEV\n0 a\nTEST\n1 b\n", "x a 1 b 2\r\n", "x $$$WEIGHT 2 a 1", "\ufeffa\x00 b\n"} {
		f.Add([]byte(s), true, "all")
		f.Add([]byte(s), false, "train-test")
	}
	f.Fuzz(func(t *testing.T, content []byte, values bool, use string) {
		sourcetest.Fuzz(t, megam(use, values), map[string]string{"all": string(content)})
	})
}

func FuzzWords(f *testing.F) {
	f.Add([]byte("A:b x y\n\nB * \xe9"), ":", 3)
	f.Fuzz(func(t *testing.T, content []byte, cut string, ngrams int) {
		sourcetest.Fuzz(t, words(func(w *Words) { w.Cut, w.Features.Ngrams, w.Encoding = cut, ngrams, rawtext.Latin1 }), map[string]string{"all": string(content)})
	})
}

// levels counts the rows of each level, in the order of levels.
func levels(d *data.Dataset, part int8) []int {
	n := make([]int, len(d.Targets[0].Levels))
	for i, y := range d.Targets[0].Values {
		if d.Part == nil || d.Part[i] == part {
			n[int(y)]++
		}
	}
	return n
}

func TestSmall2(t *testing.T) {
	in := sourcetest.Open(t, map[string]string{"all": "megam-small2/small2.gz"})
	d := sourcetest.Read(t, megam("all", false), in)
	if got := fmt.Sprint(d.Rows(), d.Features.Len(), d.X.NNZ(), levels(d, 0)); got != "2300 6950 82573 [405 286 396 179 1034]" {
		t.Error(got)
	}
	for use, want := range map[string]int{"train": 1000, "train-dev": 1600, "train-test": 1700} {
		if d := sourcetest.Read(t, megam(use, false), in); d.Rows() != want || slices.Contains(d.Part, 1) != (want > 1000) {
			t.Errorf("%s: %d rows, want %d", use, d.Rows(), want)
		}
	}
}

func TestTREC(t *testing.T) {
	in := sourcetest.Open(t, map[string]string{"train": "trec-qc/train.txt.gz", "test": "trec-qc/test.txt"})
	coarse := sourcetest.Read(t, words(func(w *Words) { w.Cut, w.Encoding = ":", rawtext.Latin1 }), in)
	if got := fmt.Sprint(coarse.Targets[0].Levels, levels(coarse, 0), levels(coarse, 1)); got != "[ABBR DESC ENTY HUM LOC NUM] [86 1162 1250 1223 835 896] [9 138 94 65 81 113]" {
		t.Error(got)
	}
	fine := sourcetest.Read(t, words(func(w *Words) { w.Encoding = rawtext.Latin1 }), in)
	if got := len(fine.Targets[0].Levels); got != 50 {
		t.Errorf("%d fine labels, want 50", got)
	}
}

// Prepositional phrases (Ratnaparkhi, Reynar & Roukos 1994) are records of columns, which the format conll reads by line.
func TestPPAttach(t *testing.T) {
	in := sourcetest.Open(t, map[string]string{"train": "ppattach/training.gz", "test": "ppattach/test"})
	f := conll.Kind.Defaults().(conll.Format)
	f.Columns = map[string]int{"v": 1, "n1": 2, "p": 3, "n2": 4, "a": 5}
	f.Target.Column, f.Sentences = "a", "line"
	f.Features.Templates = source.Templates{"p[0]", "v[0] p[0]", "n1[0] p[0]", "p[0] n2[0]", "v[0] n1[0] p[0] n2[0]"}
	d := sourcetest.Read(t, f, in)
	if got := fmt.Sprint(d.Targets[0].Levels, levels(d, 0), levels(d, 1)); got != "[N V] [10865 9936] [1826 1271]" {
		t.Error(got)
	}
}
