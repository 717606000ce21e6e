package conll

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/engines/registry"
	"tenfold/io/rawtext"
	"tenfold/io/source/sourcetest"
)

func format(templates ...string) Format {
	f := Kind.Defaults().(Format)
	f.Columns = map[string]int{"w": 0, "t": 1, "c": 2}
	f.Target.Column = "c"
	f.Features.Templates = templates
	return f
}

// shown is the columns of each row by name, and its label.
func shown(d *data.Dataset) []string {
	out := make([]string, d.Rows())
	for i := range out {
		var names []string
		for _, j := range d.X.Row(i).Idx {
			_, name, _ := strings.Cut(d.Features.Name(int(j)), ":")
			names = append(names, name)
		}
		out[i] = strings.Join(names, " ") + " -> " + d.Targets[0].Levels[int(d.Targets[0].Values[i])]
	}
	return out
}

const example = "-DOCSTART- -X- O\n\nThe DT B-NP\r\ncat NN I-NP\r\nsat VBD B-VP\n\n\n \t \nIt\t \tPRP  B-NP x\n# # I-NP\nran VBD O"

func TestLoad(t *testing.T) {
	f := format("c[-1]", "w[0]", "c[-2] c[-1] t[0]", "bias", "t[-1] t[0]", "suffix2(w[1])", "lower(w[0]) shape(w[0])")
	d := sourcetest.MustLoad(t, f, map[string]string{"all": example})
	want := []string{
		"w[0]=The bias=* t[-1]=*;t[0]=DT suffix2(w[1])=at lower(w[0])=the;shape(w[0])=Xx c[-1]=* t[0]=DT;c[-2]=*;c[-1]=* -> B-NP",
		"w[0]=cat bias=* t[-1]=DT;t[0]=NN suffix2(w[1])=at lower(w[0])=cat;shape(w[0])=x c[-1]=B-NP t[0]=NN;c[-2]=*;c[-1]=B-NP -> I-NP",
		"w[0]=sat bias=* t[-1]=NN;t[0]=VBD suffix2(w[1])=* lower(w[0])=sat;shape(w[0])=x c[-1]=I-NP t[0]=VBD;c[-2]=B-NP;c[-1]=I-NP -> B-VP",
		"w[0]=It bias=* t[-1]=*;t[0]=PRP suffix2(w[1])=# lower(w[0])=it;shape(w[0])=Xx c[-1]=* t[0]=PRP;c[-2]=*;c[-1]=* -> B-NP",
		"w[0]=# bias=* t[-1]=PRP;t[0]=# suffix2(w[1])=an lower(w[0])=#;shape(w[0])=# c[-1]=B-NP t[0]=#;c[-2]=*;c[-1]=B-NP -> I-NP",
		"w[0]=ran bias=* t[-1]=#;t[0]=VBD suffix2(w[1])=* lower(w[0])=ran;shape(w[0])=x c[-1]=I-NP t[0]=VBD;c[-2]=B-NP;c[-1]=I-NP -> O",
	}
	if got := shown(d); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := fmt.Sprint(d.IDs, d.Groups.Of, d.Sequences.Start, d.Part, d.Groups.Name); got != "[1:1 1:2 1:3 2:1 2:2 2:3] [0 0 0 1 1 1] [0 3] []sentence" {
		t.Error(got)
	}
	for _, j := range d.X.Row(1).Idx {
		if looks := strings.Contains(d.Features.Name(int(j)), "c[-"); looks != (int(j) >= d.Sequences.Static) {
			t.Errorf("column %d, %s: static columns end at %d", j, d.Features.Name(int(j)), d.Sequences.Static)
		}
	}
	if got, want := shown(sourcetest.MustLoad(t, f, map[string]string{"all": strings.ReplaceAll(example, "\n", "\r\r\n")})), shown(d); !slices.Equal(got, want) {
		t.Errorf("lines that end in two carriage returns: %v", got)
	}
	parts := sourcetest.MustLoad(t, f, map[string]string{"train": "a b O\n\n", "test": "a b O\n\na c O\n"})
	if got := fmt.Sprint(parts.IDs, parts.Part, parts.Groups.Of); got != "[1:1 2:1 3:1] [0 1 1] [0 0 1]" {
		t.Error(got)
	}
}

// Whatever the templates, a decoder that is given the true labels gets the rows as they are.
func TestTrueLabelsMakeTheRows(t *testing.T) {
	long := strings.Repeat(example+"\n\n", 3) + "The DT I-NP\ncat NN O\nsat VBD O\nThe DT B-NP\ncat NN I-NP\n"
	for _, cutoff := range []int{1, 2, 4} {
		f := format("w[0]", "c[-4]", "c[-1] c[-3] t[0] t[1]", "c[-2] t[0]", "c[-4] c[-3] c[-2] c[-1]", "c[-1] t[0]", "c[-1] t[0]")
		f.Features.Cutoff = cutoff
		d := sourcetest.MustLoad(t, f, map[string]string{"all": long})
		p, err := f.Recipe().Fit(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		view := p.View(nil)
		steps, err := view.Inputs().Steps()
		if err != nil {
			t.Fatal(err)
		}
		some := false
		for k := range steps.Len() {
			first, end := steps.Span(k)
			var before []int32
			for i := first; i < end; i++ {
				row := steps.Row(nil, i, before)
				if !slices.Equal(row.Idx, view.Row(i).Idx) {
					t.Errorf("cutoff %d, row %s: %v, want %v", cutoff, d.IDs[i], row.Idx, view.Row(i).Idx)
				}
				some = some || len(row.Idx) > 0 && int(row.Idx[len(row.Idx)-1]) >= d.Sequences.Static
				before = append(before, int32(d.Targets[0].Values[i]))
			}
		}
		if !some {
			t.Errorf("cutoff %d: no row has a column of previous labels", cutoff)
		}
	}
}

// Leaving rare patterns out while reading changes nothing that a cutoff on training rows keeps.
func TestCutoffWhileReading(t *testing.T) {
	text := strings.Repeat(example+"\n\n", 2)
	all, some := format("w[0]", "c[-1] w[0]", "t[0] c[-1]"), format("w[0]", "c[-1] w[0]", "t[0] c[-1]")
	some.Features.Cutoff = 3
	kept := func(f Format) (names []string) {
		p, err := prepare.Recipe{Cutoff: 3}.Fit(sourcetest.MustLoad(t, f, map[string]string{"all": text}), nil)
		if err != nil {
			t.Fatal(err)
		}
		for j := range p.Columns() {
			names = append(names, p.View(nil).Features().Name(j))
		}
		return names
	}
	if a, b := kept(all), kept(some); len(a) == 0 || !slices.Equal(a, b) {
		t.Errorf("%q, read with a cutoff %q", a, b)
	}
}

// The beam is part of a key, the greedy default is not.
func TestRecipe(t *testing.T) {
	f := format("c[-1]")
	f.Features.Cutoff = 5
	for beam, want := range map[int]string{
		1: `{"Cutoff":5,"Missing":"","Scale":"","Unseen":""}`,
		2: `{"Cutoff":5,"Missing":"","Scale":"","Unseen":"","Beam":2}`,
		4: `{"Cutoff":5,"Missing":"","Scale":"","Unseen":"","Beam":4}`,
	} {
		f.Decode.Beam = beam
		got, err := json.Marshal(f.Recipe())
		if err != nil || string(got) != want {
			t.Errorf("beam %d: %s %v, want %s", beam, got, err, want)
		}
		if key := registry.Canonical(f, Kind.Defaults()); strings.Contains(key, "beam") || !strings.Contains(key, "cutoff") {
			t.Errorf("beam %d: the data set's key is %s", beam, key)
		}
	}
}

func TestSchemes(t *testing.T) {
	for _, c := range []struct {
		scheme, chunks, tags, want string
	}{
		{iob2, "", "I-NP I-NP O I-NP B-NP I-NP I-VP", "B-NP I-NP O B-NP B-NP I-NP B-VP"},
		{iob2, "", "B-NP I-NP B-VP I-NP", "B-NP I-NP B-VP B-NP"},
		{iob1, "", "B-NP I-NP O B-NP B-NP I-NP B-VP", "I-NP I-NP O I-NP B-NP I-NP I-VP"},
		{asIs, "", "I-NP B-NP I-VP O", "I-NP B-NP I-VP O"},
		{iob2, "NP", "B-NP I-NP B-VP I-NP I-VP", "B-NP I-NP O B-NP O"},
		{iob1, "NP", "B-NP I-NP B-VP B-NP B-NP", "I-NP I-NP O I-NP B-NP"},
		{asIs, "VP", "B-NP I-VP O", "O I-VP O"},
		{iob2, "NP VP", "I-NP I-VP I-PP I-NP", "B-NP B-VP O B-NP"},
		{iob2, "", "NN VB I-NP", "NN VB I-NP"}, // not chunk tags: classes
		{iob2, "", "O O", "O O"},
	} {
		f := format("w[0]")
		f.Target.Scheme, f.Target.Chunks = c.scheme, strings.Fields(c.chunks)
		text := ""
		for _, tag := range strings.Fields(c.tags) {
			text += "w t " + tag + "\n"
		}
		d := sourcetest.MustLoad(t, f, map[string]string{"all": text})
		var got []string
		for _, y := range d.Targets[0].Values {
			got = append(got, d.Targets[0].Levels[int(y)])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s as %s [%s]: %v, want %s", c.tags, c.scheme, c.chunks, got, c.want)
		}
	}
}

func TestFacts(t *testing.T) {
	f := format("w[0]", "c[-1]")
	f.Target.Chunks = []string{"NP"}
	d := sourcetest.MustLoad(t, f, map[string]string{"all": "a b I-NP\na b I-NP\na b I-VP\n\na b I-NP\na b B-NP\n"})
	got := fmt.Sprint(d.Facts[:4])
	want := "[{sentences 2} {templates 2, 1 of them look at previous labels} {chunks 3} {chunks that begin with I in the files 2}]"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Records that are no sequences: each line stands alone, as in the prepositional phrases of Ratnaparkhi et al.
func TestLines(t *testing.T) {
	f := format("v[0] p[0]", "p[0]", "bias")
	f.Columns = map[string]int{"v": 1, "n": 2, "p": 3, "m": 4, "a": 5}
	f.Target.Column, f.Sentences = "a", byLine
	text := "0 join board as director V\n1 is chairman of N.V. N\n\n2 join board as director V\n"
	d := sourcetest.MustLoad(t, f, map[string]string{"all": text})
	got := fmt.Sprint(shown(d), d.IDs, d.Groups.Of, d.Groups.Name, d.Sequences == nil, d.Targets[0].Positive)
	want := "[p[0]=as;v[0]=join p[0]=as bias=* -> V p[0]=of;v[0]=is p[0]=of bias=* -> N p[0]=as;v[0]=join p[0]=as bias=* -> V]" +
		" [1 2 3] [0 1 0]linetrue 1"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	f.Target.Positive = "N"
	if d := sourcetest.MustLoad(t, f, map[string]string{"all": text}); !slices.Equal(d.Targets[0].Levels, []string{"V", "N"}) {
		t.Error("N is not positive")
	}
	f.Target.Positive = "P"
	if _, err := f.Load(t.Context(), sourcetest.Input(map[string]string{"all": text})); err == nil || !strings.Contains(err.Error(), `target.positive: a has no level "P" (levels: N, V)`) {
		t.Errorf("an unknown level: %v", err)
	}
}

func TestBadFiles(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"The DT B-NP\ncat\n", `all:2: found 1 columns (cat), expected column c to be number 2, from 0`},
		{"The DT B-NP\n\ncat NN E-NP\n", `all:3: column c: found "E-NP", expected a chunk tag: O, B-TYPE or I-TYPE`},
		{"", "all: no tokens"},
		{"-DOCSTART- -X- O\n\n", "all: no tokens"},
		{"a b O\nM\xfcnchen NE O\n", "all:2:2: found byte 0xfc, expected UTF-8 text (say encoding: windows-1252, or another: latin-1, macintosh, replace)"},
	} {
		f := format("w[0]")
		f.Target.Chunks = []string{"NP"}
		_, err := f.Load(t.Context(), sourcetest.Input(map[string]string{"all": c.text}))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.text, err, c.want)
		}
	}
	f := format("w[0]")
	f.Target.Chunks = []string{"NP", "VPP"}
	_, err := f.Load(t.Context(), sourcetest.Input(map[string]string{"all": example}))
	if err == nil || !strings.Contains(err.Error(), `target.chunks: no chunk is of type "VPP"; did you mean "VP"? (types: NP, VP)`) {
		t.Errorf("an unknown type: %v", err)
	}
	f = format("w[0]")
	f.Encoding = rawtext.Latin1
	d := sourcetest.MustLoad(t, f, map[string]string{"all": "M\xfcnchen NE O\n"})
	if got := d.Features.Name(0); got != "T0:w[0]=München" {
		t.Error(got)
	}
	if _, err := f.Load(t.Context(), sourcetest.Input(map[string]string{"train": "a b O\n"})); err == nil {
		t.Error("a missing file was accepted")
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		spoil func(f *Format)
		field string
		want  string
	}{
		{func(f *Format) { f.Columns = nil }, "columns", "none are named"},
		{func(f *Format) { f.Columns["w"] = -1 }, "columns.w", "-1, expected"},
		{func(f *Format) { f.Columns["w[0]"] = 1 }, "columns", "letters and digits"},
		{func(f *Format) { f.Target.Column = "cc" }, "target", `no column "cc"`},
		{func(f *Format) { f.Target.Scheme = "bio" }, "target.scheme", "not one of"},
		{func(f *Format) { f.Sentences = "dot" }, "sentences", "not one of"},
		{func(f *Format) { f.Sentences, f.Features.Templates[0] = byLine, "c[-1]" }, "sentences", "no line has any"},
		{func(f *Format) { f.Encoding = "utf8" }, "encoding", `did you mean "utf-8"`},
		{func(f *Format) { f.Features.Cutoff = 0 }, "features.cutoff", "at least 1"},
		{func(f *Format) { f.Decode.Beam = 0 }, "decode.beam", "0, expected 1 to 1000"},
		{func(f *Format) { f.Decode.Beam = 1001 }, "decode.beam", "1001, expected 1 to 1000"},
		{func(f *Format) { f.Decode.Beam = 2 }, "decode.beam", "no template looks at the labels"},
		{func(f *Format) { f.Features.Templates = nil }, "features.templates", "no templates"},
		{func(f *Format) { f.Features.Templates[0] = " " }, "features.templates", "empty template"},
		{func(f *Format) { f.Features.Templates[0] = "w" }, "features.templates", "expected a column with a place"},
		{func(f *Format) { f.Features.Templates[0] = "w[0] bias" }, "features.templates", "bias alone"},
		{func(f *Format) { f.Features.Templates[0] = "x[0]" }, "features.templates", `no column "x"`},
		{func(f *Format) { f.Features.Templates[0] = "w[101]" }, "features.templates", "expected a column with a place"},
		{func(f *Format) { f.Features.Templates[0] = "w[-101]" }, "features.templates", "expected a column with a place"},
		{func(f *Format) { f.Features.Templates[0] = "w[0" }, "features.templates", "expected a column with a place"},
		{func(f *Format) { f.Features.Templates[0] = "w0]" }, "features.templates", "expected a column with a place"},
		{func(f *Format) { f.Features.Templates[0] = "[0]" }, "features.templates", "expected a column with a place"},
		{func(f *Format) { f.Features.Templates[0] = "w[x]" }, "features.templates", "expected a column with a place"},
		{func(f *Format) { f.Features.Templates[0] = "suffix0(w[0])" }, "features.templates", "expected a column with a place"},
		{func(f *Format) { f.Features.Templates[0] = "upper(w[0])" }, "features.templates", "expected a column with a place"},
		{func(f *Format) { f.Features.Templates[0] = "(w[0])" }, "features.templates", "expected a column with a place"},
		{func(f *Format) { f.Features.Templates[0] = "c[0]" }, "features.templates", "c is predicted, and can be looked at as c[-1] to c[-4] only"},
		{func(f *Format) { f.Features.Templates[0] = "t[0] c[1]" }, "features.templates", "is predicted"},
		{func(f *Format) { f.Features.Templates[0] = "c[-5]" }, "features.templates", "is predicted"},
		{func(f *Format) { f.Features.Templates[0] = "lower(c[-1])" }, "features.templates", "is predicted"},
	} {
		f := format("w[0]")
		c.spoil(&f)
		err := f.Validate()
		var field *param.FieldError
		if !errors.As(err, &field) || !strings.Contains(err.Error(), c.want) || field.Field != c.field {
			t.Errorf("got %v, want %s: ... %s", err, c.field, c.want)
		}
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ function, text, want string }{
		{"lower", "ÉTÉ", "été"}, {"shape", "McDonald's-1987", "XxXx'x-0"}, {"shape", "...", "."}, {"prefix3", "été", "été"},
		{"prefix2", "élan", "él"}, {"suffix3", "of", "of"}, {"suffix2", "garçons", "ns"},
	} {
		if got := transformByName(c.function)(c.text); got != c.want {
			t.Errorf("%s(%s): %s, want %s", c.function, c.text, got, c.want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{example, "a b O\n\n\na", "a b I-X\na b B-X\x00\n", "\ufeffa b c\r\n", "-DOCSTART-\n* ; =\n"} {
		f.Add([]byte(s), "c[-1] t[0]", true)
	}
	f.Fuzz(func(t *testing.T, content []byte, template string, chunks bool) {
		c := format("w[0]", template)
		if chunks {
			c.Target.Chunks = []string{"NP"}
		}
		if c.Validate() != nil {
			return
		}
		d, err := c.Load(t.Context(), sourcetest.Input(map[string]string{"all": string(content)}))
		if err != nil {
			return
		}
		if err := errors.Join(d.Check(), d.X.Check()); err != nil {
			t.Error(err)
		}
	})
}
