package experiment

import (
	"reflect"
	"slices"

	"gopkg.in/yaml.v3"

	"tenfold/engines/param"
	"tenfold/io/planfile"
	"tenfold/io/results"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/algorithm"
)

// Section is a section that another package owns, or an entry of one that is a list.
type Section interface {
	param.Validator // by itself
	// ValidateIn checks the section against the rest of the file.
	ValidateIn(file planfile.Planned) error
	// EachMetric yields each metric inside a text, such as a template of cells, with the field that it stands in, named as in
	// param.FieldError.
	EachMetric(yield func(field, name string))
}

// ownedSection is a section with its place.
type ownedSection struct {
	node  *yaml.Node
	value Section // pointer to what it was decoded into
}

// decodeSections decodes the sections that the fields of the struct at ptr stand for, and validates each by itself.
func (d *decoder) decodeSections(root *yaml.Node, ptr any) {
	if ptr == nil {
		return
	}
	all := reflect.ValueOf(ptr).Elem()
	for _, f := range strictyaml.Fields(all.Type()) {
		_, n := strictyaml.Entry(root, f.Name)
		if n == nil {
			continue
		}
		v := all.FieldByIndex(f.Index)
		if v.Kind() != reflect.Slice {
			d.decodeSection(n, v, f.Name)
			continue
		}
		if n.Kind != yaml.SequenceNode {
			d.Add(n, "%s: expected a list, found %s", f.Name, strictyaml.Describe(n))
			continue
		}
		list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
		for i, entry := range n.Content {
			if section, ok := list.Index(i).Addr().Interface().(interface{ SetDefaults() }); ok {
				section.SetDefaults()
			}
			d.decodeSection(entry, list.Index(i), f.Name)
		}
		v.Set(list)
	}
}

func (d *decoder) decodeSection(n *yaml.Node, v reflect.Value, name string) {
	ptr := v.Addr().Interface()
	if !d.DecodeInto(n, ptr, strictyaml.Owner{Noun: "key", Of: name}) {
		return
	}
	section := ptr.(Section)
	d.owned = append(d.owned, ownedSection{n, section})
	d.Report(n, section.Validate())
}

// checkSections checks the sections that others own against the rest of the file.
func (d *decoder) checkSections(f *File, o Options) {
	if len(d.owned) == 0 {
		return
	}
	file := planfile.Planned{
		Parts: map[string]int{}, Predictions: f.Predictions == nil || *f.Predictions, Datasets: f.datasetLabels(), Algorithms: f.algorithmLabels(), Metrics: o.Described,
		IsMetric: func(name string) bool {
			return slices.Contains(o.MetricNames, name) || o.Metrics != nil && o.hasMetric(name)
		},
	}
	file.Varied, file.Fixed = parameterNames(f)
	for _, s := range f.Datasets {
		if s.Family.Kind != "" {
			file.Families = append(file.Families, s.Name)
			continue
		}
		file.Others = append(file.Others, s.Name)
		if n, known := s.Folds.Tests(); known {
			file.Parts[s.Name] = n
		}
	}
	if d.Count == 0 && slices.ContainsFunc(f.Algorithms, func(a algorithm.Algorithm) bool { return len(a.Where) > 0 }) {
		file.Cells = f.plannedCells()
	}
	for _, s := range d.owned {
		d.Report(s.node, s.value.ValidateIn(file))
	}
}

// plannedCells returns the cells of the file.
func (f *File) plannedCells() (planned []results.Label) {
	for i := range f.Datasets {
		for j := range f.Algorithms {
			if s, a := &f.Datasets[i], &f.Algorithms[j]; a.RunsOn(s) {
				planned = append(planned, results.Label{Dataset: s.Name, Algorithm: a.Name, Grid: slices.Concat(a.Grid, s.Grid)})
			}
		}
	}
	return planned
}
