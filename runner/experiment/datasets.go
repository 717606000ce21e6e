package experiment

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/engines/registry"
	"tenfold/engines/suggest"
	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/grid"
	"tenfold/runner/experiment/reading"
	"tenfold/runner/folds"
)

// Dataset is one data set of the file at one point of its grid.
type Dataset struct {
	Name    string
	Format  string // name of the format
	Rev     int    // of the format
	Source  source.Source
	Options string // canonical JSON of the options that differ from the format's defaults
	Files   map[string]files.Ref
	Folds   folds.Spec      // normalised
	Grid    []results.Param // names are data_ and the dotted path in the entry, such as data_features.cutoff
	// TrainFraction in (0, 1] is the share of each fold's training rows that is used.
	TrainFraction float64
	Weights       string  // what the weight of a row means: Importance or Frequency
	Similar       float64 // correlation from which on columns count as similar, one as good as the other; 0: none are
	Family        Family  // its tasks; Kind is "" if it has none
	Entry         reading.Entry
}

// NamedFiles returns the files of the data and of its folds, by role.
func (s *Dataset) NamedFiles() map[string]files.Ref {
	if s.Folds.File.Path == "" {
		return s.Files
	}
	all := maps.Clone(s.Files)
	if all == nil {
		all = map[string]files.Ref{}
	}
	all["folds"] = s.Folds.File
	return all
}

// datasetEntry holds the keys that every data set entry may have; all others are the format's.
type datasetEntry struct {
	Name          string               `yaml:"name" read:"required" doc:"label in tables: letters of any script, digits, and ._+-()=@% or spaces inside"`
	Format        string               `yaml:"format" read:"required" doc:"how the files are read: tenfold describe format"`
	Files         map[string]files.Ref `yaml:"files" doc:"role: file, such as all, or train and test"`
	Folds         *yaml.Node           `yaml:"folds" is:"word or mapping" doc:"folds of this data set, in place of the file's"`
	Grid          *yaml.Node           `yaml:"grid" doc:"options that vary, by dotted path; every point is a data set of its own"`
	TrainFraction float64              `yaml:"train_fraction" doc:"share of each fold's training rows that is used, above 0 and at most 1"`
	Weights       string               `yaml:"weights" doc:"what the weight of a row means: importance (only ratios count; tests scale weights to a sum of the number of rows) or frequency (whole numbers: so many equal rows)"`
	Similar       float64              `yaml:"similar" doc:"correlation, in size and over all rows, from which on columns can stand for each other in stability_yu and its like: above 0 and at most 1; without it none can"`
	Family        Family               `yaml:"family" doc:"tasks that the data set is divided into"`
}

// What the weight of a row means.
const (
	Importance = "importance" // how much it counts beside others
	Frequency  = "frequency"  // how many equal rows it stands for
)

// Recipe returns the preparation of the data set, as its format and the entry say.
func (s *Dataset) Recipe() prepare.Recipe {
	r := s.Source.Recipe()
	r.Frequency = s.Weights == Frequency
	return r
}

// ofData is the prefix of the names of a data set's grid parameters.
const ofData = "data_"

// ungriddable lists the common keys that a grid cannot vary.
var ungriddable = []string{"name", "format", "files", "folds", "grid", "weights", "similar", "family"}

var commonKeys = append(slices.Clone(ungriddable), "train_fraction")

// expandDataset expands one entry over its grid. common is the section folds of the file, nil if there is none.
func (d *decoder) expandDataset(n, common *yaml.Node, formats source.Set) []Dataset {
	if n.Kind != yaml.MappingNode {
		d.Add(n, "datasets: expected a mapping with name, format, files ..., found %s", strictyaml.Describe(n))
		return nil
	}
	entry := datasetEntry{TrainFraction: 1, Weights: Importance}
	shared, _ := splitKeys(n)
	ok := d.DecodeInto(shared, &entry, strictyaml.Owner{Noun: "key", Of: "data set"})
	format, known := formats[entry.Format]
	if entry.Format != "" && !known {
		_, node := strictyaml.Entry(n, "format")
		d.Add(node, "unknown format %q%s", entry.Format, suggest.Choices(entry.Format, formats.Names()))
	}
	spec := d.foldsOf(entry, common)
	d.checkFiles(n, entry.Files)
	if _, node := strictyaml.Entry(n, "family"); node != nil && entry.Family.Kind != "" {
		d.Report(node, entry.Family.Validate())
	}
	if _, node := strictyaml.Entry(n, "weights"); node != nil && ok {
		d.Report(node, param.OneOf("weights", entry.Weights, Importance, Frequency))
	}
	if _, node := strictyaml.Entry(n, "similar"); node != nil && ok {
		switch {
		case !(entry.Similar > 0 && entry.Similar <= 1):
			d.Add(node, "similar: %v, expected a correlation above 0, at most 1", entry.Similar)
		case entry.Family.Kind != "":
			d.Add(node, "similar: a family of tasks has no stability with stand-ins; leave it out")
		}
	}
	points := d.datasetGrid(entry.Grid, n)
	if !ok || !known {
		return nil
	}
	var out []Dataset
	for _, p := range points {
		set, ok := d.datasetAt(n, p, entry, format)
		if !ok {
			continue
		}
		if k := slices.IndexFunc(out, set.hasSameData); k >= 0 {
			grid.AddTwins(&d.Problems, p, set.Grid, out[k].Grid)
		}
		if set.Folds = spec; entry.Folds == nil && common == nil && set.Source.Declares().Parts {
			set.Folds = folds.Spec{Kind: "given"}.Normalised()
		}
		out = append(out, set)
	}
	if len(out) > 0 {
		d.checkRoles(n, out[0])
	}
	return out
}

// hasSameData reports whether two points of a data set's grid give the same data.
func (s Dataset) hasSameData(t Dataset) bool {
	return s.Options == t.Options && s.TrainFraction == t.TrainFraction && s.Recipe() == t.Recipe() && maps.Equal(s.Files, t.Files)
}

// datasetGrid expands the grid, without the keys that cannot vary.
func (d *decoder) datasetGrid(section, n *yaml.Node) []grid.Point {
	before := d.Count
	for i := 0; section != nil && section.Kind == yaml.MappingNode && i+1 < len(section.Content); i += 2 {
		key := section.Content[i]
		if first, _, _ := strings.Cut(key.Value, "."); slices.Contains(ungriddable, first) {
			d.Add(key, "grid: %s cannot vary within a data set", first)
		}
	}
	if d.Count > before {
		return nil
	}
	return grid.Expand(&d.Problems, section, n)
}

// splitKeys divides an entry into the common keys and the format's own.
func splitKeys(n *yaml.Node) (shared, options *yaml.Node) {
	a, b := *n, *n
	a.Content, b.Content = nil, nil
	for i := 0; i+1 < len(n.Content); i += 2 {
		if slices.Contains(commonKeys, n.Content[i].Value) {
			a.Content = append(a.Content, n.Content[i], n.Content[i+1])
		} else {
			b.Content = append(b.Content, n.Content[i], n.Content[i+1])
		}
	}
	return &a, &b
}

// datasetAt returns the data set at one point of its grid.
func (d *decoder) datasetAt(n *yaml.Node, p grid.Point, entry datasetEntry, format source.Kind) (Dataset, bool) {
	before := d.Count
	for _, s := range p {
		n = strictyaml.WithValue(n, s.Key.Value, s.Key, s.Value)
	}
	shared, options := splitKeys(n)
	_, fraction := strictyaml.Entry(shared, "train_fraction")
	if fraction != nil && d.DecodeInto(fraction, &entry.TrainFraction, strictyaml.Owner{Of: "train_fraction"}) &&
		!(entry.TrainFraction > 0 && entry.TrainFraction <= 1) {
		d.Add(fraction, "train_fraction: %v, expected a share above 0, at most 1", entry.TrainFraction)
	}
	src, ok := reading.Configure(d.Decoder, format, options, strictyaml.Owner{Noun: "key", Of: "format " + format.Name, Also: commonKeys})
	if !ok || d.Count > before {
		return Dataset{}, false
	}
	given, ok := d.resolveFiles(options, src, entry.Files)
	if !ok {
		return Dataset{}, false
	}
	params := append(registry.Params(src, format.Defaults()), registry.Param{Name: "train_fraction", Value: entry.TrainFraction})
	return Dataset{
		Name: entry.Name, Format: format.Name, Rev: format.Rev, Source: src,
		Options: registry.Canonical(src, format.Defaults()), Files: given,
		Grid: p.Params(ofData, params), TrainFraction: entry.TrainFraction, Family: entry.Family, Weights: entry.Weights, Similar: entry.Similar, Entry: reading.Entry{Node: n},
	}, true
}

// resolveFiles returns the files of an entry, together with those that its options name. Both are looked up alike.
func (d *decoder) resolveFiles(node *yaml.Node, src source.Source, given map[string]files.Ref) (map[string]files.Ref, bool) {
	naming, ok := src.(source.Naming)
	if !ok || len(naming.Named()) == 0 {
		return given, true
	}
	all := make(map[string]files.Ref, len(given)+1)
	maps.Copy(all, given)
	for role, file := range naming.Named() {
		if _, twice := given[role]; twice {
			d.Add(node, "files: the options name the file %s themselves; leave it out", role)
			return nil, false
		}
		all[role] = file
	}
	return all, true
}

// foldsOf returns the folds of the entry, else those of the file, else those that the files give, else ten-fold cross-validation.
// (A format that finds both parts in one file says so itself: see expandDataset.)
func (d *decoder) foldsOf(entry datasetEntry, common *yaml.Node) folds.Spec {
	node := entry.Folds
	if node == nil {
		node = common
	}
	if node == nil {
		if dividesRows(entry.Files) {
			return folds.Spec{Kind: "given"}.Normalised()
		}
		return folds.Default().Normalised()
	}
	var s folds.Spec
	if d.DecodeInto(node, &s, strictyaml.Owner{Noun: "key", Of: "folds"}) {
		d.Report(node, s.Validate())
	}
	return s.Normalised()
}

// dividesRows reports whether the files divide the rows into training and test: as two files, or by lists of ids.
func dividesRows(given map[string]files.Ref) bool {
	has := func(role string) bool { _, ok := given[role]; return ok }
	return has("train") && has("test") || has("train_ids") && has("test_ids")
}

// checkFiles validates each reference to a file.
func (d *decoder) checkFiles(n *yaml.Node, refs map[string]files.Ref) {
	for _, role := range slices.Sorted(maps.Keys(refs)) {
		strictyaml.EachError(refs[role].Validate(), func(err error) {
			var field *param.FieldError
			if errors.As(err, &field) {
				err = param.Errorf("files."+role+"."+field.Field, "%s", field.Msg)
			}
			d.Report(n, err)
		})
	}
}

// checkRoles compares the roles of the files with the combinations that the format reads.
func (d *decoder) checkRoles(n *yaml.Node, set Dataset) {
	declares := set.Source.Declares()
	if declares.Roles == nil {
		return
	}
	known := slices.Clone(declares.Optional)
	var combinations []string
	for _, roles := range declares.Roles {
		known = append(known, roles...)
		combinations = append(combinations, "{"+strings.Join(roles, ", ")+"}")
		missing := func(role string) bool { _, ok := set.Files[role]; return !ok }
		foreign := func(role string) bool {
			return !slices.Contains(roles, role) && !slices.Contains(declares.Optional, role)
		}
		if !slices.ContainsFunc(roles, missing) && !slices.ContainsFunc(slices.Sorted(maps.Keys(set.Files)), foreign) {
			return
		}
	}
	key, node := strictyaml.Entry(n, "files")
	if key == nil {
		d.Add(n, "data set %s: files is missing; format %s reads %s", set.Name, set.Format, strings.Join(combinations, " or "))
		return
	}
	unknown := false
	for _, role := range slices.Sorted(maps.Keys(set.Files)) {
		if !slices.Contains(known, role) {
			unknown = true
			k, _ := strictyaml.Entry(node, role)
			way := suggest.Choices(role, known)
			if role == "responses" || role == "features" {
				way += "; join: {file: FILE, by: COLUMN} joins a table of samples"
			}
			d.Add(k, "unknown role %q of a file of format %s%s", role, set.Format, way)
		}
	}
	if !unknown {
		d.Add(key, "files: format %s reads %s, found {%s}", set.Format, strings.Join(combinations, " or "), strings.Join(slices.Sorted(maps.Keys(set.Files)), ", "))
	}
}

// Names returns the name of the data set, and its label with the point of its grid.
func (s *Dataset) Names() (name, label string) {
	label, _ = results.Labels(s.Name, "", s.Grid, results.Exact)
	return s.Name, label
}
