package experiment

import (
	"reflect"

	"gopkg.in/yaml.v3"

	"tenfold/engines/param"
	"tenfold/io/strictyaml"
)

// ownedSection is a section that another package owns, or an entry of one that is a list.
type ownedSection struct {
	node  *yaml.Node
	value any // pointer to what it was decoded into
}

// decodeSections decodes the sections that the fields of the struct at ptr stand for, and validates each by itself.
func (d *decoder) decodeSections(root *yaml.Node, ptr any) {
	if ptr == nil {
		return
	}
	all := reflect.ValueOf(ptr).Elem()
	for _, f := range strictyaml.Fields(all.Type()) {
		_, n := strictyaml.Entry(root, f.Name)
		if n == nil {
			continue
		}
		v := all.FieldByIndex(f.Index)
		if v.Kind() != reflect.Slice {
			d.decodeSection(n, v, f.Name)
			continue
		}
		if n.Kind != yaml.SequenceNode {
			d.Add(n, "%s: expected a list, found %s", f.Name, strictyaml.Describe(n))
			continue
		}
		list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
		for i, entry := range n.Content {
			if section, ok := list.Index(i).Addr().Interface().(interface{ SetDefaults() }); ok {
				section.SetDefaults()
			}
			d.decodeSection(entry, list.Index(i), f.Name)
		}
		v.Set(list)
	}
}

func (d *decoder) decodeSection(n *yaml.Node, v reflect.Value, name string) {
	ptr := v.Addr().Interface()
	if !d.DecodeInto(n, ptr, strictyaml.Owner{Noun: "key", Of: name}) {
		return
	}
	d.owned = append(d.owned, ownedSection{n, ptr})
	if validator, ok := ptr.(param.Validator); ok {
		d.Report(n, validator.Validate())
	}
}
