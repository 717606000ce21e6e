package senses

import "strings"

// parsed are the groups of features of data with dependency trees.
var parsed = []group{
	wordGroup, tagGroup, bigramGroup, morphologyGroup,
	{"subject", "lemma and tag of the subject", []string{"sub", "subpos"}, subject},
	{"object", "lemma and tag of the direct object", []string{"dobj", "dobjpos"}, object},
	{"dependents", "relations of the dependents, with their lemmas and prepositions; relation to the head, and its lemma", []string{"dep", "depw", "prep", "rel", "head"}, dependents},
	{"paths", "two or three arcs of the tree, with the tag or the lemma they lead to", []string{"path", "pathw"}, paths},
	bagGroup, topicGroup,
}

// is tells whether a relation is the given one or a subtype of it: nsubj:pass is nsubj.
func is(relation, universal string) bool {
	rest, ok := strings.CutPrefix(relation, universal)
	return ok && (rest == "" || rest[0] == ':')
}

func isSubject(relation string) bool { return is(relation, "nsubj") || is(relation, "csubj") }
func isObject(relation string) bool  { return is(relation, "obj") }

// subject of the instance: its lemma and its tag, sub_ and subpos_.
func subject(c *columns, i *instance) { argument(c, i, "sub", isSubject) }

// object of the instance: dobj_ and dobjpos_.
func object(c *columns, i *instance) { argument(c, i, "dobj", isObject) }

func argument(c *columns, i *instance, class string, is func(relation string) bool) {
	for k := range i.sentence {
		if t := &i.sentence[k]; t.head == i.at && is(t.relation) {
			c.add(class, t.lemma)
			c.add(class+"pos", t.tag)
		}
	}
}

// dependents of the instance, and its head:
//
//	dep_obl        there is such a dependent
//	depw_obl=hour  with this lemma; not of subjects and objects, which have classes of their own
//	prep_obl=for   with a case marker or conjunction of this lemma
//	rel_advcl      the relation of the instance to its head
//	head_say       the lemma of the head
func dependents(c *columns, i *instance) {
	for k := range i.sentence {
		t := &i.sentence[k]
		if t.head != i.at || is(t.relation, "punct") {
			continue
		}
		c.add("dep", t.relation)
		if !isSubject(t.relation) && !isObject(t.relation) {
			c.add("depw", t.relation, "=", t.lemma)
		}
		for m := range i.sentence {
			if of := &i.sentence[m]; of.head == k && (is(of.relation, "case") || is(of.relation, "mark")) {
				c.add("prep", t.relation, "=", of.lemma)
			}
		}
	}
	t := &i.sentence[i.at]
	c.add("rel", t.relation)
	if t.head != none {
		c.add("head", i.sentence[t.head].lemma)
	}
}

// farthest is the number of arcs of the longest paths.
const farthest = 3

// paths lead from the instance over two or three arcs: path_ with the relations, < to a head and > to a dependent, and the tag of
// the last word; pathw_ over two arcs with its lemma. <conj>obj NNS is the object of the verb that the instance is coordinated with.
func paths(c *columns, i *instance) { walk(c, i.sentence, i.at, i.at, "", 1) }

// walk over the arcs of the word at, but for the one to the word from, which led there by a path of one arc less.
func walk(c *columns, sentence []token, from, at int, path string, arcs int) {
	for k := range sentence {
		step := ""
		switch {
		case k == from || k == at || is(sentence[k].relation, "punct"):
			continue
		case sentence[k].head == at:
			step = path + ">" + sentence[k].relation
		case sentence[at].head == k:
			step = path + "<" + sentence[at].relation
		default:
			continue
		}
		if arcs > 1 {
			c.add("path", step, " ", sentence[k].tag)
		}
		if arcs == 2 {
			c.add("pathw", step, " ", sentence[k].lemma)
		}
		if arcs < farthest {
			walk(c, sentence, at, k, step, arcs+1)
		}
	}
}
