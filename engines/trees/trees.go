// Package trees provides binary trees that split rows by thresholds of columns: their response (response.go), how rows descend
// them, and how they are saved (saved.go). Methods grow them.
package trees

import (
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// Tree holds its nodes in an order in which children come after their parent, the left one before the right one.
type Tree struct {
	Nodes []Node
	Value []float64 // of the leaves, one after the other, the same number of values each
}

// Node splits rows by the value of a column, or is a leaf.
type Node struct {
	Threshold float64 // rows with a value up to it go left
	Column    int32   // or Leaf
	Next      int32   // the left child, which the right one follows; in a leaf, its number among the leaves
	Missing   Side    // where rows go that lack the value
}

// Side is a child of a node, for rows that lack its value.
type Side struct {
	Right   bool
	Learned bool // of training rows that lack it; else none did at the node, and it is the child of more weight
}

// Larger returns the side for values that no training row at a node lacks: the child whose rows weigh more, of equal ones the left one.
func Larger(left, right float64) Side { return Side{Right: right > left} }

// Leaf is the Column of a node without a split.
const Leaf = -1

// Between returns the threshold between neighbouring values a < b: their midpoint, or a if that rounds to b. It adds halves, since
// the sum of the values may overflow; halves of the smallest numbers are rounded.
func Between(a, b float64) float64 {
	if mid := float64(a/2) + float64(b/2); mid >= a && mid < b {
		return mid
	}
	return a
}

// ValueOf returns the value of a leaf, width numbers.
func (t *Tree) ValueOf(n Node, width int) []float64 {
	return t.Value[int(n.Next)*width : (int(n.Next)+1)*width]
}

// LeafOf returns the leaf of a row, given its values, NaN where one is missing.
func (t *Tree) LeafOf(row []float64) Node {
	n := t.Nodes[0]
	for n.Column != Leaf {
		next := n.Next
		if v := row[n.Column]; v > n.Threshold || v != v && n.Missing.Right {
			next++
		}
		n = t.Nodes[next]
	}
	return n
}

// Used returns the columns, out of the given number, on which trees split, rising.
func Used(all []*Tree, columns int) (used []int32) {
	uses := make([]bool, columns)
	for _, t := range all {
		for _, n := range t.Nodes {
			if n.Column != Leaf {
				uses[n.Column] = true
			}
		}
	}
	for j, yes := range uses {
		if yes {
			used = append(used, int32(j))
		}
	}
	return used
}

// Visit calls score for blocks of rows, from first up to last, with their values by column, row after row.
func Visit(in data.Inputs, columns int, score func(first, last int, value []float64)) {
	const room = 1 << 18 // numbers: a block of rows descends a tree together
	block := max(1, room/max(1, columns))
	value := make([]float64, min(block, in.Len())*columns)
	for first := 0; first < in.Len(); first += block {
		last := min(first+block, in.Len())
		for i := first; i < last; i++ {
			in.Row(i).AddTo(value[(i-first)*columns:(i-first+1)*columns], 1)
		}
		score(first, last, value)
		for i := first; i < last; i++ {
			for _, j := range in.Row(i).Idx {
				value[(i-first)*columns+int(j)] = 0
			}
		}
	}
}

// Row returns the values of a row by column.
func Row(row sparse.Vec, columns int) []float64 {
	value := make([]float64, columns)
	row.AddTo(value, 1)
	return value
}
