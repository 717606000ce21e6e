package algorithm

import (
	"encoding/json"
	"fmt"
	"strconv"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/io/strictyaml"
)

// decodeJoint decodes a part of an algorithm that has a list of engines in place of one. The parameters of a point are the options that
// stand beside the list, and under its key those of its engines by number, so that a grid can vary select.vote.0.features.
func (d *Reader) decodeJoint(name string, n *yaml.Node, from Inherited, set engines.Set) (in inner, params *yaml.Node, ok bool) {
	kind := d.Wrappers.Joint.Kind
	in, before := inner{kind: kind, set: set}, d.Count
	key, list := strictyaml.Entry(n, kind.Name)
	if found := strictyaml.Describe(list); list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		if list.Kind == yaml.SequenceNode {
			found = "none"
		}
		d.Add(list, "%s.%s: expected a list of engines, each as under %s, found %s", name, kind.Name, name, found)
		return in, nil, false
	}
	params = strictyaml.WithoutKey(n, kind.Name)
	for i, item := range list.Content {
		part, values, sound := d.decodePart(fmt.Sprintf("%s.%s[%d]", name, kind.Name, i), item, false, from, set)
		if !sound {
			continue
		}
		in.joined = append(in.joined, part)
		params = strictyaml.WithValue(params, kind.Name+"."+strconv.Itoa(i), key, values)
	}
	return in, params, d.Count == before && len(in.joined) == len(list.Content)
}

// buildJoint makes one engine of those of a list, at one point. p.engine has its options.
func (p *wrapperChain) buildJoint(params *yaml.Node) {
	name := p.in.kind.Name
	_, list := strictyaml.Entry(params, name)
	var made, defaults []engines.Engine
	for i, part := range p.in.joined {
		number := strconv.Itoa(i)
		_, values := strictyaml.Entry(list, number)
		c, ok := p.buildEngine(part, values)
		if p.ok = p.ok && ok; !ok {
			continue
		}
		made, defaults = append(made, c.engine), append(defaults, c.defaults)
		prefix := name + "." + number + "."
		p.words[prefix+"engine"] = quotedJSON(fmt.Sprintf("%s %d", part.kind.Name, part.kind.Rev))
		p.addRevisions(prefix, c.canonical)
		p.tuned = p.tuned.and(c.tuned)
	}
	if !p.ok {
		return
	}
	join := p.Wrappers.Joint.Join
	p.engine, p.defaults = join(p.engine, made), join(p.defaults, defaults)
	if before := p.Count; !p.partial {
		p.WithoutIdle(func() { p.AddInvalid(params, p.engine.Validate()) })
		p.ok = p.Count == before
	}
}

// addRevisions adds the entries of the JSON of parameters to what keys have of the joint engine.
func (p *wrapperChain) addRevisions(prefix, canonical string) {
	all := rawObject{}
	if json.Unmarshal([]byte(canonical), &all) != nil { // it is an object
		return
	}
	for name, value := range all {
		p.revisions[prefix+name] = value
	}
}
