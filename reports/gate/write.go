package gate

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"tenfold/reports/paired"
)

// Write writes the file in a fixed order, with numbers in the shortest form that reads back exactly: equal baselines are
// equal files.
func (b *Baseline) Write(w io.Writer) error {
	text, err := b.encode()
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

func (b *Baseline) encode() ([]byte, error) {
	m := mapping{}
	m.add(keyVersion, numberNode(baselineVersion))
	m.add(keyExperiment, textNode(b.Experiment))
	rules := &yaml.Node{Kind: yaml.SequenceNode}
	for _, r := range b.Rules {
		rules.Content = append(rules.Content, r.yamlNode())
	}
	m.add(keyRules, rules)
	m.add(keyRulesSum, textNode(rulesChecksum(b.Rules)))
	m.addMapping(keyDatasets, len(b.Datasets), func(m *mapping) {
		for _, label := range slices.Sorted(maps.Keys(b.Datasets)) {
			m.add(label, b.Datasets[label].yamlNode(label))
		}
	})
	m.addMapping(keyResults, len(b.Results), func(m *mapping) {
		for _, dataset := range slices.Sorted(maps.Keys(b.Results)) {
			algorithms := b.Results[dataset]
			m.addMapping(dataset, len(algorithms), func(m *mapping) {
				for _, algorithm := range slices.Sorted(maps.Keys(algorithms)) {
					m.add(algorithm, algorithms[algorithm].yamlNode(b.entryChecksum(dataset, algorithm)))
				}
			})
		}
	})
	var out bytes.Buffer
	fmt.Fprintf(&out, "# What tenfold check compares the results of the experiment %s with, written by tenfold accept.\n"+
		"# By hand, and kept: tolerance: {relative: 0.02} or {absolute: 0.1} of a metric below, in place of the gate's margin;\n"+
		"# expected_failure: \"the reason\" of an algorithm or a metric that need not pass.\n", strconv.Quote(b.Experiment))
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(m.yamlNode()); err != nil {
		return nil, fmt.Errorf("baseline of %s: %w", b.Experiment, err)
	}
	return out.Bytes(), enc.Close()
}

func marginNode(m paired.Margin) *yaml.Node {
	out := mapping{style: yaml.FlowStyle}
	out.addNumber(keyRelative, m.Relative)
	out.addNumber(keyAbsolute, m.Absolute)
	return out.yamlNode()
}

func (d Dataset) yamlNode(label string) *yaml.Node {
	m := mapping{}
	m.add(keyDigest, textNode(d.Digest))
	folds := &yaml.Node{Kind: yaml.SequenceNode}
	for _, digest := range d.Folds {
		folds.Content = append(folds.Content, textNode(digest))
	}
	m.add(keyFolds, folds)
	if len(d.Protocol) > 0 {
		p := mapping{style: yaml.FlowStyle}
		for _, name := range slices.Sorted(maps.Keys(d.Protocol)) {
			p.addText(name, d.Protocol[name])
		}
		m.add(keyProtocol, p.yamlNode())
	}
	m.addNumbers(keyBlocks, d.Blocks)
	m.add(keySum, textNode(d.checksumOf(label)))
	return m.yamlNode()
}

func (e Entry) yamlNode(sum string) *yaml.Node {
	m := mapping{}
	m.addFlag(keyOptimistic, e.Optimistic)
	m.addFlag(keyImported, e.Imported)
	m.addText(keySizes, e.Sizes)
	m.addText(keyExpected, e.ExpectedFailure)
	for _, metric := range slices.Sorted(maps.Keys(e.Metrics)) {
		m.add(metric, e.Metrics[metric].yamlNode())
	}
	m.addText(keySum, sum)
	return m.yamlNode()
}

func (r Record) yamlNode() *yaml.Node {
	m := mapping{}
	m.addNumber(keyMean, r.Mean)
	m.addNumber(keySE, r.SE)
	m.addFlag(keyHigher, r.Higher)
	m.addNumbers(keyValues, r.Values)
	m.addNumbers(keyBlocks, r.Blocks)
	if r.Tolerance != nil {
		m.add(keyTolerance, marginNode(*r.Tolerance))
	}
	m.addText(keyExpected, r.ExpectedFailure)
	return m.yamlNode()
}

// yamlNode encodes a rule with all it says, defaults included.
func (r Rule) yamlNode() *yaml.Node {
	m := mapping{style: yaml.FlowStyle}
	m.add("metric", textNode(r.Metric))
	if r.Margin.Given() {
		m.add("margin", marginNode(r.Margin))
	}
	m.addText("test", r.Test)
	m.add("alpha", numberNode(r.Alpha))
	m.add("inconclusive", textNode(r.Inconclusive))
	m.addTexts("datasets", r.Datasets)
	m.addTexts("algorithms", r.Algorithms)
	m.addText("against", r.Against)
	m.addNumber("min", r.Min)
	m.addNumber("max", r.Max)
	return m.yamlNode()
}

// mapping builds a YAML mapping. Empty and zero values are left out, except by add.
type mapping struct {
	content []*yaml.Node
	style   yaml.Style
}

func (m *mapping) add(key string, value *yaml.Node) {
	m.content = append(m.content, textNode(key), value)
}

func (m *mapping) addMapping(key string, n int, fill func(*mapping)) {
	if n > 0 {
		below := mapping{}
		fill(&below)
		m.add(key, below.yamlNode())
	}
}

func (m *mapping) addText(key, value string) {
	if value != "" {
		m.add(key, textNode(value))
	}
}

func (m *mapping) addTexts(key string, values []string) {
	if len(values) == 0 {
		return
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, v := range values {
		list.Content = append(list.Content, textNode(v))
	}
	m.add(key, list)
}

func (m *mapping) addFlag(key string, set bool) {
	if set {
		m.add(key, &yaml.Node{Kind: yaml.ScalarNode, Value: "true"})
	}
}

func (m *mapping) addNumber(key string, x *float64) {
	if x != nil {
		m.add(key, numberNode(*x))
	}
}

func (m *mapping) addNumbers(key string, xs []float64) {
	if len(xs) == 0 {
		return
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, x := range xs {
		list.Content = append(list.Content, numberNode(x))
	}
	m.add(key, list)
}

func (m *mapping) yamlNode() *yaml.Node {
	n := &yaml.Node{Kind: yaml.MappingNode, Style: m.style, Content: m.content}
	if len(m.content) == 0 {
		n.Style = yaml.FlowStyle
	}
	return n
}

// textNode returns a string node, quoted if YAML would read it as something else or fold it.
func textNode(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if slices.ContainsFunc([]rune(s), func(r rune) bool { return r < ' ' || r == 0x7f }) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func numberNode(x float64) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.FormatFloat(x, 'g', -1, 64)}
}
