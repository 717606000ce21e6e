package knp

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/suggest"
)

// value looks at a pair.
type value struct {
	text string
	look look
}

// look appends what it sees: particles are any number of distinct symbols, all else is one.
type look func(c *corpus, p pair, dst []int32) []int32

// markNames are the names of punctuation in templates.
var markNames = []struct {
	name string
	mark marks
}{{"comma", comma}, {"period", period}, {"opens", opens}, {"closes", closes}}

func markOf(name string) (marks, bool) {
	for _, m := range markNames {
		if m.name == name {
			return m.mark, true
		}
	}
	return 0, false
}

func parseValue(text string) (look, error) {
	if text == "distance" {
		return appendDistance, nil
	}
	place, attribute, found := strings.Cut(text, ".")
	if !found {
		return nil, errors.New("expected a place and what to look at there, such as m.head.lemma, h-1.particles or between.comma; or distance")
	}
	if place == "between" {
		if attribute == "particles" {
			return particlesBetween, nil
		}
		if mark, ok := markOf(attribute); ok {
			return markBetween(mark), nil
		}
		return nil, fmt.Errorf("between has no %q%s", attribute, describeChoices(attribute, "particles", "comma", "period", "opens", "closes"))
	}
	where, ok := parsePlace(place)
	if !ok {
		return nil, fmt.Errorf("the place %q is none of m, h, between, or m or h with + or - and a digit, such as m-1", place)
	}
	if attribute == "particles" {
		return where.appendParticles, nil
	}
	see, err := parseAttribute(attribute)
	return where.lookAt(see), err
}

// place is a bunsetsu so many places after one of the pair.
type place struct {
	ofHead bool
	offset int
}

func parsePlace(text string) (where place, ok bool) {
	if text == "" || text[0] != 'm' && text[0] != 'h' {
		return where, false
	}
	where.ofHead = text[0] == 'h'
	switch text = text[1:]; {
	case text == "":
		return where, true
	case len(text) != 2 || text[1] < '1' || text[1] > '9':
		return where, false
	case text[0] == '+':
		where.offset = int(text[1] - '0')
	case text[0] == '-':
		where.offset = -int(text[1] - '0')
	}
	return where, where.offset != 0
}

func (w place) indexIn(p pair) int {
	if w.ofHead {
		return int(p.h) + w.offset
	}
	return int(p.m) + w.offset
}

// lookAt returns a look at the place, which sees before or after beyond the ends of the sentence.
func (w place) lookAt(see func(sentence []bunsetsu, i int) int32) look {
	return func(c *corpus, p pair, dst []int32) []int32 {
		sentence, i := c.sentence(p.sentence), w.indexIn(p)
		switch {
		case i < 0:
			return append(dst, before)
		case i >= len(sentence):
			return append(dst, after)
		}
		return append(dst, see(sentence, i))
	}
}

func (w place) appendParticles(c *corpus, p pair, dst []int32) []int32 {
	sentence, i := c.sentence(p.sentence), w.indexIn(p)
	if i < 0 || i >= len(sentence) {
		return dst
	}
	return append(dst, sentence[i].particles...)
}

// parseAttribute returns the function that reads an attribute of one bunsetsu, other than its particles.
func parseAttribute(text string) (see func(sentence []bunsetsu, i int) int32, err error) {
	if text == "edge" {
		return edgeSymbol, nil
	}
	if mark, ok := markOf(text); ok {
		return func(sentence []bunsetsu, i int) int32 { return yesNo(sentence[i].marks&mark != 0) }, nil
	}
	word, field, found := strings.Cut(text, ".")
	which := slices.Index([]string{headWord: "head", typeWord: "type"}, word)
	if which < 0 {
		return nil, fmt.Errorf("a bunsetsu has no %q%s", word, describeChoices(word, "head", "type", "particles", "comma", "period", "opens", "closes", "edge"))
	}
	k := slices.Index(fieldNames[:], field)
	if !found || k < 0 {
		return nil, fmt.Errorf("a word has no %q%s", field, describeChoices(field, fieldNames[:]...))
	}
	return func(sentence []bunsetsu, i int) int32 { return sentence[i].words[which][k] }, nil
}

func describeChoices(name string, known ...string) string {
	return suggest.DidYouMean(name, known) + " (have " + strings.Join(known, ", ") + ")"
}

func edgeSymbol(sentence []bunsetsu, i int) int32 {
	switch i {
	case 0:
		return firstOf
	case len(sentence) - 1:
		return lastOf
	}
	return innerOf
}

func appendDistance(_ *corpus, p pair, dst []int32) []int32 {
	switch d := p.h - p.m; {
	case d == 1:
		return append(dst, near)
	case d <= 5:
		return append(dst, middling)
	}
	return append(dst, far)
}

// bunsetsuBetween returns those that stand between the two.
func (c *corpus) bunsetsuBetween(p pair) []bunsetsu { return c.sentence(p.sentence)[p.m+1 : p.h] }

func particlesBetween(c *corpus, p pair, dst []int32) []int32 {
	from := len(dst)
	for _, b := range c.bunsetsuBetween(p) {
		for _, s := range b.particles {
			if !slices.Contains(dst[from:], s) {
				dst = append(dst, s)
			}
		}
	}
	return dst
}

func markBetween(mark marks) look {
	return func(c *corpus, p pair, dst []int32) []int32 {
		found := slices.ContainsFunc(c.bunsetsuBetween(p), func(b bunsetsu) bool { return b.marks&mark != 0 })
		return append(dst, yesNo(found))
	}
}
