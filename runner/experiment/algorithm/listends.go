package algorithm

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"tenfold/engines/registry"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/grid"
)

// listEnd identifies an end of the list of a tuned parameter.
type listEnd struct {
	name    string
	largest bool
}

// endsAt names the parameters of a point whose values are the smallest or largest numbers of their lists, or of ranges of integers (of
// other ranges, draws do not reach the ends). An end beyond which the
// engine accepts no number, such as an alpha of 1, does not count: the list leaves nothing out there.
func (t *tuner) endsAt(p grid.Point, params []registry.Param) (ends []string) {
	for i, s := range p {
		axis, numbers := t.axes[i], true
		var all []float64
		for _, v := range axis.Values {
			x, ok := strictyaml.Number(v)
			all, numbers = append(all, x), numbers && ok
		}
		place := fmt.Sprintf("%d in the list", len(all))
		if r := axis.Range; r != nil && r.Whole() {
			all, place = []float64{r.Low, r.High}, "its range"
		}
		if !numbers || len(all) == 0 || slices.Min(all) == slices.Max(all) {
			continue
		}
		word := ""
		switch x, _ := strictyaml.Number(s.Value); x {
		case slices.Min(all):
			word = "smallest"
		case slices.Max(all):
			word = "largest"
		}
		if word != "" && t.isOpen(listEnd{s.Key.Value, word == "largest"}, p, i, params) {
			ends = append(ends, fmt.Sprintf("%s, the %s of %s", inWords(p[i:i+1], params), word, place))
		}
	}
	return ends
}

// isOpen reports whether the engine of a point accepts a number beyond that of setting i. The answer is kept, by end.
func (t *tuner) isOpen(end listEnd, p grid.Point, i int, params []registry.Param) bool {
	if open, known := t.open[end]; known {
		return open
	}
	x, _ := strictyaml.Number(p[i].Value)
	step := max(math.Abs(x), 1) * 1e-6
	if slices.ContainsFunc(params, func(p registry.Param) bool { return p.Name == end.name && reflect.ValueOf(p.Value).CanInt() }) {
		step = 1
	}
	if !end.largest {
		step = -step
	}
	beyond := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: strconv.FormatFloat(x+step, 'g', -1, 64), Line: p[i].Value.Line, Column: p[i].Value.Column}
	if math.Abs(step) == 1 {
		beyond.Tag, beyond.Value = "!!int", strconv.FormatFloat(x+step, 'f', -1, 64)
	}
	other := slices.Clone(p)
	other[i].Value = beyond
	uses := t.Uses
	t.Try(func() { _, t.open[end] = t.build(t.withPoint(other)) }) // mistakes of this trial engine are not mistakes of the file
	t.Uses = uses
	return t.open[end]
}

// withPoint returns the parameters that are not tuned, with those of a point.
func (t *tuner) withPoint(p grid.Point) *yaml.Node {
	params := t.fixed
	for _, s := range p {
		params = strictyaml.WithValue(params, s.Key.Value, s.Key, s.Value)
	}
	return params
}
