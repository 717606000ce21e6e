// Package decided holds models of two classes with a cut of their own between them.
package decided

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/decision"
	"tenfold/engines/numeric/sparse"
)

// model is a model with another rule by which levels are predicted from its outputs. Outputs, coefficients and reports are those of the
// model.
type model struct {
	engines.Model
	features *data.Features
	decision decision.Rule
}

// New returns the model with the rule, for rows with these columns.
func New(m engines.Model, features *data.Features, decision decision.Rule) engines.Model {
	d := &model{m, features, decision}
	if scorer, ok := m.(engines.Scorer); ok {
		return &scoring{d, scorer}
	}
	return d
}

// Fitted returns the report of the model, with the rule.
func (m *model) Fitted() engines.Fitted {
	f := engines.Fitted{Best: -1}
	if r, ok := m.Model.(engines.Reporter); ok {
		f = r.Fitted()
	}
	f.Decision = &m.decision
	return f
}

// Close closes the model inside.
func (m *model) Close() { engines.Close(m.Model) }

// Importances returns what tells how columns came to be selected.
func (m *model) Importances() []engines.Coef { return engines.Entries(m.Model) }

// Selected returns the columns that the model uses without a coefficient for each.
func (m *model) Selected() []int32 {
	if s, ok := m.Model.(engines.Selective); ok {
		return s.Selected()
	}
	return nil
}

// Uses returns the columns that the model depends on.
func (m *model) Uses() []int32 { return engines.Uses(m.Model, m.features.Len()) }

// Biases returns the intercepts of the model.
func (m *model) Biases() []float64 { return engines.Biases(m.Model) }

// FeatureName returns the name of a column, or of a feature of the model's own.
func (m *model) FeatureName(j int) string {
	if namer, ok := m.Model.(engines.Namer); ok {
		return namer.FeatureName(j)
	}
	return m.features.Name(j)
}

// Kind is the name of models with a rule in model files.
const Kind = "decided"

type state struct {
	Decision decision.Rule `json:"decision"`
	Model    engines.Saved `json:"model"`
}

// Save returns the model inside, with the rule.
func (m *model) Save() (engines.Saved, error) {
	inside, err := engines.Save(m.Model)
	if err != nil {
		return engines.Saved{}, err
	}
	return engines.SaveAs(Kind, state{m.decision, inside})
}

// Restore returns the model that Save wrote.
func Restore(text json.RawMessage, features *data.Features, part engines.Part) (engines.Model, error) {
	var s state
	if err := engines.Decode(text, &s); err != nil {
		return nil, err
	}
	m, err := part(s.Model, features)
	if err != nil {
		return nil, err
	}
	if costs := s.Decision.Costs; costs != nil {
		if !squareOf(costs, m.Outputs()) {
			return nil, fmt.Errorf("costs %v of %d outputs, expected a finite number for each pair", costs, m.Outputs())
		}
		return New(m, features, s.Decision), nil
	}
	if m.Outputs() != 2 || s.Decision.Positive < 0 || s.Decision.Positive > 1 || s.Decision.Cut != s.Decision.Cut {
		return nil, fmt.Errorf("a cut at %v for level %d of %d outputs, expected a number, for level 0 or 1 of 2", s.Decision.Cut, s.Decision.Positive, m.Outputs())
	}
	return New(m, features, s.Decision), nil
}

// squareOf reports whether a matrix has n rows and columns of finite numbers.
func squareOf(matrix [][]float64, n int) bool {
	bad := func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
	return len(matrix) == n && !slices.ContainsFunc(matrix, func(row []float64) bool { return len(row) != n || slices.ContainsFunc(row, bad) })
}

// scoring is a model that can score single rows.
type scoring struct {
	*model
	scorer engines.Scorer
}

// Score fills dst with the outputs for one row.
func (m *scoring) Score(dst []float64, row sparse.Vec) { m.scorer.Score(dst, row) }
