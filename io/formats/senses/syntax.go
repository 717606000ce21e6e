package senses

import "strings"

// parsed are the groups of features of data with dependency trees.
var parsed = []group{
	wordGroup, tagGroup, bigramGroup, morphologyGroup,
	{"subject", "lemma and tag of the subject", []string{"sub", "subpos"}, addSubject},
	{"object", "lemma and tag of the direct object", []string{"dobj", "dobjpos"}, addObject},
	{"dependents", "relations of the dependents, with their lemmas and prepositions; relation to the head, and its lemma", []string{"dep", "depw", "prep", "rel", "head"}, addDependents},
	{"paths", "two or three arcs of the tree, with the tag or the lemma they lead to", []string{"path", "pathw"}, addPaths},
	bagGroup, topicGroup,
}

// isRelation reports whether a relation is the given one or a subtype of it, as nsubj:pass is one of nsubj.
func isRelation(relation, universal string) bool {
	rest, ok := strings.CutPrefix(relation, universal)
	return ok && (rest == "" || rest[0] == ':')
}

func isSubject(relation string) bool {
	return isRelation(relation, "nsubj") || isRelation(relation, "csubj")
}
func isObject(relation string) bool { return isRelation(relation, "obj") }

// addSubject adds the lemma and the tag of the subject: sub_ and subpos_.
func addSubject(c *columns, i *instance) { addArgument(c, i, "sub", isSubject) }

// addObject adds the lemma and the tag of the object: dobj_ and dobjpos_.
func addObject(c *columns, i *instance) { addArgument(c, i, "dobj", isObject) }

func addArgument(c *columns, i *instance, class string, is func(relation string) bool) {
	for k := range i.sentence {
		if t := &i.sentence[k]; t.head == i.place && is(t.relation) {
			c.addFeature(class, t.lemma)
			c.addFeature(class+"pos", t.tag)
		}
	}
}

// addDependents adds features of the dependents of the instance, and of its head:
//
//	dep_obl        there is such a dependent
//	depw_obl=hour  with this lemma; not of subjects and objects, which have classes of their own
//	prep_obl=for   with a case marker or conjunction of this lemma
//	rel_advcl      the relation of the instance to its head
//	head_say       the lemma of the head
func addDependents(c *columns, i *instance) {
	for k := range i.sentence {
		t := &i.sentence[k]
		if t.head != i.place || isRelation(t.relation, "punct") {
			continue
		}
		c.addFeature("dep", t.relation)
		if !isSubject(t.relation) && !isObject(t.relation) {
			c.addFeature("depw", t.relation, "=", t.lemma)
		}
		for m := range i.sentence {
			if dependent := &i.sentence[m]; dependent.head == k && (isRelation(dependent.relation, "case") || isRelation(dependent.relation, "mark")) {
				c.addFeature("prep", t.relation, "=", dependent.lemma)
			}
		}
	}
	t := &i.sentence[i.place]
	c.addFeature("rel", t.relation)
	if t.head != none {
		c.addFeature("head", i.sentence[t.head].lemma)
	}
}

// farthest is the number of arcs of the longest paths.
const farthest = 3

// addPaths adds the paths from the instance over two or three arcs: path_ with the relations, < to a head and > to a
// dependent, and the tag of the last word; pathw_ over two arcs with its lemma. "<conj>obj NNS" is the object of the verb
// that the instance is coordinated with.
func addPaths(c *columns, i *instance) { walkArcs(c, i.sentence, i.place, i.place, "", 1) }

// walkArcs adds features of the words next to a word, but for the word from, which are arcs arcs from the instance, and walks
// on from them. path is the way to the word.
func walkArcs(c *columns, sentence []token, from, word int, path string, arcs int) {
	for k := range sentence {
		step := ""
		switch {
		case k == from || k == word || isRelation(sentence[k].relation, "punct"):
			continue
		case sentence[k].head == word:
			step = path + ">" + sentence[k].relation
		case sentence[word].head == k:
			step = path + "<" + sentence[word].relation
		default:
			continue
		}
		if arcs > 1 {
			c.addFeature("path", step, " ", sentence[k].tag)
		}
		if arcs == 2 {
			c.addFeature("pathw", step, " ", sentence[k].lemma)
		}
		if arcs < farthest {
			walkArcs(c, sentence, word, k, step, arcs+1)
		}
	}
}
