package forest

import (
	"encoding/json"
	"fmt"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/trees"
)

// Model is trees, whose mean it predicts: logarithms of shares of the levels, a number, or the logarithm of a rate or of a mortality.
type Model struct {
	columns, levels int
	mortalities     bool // values are mortalities
	rates           bool // values are rates
	trees           []*tree
	used            []int32        // columns of splits, rising
	important       []engines.Coef // of the selected columns
	fitted          engines.Fitted
}

func newModel(columns, levels int, grown []*tree) *Model {
	return &Model{columns: columns, levels: levels, trees: grown, used: trees.Used(grown, columns)}
}

// Outputs returns the number of outputs: one of a number, else one a level.
func (m *Model) Outputs() int { return max(1, m.levels) }

// Coefs there are none.
func (m *Model) Coefs() []engines.Coef { return nil }

// Selected returns the columns of importance above 0.
func (m *Model) Selected() []int32 {
	columns := make([]int32, len(m.important))
	for k, c := range m.important {
		columns[k] = int32(c.Feature)
	}
	return columns
}

// Importances returns the importances of the selected columns.
func (m *Model) Importances() []engines.Coef { return slices.Clone(m.important) }

// Uses returns the columns that trees split on, of whatever importance.
func (m *Model) Uses() []int32 { return slices.Clone(m.used) }

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
	width := m.Outputs()
	clear(dst)
	for _, t := range m.trees {
		for i := range len(dst) / width {
			row := value[i*m.columns : (i+1)*m.columns]
			for k, v := range t.ValueOf(t.LeafOf(row), width) {
				dst[i*width+k] += v
			}
		}
	}
	for k := range dst {
		dst[k] /= float64(len(m.trees))
		switch {
		case m.levels > 0 || m.rates:
			dst[k] = elementary.Log(dst[k])
		case m.mortalities:
			dst[k] = risk(dst[k])
		}
	}
}

// SavedAs names models of this package that are kept.
const SavedAs = "forest"

type state struct {
	Levels      int            `json:"levels"`
	Mortalities bool           `json:"lives,omitempty"`
	Rates       bool           `json:"rates,omitempty"`
	Trees       []trees.State  `json:"trees"`
	Importance  engines.Coefs  `json:"importance"`
	Fitted      engines.Fitted `json:"fitted"`
}

// Save returns the trees, and the importances.
func (m *Model) Save() (engines.Saved, error) {
	s := state{Levels: m.levels, Mortalities: m.mortalities, Rates: m.rates, Importance: m.important, Fitted: m.fitted}
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
	if s.Levels < 0 || s.Levels == 1 || (s.Mortalities || s.Rates) && s.Levels > 0 || len(s.Trees) == 0 {
		return nil, fmt.Errorf("%d trees for %d levels", len(s.Trees), s.Levels)
	}
	if err := s.Importance.Check(features.Len(), 1); err != nil {
		return nil, fmt.Errorf("importance: %w", err)
	}
	grown := make([]*tree, len(s.Trees))
	for k, saved := range s.Trees {
		var err error
		if grown[k], err = saved.Restore(features.Len(), max(1, s.Levels)); err != nil {
			return nil, fmt.Errorf("tree %d: %w", k, err)
		}
		for _, share := range saved.Value {
			if s.Levels > 0 && !(share >= 0 && share <= 1) || (s.Mortalities || s.Rates) && share < 0 {
				return nil, fmt.Errorf("tree %d: a leaf has the value %v", k, share)
			}
		}
	}
	m := newModel(features.Len(), s.Levels, grown)
	m.mortalities, m.rates, m.important, m.fitted = s.Mortalities, s.Rates, s.Importance, s.Fitted
	return m, nil
}
