package senses

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/source/sourcetest"
)

// The texts of these tests are our own.

// all is the options with which small data leave no word out that has two senses.
func all(o Options, groups ...string) Options {
	o.MinInstances, o.MaxTopShare, o.Features.Groups = 1, 1, groups
	return o
}

// row i: id, word, sense and columns, sorted by name.
func row(d *data.Dataset, i int) string {
	var names []string
	for _, j := range d.X.Row(i).Idx {
		names = append(names, d.Features.Name(int(j)))
	}
	slices.Sort(names)
	t := d.Targets[0]
	return fmt.Sprintf("%s %s %s: %s", d.IDs[i], d.Tasks.Names[d.Tasks.Of[i]], t.Levels[int(t.Values[i])], strings.Join(names, ", "))
}

func noadOf(o Options) NOAD { return NOAD{Options: o, Textless: fail} }

// noadText marks words written as text/lemma/POS/sense; | begins a sentence.
func noadText(name, text string) string {
	xml := `<?xml version="1.0" encoding="UTF-8"?>` + "\n<!DOCTYPE SimpleWsdDoc SYSTEM \"simple-wsd-doc.dtd\">\n" + `<SimpleWsdDoc name="` + name + `">` + "\n"
	gap := "PARAGRAPH_BREAK"
	for word := range strings.FieldsSeq(text) {
		if word == "|" {
			gap = "SENTENCE_BREAK"
			continue
		}
		f := strings.Split(word, "/")
		xml += `  <word text="` + f[0] + `"`
		if len(f) > 1 {
			xml += fmt.Sprintf(` lemma=%q pos=%q sense="/dictionary/x/%s"`, f[1], f[2], f[3])
		}
		xml += fmt.Sprintf(" break_level=%q/>\n", gap)
		gap = "SPACE_BREAK"
	}
	return xml + "</SimpleWsdDoc>\n"
}

const letters = "| She wrote/write/VERB/s1 a letter/letter/NOUN/l1 . | They write/write/VERB/s2 Q&amp;A code quickly/quickly/ADV/q1 | Writing/write/VERB/s1"

func TestNOAD(t *testing.T) {
	contents := map[string]string{"all/a.xml": noadText("/written/blog/a.txt", letters)}
	d := sourcetest.MustLoad(t, noadOf(all(defaultOptions(verb))), contents)
	want := []string{
		"written/blog/a.txt:2 write-v s1: b_she a, bag_a, bag_letter, bag_she, bm_<s> she, bp_a letter, form_wrote, morph_irregular, nounp_letter, posp2_NOUN, tp_blog, wm1_she, wm2_<s>, wp1_a, wp2_letter",
		"written/blog/a.txt:7 write-v s2: b_they q&a, bag_code, bag_q&a, bag_quickly, bag_they, bm_<s> they, bp_q&a code, form_write, morph_base, tp_blog, wm1_they, wm2_<s>, wp1_q&a, wp2_code",
		"written/blog/a.txt:11 write-v s1: b_<s> </s>, bm_<s> <s>, bp_</s> </s>, form_writing, morph_ing, tp_blog, wm1_<s>, wm2_<s>, wp1_</s>, wp2_</s>",
	}
	for i := range want {
		if got := row(d, i); got != want[i] {
			t.Errorf("row %d: got %s, want %s", i, got, want[i])
		}
	}
	if d.Rows() != 3 || !d.X.Binary() || d.Groups.Name != "document" || len(d.Groups.Key) != 1 {
		t.Errorf("got %d rows, groups %v, want three binary rows of one document", d.Rows(), d.Groups)
	}
	for j := range d.Features.Len() {
		name := d.Features.Name(j)
		if class, _, _ := strings.Cut(name, "_"); class != d.Features.Classes()[d.Features.Class(j)] {
			t.Errorf("%s is in the class %s", name, d.Features.Classes()[d.Features.Class(j)])
		}
	}
}

// The nearest noun on each side, and none beyond it.
func TestNouns(t *testing.T) {
	text := noadText("/d/x", "dog/dog/NOUN/1 letter/letter/NOUN/1 write/write/VERB/1 code/code/NOUN/1 cat/cat/NOUN/1 | write/write/VERB/2 it | code/code/NOUN/1 it write/write/VERB/2 it cat/cat/NOUN/1")
	d := sourcetest.MustLoad(t, noadOf(all(defaultOptions(verb), "nouns")), map[string]string{"all": text})
	for i, want := range []string{"nounm_letter, nounp_code", "", "nounm_code, nounp_cat"} {
		if _, got, _ := strings.Cut(row(d, i), ": "); got != want {
			t.Errorf("row %d: got %q, want %q", i, got, want)
		}
	}
}

func TestWordsThatAreLeftOut(t *testing.T) {
	text := noadText("/d/x", "a/a/VERB/1 a/a/VERB/2 a/a/VERB/2 a/a/NOUN/3 a/a/NOUN/4 b/b/VERB/1 c/c/VERB/1 c/c/VERB/1 c/c/VERB/1 c/c/VERB/2 d/d/X/1 d/d/X/2")
	for _, c := range []struct {
		change func(o *Options)
		want   string // words, then how many of one sense, rare, uniform; or an error
	}{
		{func(*Options) {}, "a-v c-v 1 0 0"},
		{func(o *Options) { o.POS = anyPOS }, "a-n a-v c-v d-o 1 0 0"},
		{func(o *Options) { o.POS = other }, "d-o 0 0 0"},
		{func(o *Options) { o.MinInstances = 4 }, "c-v 1 1 0"},
		{func(o *Options) { o.MaxTopShare = 0.7 }, "a-v 1 0 1"},
		{func(o *Options) { o.MaxTopShare = 0.75 }, "a-v c-v 1 0 0"},
		{func(o *Options) { o.Words = []string{"a"} }, "a-v 0 0 0"},
		{func(o *Options) { o.Words = []string{"a-n", "c*"}; o.POS = anyPOS }, "a-n c-v 0 0 0"},
		{func(o *Options) { o.Words = []string{"a", "b*"} }, "a-v 1 0 0"},
		{func(o *Options) { o.Words = []string{"b*"} }, "no word is left of 3 (pos: v): 1 have one sense"},
		{func(o *Options) { o.Words = []string{"b"} }, "words[0]: b-v has one sense, 1, in all its instances (1): there is nothing to tell apart"},
		{func(o *Options) { o.Words = []string{"a", "c-v"}; o.MaxTopShare = 0.7 }, "words[1]: c-v has the sense 1 in 3 of 4 instances, more than max_top_share (0.7)"},
		{func(o *Options) { o.Words = []string{"a"}; o.MinInstances = 4 }, "words[0]: a-v has 3 instances, fewer than min_instances (4)"},
		{func(o *Options) { o.Words = []string{"a"}; o.MinInstances = 3; o.POS = anyPOS }, "a-v 0 1 0"},
		{func(o *Options) { o.Words = []string{"c-v", "a-n"} }, `words[1]: the data has no word "a-n"`},
		{func(o *Options) { o.Words = []string{"a-vv"} }, `words[0]: the data has no word "a-vv" of the part of speech asked for; did you mean "a-v"?`},
		{func(o *Options) { o.POS = adverb }, "no word is left of 0 (pos: r)"},
	} {
		o := all(defaultOptions(verb), "words")
		c.change(&o)
		d, err := sourcetest.Load(noadOf(o), map[string]string{"all": text})
		got := fmt.Sprint(err)
		if err == nil {
			got = strings.Join(d.Tasks.Names, " ")
			for _, f := range d.Facts {
				if strings.HasPrefix(f.Name, "words left out") {
					got += " " + f.Value
				}
			}
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%+v: got %s, want %s", o, got, c.want)
		}
	}
}

func TestMostFrequent(t *testing.T) {
	o := all(defaultOptions(verb), "words")
	o.Target.Name = mostFrequent
	text := noadText("/d/x", "a/a/VERB/2 a/a/VERB/1 a/a/VERB/2 c/c/VERB/2 c/c/VERB/1")
	d := sourcetest.MustLoad(t, noadOf(o), map[string]string{"all": text})
	if got, want := fmt.Sprint(d.Targets[0].Levels, d.Targets[0].Values, d.Targets[0].Positive), "[no yes] [1 0 1 0 1] 1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Topics join genres, and instances of one document share theirs.
func TestTopicsOfDocuments(t *testing.T) {
	o := all(defaultOptions(verb))
	o.Prepare.Topics = 2
	f := noadOf(o)
	d := sourcetest.MustLoad(t, f, map[string]string{
		"all/a.xml": noadText("/d/news/a", "the stock market a/a/VERB/1 | stock market share a/a/VERB/2"),
		"all/b.xml": noadText("/d/news/b", "market share the a/a/VERB/1"),
		"all/c.xml": noadText("/d/pets/c", "dog bone tail a/a/VERB/2 | the a/a/VERB/1"),
		"all/d.xml": noadText("/d/pets/d", "bone dog the a/a/VERB/2"),
	})
	if err := f.Recipe().Check(d); err != nil {
		t.Fatal(err)
	}
	p, err := f.Recipe().Fit(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := p.View(nil)
	for i, want := range []string{"stock", "stock", "stock", "bone", "bone", "bone"} {
		var tp []string
		for _, j := range v.Row(i).Idx {
			if name := v.Features().Name(int(j)); v.Features().Classes()[v.Features().Class(int(j))] == "tp" {
				tp = append(tp, name)
			}
		}
		if len(tp) != 2 || !strings.Contains(tp[1], want) {
			t.Errorf("row %d: got %v, want its genre and a topic named by %s", i, tp, want)
		}
	}
}

func TestPartsOfFiles(t *testing.T) {
	contents := map[string]string{"train": noadText("/d/x", "a/a/VERB/1 a/a/VERB/2"), "test": noadText("/d/y", "a/a/VERB/1 b/b/VERB/1")}
	d := sourcetest.MustLoad(t, noadOf(all(defaultOptions(verb), "bag")), contents)
	if got, want := fmt.Sprint(d.Part, d.Groups.Of), "[0 0 1] [0 0 1]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	contents["test"] = noadText("/d/y", "b/b/VERB/1")
	if _, err := sourcetest.Load(noadOf(all(defaultOptions(verb), "words")), contents); err == nil || !strings.Contains(err.Error(), "no test rows") {
		t.Errorf("got %v, want that there are no test rows", err)
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		change func(o *Options)
		want   string
	}{
		{func(o *Options) { o.Target.Name = "word" }, "target: "},
		{func(o *Options) { o.POS = "verb" }, "pos: "},
		{func(o *Options) { o.Words = []string{""} }, "words: an empty name"},
		{func(o *Options) { o.MinInstances = 0 }, "min_instances: 0"},
		{func(o *Options) { o.MaxTopShare = 1.5 }, "max_top_share: 1.5"},
		{func(o *Options) { o.Features.Cutoff = -1 }, "features.cutoff: -1"},
		{func(o *Options) { o.Features.Groups = []string{"words", "subject"} }, `features.groups[1]: "subject", expected groups that these data offer: words, tags, bigrams, morphology, nouns, bag, topic, synsets`},
		{func(o *Options) { o.Features.Groups = []string{"bag", "bag"} }, `features.groups[1]: "bag" is given twice`},
		{func(o *Options) { o.Features.Groups = []string{"synset"} }, `synsets; did you mean "synsets"?`},
		{func(o *Options) { o.Prepare.Topics = 1 }, "prepare.topics: 1, expected 2 or more, or 0 for none"},
		{func(o *Options) { o.Prepare.TopicsFrom = "words" }, `prepare.topics_from: "words" has no meaning without topics: say how many, such as prepare: {topics: 20}`},
		{func(o *Options) { o.Prepare.TopicsSeed = 3 }, "prepare.topics_seed: 3 has no meaning without topics"},
		{func(o *Options) { o.Prepare.Topics, o.Prepare.TopicsFrom = 5, "bags" }, `prepare.topics_from: no column is of the class "bags"; the groups of features have wm2, wm1, wp1, wp2, posm2`},
		{func(o *Options) { o.Prepare.Topics, o.Features.Groups = 5, []string{"nouns"} }, `prepare.topics_from: no column is of the class "bag"; the groups of features have nounm, nounp`},
		{func(o *Options) { o.Prepare.Topics, o.Prepare.TopicsFrom = 5, "path*" }, `no column is of the class "path*"`},
	} {
		o := defaultOptions(verb)
		c.change(&o)
		if err := noadOf(o).Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	f := PropBankKind.Defaults().(PropBank)
	f.Unaligned = "maybe"
	if err := f.Validate(); err == nil || !strings.HasPrefix(err.Error(), "unaligned: ") {
		t.Errorf("got %v, want an error about unaligned", err)
	}
}

func TestEndings(t *testing.T) {
	for _, c := range []struct{ form, lemma, want string }{
		{"serve", "serve", "base"}, {"served", "serve", "ed"}, {"serving", "serve", "ing"}, {"serves", "serve", "s"},
		{"hardest", "hard", "est"}, {"harder", "hard", "er"}, {"taken", "take", "en"}, {"went", "go", "irregular"},
	} {
		if got := inflection(c.form, c.lemma); got != c.want {
			t.Errorf("%s of %s: got %s, want %s", c.form, c.lemma, got, c.want)
		}
	}
}

// Words without text are left out where that is asked for, also in the places that columns count, and are counted; those after them keep
// their ids, and their sentences.
func TestTextless(t *testing.T) {
	const text = "| she w/write/VERB/s1 it | they w/write/VERB/s2 x/now/ADV/q1 it | w/write/VERB/s1 a"
	empty := strings.NewReplacer(`text="it"`, `text=""`, `text="x"`, `text=""`, `text="they"`, `text=""`).Replace(noadText("/d/x", text))
	f := NOAD{Options: all(defaultOptions(anyPOS), "words"), Textless: skip}
	d := sourcetest.MustLoad(t, f, map[string]string{"all": empty})
	plain := sourcetest.MustLoad(t, f, map[string]string{"all": noadText("/d/x", "| she w/write/VERB/s1 | w/write/VERB/s2 | w/write/VERB/s1 a")})
	if got := strings.Join(d.IDs, " "); got != "d/x:2 d/x:5 d/x:8" {
		t.Error(got)
	}
	for i := range 3 {
		if got, want := fmt.Sprint(d.X.Row(i).Idx, d.Targets[0].Values[i]), fmt.Sprint(plain.X.Row(i).Idx, plain.Targets[0].Values[i]); got != want {
			t.Errorf("row %d: %s, want %s", i, got, want)
		}
	}
	if words, instances := sourcetest.Fact(d, "words without text, left out"), sourcetest.Fact(d, "instances among them"); words != "4" || instances != "1" {
		t.Errorf("%s words, %s instances", words, instances)
	}
	if got := d.Accounts().Rows.String(); got != "3 of 4 (1 of words without text)" {
		t.Error(got)
	}
	if got := sourcetest.Fact(plain, "words without text, left out"); got != "" {
		t.Error(got)
	}
}

func TestMalformedNOAD(t *testing.T) {
	const begin, end = "<SimpleWsdDoc name=\"/a/b\">\n", "</SimpleWsdDoc>"
	for _, c := range []struct{ text, want string }{
		{"", "all:1: found no element, expected <SimpleWsdDoc>"},
		{begin + "<word text=\"a\" break_level=\"NO_BREAK\">\n" + end, "all:3: malformed XML: "},
		{begin + "<word text=\"a\" break_level=NO_BREAK/>" + end, "all:2: malformed XML: "},
		{begin + "\n<word text=\"a\" break_level=\"NO_BREAK\"/>", "all:3: malformed XML: it ends inside an element"},
		{begin + "<word text=\"&nbsp;\" break_level=\"NO_BREAK\"/>" + end, "all:2: malformed XML: invalid character entity"},
		{begin + "\xff" + end, "all:2:1: found byte 0xff, expected UTF-8 text"},
		{begin + "and\n" + end, "found the text \"and\""},
		{begin + "<wort/>" + end, "all:2: found <wort>, expected one <SimpleWsdDoc> with <word>s in it"},
		{begin + "<word text=\"a\" break_level=\"NO_BREAK\"><word text=\"a\" break_level=\"NO_BREAK\"/></word>" + end, "found <word>"},
		{begin + end + begin + end, "all:2: found <SimpleWsdDoc>"},
		{"<SimpleWsdDoc/>", "all:1: <SimpleWsdDoc> has no name"},
		{begin + "<word break_level=\"NO_BREAK\"/>" + end, "all:2: <word> has no text (textless: skip leaves such words out)"},
		{begin + "<word text=\"a\" break_level=\"BREAK\"/>" + end, "all:2: found the break_level \"BREAK\""},
		{begin + "<word text=\"a\" break_level=\"NO_BREAK\" tag=\"x\"/>" + end, "all:2: found the attribute tag of <word>"},
		{begin + "<word text=\"a\" text=\"b\" break_level=\"NO_BREAK\"/>" + end, "all:2: the attribute text of <word> stands twice"},
		{begin + "<word text=\"a\" lemma=\"a\" break_level=\"NO_BREAK\"/>" + end, "all:2: the word \"a\" has some of lemma, pos and sense"},
	} {
		if _, err := sourcetest.Load(noadOf(all(defaultOptions(verb))), map[string]string{"all": c.text}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.text, err, c.want)
		}
	}
	twice := map[string]string{"all/a": noadText("/d/x", "a/a/VERB/1"), "all/b": noadText("/d/x", "a/a/VERB/2")}
	if _, err := sourcetest.Load(noadOf(all(defaultOptions(verb))), twice); err == nil || !strings.Contains(err.Error(), "all:b:3: the document d/x stands twice") {
		t.Errorf("got %v, want that a document stands twice", err)
	}
}

func FuzzNOAD(f *testing.F) {
	f.Add(noadText("/written/blog/a.txt", letters))
	f.Add("<SimpleWsdDoc name='x'><word text='a'/></SimpleWsdDoc>")
	f.Fuzz(func(t *testing.T, text string) {
		sourcetest.Fuzz(t, noadOf(all(defaultOptions(anyPOS))), map[string]string{"all": text})
	})
}
