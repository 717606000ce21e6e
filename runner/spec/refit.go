package spec

import (
	"encoding/json"
	"fmt"
	"strconv"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/engines/kind"
	"tenfold/engines/refit"
)

// The keys of an algorithm of two parts: an engine that selects features, and one that is fitted to them. They are among the
// parameters of a point, so that a grid can vary those of the parts as select.code and refit.c2.
const (
	selecting = "select"
	refitting = "refit"
)

// partEntry is one part of an algorithm.
type partEntry struct {
	Engine       string     `yaml:"engine,required" doc:"what is fitted: tenfold describe engine"`
	Params       *yaml.Node `yaml:"params" doc:"parameters of the engine"`
	Combinations *yaml.Node `yaml:"combinations" doc:"products of features, looked for while training"`
	Multiclass   *yaml.Node `yaml:"multiclass" is:"word" doc:"own: the engine's way with many classes; one-vs-rest: a model for each"`
	Tune         *yaml.Node `yaml:"tune" doc:"parameters that are chosen in each fit, inside its training rows: lists of values, ranges, or path"`
}

// part of an algorithm: its engine, and its parameters with what stands beside them.
func (d *decoder) part(name string, n *yaml.Node, set engines.Set) (engine engines.Kind, own *yaml.Node, ok bool) {
	var entry partEntry
	if !d.into(n, &entry, owner{noun: "key", of: name}) || n.Kind != yaml.MappingNode {
		return engine, nil, false
	}
	engine, ok = set[entry.Engine]
	if !ok {
		_, at := get(n, "engine")
		d.add(at, "unknown engine %q%s", entry.Engine, kind.Choices(entry.Engine, set.Names()))
		return engine, nil, false
	}
	all := algorithmEntry{Engine: entry.Engine, Params: entry.Params, Combinations: entry.Combinations, Multiclass: entry.Multiclass, Tune: entry.Tune}
	return engine, d.parameters(n, all, engine, set), true
}

// twoParts reads select and refit: the parameters of both, under these names, and what makes an engine of them.
func (d *decoder) twoParts(n *yaml.Node, entry algorithmEntry, from inherited, set engines.Set) (kindOf engines.Kind, own *yaml.Node, build builder, ok bool) {
	for _, key := range []string{"engine", "params", "path", combinations, transferring, multiclass} {
		if at, _ := get(n, key); at != nil {
			d.add(at, "%s: with select and refit it stands in one of these", key)
		}
	}
	switch {
	case entry.Select == nil:
		d.add(n, "algorithm: select is missing beside refit")
		return kindOf, nil, nil, false
	case entry.Refit == nil:
		d.add(n, "algorithm: refit is missing beside select")
		return kindOf, nil, nil, false
	}
	first, chosen, okFirst := d.part(selecting, entry.Select, set)
	second, fitted, okSecond := d.part(refitting, entry.Refit, set)
	if !okFirst || !okSecond {
		return kindOf, nil, nil, false
	}
	own = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: n.Line, Column: n.Column}
	own = with(with(own, selecting, entry.Select, chosen), refitting, entry.Refit, fitted)
	build = func(params *yaml.Node) (configured, bool) {
		_, chosen := get(params, selecting)
		_, fitted := get(params, refitting)
		a, okA := d.single(first, set, nil, chosen, from)
		b, okB := d.single(second, set, nil, fitted, from)
		if !okA || !okB {
			return configured{}, false
		}
		c, before := both(first, second, a, b), d.count
		d.addFrom(n, c.engine.Validate()) // each part is sound by itself
		return c, d.count == before
	}
	kindOf = engines.Kind{Name: first.Name + "+" + second.Name, Rev: refit.Rev}
	return kindOf, own, build, true
}

// both is the engine of two parts. Keys have the names and the revisions of both engines.
func both(first, second engines.Kind, a, b configured) configured {
	join := func(x, y string) string {
		x = added(x, "engine", json.RawMessage(strconv.Quote(fmt.Sprintf("%s %d", first.Name, first.Rev))))
		y = added(y, "engine", json.RawMessage(strconv.Quote(fmt.Sprintf("%s %d", second.Name, second.Rev))))
		return added(added("{}", selecting, json.RawMessage(x)), refitting, json.RawMessage(y))
	}
	return configured{
		engine:    refit.Engine{Select: a.engine, Refit: b.engine},
		defaults:  refit.Engine{Select: a.defaults, Refit: b.defaults},
		canonical: join(a.canonical, b.canonical), resolved: join(a.resolved, b.resolved),
	}
}
