package experiment

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/registry"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/algorithm"
)

// Settable returns the paths that --set can change, for completion: those in the file, and the parameters of its engines and
// formats. They are sorted and unique.
func (f *File) Settable() []string {
	out := settablePaths(nil, "", f.root)
	for _, a := range f.Algorithms {
		out = append(out, "algorithms."+a.Name+".datasets")
		for _, p := range registry.Params(a.Defaults, a.Defaults) {
			out = append(out, "algorithms."+a.Name+"."+pathInEntry(f.wrappers, p.Name))
		}
	}
	for _, s := range f.Datasets {
		for _, p := range registry.Params(s.Source, s.Source) {
			out = append(out, "datasets."+s.Name+"."+p.Name)
		}
		out = append(out, "datasets."+s.Name+".train_fraction")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// pathInEntry returns the path of a parameter in the entry of its algorithm.
func pathInEntry(l algorithm.Wrappers, param string) string {
	if l.Has(param) {
		return param
	}
	if part, rest, _ := strings.Cut(param, "."); l.Pair.Has(part) {
		return part + "." + pathInEntry(l, rest)
	}
	return "params." + param
}

// settablePaths adds the paths of the values below a node. List elements go by their names; a list without names is a value.
func settablePaths(out []string, path string, n *yaml.Node) []string {
	switch {
	case n.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			out = settablePaths(out, strictyaml.Join(path, n.Content[i].Value), n.Content[i+1])
		}
		return out
	case n.Kind == yaml.SequenceNode && slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return c.Kind == yaml.MappingNode }):
		for i, name := range elementNames(n) {
			out = settablePaths(out, strictyaml.Join(path, name), n.Content[i])
		}
		return out
	}
	return append(out, path)
}
