package main

import "slices"

// tuple is a pair of arcs in a sentence: on the left and on the right a word with its tag, the word it depends on with its tag,
// and the relation of the two.
type tuple [10]uint64

func (t *tuple) key(salt uint64) uint64 {
	for _, v := range t {
		salt = mix(salt ^ v)
	}
	return salt
}

// tuples is a stream of them: words by Zipf's law and with collocations, tags by word, exact repeats.
type tuples struct {
	stream
	seed                     uint64
	words, tags, rels, short zipf
	repeat                   uint64 // of a thousand tuples, those that repeat an earlier one
	seen                     []tuple
}

// drawTuples draws n.
func drawTuples(seed uint64, n, words int, repeat uint64) []tuple {
	s := &tuples{stream: stream{hash(seed, 1)}, seed: seed, repeat: repeat,
		words: newZipf(words, 1), tags: newZipf(45, 2), rels: newZipf(40, 2), short: newZipf(12, 1)}
	for range n {
		s.draw()
	}
	return s.seen
}

// beside draws a word that stands beside another one: in a fifth of the cases one of the twelve that go with it.
func (s *tuples) beside(other, salt uint64) uint64 {
	if below(s.next(), 100) < 20 {
		k := s.short.rank(s.next())
		return s.words.rank(hash(s.seed, salt, other, k))
	}
	return s.words.rank(s.next())
}

func (s *tuples) tag(word uint64) uint64 {
	if below(s.next(), 100) < 88 {
		return s.tags.rank(hash(s.seed, 11, word))
	}
	return s.tags.rank(hash(s.seed, 12, word))
}

func (s *tuples) relation(a, b uint64) uint64 {
	if below(s.next(), 100) < 80 {
		return s.rels.rank(hash(s.seed, 13, a, b))
	}
	return s.rels.rank(s.next())
}

func (s *tuples) draw() {
	if len(s.seen) > 1000 && below(s.next(), 1000) < s.repeat {
		s.seen = append(s.seen, s.seen[below(s.next(), uint64(len(s.seen)))])
		return
	}
	var t tuple
	t[0] = s.words.rank(s.next())
	t[1] = s.tag(t[0])
	t[2] = s.beside(t[0], 21)
	t[3] = s.tag(t[2])
	t[4] = s.relation(t[1], t[3])
	t[5] = s.beside(t[0], 22)
	t[6] = s.tag(t[5])
	t[7] = s.beside(t[5], 23)
	t[8] = s.tag(t[7])
	t[9] = s.relation(t[6], t[8])
	s.seen = append(s.seen, t)
}

// templates28 are the conjunctions of positions that columns of problem A stand for.
var templates28 = [][]int{
	{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9},
	{0, 1}, {2, 3}, {5, 6}, {7, 8},
	{1, 6}, {0, 5}, {0, 6}, {1, 5}, {4, 9}, {1, 3, 4}, {6, 8, 9},
	{0, 2}, {1, 4}, {1, 3, 6}, {6, 8}, {1, 3}, {4, 6}, {1, 9},
}

// templates24 returns the 24 of templates28 without words and tags that stand alone on the far side, for problem B.
func templates24() [][]int {
	var some [][]int
	for k, t := range templates28 {
		if k != 2 && k != 3 && k != 7 && k != 8 {
			some = append(some, t)
		}
	}
	return some
}

// templates36 returns templates28 and eight more, for problem C.
func templates36() [][]int {
	return slices.Concat(templates28, [][]int{{2, 5}, {2, 7}, {0, 7}, {3, 5}, {1, 7}, {2, 6, 9}, {0, 6, 9}, {4, 5, 6}})
}

// patterns are tuples seen through templates: each row has one pattern a template.
type patterns struct {
	rows     [][]int32
	count    []int32 // of each pattern, its rows
	template []int32 // of each pattern
}

// extract numbers patterns in the order in which they come, template by template.
func extract(ts []tuple, templates [][]int, seed uint64) *patterns {
	p := &patterns{rows: make([][]int32, len(ts))}
	all := make([]int32, len(ts)*len(templates))
	for i := range p.rows {
		p.rows[i] = all[i*len(templates) : (i+1)*len(templates)]
	}
	numbers := map[uint64]int32{}
	for j, positions := range templates {
		for i := range ts {
			h := hash(seed, 31, uint64(j))
			for _, position := range positions {
				h = mix(h ^ ts[i][position] ^ uint64(position)<<32)
			}
			number, known := numbers[h]
			if !known {
				number = int32(len(p.count))
				numbers[h] = number
				p.count = append(p.count, 0)
				p.template = append(p.template, int32(j))
			}
			p.count[number]++
			p.rows[i][j] = number
		}
	}
	return p
}

// columns numbers the patterns that are kept from 0, in their order; others get −1.
func (p *patterns) columns(keep func(pattern int) bool) (column []int32, n int) {
	column = make([]int32, len(p.count))
	for k := range column {
		column[k] = -1
		if keep(k) {
			column[k] = int32(n)
			n++
		}
	}
	return column, n
}

// ones returns the columns that a row has, in the memory of into.
func (p *patterns) ones(row int, column []int32, into []int32) []int32 {
	into = into[:0]
	for _, k := range p.rows[row] {
		if j := column[k]; j >= 0 {
			into = append(into, j)
		}
	}
	return into
}
