package engines

import (
	"encoding/json"
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/numeric/sparse"
)

// Decision says how a level is predicted from the outputs of a class target of two levels, where that is not the level of the largest
// output: the positive one where its margin, its output less the other's, is at least Cut.
type Decision struct {
	Positive int         `json:"positive"`
	Cut      exact.Float `json:"cut"`
}

// Level returns the level that is predicted from the outputs for one row. A nil decision takes the largest output, the lowest level on
// ties.
func (d *Decision) Level(outputs []float64) int {
	if d == nil {
		return largest(outputs)
	}
	if d.Margin(outputs) >= float64(d.Cut) {
		return d.Positive
	}
	return 1 - d.Positive
}

// Margin returns how far the output of the positive level is above that of the other.
func (d *Decision) Margin(outputs []float64) float64 {
	return outputs[d.Positive] - outputs[1-d.Positive]
}

// largest returns the index of the largest number, the lowest on ties.
func largest(outputs []float64) int {
	best, most := 0, math.Inf(-1)
	for l, x := range outputs {
		if x > most {
			best, most = l, x
		}
	}
	return best
}

// decided is a model with another rule by which levels are predicted from its outputs. Outputs, coefficients and reports are those of the
// model.
type decided struct {
	Model
	features *data.Features
	decision Decision
}

// Decide returns the model with the rule, for rows with these columns.
func Decide(m Model, features *data.Features, decision Decision) Model {
	d := &decided{m, features, decision}
	if scorer, ok := m.(Scorer); ok {
		return &decidedScorer{d, scorer}
	}
	return d
}

// Fitted returns the report of the model, with the rule.
func (m *decided) Fitted() Fitted {
	f := Fitted{Best: -1}
	if r, ok := m.Model.(Reporter); ok {
		f = r.Fitted()
	}
	f.Decision = &m.decision
	return f
}

// Close closes the model inside.
func (m *decided) Close() { Close(m.Model) }

// Importances returns what tells how columns came to be selected.
func (m *decided) Importances() []Coef { return Entries(m.Model) }

// Selected returns the columns that the model uses without a coefficient for each.
func (m *decided) Selected() []int32 {
	if s, ok := m.Model.(Selective); ok {
		return s.Selected()
	}
	return nil
}

// Uses returns the columns that the model depends on.
func (m *decided) Uses() []int32 { return Uses(m.Model, m.features.Len()) }

// Biases returns the intercepts of the model.
func (m *decided) Biases() []float64 { return Biases(m.Model) }

// FeatureName returns the name of a column, or of a feature of the model's own.
func (m *decided) FeatureName(j int) string {
	if namer, ok := m.Model.(Namer); ok {
		return namer.FeatureName(j)
	}
	return m.features.Name(j)
}

// DecidedKind is the name of models with a rule in model files.
const DecidedKind = "decided"

type decidedState struct {
	Decision Decision `json:"decision"`
	Model    Saved    `json:"model"`
}

// Save returns the model inside, with the rule.
func (m *decided) Save() (Saved, error) {
	inside, err := Save(m.Model)
	if err != nil {
		return Saved{}, err
	}
	return SaveAs(DecidedKind, decidedState{m.decision, inside})
}

// RestoreDecided returns the model that Save wrote.
func RestoreDecided(text json.RawMessage, features *data.Features, part Part) (Model, error) {
	var s decidedState
	if err := Decode(text, &s); err != nil {
		return nil, err
	}
	m, err := part(s.Model, features)
	if err != nil {
		return nil, err
	}
	if m.Outputs() != 2 || s.Decision.Positive < 0 || s.Decision.Positive > 1 || s.Decision.Cut != s.Decision.Cut {
		return nil, fmt.Errorf("a cut at %v for level %d of %d outputs, expected a number, for level 0 or 1 of 2", s.Decision.Cut, s.Decision.Positive, m.Outputs())
	}
	return Decide(m, features, s.Decision), nil
}

// decidedScorer is a model that can score single rows.
type decidedScorer struct {
	*decided
	scorer Scorer
}

// Score fills dst with the outputs for one row.
func (m *decidedScorer) Score(dst []float64, row sparse.Vec) { m.scorer.Score(dst, row) }
