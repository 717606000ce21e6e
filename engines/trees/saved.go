package trees

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/engines/numeric/exact"
)

// State is a saved tree: nodes in breadth-first order, where the children of the nodes with a column, and the values of the leaves,
// follow in that order.
type State struct {
	Column    []int32      `json:"column"` // -1 for a leaf
	Threshold exact.Floats `json:"threshold"`
	Missing   string       `json:"missing,omitempty"` // where rows without a value go: l or r, a capital where training rows had none
	Value     exact.Floats `json:"value"`
}

// sides has the letter of each Side, by two bits: right, and not learned.
const sides = "lrLR"

func (s Side) letter() byte {
	k := 0
	if s.Right {
		k++
	}
	if !s.Learned {
		k += 2
	}
	return sides[k]
}

// Save returns the state of the tree, whose nodes must be in breadth-first order.
func (t *Tree) Save() State {
	s := State{Threshold: exact.Floats{}, Value: t.Value}
	var missing []byte
	for _, n := range t.Nodes {
		if s.Column = append(s.Column, n.Column); n.Column != Leaf {
			s.Threshold, missing = append(s.Threshold, n.Threshold), append(missing, n.Missing.letter())
		}
	}
	s.Missing = string(missing)
	return s
}

// Restore returns the tree, on the given number of columns, with width numbers a leaf.
func (s State) Restore(columns, width int) (*Tree, error) {
	t, splits := &Tree{Nodes: make([]Node, len(s.Column)), Value: s.Value}, 0
	if s.Missing == "" { // of before sides were known
		s.Missing = strings.Repeat("L", len(s.Threshold))
	}
	for k, j := range s.Column {
		switch {
		case j == Leaf:
			t.Nodes[k] = Node{Column: Leaf, Next: int32(k - splits)}
		case j < 0 || int(j) >= columns:
			return nil, fmt.Errorf("node %d splits on column %d, and there are %d", k, j, columns)
		case splits >= len(s.Threshold) || splits >= len(s.Missing) || 2*splits < k:
			return nil, errors.New("its nodes are no tree")
		default:
			side := strings.IndexByte(sides, s.Missing[splits])
			if side < 0 {
				return nil, fmt.Errorf("node %d: rows without a value go to %q, expected one of %s", k, s.Missing[splits], sides)
			}
			t.Nodes[k] = Node{Threshold: s.Threshold[splits], Column: j, Next: int32(2*splits + 1), Missing: Side{Right: side&1 != 0, Learned: side&2 == 0}}
			splits++
		}
	}
	if len(s.Column) != 2*splits+1 || len(s.Threshold) != splits || len(s.Missing) != splits || len(s.Value) != (splits+1)*width {
		return nil, fmt.Errorf("%d nodes, %d thresholds and %d values", len(s.Column), len(s.Threshold), len(s.Value))
	}
	if slices.ContainsFunc(s.Threshold, math.IsNaN) {
		return nil, errors.New("a threshold is no number")
	}
	for _, v := range s.Value {
		if v-v != 0 {
			return nil, fmt.Errorf("a leaf has the value %v", v)
		}
	}
	return t, nil
}
