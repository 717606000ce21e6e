package narrowed

import (
	"encoding/json"

	"tenfold/engines"
	"tenfold/engines/data"
)

// SavedAs is the name of this package's models in model files.
const SavedAs = "refit"

type state struct {
	Columns   []int32        `json:"columns"` // selected
	Entry     engines.Coefs  `json:"entry"`   // from the selection: how columns entered
	Selection engines.Fitted `json:"selection"`
	Model     engines.Saved  `json:"model"` // on these columns
}

// Save returns the second engine's model, with the columns and how they were selected.
func (m *model) Save() (engines.Saved, error) {
	second, err := engines.Save(m.Model)
	if err != nil {
		return engines.Saved{}, err
	}
	return engines.SaveAs(SavedAs, state{m.columns, m.entry, m.selection, second})
}

// Restore returns the model that Save wrote.
func Restore(text json.RawMessage, features *data.Features, part engines.Part) (engines.Model, error) {
	var s state
	if err := engines.Decode(text, &s); err != nil {
		return nil, err
	}
	if err := engines.CheckPicked(s.Columns, features.Len()); err != nil {
		return nil, err
	}
	m := &model{features: features, columns: s.Columns, entry: s.Entry, selection: s.Selection}
	var err error
	if m.Model, err = part(s.Model, features.Keep(s.Columns)); err != nil {
		return nil, err
	}
	return m.described(), nil
}
