package subset

import (
	"encoding/json"
	"errors"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
)

// SavedAs names models of this package that are kept.
const SavedAs = "on-some-columns"

type state struct {
	Parts  []partState    `json:"parts"` // by target
	Fitted engines.Fitted `json:"fitted"`
}

type partState struct {
	Columns []int32       `json:"columns"`
	Model   engines.Saved `json:"model"`
}

// Save returns the models of the targets, and which columns they are on.
func (m *joint) Save() (engines.Saved, error) {
	s := state{make([]partState, len(m.parts)), m.fitted}
	for t, p := range m.parts {
		model, err := engines.Save(p.model)
		if err != nil {
			return engines.Saved{}, err
		}
		s.Parts[t] = partState{p.columns, model}
	}
	return engines.SaveAs(SavedAs, s)
}

// Restore restores the model of the oracle or of random columns.
func Restore(text json.RawMessage, features *data.Features, part engines.Part) (engines.Model, error) {
	var s state
	if err := engines.Decode(text, &s); err != nil {
		return nil, err
	}
	if len(s.Parts) == 0 {
		return nil, errors.New("it is of no target")
	}
	m := &joint{fitted: s.Fitted}
	for t, p := range s.Parts {
		if err := engines.CheckPicked(p.Columns, features.Len()); err != nil {
			return nil, err
		}
		model, err := part(p.Model, features.Keep(p.Columns))
		if err != nil {
			return nil, err
		}
		if err := m.join(p.Columns, model); err != nil {
			return nil, fmt.Errorf("target %d: %w", t, err)
		}
	}
	return m, nil
}
