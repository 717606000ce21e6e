package reading

import (
	"errors"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"tenfold/engines/param"
	"tenfold/engines/registry"
	"tenfold/engines/suggest"
	"tenfold/io/strictyaml"
)

// Configure makes a value of a kind from its parameters, and reports mistakes in them at their places.
func Configure[T param.Validator](d *Decoder, k registry.Kind[T], params *yaml.Node, o strictyaml.Owner) (T, bool) {
	before, decoded := d.Count, false
	v, err := k.New(func(ptr any) error {
		if decoded = d.DecodeInto(params, ptr, o); !decoded {
			return ErrReported
		}
		return nil
	})
	if decoded {
		d.AddInvalid(params, err)
	}
	return v, d.Count == before
}

// AddInvalid reports the errors of a Validate. A scalar that names no list of templates was passed on to the format; if the format
// does not know it either, the name is the mistake. What means nothing beside mistakes may mean something without them.
func (d *Decoder) AddInvalid(node *yaml.Node, err error) {
	sound := true
	strictyaml.EachError(err, func(err error) {
		f, ok := err.(*param.FieldError)
		sound = sound && ok && f.Idle
	})
	strictyaml.EachError(err, func(err error) {
		if f, ok := err.(*param.FieldError); ok {
			if f.Idle && !sound {
				return
			}
			if n := strictyaml.Find(node, f.Field); d.unnamed[n] {
				d.Add(n, "no list %q in templates%s", n.Value, suggest.Choices(n.Value, slices.Sorted(maps.Keys(d.Templates))))
				return
			}
		}
		d.Report(node, err)
	})
}

// Use is a name that is used in the file, and has to be defined in it.
type Use struct {
	To string // the kind of thing it names, as in ref tags
	At *yaml.Node
}

// addUses records the names that a node uses.
func (d *Decoder) addUses(to string, n *yaml.Node) {
	switch {
	case to == "":
	case n.Kind == yaml.ScalarNode:
		d.Uses = append(d.Uses, Use{to, n})
	case n.Kind == yaml.SequenceNode:
		for _, c := range n.Content {
			d.addUses(to, c)
		}
	}
}

// ErrReported stands for mistakes that are reported already, with their places.
var ErrReported = errors.New("reported")

// MaxBytes limits the size of an experiment file, or of one that it names.
const MaxBytes = 64 << 20
