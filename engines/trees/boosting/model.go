package boosting

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/trees"
)

// Model is trees, whose sum it predicts: logarithms of probabilities of the levels, a number, or the logarithm of a rate.
type Model struct {
	columns, levels int
	base            []float64 // by score
	trees           []*trees.Tree
	used            []int32        // columns of splits, rising
	important       []engines.Coef // of the selected columns
	fitted          engines.Fitted
}

func newModel(columns, levels int, base []float64, all []*trees.Tree) *Model {
	return &Model{columns: columns, levels: levels, base: base, trees: all, used: trees.Used(all, columns)}
}

// Outputs returns the number of outputs: one of a number, else one a level.
func (m *Model) Outputs() int { return max(1, m.levels) }

// Coefs there are none.
func (m *Model) Coefs() []engines.Coef { return nil }

// Selected returns the columns that trees split on, and those that are kept.
func (m *Model) Selected() []int32 {
	selected := slices.Clone(m.used)
	for _, c := range m.important {
		selected = append(selected, int32(c.Feature))
	}
	slices.Sort(selected)
	return slices.Compact(selected)
}

// Uses returns the columns that trees split on.
func (m *Model) Uses() []int32 { return slices.Clone(m.used) }

// Importances returns the importances of the selected columns.
func (m *Model) Importances() []engines.Coef { return slices.Clone(m.important) }

// Fitted tells how the fit went.
func (m *Model) Fitted() engines.Fitted { return m.fitted }

// Predict fills dst, row-major, in.Len() × Outputs(). A row costs O(entries + trees · depth).
func (m *Model) Predict(dst []float64, in data.Inputs) {
	width := m.Outputs()
	trees.Visit(in, m.columns, func(first, last int, value []float64) { m.scoreRows(dst[first*width:last*width], value) })
}

// Score fills dst with the outputs for one row.
func (m *Model) Score(dst []float64, row sparse.Vec) { m.scoreRows(dst, trees.Row(row, m.columns)) }

// scoreRows, whose values by column follow each other.
func (m *Model) scoreRows(dst, value []float64) {
	width, scores := m.Outputs(), len(m.base)
	for i := range len(dst) / width {
		copy(dst[i*width:], m.base)
	}
	for t, tree := range m.trees {
		for i := range len(dst) / width {
			leaf := tree.LeafOf(value[i*m.columns : (i+1)*m.columns])
			dst[i*width+t%scores] += tree.Value[leaf.Next]
		}
	}
	if m.levels == 0 {
		return
	}
	for i := range len(dst) / width {
		row := dst[i*width : (i+1)*width]
		if m.levels == 2 {
			row[0], row[1] = elementary.LogSigmoid(-row[0]), elementary.LogSigmoid(row[0])
		} else {
			elementary.LogSoftmax(row)
		}
	}
}

// SavedAs names models of this package that are kept.
const SavedAs = "boosted-trees"

type state struct {
	Levels     int            `json:"levels"`
	Base       exact.Floats   `json:"base"`
	Trees      []trees.State  `json:"trees"`
	Importance engines.Coefs  `json:"importance"`
	Fitted     engines.Fitted `json:"fitted"`
}

// Save returns the trees, and the importances.
func (m *Model) Save() (engines.Saved, error) {
	s := state{Levels: m.levels, Base: m.base, Trees: []trees.State{}, Importance: m.important, Fitted: m.fitted}
	for _, t := range m.trees {
		s.Trees = append(s.Trees, t.Save())
	}
	return engines.SaveAs(SavedAs, s)
}

// Restore restores a Model.
func Restore(text json.RawMessage, features *data.Features, _ engines.Part) (engines.Model, error) {
	var s state
	if err := engines.Decode(text, &s); err != nil {
		return nil, err
	}
	scores := 1
	if s.Levels > 2 {
		scores = s.Levels
	}
	if s.Levels < 0 || s.Levels == 1 || len(s.Base) != scores || len(s.Trees)%scores != 0 {
		return nil, fmt.Errorf("%d trees and %d scores for %d levels", len(s.Trees), len(s.Base), s.Levels)
	}
	for _, b := range s.Base {
		if b-b != 0 && !(scores > 1 && math.IsInf(b, -1)) { // a level without a row
			return nil, fmt.Errorf("a score begins at %v", b)
		}
	}
	if !slices.ContainsFunc(s.Base, func(b float64) bool { return b-b == 0 }) {
		return nil, fmt.Errorf("no level has a score")
	}
	if err := s.Importance.Check(features.Len(), 1); err != nil {
		return nil, fmt.Errorf("importance: %w", err)
	}
	all := make([]*trees.Tree, len(s.Trees))
	for k, saved := range s.Trees {
		var err error
		if all[k], err = saved.Restore(features.Len(), 1); err != nil {
			return nil, fmt.Errorf("tree %d: %w", k, err)
		}
	}
	m := newModel(features.Len(), s.Levels, s.Base, all)
	m.important, m.fitted = s.Importance, s.Fitted
	return m, nil
}
