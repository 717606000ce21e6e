package senses

import (
	"strings"
	"testing"

	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// Our own synsets, not WordNet's.
const (
	plainLexicon = "letter\tn\tmail.1 type.1\n\nCode\tn\tprogram.1\nquick\ta\tfast.1\ncode\tv\tprogram.2\nquickly\tr\tsoon.1\n"
	nounIndex    = "  1 a line of a licence\nletter n 2 1 @ 2 1 00000011 00000012  \nwriter n 1 0 1 0 00000013\n"
	verbIndex    = "serve v 2 3 @ ~ + 2 2 00000021 00000022\n"
)

func TestSynsets(t *testing.T) {
	o := all(defaultOptions(verb), "synsets", "nouns")
	text := noadText("/d/x", "She wrote/write/VERB/s1 letters/letter/NOUN/l1 quickly/quickly/ADV/q1 | They write/write/VERB/s2 code and letters/letter/NOUN/l1 | Code letter write/write/VERB/s2")
	for _, c := range []struct {
		lexicon map[string]string
		want    []string
	}{
		{map[string]string{"lexicon": plainLexicon}, []string{"nounp_letter, syn_mail.1, syn_soon.1, syn_type.1", "nounp_letter, syn_program.1, syn_program.2", "syn_mail.1, syn_program.1, syn_program.2, syn_type.1"}},
		{map[string]string{"lexicon/dict/index.noun": nounIndex, "lexicon/dict/index.verb": verbIndex}, []string{"nounp_letter, syn_n00000011, syn_n00000012", "nounp_letter", "syn_n00000011, syn_n00000012"}},
	} {
		c.lexicon["all"] = text
		d := sourcetest.MustLoad(t, noadOf(o), c.lexicon)
		for i, want := range c.want {
			if _, got, _ := strings.Cut(row(d, i), ": "); got != want {
				t.Errorf("row %d: got %s, want %s", i, got, want)
			}
		}
		if d.Features.Classes()[d.Features.Class(1)] != "syn" {
			t.Errorf("classes %v", d.Features.Classes())
		}
	}
	if got := sourcetest.Fact(sourcetest.MustLoad(t, noadOf(o), map[string]string{"all": text, "lexicon": plainLexicon}), "words that the lexicon has"); got != "5" {
		t.Errorf("got %s words, want letters quickly, code, Code letter", got)
	}
}

func TestSynsetsOfArguments(t *testing.T) {
	contents := parsedTexts()
	contents["lexicon"] = "dog\tn\tcanine.1\nbess\tn\tname.1\nhe\to\tmale.1\n"
	f := PropBankKind.Defaults().(PropBank)
	f.Options = all(f.Options, "synsets")
	d := sourcetest.MustLoad(t, f, contents)
	for i, want := range []string{"subsyn_male.1, syn_male.1, syn_name.1", "subsyn_canine.1, syn_canine.1"} {
		if _, got, _ := strings.Cut(row(d, i), "wait.0"); got[3:] != want {
			t.Errorf("row %d: got %s, want %s", i, got, want)
		}
	}
}

func TestForms(t *testing.T) {
	l := lexicon{synsets: map[entry][]string{}}
	for _, e := range []entry{{"dog", noun}, {"bus", noun}, {"woman", noun}, {"city", noun}, {"serve", verb}, {"walk", verb}, {"carry", verb}, {"large", adjective}, {"hard", adjective}, {"soon", adverb}} {
		l.synsets[e] = []string{e.word}
	}
	for _, c := range []struct{ form, pos, want string }{
		{"dogs", noun, "dog"}, {"buses", noun, "bus"}, {"bus", noun, "bus"}, {"women", noun, "woman"}, {"cities", noun, "city"}, {"dogs", verb, ""},
		{"served", verb, "serve"}, {"serving", verb, "serve"}, {"walking", verb, "walk"}, {"walks", verb, "walk"}, {"carries", verb, "carry"},
		{"larger", adjective, "large"}, {"hardest", adjective, "hard"}, {"sooner", adverb, ""}, {"s", noun, ""}, {"", noun, ""},
	} {
		if got := strings.Join(l.lookup(c.form, c.pos), " "); got != c.want {
			t.Errorf("%s as %s: got %q, want %q", c.form, c.pos, got, c.want)
		}
	}
}

func TestBadLexicon(t *testing.T) {
	text := noadText("/d/x", "She wrote/write/VERB/s1 letters/letter/NOUN/l1 | They write/write/VERB/s2")
	for _, c := range []struct {
		file, lexicon string
		groups        []string
		want          string
	}{
		{"lexicon/a.txt", "letter\tn\tx\nletter n x\n", nil, "lexicon:a.txt:2: found 1 cells, expected a word, its part of speech and synsets, apart by tabs"},
		{"lexicon", "\tn\tx\n", nil, "lexicon:1: found no word in the first cell"},
		{"lexicon", "letter\tnoun\tx\n", nil, `lexicon:1: found the part of speech "noun", expected one of v, n, a, r, o`},
		{"lexicon", "letter\tn\t \n", nil, `lexicon:1: found no synsets of "letter"`},
		{"lexicon", "dog\tn\tcanine.1\n", nil, "files.lexicon: it has 1 words, but none of the 3 around the instances"},
		{"lexicon", "", nil, "files.lexicon: it has 0 words, but none of the 3"},
		{"lexicon", "\xff", nil, "lexicon:1:1: found byte 0xff, expected UTF-8 text"},
		{"lexicon/index.noun", "letter n 2\n", nil, "lexicon:index.noun:1: found 3 fields, expected lemma, pos, synset_cnt, p_cnt and more"},
		{"lexicon/index.noun", "  1 licence\nletter n 2 1 @ 2 1 00000011\n", nil, "lexicon:index.noun:2: found 8 fields with synset_cnt 2 and p_cnt 1, expected 6 and as many as these say"},
		{"lexicon/index.noun", "letter n x 1 @ 2 1 00000011\n", nil, "lexicon:index.noun:1: found 8 fields with synset_cnt x and p_cnt 1"},
		{"lexicon", "letter\tn\tx\n", []string{"words"}, "features.groups: synsets are not among them, but there is a lexicon"},
		{"other", "", []string{"words", "synsets"}, "features.groups[1]: synsets need a lexicon, such as files: {all: …, lexicon: FILE}"},
	} {
		_, err := sourcetest.Load(noadOf(all(defaultOptions(verb), c.groups...)), map[string]string{"all": text, c.file: c.lexicon})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %s", c.lexicon, err, c.want)
		}
	}
}

func TestExplained(t *testing.T) {
	for name, f := range map[string]source.Source{"noad": noad(), "propbank": propBank(fail), "senseval2": senseval2()} {
		text := f.(interface{ Explain() string }).Explain()
		for _, want := range []string{"words", "wm2 wm1 wp1 wp2", "synsets", "syn "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %s is not in %s", name, want, text)
			}
		}
		if has := strings.Contains(text, "subject"); has != (name == "propbank") {
			t.Errorf("%s: subjects: %v", name, has)
		}
	}
}

// Every column is of a class that its group names.
func TestClassesOfGroups(t *testing.T) {
	contents := parsedTexts()
	contents["lexicon"] = "dog\tn\tcanine.1\n"
	f := PropBankKind.Defaults().(PropBank)
	f.Options = all(f.Options)
	d := sourcetest.MustLoad(t, f, contents)
	known := map[string]bool{}
	for _, g := range new(lexicon).withSynsets(parsed) {
		for _, class := range g.classes {
			known[class] = true
		}
	}
	for _, class := range d.Features.Classes() {
		if !known[class] {
			t.Errorf("no group names the class %s", class)
		}
	}
}

func FuzzLexicon(f *testing.F) {
	f.Add(plainLexicon, nounIndex)
	f.Fuzz(func(t *testing.T, plain, index string) {
		sourcetest.Fuzz(t, noadOf(all(defaultOptions(anyPOS))), map[string]string{
			"all": noadText("/d/x", "She wrote/write/VERB/s1 letters/letter/NOUN/l1 | They write/write/VERB/s2"), "lexicon/x": plain, "lexicon/index.noun": index,
		})
	})
}
