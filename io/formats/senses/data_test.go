package senses

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

var (
	masc      = map[string]string{"all": "wsd-noad-masc/masc.tar.gz"}
	ewt       = map[string]string{"all": "propbank-ewt/ewt.gold_skel.tar.gz", "trees": "ud-english-ewt"}
	fourWords = map[string]string{"all": "senseval2-four-words"}
)

func noad() NOAD           { return NOADKind.Defaults().(NOAD) }
func senseval2() Senseval2 { return Senseval2Kind.Defaults().(Senseval2) }

func propBank(unaligned string) PropBank {
	f := PropBankKind.Defaults().(PropBank)
	f.Unaligned = unaligned
	return f
}

// counts of the words with so many instances.
func counts(d *data.Dataset, least int) string {
	words := map[int32]map[float64]int{}
	for i, k := range d.Tasks.Of {
		if words[k] == nil {
			words[k] = map[float64]int{}
		}
		words[k][d.Targets[0].Values[i]]++
	}
	return total(words, least)
}

func total[W, S comparable](words map[W]map[S]int, least int) string {
	var rows, n, meanings int
	for _, senses := range words {
		all := 0
		for _, count := range senses {
			all += count
		}
		if all >= least {
			n++
			rows += all
			meanings += len(senses)
		}
	}
	return fmt.Sprintf("%d rows, %d words, %d senses", rows, n, meanings)
}

func TestNOADCorpus(t *testing.T) {
	d := sourcetest.Read(t, noad(), sourcetest.Open(t, masc))
	if got, want := counts(d, 50), "33066 rows, 88 words, 331 senses"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := counts(d, 100), "30900 rows, 55 words, 217 senses"; got != want {
		t.Errorf("100 instances: got %s, want %s", got, want)
	}
	// 1,301 verbs.
	for name, want := range map[string]string{
		"tokens": "596333", "instances of all words": "136544", "instances of words that pos admits": "57350", "words": "88", "senses": "331",
		"words left out, with one sense": "816", "words left out, with fewer than 50 instances": "346",
		"words left out, with a sense that has more than 0.9 of the instances": "51",
	} {
		if got := sourcetest.Fact(d, name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	const rows = "33066 of 136544 (79194 of words of another part of speech; 7166 of words with one sense; 5275 of words with fewer than 50 instances; " +
		"11843 of words with a sense that has more than 0.9 of the instances)"
	if got := d.Accounts().Rows.String(); got != rows {
		t.Errorf("got %s, want %s", got, rows)
	}
}

func TestEWT(t *testing.T) {
	in := sourcetest.Open(t, ewt)
	if _, err := propBank(fail).Load(t.Context(), in); err == nil || !strings.Contains(err.Error(), "20111106103415AAqdokn_ans.xml.gold_skel:53: the sentence has 3 tokens, but 2 words") {
		t.Errorf("strict: got %v, want the first sentence with another number of words", err)
	}
	d := sourcetest.Read(t, propBank(skip), in)
	for name, want := range map[string]string{
		"tokens": "254564", "words": "40", "senses": "282", "sentences without a tree of as many words, left out": "29", "instances in them": "80",
		"instances of all words": "50182", "words left out, with one sense": "1597",
	} {
		if got := sourcetest.Fact(d, name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if got, want := counts(d, 50), "21341 rows, 40 words, 282 senses"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// What the skeletons have, with those in sentences that were left out.
	all := skeletonVerbs(t, in)
	if got, want := total(all, 50), "21377 rows, 40 words, 282 senses"; got != want {
		t.Errorf("skeletons: got %s, want %s", got, want)
	}
	if got, want := total(all, 100), "20102 rows, 21 words, 192 senses"; got != want {
		t.Errorf("skeletons, 100 instances: got %s, want %s", got, want)
	}
	for _, word := range d.Tasks.Names {
		if lemma := strings.TrimSuffix(word, "-v"); all[lemma] == nil {
			t.Errorf("%s is not among the ambiguous verbs of the skeletons", word)
		}
	}
}

// skeletonVerbs are the rolesets of the verbs of which none has more than nine tenths, counted line by line.
func skeletonVerbs(t *testing.T, in source.Input) map[string]map[string]int {
	verbs := map[string]map[string]int{}
	err := in.Members("all", func(_ string, content []byte) error {
		for line := range strings.Lines(string(content)) {
			if f := strings.Fields(line); len(f) > 7 && f[7] != "-" && f[4][0] == 'V' {
				if verbs[f[6]] == nil {
					verbs[f[6]] = map[string]int{}
				}
				verbs[f[6]][f[7]]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(verbs, func(_ string, senses map[string]int) bool {
		all, top := 0, 0
		for _, n := range senses {
			all, top = all+n, max(top, n)
		}
		return len(senses) < 2 || 10*top > 9*all
	})
	return verbs
}

func TestFourWords(t *testing.T) {
	d := sourcetest.Read(t, senseval2(), sourcetest.Open(t, fourWords))
	if got, want := counts(d, 50), "15225 rows, 4 words, 19 senses"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := strings.Join(d.Tasks.Names, " "), "hard-a interest-n line-n serve-v"; got != want {
		t.Errorf("got words %s, want %s", got, want)
	}
	n := map[string]int{}
	for _, y := range d.Targets[0].Values {
		n[d.Targets[0].Levels[int(y)]]++
	}
	for level, want := range map[string]int{
		"HARD1": 3455, "HARD2": 502, "HARD3": 376, "SERVE10": 1814, "SERVE12": 1272, "SERVE2": 853, "SERVE6": 439,
		"interest_6": 1252, "interest_5": 500, "interest_1": 361, "interest_4": 178, "interest_3": 66, "interest_2": 11,
		"product": 2217, "phone": 429, "text": 404, "division": 374, "cord": 373, "formation": 349,
	} {
		if n[level] != want {
			t.Errorf("%s: got %d instances, want %d", level, n[level], want)
		}
	}
	if got := sourcetest.Fact(d, "tokens"); got != "603816" {
		t.Errorf("got %s tokens, want 603816", got)
	}
}

// Reading with all features.
func BenchmarkReading(b *testing.B) {
	for name, c := range map[string]struct {
		format source.Source
		refs   map[string]string
	}{"noad": {noad(), masc}, "propbank": {propBank(skip), ewt}, "senseval2": {senseval2(), fourWords}} {
		b.Run(name, func(b *testing.B) {
			in := sourcetest.Open(b, c.refs)
			b.ReportAllocs()
			for b.Loop() {
				sourcetest.Read(b, c.format, in)
			}
		})
	}
}
