package forest

import (
	"math"
	"math/rand/v2"
	"slices"
)

// weighed is a number of a column.
type weighed struct {
	column int32
	value  float64
}

// impurity returns by how much the splits on each column that the tree uses decrease the impurity, as shares of the weight of its sample
// (Breiman 2001; Breiman et al. 1984, section 5.3.4).
func (g *grower) impurity(t *tree) []weighed {
	gains, weight := make([]weighed, 0, len(t.Nodes)/2), 0.0
	for k, n := range t.Nodes {
		if n.Column != leaf {
			gains = append(gains, weighed{n.Column, g.work[k].gain})
		}
	}
	for _, i := range g.rows {
		weight += float64(g.row[i].count)
	}
	slices.SortStableFunc(gains, func(a, b weighed) int { return int(a.column - b.column) })
	out := gains[:0]
	for _, w := range gains {
		w.value /= weight
		if n := len(out); n > 0 && out[n-1].column == w.column {
			out[n-1].value += w.value
		} else {
			out = append(out, w)
		}
	}
	return out
}

// outOfBag is the rows out of a tree's bag, in its nodes.
type outOfBag struct {
	out  []int32 // rising
	leaf []int32 // of each, the number of its leaf
	nth  []int32 // by training row: its place in out

	rows []int32 // out, those of a node together
	span [][2]int
	loss []float64 // of each of out
}

// sendOutOfBag lets the rows that the sample lacks, and that count, down the tree.
func (g *grower) sendOutOfBag(a *outOfBag, t *tree, y *response) {
	a.out = a.out[:0]
	if a.nth == nil {
		a.nth = make([]int32, len(g.row))
	}
	for i, r := range g.row {
		if r.count == 0 && y.weight.Of(i) > 0 {
			a.nth[i] = int32(len(a.out))
			a.out = append(a.out, int32(i))
		}
	}
	n := len(a.out)
	a.rows, a.leaf, a.loss = append(a.rows[:0], a.out...), slices.Grow(a.leaf[:0], n)[:n], slices.Grow(a.loss[:0], n)[:n]
	a.span = append(a.span[:0], [2]int{0, n})
	for k, node := range t.Nodes {
		s := a.span[k]
		rows := a.rows[s[0]:s[1]]
		if node.Column != leaf {
			g.buffer = slices.Grow(g.buffer[:0], len(rows))
			mid := s[0] + g.x.part(rows, node.Column, g.work[k].reach, node.Missing.Right, g.buffer)
			a.span = append(a.span, [2]int{s[0], mid}, [2]int{mid, s[1]})
			continue
		}
		value := t.ValueOf(node, y.width())
		for _, i := range rows {
			a.leaf[a.nth[i]], a.loss[a.nth[i]] = node.Next, y.loss(i, value)
		}
	}
}

// permutation returns by how much the mean loss of the rows aside rises when the values of a column are permuted among them, for each
// column that the tree uses (Breiman 2001, section 10): for the others nothing changes. permute gives, for so many rows, the place of
// the one whose value each gets. A row's prediction can change only where it passes a split on the column: it goes on from the first.
func (g *grower) permutation(a *outOfBag, t *tree, y *response, permute func(j int32, n int) []int32) []weighed {
	weight := 0.0
	for _, i := range a.out {
		weight += y.weight.Of(int(i))
	}
	var rises []weighed
	var places []int32
	for _, k := range topSplits(t) {
		j := t.Nodes[k].Column
		if n := len(rises); n == 0 || rises[n-1].column != j {
			rises, places = append(rises, weighed{column: j}), permute(j, len(a.out))
		}
		rise := &rises[len(rises)-1].value
		for _, i := range a.rows[a.span[k][0]:a.span[k][1]] {
			code := g.x.codeOf(a.out[places[a.nth[i]]], j)
			if code == g.x.codeOf(i, j) {
				continue
			}
			after := y.loss(i, t.ValueOf(t.Nodes[g.leafBelow(t, k, i, j, code)], y.width()))
			*rise += float64(y.weight.Of(int(i)) * (after - a.loss[a.nth[i]]))
		}
	}
	for k := range rises {
		rises[k].value /= weight
	}
	return rises
}

// leafBelow node k, of row i with another code in column j.
func (g *grower) leafBelow(t *tree, k, i, j int32, code uint32) int32 {
	for t.Nodes[k].Column != leaf {
		n, c := t.Nodes[k], code
		if n.Column != j {
			c = g.x.codeOf(i, n.Column)
		}
		goesLeft := g.x.col[n.Column].goesLeft(c, g.work[k].reach, n.Missing.Right)
		if k = n.Next; !goesLeft {
			k++
		}
	}
	return k
}

// topSplits returns the nodes that split on a column as none above them does, by column.
func topSplits(t *tree) []int32 {
	parent := make([]int32, len(t.Nodes))
	var tops []int32
	for k, n := range t.Nodes {
		if n.Column == leaf {
			continue
		}
		parent[n.Next], parent[n.Next+1] = int32(k), int32(k)
		top := true
		for up := int32(k); up > 0 && top; {
			up = parent[up]
			top = t.Nodes[up].Column != n.Column
		}
		if top {
			tops = append(tops, int32(k))
		}
	}
	slices.SortStableFunc(tops, func(a, b int32) int { return int(t.Nodes[a].Column - t.Nodes[b].Column) })
	return tops
}

// permuting draws the permutations of a tree: of each column its own.
func permuting(seed, tree uint64) func(j int32, n int) []int32 {
	source := rand.NewPCG(0, 0)
	rng := rand.New(source)
	var places []int32
	return func(j int32, n int) []int32 {
		source.Seed(seed, below(tree, uint64(j)))
		places = places[:0]
		for k := range n {
			other := rng.IntN(k + 1)
			places = append(places, int32(k))
			places[k], places[other] = places[other], int32(k)
		}
		return places
	}
}

// scores of the columns are added up tree by tree.
type scores struct {
	sum, squares []float64
	trees        int
}

func newScores(columns int) scores {
	return scores{make([]float64, columns), make([]float64, columns), 0}
}

func (s *scores) add(tree []weighed) {
	s.trees++
	for _, w := range tree {
		s.sum[w.column] += w.value
		s.squares[w.column] += float64(w.value * w.value)
	}
}

// means over the trees; with z each is divided by its standard error, where there is one.
func (s *scores) means(z bool) []float64 {
	out, n := make([]float64, len(s.sum)), float64(s.trees)
	for j := range out {
		mean := s.sum[j] / n
		out[j] = mean
		if variance := s.squares[j]/n - float64(mean*mean); z && variance > 1e-12*s.squares[j]/n {
			out[j] = mean / math.Sqrt(variance/n)
		}
	}
	return out
}
