package senses

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"tenfold/engines/param"
	"tenfold/engines/suggest"
)

// Features are the columns, in groups. What a column is named begins with its class and an underscore.
type Features struct {
	Groups []string `yaml:"groups" doc:"groups of columns, those below; all that the data offer by default"`
	Cutoff int      `yaml:"cutoff" key:"-" doc:"keep columns that occur in at least this many training rows, at least 1"`
}

// group is features of one kind.
type group struct {
	name, doc string
	classes   []string // of its columns
	add       func(c *columns, i *instance)
}

// The groups that all data offer.
var (
	wordGroup       = group{"words", "the two words before (m) and after (p)", []string{"wm2", "wm1", "wp1", "wp2"}, words}
	bigramGroup     = group{"bigrams", "the two words before, the words on each side, the two words after", []string{"bm", "b", "bp"}, bigrams}
	morphologyGroup = group{"morphology", "the word as it stands, and what it is of its lemma", []string{"form", "morph"}, morphology}
	bagGroup        = group{"bag", "each other word of the context", []string{"bag"}, bag}
)

// Groups that some data offer.
var (
	tagGroup   = group{"tags", "tags of the word and of the two on each side", []string{"pos", "posm2", "posm1", "posp1", "posp2"}, tags}
	nounGroup  = group{"nouns", "the nearest noun before (m) and after (p) in the context", []string{"nounm", "nounp"}, nouns}
	topicGroup = group{"topic", "genre of the document", []string{topicClass}, topic}
)

// topicClass is the class of genres, and of topics that are found.
const topicClass = "tp"

// groups that are asked for, of those that the data offer.
func (f Features) groups(offered []group) []group {
	if len(f.Groups) == 0 {
		return offered
	}
	return slices.DeleteFunc(slices.Clone(offered), func(g group) bool { return !f.asks(g) })
}

// asks tells whether a group is asked for.
func (f Features) asks(g group) bool { return len(f.Groups) == 0 || slices.Contains(f.Groups, g.name) }

func namesOf(groups []group) []string {
	names := make([]string, len(groups))
	for k, g := range groups {
		names[k] = g.name
	}
	return names
}

func (f Features) check(offered []group) error {
	names := namesOf(offered)
	for k, name := range f.Groups {
		at := fmt.Sprintf("features.groups.%d", k)
		switch {
		case slices.Contains(f.Groups[:k], name):
			return param.Errorf(at, "%q is given twice", name)
		case !slices.Contains(names, name):
			return param.Errorf(at, "%q, expected groups that these data offer: %s%s", name, strings.Join(names, ", "), suggest.DidYouMean(name, names))
		}
	}
	return nil
}

// The words beyond the ends of a sentence.
const (
	before = "<s>"
	after  = "</s>"
)

// near is the form of the word so many places from the instance.
func (i *instance) near(offset int) string {
	switch at := i.at + offset; {
	case at < 0:
		return before
	case at >= len(i.sentence):
		return after
	default:
		return i.sentence[at].form
	}
}

// around are the places of neighbours, and how classes of their features end.
var around = []struct {
	offset int
	name   string
}{{-2, "m2"}, {-1, "m1"}, {1, "p1"}, {2, "p2"}}

// words are the two on each side: wm2_ wm1_ wp1_ wp2_.
func words(c *columns, i *instance) {
	for _, n := range around {
		c.add("w"+n.name, i.near(n.offset))
	}
}

// bigrams of these words: bm_ before, b_ around, bp_ after the instance.
func bigrams(c *columns, i *instance) {
	for _, b := range []struct {
		class       string
		left, right int
	}{{"bm", -2, -1}, {"b", -1, 1}, {"bp", 1, 2}} {
		c.add(b.class, i.near(b.left), " ", i.near(b.right))
	}
}

// tags of the instance and of the words around it: pos_ posm2_ posm1_ posp1_ posp2_.
func tags(c *columns, i *instance) {
	c.add("pos", i.sentence[i.at].tag)
	tagsAround(c, i)
}

// tagsAround is for data whose tags of the instances follow from the word.
func tagsAround(c *columns, i *instance) {
	for _, n := range around {
		if at := i.at + n.offset; at >= 0 && at < len(i.sentence) && i.sentence[at].tag != "" {
			c.add("pos"+n.name, i.sentence[at].tag)
		}
	}
}

// nouns are the nearest on each side of the instance in its sentence, where words have tags but no tree: nounm_ before, nounp_
// after. They are no subjects and objects, though often the same words.
func nouns(c *columns, i *instance) {
	for at := i.at - 1; at >= 0; at-- {
		if t := &i.sentence[at]; posOf(t.tag) == noun {
			c.add("nounm", t.base())
			break
		}
	}
	for at := i.at + 1; at < len(i.sentence); at++ {
		if t := &i.sentence[at]; posOf(t.tag) == noun {
			c.add("nounp", t.base())
			break
		}
	}
}

// morphology is the form of the instance, form_, and what it is of its lemma, morph_: the values of CoNLL-U's FEATS where
// there are any, else an ending.
func morphology(c *columns, i *instance) {
	t := &i.sentence[i.at]
	c.add("form", t.form)
	if t.feats == "" {
		c.add("morph", ending(t.form, i.lemma))
		return
	}
	for value := range strings.SplitSeq(t.feats, "|") {
		c.add("morph", value)
	}
}

var endings = []string{"est", "ing", "er", "ed", "en", "s"}

// ending of a form: one of the endings of English, base where it is the lemma, irregular for all else.
func ending(form, lemma string) string {
	if form == lemma {
		return "base"
	}
	for _, e := range endings {
		if strings.HasSuffix(form, e) {
			return e
		}
	}
	return "irregular"
}

// bag is the other words of the sentence that have a letter or a digit: bag_.
func bag(c *columns, i *instance) {
	for k := range i.sentence {
		form := i.sentence[k].form
		if k != i.at && strings.ContainsFunc(form, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			c.add("bag", form)
		}
	}
}

// topic of the document is its genre: tp_.
func topic(c *columns, i *instance) {
	if i.genre != "" {
		c.add(topicClass, i.genre)
	}
}
