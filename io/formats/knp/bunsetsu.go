package knp

import (
	"slices"
)

// Parts of speech of JUMAN, and subdivisions of punctuation.
const (
	particle    = "助詞"
	punctuation = "特殊"
	suffix      = "接尾辞"
	copula      = "判定詞"
	auxiliary   = "助動詞"

	commaSign  = "読点"
	periodSign = "句点"
	opening    = "括弧始"
	closing    = "括弧終"
)

// makeBunsetsu makes a bunsetsu of its morphemes, one at least.
func (c *corpus) makeBunsetsu(head int, content []morpheme) bunsetsu {
	b := bunsetsu{head: int32(head), marks: marksOf(content)}
	typed := lastMorpheme(content, punctuation)
	meaning := lastMorpheme(content[:typed+1], punctuation, particle, suffix, copula, auxiliary)
	b.words[typeWord], b.words[headWord] = c.wordOf(content[typed]), c.wordOf(content[meaning])
	for _, m := range content {
		if string(m[pos]) == particle {
			if s := c.symbols.symbolOf(m[lemma]); !slices.Contains(b.particles, s) {
				b.particles = append(b.particles, s)
			}
		}
	}
	return b
}

// lastMorpheme returns the place of the last morpheme that is none of the parts of speech; of the very last, when all are.
func lastMorpheme(content []morpheme, except ...string) int {
	for k := len(content) - 1; k >= 0; k-- {
		if !slices.Contains(except, string(content[k][pos])) {
			return k
		}
	}
	return len(content) - 1
}

func (c *corpus) wordOf(m morpheme) (w word) {
	for k, text := range m {
		w[k] = c.symbols.symbolOf(text)
	}
	return w
}

func marksOf(content []morpheme) (found marks) {
	atEnd := true
	for k := len(content) - 1; k >= 0; k-- {
		m := content[k]
		if string(m[pos]) != punctuation {
			atEnd = false
			continue
		}
		switch sub := m[subpos]; {
		case atEnd && string(sub) == commaSign:
			found |= comma
		case atEnd && string(sub) == periodSign:
			found |= period
		case string(sub) == opening:
			found |= opens
		case string(sub) == closing:
			found |= closes
		}
	}
	return found
}

// symbols numbers texts. The first numbers are values that are no text of the corpus.
type symbols struct {
	text   []string
	number map[string]int32
}

const (
	before int32 = iota // beyond the beginning of the sentence
	after               // beyond its end
	yes
	no
	firstOf // place in the sentence
	innerOf
	lastOf
	near // distance
	middling
	far
)

func newSymbols() symbols {
	return symbols{
		text:   []string{before: "^", after: "$", yes: "yes", no: "no", firstOf: "first", innerOf: "inner", lastOf: "last", near: "1", middling: "2-5", far: "6+"},
		number: map[string]int32{},
	}
}

func (s *symbols) symbolOf(text []byte) int32 {
	n, known := s.number[string(text)]
	if !known {
		n = int32(len(s.text))
		word := string(text)
		s.number[word] = n
		s.text = append(s.text, word)
	}
	return n
}

func yesNo(b bool) int32 {
	if b {
		return yes
	}
	return no
}
