package algorithm

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/grid"
)

// Path lists the sizes of the models that one fit returns besides its last one; nil if there is no path.
type Path []int

// Canonical returns the path as it enters keys: a JSON list, "" without one.
func (p Path) Canonical() string {
	if len(p) == 0 {
		return ""
	}
	b, _ := json.Marshal([]int(p)) // numbers always encode
	return string(b)
}

// addToParams adds the path to the JSON of all parameters, under its name in the file.
func (p Path) addToParams(params string) string {
	if len(p) == 0 {
		return params
	}
	return withJSON(params, rawObject{"path.at": []byte(p.Canonical())})
}

// pathReader decodes the path of an algorithm. A path sets parameters of the engine: the number of features to select, and whether
// all weights are estimated together. Setting them in params or the grid as well is a mistake.
type pathReader struct {
	*Reader
	params *yaml.Node   // parameters
	points []grid.Point // of the grid
	within string       // prefix of the part of the algorithm that has these parameters, as in "select."; "" for the whole
	over   *yaml.Node   // parameters that the path sets
}

// pathEntry is the section path.
type pathEntry struct {
	At    []int `yaml:"at" read:"required" doc:"numbers of features, each at least 1"`
	Refit *bool `yaml:"refit" doc:"whether all weights of each model are estimated together, or stay as they were when features were selected (default the engine's final_refit)"`
}

// decodePath returns the sizes of a path and the parameters that it sets; nil without one. If within is not "", the parameters are
// those of a part of the algorithm, which selects for the other one.
func (d *Reader) decodePath(n *yaml.Node, engine engines.Kind, set engines.Set, params *yaml.Node, points []grid.Point, within string) (counts Path, over *yaml.Node) {
	if n == nil {
		return nil, nil
	}
	var path pathEntry
	if !d.DecodeInto(n, &path, strictyaml.Owner{Noun: "key", Of: "path"}) || engine.Name == "" {
		return nil, nil
	}
	sizes := d.sizesOf(engine, params)
	if sizes.Limit == "" {
		d.Add(n, "path: engine %s makes no models of several sizes from one fit%s", engine.Name, pathEngines(set))
		return nil, nil
	}
	if within != "" {
		sizes.Refit = "" // what is fitted is the other part
	}
	r := pathReader{Reader: d, params: params, points: points, within: within}
	_, list := strictyaml.Entry(n, "at")
	if counts = d.decodeSizes(list, path.At); len(counts) > 0 {
		r.setParameter(sizes.Limit, list, "!!int", strconv.Itoa(counts[len(counts)-1]))
	}
	if _, given := strictyaml.Entry(n, "refit"); given != nil {
		switch {
		case sizes.Refit != "":
			r.setParameter(sizes.Refit, given, "!!bool", strconv.FormatBool(*path.Refit))
		case !*path.Refit:
			d.Add(given, "path.refit: engine %s has no weights but those that it estimates together; expected true", engine.Name)
		}
	}
	return counts, r.over
}

// sizesOf returns the Sizes of an engine with its wrappers: those of the outermost wrapper that has some, else the engine's own.
func (d *Reader) sizesOf(engine engines.Kind, params *yaml.Node) engines.Sizes {
	sizes := engine.Defaults().Needs().Sizes
	for _, w := range d.Wrappers.Around {
		if _, node := strictyaml.Entry(params, w.Key()); node != nil && w.Limit != "" {
			sizes = engines.Sizes{Limit: w.Key() + "." + w.Limit}
		}
	}
	return sizes
}

// pathEngines lists, for messages, the engines that have paths; "" if there are none.
func pathEngines(set engines.Set) string {
	names := slices.DeleteFunc(set.Names(), func(name string) bool { return set[name].Defaults().Needs().Sizes.Limit == "" })
	if len(names) == 0 {
		return ""
	}
	return " (these do: " + strings.Join(names, ", ") + ")"
}

// decodeSizes checks the sizes of a path, and returns them rising; their order in the file means nothing.
func (d *Reader) decodeSizes(n *yaml.Node, sizes []int) Path {
	if len(sizes) == 0 {
		d.Add(n, "path.at: the list is empty")
	}
	for i, size := range sizes {
		switch {
		case size < 1 || size > math.MaxInt32:
			d.Add(n.Content[i], "path.at[%d]: %d, expected a number of features, at least 1", i, size)
		case slices.Contains(sizes[:i], size):
			d.Add(n.Content[i], "path.at[%d]: %d stands there twice", i, size)
		}
	}
	return slices.Sorted(slices.Values(sizes))
}

// setParameter sets a parameter at the place of a node of the path, and reports it if it is set elsewhere as well.
func (r *pathReader) setParameter(name string, from *yaml.Node, tag, value string) {
	r.over = strictyaml.WithValue(r.over, name, from, &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value, Line: from.Line, Column: from.Column})
	if key := strictyaml.KeyAt(r.params, name); key != nil {
		r.Add(key, "%s is for path to say; leave it out here", name)
	}
	for _, p := range r.points {
		if i := slices.IndexFunc(p, func(s grid.Setting) bool { return s.Key.Value == r.within+name }); i >= 0 {
			r.Add(p[i].Key, "%s is for path to say; leave it out here", r.within+name)
			return
		}
	}
}
