package documents

import (
	"fmt"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/io/source/sourcetest"
)

func with(change func(d *Documents)) Documents {
	d := Kind.Defaults().(Documents)
	change(&d)
	return d
}

// shown is each row as id class: column=value...
func shown(d *data.Dataset) string {
	var rows []string
	for i := range d.Rows() {
		text := d.RowID(i) + " " + d.Targets[0].Levels[int(d.Targets[0].Values[i])] + ":"
		row := d.X.Row(i)
		for k, j := range row.Idx {
			text += " " + d.Features.Name(int(j))
			if row.Val != nil {
				text += fmt.Sprintf("=%.3g", row.At(k))
			}
		}
		rows = append(rows, text)
	}
	return strings.Join(rows, " | ")
}

var folder = map[string]string{
	"all/pos/2.txt": "Good, good film.\r\n", "all/neg/1.txt": "A bad film", "all/neg/3.txt": " \n",
}

func TestFiles(t *testing.T) {
	for _, c := range []struct {
		change func(d *Documents)
		want   string
	}{
		{func(*Documents) {}, "neg/1.txt neg: a bad film | neg/3.txt neg: | pos/2.txt pos: film good"},
		{func(d *Documents) { d.Features.Values, d.Features.MinLength = "count", 2 }, "neg/1.txt neg: bad=1 film=1 | neg/3.txt neg: | pos/2.txt pos: film=1 good=2"},
		{func(d *Documents) { d.Features.Values = "log" }, "neg/1.txt neg: a=1 bad=1 film=1 | neg/3.txt neg: | pos/2.txt pos: film=1 good=1.69"},
		{func(d *Documents) { d.Features.Tokens, d.Features.Lower = "blanks", false }, "neg/1.txt neg: A bad film | neg/3.txt neg: | pos/2.txt pos: Good, good film."},
		{func(d *Documents) { d.Features.Ngrams = "2-3" }, "neg/1.txt neg: a bad bad film a bad film | neg/3.txt neg: | pos/2.txt pos: good good good film good good film"},
		{func(d *Documents) { d.Features.Tokens, d.Features.Ngrams = "characters", "3-3" }, "neg/1.txt neg: a␣b ␣ba bad ad␣ d␣f ␣fi fil ilm | neg/3.txt neg: | " +
			"pos/2.txt pos: d␣f ␣fi fil ilm goo ood od, d,␣ ,␣g ␣go od␣ lm."},
	} {
		if got := shown(sourcetest.MustLoad(t, with(func(d *Documents) { d.Layout = "{class}/{id}.txt"; c.change(d) }), folder)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	d := sourcetest.MustLoad(t, with(func(d *Documents) { d.Layout = "{class}/{id}.txt" }), folder)
	if !d.X.Binary() || fmt.Sprint(d.Facts) != "[{tokens 6} {texts without a token 1}]" || d.Part != nil || d.Tasks != nil || d.Groups.Name != "text" {
		t.Errorf("%v, %v, %v", d.X.Binary(), d.Facts, d.Groups)
	}
}

func TestStopWords(t *testing.T) {
	contents := map[string]string{"all/a/1": "The end of it", "all/b/1": "of", "stop": "OF the\nit\n"}
	if got := shown(sourcetest.MustLoad(t, with(func(d *Documents) { d.Layout = "{class}/*" }), contents)); got != "a/1 a: end | b/1 b:" {
		t.Error(got)
	}
}

func TestLines(t *testing.T) {
	lines := with(func(d *Documents) { d.Layout, d.Split = "{class}.tok", "line" })
	if got := shown(sourcetest.MustLoad(t, lines, map[string]string{"all/plot.tok": "a b\r\n\nc\n", "all/quote.tok": "b"})); got != "plot.tok:1 plot: a b | plot.tok:3 plot: c | quote.tok:1 quote: b" {
		t.Error(got)
	}
	tab := with(func(d *Documents) { d.Label = "tab" })
	d := sourcetest.MustLoad(t, tab, map[string]string{"train": "spam\tbuy now\n\nham \thello\tyou\r\n", "test": "ham\thello\n"})
	if got := fmt.Sprint(shown(d), d.Part); got != "train:1 spam: buy now | train:3 ham: hello you | test:1 ham: hello[0 0 1]" {
		t.Error(got)
	}
	if got := shown(sourcetest.MustLoad(t, tab, map[string]string{"all": "1\ta\n2\tb\n"})); got != "1 1: a | 2 2: b" {
		t.Error(got)
	}
	parted := with(func(d *Documents) { d.Label, d.Layout, d.Target.Positive = "tab", "{part}/*.tsv", "1" })
	d = sourcetest.MustLoad(t, parted, map[string]string{"all/train/x.tsv": "1\ta\n2\t", "all/test/x.tsv": "2\ta"})
	if got := fmt.Sprint(shown(d), d.Part, d.Targets[0].Positive); got != "test/x.tsv:1 2: a | train/x.tsv:1 1: a | train/x.tsv:2 2:[1 0 0] 1" {
		t.Error(got)
	}
}

func TestPlacesInPaths(t *testing.T) {
	d := sourcetest.MustLoad(t, with(func(d *Documents) { d.Layout, d.Unmatched = "**/{task}/{class}-{group}/*.{id}", "skip" }), map[string]string{
		"all/x/y/t2/pos-g/1.a": "a", "all/t1/neg-g-h/2.b.c": "b", "all/t1/pos-g/.d": "c", "all/x/t1/neg-g/3.d": "d",
		"all/x/t1/neg/3.d": "unmatched", "all/x/t1/neg-g/3": "unmatched",
	})
	if got := shown(d); got != "t1/neg-g-h/2.b.c neg: b | t1/pos-g/.d pos: c | x/t1/neg-g/3.d neg: d | x/y/t2/pos-g/1.a pos: a" {
		t.Error(got)
	}
	if got := fmt.Sprint(d.Tasks.Names, d.Tasks.Of, d.Groups.Name, d.Groups.Of, d.Accounts().Rows); got != "[t1 t2] [0 0 0 1]group[0 1 1 1] 4 of 6 (2 in places that the layout does not fit)" {
		t.Error(got)
	}
	parted := with(func(d *Documents) { d.Layout = "set-{part}/{class}/{id}" })
	d = sourcetest.MustLoad(t, parted, map[string]string{"all/set-train/a/1": "x", "all/set-test/b/1": "x"})
	if got := fmt.Sprint(d.Part, d.Groups.Of, parted.Declares().Parts); got != "[1 0] [0 0] true" {
		t.Error(got)
	}
	d = sourcetest.MustLoad(t, with(func(d *Documents) { d.Layout = "{part}/{class}/{id}" }), map[string]string{"all/training/a/1": "x", "all/testing/b/1": "x"})
	if got := fmt.Sprint(d.Part, d.IDs); got != "[1 0] [testing/b/1 training/a/1]" {
		t.Error(got)
	}
	named := with(func(d *Documents) {
		d.Layout, d.Parts = "{part}/{class}/{id}", map[string]string{"dev": "train", "held": "test", "test": "train"}
	})
	d = sourcetest.MustLoad(t, named, map[string]string{"all/dev/a/1": "x", "all/held/b/1": "x", "all/test/a/1": "x", "all/train/a/1": "x"})
	if got := fmt.Sprint(d.Part); got != "[0 1 0 0]" {
		t.Error(got)
	}
	d = sourcetest.MustLoad(t, with(func(d *Documents) { d.Layout = "{class}/{id}" }), map[string]string{"train/a/1": "x", "train/b/1": "y", "test/a/1": "z"})
	if got := fmt.Sprint(shown(d), d.Part); got != "train/a/1 a: x | train/b/1 b: y | test/a/1 a: z[0 0 1]" {
		t.Error(got)
	}
}

func TestHeaders(t *testing.T) {
	for content, want := range map[string]string{
		"From: x\r\nSubject: y\r\n\r\nbody\n\nmore": "body more", "From: x\n\n": "", "no headers": "no headers", "\nbody": "body",
	} {
		d := sourcetest.MustLoad(t, with(func(d *Documents) { d.Layout, d.Headers = "{class}/{id}", "strip" }), map[string]string{"all/a/1": content, "all/b/1": ""})
		if got := shown(d); got != strings.TrimSpace("a/1 a: "+want)+" | b/1 b:" {
			t.Errorf("%q: %s", content, got)
		}
	}
}

// Lines are counted from the beginning of the file, headers or not.
func TestLinesAfterHeaders(t *testing.T) {
	tab := with(func(d *Documents) { d.Label, d.Headers = "tab", "strip" })
	if got := shown(sourcetest.MustLoad(t, tab, map[string]string{"all": "From: x\nTo: y\n\na\tone\nb\ttwo\n"})); got != "4 a: one | 5 b: two" {
		t.Error(got)
	}
	_, err := sourcetest.Load(tab, map[string]string{"all": "From: x\n\na\tone\nb two\n"})
	if err == nil || !strings.HasPrefix(err.Error(), `all:4: found "b two", expected a label`) {
		t.Error(err)
	}
}

func TestHash(t *testing.T) {
	text := ""
	for k := range 100 {
		text += fmt.Sprintf("w%d ", k)
	}
	contents := map[string]string{"all/a/1": text + "w1", "all/b/1": "w1 other"}
	hashed := with(func(d *Documents) { d.Layout, d.Features.Hash, d.Features.Values = "{class}/{id}", 4, "count" })
	d := sourcetest.MustLoad(t, hashed, contents)
	if d.Features.Len() != 16 || d.Facts[2].Name != "tokens and runs of them that share a bucket of 16 with an earlier one" || d.Facts[2].Value != "85 of 101" {
		t.Errorf("%d columns, %v", d.Features.Len(), d.Facts)
	}
	sum := 0.0
	for k := range d.X.Row(0).Idx {
		sum += d.X.Row(0).At(k)
	}
	if sum != 101 {
		t.Errorf("the counts of a bucket's names add up to %v, want 101", sum)
	}
	hashed.Features.Hash = 30
	if d := sourcetest.MustLoad(t, hashed, contents); d.Features.Len() != 101 || d.Facts[2].Value != "0 of 101" {
		t.Errorf("%d columns, %v", d.Features.Len(), d.Facts)
	}
}

func TestEncodings(t *testing.T) {
	contents := map[string]string{"all/a/1": "\ufeff\xe9t\xe9 ok", "all/b/1": "\xc3\xa9"}
	for encoding, want := range map[string]string{
		"latin-1": "a/1 a: ï été ok | b/1 b: ã", "replace": "a/1 a: t ok | b/1 b: é",
	} {
		if got := shown(sourcetest.MustLoad(t, with(func(d *Documents) { d.Layout, d.Encoding = "{class}/{id}", encoding }), contents)); got != want {
			t.Errorf("%s: %s", encoding, got)
		}
	}
}

func TestWeights(t *testing.T) {
	tfidf := with(func(d *Documents) {
		d.Layout, d.Features.Values, d.Features.Normalize, d.Features.Cutoff = "{class}/{id}", "log-tf-idf", "l2", 2
	})
	if got := tfidf.Recipe(); got != (prepare.Recipe{Cutoff: 2, TFIDF: "smooth", Normalize: "l2"}) {
		t.Errorf("%+v", got)
	}
	if plain := with(func(*Documents) {}); plain.Recipe() != (prepare.Recipe{Cutoff: 1}) || !plain.Declares().Binary || tfidf.Declares().Binary {
		t.Errorf("%+v", plain.Recipe())
	}
}

func TestBadFiles(t *testing.T) {
	classes := with(func(d *Documents) { d.Layout = "{class}/{id}" })
	tab := with(func(d *Documents) { d.Label = "tab" })
	for _, c := range []struct {
		format   Documents
		contents map[string]string
		want     string
	}{
		{classes, map[string]string{"all/README": "x", "all/a/1": "x", "all/b/c/1": "x"}, `files.all: the layout "{class}/{id}" does not fit 2 of 3 paths, first "README"`},
		{with(func(d *Documents) { d.Layout, d.Unmatched = "{class}/{id}", "skip" }), map[string]string{"all": "x"}, `does not fit 1 of 1 paths`},
		{classes, map[string]string{"all/a/1": "x", "all/a/2": "y"}, `every document is of the class "a"`},
		{classes, map[string]string{"all/a/1": "x", "all/b/2": "y\nz\xff"}, `all:b/2:2:2: found byte 0xff, expected UTF-8 text (say encoding: windows-1252, or another: latin-1, macintosh, replace)`},
		{with(func(d *Documents) { d.Layout, d.Target.Positive = "{class}/{id}", "c" }), folder, `has no level "c"`},
		{with(func(d *Documents) { d.Layout = "{part}/{class}/{id}" }), map[string]string{"all/dev/a/1": "x"}, `all:dev/a/1: found "dev" as {part} of the path (layout "{part}/{class}/{id}"), expected train, training, test or testing; say which part another word is with parts: {"dev": train}`},
		{with(func(d *Documents) { d.Layout = "{part}/{class}/{id}" }), map[string]string{"all/test/a/1": "x", "all/test/b/1": "x"}, `only one of the parts`},
		{with(func(d *Documents) { d.Layout = "{part}/{class}/{id}" }), map[string]string{"train/train/a/1": "x", "test/test/a/1": "x"}, `layout: "{part}/{class}/{id}": the parts`},
		{tab, map[string]string{"all": "a\tb\nspam buy\n"}, `all:2: found "spam buy", expected a label, a tab and a text`},
		{tab, map[string]string{"all": "\n \t x"}, `all:2: found " \t x", expected a label`},
		{tab, map[string]string{"all": "\n \n"}, `files.all: no documents in 1 files`},
		{tab, map[string]string{"train": "a\tb", "test": ""}, `files.test: no documents`},
		{tab, map[string]string{"all": "a\tb", "stop": "\xff"}, `stop:1:1: found byte 0xff`},
		{with(func(d *Documents) { d.Label, d.Features.Tokens = "tab", "characters" }), map[string]string{"all": "a\tb", "stop": "x"}, `stop: words to leave out, but tokens are characters`},
		{tab, map[string]string{}, "no file was given for the role all"},
	} {
		if err := c.format.Validate(); err != nil {
			t.Error(err)
		}
		_, err := c.format.Load(t.Context(), sourcetest.Input(c.contents))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestValidate(t *testing.T) {
	for want, change := range map[string]func(d *Documents){
		"layout: empty, expected where the class stands":                      func(d *Documents) { d.Layout = "" },
		`layout: "{id}.txt" says nowhere {class}`:                             func(d *Documents) { d.Layout = "{id}.txt" },
		`layout: "{class}/{class}": {class} stands twice`:                     func(d *Documents) { d.Layout = "{class}/{class}" },
		`parts: the layout "{class}" says nowhere {part}`:                     func(d *Documents) { d.Layout, d.Parts = "{class}", map[string]string{"dev": "train"} },
		`parts.dev: "tarin" is not one of train, test; did you mean "train"?`: func(d *Documents) { d.Layout, d.Parts = "{class}/{part}", map[string]string{"dev": "tarin"} },
		`{clas} is not one of {class}, {part}, {task}, {group}`:               func(d *Documents) { d.Layout = "{clas}" },
		`layout: "{class": a { without its }`:                                 func(d *Documents) { d.Layout = "{class" },
		`layout: "class}": a } without its {`:                                 func(d *Documents) { d.Layout = "class}" },
		`layout: "{class}": the class stands in the lines`:                    func(d *Documents) { d.Label = "tab" },
		"label: ":                func(d *Documents) { d.Label = "none" },
		"split: ":                func(d *Documents) { d.Split = "lines" },
		"unmatched: ":            func(d *Documents) { d.Unmatched = "" },
		"headers: ":              func(d *Documents) { d.Headers = "drop" },
		"encoding: ":             func(d *Documents) { d.Encoding = "utf8" },
		"target: ":               func(d *Documents) { d.Target.Name = "label" },
		"features.tokens: ":      func(d *Documents) { d.Features.Tokens = "word" },
		"features.values: ":      func(d *Documents) { d.Features.Values = "tfidf" },
		"features.idf: ":         func(d *Documents) { d.Features.IDF = "none" },
		"features.normalize: ":   func(d *Documents) { d.Features.Normalize = "l1" },
		"features.cutoff: -1":    func(d *Documents) { d.Features.Cutoff = -1 },
		"features.min_length: 0": func(d *Documents) { d.Features.MinLength = 0 },
		"features.min_length: 2": func(d *Documents) { d.Features.MinLength, d.Features.Tokens = 2, "characters" },
		"features.hash: -1":      func(d *Documents) { d.Features.Hash = -1 },
		"features.hash: 31":      func(d *Documents) { d.Features.Hash = 31 },
		`features.ngrams: "0"`:   func(d *Documents) { d.Features.Ngrams = "0" },
		`features.ngrams: "3-2"`: func(d *Documents) { d.Features.Ngrams = "3-2" },
		`features.ngrams: "1-"`:  func(d *Documents) { d.Features.Ngrams = "1-" },
		`features.ngrams: "10"`:  func(d *Documents) { d.Features.Ngrams = "10" },
	} {
		err := with(func(d *Documents) { d.Layout = "{class}"; change(d) }).Validate()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func FuzzDocuments(f *testing.F) {
	f.Add("{class}/{id}", "pos/1", "a b\n\nc d", "neg/1", "c\td", "layout", "words", "1-2", 0)
	f.Add("{class}.tok", "a.tok", "\xe9 b", "b.tok", "", "tab", "characters", "3", 4)
	f.Add("**/{part}-*/{class}", "train-x/a", "a\tb", "test-/a", "b\ta", "tab", "blanks", "2-3", 30)
	f.Fuzz(func(t *testing.T, layout, name1, text1, name2, text2, label, tokens, ngrams string, hash int) {
		for _, split := range []string{"file", "line"} {
			format := with(func(d *Documents) {
				d.Layout, d.Label, d.Split, d.Encoding, d.Headers = layout, label, split, "replace", "strip"
				d.Features.Tokens, d.Features.Ngrams, d.Features.Hash, d.Features.Values = tokens, ngrams, hash, "log-tf-idf"
			})
			if format.Validate() != nil {
				return
			}
			sourcetest.Fuzz(t, format, map[string]string{"all/" + name1: text1, "all/" + name2: text2})
		}
	})
}
