package forest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/core/elementary"
	"tenfold/engines/core/exact"
	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
)

// Model is trees, whose mean it predicts: logarithms of shares of the levels, or a number.
type Model struct {
	columns, levels int
	trees           []*tree
	used            []int32        // columns of splits, rising
	important       []engines.Coef // of the selected columns
	fitted          engines.Fitted
}

func newModel(columns, levels int, trees []*tree) *Model {
	m := &Model{columns: columns, levels: levels, trees: trees}
	uses := make([]bool, columns)
	for _, t := range trees {
		for _, n := range t.nodes {
			if n.column != leaf {
				uses[n.column] = true
			}
		}
	}
	for j, yes := range uses {
		if yes {
			m.used = append(m.used, int32(j))
		}
	}
	return m
}

// Outputs is one of a number, else one a level.
func (m *Model) Outputs() int { return max(1, m.levels) }

// Coefs there are none.
func (m *Model) Coefs() []engines.Coef { return nil }

// Selected are the columns of importance above 0.
func (m *Model) Selected() []int32 {
	columns := make([]int32, len(m.important))
	for k, c := range m.important {
		columns[k] = int32(c.Feature)
	}
	return columns
}

// Importances of the selected columns.
func (m *Model) Importances() []engines.Coef { return slices.Clone(m.important) }

// Uses are the columns that trees split on, of whatever importance.
func (m *Model) Uses() []int32 { return slices.Clone(m.used) }

// Fitted tells how the fit went.
func (m *Model) Fitted() engines.Fitted { return m.fitted }

// Predict fills dst, row-major, in.Len() × Outputs(). A row costs O(entries + trees · depth).
func (m *Model) Predict(dst []float64, in data.Inputs) {
	const room = 1 << 18 // numbers: a block of rows goes through a tree together
	width, block := m.Outputs(), max(1, room/max(1, m.columns))
	value := make([]float64, min(block, in.Len())*m.columns)
	for first := 0; first < in.Len(); first += block {
		last := min(first+block, in.Len())
		for i := first; i < last; i++ {
			in.Row(i).AddTo(value[(i-first)*m.columns:(i-first+1)*m.columns], 1)
		}
		m.scoreRows(dst[first*width:last*width], value)
		for i := first; i < last; i++ {
			for _, j := range in.Row(i).Idx {
				value[(i-first)*m.columns+int(j)] = 0
			}
		}
	}
}

// Score fills dst with the outputs for one row.
func (m *Model) Score(dst []float64, row sparse.Vec) {
	value := make([]float64, m.columns)
	row.AddTo(value, 1)
	m.scoreRows(dst, value)
}

// scoreRows, whose values by column follow each other.
func (m *Model) scoreRows(dst, value []float64) {
	width := m.Outputs()
	clear(dst)
	for _, t := range m.trees {
		for i := range len(dst) / width {
			row := value[i*m.columns : (i+1)*m.columns]
			for k, v := range t.valueOf(t.leafOf(row), width) {
				dst[i*width+k] += v
			}
		}
	}
	for k := range dst {
		if dst[k] /= float64(len(m.trees)); m.levels > 0 {
			dst[k] = elementary.Log(dst[k])
		}
	}
}

// leafOf a row, by its values.
func (t *tree) leafOf(row []float64) node {
	n := t.nodes[0]
	for n.column != leaf {
		next := n.next
		if row[n.column] > n.threshold {
			next++
		}
		n = t.nodes[next]
	}
	return n
}

// SavedAs names models of this package that are kept.
const SavedAs = "forest"

type state struct {
	Levels     int            `json:"levels"`
	Trees      []treeState    `json:"trees"`
	Importance engines.Coefs  `json:"importance"`
	Fitted     engines.Fitted `json:"fitted"`
}

// treeState is nodes in their order: those with a column have the next two below them, those without the next value.
type treeState struct {
	Column    []int32      `json:"column"` // -1 of a leaf
	Threshold exact.Floats `json:"threshold"`
	Value     exact.Floats `json:"value"`
}

// Save is the trees, and the importances.
func (m *Model) Save() (engines.Saved, error) {
	s := state{Levels: m.levels, Importance: m.important, Fitted: m.fitted}
	for _, t := range m.trees {
		one := treeState{Threshold: exact.Floats{}, Value: t.value}
		for _, n := range t.nodes {
			if one.Column = append(one.Column, n.column); n.column != leaf {
				one.Threshold = append(one.Threshold, n.threshold)
			}
		}
		s.Trees = append(s.Trees, one)
	}
	return engines.SaveAs(SavedAs, s)
}

// Restore restores a Model.
func Restore(text json.RawMessage, features *data.Features, _ engines.Part) (engines.Model, error) {
	var s state
	if err := engines.Decode(text, &s); err != nil {
		return nil, err
	}
	if s.Levels < 0 || s.Levels == 1 || len(s.Trees) == 0 {
		return nil, fmt.Errorf("%d trees for %d levels", len(s.Trees), s.Levels)
	}
	if err := s.Importance.Check(features.Len(), 1); err != nil {
		return nil, fmt.Errorf("importance: %w", err)
	}
	trees := make([]*tree, len(s.Trees))
	for k, saved := range s.Trees {
		var err error
		if trees[k], err = saved.restore(features.Len(), s.Levels); err != nil {
			return nil, fmt.Errorf("tree %d: %w", k, err)
		}
	}
	m := newModel(features.Len(), s.Levels, trees)
	m.important, m.fitted = s.Importance, s.Fitted
	return m, nil
}

func (s treeState) restore(columns, levels int) (*tree, error) {
	t, splits := &tree{nodes: make([]node, len(s.Column)), value: s.Value}, 0
	for k, j := range s.Column {
		switch {
		case j == leaf:
			t.nodes[k] = node{column: leaf, next: int32(k - splits)}
		case j < 0 || int(j) >= columns:
			return nil, fmt.Errorf("node %d splits on column %d, and there are %d", k, j, columns)
		case splits >= len(s.Threshold) || 2*splits < k:
			return nil, errors.New("its nodes are no tree")
		default:
			t.nodes[k] = node{s.Threshold[splits], j, int32(2*splits + 1)}
			splits++
		}
	}
	if len(s.Column) != 2*splits+1 || len(s.Threshold) != splits || len(s.Value) != (splits+1)*max(1, levels) {
		return nil, fmt.Errorf("%d nodes, %d thresholds and %d values", len(s.Column), len(s.Threshold), len(s.Value))
	}
	for _, v := range s.Value {
		if v-v != 0 || levels > 0 && !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("a leaf has the value %v", v)
		}
	}
	if slices.ContainsFunc(s.Threshold, math.IsNaN) {
		return nil, errors.New("a threshold is no number")
	}
	return t, nil
}
