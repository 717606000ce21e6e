package algorithm

import (
	"fmt"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/engines/suggest"
	"tenfold/io/strictyaml"
)

// partEntry is one part of an algorithm of two parts, such as an engine that selects features and one that is fitted to them. The
// keys of the parts are among the parameters of a point, so that a grid can vary select.code and refit.c2.
type partEntry struct {
	Engine string     `yaml:"engine" read:"required" doc:"what is fitted: tenfold describe engine"`
	Params *yaml.Node `yaml:"params" doc:"parameters of the engine"`
}

// decodePart decodes a part of an algorithm: what its engine is made from, and the parameters with the sections beside them. Where a
// list of engines may stand, first is true.
func (d *Reader) decodePart(name string, n *yaml.Node, first bool, from Inherited, set engines.Set) (in inner, params *yaml.Node, ok bool) {
	if _, list := strictyaml.Entry(n, d.Wrappers.Joint.Kind.Name); first && list != nil {
		return d.decodeJoint(name, n, from, set)
	}
	in = inner{set: set, defaults: from.Params}
	entry, beside, ok := decodeEntry[partEntry](d, n, keysOf(d.Wrappers.ofPart()), strictyaml.Owner{Noun: "key", Of: name})
	if !ok || n.Kind != yaml.MappingNode {
		return in, nil, false
	}
	in.kind, ok = set[entry.Engine]
	if !ok && d.mistaken(entry.Engine) {
		return in, nil, false
	}
	if !ok {
		_, node := strictyaml.Entry(n, "engine")
		d.Add(node, "unknown engine %q%s", entry.Engine, suggest.Choices(entry.Engine, set.Names()))
		return in, nil, false
	}
	return in, d.parametersOf(n, entry.Params, beside), true
}

// twoParts decodes both parts: their parameters, under the keys of the parts, and the builder of the engine. The settings of a path
// are added to first later.
func (d *Reader) twoParts(n *yaml.Node, beside map[string]*yaml.Node, from Inherited, set engines.Set) (kindOf engines.Kind, parameters *yaml.Node, first *inner, build engineBuilder, ok bool) {
	pair := d.Wrappers.Pair
	inOne := []string{"engine", "params"}
	for _, w := range d.Wrappers.Around {
		inOne = append(inOne, w.Key())
	}
	for _, key := range inOne {
		if node, _ := strictyaml.Entry(n, key); node != nil {
			d.Add(node, "%s: with %s and %s it stands in one of these", key, pair.Keys[0], pair.Keys[1])
		}
	}
	for i, key := range pair.Keys {
		if beside[key] == nil {
			d.Add(n, "algorithm: %s is missing beside %s", key, pair.Keys[1-i])
			return kindOf, nil, nil, nil, false
		}
	}
	var parts [2]inner
	parameters, ok = strictyaml.EmptyMapping(n), true
	for i, key := range pair.Keys {
		in, params, sound := d.decodePart(key, beside[key], i == 0, from, set)
		parts[i], ok = in, ok && sound
		parameters = strictyaml.WithValue(parameters, key, beside[key], params)
	}
	build = func(params *yaml.Node) (configuredEngine, bool) {
		var made [2]configuredEngine
		var sound [2]bool
		for i, key := range pair.Keys {
			_, part := strictyaml.Entry(params, key)
			made[i], sound[i] = d.buildEngine(parts[i], part)
		}
		if !sound[0] || !sound[1] {
			return configuredEngine{}, false
		}
		c, before := ofBoth(pair, parts, made), d.Count
		if !d.partial {
			d.WithoutIdle(func() { d.Report(n, c.engine.Validate()) }) // each part is sound by itself
		}
		return c, d.Count == before
	}
	kindOf = engines.Kind{Name: parts[0].kind.Name + "+" + parts[1].kind.Name, Rev: pair.Rev}
	return kindOf, parameters, &parts[0], build, ok
}

// ofBoth joins the engines of two parts. Keys have the names and the revisions of both engines.
func ofBoth(pair engines.Pair, parts [2]inner, made [2]configuredEngine) configuredEngine {
	canonical, resolved := rawObject{}, rawObject{}
	for i, key := range pair.Keys {
		engine := rawObject{"engine": quotedJSON(fmt.Sprintf("%s %d", parts[i].kind.Name, parts[i].kind.Rev))}
		canonical[key], resolved[key] = []byte(withJSON(made[i].canonical, engine)), []byte(withJSON(made[i].resolved, engine))
	}
	return configuredEngine{
		pair.Join(made[0].engine, made[1].engine), pair.Join(made[0].defaults, made[1].defaults),
		withJSON("{}", canonical), withJSON("{}", resolved), made[0].tuned.and(made[1].tuned),
	}
}
