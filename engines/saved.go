package engines

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"tenfold/engines/data"
)

// Saved is a model as JSON. Kind names the function that restores it. All numbers are restored to the last bit (see package exact).
// Column names are not part of it: the caller stores them beside the model.
type Saved struct {
	Kind  string          `json:"kind"`
	State json.RawMessage `json:"state"`
}

// Keeper is implemented by models that can be saved to a file.
type Keeper interface {
	Model
	Save() (Saved, error)
}

// Save returns the model as data. If the model is not a Keeper, the error names its type.
func Save(m Model) (Saved, error) {
	k, ok := m.(Keeper)
	if !ok {
		return Saved{}, fmt.Errorf("a model of type %T cannot be kept in a file", m)
	}
	return k.Save()
}

// SaveAs encodes the state of a model of a kind; implementations of Save call it.
func SaveAs(kind string, state any) (Saved, error) {
	text, err := json.Marshal(state)
	if err != nil {
		return Saved{}, fmt.Errorf("model of kind %s: %w", kind, err)
	}
	return Saved{Kind: kind, State: text}, nil
}

// Restore rebuilds a model from its state; it predicts bit for bit what the saved one did. features are the columns that the model was
// fitted to. Models inside the model are restored by part, with their own columns. For any state, however damaged, Restore returns an
// error or a model that can be used on rows of these columns; it never panics.
type Restore func(state json.RawMessage, features *data.Features, part Part) (Model, error)

// Part restores a model inside another one.
type Part func(saved Saved, features *data.Features) (Model, error)

// Models maps the name of each kind of model to the function that restores it.
type Models map[string]Restore

// deepest is the maximum nesting of models. One-vs-rest models of combinations on columns that another engine selected are four deep.
const deepest = 16

// Restore restores a model that was fitted to the given columns.
func (ms Models) Restore(saved Saved, features *data.Features) (Model, error) {
	return ms.restore(saved, features, 1)
}

func (ms Models) restore(saved Saved, features *data.Features, depth int) (Model, error) {
	restore, known := ms[saved.Kind]
	switch {
	case !known:
		return nil, fmt.Errorf("a model of kind %q is not known here: it is of a newer version, or damaged", saved.Kind)
	case depth > deepest:
		return nil, fmt.Errorf("more than %d models within one another", deepest)
	}
	m, err := restore(saved.State, features, func(saved Saved, features *data.Features) (Model, error) {
		return ms.restore(saved, features, depth+1)
	})
	if err != nil {
		return nil, fmt.Errorf("model of kind %s: %w", saved.Kind, err)
	}
	return m, nil
}

// Decode decodes the state of a model into a struct; implementations of Restore call it. Unknown keys are an error, and so are missing
// ones unless the field is marked omitempty.
func Decode(text json.RawMessage, state any) error {
	from := json.NewDecoder(bytes.NewReader(text))
	from.DisallowUnknownFields()
	if err := from.Decode(state); err != nil {
		return err
	}
	if _, err := from.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the state")
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return err
	}
	for _, f := range reflect.VisibleFields(reflect.TypeOf(state).Elem()) {
		key, optional := strings.CutSuffix(f.Tag.Get("json"), ",omitempty")
		if _, found := keys[key]; !found && !optional && key != "" {
			return fmt.Errorf("%q is missing", key)
		}
	}
	return nil
}
