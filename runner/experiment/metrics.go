package experiment

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/data"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/reading"
	"tenfold/runner/metric"
)

// Metrics: those that a file defines, and those that it uses.

// ownName matches names that a file may give to its metrics: they become columns of result files.
var ownName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// decodeDefinitions returns the names of the section metrics, and the metrics that it defines.
func (d *decoder) decodeDefinitions(root *yaml.Node, list []metric.Definition) (names []string, defined metric.Set) {
	_, section := strictyaml.Entry(root, "metrics")
	if section == nil || section.Kind != yaml.SequenceNode || len(section.Content) != len(list) {
		return nil, nil
	}
	defined = metric.Set{}
	for i, m := range list {
		if entry := section.Content[i]; entry.Kind == yaml.MappingNode {
			d.checkDefinition(entry, m, names)
			if _, known := metric.Find(m.Name); !known {
				defined[m.Name] = m
			}
		}
		names = append(names, m.Name)
	}
	return names, defined
}

// checkDefinition checks an entry that defines a metric; before has the names of the entries above it.
func (d *decoder) checkDefinition(entry *yaml.Node, m metric.Definition, before []string) {
	_, name := strictyaml.Entry(entry, "name")
	_, matrix := strictyaml.Entry(entry, "matrix")
	if name == nil { // which is reported
		return
	}
	_, known := metric.Find(m.Name)
	switch {
	case known:
		d.Add(name, "metrics: %s is a metric of tenfold's own; give yours another name", m.Name)
	case !ownName.MatchString(m.Name):
		d.Add(name, "metrics: expected a name of small letters, digits and underscores, found %q", m.Name)
	case slices.Contains(before, m.Name):
		d.Add(name, "metrics: two metrics have the name %q", m.Name)
	}
	if matrix == nil {
		d.Add(entry, "metrics: %s is defined by nothing; give it a matrix of costs by true and predicted level, as in {name: %s, matrix: {yes: {no: 5}, no: {yes: 1}}}", m.Name, m.Name)
		return
	}
	varies := false
	for truth, row := range m.Matrix {
		for prediction, cost := range row {
			varies = varies || cost != 0
			if math.IsNaN(cost) || math.IsInf(cost, 0) {
				d.Add(strictyaml.Find(matrix, truth+"."+prediction), "metrics: %s.matrix.%s.%s: %v, expected a finite cost", m.Name, truth, prediction, cost)
			}
		}
	}
	if matrix.Kind == yaml.MappingNode && !varies {
		d.Add(matrix, "metrics: %s.matrix: no prediction costs anything", m.Name)
	}
}

// withDefined returns the options with metrics that a file defines.
func (o Options) withDefined(defined metric.Set) Options {
	if len(defined) == 0 || o.Metrics == nil {
		return o
	}
	others := o.Metrics
	o.Metrics = func(name string) ([]data.Type, bool) {
		if m, known := defined.Find(name); known {
			return m.Targets(), true
		}
		return others(name)
	}
	o.MetricNames = slices.Concat(defined.DefinedNames(), o.MetricNames)
	o.Described = defined.Described(nil).Or(o.Described)
	return o
}

// MetricUse is a place of the file that names a metric.
type MetricUse struct {
	Name string
	At   reading.Entry
}

// checkMetrics reports metrics that apply to no data set of the file, and collects the uses of all.
func (d *decoder) checkMetrics(doc outline, f *File, o Options) {
	if o.Metrics == nil || len(f.Datasets) == 0 {
		return
	}
	use := func(name string, node *yaml.Node) {
		targets, ok := o.Metrics(name)
		if !ok {
			return
		}
		f.MetricUses = append(f.MetricUses, MetricUse{name, reading.Entry{Node: node}})
		_, defined := f.Defined[name]
		if (defined || strings.Contains(name, ":") && slices.Contains(targets, data.Survival)) && f.Predictions != nil && !*f.Predictions {
			d.Add(node, "metric %s is computed from predictions, which predictions: false does not keep", name)
		}
		fits := func(s Dataset) bool { t := targetType(s); return t == data.Any || slices.Contains(targets, t) }
		if len(targets) > 0 && !slices.ContainsFunc(f.Datasets, fits) {
			s := f.Datasets[0]
			d.Add(node, "metric %s needs %s; data set %s has %s", name, wordTargets(targets), s.Name, wording[targetType(s)])
		}
	}
	for _, r := range d.Uses {
		if r.To == "metric" {
			use(r.At.Value, r.At)
		}
	}
	for _, s := range d.owned {
		s.value.EachMetric(func(field, name string) { use(name, strictyaml.Find(s.node, field)) })
	}
}
