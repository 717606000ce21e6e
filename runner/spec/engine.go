package spec

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/engines/kind"
)

// The way from an entry to the engine of a point. The parameters of a point are those of the engine with the sections that stand
// beside params in the file, so that a grid can vary the keys of these, too, as combinations.threshold. Each section makes another
// engine of the one inside it:
//
//	engine     the engine by its own parameters
//	combined   looks for combinations of features     combinations.go
//	across     learns from other tasks                transfer.go
//	engineAt   one model a level                      multiclass.go
//	tuned      chooses parameters in each fit         tune.go
//	twoParts   is two of these, select and refit      refit.go

// parameters of an algorithm, or of a part of one, with what stands beside them.
func (d *decoder) parameters(n *yaml.Node, entry algorithmEntry, engine engines.Kind, set engines.Set) *yaml.Node {
	own := entry.Params
	if own == nil {
		own = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: n.Line, Column: n.Column}
	}
	own = d.combinable(entry, engine, set, own)
	own = d.beside(transferring, entry.Transfer, own)
	own = d.beside(multiclass, entry.Multiclass, own)
	return d.beside(tuning, entry.Tune, own)
}

// beside adds a section, or key, of an algorithm that stands beside its parameters to them, own.
func (d *decoder) beside(name string, at, own *yaml.Node) *yaml.Node {
	if key, _ := get(own, name); key != nil {
		d.add(key, "%s stands beside params, not in it", name)
		own = without(own, name)
	}
	if at == nil {
		return own
	}
	return with(own, name, at, at)
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

// engine by its own parameters. What a path sets lies over the others, the file's defaults lie under them.
func (d *decoder) engine(k engines.Kind, over, params, defaults *yaml.Node) (configured, bool) {
	v, ok := configure(d, k, under(under(over, params), defaults), owner{noun: "parameter", of: "engine " + k.Name})
	if !ok {
		return configured{engine: v, defaults: k.Defaults()}, false
	}
	return plainly(v, k.Defaults()), true
}

// builder makes the engine of a point from its parameters.
type builder func(params *yaml.Node) (configured, bool)

// single is the engine of one name, at one point.
func (d *decoder) single(k engines.Kind, set engines.Set, over, params *yaml.Node, from inherited) (configured, bool) {
	return d.tuned(params, set, func(params *yaml.Node) (configured, bool) { return d.engineAt(k, over, params, from.Params) })
}

// added is the JSON object of parameters with one more.
func added(params, name string, value json.RawMessage) string {
	all := map[string]json.RawMessage{}
	if json.Unmarshal([]byte(params), &all) != nil { // it is an object
		return params
	}
	all[name] = value
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(all) != nil { // texts and numbers always encode
		return params
	}
	return strings.TrimSpace(out.String())
}

// removed is the JSON object of parameters without one; of an algorithm of two parts, select.c1 is c1 of the one.
func removed(params, name string) string {
	all := map[string]json.RawMessage{}
	if json.Unmarshal([]byte(params), &all) != nil {
		return params
	}
	delete(all, name)
	if part, rest, nested := strings.Cut(name, "."); nested && all[part] != nil {
		all[part] = json.RawMessage(removed(string(all[part]), rest))
	}
	b, err := json.Marshal(all)
	if err != nil {
		return params
	}
	return string(b)
}
