package loglinear

import (
	"encoding/json"

	"tenfold/engines"
	"tenfold/engines/core/exact"
	"tenfold/engines/data"
)

// SavedAs names models of this package that are kept.
const SavedAs = "log-linear"

type state struct {
	Bias   exact.Floats   `json:"bias"` // by class
	Coefs  engines.Coefs  `json:"coefs"`
	Fitted engines.Fitted `json:"fitted"`
}

// Save is the biases, the weights and how the fit went.
func (m *Model) Save() (engines.Saved, error) {
	return engines.SaveAs(SavedAs, state{m.bias, m.coefs, m.fitted})
}

// Restore restores a Model.
func Restore(text json.RawMessage, features *data.Features, _ engines.Part) (engines.Model, error) {
	var s state
	if err := engines.Decode(text, &s); err != nil {
		return nil, err
	}
	if err := s.Coefs.Check(features.Len(), len(s.Bias)); err != nil {
		return nil, err
	}
	return NewModel(features.Len(), s.Bias, s.Coefs, s.Fitted), nil
}
