package senses

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/source"
)

// Features are the columns, in groups. What a column is named begins with its class and an underscore.
type Features struct {
	Groups           []string `yaml:"groups" doc:"groups of columns, those below; all that the data offer by default"`
	Cutoff           int      `yaml:"cutoff" key:"-" doc:"keep columns that occur in at least this many training rows, at least 1"`
	source.Treatment `yaml:",inline"`
}

// group is features of one kind.
type group struct {
	name, doc string
	classes   []string // of its columns
	add       func(c *columns, i *instance)
}

// The groups that all data offer.
var (
	wordGroup       = group{"words", "the two words before (m) and after (p)", []string{"wm2", "wm1", "wp1", "wp2"}, addWords}
	bigramGroup     = group{"bigrams", "the two words before, the words on each side, the two words after", []string{"bm", "b", "bp"}, addBigrams}
	morphologyGroup = group{"morphology", "the word as it stands, and what it is of its lemma", []string{"form", "morph"}, addMorphology}
	bagGroup        = group{"bag", "each other word of the context", []string{"bag"}, addBag}
)

// Groups that some data offer.
var (
	tagGroup   = group{"tags", "tags of the word and of the two on each side", []string{"pos", "posm2", "posm1", "posp1", "posp2"}, addTags}
	nounGroup  = group{"nouns", "the nearest noun before (m) and after (p) in the context", []string{"nounm", "nounp"}, addNouns}
	topicGroup = group{"topic", "genre of the document", []string{topicClass}, addTopic}
)

// topicClass is the class of genres, and of topics that are found.
const topicClass = "tp"

// askedGroups returns the offered groups that the options ask for: all of them where the options name none.
func (f Features) askedGroups(offered []group) []group {
	if len(f.Groups) == 0 {
		return offered
	}
	return slices.DeleteFunc(slices.Clone(offered), func(g group) bool { return !f.asksFor(g) })
}

// asksFor reports whether a group is asked for.
func (f Features) asksFor(g group) bool {
	return len(f.Groups) == 0 || slices.Contains(f.Groups, g.name)
}

func namesOf(groups []group) []string {
	names := make([]string, len(groups))
	for k, g := range groups {
		names[k] = g.name
	}
	return names
}

func (f Features) checkGroups(offered []group) error {
	names := namesOf(offered)
	for k, name := range f.Groups {
		field := fmt.Sprintf("features.groups.%d", k)
		switch {
		case slices.Contains(f.Groups[:k], name):
			return param.Errorf(field, "%q is given twice", name)
		case !slices.Contains(names, name):
			return param.Errorf(field, "%q, expected groups that these data offer: %s%s", name, strings.Join(names, ", "), suggest.DidYouMean(name, names))
		}
	}
	return nil
}

// The words beyond the ends of a sentence.
const (
	before = "<s>"
	after  = "</s>"
)

// formAt returns the form of the word at this offset from the instance.
func (i *instance) formAt(offset int) string {
	switch k := i.place + offset; {
	case k < 0:
		return before
	case k >= len(i.sentence):
		return after
	default:
		return i.sentence[k].form
	}
}

// around are the places of neighbours, and how classes of their features end.
var around = []struct {
	offset int
	name   string
}{{-2, "m2"}, {-1, "m1"}, {1, "p1"}, {2, "p2"}}

// addWords adds the two words on each side: wm2_ wm1_ wp1_ wp2_.
func addWords(c *columns, i *instance) {
	for _, n := range around {
		c.addFeature("w"+n.name, i.formAt(n.offset))
	}
}

// addBigrams adds bigrams of these words: bm_ before, b_ around, bp_ after the instance.
func addBigrams(c *columns, i *instance) {
	for _, b := range []struct {
		class       string
		left, right int
	}{{"bm", -2, -1}, {"b", -1, 1}, {"bp", 1, 2}} {
		c.addFeature(b.class, i.formAt(b.left), " ", i.formAt(b.right))
	}
}

// addTags adds the tags of the instance and of the words around it: pos_ posm2_ posm1_ posp1_ posp2_.
func addTags(c *columns, i *instance) {
	c.addFeature("pos", i.sentence[i.place].tag)
	tagsAround(c, i)
}

// tagsAround adds the tags of neighbours, for data whose tags of the instances follow from the word.
func tagsAround(c *columns, i *instance) {
	for _, n := range around {
		if k := i.place + n.offset; k >= 0 && k < len(i.sentence) && i.sentence[k].tag != "" {
			c.addFeature("pos"+n.name, i.sentence[k].tag)
		}
	}
}

// addNouns adds the nearest noun on each side of the instance in its sentence, nounm_ before, nounp_ after, where words
// have tags but no tree. These often are the subject and the object, but need not be.
func addNouns(c *columns, i *instance) {
	for k := i.place - 1; k >= 0; k-- {
		if t := &i.sentence[k]; posOf(t.tag) == noun {
			c.addFeature("nounm", t.lemmaOrForm())
			break
		}
	}
	for k := i.place + 1; k < len(i.sentence); k++ {
		if t := &i.sentence[k]; posOf(t.tag) == noun {
			c.addFeature("nounp", t.lemmaOrForm())
			break
		}
	}
}

// addMorphology adds the form of the instance, form_, and its inflection, morph_: the values of CoNLL-U's FEATS where there
// are any, else the ending.
func addMorphology(c *columns, i *instance) {
	t := &i.sentence[i.place]
	c.addFeature("form", t.form)
	if t.feats == "" {
		c.addFeature("morph", inflection(t.form, i.lemma))
		return
	}
	for value := range strings.SplitSeq(t.feats, "|") {
		c.addFeature("morph", value)
	}
}

var endings = []string{"est", "ing", "er", "ed", "en", "s"}

// inflection returns that of an English form: one of the endings, "base" where it is the lemma, "irregular" for all else.
func inflection(form, lemma string) string {
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

// addBag adds the other words of the sentence that have a letter or a digit: bag_.
func addBag(c *columns, i *instance) {
	for k := range i.sentence {
		form := i.sentence[k].form
		if k != i.place && strings.ContainsFunc(form, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			c.addFeature("bag", form)
		}
	}
}

// addTopic adds the genre of the document: tp_.
func addTopic(c *columns, i *instance) {
	if i.genre != "" {
		c.addFeature(topicClass, i.genre)
	}
}
