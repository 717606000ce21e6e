package targets

import (
	"encoding/json"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
)

// SavedAs names models of several targets that are kept.
const SavedAs = "several"

type state struct {
	Parts []engines.Saved `json:"parts"` // by target
}

// Save returns the models of the targets.
func (m *targetModels) Save() (engines.Saved, error) {
	s := state{make([]engines.Saved, len(m.parts))}
	for t, part := range m.parts {
		var err error
		if s.Parts[t], err = engines.Save(part); err != nil {
			return engines.Saved{}, err
		}
	}
	return engines.SaveAs(SavedAs, s)
}

// Restore restores the models of several targets.
func Restore(text json.RawMessage, features *data.Features, part engines.Part) (engines.Model, error) {
	var s state
	if err := engines.Decode(text, &s); err != nil {
		return nil, err
	}
	if len(s.Parts) == 0 {
		return nil, fmt.Errorf("it is of no target")
	}
	parts := make([]engines.Model, len(s.Parts))
	for t, saved := range s.Parts {
		var err error
		if parts[t], err = part(saved, features); err != nil {
			return nil, err
		}
		_, scores := parts[t].(engines.Scorer)
		reporter, reports := parts[t].(engines.Reporter)
		if !scores || !reports || reporter.Fitted().Certificate == nil {
			return nil, fmt.Errorf("target %d: its model, of kind %s, is not one of a lasso", t, saved.Kind)
		}
	}
	return joinModels(parts), nil
}
