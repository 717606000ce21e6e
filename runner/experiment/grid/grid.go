// Package grid expands grids of experiment files: from a section with lists, ranges, groups that move together, and points that are
// added or left out, to its points, each with the nodes of its values. It does not know what the parameters mean. Expand is the place
// to begin; Values reads one axis, as sections tune have them, too.
package grid

import (
	"slices"

	"gopkg.in/yaml.v3"

	"tenfold/engines/suggest"
	"tenfold/io/results"
	"tenfold/io/strictyaml"
)

// MaxPoints limits the points of a grid and the cells of a file.
const MaxPoints = 100_000

// Axis is one parameter of a grid: its key in the file and its values in order.
type Axis struct {
	Key    *yaml.Node
	Values []*yaml.Node
	Range  *Range // in place of values, for draws
}

// Setting is one coordinate of a point.
type Setting struct{ Key, Value *yaml.Node }

// Point is one combination of a grid, its coordinates in the order of the file.
type Point []Setting

func (p Point) valueOf(name string) *yaml.Node {
	for _, s := range p {
		if s.Key.Value == name {
			return s.Value
		}
	}
	return nil
}

// Expand expands a grid: section,
//
//	(product of the axes, zipped axes moving together, minus exclude) followed by include,
//
// in the order of the file, the last axis fastest. fixed are the parameters outside the grid: they may not be gridded
// as well, and exclude may mention them. Without a grid there is one point, the empty one.
func Expand(problems *strictyaml.Problems, n, fixed *yaml.Node) []Point {
	if n == nil {
		return []Point{nil}
	}
	if n.Kind != yaml.MappingNode {
		problems.Add(n, "grid: expected a mapping of parameters to lists of values, found %s", strictyaml.Describe(n))
		return nil
	}
	before := problems.Count
	g := readGrid(problems, n, fixed)
	factors := zipFactors(problems, g.axes, g.zip)
	include := decodePoints(problems, "include", g.include)
	exclude := decodePoints(problems, "exclude", g.exclude)
	if len(g.axes) == 0 && len(include) == 0 && problems.Count == before {
		problems.Add(n, "grid: it is empty")
	}
	checkCoordinates(problems, g.axes, include, exclude, fixed)
	if problems.Count == before {
		checkDistinct(problems, g.axes, factors)
	}
	if problems.Count > before || TooMany(problems, "grid", n, g.axes, factors) {
		return nil
	}
	var out []Point
	if len(g.axes) > 0 {
		out = Product(g.axes, factors)
	}
	out = slices.DeleteFunc(out, func(p Point) bool {
		return slices.ContainsFunc(exclude, func(term Point) bool { return term.matchesTerm(p, fixed) })
	})
	for _, p := range include {
		if slices.ContainsFunc(out, func(q Point) bool { return p.matchesTerm(q, nil) }) {
			problems.Add(p[0].Key, "grid.include: the point is there already")
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		problems.Add(n, "grid: exclude leaves no point")
	}
	return out
}

type gridParts struct {
	axes                  []Axis
	zip, include, exclude *yaml.Node
}

// readGrid divides a section grid into its axes and its other keys.
func readGrid(problems *strictyaml.Problems, n, fixed *yaml.Node) (g gridParts) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, val := n.Content[i], n.Content[i+1]
		switch key.Value {
		case "zip":
			g.zip = val
		case "include":
			g.include = val
		case "exclude":
			g.exclude = val
		default:
			if strictyaml.IsSet(fixed, key.Value) {
				problems.Add(key, "%s stands both in the grid and outside it", key.Value)
			}
			g.axes = append(g.axes, Axis{Key: key, Values: Values(problems, "grid."+key.Value, val)})
		}
	}
	return g
}

// AddTwins reports a point that makes the same cell as an earlier one: the parameter in which they differ cannot change a result.
// is and was are the points' coordinates.
func AddTwins(problems *strictyaml.Problems, p Point, is, was []results.Param) {
	for i := range is {
		if is[i] != was[i] {
			problems.Add(p[i].Key, "grid.%s: it cannot change a result, so that its points would be one and the same cell; set it outside the grid", p[i].Key.Value)
			return
		}
	}
}

// zipFactors gathers axes into factors of the product: axes of a zip group move together, at the place of the first of them; every
// other axis is a factor of its own. A factor lists axes by number.
func zipFactors(problems *strictyaml.Problems, axes []Axis, n *yaml.Node) [][]int {
	var groups [][]string
	switch {
	case n != nil && len(axes) == 0:
		problems.Add(n, "grid.zip: no parameter of the grid is there to be zipped; expected {a: [1, 2], b: [3, 4], zip: [[a, b]]}")
	case n != nil:
		(&strictyaml.Decoder{Problems: problems}).List(n, &groups, "grid.zip")
	}
	group := make([]int, len(axes)) // number of the zip group plus one
	for g, list := range groups {
		length := -1
		for k, name := range list {
			node := n
			if n.Kind == yaml.SequenceNode && k < len(n.Content[g].Content) {
				node = n.Content[g].Content[k]
			}
			i := slices.IndexFunc(axes, func(a Axis) bool { return a.Key.Value == name })
			switch {
			case i < 0:
				problems.Add(node, "grid.zip: %q is not a parameter of the grid%s", name, suggest.Choices(name, axisNames(axes)))
				continue
			case group[i] != 0:
				problems.Add(node, "grid.zip: %q is zipped twice", name)
			case length >= 0 && len(axes[i].Values) != length:
				problems.Add(node, "grid.zip: %s has %d values and %s has %d", list[0], length, name, len(axes[i].Values))
			}
			group[i] = g + 1
			if length < 0 {
				length = len(axes[i].Values)
			}
		}
	}
	var factors [][]int
	place := map[int]int{}
	for i, g := range group {
		if first, ok := place[g]; ok && g != 0 {
			factors[first] = append(factors[first], i)
			continue
		}
		place[g] = len(factors)
		factors = append(factors, []int{i})
	}
	return factors
}

// decodePoints reads the list of include or exclude.
func decodePoints(problems *strictyaml.Problems, what string, n *yaml.Node) []Point {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		problems.Add(n, "grid.%s: expected a list of points such as [{epsilon: 0.1}], found %s", what, strictyaml.Describe(n))
		return nil
	}
	var out []Point
	for _, c := range n.Content {
		if c.Kind != yaml.MappingNode || len(c.Content) == 0 {
			problems.Add(c, "grid.%s: expected a point such as {epsilon: 0.1}, found %s", what, strictyaml.Describe(c))
			continue
		}
		var p Point
		for i := 0; i+1 < len(c.Content); i += 2 {
			p = append(p, Setting{c.Content[i], c.Content[i+1]})
		}
		out = append(out, p)
	}
	return out
}

// checkCoordinates checks the points of include and exclude. An included point must have all parameters of the grid (of the first
// included point, if there are no axes), and is brought into the order of the file; an excluded one may have some of them, or fixed
// ones.
func checkCoordinates(problems *strictyaml.Problems, axes []Axis, include, exclude []Point, fixed *yaml.Node) {
	have := axisNames(axes)
	if len(axes) == 0 && len(include) > 0 {
		for _, s := range include[0] {
			have = append(have, s.Key.Value)
		}
	}
	for i, p := range include {
		sorted := Point{}
		for _, name := range have {
			if v := p.valueOf(name); v != nil {
				sorted = append(sorted, Setting{p[slices.IndexFunc(p, func(s Setting) bool { return s.Key.Value == name })].Key, v})
			} else {
				problems.Add(p[0].Key, "grid.include: the point lacks %s", name)
			}
		}
		for _, s := range p {
			if !slices.Contains(have, s.Key.Value) {
				problems.Add(s.Key, "grid.include: %q is not a parameter of the grid%s", s.Key.Value, suggest.Choices(s.Key.Value, have))
			} else if strictyaml.IsSet(fixed, s.Key.Value) {
				problems.Add(s.Key, "%s stands both in the grid and outside it", s.Key.Value)
			}
		}
		include[i] = sorted
	}
	for _, p := range exclude {
		for _, s := range p {
			if !slices.Contains(have, s.Key.Value) && !strictyaml.IsSet(fixed, s.Key.Value) {
				problems.Add(s.Key, "grid.exclude: %q is not a parameter of the grid%s", s.Key.Value, suggest.Choices(s.Key.Value, have))
			}
		}
	}
}

func axisNames(axes []Axis) []string {
	var out []string
	for _, a := range axes {
		out = append(out, a.Key.Value)
	}
	return out
}

// TooMany reports a product of more than MaxPoints points. section is the section that has the axes.
func TooMany(problems *strictyaml.Problems, section string, n *yaml.Node, axes []Axis, factors [][]int) bool {
	size := 1
	for _, f := range factors {
		if size *= len(axes[f[0]].Values); size > MaxPoints {
			problems.Add(n, "%s: more than %d points", section, MaxPoints)
			return true
		}
	}
	return false
}

// Product lists all combinations, the last factor fastest.
func Product(axes []Axis, factors [][]int) []Point {
	size := 1
	for _, f := range factors {
		size *= len(axes[f[0]].Values)
	}
	out := make([]Point, size)
	for k := range out {
		p := make(Point, len(axes))
		rest := k
		for f := len(factors) - 1; f >= 0; f-- {
			length := len(axes[factors[f][0]].Values)
			for _, i := range factors[f] {
				p[i] = Setting{axes[i].Key, axes[i].Values[rest%length]}
			}
			rest /= length
		}
		out[k] = p
	}
	return out
}

// matchesTerm reports whether every key of an exclude term q has the value that the point, or the fixed parameters, give it.
func (p Point) matchesTerm(q Point, fixed *yaml.Node) bool {
	for _, s := range p {
		have := q.valueOf(s.Key.Value)
		if have == nil {
			have = strictyaml.Find(fixed, s.Key.Value)
		}
		if !equalNodes(have, s.Value) {
			return false
		}
	}
	return true
}

// equalNodes compares values as YAML reads them: 0.1 equals 1e-1.
func equalNodes(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || len(a.Content) != len(b.Content) {
		return false
	}
	if a.Kind == yaml.ScalarNode {
		x, okX := strictyaml.Number(a)
		y, okY := strictyaml.Number(b)
		if okX && okY {
			return x == y
		}
		return strictyaml.Natural(a) == strictyaml.Natural(b)
	}
	for i := range a.Content {
		if !equalNodes(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}
