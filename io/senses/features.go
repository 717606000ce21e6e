package senses

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"tenfold/engines/kind"
)

// Features are the columns, in groups. What a column is named begins with its class and an underscore.
type Features struct {
	Groups []string `yaml:"groups" doc:"words, tags, bigrams, morphology, bag (of words), topic (genre); of parsed data also subject, object, dependents, paths. All that the data offer by default"`
	Cutoff int      `yaml:"cutoff" key:"-" doc:"keep columns that occur in at least this many training rows; 0 keeps all"`
}

// group is features of one kind, of several classes.
type group struct {
	name string
	add  func(c *columns, i *instance)
}

// groups that are asked for, of those that the data offer.
func (f Features) groups(offered []group) []group {
	if len(f.Groups) == 0 {
		return offered
	}
	return slices.DeleteFunc(slices.Clone(offered), func(g group) bool { return !slices.Contains(f.Groups, g.name) })
}

func (f Features) check(offered []group) error {
	var names []string
	for _, g := range offered {
		names = append(names, g.name)
	}
	for k, name := range f.Groups {
		at := fmt.Sprintf("features.groups.%d", k)
		switch {
		case slices.Contains(f.Groups[:k], name):
			return kind.Errorf(at, "%q is given twice", name)
		case !slices.Contains(names, name):
			return kind.Errorf(at, "%q, expected groups that these data offer: %s", name, strings.Join(names, ", "))
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
		c.add("tp", i.genre)
	}
}
