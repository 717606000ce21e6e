package senses

import (
	"cmp"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/data/account"
	"tenfold/io/source"
)

// token is a word of a text. What the data do not tell is empty.
type token struct {
	form     string // lower case
	lemma    string // lower case
	tag      string
	feats    string // as in CoNLL-U: Mood=Ind|Tense=Past
	relation string // to the head
	head     int    // number of the head in the sentence, from 0; none of a root
}

// lemmaOrForm returns the lemma, or the form where the lemma is not known.
func (t *token) lemmaOrForm() string { return cmp.Or(t.lemma, t.form) }

// none is the head of a root.
const none = -1

// instance is a word in its sentence, or whatever the data give for its context.
type instance struct {
	id, lemma, pos, sense string
	document, genre       string // genre is empty where it is not known
	sentence              []token
	place                 int // number of the word in the sentence
	part                  int8
	most                  bool // its sense is the most frequent one of its word
}

// wordName returns the name of the task, such as serve-v.
func (i *instance) wordName() string { return i.lemma + "-" + i.pos }

// corpus is the instances that were read.
type corpus struct {
	pos  string // that is wanted
	part int8   // being read

	implied   *source.Implied // memory for features
	instances []instance
	seen      map[string]bool // names of documents and of instances
	all       int             // instances, wanted or not

	tokens    int // of all texts
	textless  int // words without text, which were passed over
	dropped   int // instances among them
	untagged  int // pieces of text without a tag, which were passed over
	unaligned int // sentences without a tree, which were passed over
	skipped   int // instances in them

	rows account.Tally // of the instances
}

// addInstance adds an instance. A second one of the same name is an error.
func (c *corpus) addInstance(i instance) error {
	if err := c.checkUnique("instance", i.id); err != nil {
		return err
	}
	c.all++
	if c.pos == anyPOS || c.pos == i.pos {
		i.part = c.part
		c.instances = append(c.instances, i)
	}
	return nil
}

// checkUnique refuses a name that was there before.
func (c *corpus) checkUnique(what, name string) error {
	key := what + " " + name
	if c.seen[key] {
		return fmt.Errorf("the %s stands twice in the corpus", key)
	}
	c.seen[key] = true
	return nil
}

// factsOfReading counts what was read, and what of it is left out.
func (c *corpus) factsOfReading() []data.Fact {
	facts := []data.Fact{countFact("tokens", c.tokens)}
	if c.textless > 0 {
		facts = append(facts, countFact("words without text, left out", c.textless), countFact("instances among them", c.dropped))
	}
	if c.untagged > 0 {
		facts = append(facts, countFact("pieces of text without a tag, passed over", c.untagged))
	}
	if c.unaligned > 0 {
		facts = append(facts, countFact("sentences without a tree of as many words, left out", c.unaligned), countFact("instances in them", c.skipped))
	}
	return facts
}

// splitParts tells training rows from test rows; it is an error where one of the two is empty.
func (c *corpus) splitParts(set *data.Dataset) error {
	for i := range c.instances {
		set.Part = append(set.Part, c.instances[i].part)
	}
	for part, name := range []string{"training", "test"} {
		if !slices.Contains(set.Part, int8(part)) {
			return fmt.Errorf("no %s rows: no instance of a word that is kept", name)
		}
	}
	return nil
}
