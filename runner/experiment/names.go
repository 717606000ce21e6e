package experiment

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/registry"
	"tenfold/engines/suggest"
	"tenfold/io/results"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/experiment/reading"
)

// Names: those that a file defines, and those that it uses.

// checkNames compares the names that are used with those that are defined.
func (d *decoder) checkNames(doc outline, f *File, o Options) {
	varied, fixed := parameterNames(f)
	known := map[string][]string{
		"dataset":   d.entryNames("data set", doc.Datasets),
		"algorithm": d.entryNames("algorithm", doc.Algorithms),
		"parameter": slices.Concat(varied, fixed),
		"metric":    o.MetricNames,
	}
	d.checkWhere(doc.Algorithms, known["dataset"], f)
	known["label"] = slices.Concat(known["algorithm"], known["dataset"])
	known["axis"] = slices.Concat(known["parameter"], known["metric"])
	for _, r := range d.Uses {
		name := r.At.Value
		to, pointed := strings.CutSuffix(r.To, "-label")
		defined := slices.Contains(known[to], name) || to == "label" && isLabel(name, known["label"], f) ||
			pointed && hasPoint(name, known[to])
		if to == "metric" || to == "axis" && !defined {
			defined = o.hasMetric(name)
		}
		if !defined && r.At.Kind == yaml.ScalarNode && r.At.Tag != "!!null" {
			noun, names := strings.Replace(to, "dataset", "data set", 1), known[to]
			switch {
			case to == "label": // a baseline is nearly always an algorithm
				noun, names = "algorithm", known["algorithm"]
				if a := onlyWithEngine(name, f); a != "" {
					d.Add(r.At, "unknown algorithm %q; the algorithm with this engine has the name %q", name, a)
					continue
				}
			case to == "axis" && len(varied) > 0 && suggest.Nearest(name, o.MetricNames) == "":
				names = varied
			}
			d.Add(r.At, "unknown %s %q%s", noun, name, suggest.Choices(name, names))
		}
	}
	d.checkNamedMetrics(o)
}

// hasMetric reports whether there is a metric of that name; true if the metrics are unknown.
func (o Options) hasMetric(name string) bool {
	if o.Metrics == nil {
		return true
	}
	_, ok := o.Metrics(name)
	return ok
}

// datasetLabels returns the data sets, at each point of their grids, as pairs of name and label in results.
func (f *File) datasetLabels() (out [][2]string) {
	for _, s := range f.Datasets {
		label, _ := results.Labels(s.Name, "", s.Grid, results.Brief)
		out = append(out, [2]string{s.Name, label})
	}
	return out
}

// algorithmLabels returns the algorithms likewise.
func (f *File) algorithmLabels() (out [][2]string) {
	for _, a := range f.Algorithms {
		_, label := results.Labels("", a.Name, a.Grid, results.Brief)
		out = append(out, [2]string{a.Name, label})
	}
	return out
}

// isLabel reports whether a text can label a row or column of a table: a name with a grid point, or a value of a grid.
func isLabel(text string, names []string, f *File) bool {
	value := func(p results.Param) bool { return fmt.Sprint(p.Value) == text }
	return hasPoint(text, names) ||
		slices.ContainsFunc(f.Algorithms, func(a algorithm.Algorithm) bool { return slices.ContainsFunc(a.Grid, value) }) ||
		slices.ContainsFunc(f.Datasets, func(s Dataset) bool { return slices.ContainsFunc(s.Grid, value) })
}

// hasPoint reports whether a text is one of the names followed by a grid point.
func hasPoint(text string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(text, n+" ") })
}

// onlyWithEngine returns the name of the one algorithm with an engine, "" if there are several or none.
func onlyWithEngine(engine string, f *File) (name string) {
	for i := range f.Algorithms {
		switch a := &f.Algorithms[i]; {
		case a.Kind != engine:
		case name != "" && name != a.Name:
			return ""
		default:
			name = a.Name
		}
	}
	return name
}

// labelPattern matches the names that data sets and algorithms may have.
var labelPattern = regexp.MustCompile(`^[\pL\pN]([\pL\pN ._+()=@%-]*[\pL\pN.+)%])?$`)

// entryNames returns the names of the entries of a section, and reports names that are not valid labels or not unique.
func (d *decoder) entryNames(what string, entries []*yaml.Node) []string {
	var out []string
	for _, e := range entries {
		_, node := strictyaml.Entry(e, "name")
		if node == nil || node.Kind != yaml.ScalarNode || node.Tag == "!!null" {
			continue
		}
		switch {
		case slices.Contains(out, node.Value):
			d.Add(node, "two %ss have the name %q", what, node.Value)
		case !labelPattern.MatchString(node.Value):
			d.Add(node, "name: expected letters, digits and any of ._+-()=@%% or spaces inside, found %q", node.Value)
		}
		out = append(out, node.Value)
	}
	return out
}

// parameterNames returns the parameters that grids vary (task and point included, if there are families and paths), and those that
// they could vary: --set may have fixed one.
func parameterNames(f *File) (varied, fixed []string) {
	add := func(to *[]string, name string) {
		if !slices.Contains(varied, name) && !slices.Contains(*to, name) {
			*to = append(*to, name)
		}
	}
	for _, a := range f.Algorithms {
		for _, p := range a.Grid {
			add(&varied, p.Name)
		}
		if len(a.Path) > 0 {
			add(&varied, results.PointDim)
		}
	}
	for _, s := range f.Datasets {
		for _, p := range s.Grid {
			add(&varied, p.Name)
		}
		if s.Family.Kind != "" {
			add(&varied, results.TaskDim)
		}
	}
	for _, a := range f.Algorithms {
		for _, p := range registry.Params(a.Engine, a.Engine) {
			add(&fixed, p.Name)
		}
	}
	for _, s := range f.Datasets {
		for _, p := range registry.Params(s.Source, s.Source) {
			add(&fixed, ofData+p.Name)
		}
		add(&fixed, ofData+"train_fraction")
	}
	return varied, fixed
}

// checkNamedMetrics reports unknown metrics inside the texts of sections.
func (d *decoder) checkNamedMetrics(o Options) {
	for _, s := range d.owned {
		s.value.EachMetric(func(field, name string) {
			if !o.hasMetric(name) {
				d.Add(strictyaml.Find(s.node, field), "unknown metric %q%s", name, suggest.Choices(name, o.MetricNames))
			}
		})
	}
}

// checkLabels reports two data sets, or two algorithms, that would have the same label in tables, baselines and metrics.json:
// points of grids, and names that look like such points.
func (d *decoder) checkLabels(f *File) {
	type place struct {
		name string
		node *yaml.Node
	}
	check := func(what string, seen map[string]place, label string, e reading.Entry, name string) {
		_, node := strictyaml.Entry(e.Node, "name")
		was, again := seen[label]
		switch {
		case !again:
			seen[label] = place{name, node}
		case was.node == node && d.Count > 0: // points of one entry that has mistakes
		case was.node == node && node != nil:
			_, grid := strictyaml.Entry(e.Node, "grid")
			d.Add(cmp.Or(grid, node), "grid: two points would both be called %q in results, which show six digits", label)
		case node != nil && was.name != name: // equal names are a mistake of their own
			place := ""
			if was.node.Line > 0 { // not by --set
				place = fmt.Sprintf(", on line %d,", was.node.Line)
			}
			d.Add(node, "%s %q%s and this one would both be called %q in results", what, was.name, place, label)
		}
	}
	datasets, algorithms := map[string]place{}, map[string]place{}
	for _, s := range f.Datasets {
		label, _ := results.Labels(s.Name, "", s.Grid, results.Brief)
		check("data set", datasets, label, s.Entry, s.Name)
	}
	for _, a := range f.Algorithms {
		_, label := results.Labels("", a.Name, a.Grid, results.Brief)
		check("algorithm", algorithms, label, a.Entry, a.Name)
	}
}
