package spec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/data"
	"tenfold/engines/kind"
	"tenfold/io/results"
)

// check compares the parts of a file with each other: names with their definitions, engines, metrics and folds with
// what the formats declare. It works on what could be decoded, so that one mistake does not hide another.
func (d *decoder) check(doc document, f *File, o Options) {
	known := map[string][]string{
		"dataset":   d.entryNames("data set", doc.Datasets),
		"algorithm": d.entryNames("algorithm", doc.Algorithms),
		"parameter": parameterNames(f),
		"metric":    o.MetricNames,
	}
	known["label"] = slices.Concat(known["algorithm"], known["dataset"])
	known["axis"] = slices.Concat(known["parameter"], known["metric"])
	for _, r := range d.refs {
		name := r.at.Value
		to, pointed := strings.CutSuffix(r.to, "-label")
		defined := slices.Contains(known[to], name) || to == "label" && isLabel(name, known["label"], f) ||
			pointed && hasPoint(name, known[to])
		if to == "metric" || to == "axis" && !defined {
			defined = o.Metrics == nil
			if !defined {
				_, defined = o.Metrics(name)
			}
		}
		if !defined && r.at.Kind == yaml.ScalarNode && r.at.Tag != "!!null" {
			d.add(r.at, "unknown %s %q%s", strings.Replace(to, "dataset", "data set", 1), name, choices(name, known[to]))
		}
	}
	d.checkNamedMetrics(o)
	d.checkNeeds(f)
	d.checkMetrics(doc, f, o)
	for _, set := range f.Datasets {
		d.checkFolds(doc, set)
		d.checkFamily(set)
	}
	d.checkParts(f)
	d.checkFamilies(f)
}

// isLabel tells whether a text can label a row or column of a table: a name with a grid point, or a value of a grid.
func isLabel(text string, names []string, f *File) bool {
	value := func(p results.Param) bool { return fmt.Sprint(p.Value) == text }
	return hasPoint(text, names) ||
		slices.ContainsFunc(f.Algorithms, func(a Algorithm) bool { return slices.ContainsFunc(a.Grid, value) }) ||
		slices.ContainsFunc(f.Datasets, func(s Dataset) bool { return slices.ContainsFunc(s.Grid, value) })
}

// checkNamedMetrics refuses unknown metrics inside the texts of sections.
func (d *decoder) checkNamedMetrics(o Options) {
	for _, s := range d.owned {
		namer, ok := s.value.(MetricNamer)
		if !ok || o.Metrics == nil {
			continue
		}
		namer.EachMetric(func(field, name string) {
			if _, known := o.Metrics(name); !known {
				d.add(find(s.at, field), "unknown metric %q%s", name, choices(name, o.MetricNames))
			}
		})
	}
}

// hasPoint tells whether a text is one of these names with a grid point.
func hasPoint(text string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(text, n+" ") })
}

var label = regexp.MustCompile(`^[\pL\pN]([\pL\pN ._+()=@-]*[\pL\pN.+)])?$`)

// entryNames are the names of the entries of a section; each must be a sound label and stand there once.
func (d *decoder) entryNames(what string, entries []*yaml.Node) []string {
	var out []string
	for _, e := range entries {
		_, at := get(e, "name")
		if at == nil || at.Kind != yaml.ScalarNode || at.Tag == "!!null" {
			continue
		}
		switch {
		case slices.Contains(out, at.Value):
			d.add(at, "two %ss have the name %q", what, at.Value)
		case !label.MatchString(at.Value):
			d.add(at, "name: expected letters, digits and any of ._+-()=@ or spaces inside, found %q", at.Value)
		}
		out = append(out, at.Value)
	}
	return out
}

// parameterNames are the columns that grids make, and those that they could make: --set may fix a gridded parameter.
func parameterNames(f *File) []string {
	var out []string
	add := func(params []results.Param) {
		for _, p := range params {
			if !slices.Contains(out, p.Name) {
				out = append(out, p.Name)
			}
		}
	}
	for _, a := range f.Algorithms {
		add(a.Grid)
		for _, p := range kind.Params(a.Engine, a.Engine) {
			add([]results.Param{{Name: p.Name}})
		}
		if len(a.Path) > 0 {
			add([]results.Param{{Name: results.PointDim}})
		}
	}
	for _, s := range f.Datasets {
		add(s.Grid)
		if s.Family.Kind != "" {
			add([]results.Param{{Name: results.TaskDim}})
		}
	}
	return out
}

// targetType is the type of a data set's targets as far as it is known before loading.
func targetType(s Dataset) data.Type {
	for _, p := range kind.Params(s.Source, s.Source) {
		if p.Name == "target.type" {
			switch p.Value {
			case data.Real.String():
				return data.Real
			case data.Class.String():
				return data.Class
			}
		}
	}
	t := data.Any
	for _, declared := range s.Source.Declares().Targets {
		if t != data.Any && declared.Type != t {
			return data.Any
		}
		t = declared.Type
	}
	return t
}

// wording of target types in messages.
var wording = map[data.Type]string{data.Real: "a real target (numbers)", data.Class: "a class target (levels)"}

// checkNeeds refuses engines that cannot use a data set of the file.
func (d *decoder) checkNeeds(f *File) {
	for _, s := range f.Datasets {
		has, declares := targetType(s), s.Source.Declares()
		for _, alg := range f.Algorithms {
			needs, at := alg.Engine.Needs(), find(alg.Entry.node, "engine")
			if needs.Target != data.Any && has != data.Any && needs.Target != has {
				d.add(at, "engine %s needs %s; data set %s has %s", alg.Kind, wording[needs.Target], s.Name, wording[has])
			}
			if needs.FeatureClasses && !declares.Classes {
				d.add(at, "engine %s, as set here, needs classes of features; data set %s has none", alg.Kind, s.Name)
			}
			d.checkAcross(alg, s, at)
			if !needs.Tasks && len(declares.Targets) > 1 {
				d.add(at, "engine %s fits one target; data set %s has %d", alg.Kind, s.Name, len(declares.Targets))
			}
		}
	}
}

// checkMetrics refuses metrics that no data set of the file can have.
func (d *decoder) checkMetrics(doc document, f *File, o Options) {
	if o.Metrics == nil || len(f.Datasets) == 0 {
		return
	}
	for _, r := range d.refs {
		needs, ok := o.Metrics(r.at.Value)
		if r.to != "metric" || !ok || needs == data.Any {
			continue
		}
		fits := func(s Dataset) bool { t := targetType(s); return t == data.Any || t == needs }
		if !slices.ContainsFunc(f.Datasets, fits) {
			s := f.Datasets[0]
			d.add(r.at, "metric %s needs %s; data set %s has %s", r.at.Value, wording[needs], s.Name, wording[targetType(s)])
		}
	}
}

// checkFolds compares the folds of a data set with what its format declares.
func (d *decoder) checkFolds(doc document, s Dataset) {
	_, at := get(s.Entry.node, "folds")
	if at == nil {
		at = doc.Folds
	}
	if at == nil {
		return
	}
	if s.Folds.Stratify && targetType(s) == data.Real {
		d.add(find(at, "stratify"), "folds: stratify needs %s; data set %s has %s", wording[data.Class], s.Name, wording[data.Real])
	}
	if groups := s.Source.Declares().Groups; s.Folds.By != "" && groups != nil && !slices.Contains(groups, s.Folds.By) {
		d.add(find(at, "by"), "folds: data set %s has no groups %q%s", s.Name, s.Folds.By, choices(s.Folds.By, groups))
	}
	if c := s.Folds.Column; s.Folds.Kind == "time" && c != "" && c != timeColumn(s, c) {
		d.add(find(at, "column"), "folds: declare %q as the time of data set %s, columns: {time: %s}", c, s.Name, c)
	}
	if s.Folds.Kind == "given" && s.Folds.Column == "" && !parted(s.Files) && !s.Source.Declares().Parts {
		d.add(at, "folds: given folds need files: {train: ..., test: ...} of data set %s, or column:", s.Name)
	}
}

// DividedGroup is the column of groups whose rows may be on both sides of a split, "" where there is none: one that the data
// set declares and that its folds, which draw rows, do not go by. Folds in time are left out: they may mean to.
func (s Dataset) DividedGroup() string {
	if s.Folds.By != "" || (s.Folds.Kind != "kfold" && s.Folds.Kind != "holdout") {
		return ""
	}
	for _, p := range kind.Params(s.Source, s.Source) {
		if group, _ := p.Value.(string); p.Name == "columns.group" {
			return group
		}
	}
	return ""
}

// timeColumn is the column that a data set's format reads as the time of its rows; otherwise, for a format without columns
// to name: planning finds whether its rows have times.
func timeColumn(s Dataset, otherwise string) string {
	for _, p := range kind.Params(s.Source, s.Source) {
		if p.Name == "columns.time" {
			return fmt.Sprint(p.Value)
		}
	}
	return otherwise
}

// checkParts lets what depends on the number of folds check it. Of a family, only the data can tell how many tasks there are.
func (d *decoder) checkParts(f *File) {
	parts := map[string]int{}
	for _, s := range f.Datasets {
		n := 1
		switch {
		case s.Family.Kind != "", s.Folds.Kind == "given" && s.Folds.Column != "":
			continue // only the data can tell
		case s.Folds.Kind == "kfold" || s.Folds.Kind == "time":
			n = s.Folds.K
		}
		parts[s.Name] = n * s.Folds.Repeats
	}
	for _, s := range d.owned {
		if v, ok := s.value.(FoldsValidator); ok && len(parts) > 0 {
			d.addFrom(s.at, v.ValidateFolds(parts, f.Predictions == nil || *f.Predictions))
		}
	}
}

// checkFamilies lets what compares over folds refuse tests that are for folds and not for tasks.
func (d *decoder) checkFamilies(f *File) {
	var families, others []string
	for _, s := range f.Datasets {
		if s.Family.Kind != "" {
			families = append(families, s.Name)
		} else {
			others = append(others, s.Name)
		}
	}
	for _, s := range d.owned {
		if v, ok := s.value.(FamiliesValidator); ok && len(families) > 0 {
			d.addFrom(s.at, v.ValidateFamilies(families, others))
		}
	}
}
