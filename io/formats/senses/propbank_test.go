package senses

import (
	"fmt"
	"strings"
	"testing"

	"tenfold/io/source/sourcetest"
)

// skeletonOf writes sentences of tokens as TAG or TAG/lemma/roleset.
func skeletonOf(document string, sentences ...string) string {
	text := ""
	for k, s := range sentences {
		tokens := strings.Fields(s)
		predicates := strings.Count(s, "/") / 2
		for i, token := range tokens {
			f := append(strings.Split(token, "/"), "-", "-")
			text += fmt.Sprintf("%s   %d  %d  [WORD]  %s  (S*  %s  %s%s\n", document, k, i, f[0], f[1], f[2], strings.Repeat("  *", predicates))
		}
		text += "\n"
	}
	return text
}

// treeOf writes sentences of words as form/lemma/XPOS/head/relation.
func treeOf(document string, sentences ...string) string {
	text := "# newdoc id = " + document + "\n"
	for _, s := range sentences {
		for i, word := range strings.Fields(s) {
			f := strings.Split(word, "/")
			feats := "_"
			if f[2] == "VBD" {
				feats = "Mood=Ind|Tense=Past"
			}
			text += fmt.Sprintf("%d\t%s\t%s\tX\t%s\t%s\t%s\t%s\t_\t_\n", i+1, f[0], f[1], f[2], feats, f[3], f[4])
		}
		text += "\n"
	}
	return text
}

const (
	// "Dogs told me that he waited for Bess." The second sentence is "Dogs wait."
	toldWords = "Dogs/dog/NNS/2/nsubj told/tell/VBD/0/root me/I/PRP/2/iobj that/that/IN/6/mark he/he/PRP/6/nsubj waited/wait/VBD/2/ccomp for/for/IN/8/case Bess/Bess/NNP/6/obl ./././2/punct"
	waitWords = "Dogs/dog/NNS/2/nsubj wait/wait/VBP/0/root"
	toldRoles = "NNS VBD/tell/tell.01 PRP IN PRP VBD/wait/wait.01 IN NNP ."
	waitRoles = "NNS VBP/wait/wait.02"
)

func parsedTexts() map[string]string {
	return map[string]string{
		"all/weblog/00/x.xml.gold_skel": skeletonOf("google/ewt/weblog/00/x.xml", toldRoles, waitRoles),
		"trees/en.conllu":               treeOf("weblog-x", toldWords, waitWords),
	}
}

func TestPropBank(t *testing.T) {
	f := PropBankKind.Defaults().(PropBank)
	f.Options = all(f.Options)
	d := sourcetest.MustLoad(t, f, parsedTexts())
	want := []string{
		"weblog-x:0-5 wait-v wait.01: b_he for, bag_bess, bag_dogs, bag_for, bag_he, bag_me, bag_that, bag_told, bm_that he, bp_for bess, " +
			"dep_mark, dep_nsubj, dep_obl, depw_mark=that, depw_obl=bess, form_waited, head_tell, morph_Mood=Ind, morph_Tense=Past, " +
			"path_<ccomp>iobj PRP, path_<ccomp>nsubj NNS, path_>obl>case IN, pathw_<ccomp>iobj i, pathw_<ccomp>nsubj dog, pathw_>obl>case for, " +
			"pos_VBD, posm1_PRP, posm2_IN, posp1_IN, posp2_NNP, prep_obl=for, rel_ccomp, sub_he, subpos_PRP, tp_weblog, wm1_he, wm2_that, wp1_for, wp2_bess",
		"weblog-x:1-1 wait-v wait.02: b_dogs </s>, bag_dogs, bm_<s> dogs, bp_</s> </s>, dep_nsubj, form_wait, morph_base, " +
			"pos_VBP, posm1_NNS, rel_root, sub_dog, subpos_NNS, tp_weblog, wm1_dogs, wm2_<s>, wp1_</s>, wp2_</s>",
	}
	for i := range want {
		if got := row(d, i); got != want[i] {
			t.Errorf("row %d: got %s, want %s", i, got, want[i])
		}
	}
	if d.Rows() != 2 {
		t.Errorf("got %d rows, want 2: the only sense of tell leaves it out", d.Rows())
	}
}

func TestObjects(t *testing.T) {
	contents := map[string]string{
		"all":   skeletonOf("google/ewt/email/00/m.xml", "PRP VBD/see/see.01 DT NNS", "PRP VBD/see/see.02"),
		"trees": treeOf("email-m", "We/we/PRP/2/nsubj:pass saw/see/VBD/0/root the/the/DT/4/det dogs/dog/NNS/2/obj", "I/I/PRP/2/nsubj saw/see/VBD/0/root"),
	}
	f := PropBankKind.Defaults().(PropBank)
	f.Options = all(f.Options, "subject", "object")
	if got, want := row(sourcetest.MustLoad(t, f, contents), 0), "email-m:0-1 see-v see.01: dobj_dog, dobjpos_NNS, sub_we, subpos_PRP"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestUnaligned(t *testing.T) {
	contents := parsedTexts()
	contents["all/weblog/00/y.xml.gold_skel"] = skeletonOf("google/ewt/weblog/00/y.xml", waitRoles)
	contents["all/weblog/00/x.xml.gold_skel"] += strings.ReplaceAll(skeletonOf("google/ewt/weblog/00/x.xml", waitRoles), "   0  ", "   2  ")
	f := PropBankKind.Defaults().(PropBank)
	f.Options, f.Unaligned = all(f.Options, "words"), skip
	d := sourcetest.MustLoad(t, f, contents)
	got := fmt.Sprint(d.IDs, sourcetest.Fact(d, "sentences without a tree of as many words, left out"), sourcetest.Fact(d, "instances in them"))
	if want := "[weblog-x:0-5 weblog-x:1-1]22"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestMalformedPropBank(t *testing.T) {
	const skeletons, treebank = "all/weblog/00/x.xml.gold_skel", "trees/en.conllu"
	for _, c := range []struct{ file, old, new, want string }{
		{skeletons, "weblog/00/x.xml   1", "weblog/00/y.xml   1", "x.xml.gold_skel:11: found the document \"google/ewt/weblog/00/y.xml\""},
		{skeletons, "weblog/00/x.xml", "weblog/00/z.xml", "x.xml.gold_skel:1: the treebanks have no document weblog-z (unaligned: skip leaves such sentences out)"},
		{skeletons, "   1  0  ", "   2  0  ", ":11: found the sentence number \"2\", expected 1"},
		{skeletons, "   0  1  ", "   0  2  ", ":2: found the token number \"2\", expected 1"},
		{skeletons, "(S*  tell  tell.01", "", ":2: found 7 columns, expected file, sentence, token, word, tag, brackets, lemma, roleset"},
		{skeletons, "tell  tell.01", "tell  tell.01  *", ":2: found 11 columns, expected 10"},
		{skeletons, "tell  tell.01", "tell  -", ":2: found the lemma \"tell\" and the roleset \"-\""},
		{skeletons, "tell  tell.01", "-  -", ":1: the sentence has 2 columns of roles, but 1 predicates"},
		{treebank, "2\twait", "3\twait", "trees:en.conllu:13: found id \"3\", expected 2"},
		{treebank, "# newdoc id = weblog-x", "#", "trees:en.conllu:2: the sentence is of no document, expected a line # newdoc id = NAME"},
		{treebank, "\t0\troot\t_\t_\n\n", "\t_\troot\t_\t_\n\n", "trees:en.conllu:13: the word has no head among the 2 of its sentence"},
		{treebank, "\t0\troot\t_\t_\n\n", "\t3\troot\t_\t_\n\n", "trees:en.conllu:13: the word has no head among the 2 of its sentence"},
		{treebank, "\t0\troot\t_\t_\n\n", "\t1\tdep\t_\t_\n\n", "trees:en.conllu:12: the heads from this word on go round in a circle"},
		{treebank, "1\tDogs\tdog\tX\tNNS\t_\t2\tnsubj\t_\t_\n2\twait\twait\tX\tVBP\t_\t0\troot\t_\t_\n", "", ":11: document weblog-x has 1 sentences in the treebanks, expected one of the number 1"},
		{treebank, "root\t_\t_\n\n", "root\t_\t_\n3\t.\t.\tX\t.\t_\t2\tpunct\t_\t_\n\n", ":11: the sentence has 2 tokens, but 3 words in the treebanks (document weblog-x, sentence 1 from 0)"},
	} {
		contents := parsedTexts()
		if !strings.Contains(contents[c.file], c.old) {
			t.Fatalf("%s is not in %s", c.old, c.file)
		}
		old := contents[c.file]
		if contents[c.file] = strings.Replace(old, c.old, c.new, 1); c.new == "google/ewt/weblog/00/z.xml" || c.old == "weblog/00/x.xml" {
			contents[c.file] = strings.ReplaceAll(old, c.old, c.new)
		}
		f := PropBankKind.Defaults().(PropBank)
		f.Options = all(f.Options)
		if _, err := sourcetest.Load(f, contents); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	contents := parsedTexts()
	contents["trees/more.conllu"] = treeOf("weblog-x", waitWords)
	if _, err := sourcetest.Load(PropBankKind.Defaults(), contents); err == nil || !strings.Contains(err.Error(), "trees:more.conllu:2: the document weblog-x is in another file, too") {
		t.Errorf("got %v, want that a document is in two files", err)
	}
	contents = parsedTexts()
	contents["all/y"] = skeletonOf("google/ewt/weblog/00/x.xml", toldRoles)
	if _, err := sourcetest.Load(PropBankKind.Defaults(), contents); err == nil || !strings.Contains(err.Error(), "all:y:1: the document weblog-x stands twice") {
		t.Errorf("got %v, want that a document stands twice", err)
	}
}

func FuzzPropBank(f *testing.F) {
	texts := parsedTexts()
	f.Add(texts["all/weblog/00/x.xml.gold_skel"], texts["trees/en.conllu"])
	f.Add(skeletonOf("a/b/c.xml", waitRoles), treeOf("a-c", waitWords))
	f.Fuzz(func(t *testing.T, skeletons, treebank string) {
		format := PropBank{Options: all(defaultOptions(anyPOS)), Unaligned: skip}
		sourcetest.Fuzz(t, format, map[string]string{"all": skeletons, "trees": treebank})
	})
}
