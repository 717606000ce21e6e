package senses

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// lexiconRole is the file of synsets.
const lexiconRole = "lexicon"

// lexicon knows the synsets of words. It is read from lines
//
//	dog	n	canine.1 cad.2
//
// of a word, its part of speech and synsets, apart by tabs; or from files of WordNet with the names index.noun, index.verb,
// index.adj and index.adv (wndb(5WN)), whose synsets are named by part of speech and offset: n02084071.
type lexicon struct {
	synsets map[entry][]string
	words   int // that were looked up
	found   int
}

type entry struct{ word, pos string }

// synsets is the name of the group that a lexicon adds.
const synsets = "synsets"

// withSynsets returns the offered groups and that of the lexicon. An empty lexicon will do to describe them.
func (l *lexicon) withSynsets(offered []group) []group {
	g := group{synsets, "synsets of the two words on each side; needs a lexicon", []string{"syn"}, l.addSynsets}
	if slices.ContainsFunc(offered, func(g group) bool { return g.name == "subject" }) {
		g.doc, g.classes = "synsets of the two words on each side, of subject and object; needs a lexicon", []string{"syn", "subsyn", "dobjsyn"}
	}
	return append(slices.Clone(offered), g)
}

// offerGroups returns the groups of features that the data have, synsets among them where there is a lexicon.
func (o Options) offerGroups(ctx context.Context, in source.Input, offered []group) ([]group, *lexicon, error) {
	asked := slices.Index(o.Features.Groups, synsets)
	switch has := in.Has(lexiconRole); {
	case !has && asked >= 0:
		return nil, nil, param.Errorf(fmt.Sprintf("features.groups.%d", asked), "synsets need a lexicon, such as files: {all: …, lexicon: FILE}")
	case has && asked < 0 && len(o.Features.Groups) > 0:
		return nil, nil, param.Errorf("features.groups", "synsets are not among them, but there is a lexicon; leave it out, or ask for synsets")
	case !has:
		return offered, nil, nil
	}
	l := &lexicon{synsets: map[entry][]string{}}
	err := in.Members(lexiconRole, func(name string, content []byte) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		text, err := rawtext.DecodeMember(content, "")
		if err != nil {
			return err
		}
		return l.readIndex(name, string(text))
	})
	if err != nil {
		return nil, nil, err
	}
	return l.withSynsets(offered), l, nil
}

// wordNet are the names of WordNet's files.
var wordNet = []string{"index.noun", "index.verb", "index.adj", "index.adv"}

func (l *lexicon) readIndex(file, text string) error {
	line := l.readLine
	if slices.Contains(wordNet, file[strings.LastIndexByte(file, '/')+1:]) {
		line = l.indexLine
	}
	number := 0
	for content := range strings.Lines(text) {
		number++
		if strings.TrimSpace(content) == "" {
			continue
		}
		if err := line(strings.TrimRight(content, "\r\n")); err != nil {
			return rawtext.AtLine(number, "%w", err)
		}
	}
	return nil
}

var lexicalPOS = []string{verb, noun, adjective, adverb, other}

func (l *lexicon) readLine(text string) error {
	cells := strings.Split(text, "\t")
	if len(cells) != 3 {
		return fmt.Errorf("found %d cells, expected a word, its part of speech and synsets, apart by tabs", len(cells))
	}
	e := entry{strings.ToLower(strings.TrimSpace(cells[0])), strings.TrimSpace(cells[1])}
	synsets := strings.Fields(cells[2])
	switch {
	case e.word == "":
		return fmt.Errorf("found no word in the first cell")
	case !slices.Contains(lexicalPOS, e.pos):
		return fmt.Errorf("found the part of speech %q, expected one of %s", e.pos, strings.Join(lexicalPOS, ", "))
	case len(synsets) == 0:
		return fmt.Errorf("found no synsets of %q", e.word)
	}
	l.synsets[e] = append(l.synsets[e], synsets...)
	return nil
}

// indexLine reads a line of an index of WordNet: lemma pos synset_cnt p_cnt [ptr_symbol...] sense_cnt tagsense_cnt synset_offset [synset_offset...]. Lines of
// the licence begin with blanks.
func (l *lexicon) indexLine(text string) error {
	if strings.HasPrefix(text, " ") {
		return nil
	}
	f := strings.Fields(text)
	if len(f) < 4 {
		return fmt.Errorf("found %d fields, expected lemma, pos, synset_cnt, p_cnt and more", len(f))
	}
	n, err1 := strconv.Atoi(f[2])
	pointers, err2 := strconv.Atoi(f[3])
	if err1 != nil || err2 != nil || n < 1 || pointers < 0 || len(f) != 6+pointers+n {
		return fmt.Errorf("found %d fields with synset_cnt %s and p_cnt %s, expected 6 and as many as these say", len(f), f[2], f[3])
	}
	e := entry{f[0], f[1]}
	for _, offset := range f[len(f)-n:] {
		l.synsets[e] = append(l.synsets[e], f[1]+offset)
	}
	return nil
}

// detachments take endings off, as WordNet's morphy does: those of the part of speech, in its order.
var detachments = []struct{ pos, ending, base string }{
	{noun, "s", ""}, {noun, "ses", "s"}, {noun, "xes", "x"}, {noun, "zes", "z"}, {noun, "ches", "ch"}, {noun, "shes", "sh"},
	{noun, "men", "man"}, {noun, "ies", "y"},
	{verb, "s", ""}, {verb, "ies", "y"}, {verb, "es", "e"}, {verb, "es", ""}, {verb, "ed", "e"}, {verb, "ed", ""}, {verb, "ing", "e"}, {verb, "ing", ""},
	{adjective, "er", ""}, {adjective, "est", ""}, {adjective, "er", "e"}, {adjective, "est", "e"},
}

// lookup returns the synsets of a word's lemma where that is known, else of its form, or of what is left of it without an
// ending.
func (l *lexicon) lookup(word, pos string) []string {
	if known := l.synsets[entry{word, pos}]; known != nil {
		return known
	}
	for _, d := range detachments {
		if stem, has := strings.CutSuffix(word, d.ending); has && d.pos == pos && stem != "" {
			if known := l.synsets[entry{stem + d.base, pos}]; known != nil {
				return known
			}
		}
	}
	return nil
}

// addSynsetsOf adds the synsets of a word; of one without a tag, those of all parts of speech.
func (l *lexicon) addSynsetsOf(c *columns, class string, t *token) {
	every := []string{posOf(t.tag)}
	if t.tag == "" {
		every = lexicalPOS
	}
	l.words++
	found := false
	for _, pos := range every {
		for _, synset := range l.lookup(t.lemmaOrForm(), pos) {
			c.addFeature(class, synset)
			found = true
		}
	}
	if found {
		l.found++
	}
}

// addSynsets adds the synsets of the two words on each side, syn_, and of subject and object, subsyn_ and dobjsyn_.
func (l *lexicon) addSynsets(c *columns, i *instance) {
	for _, n := range around {
		if k := i.place + n.offset; k >= 0 && k < len(i.sentence) {
			l.addSynsetsOf(c, "syn", &i.sentence[k])
		}
	}
	for k := range i.sentence {
		t := &i.sentence[k]
		switch {
		case t.head != i.place:
		case isSubject(t.relation):
			l.addSynsetsOf(c, "subsyn", t)
		case isObject(t.relation):
			l.addSynsetsOf(c, "dobjsyn", t)
		}
	}
}

// checkLanguage refuses a lexicon of another language than that of the texts.
func (l *lexicon) checkLanguage() error {
	if l != nil && l.found == 0 {
		return fmt.Errorf("files.lexicon: it has %d words, but none of the %d around the instances", len(l.synsets), l.words)
	}
	return nil
}

func (l *lexicon) facts() []data.Fact {
	if l == nil {
		return nil
	}
	return []data.Fact{
		countFact("words of the lexicon", len(l.synsets)),
		countFact("words that were looked up", l.words),
		countFact("words that the lexicon has", l.found),
	}
}
