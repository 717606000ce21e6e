package knp

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"tenfold/engines/data"
	"tenfold/io/source"
)

// corpus has the sentences that were read, in bunsetsu.
type corpus struct {
	lenient bool            // about heads outside their sentence
	implied *source.Implied // memory for rows and their columns
	symbols symbols

	documents []string
	sentences []sentence
	bunsetsu  []bunsetsu // of all sentences
	known     map[string]bool

	morphemes, outside int
	types              [len(types)]int
}

// sentence is a run of bunsetsu, numbered from 0 within it.
type sentence struct {
	id       string
	text     string // its morphemes
	document int32
	part     int8
	from, to int32
}

// bunsetsu is a phrase: what templates can look at.
type bunsetsu struct {
	head      int32 // number of the bunsetsu it depends on, or none
	words     [2]word
	particles []int32 // distinct lemmas of its particles, in their order
	marks     marks
}

// none is the head of what depends on no bunsetsu of its sentence.
const none = -1

// The two words that stand for a bunsetsu (Uchimoto, Sekine & Isahara 1999): the last one with a meaning of its own, and
// the last one that is no punctuation.
const (
	headWord = iota
	typeWord
)

// word holds the symbols of the fields of a morpheme.
type word [len(fieldNames)]int32

// marks are kinds of punctuation.
type marks uint8

const (
	comma  marks = 1 << iota // at the end of the bunsetsu
	period                   // at its end
	opens                    // a bracket that opens, anywhere
	closes
)

// types of dependency: ordinary, parallel, incomplete parallel, apposition.
const types = "DPIA"

func newCorpus(lenient bool) *corpus {
	return &corpus{lenient: lenient, implied: source.NewImplied(nil), symbols: newSymbols(), known: map[string]bool{}}
}

// sentence returns the bunsetsu of a sentence.
func (c *corpus) sentence(s int32) []bunsetsu {
	return c.bunsetsu[c.sentences[s].from:c.sentences[s].to]
}

// pairIDs returns the ids of rows: the sentence's, and the numbers of the two bunsetsu as the file has them.
func (c *corpus) pairIDs(rows []pair) []string {
	ids := make([]string, len(rows))
	for i, p := range rows {
		ids[i] = c.sentences[p.sentence].id + ":" + strconv.Itoa(int(p.m)) + "-" + strconv.Itoa(int(p.h))
	}
	return ids
}

func (c *corpus) groupPairs(by string, rows []pair) *data.Groups {
	values := make([]string, len(rows))
	for i, p := range rows {
		s := &c.sentences[p.sentence]
		if values[i] = s.text; by == byDocument {
			values[i] = c.documents[s.document]
		}
	}
	return data.GroupBy(by, values)
}

// partsOf tells training rows from test rows; it is an error where one of the two is empty.
func (c *corpus) partsOf(rows []pair) ([]int8, error) {
	parts := make([]int8, len(rows))
	for i, p := range rows {
		parts[i] = c.sentences[p.sentence].part
	}
	for side, name := range []string{"training", "test"} {
		if !slices.Contains(parts, int8(side)) {
			return nil, fmt.Errorf("no %s rows: its sentences, if any, have too few bunsetsu to make pairs", name)
		}
	}
	return parts, nil
}

func (c *corpus) factsOfReading() []data.Fact {
	leftward, crossing := 0, 0
	for s := range c.sentences {
		heads := c.sentence(int32(s))
		if hasCrossing(heads) {
			crossing++
		}
		for i, b := range heads {
			if b.head != none && int(b.head) <= i {
				leftward++
			}
		}
	}
	ofTypes := ""
	for k, n := range c.types {
		ofTypes += fmt.Sprintf(", %c %d", types[k], n)
	}
	return []data.Fact{
		{Name: "documents", Value: fmt.Sprint(len(c.documents))},
		{Name: "sentences", Value: fmt.Sprint(len(c.sentences))},
		{Name: "bunsetsu", Value: fmt.Sprint(len(c.bunsetsu)) + ofTypes},
		{Name: "morphemes", Value: fmt.Sprint(c.morphemes)},
		{Name: "heads that do not stand to the right", Value: fmt.Sprint(leftward)},
		{Name: "heads outside their sentence", Value: fmt.Sprint(c.outside)},
		{Name: "sentences with dependencies that cross", Value: fmt.Sprint(crossing)},
	}
}

// hasCrossing reports whether two dependencies of a sentence cross. Spans are visited from left to right, longer ones
// first; those that still span the place make a stack, the innermost on top, and a new one must end within it.
func hasCrossing(sentence []bunsetsu) bool {
	type span struct{ from, to int32 }
	var spans []span
	for i, b := range sentence {
		if b.head != none {
			spans = append(spans, span{min(int32(i), b.head), max(int32(i), b.head)})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var ends []int32
	for _, s := range spans {
		for len(ends) > 0 && ends[len(ends)-1] <= s.from {
			ends = ends[:len(ends)-1]
		}
		if len(ends) > 0 && ends[len(ends)-1] < s.to {
			return true
		}
		ends = append(ends, s.to)
	}
	return false
}
