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

// Saved is a model as data: Kind names what restores it. It encodes to JSON, and all numbers come back to the last bit (see
// package exact). The columns' names are not part of it: whoever keeps a model keeps them beside it.
type Saved struct {
	Kind  string          `json:"kind"`
	State json.RawMessage `json:"state"`
}

// Keeper is a Model that can be kept in a file.
type Keeper interface {
	Model
	Save() (Saved, error)
}

// Save is the model as data. The error of a model that is no Keeper names its type.
func Save(m Model) (Saved, error) {
	k, ok := m.(Keeper)
	if !ok {
		return Saved{}, fmt.Errorf("a model of type %T cannot be kept in a file", m)
	}
	return k.Save()
}

// SaveAs is the state of a model of a kind: for what implements Save.
func SaveAs(kind string, state any) (Saved, error) {
	text, err := json.Marshal(state)
	if err != nil {
		return Saved{}, fmt.Errorf("model of kind %s: %w", kind, err)
	}
	return Saved{Kind: kind, State: text}, nil
}

// Restore makes a model of its state: one that does bit for bit what the saved one did. features are the columns that the model
// was fitted to. Models that the model is made of go through part, with the columns of their own. Whatever the state is, Restore
// gives an error or a model that can be used on rows of these columns; it never panics.
type Restore func(state json.RawMessage, features *data.Features, part Part) (Model, error)

// Part restores a model that another one is made of.
type Part func(saved Saved, features *data.Features) (Model, error)

// Models is what restores each kind of model, by its name.
type Models map[string]Restore

// deepest is how many models can be within one another. A one-vs-rest of combinations on columns that another engine selected
// is four.
const deepest = 16

// Restore a model that was fitted to columns of the given features.
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

// Decode the state of a model into a struct: for what implements Restore. A key that the struct has no field for is an error, and
// so is the lack of one whose field is not marked omitempty.
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
