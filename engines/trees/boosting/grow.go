package boosting

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/parallel"
	"tenfold/engines/trees"
)

// grower grows trees, one after the other, and keeps the work space.
type grower struct {
	e        Boosted
	x        *binned
	features *data.Features
	kept     []int32 // columns that every tree may split on
	weight   data.Weights
	workers  int
	looked   int64 // columns at nodes

	price price
	word  []int64 // by row
	may   []bool  // by column; nil: all
	drawn int     // columns that may be split on
	block []int   // blocks with one of these

	rows, rest []int32 // those that the tree is grown on and the others; those of a node together, rising
	nodes      []grown
	open       []int32 // nodes with a split, to be made

	free [][][]int64 // histograms
	room []room      // by worker
}

// room of a worker.
type room struct {
	rows []int32
	mark []bool
}

// grown is a node of the tree that grows.
type grown struct {
	rows, rest [2]int // spans
	depth      int
	word       int64 // sum
	histogram  [][]int64
	split      split
	left       int32 // of the two below, which follow each other; 0: a leaf
}

// nodesAtOnce is how many nodes are split at once.
const nodesAtOnce = 16

func newGrower(e Boosted, x *binned, rows *data.View, workers int) *grower {
	g := &grower{e: e, x: x, features: rows.Features(), kept: rows.Kept(), weight: rows.Weights(), workers: workers, word: make([]int64, rows.Len()), room: make([]room, max(1, workers))}
	for k := range g.room {
		g.room[k].mark = make([]bool, rows.Len())
	}
	return g
}

// grow grows the splits of a tree on rows, which take the others along. A seed draws the columns.
func (g *grower) grow(ctx context.Context, rows, rest []int32, seed [2]uint64) error {
	g.rows, g.rest = append(g.rows[:0], rows...), append(g.rest[:0], rest...)
	g.drawColumns(seed)
	root := grown{rows: [2]int{0, len(rows)}, rest: [2]int{0, len(rest)}}
	for _, i := range rows {
		root.word += g.word[i]
	}
	g.nodes, g.open = append(g.nodes[:0], root), g.open[:0]
	if err := g.evaluate(ctx, []siblings{{parent: -1, small: 0, large: -1}}); err != nil {
		return err
	}
	for leaves := 1; len(g.open) > 0; {
		batch := g.take()
		if leaves += len(batch); g.e.MaxLeaves > 0 && leaves == g.e.MaxLeaves {
			g.release(g.open...)
			g.open = g.open[:0]
		}
		if err := g.evaluate(ctx, g.divide(batch, g.e.MaxLeaves > 0 && leaves == g.e.MaxLeaves)); err != nil {
			return err
		}
	}
	return nil
}

// take takes the nodes to split next: the latest ones, so that few histograms are kept; where leaves are limited the one that gains most.
func (g *grower) take() []int32 {
	if g.e.MaxLeaves == 0 {
		n := max(0, len(g.open)-nodesAtOnce)
		batch := slices.Clone(g.open[n:])
		g.open = g.open[:n]
		return batch
	}
	best := 0
	for k, node := range g.open {
		if g.nodes[node].split.gain > g.nodes[g.open[best]].split.gain*tie {
			best = k
		}
	}
	node := g.open[best]
	g.open = slices.Delete(g.open, best, best+1)
	return []int32{node}
}

// weigh returns the weight of some rows.
func (g *grower) weigh(rows []int32) (sum float64) {
	if g.weight == nil {
		return float64(len(rows))
	}
	for _, i := range rows {
		sum += g.weight[i]
	}
	return sum
}

// siblings is two nodes below one, the one with fewer rows and the other; -1: none.
type siblings struct{ parent, small, large int32 }

// divide divides the rows of some nodes by their splits, and makes the nodes below.
func (g *grower) divide(batch []int32, last bool) []siblings {
	type part struct {
		rows, rest int
		word       int64
	}
	parts := make([]part, len(batch))
	parallel.Numbered(g.workers, len(batch), func(worker, k int) {
		n, room := &g.nodes[batch[k]], &g.room[worker]
		rows, rest := g.rows[n.rows[0]:n.rows[1]], g.rest[n.rest[0]:n.rest[1]]
		room.rows = slices.Grow(room.rows[:0], max(len(rows), len(rest)))
		p, s, missing := &parts[k], &n.split, 0
		s.threshold, s.reach = g.x.cuts[s.column].between(s.last, s.next)
		if p.rows, missing = g.x.partition(rows, s, room.rows, room.mark); missing > 0 {
			s.missing.Learned = true
		} else {
			s.missing = trees.Larger(g.weigh(rows[:p.rows]), g.weigh(rows[p.rows:]))
		}
		if len(rest) > 0 {
			p.rest, _ = g.x.partition(rest, s, room.rows, room.mark)
		}
		smaller := rows[:p.rows]
		if 2*p.rows > len(rows) {
			smaller = rows[p.rows:]
		}
		for _, i := range smaller {
			p.word += g.word[i]
		}
		if 2*p.rows > len(rows) {
			p.word = n.word - p.word
		}
	})
	var pairs []siblings
	for k, node := range batch {
		left, p := int32(len(g.nodes)), parts[k]
		n := &g.nodes[node]
		n.left = left
		one := grown{rows: [2]int{n.rows[0], n.rows[0] + p.rows}, rest: [2]int{n.rest[0], n.rest[0] + p.rest}, depth: n.depth + 1, word: p.word}
		other := grown{rows: [2]int{one.rows[1], n.rows[1]}, rest: [2]int{one.rest[1], n.rest[1]}, depth: n.depth + 1, word: n.word - p.word}
		b := siblings{node, left, left + 1}
		if 2*p.rows > n.rows[1]-n.rows[0] {
			b.small, b.large = b.large, b.small
		}
		g.nodes = append(g.nodes, one, other)
		if last || !g.mayDivide(left) && !g.mayDivide(left+1) {
			g.release(node)
		} else {
			pairs = append(pairs, b)
		}
	}
	return pairs
}

// mayDivide reports whether a node could have a split.
func (g *grower) mayDivide(node int32) bool {
	n := g.nodes[node]
	_, second := sums(n.word)
	return (g.e.MaxDepth == 0 || n.depth < g.e.MaxDepth) && n.rows[1]-n.rows[0] > 1 && second >= 2*g.price.minSecond
}

// evaluate finds the splits of nodes, by their histograms: of two nodes below one, the smaller is added up, and the other has the rest.
func (g *grower) evaluate(ctx context.Context, pairs []siblings) error {
	type task struct {
		siblings
		small, large [][]int64
		found        [2][]split // by block
	}
	tasks := make([]task, len(pairs))
	for k, b := range pairs {
		t := task{siblings: b, small: g.histogram()}
		if t.found[0] = make([]split, len(g.block)); b.parent >= 0 {
			t.large, t.found[1] = g.nodes[b.parent].histogram, make([]split, len(g.block))
			g.nodes[b.parent].histogram = nil
		}
		tasks[k] = t
	}
	if len(pairs) == 0 {
		return context.Cause(ctx)
	}
	w := parallel.NewWatch(ctx)
	parallel.Each(g.workers, len(tasks)*len(g.block), func(k int) {
		if w.Ended() {
			return
		}
		t, blockIndex := &tasks[k/len(g.block)], k%len(g.block)
		b := g.x.blocks[g.block[blockIndex]]
		h := t.small[g.block[blockIndex]]
		n := &g.nodes[t.siblings.small]
		b.addUp(h, g.rows[n.rows[0]:n.rows[1]], g.word)
		if t.found[0][blockIndex] = (split{column: -1}); g.mayDivide(t.siblings.small) {
			s := newSearch(g.price, n.word, g.may)
			t.found[0][blockIndex] = s.look(b, h)
		}
		if t.parent < 0 {
			return
		}
		if t.found[1][blockIndex] = (split{column: -1}); g.mayDivide(t.siblings.large) {
			rest := t.large[g.block[blockIndex]]
			subtract(rest, h)
			s := newSearch(g.price, g.nodes[t.siblings.large].word, g.may)
			t.found[1][blockIndex] = s.look(b, rest)
		}
	})
	if w.Ended() {
		return context.Cause(ctx)
	}
	for _, t := range tasks {
		g.splitNode(t.siblings.small, t.small, t.found[0])
		if t.parent >= 0 {
			g.splitNode(t.siblings.large, t.large, t.found[1])
		}
	}
	return nil
}

// splitNode gives a node its split, the best of those found in the blocks.
func (g *grower) splitNode(node int32, histogram [][]int64, found []split) {
	n := &g.nodes[node]
	if n.split = (split{column: -1}); g.mayDivide(node) {
		g.looked += int64(g.drawn)
	}
	for _, s := range found {
		if s.column >= 0 && (n.split.column < 0 || s.better(n.split)) {
			n.split = s
		}
	}
	if n.histogram = histogram; n.split.column < 0 {
		g.release(node)
		return
	}
	g.open = append(g.open, node)
}

// histogram returns one to be filled.
func (g *grower) histogram() [][]int64 {
	if n := len(g.free); n > 0 {
		h := g.free[n-1]
		g.free = g.free[:n-1]
		return h
	}
	h := make([][]int64, len(g.x.blocks))
	for k, b := range g.x.blocks {
		h[k] = make([]int64, b.size())
	}
	return h
}

// release releases the histograms of nodes.
func (g *grower) release(nodes ...int32) {
	for _, node := range nodes {
		if n := &g.nodes[node]; n.histogram != nil {
			g.free, n.histogram = append(g.free, n.histogram), nil
		}
	}
}

// drawColumns draws the columns that the tree may split on, beside those that are kept.
func (g *grower) drawColumns(seed [2]uint64) {
	g.block = g.block[:0]
	var varying []int32
	for _, b := range g.x.blocks {
		varying = append(varying, b.column...)
	}
	if g.drawn = len(varying); g.e.ColumnShare < 1 {
		g.features.SortByName(varying)
		rng := rand.New(rand.NewPCG(seed[0], seed[1]))
		g.may = make([]bool, len(g.x.spots))
		varies := len(varying)
		varying = slices.DeleteFunc(varying, func(j int32) bool {
			_, g.may[j] = slices.BinarySearch(g.kept, j)
			return g.may[j]
		})
		g.drawn = min(len(varying), max(1, int(math.Round(g.e.ColumnShare*float64(len(varying))))))
		for k := range g.drawn {
			other := k + rng.IntN(len(varying)-k)
			varying[k], varying[other] = varying[other], varying[k]
			g.may[varying[k]] = true
		}
		g.drawn += varies - len(varying)
	}
	for k, b := range g.x.blocks {
		if g.may == nil || slices.ContainsFunc(b.column, func(j int32) bool { return g.may[j] }) {
			g.block = append(g.block, k)
		}
	}
}

// tree returns what was grown, its nodes breadth first and its leaves without values; of each node its number here, and of each leaf.
func (g *grower) tree() (t *trees.Tree, from, leaves []int32) {
	t, from = &trees.Tree{Nodes: []trees.Node{{}}}, []int32{0}
	for k := 0; k < len(t.Nodes); k++ {
		n := &g.nodes[from[k]]
		if n.left == 0 {
			t.Nodes[k] = trees.Node{Column: trees.Leaf, Next: int32(len(leaves))}
			leaves = append(leaves, from[k])
			continue
		}
		t.Nodes[k] = trees.Node{Threshold: n.split.threshold, Column: n.split.column, Next: int32(len(t.Nodes)), Missing: n.split.missing}
		t.Nodes, from = append(t.Nodes, trees.Node{}, trees.Node{}), append(from, n.left, n.left+1)
	}
	t.Value = make([]float64, len(leaves))
	return t, from, leaves
}
