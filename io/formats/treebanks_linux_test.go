package formats

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"tenfold/io/formats/conll"
	"tenfold/io/formats/conllu"
	"tenfold/io/formats/documents"
	"tenfold/io/formats/knp"
	"tenfold/io/formats/labelled"
	"tenfold/io/formats/senses"
	"tenfold/io/source"
)

func texts(all map[string]reading) {
	line := func(between string) content {
		return each(func(b []byte, k int) []byte { return words(fmt.Appendf(b, "c%d%s", random(k, 4), between), k) })
	}
	d := documents.Kind.Defaults().(documents.Documents)
	d.Label = "tab"
	one := map[string]content{"words": around("a\t", numbered("%d "), "\nb\tx\n"), "a word": around("a\t", repeat("x "), "\nb\tx\n")}
	all["documents"] = reading{source: d, any: true, ordinary: line("\t"), shapes: map[string]content{
		"labels": repeat("a\t\n"), "distinct": numbered("%d\t\n"), "texts": repeat("a\tb\n"), "words": one["words"], "a word": one["a word"],
	}}
	d.Features.Tokens, d.Features.Ngrams = "characters", "2-3"
	all["documents: runs of characters"] = reading{source: d, ordinary: line("\t"), shapes: one}
	lines := map[string]content{
		"classes": numbered("%d\n"), "a class": repeat("a\n"), "a word a row": numbered("a %d\n"), "rows": repeat("a b\n"), "one row": around("a ", numbered("%d "), "\n"), "weights": repeat("a $$$WEIGHT 2\n"),
	}
	all["megam"] = reading{source: labelled.MegamKind.Defaults(), any: true, ordinary: line(" "), shapes: lines}
	w := labelled.WordsKind.Defaults().(labelled.Words)
	all["words"] = reading{source: w, any: true, ordinary: line(" "), shapes: lines}
	w.Features.Ngrams = 3
	all["words: runs"] = reading{source: w, ordinary: line(" "), shapes: map[string]content{"one row": lines["one row"], "rows": lines["rows"]}}
}

func treebanks(all map[string]reading) {
	c := conll.Kind.Defaults().(conll.Format)
	c.Columns, c.Target.Column = map[string]int{"w": 0, "t": 1}, "t"
	c.Features.Templates = source.Templates{"w[0]", "w[-1]", "w[1]", "t[-1]", "w[-1] w[0]"}
	all["conll"] = reading{source: c, any: true, ordinary: each(func(b []byte, k int) []byte {
		b = fmt.Appendf(b, "%s T%d\n", strconv.FormatInt(int64(random(k, 1<<(4+random(k+1<<40, 14)))), 26), random(k, 20))
		if random(k, 20) == 7 {
			b = append(b, '\n')
		}
		return b
	}), shapes: map[string]content{"sentences": repeat("a b\n\n"), "tokens": repeat("a b\n"), "distinct": numbered("%d b\n"), "labels": numbered("a %d\n")}}
	ordinary := each(func(b []byte, k int) []byte {
		place := k % 20
		if place == 0 {
			b = append(b, '\n')
		}
		return fmt.Appendf(b, "%d\tword%d\t_\tNOUN\tNN\t_\t%d\tnsubj\t_\t_\n", place+1, random(k, 1<<(4+random(k, 14))), place)
	})
	trees := map[string]content{
		"short words":  repeat("1\ta\tb\tc\td\te\t0\tf\tg\th\n\n"),
		"one sentence": each(func(b []byte, k int) []byte { return fmt.Appendf(b, "%d\ta\tb\tc\td\te\t%d\tf\tg\th\n", k+1, k) }),
		"comments":     repeat("#\n"), "distinct": numbered("1\t%d\t_\tX\tX\t_\t0\tr\t_\t_\n\n"),
	}
	all["conllu"] = reading{source: conllu.TokensKind.Defaults(), ordinary: ordinary, shapes: trees}
	all["conllu-joins"] = reading{source: conllu.JoinsKind.Defaults(), ordinary: ordinary, shapes: trees}
	pairs := conllu.PairsKind.Defaults().(conllu.Pairs)
	pairs.Within, pairs.Features.Templates = 1, source.Templates{"m.upos h.upos"} // all pairs and templates of eight MiB are gigabytes
	all["conllu-pairs"] = reading{source: pairs, ordinary: ordinary, shapes: trees}
	k := knp.Kind.Defaults().(knp.Format)
	const phrase, end = "* -1D\na b c d 1 e 1 f 1 g 1 h\n", "EOS\n"
	sentence := each(func(b []byte, k int) []byte {
		b = fmt.Appendf(b, "# S-ID:%d\n", k)
		for i := range 8 {
			head := i + 1
			if i == 7 {
				head = -1
			}
			b = fmt.Appendf(b, "* %dD\nw%d w%[2]d w%[2]d 名詞 6 普通名詞 1 * 0 * 0 NIL\nが が が 助詞 9 格助詞 1 * 0 * 0 NIL\n", head, random(8*k+i, 5000))
		}
		return append(b, end...)
	})
	long := func(inside content) content { return around("# S-ID:1\n", inside, end) }
	all["knp"] = reading{source: k, ordinary: sentence, shapes: map[string]content{
		"phrases": long(repeat(phrase)), "sentences": numbered("# S-ID:%d\n" + phrase + end), "morphemes": long(around("* -1D\n", repeat("a b c d 1 e 1 f 1 g 1 h\n"), "")), "bunsetsu": long(repeat("* 1D\n")),
		"particles": late(func() content {
			particles := "* -1D\n" + list(10000, "a b ", " 助詞 1 e 1 f 1 g 1 h\n")
			return just("# S-ID:1\n" + particles + particles + phrase + end)
		}),
		"a long id": halves(around("# S-ID:", repeat("x"), "\n"), around("", repeat(phrase), end)),
	}}
	k.Pairs = "all"
	all["knp: all pairs"] = reading{source: k, ordinary: sentence, shapes: map[string]content{"phrases": long(repeat(phrase))}}
}

// meanings are the formats of word senses.
func meanings(all map[string]reading) {
	const text = "<SimpleWsdDoc name='/a/b/c.txt'>"
	n := senses.NOADKind.Defaults().(senses.NOAD)
	n.MinInstances = 1
	all["noad"] = reading{source: n, ordinary: around(text, each(func(b []byte, k int) []byte {
		gap := [...]string{"SENTENCE_BREAK", "SPACE_BREAK"}[min(1, k%20)]
		if k%4 > 0 {
			return fmt.Appendf(b, "<word text='w%d' break_level='%s'/>\n", random(k, 1<<(4+random(k, 14))), gap)
		}
		return fmt.Appendf(b, "<word text='v%d' lemma='v%[1]d' pos='VERB' sense='/x/s%d' break_level='%s'/>\n", random(k, 500), random(k, 3), gap)
	}), "</SimpleWsdDoc>"), shapes: map[string]content{
		"elements": repeat("<a>"), "attributes": around("<SimpleWsdDoc ", numbered("a%d='' "), "></SimpleWsdDoc>"), "references": around("<SimpleWsdDoc name='", repeat("&lt;"), "'></SimpleWsdDoc>"),
		"comments": repeat("<!---->"), "a comment": around("<!--", repeat("x"), "-->"),
		"one sentence": around(text, each(func(b []byte, k int) []byte {
			return fmt.Appendf(b, "<word text='%d' lemma='b' pos='VERB' sense='%d' break_level='NO_BREAK'/>", k, k%2)
		}), "</SimpleWsdDoc>"),
	}}
	p := senses.PropBankKind.Defaults().(senses.PropBank)
	p.MinInstances = 1
	tree := "# newdoc id = x\n"
	for k := range 10 {
		tree += fmt.Sprintf("%d\ta\tb\tX\tX\t_\t%d\tobj\t_\t_\n", k+1, k)
	}
	all["propbank"] = reading{source: p, perByte: 24, others: map[string]content{"trees": just(tree)}, shapes: map[string]content{
		"tokens": numbered("x 0 %d a b c - -\n"), "predicates": numbered("x 0 %d a b c d e\n"), "roles": around("x 0 0 a b c d e", repeat(" *"), "\n"),
	}}
	all["propbank: trees"] = reading{source: p, role: "trees", perByte: 48, others: map[string]content{"all": just("x 0 0 [WORD] VB (S* see see.01 (V*)\n")}, shapes: map[string]content{
		"short words": repeat("1\ta\tb\tc\td\te\t0\tf\tg\th\n\n"), "documents": numbered("# newdoc id = %d\n1\ta\tb\tc\td\te\t0\tf\tg\th\n\n"),
	}}
	s := senses.Senseval2Kind.Defaults().(senses.Senseval2)
	s.MinInstances, s.MaxTopShare = 1, 1
	const begin, finish = "<corpus lang='en'><lexelt item='serve-v'>", "</lexelt></corpus>\n"
	instance := func(inside string) string {
		return "<instance id='x_%d'><answer instance='x_%d' senseid='S'/><context><head><wf pos='VB'>serve</wf></head>" + inside + "</context></instance>\n"
	}
	all["senseval2"] = reading{source: s, ordinary: around(begin, each(func(b []byte, k int) []byte {
		var around strings.Builder
		for j := range 12 {
			around.WriteString(" <wf pos='NN'>w" + strconv.Itoa(random(12*k+j, 1<<(4+random(k, 14)))) + "</wf>")
		}
		return append(b, strings.Replace(strings.ReplaceAll(instance(around.String()), "%d", strconv.Itoa(k)), "'S'", "'S"+strconv.Itoa(k%2)+"'", 1)...)
	}), finish), shapes: map[string]content{
		"elements": repeat("<corpus>"), "instances": around(begin, each(func(b []byte, k int) []byte {
			return append(b, strings.ReplaceAll(instance(""), "%d", strconv.Itoa(k))...)
		}), finish), "lexelts": around("<corpus>", repeat("<lexelt item='a-v'></lexelt>"), "</corpus>"),
		"words": func(w io.Writer, n int) {
			before, after, _ := strings.Cut(strings.ReplaceAll(instance("|"), "%d", "1"), "|")
			around(begin+before, numbered("<wf pos='a'>%d</wf>"), after+finish)(w, n)
		},
	}}
}
