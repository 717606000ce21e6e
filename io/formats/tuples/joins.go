package tuples

import "fmt"

// Token is one word of a dependency tree. Tokens are numbered from 1 in their order.
type Token struct {
	Form, Tag, Relation int32 // symbols
	Head                int   // number of the head, 0 for a root
}

// Joins takes dependency trees apart into the joins of constituents that build them, from the leaves up:
//
//	build(h): cur = (form, tag of h; Leaf, Leaf; Leaf)
//	          for each dependent d of h, right ones first, nearest first:
//	              join cur with build(d), each on its own side
//	              cur = (form, tag of h; form, tag of d; way of d)
//
// where the way of d is its relation after > or <, the side on which it stands. Every join is a record, its
// answer its way. Several roots and crossing arcs are fine: the sides compare the positions of the heads.
type Joins struct {
	table *Table
	ways  map[byte]map[int32]int32 // symbol of each way, by side and the relation's symbol

	// One sentence; entry 0 of each list stands for the token that is not there.
	tokens     []Token
	way        []int32
	last       []int // the dependent joined last, 0 for none
	dependents []int // grouped by head, in the order they are joined
	next, end  []int // each head's dependents that are still to be joined
}

// NewJoins adds to a table of ten-tuples.
func NewJoins(t *Table) *Joins {
	return &Joins{table: t, ways: map[byte]map[int32]int32{'>': {}, '<': {}}}
}

// Add appends the joins of one sentence: as many as it has tokens that are not roots. A sentence whose heads do not make
// trees adds nothing; the error says why. O(tokens), however deep.
func (j *Joins) Add(sentence []Token) error {
	j.tokens = append(append(j.tokens[:0], Token{}), sentence...)
	if err := j.groupByHead(); err != nil {
		return err
	}
	for root := 1; root < len(j.tokens); root++ {
		if j.tokens[root].Head == 0 {
			j.buildTree(root)
		}
	}
	return nil
}

// buildTree needs no stack: the heads lead back up.
func (j *Joins) buildTree(root int) {
	for h := root; ; {
		if j.next[h] < j.end[h] {
			d := j.dependents[j.next[h]]
			j.next[h]++
			h = d
			continue
		}
		if h == root {
			return
		}
		d := h
		h = j.tokens[d].Head
		j.emitJoin(h, d)
		j.last[h] = d
	}
}

// emitJoin emits the record that attaches the finished constituent of d to that of h.
func (j *Joins) emitJoin(h, d int) {
	t, l, r := j.tokens, min(h, d), max(h, d)
	lm, rm := j.last[l], j.last[r]
	j.table.Add(
		t[l].Form, t[l].Tag, t[lm].Form, t[lm].Tag,
		t[r].Form, t[r].Tag, t[rm].Form, t[rm].Tag,
		j.way[lm], j.way[rm],
	)
	j.table.Answer(j.way[d])
}

// groupByHead checks the heads and groups the tokens by head: right dependents from left to right, then left ones from
// right to left. The roots are the dependents of 0.
func (j *Joins) groupByHead() error {
	n := len(j.tokens)
	j.way, j.last = zeroed(j.way, n), zeroed(j.last, n)
	j.next, j.end, j.dependents = zeroed(j.next, n), zeroed(j.end, n), zeroed(j.dependents, n)
	for d := 1; d < n; d++ {
		h := j.tokens[d].Head
		if h < 0 || h >= n {
			return fmt.Errorf("token %d has no head in the sentence", d)
		}
		j.end[h]++
	}
	start := 0
	for h, dependents := range j.end {
		j.next[h], j.end[h] = start, start
		start += dependents
	}
	for d := 1; d < n; d++ {
		if d > j.tokens[d].Head {
			j.placeDependent(d, '>')
		}
	}
	for d := n - 1; d > 0; d-- {
		if d <= j.tokens[d].Head {
			j.placeDependent(d, '<')
		}
	}
	if !j.isRooted() {
		return fmt.Errorf("the heads make a cycle")
	}
	return nil
}

func (j *Joins) placeDependent(d int, side byte) {
	h := j.tokens[d].Head
	j.dependents[j.end[h]] = d
	j.end[h]++
	j.way[d] = j.symbolOf(side, j.tokens[d].Relation)
}

func (j *Joins) symbolOf(side byte, relation int32) int32 {
	way, ok := j.ways[side][relation]
	if !ok {
		way = j.table.Symbol(append([]byte{side}, j.table.Text(relation)...))
		j.ways[side][relation] = way
	}
	return way
}

// isRooted reports whether every token is below a root. It uses last as its queue, and leaves it clear.
func (j *Joins) isRooted() bool {
	queue := append(j.last[:0], j.dependents[j.next[0]:j.end[0]]...)
	for k := 0; k < len(queue); k++ {
		h := queue[k]
		queue = append(queue, j.dependents[j.next[h]:j.end[h]]...)
	}
	clear(queue)
	return len(queue) == len(j.tokens)-1
}

// zeroed returns n zeros, in the storage of s where it is large enough.
func zeroed[T int | int32](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, 2*n)
	}
	s = s[:n]
	clear(s)
	return s
}
