package bylevel

import (
	"encoding/json"
	"errors"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/exact"
)

// SavedAs is the name of this package's models in model files.
const SavedAs = "one-vs-rest"

type state struct {
	Parts  []*engines.Saved `json:"parts"` // by level, null for a level without a model
	Share  exact.Floats     `json:"share"` // of the training rows, by level
	Fitted engines.Fitted   `json:"fitted"`
}

// Save returns the models of the levels, and the shares of the levels.
func (m *Model) Save() (engines.Saved, error) {
	s := state{make([]*engines.Saved, len(m.parts)), m.share, m.fitted}
	for level, part := range m.parts {
		if part == nil {
			continue
		}
		saved, err := engines.Save(part)
		if err != nil {
			return engines.Saved{}, err
		}
		s.Parts[level] = &saved
	}
	return engines.SaveAs(SavedAs, s)
}

// Restore returns the Model that Save wrote.
func Restore(text json.RawMessage, features *data.Features, part engines.Part) (engines.Model, error) {
	var s state
	if err := engines.Decode(text, &s); err != nil {
		return nil, err
	}
	switch {
	case len(s.Parts) == 0:
		return nil, errors.New("it has no level")
	case len(s.Share) != len(s.Parts):
		return nil, fmt.Errorf("%d levels, and shares of %d", len(s.Parts), len(s.Share))
	}
	parts := make([]engines.Model, len(s.Parts))
	for level, saved := range s.Parts {
		if saved == nil {
			continue
		}
		var err error
		if parts[level], err = part(*saved, features); err != nil {
			return nil, fmt.Errorf("level %d: %w", level, err)
		}
		if n := parts[level].Outputs(); n != 2 {
			return nil, fmt.Errorf("level %d: its model, of kind %s, has %d outputs, expected two", level, saved.Kind, n)
		}
	}
	return newModel(features, s.Share, parts, s.Fitted), nil
}
