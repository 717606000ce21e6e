package spec

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/engines/combine"
	"tenfold/engines/kind"
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

// configured is an engine with its parameters, and those that it has when none is given.
type configured struct {
	engine, defaults engines.Engine
	canonical        string // JSON of the parameters that determine results and differ from their defaults: part of keys
	resolved         string // JSON of all parameters
}

// plainly is an engine with the JSON that its parameters make.
func plainly(engine, defaults engines.Engine) configured {
	return configured{engine, defaults, kind.Canonical(engine, defaults), kind.Resolved(engine)}
}

// keyed adds to what goes into keys: that a section makes another engine of it, by the revision of what does.
func (c configured) keyed(section string, rev int) configured {
	c.canonical = added(c.canonical, section, json.RawMessage(strconv.Itoa(rev)))
	return c
}

// engine is that of one point: of its params, those under combinations make another engine of it. What a path sets lies over
// the others, the file's defaults lie under them.
func (d *decoder) engine(k engines.Kind, over, params, defaults *yaml.Node) (c configured, ok bool) {
	_, section := get(params, combinations)
	own := under(under(over, without(params, combinations)), defaults)
	v, ok := configure(d, k, own, owner{noun: "parameter", of: "engine " + k.Name})
	c = configured{engine: v, defaults: k.Defaults()}
	if ok {
		c = plainly(v, k.Defaults())
	}
	if section == nil {
		return c, ok
	}
	o, sound := configure(d, combine.Kind, section, owner{noun: "key", of: combinations})
	base, can := v.(combine.Base)
	if !ok || !sound || !can {
		return c, false
	}
	both := combine.Engine{Base: base, Options: o.(combine.Options)}
	before := d.count
	d.invalid(own, both.Validate()) // each part is sound by itself
	none := combine.Engine{Base: c.defaults.(combine.Base), Options: combine.Kind.Defaults().(combine.Options)}
	return plainly(both, none).keyed(combinations, combine.Kind.Rev), d.count == before
}

// without is a mapping that lacks a key.
func without(m *yaml.Node, name string) *yaml.Node {
	if key, _ := get(m, name); key == nil {
		return m
	}
	out := *m
	remove(&out, name)
	return &out
}
