package knp

import "tenfold/io/source"

// defaultTemplates is the list named default: the features of Uchimoto, Sekine & Isahara (1999), Kudo & Matsumoto (2002)
// and Sassano (2004), as far as they can be told from the two bunsetsu, their neighbours and what is between. Those
// authors left combinations to a kernel, or list them partly; the combinations are ours.
var defaultTemplates = source.Templates{
	// Each bunsetsu by itself.
	"m.head.lemma", "m.head.pos m.head.subpos", "m.head.conjtype", "m.head.conjform",
	"m.type.lemma", "m.type.pos m.type.subpos", "m.type.conjtype", "m.type.conjform",
	"m.particles", "m.comma", "m.opens", "m.closes", "m.edge",
	"h.head.lemma", "h.head.pos h.head.subpos", "h.head.conjtype", "h.head.conjform",
	"h.type.lemma", "h.type.pos h.type.subpos", "h.type.conjtype", "h.type.conjform",
	"h.particles", "h.comma", "h.period", "h.opens", "h.closes",
	// What is between.
	"distance", "between.particles", "between.comma", "between.opens", "between.closes",
	"distance between.comma m.comma",
	// Words with words.
	"m.head.lemma h.head.lemma", "m.head.lemma m.type.lemma h.head.lemma", "m.type.lemma h.head.lemma", "m.particles h.head.lemma",
	"m.type.lemma h.type.lemma", "m.particles h.particles", "m.head.lemma h.type.lemma",
	// Words with parts of speech.
	"m.head.lemma h.head.pos h.head.subpos", "m.head.pos m.head.subpos h.head.lemma",
	"m.type.lemma h.head.pos h.head.subpos", "m.type.lemma m.type.conjform h.head.pos h.type.pos h.type.conjform",
	"m.type.lemma m.comma h.head.pos h.head.subpos", "m.type.lemma m.comma h.head.pos distance", "m.particles h.head.pos h.type.pos",
	"m.head.pos m.type.lemma m.comma h.head.pos h.type.lemma h.comma",
	// Parts of speech with parts of speech.
	"m.head.pos m.head.subpos m.type.pos m.type.subpos h.head.pos h.head.subpos", "m.type.pos m.type.subpos m.type.conjform h.head.pos h.head.subpos",
	"m.type.pos m.type.subpos m.type.conjform m.comma h.head.pos h.type.pos h.type.conjform distance",
	// With distance and what is between.
	"m.type.lemma distance", "m.type.lemma m.comma distance", "h.head.pos h.type.lemma distance", "m.type.lemma h.type.lemma distance",
	"m.type.lemma m.comma h.type.lemma h.comma distance", "m.particles between.particles", "m.type.lemma between.particles h.head.pos",
	"m.type.lemma m.comma between.comma", "m.type.lemma m.comma between.comma h.type.lemma h.comma",
	// Neighbours.
	"m-1.type.lemma m.head.lemma", "m-1.type.lemma m.head.pos m.type.lemma",
	"m.type.lemma m+1.head.pos m+1.type.lemma h.head.pos", "m.type.lemma h-1.type.lemma h.head.pos",
	"m.type.lemma h.head.pos h+1.head.pos", "m.type.lemma h.type.lemma h+1.head.pos h+1.type.lemma", "h.type.lemma h+1.head.lemma", "h.type.lemma h.comma h+1.type.lemma h+1.comma",
}
