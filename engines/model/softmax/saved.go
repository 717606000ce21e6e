package softmax

import (
	"encoding/json"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/exact"
)

// SavedAs is the name of this package's models in model files.
const SavedAs = "log-linear"

type state struct {
	Bias   exact.Floats   `json:"bias"` // by class
	Coefs  engines.Coefs  `json:"coefs"`
	Fitted engines.Fitted `json:"fitted"`
}

// Save returns the biases, the weights and the report of the fit.
func (m *Model) Save() (engines.Saved, error) {
	return engines.SaveAs(SavedAs, state{m.bias, m.Coefs(), m.fitted})
}

// Restore returns the Model that Save wrote.
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
