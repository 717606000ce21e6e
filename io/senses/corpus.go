package senses

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/kind"
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

// none is the head of a root.
const none = -1

// instance is a word in its sentence, or whatever the data give for its context.
type instance struct {
	id, lemma, pos, sense string
	document, genre       string // genre is empty where it is not known
	sentence              []token
	at                    int // number of the word in the sentence
	part                  int8
}

// word is the name of a task: serve-v.
func (i *instance) word() string { return i.lemma + "-" + i.pos }

// corpus is the instances that were read.
type corpus struct {
	pos  string // that is wanted
	part int8   // being read

	instances []instance
	ids       map[string]bool
	all       int // instances, wanted or not

	tokens    int // of all texts
	untagged  int // pieces of text without a tag, which were passed over
	unaligned int // sentences without a tree, which were passed over
	skipped   int // instances in them
}

// add an instance. It is an error when there was one of its name.
func (c *corpus) add(i instance) error {
	if c.ids[i.id] {
		return fmt.Errorf("the instance %s stands twice in the corpus", i.id)
	}
	c.ids[i.id] = true
	c.all++
	if c.pos == anyPOS || c.pos == i.pos {
		i.part = c.part
		c.instances = append(c.instances, i)
	}
	return nil
}

// senses of a word, with their numbers of instances.
type senses struct {
	word, lemma string
	count       map[string]int
	all, top    int
}

// choose leaves the instances of the words that the options want, and says how many words it left out.
func (c *corpus) choose(o Options) ([]data.Fact, error) {
	words, of := c.words()
	if err := wanted(o.Words, words); err != nil {
		return nil, err
	}
	var one, few, top, kept, meanings int
	keep := make([]bool, len(words))
	for k, w := range words {
		switch {
		case !matches(o.Words, w):
		case len(w.count) == 1:
			one++
		case w.all < o.MinInstances:
			few++
		case float64(w.top) > o.MaxTopShare*float64(w.all):
			top++
		default:
			keep[k] = true
			kept++
			meanings += len(w.count)
		}
	}
	if kept == 0 {
		return nil, fmt.Errorf("no word is left: of %d words (%d instances, %d of them of the part of speech %s), %d have one sense only, %d of the others fewer than %d instances (min_instances), and %d of the others a sense with more than %v of the instances (max_top_share)",
			len(words), c.all, len(of), c.pos, one, few, o.MinInstances, top, o.MaxTopShare)
	}
	left := c.instances[:0]
	for i, k := range of {
		if keep[k] {
			left = append(left, c.instances[i])
		}
	}
	c.instances = left
	facts := []data.Fact{fact("instances of all words", c.all)}
	if c.pos != anyPOS {
		facts = append(facts, fact("instances of the part of speech "+c.pos, len(of)))
	}
	return append(facts,
		fact("words", kept),
		fact("senses", meanings),
		fact("words left out, with one sense", one),
		fact(fmt.Sprintf("words left out, with fewer than %d instances", o.MinInstances), few),
		fact(fmt.Sprintf("words left out, with a sense that has more than %v of the instances", o.MaxTopShare), top),
	), nil
}

// facts of the reading.
func (c *corpus) facts() []data.Fact {
	facts := []data.Fact{fact("tokens", c.tokens)}
	if c.untagged > 0 {
		facts = append(facts, fact("pieces of text without a tag, passed over", c.untagged))
	}
	if c.unaligned > 0 {
		facts = append(facts, fact("sentences without a tree of as many words, left out", c.unaligned), fact("instances in them", c.skipped))
	}
	return facts
}

// words of the corpus in bytewise order of their names, and which of them each instance is of.
func (c *corpus) words() (words []senses, of []int32) {
	var names source.Texts
	for i := range c.instances {
		names.Add(c.instances[i].word())
	}
	order := slices.Sorted(slices.Values(names.Words))
	place := make([]int32, len(order))
	for k, name := range names.Words {
		at, _ := slices.BinarySearch(order, name)
		place[k] = int32(at)
	}
	words, of = make([]senses, len(order)), make([]int32, len(c.instances))
	for i, k := range names.Of {
		of[i] = place[k]
		w, from := &words[of[i]], &c.instances[i]
		if w.count == nil {
			*w = senses{word: order[of[i]], lemma: from.lemma, count: map[string]int{}}
		}
		w.count[from.sense]++
		w.all++
		w.top = max(w.top, w.count[from.sense])
	}
	return words, of
}

func matches(patterns []string, w senses) bool {
	return len(patterns) == 0 || slices.ContainsFunc(patterns, func(pattern string) bool { return matchesOne(pattern, w) })
}

func matchesOne(pattern string, w senses) bool {
	return source.Matches(pattern, w.word) || source.Matches(pattern, w.lemma)
}

// wanted refuses a pattern that is no word's.
func wanted(patterns []string, words []senses) error {
	for k, pattern := range patterns {
		if slices.ContainsFunc(words, func(w senses) bool { return matchesOne(pattern, w) }) {
			continue
		}
		var names []string
		for _, w := range words {
			names = append(names, w.word)
		}
		return kind.Errorf(fmt.Sprintf("words.%d", k), "the data has no word %q%s", pattern, kind.DidYouMean(pattern, names))
	}
	return nil
}

// parts tells training rows from test rows, some of each.
func (c *corpus) parts(set *data.Dataset) error {
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

// abridge is the beginning of a text, for a message.
func abridge(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 60 {
		return strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}
