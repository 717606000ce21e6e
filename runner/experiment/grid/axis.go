package grid

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/numeric/elementary"
	"tenfold/io/strictyaml"
)

// Values returns the values of one axis: those of a list, or of {log: [from, to, count]} or {linear: [from, to, count]}. name
// is for messages.
func Values(problems *strictyaml.Problems, name string, n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.MappingNode {
		return spacedValues(problems, name, n)
	}
	if n.Kind != yaml.SequenceNode {
		problems.Add(n, "%s: expected a list of values or {log: [from, to, count]}, found %s", name, strictyaml.Describe(n))
		return nil
	}
	if len(n.Content) == 0 {
		problems.Add(n, "%s: the list is empty", name)
	}
	return n.Content
}

// checkDistinct reports a value that an axis lists twice; zipped axes may repeat values, as long as not all of them repeat
// together.
func checkDistinct(problems *strictyaml.Problems, axes []Axis, factors [][]int) {
	for _, factor := range factors {
		seen := map[string]bool{}
		for k, first := range axes[factor[0]].Values {
			var all []string
			for _, i := range factor {
				all = append(all, valueIdentity(axes[i].Values[k]))
			}
			key := strings.Join(all, ", ")
			if seen[key] {
				problems.Add(first, "grid.%s: %s stands there twice", axes[factor[0]].Key.Value, key)
			}
			seen[key] = true
		}
	}
}

// valueIdentity returns a text that equal values share, such as 0.1 and 1e-1.
func valueIdentity(n *yaml.Node) string {
	switch x, ok := strictyaml.Number(n); {
	case ok:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case n.Kind == yaml.ScalarNode:
		return strictyaml.Describe(n)
	}
	parts := make([]string, len(n.Content))
	for i, c := range n.Content {
		parts[i] = valueIdentity(c)
	}
	return fmt.Sprintf("%v", parts)
}

func spacedValues(problems *strictyaml.Problems, name string, n *yaml.Node) []*yaml.Node {
	var between func(lo, hi, t float64) float64
	_, ends := strictyaml.Entry(n, "log")
	if between = geometricAt; ends == nil {
		_, ends = strictyaml.Entry(n, "linear")
		between = linearAt
	}
	if ends == nil || len(n.Content) != 2 {
		problems.Add(n, "%s: expected one of log, linear, as in {log: [0.001, 1, 7]}", name)
		return nil
	}
	bad := func() []*yaml.Node {
		problems.Add(ends, "%s: expected [from, to, count]: two different finite numbers (above 0 for log) and an integer from 2 to 10000", name)
		return nil
	}
	if ends.Kind != yaml.SequenceNode || len(ends.Content) != 3 {
		return bad()
	}
	lo, okLo := strictyaml.Number(ends.Content[0])
	hi, okHi := strictyaml.Number(ends.Content[1])
	count, okCount := strictyaml.Integer(ends.Content[2])
	_, isLog := strictyaml.Entry(n, "log")
	if !okLo || !okHi || !okCount || count < 2 || count > 10_000 || lo == hi || isLog != nil && (lo <= 0 || hi <= 0) {
		return bad()
	}
	out := make([]*yaml.Node, count)
	for i := range out {
		x := lo
		switch {
		case i == len(out)-1:
			x = hi
		case i > 0:
			x = round12(between(lo, hi, float64(i)/float64(count-1)))
		}
		out[i] = NumberNode(x, ends)
	}
	return out
}

// NumberNode returns a number as a scalar at the place of a node; a whole one is written as an integer.
func NumberNode(x float64, place *yaml.Node) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: strconv.FormatFloat(x, 'g', -1, 64), Line: place.Line, Column: place.Column}
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		n.Tag, n.Value = "!!int", strconv.FormatFloat(x, 'f', -1, 64)
	}
	return n
}

func geometricAt(lo, hi, t float64) float64 {
	a, b := elementary.Log10(lo), elementary.Log10(hi)
	return elementary.Pow(10, a+float64(t*(b-a)))
}

func linearAt(lo, hi, t float64) float64 { return lo + float64(t*(hi-lo)) }

// round12 rounds to twelve significant digits, so that points have short names and are the same on every machine.
func round12(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 11, 64), 64)
	return y
}
