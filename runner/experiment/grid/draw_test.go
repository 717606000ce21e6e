package grid

import (
	"math"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"tenfold/engines/enginetest/oracle"
	"tenfold/io/strictyaml"
)

// Draws of every kind of axis, and points that repeat, are those of the reference.
func TestOracleDraw(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"random_search": checkDraw})
}

func checkDraw(t *testing.T, raw oracle.Case) {
	var in struct {
		Parameters []struct {
			Name, Kind string
			Low, High  float64
			Values     []string
		}
	}
	var options struct {
		Seed   int64
		Number int
	}
	var want struct {
		Uniforms map[string][]float64
		Points   []map[string]any
		Dropped  int
	}
	raw.Parts(t, &in, &options, &want)
	var axes []Axis
	for _, p := range in.Parameters {
		a := Axis{Key: &yaml.Node{Kind: yaml.ScalarNode, Value: p.Name}}
		if p.Kind != "list" {
			a.Range = &Range{Distribution: Distribution(p.Kind), Low: p.Low, High: p.High, node: a.Key}
		}
		for _, v := range p.Values {
			a.Values = append(a.Values, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v})
		}
		axes = append(axes, a)
		for i, u := range want.Uniforms[p.Name] {
			if got := Uniform(options.Seed, p.Name, i); got != u {
				t.Errorf("draw %d of %s is %v, expected %v", i, p.Name, got, u)
			}
		}
	}
	points := Draw(axes, options.Seed, options.Number)
	if len(points) != len(want.Points) || options.Number-len(points) != want.Dropped {
		t.Fatalf("%d points, expected %d", len(points), len(want.Points))
	}
	for i, p := range points {
		for _, s := range p {
			switch v := want.Points[i][s.Key.Value].(type) {
			case float64:
				x, _ := strictyaml.Number(s.Value)
				oracle.Near(t, s.Key.Value, x, v, 1e-12)
			default:
				if s.Value.Value != v {
					t.Errorf("%s is %s, expected %v", s.Key.Value, s.Value.Value, v)
				}
			}
		}
	}
}

// A parameter in front, or another order, changes no draw of another; the first points of more are the same; an end of a range may be drawn and
// nothing beyond it.
func TestDrawsAreApart(t *testing.T) {
	t.Parallel()
	axis := func(name string, distribution Distribution, low, high float64) Axis {
		key := &yaml.Node{Kind: yaml.ScalarNode, Value: name}
		return Axis{Key: key, Range: &Range{Distribution: distribution, Low: low, High: high, node: key}}
	}
	a, b := axis("a", "log", 0.1, 10), axis("b", "uniform", 0, 1)
	both, alone := Draw([]Axis{a, b}, 5, 20), Draw([]Axis{b}, 5, 30)
	for i, p := range both {
		if p.valueOf("b").Value != alone[i].valueOf("b").Value {
			t.Errorf("draw %d of b depends on a", i)
		}
	}
	for _, d := range Distributions() {
		r := Range{Distribution: d, Low: 1, High: 7}
		if low, high := r.value(0), r.value(math.Nextafter(1, 0)); low != 1 || high > 7 || r.Whole() && high != 7 {
			t.Errorf("%s: from %v to %v", d, low, high)
		}
	}
}

// What makes no range is said with what was expected.
func TestRangesRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{log: [1, 0.1]}":           "1 is not below 0.1",
		"{log: [2, 2]}":             "2 is not below 2",
		"{log: [0, 1]}":             "0 has no logarithm",
		"{log-integer: [0, 4]}":     "integer draws from 0",
		"{integer: [0.5, 4]}":       "two integers, found [0.5, 4]",
		"{uniform: [0, .inf]}":      "two finite numbers",
		"{uniform: 3}":              "two finite numbers, found 3",
		"{uniform: [0, 1, 5]}":      "two finite numbers",
		"{normal: [0, 1]}":          "there is no distribution",
		"{one-of: []}":              "the list is empty",
		"{log: [1, 2], b: [1, 2]}":  "expected one of log, linear",
		"{linear: [1, 2]}":          "[from, to, count]",
		"{log: [-1, 1, 3]}":         "[from, to, count]",
		"{uniform: [0, 1], log: 2}": "expected one of",
	} {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		problems := strictyaml.NewProblems("x.yaml", []byte(text), nil)
		DrawnAxis(&problems, "tune.c", &yaml.Node{Value: "c"}, doc.Content[0])
		if err := problems.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
