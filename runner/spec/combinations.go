package spec

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/engines/combine"
)

// combinations is the section of that name among the parameters of a point, so that a grid can vary its keys as
// combinations.threshold.
const combinations = "combinations"

// combinable adds an algorithm's section to its parameters, own, and refuses it, or its keys in the grid, where it has no
// place.
func (d *decoder) combinable(entry algorithmEntry, engine engines.Kind, set engines.Set, own *yaml.Node) *yaml.Node {
	if key, _ := get(own, combinations); key != nil {
		d.add(key, "combinations stands beside params, not in it")
		return without(own, combinations)
	}
	at := entry.Combinations
	if at != nil {
		own = with(own, combinations, at, at)
	} else if entry.Grid != nil && entry.Grid.Kind == yaml.MappingNode {
		i := slices.IndexFunc(entry.Grid.Content, func(n *yaml.Node) bool { return strings.HasPrefix(n.Value, combinations+".") })
		if i >= 0 {
			at = entry.Grid.Content[i]
		}
	}
	if at == nil || engine.Name == "" {
		return own
	}
	if _, ok := engine.Defaults().(combine.Base); !ok {
		d.add(at, "combinations: engine %s does not make the kind of model that they are found by%s", engine.Name, bases(set))
	}
	if entry.Path != nil {
		d.add(entry.Path, "path: it does not go together with combinations, which are found at one penalty")
	}
	return own
}

// bases are the engines that could be meant.
func bases(set engines.Set) string {
	names := slices.DeleteFunc(set.Names(), func(name string) bool { _, ok := set[name].Defaults().(combine.Base); return !ok })
	if len(names) == 0 {
		return ""
	}
	return " (these do: " + strings.Join(names, ", ") + ")"
}

// combined is the engine of one point; what stands under combinations makes one of it that looks for these.
func (d *decoder) combined(k engines.Kind, over, params, defaults *yaml.Node) (configured, bool) {
	_, section := get(params, combinations)
	own := without(params, combinations)
	c, ok := d.engine(k, over, own, defaults)
	if section == nil {
		return c, ok
	}
	o, sound := configure(d, combine.Kind, section, owner{noun: "key", of: combinations})
	base, can := c.engine.(combine.Base)
	if !ok || !sound || !can {
		return c, false
	}
	both := combine.Engine{Base: base, Options: o.(combine.Options)}
	before := d.count
	d.invalid(under(under(over, own), defaults), both.Validate()) // each part is sound by itself
	none := combine.Engine{Base: c.defaults.(combine.Base), Options: combine.Kind.Defaults().(combine.Options)}
	return plainly(both, none).keyed(combinations, combine.Kind.Rev), d.count == before
}
