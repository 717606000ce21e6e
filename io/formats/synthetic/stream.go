package synthetic

import (
	"fmt"

	"tenfold/io/formats/tuples"
)

// How the stream resembles text.
const (
	repeatOneIn    = 16 // tuples that occurred before, as a whole
	collocateOneIn = 4  // words drawn from the few partners of their neighbour
	partners       = 8
	otherTagOneIn  = 8 // occurrences of a word with its second tag
	leafOneIn      = 2 // constituents of one word
	freeOneIn      = 5 // relations that the two tags do not determine
)

// What a hash is for.
const (
	forStream = iota + 1
	forPartner
	forTag
	forOtherTag
	forRelation
	forChoice
	forCoefficient
	forNoise
	forRow
)

// stream draws ten-tuples that look like joins of a treebank: Zipf words with partners, tags that the word nearly
// determines, relations that the tags nearly determine, leaves, and exact repeats.
type stream struct {
	random                                         random
	seed                                           uint64
	words, near, tags, relations                   zipf
	table                                          *tuples.Table
	wordSymbol, tagSymbol, rightSymbol, leftSymbol []int32
}

func newStream(s Source) *stream {
	t := tuples.NewTuples()
	symbols := func(prefix string, n int) []int32 {
		list := make([]int32, n)
		for k := range list {
			list[k] = t.Symbol(fmt.Appendf(nil, "%s%d", prefix, k))
		}
		return list
	}
	seed := uint64(s.Seed)
	return &stream{
		random: random(hashNumbers(seed, forStream)), seed: seed, table: t,
		words: newZipf(s.Words), near: newZipf(partners), tags: newZipf(s.Tags), relations: newZipf(s.Relations),
		wordSymbol: symbols("w", s.Words), tagSymbol: symbols("t", s.Tags),
		rightSymbol: symbols(">r", s.Relations), leftSymbol: symbols("<r", s.Relations),
	}
}

// drawTuple draws one tuple and adds it.
func (s *stream) drawTuple() {
	if n := uint64(s.table.Len()); n > 0 && s.random.oneIn(repeatOneIn) {
		t := s.table.Tuple(int(mapBelow(s.random.uint64(), n)))
		s.table.Add(t[:]...)
		return
	}
	left := s.words.quantile(s.random.uint64())
	right := s.partnerOf(left)
	var t tuples.Tuple
	t[0], t[1], t[2], t[3], t[8] = s.drawConstituent(left)
	t[4], t[5], t[6], t[7], t[9] = s.drawConstituent(right)
	s.table.Add(t[:]...)
}

// drawConstituent draws what goes with a head word.
func (s *stream) drawConstituent(head uint64) (word, tag, modifier, modifierTag, relation int32) {
	headTag := s.tagOf(head)
	word, tag = s.wordSymbol[head], s.tagSymbol[headTag]
	if s.random.oneIn(leafOneIn) {
		return word, tag, tuples.Leaf, tuples.Leaf, tuples.Leaf
	}
	m := s.partnerOf(head)
	mTag := s.tagOf(m)
	return word, tag, s.wordSymbol[m], s.tagSymbol[mTag], s.relationOf(headTag, mTag)
}

func (s *stream) partnerOf(word uint64) uint64 {
	if s.random.oneIn(collocateOneIn) {
		return s.words.quantile(hashNumbers(s.seed, forPartner, word, s.near.quantile(s.random.uint64())))
	}
	return s.words.quantile(s.random.uint64())
}

func (s *stream) tagOf(word uint64) uint64 {
	if s.random.oneIn(otherTagOneIn) {
		return s.tags.quantile(hashNumbers(s.seed, forOtherTag, word))
	}
	return s.tags.quantile(hashNumbers(s.seed, forTag, word))
}

func (s *stream) relationOf(head, modifier uint64) int32 {
	u := hashNumbers(s.seed, forRelation, head, modifier)
	if s.random.oneIn(freeOneIn) {
		u = s.random.uint64()
	}
	side := s.rightSymbol
	if u&1 == 0 {
		side = s.leftSymbol
	}
	return side[s.relations.quantile(u)]
}
