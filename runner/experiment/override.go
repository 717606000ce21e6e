package experiment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/suggest"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/experiment/reading"
)

// applySet applies the i-th --set argument, set, of the form path=value, to the tree. A path consists of keys, and of names or numbers (from 0) of
// list elements, joined by dots; names may contain dots, and the longest match counts. Missing keys are added: whether they are
// allowed is left to the strict check that follows.
func (d *decoder) applySet(root *yaml.Node, i int, set string) {
	flag := &yaml.Node{Line: -1 - i, Column: 1}
	path, text, ok := strings.Cut(set, "=")
	if !ok || path == "" || strings.TrimSpace(text) == "" {
		d.Add(flag, "expected path=value, as in algorithms.stagewise.params.epsilon=0.05")
		return
	}
	value := setValue(d.Collector, flag, text)
	if value == nil || root.Kind != yaml.MappingNode {
		return
	}
	for _, section := range []string{"algorithms", "datasets"} {
		if rest, ok := strings.CutPrefix(path, section+"."); ok {
			_, list := strictyaml.Entry(root, section)
			if entry, rest := listElement(list, rest); entry != nil {
				moveOutOfGrid(d.Wrappers, entry, section, rest)
			}
		}
	}
	setPath(d.Collector, root, "", path, value, flag)
}

// setValue reads the value as YAML and marks it as coming from the flag.
func setValue(p *reading.Collector, flag *yaml.Node, text string) *yaml.Node {
	sub := reading.NewCollector("", []byte(text), nil)
	value := sub.Parse([]byte(text))
	for _, e := range sub.Found {
		p.Add(flag, "%s", e.Msg)
	}
	if len(sub.Found) > 0 || value == nil {
		return nil
	}
	markLine(value, flag.Line)
	return value
}

func markLine(n *yaml.Node, line int) {
	n.Line = line
	for _, c := range n.Content {
		markLine(c, line)
	}
}

// setPath sets the value at a path below n; at is the part of the path walked so far.
func setPath(p *reading.Collector, n *yaml.Node, walked, path string, value, flag *yaml.Node) {
	switch n.Kind {
	case yaml.SequenceNode:
		e, rest := listElement(n, path)
		switch {
		case e == nil:
			name, _, _ := strings.Cut(path, ".")
			p.Add(flag, "%s has no %q%s", walked, name, suggest.Choices(name, elementNames(n)))
		case rest == "":
			*e = *value
		default:
			setPath(p, e, strictyaml.Join(walked, path[:len(path)-len(rest)-1]), rest, value, flag)
		}
	case yaml.MappingNode:
		key, old, rest := longestKey(n, path)
		switch {
		case key == "" && (rest == "" || walked == "grid" || strings.HasSuffix(walked, ".grid")): // grids have dotted keys
			k := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: path, Line: flag.Line, Column: 1}
			n.Content = append(n.Content, k, value)
		case key == "":
			name := path[:len(path)-len(rest)-1]
			k := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name, Line: flag.Line, Column: 1}
			made := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: flag.Line, Column: 1}
			n.Content = append(n.Content, k, made)
			setPath(p, made, strictyaml.Join(walked, name), rest, value, flag)
		case rest == "":
			*old = *value
		default:
			setPath(p, old, strictyaml.Join(walked, key), rest, value, flag)
		}
	default:
		p.Add(flag, "%s is %s, not a mapping", walked, strictyaml.Describe(n))
	}
}

// longestKey returns the longest key of n that begins the path. If there is none, key is empty and rest is the part after the first
// dot.
func longestKey(n *yaml.Node, path string) (key string, value *yaml.Node, rest string) {
	_, rest, _ = strings.Cut(path, ".")
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i].Value; beginsWith(path, k) && len(k) > len(key) {
			key, value, rest = k, n.Content[i+1], strings.TrimPrefix(path[len(k):], ".")
		}
	}
	return key, value, rest
}

// listElement returns the list element that the path begins with, by name or number, and the rest of the path.
func listElement(list *yaml.Node, path string) (e *yaml.Node, rest string) {
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil, ""
	}
	best := ""
	for i, c := range list.Content {
		name := strconv.Itoa(i)
		if _, v := strictyaml.Entry(c, "name"); v != nil && beginsWith(path, v.Value) {
			name = v.Value
		}
		if beginsWith(path, name) && len(name) > len(best) {
			best, e, rest = name, c, strings.TrimPrefix(path[len(name):], ".")
		}
	}
	return e, rest
}

func beginsWith(path, name string) bool {
	return name != "" && (path == name || strings.HasPrefix(path, name+"."))
}

func elementNames(list *yaml.Node) []string {
	var out []string
	for i, c := range list.Content {
		if _, v := strictyaml.Entry(c, "name"); v != nil {
			out = append(out, v.Value)
		} else {
			out = append(out, fmt.Sprint(i))
		}
	}
	return out
}

// moveOutOfGrid removes a parameter from an entry's grid if an override sets it outside the grid, and from outside if an override
// grids it.
func moveOutOfGrid(l algorithm.Wrappers, entry *yaml.Node, section, path string) {
	holder := entry
	name := strings.TrimPrefix(path, "grid.")
	if section == "algorithms" {
		if part, param, ok := l.CutPart(path); ok { // a grid has select.code for select.params.code
			_, grid := strictyaml.Entry(entry, "grid")
			strictyaml.RemoveEntry(grid, part+"."+param)
			return
		}
		if gridded, ok := strings.CutPrefix(path, "grid."); ok {
			if part, param, _ := strings.Cut(gridded, "."); l.Pair.Has(part) {
				strictyaml.RemovePath(entry, part+".params."+param)
				return
			}
		}
	}
	if section == "algorithms" && !l.Has(name) {
		if rest, ok := strings.CutPrefix(path, "params."); ok {
			path = rest
		} else if !strings.HasPrefix(path, "grid.") {
			return
		}
		_, holder = strictyaml.Entry(entry, "params")
	}
	if gridded, ok := strings.CutPrefix(path, "grid."); ok {
		if name, _, _ := strings.Cut(gridded, "."); section == "algorithms" || !slices.Contains(ungriddable, name) {
			strictyaml.RemovePath(holder, gridded)
		}
		return
	}
	_, grid := strictyaml.Entry(entry, "grid")
	if !strictyaml.RemoveEntry(grid, path) {
		return
	}
	_, zip := strictyaml.Entry(grid, "zip")
	_, include := strictyaml.Entry(grid, "include")
	axes := len(grid.Content) / 2
	for _, word := range []string{"zip", "include", "exclude"} {
		if _, v := strictyaml.Entry(grid, word); v != nil {
			axes--
		}
	}
	if axes == 0 { // nothing is left to vary
		strictyaml.RemoveEntry(entry, "grid")
		return
	}
	if zip != nil {
		for _, group := range zip.Content {
			dropScalar(group, path)
		}
	}
	if include != nil {
		for _, c := range include.Content {
			strictyaml.RemoveEntry(c, path)
		}
	}
}

func dropScalar(list *yaml.Node, text string) {
	for i, c := range list.Content {
		if c.Value == text {
			list.Content = append(list.Content[:i:i], list.Content[i+1:]...)
			return
		}
	}
}
