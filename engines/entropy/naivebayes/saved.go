package naivebayes

import (
	"encoding/json"
	"fmt"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/model/softmax"
)

// SavedAs names models of this package that are kept.
const SavedAs = "naive-bayes"

type state struct {
	Weights engines.Saved `json:"weights"` // log-linear
	traits
}

// Save returns the log-linear model and the traits.
func (m *model) Save() (engines.Saved, error) {
	weights, err := m.Model.Save()
	if err != nil {
		return engines.Saved{}, err
	}
	return engines.SaveAs(SavedAs, state{weights, m.traits})
}

// Restore restores a model.
func Restore(text json.RawMessage, features *data.Features, part engines.Part) (engines.Model, error) {
	var s state
	if err := engines.Decode(text, &s); err != nil {
		return nil, err
	}
	m, err := part(s.Weights, features)
	if err != nil {
		return nil, err
	}
	weights, ok := m.(*softmax.Model)
	if !ok {
		return nil, fmt.Errorf("its weights are a model of kind %s, expected %s", s.Weights.Kind, softmax.SavedAs)
	}
	return &model{weights, s.traits}, nil
}
