package conllu

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tenfold/engines/registry"
	"tenfold/io/formats/tuples"
	"tenfold/io/source/sourcetest"
)

// The example of the format: a comment, a range, an empty node, CR LF in places, no blank line at the end.
const example = "# text = Sue likes it\n" +
	"1-2\tSueli\t_\t_\t_\t_\t_\t_\t_\t_\r\n" +
	"1\tSue\tSue\tPROPN\tNNP\t_\t2\tnsubj:x\t_\t_\r\n" +
	"2\tlikes\tlike\tVERB\t_\t_\t0\troot\t_\t_\n" +
	"2.1\tlikes\tlike\tVERB\tVBZ\t_\t_\t_\t0:root\t_\n" +
	"3\tIT\tit\tPRON\tPRP\t_\t2\tobj\t_\tSpaceAfter=No\n" +
	"\r\n\n" +
	"1\tlost\t_\tX\tX\t_\t7\tdep\t_\t_\n\n" +
	"1\ta b\t_\tX\t_\t_\t0\troot\t_\t_\n" +
	"2\tc\t_\tX\t_\t_\t1\tdep\t_\t_"

func TestSentences(t *testing.T) {
	var got []string
	for words, err := range sentences([]byte("\ufeff"+example), "x") {
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range words {
			got = append(got, fmt.Sprintf("%d:%s/%s/%s/%d/%s", w.Line, w.Form, w.UPOS, w.XPOS, w.Head, w.Deprel))
		}
		got = append(got, ".")
	}
	want := "3:Sue/PROPN/NNP/2/nsubj:x 4:likes/VERB/_/0/root 6:IT/PRON/PRP/2/obj . 9:lost/X/X/7/dep . 11:a b/X/_/0/root 12:c/X/_/1/dep ."
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}

func TestMalformedLines(t *testing.T) {
	good := "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
	for _, c := range []struct{ line, want string }{
		{"2\tb\t_\tX\t_\t_\t1\tdep\t_", "found 9 columns, expected 10"},
		{"2 b _ X _ _ 1 dep _ _", "found 1 columns, expected 10"},
		{"2\t\t_\tX\t_\t_\t1\tdep\t_\t_", "found column 2 empty"},
		{"3\tb\t_\tX\t_\t_\t1\tdep\t_\t_", `found id "3", expected 2`},
		{"x\tb\t_\tX\t_\t_\t1\tdep\t_\t_", `found id "x", expected 2`},
		{"2-\tb\t_\tX\t_\t_\t1\tdep\t_\t_", `found id "2-", expected 2`},
		{"99999999999999999999\tb\t_\tX\t_\t_\t1\tdep\t_\t_", `found id "99999999999999999999"`},
		{"2\tb\t_\tX\t_\t_\tone\tdep\t_\t_", `found head "one"`},
		{"2\tb\t_\tX\t_\t_\t-1\tdep\t_\t_", `found head "-1"`},
		{"2\tb\t_\tX\t_\t_\t3000000000\tdep\t_\t_", `found head "3000000000"`},
		{"2\tb\xff\t_\tX\t_\t_\t1\tdep\t_\t_", "found bytes that are not UTF-8"},
	} {
		_, err := JoinsKind.Defaults().Load(context.Background(), sourcetest.Input(map[string]string{"all": good + c.line}))
		if err == nil || !strings.HasPrefix(err.Error(), "all:2: "+c.want) {
			t.Errorf("%q: got %v, want %s", c.line, err, c.want)
		}
	}
}

func TestJoins(t *testing.T) {
	s := JoinsKind.Defaults().(Joins)
	d := sourcetest.MustLoad(t, s, map[string]string{"all": example})
	for name, want := range map[string]string{
		"sentences": "3", "skipped sentences": "1", "instances": "3",
		"first skipped sentence": "all:9: token 1 has no head in the sentence",
	} {
		if got := sourcetest.Fact(d, name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"T1:0=likes;5=PRP", "T1:0=Sue;5=VERB", "T12:8=*;9=>obj", "T4:0=a%20b;1=X;4=c;5=X"} {
		if _, ok := d.Features.Lookup(name); !ok {
			t.Errorf("no column %s", name)
		}
	}
	s.Lower, s.UPOS, s.CutRelation = true, true, true
	s.Target.Name = tuples.Relation
	d = sourcetest.MustLoad(t, s, map[string]string{"all": example})
	if _, ok := d.Features.Lookup("T4:0=likes;1=VERB;4=it;5=PRON"); !ok {
		t.Error("lower or upos had no effect")
	}
	if got := strings.Join(d.Targets[0].Levels, " "); got != "<nsubj >dep >obj" {
		t.Errorf("levels: got %s", got)
	}
}

func TestTwoFiles(t *testing.T) {
	d := sourcetest.MustLoad(t, JoinsKind.Defaults().(Joins), map[string]string{"train": example, "test": example})
	if got := fmt.Sprint(d.Part); got != "[0 0 0 1 1 1]" {
		t.Errorf("parts: got %s", got)
	}
	if got := len(d.Groups.Key); got != 3 {
		t.Errorf("%d distinct ten-tuples, want 3", got)
	}
}

func TestNothingToJoin(t *testing.T) {
	_, err := JoinsKind.Defaults().Load(context.Background(), sourcetest.Input(map[string]string{"all": "# nothing\n"}))
	if err == nil || !strings.HasPrefix(err.Error(), "all: no instances") {
		t.Errorf("got %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := JoinsKind.Defaults().Load(ctx, sourcetest.Input(map[string]string{"all": example})); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestCutoffStaysOutOfTheKey(t *testing.T) {
	s := JoinsKind.Defaults().(Joins)
	s.Features.Cutoff = 2
	if got := registry.Canonical(s, JoinsKind.Defaults()); got != "{}" {
		t.Errorf("cutoff: got %s", got)
	}
	s.Lower, s.Kappa = true, 2
	if got := registry.Canonical(s, JoinsKind.Defaults()); got != `{"kappa":2,"lower":true}` {
		t.Errorf("got %s", got)
	}
}

func FuzzCoNLLU(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte("1\ta\t_\tX\t_\t_\t2\tx\t_\t_\n2\tb\t_\tX\t_\t_\t1\ty\t_\t_\n"))
	f.Add([]byte("1\ta\t_\tX\t_\t_\t_\tx\t_\t_\n"))
	f.Add([]byte("8.1\t*\t_\t%;\t|\t_\t_\t_\t_\t_\r\n\r\n"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, content []byte) {
		rows := 0
		for words, err := range sentences(content, "fuzz") {
			if err != nil {
				return
			}
			rows += len(words)
		}
		if d, err := TokensKind.Defaults().Load(context.Background(), sourcetest.Input(map[string]string{"all": string(content)})); rows > 0 {
			if err := errors.Join(err, d.Check(), d.X.Check()); err != nil {
				t.Fatal(err)
			}
		}
		if d, err := PairsKind.Defaults().Load(context.Background(), sourcetest.Input(map[string]string{"all": string(content)})); err == nil {
			if err := errors.Join(d.Check(), d.X.Check()); err != nil {
				t.Fatal(err)
			}
		} else if !strings.Contains(err.Error(), "no instances") {
			t.Fatalf("the sentences were accepted, the pairs were not: %v", err)
		}
		d, err := JoinsKind.Defaults().Load(context.Background(), sourcetest.Input(map[string]string{"all": string(content)}))
		if err != nil {
			if !strings.Contains(err.Error(), "no instances") {
				t.Fatalf("the sentences were accepted, the joins were not: %v", err)
			}
			return
		}
		if d.Rows() > rows {
			t.Fatalf("%d joins of %d words", d.Rows(), rows)
		}
		if err := errors.Join(d.Check(), d.X.Check()); err != nil {
			t.Fatal(err)
		}
	})
}
