package forest

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"

	"tenfold/engines/trees"
)

// A tree's nodes stand in the order in which they are made: breadth first. Leaves have shares of the levels, or the mean.
type (
	tree = trees.Tree
	node = trees.Node
)

const leaf = trees.Leaf

// rule says when a node is split.
type rule struct {
	mtry     int // columns looked at
	minLeaf  int64
	minSplit int64
	maxDepth int // 0: any
}

// order is that in which a node looks at columns.
type order interface {
	begin(node uint64) // by its key
	next() int32
	end()
}

// grower grows trees, one after the other, and keeps the work space.
type grower struct {
	x     *columns
	y     *response
	rule  rule
	order order

	row    []place // by training row
	rows   []int32 // those of the sample; those of a node together, rising
	work   []span  // by node
	search search
	looked int64 // columns at nodes

	batch       []int32
	slot        []int32    // by column: 1 + its place in the batch, 0 of others
	found       [][]uint64 // by place in the batch: keys of a sparse column in the node
	keys, spare []uint64
	bucket      []int32
	buffer      []int32
}

// place of a training row in the tree.
type place struct{ node, count, level int32 }

const absent = -1 // node of a row that is not in the sample

// span is the rows of a node, and what only growing needs to know of it.
type span struct {
	from, to int
	depth    int
	key      uint64
	reach    uint32  // code of the largest training value of its column that goes left, whether or not in the node
	gain     float64 // decrease of impurity, times the weight of the sample
}

func newGrower(x *columns, y *response, r rule, o order) *grower {
	g := &grower{x: x, y: y, rule: r, order: o, row: make([]place, x.rows), slot: make([]int32, len(x.col)), found: make([][]uint64, r.mtry)}
	for i := range g.row {
		g.row[i].level = y.levelOf(i)
	}
	g.search = newSearch(y, g.row, r.minLeaf)
	return g
}

// grow grows a tree on a sample that has each row count times, some row at least; key is that of its root.
func (g *grower) grow(ctx context.Context, count []int32, key uint64) (*tree, error) {
	g.rows = g.rows[:0]
	for i, c := range count {
		g.row[i].node, g.row[i].count = absent, c
		if c > 0 {
			g.row[i].node = 0
			g.rows = append(g.rows, int32(i))
		}
	}
	t := &tree{Nodes: []node{{}}}
	g.work = append(g.work[:0], span{to: len(g.rows), key: key})
	for k := 0; k < len(t.Nodes); k++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		s := g.work[k]
		rows := g.rows[s.from:s.to]
		g.search.begin(rows)
		if !g.bestSplit(k, rows) {
			t.Nodes[k] = node{Column: leaf, Next: int32(len(t.Value) / g.y.width())}
			t.Value = g.search.appendValue(t.Value)
			continue
		}
		best, next := g.search.best(), len(t.Nodes)
		values := g.x.col[best.column].value
		missing, gain := trees.Larger(float64(best.left.weight), float64(best.right.weight)), best.gain()
		if g.x.col[best.column].gaps {
			missing, gain = g.placeMissing(rows, best, missing)
		}
		t.Nodes[k] = node{Threshold: trees.Between(values[best.below], values[best.above]), Column: best.column, Next: int32(next), Missing: missing}
		g.work[k].reach, g.work[k].gain = reach(values, best, t.Nodes[k].Threshold), gain
		g.buffer = slices.Grow(g.buffer[:0], len(rows))
		mid := s.from + g.x.part(rows, best.column, best.below, missing.Right, g.buffer)
		g.work = append(g.work, span{from: s.from, to: mid, depth: s.depth + 1, key: below(s.key, 0)}, span{from: mid, to: s.to, depth: s.depth + 1, key: below(s.key, 1)})
		for side, child := range g.work[next:] {
			for _, i := range g.rows[child.from:child.to] {
				g.row[i].node = int32(next + side)
			}
		}
		t.Nodes = append(t.Nodes, node{}, node{})
	}
	return t, nil
}

// reach returns the largest code of values up to a threshold: rows outside the sample may have values between those of a split.
func reach(values []float64, s split, threshold float64) uint32 {
	return s.below + uint32(sort.Search(int(s.above-s.below), func(k int) bool { return values[int(s.below)+k] > threshold })) - 1
}

// below returns the key of a node's child on a side: a hash of the path from the root, so that what is drawn at a node does not depend on
// the order of work.
func below(key uint64, side uint64) uint64 {
	key += 0x9E3779B97F4A7C15 * (side + 1) // splitmix64: Steele, Lea and Flood 2014
	key = (key ^ key>>30) * 0xBF58476D1CE4E5B9
	key = (key ^ key>>27) * 0x94D049BB133111EB
	return key ^ key>>31
}

// goesLeft reports whether rows of a code go left, where codes up to below do, and missing ones go right or not.
func (c *column) goesLeft(code, below uint32, missingRight bool) bool {
	return code <= below || c.gaps && !missingRight && code == c.missing()
}

// part puts the rows that go left before the others, each in their order, and tells how many they are. room has the capacity of rows.
func (c *columns) part(rows []int32, j int32, below uint32, missingRight bool, room []int32) int {
	left := 0
	for _, i := range rows {
		if c.col[j].goesLeft(c.codeOf(i, j), below, missingRight) {
			rows[left] = i
			left++
		} else {
			room = append(room, i)
		}
	}
	copy(rows[left:], room)
	return left
}

// bestSplit returns the best split of node k: that of the columns at which every node looks (always.split.variables of ranger) and of the
// first mtry others in its order, or of the next one that splits it.
func (g *grower) bestSplit(k int, rows []int32) bool {
	s := &g.search
	if s.weight < g.rule.minSplit || s.weight < 2*g.rule.minLeaf || s.pure || g.rule.maxDepth > 0 && g.work[k].depth >= g.rule.maxDepth {
		return false
	}
	g.order.begin(g.work[k].key)
	defer g.order.end()
	g.batch = append(g.batch[:0], g.x.always...)
	for left, size, first := len(g.x.col)-len(g.x.always), g.rule.mtry, true; (first || left > 0) && !s.found; size, first = 2*size, false {
		for range min(size, left) {
			g.batch = append(g.batch, g.order.next())
			left--
		}
		byRow := g.gather(rows)
		for slot, j := range g.batch {
			if s.found && !first {
				break
			}
			g.looked++
			col := &g.x.col[j]
			var keys []uint64
			switch {
			case col.code != nil:
				keys = g.denseKeys(k, rows, col)
			case byRow:
				keys = g.sorted(g.found[slot])
			default:
				keys = g.among(k, col.byKey)
			}
			known, missing := col.divide(keys)
			s.look(j, known, missing, col.zero, col.code == nil)
		}
		g.batch = g.batch[:0]
	}
	return s.found
}

// gather gathers the keys of the batch's sparse columns from the rows, where these have fewer entries than the columns.
func (g *grower) gather(rows []int32) bool {
	inColumns, inRows := 0, 0
	for _, j := range g.batch {
		if g.x.col[j].code == nil {
			inColumns += len(g.x.col[j].byKey)
		}
	}
	for _, i := range rows {
		if inRows += len(g.x.row(i)); inRows > inColumns {
			return false
		}
	}
	for len(g.found) < len(g.batch) {
		g.found = append(g.found, nil)
	}
	for k, j := range g.batch {
		g.slot[j], g.found[k] = int32(k+1), g.found[k][:0]
	}
	for _, i := range rows {
		for _, e := range g.x.row(i) {
			if slot := g.slot[e.column] - 1; slot >= 0 {
				g.found[slot] = append(g.found[slot], uint64(e.code)<<32|uint64(i))
			}
		}
	}
	for _, j := range g.batch {
		g.slot[j] = 0
	}
	return true
}

// scanFrom is the share of the rows that a node has from which on a column is scanned in order of its values, rather than the node's
// rows sorted: 1/scanFrom.
const scanFrom = 6

// denseKeys returns the keys of a dense column in node k.
func (g *grower) denseKeys(k int, rows []int32, col *column) []uint64 {
	if scanFrom*len(rows) > g.x.rows {
		return g.among(k, col.byKey)
	}
	g.keys = slices.Grow(g.keys[:0], len(rows))[:len(rows)]
	for nth, i := range rows {
		g.keys[nth] = uint64(col.code[i])<<32 | uint64(i)
	}
	return g.sorted(g.keys)
}

// among keys those of node k.
func (g *grower) among(k int, all []uint64) []uint64 {
	g.keys = slices.Grow(g.keys[:0], len(all))[:len(all)]
	n := 0
	for _, key := range all {
		g.keys[n] = key
		if g.row[uint32(key)].node == int32(k) {
			n++
		}
	}
	return g.keys[:n]
}

// sorted returns keys, whose rows rise, in the order of their codes. They are put into as many buckets as there are keys, or up to twice as many,
// by their codes, and those of a bucket in order then. Codes are ranks, so that most buckets have one or two; where some have many, keys
// are counted a digit after the other.
func (g *grower) sorted(keys []uint64) []uint64 {
	const few, many = 40, 32
	if len(keys) <= few {
		insert(keys)
		return keys
	}
	first, last := keys[0]>>32, keys[0]>>32
	for _, key := range keys {
		first, last = min(first, key>>32), max(last, key>>32)
	}
	if first == last {
		return keys
	}
	g.spare = slices.Grow(g.spare[:0], len(keys))[:len(keys)]
	shift := 32 + max(0, bits.Len64(last-first)-bits.Len(uint(len(keys))))
	base := first << 32
	buckets := int((last<<32-base)>>shift) + 1
	g.bucket = slices.Grow(g.bucket[:0], buckets)[:buckets]
	clear(g.bucket)
	for _, key := range keys {
		g.bucket[(key-base)>>shift]++
	}
	before, most := int32(0), int32(0)
	for b, n := range g.bucket {
		g.bucket[b] = before
		before += n
		most = max(most, n)
	}
	if shift > 32 && most > many {
		return g.sortedByDigits(keys, last)
	}
	for _, key := range keys {
		b := (key - base) >> shift
		g.spare[g.bucket[b]] = key
		g.bucket[b]++
	}
	if shift > 32 {
		insert(g.spare)
	}
	return g.spare
}

// insert puts keys in order, one after the other among those before it: quick where each is near its place.
func insert(keys []uint64) {
	for k := 1; k < len(keys); k++ {
		key, slot := keys[k], k
		for ; slot > 0 && keys[slot-1] > key; slot-- {
			keys[slot] = keys[slot-1]
		}
		keys[slot] = key
	}
}

// sortedByDigits sorts by counting, a digit of the codes up to last after the other.
func (g *grower) sortedByDigits(keys []uint64, last uint64) []uint64 {
	from, to := keys, g.spare
	for shift := 32; last>>(shift-32) > 0; shift += 8 {
		var next [257]int32
		for _, key := range from {
			next[1+int(uint8(key>>shift))]++
		}
		for d := range 256 {
			next[d+1] += next[d]
		}
		for _, key := range from {
			d := uint8(key >> shift)
			to[next[d]] = key
			next[d]++
		}
		from, to = to, from
	}
	return from
}

// drawn is numbers in the order of a permutation that is drawn anew each time, such as the columns for each node.
type drawn struct {
	number  []int32 // as given between end and begin
	swapped []int32
	seed    func(high, low uint64)
	rng     *rand.Rand
}

func newDrawn(numbers []int32) *drawn {
	source := rand.NewPCG(0, 0)
	return &drawn{number: numbers, seed: source.Seed, rng: rand.New(source)}
}

func (d *drawn) begin(key uint64) { d.seed(key, 0) }

func (d *drawn) next() int32 {
	n := len(d.swapped)
	other := n + d.rng.IntN(len(d.number)-n)
	d.number[n], d.number[other] = d.number[other], d.number[n]
	d.swapped = append(d.swapped, int32(other))
	return d.number[n]
}

func (d *drawn) end() {
	for k := len(d.swapped) - 1; k >= 0; k-- {
		other := d.swapped[k]
		d.number[k], d.number[other] = d.number[other], d.number[k]
	}
	d.swapped = d.swapped[:0]
}
