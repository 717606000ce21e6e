package algorithm

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/registry"
	"tenfold/engines/suggest"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/grid"
	"tenfold/runner/tune"
)

// divideResource builds the engines of the rungs of a halving: of a part of the rows, with penalties beside sums over rows that fall with
// these, or with a part of a parameter. known are the parameters of the engine without those of the points.
func (t *tuner) divideResource(section *yaml.Node, points []grid.Point, known []registry.Param) {
	place := strictyaml.Find(section, "resource")
	factor := t.options.Factor
	if n := len(points); n < factor {
		t.Add(section, "tune: %d candidates, and halving lets one of %d go on: expected at least as many, or search: grid", n, factor)
		return
	}
	switch resource := t.options.Resource; resource {
	case tune.AlongPath:
		if t.path == nil {
			t.Add(place, "tune.resource: path: no parameter goes along a path, as in {lambda: path}")
		}
		return
	case tune.Rows:
		if part := t.tunedPart(); part != "" {
			t.Add(place, "tune.resource: rows: %s is tuned by itself, and its penalties would have to fall with the rows: expected a parameter as the resource, or search: random", part)
			return
		}
	default:
		if !t.isResource(place, known) {
			return
		}
	}
	for i, p := range points {
		for share := factor; share <= len(points); share *= factor {
			settings := t.settingsOfShare(t.candidates[i], share, place)
			if settings == nil {
				break
			}
			c, ok := t.build(t.withPoint(slices.Concat(p, settings)))
			if !ok {
				return
			}
			t.candidates[i].Partial = append(t.candidates[i].Partial, c.engine)
		}
	}
}

// tunedPart returns the key of a part with a section tune of its own; "" if there is none.
func (t *tuner) tunedPart() string {
	for _, key := range t.Wrappers.Pair.Keys {
		if strictyaml.IsSet(t.fixed, key+"."+Tuning) {
			return key
		}
	}
	return ""
}

// isResource reports whether the resource is a parameter that halving can divide, and reports a mistake if not. It sets the whole of it.
func (t *tuner) isResource(place *yaml.Node, known []registry.Param) bool {
	name := t.options.Resource
	var have []string
	for _, p := range known {
		if p.Resource {
			have = append(have, p.Name)
		}
		if p.Resource && p.Name == name {
			t.most = p.Value.(int)
		}
	}
	tuned := t.path != nil && t.path.Value == name || slices.ContainsFunc(t.axes, func(a grid.Axis) bool { return a.Key.Value == name })
	switch {
	case !slices.Contains(have, name):
		t.Add(place, "tune.resource: %q%s", name, suggest.Choices(name, append([]string{tune.Rows, tune.AlongPath}, have...)))
	case tuned:
		t.Add(place, "tune.resource: %s is tuned as well: halving gives candidates more and more of it; set it in params", name)
	default:
		return true
	}
	return false
}

// settingsOfShare returns the parameters of a candidate that differ if it gets one part of share of the resource.
func (t *tuner) settingsOfShare(c tune.Candidate, share int, place *yaml.Node) (settings grid.Point) {
	set := func(name string, value float64) {
		key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name, Line: place.Line, Column: place.Column}
		settings = append(settings, grid.Setting{Key: key, Value: grid.NumberNode(value, place)})
	}
	if t.options.Resource != tune.Rows {
		set(t.options.Resource, float64(max(1, t.most/share)))
		return settings
	}
	for _, p := range registry.Params(c.Engine, c.Engine) {
		if x, isNumber := p.Value.(float64); isNumber && x > 0 && p.Rows != "" && !strings.Contains(p.Name, ".0") {
			set(p.Name, p.OnShare(x, 1/float64(share)))
		}
	}
	return settings
}
