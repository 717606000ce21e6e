package experiment

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/engines/registry"
	"tenfold/engines/suggest"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/grid"
)

// checkReferences compares the parts of a file with each other: names with their definitions; engines, metrics and folds with what
// the formats declare. It checks whatever could be decoded, so that one mistake does not hide another.
func (d *decoder) checkReferences(doc outline, f *File, o Options) {
	d.checkNames(doc, f, o)
	d.checkNeeds(f)
	d.checkMetrics(doc, f, o)
	for _, set := range f.Datasets {
		d.checkFolds(doc, set)
		d.checkFamily(set)
	}
	d.checkSections(f, o)
	d.checkLabels(f)
}

// targetType returns the type of a data set's targets as far as it is known before loading.
func targetType(s Dataset) data.Type {
	for _, p := range registry.Params(s.Source, s.Source) {
		if p.Name == "target.type" {
			switch p.Value {
			case data.Real.String():
				return data.Real
			case data.Class.String():
				return data.Class
			case data.Survival.String():
				return data.Survival
			case data.Count.String():
				return data.Count
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

// wording describes target types in messages.
var wording = map[data.Type]string{data.Any: "a target of numbers or of classes", data.Real: "a real target (numbers)", data.Class: "a class target (levels)", data.Survival: "a survival target (times and events)", data.Count: "a target of counts (type: count)"}

// wordTargets describes several types in messages.
func wordTargets(types []data.Type) string {
	var words []string
	for _, t := range types {
		words = append(words, wording[t])
	}
	return strings.Join(words, " or ")
}

// checkNeeds reports engines that cannot use a data set of the file, unless failures: {unsuitable: skip} leaves such cells to the
// plan.
func (d *decoder) checkNeeds(f *File) {
	if f.Failures.Unsuitable == Skip {
		return
	}
	for _, s := range f.Datasets {
		has, declares := targetType(s), s.Source.Declares()
		for _, alg := range f.Algorithms {
			if !alg.RunsOn(&s) {
				continue
			}
			needs, node := alg.Engine.Needs(), strictyaml.Find(alg.Entry.Node, "engine")
			if has != data.Any && !needs.Takes(has) {
				d.Add(node, "engine %s needs %s; data set %s has %s%s%s", alg.Kind, wording[needs.Target], s.Name, wording[has], f.enginesFor(has), f.SkipHint())
			}
			if units := needs.Together && s.Recipe().Treatment.Unit == prepare.Together; needs.FeatureClasses && !declares.Classes && !units {
				d.Add(node, "engine %s, as set here, needs classes of features; data set %s has none%s", alg.Kind, s.Name, f.SkipHint())
			}
			if s.Recipe().KeepsGaps() && !needs.Missing {
				d.Add(node, "engine %s %s; data set %s has prepare: {missing: keep}%s", alg.Kind, NeedsValues, s.Name, f.SkipHint())
			}
			d.checkAcross(alg, s, node, f.SkipHint())
			if !needs.Tasks && len(declares.Targets) > 1 && s.Family.Kind != ByTarget {
				d.Add(node, "engine %s fits one target; data set %s has %d; family: %s makes a task of each%s", alg.Kind, s.Name, len(declares.Targets), ByTarget, f.SkipHint())
			}
		}
	}
}

// NeedsValues says of an engine that it takes no missing values, and what does.
const NeedsValues = "takes no missing values; boosted-trees, forest and boruta do (relieff where another of them is fitted to what it selects), and prepare: {missing: mean | median | zero | indicator | level} fills them in"

// enginesFor names the engines for times and events, or for counts, if data has these; "" otherwise. Most engines are for numbers and classes.
func (f *File) enginesFor(has data.Type) string {
	if has != data.Survival && has != data.Count {
		return ""
	}
	var names []string
	for _, name := range f.Engines.Names() {
		if k, err := f.Engines.Lookup(name); err == nil && k.Defaults().Needs().Takes(has) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ", which these engines take as they come: " + strings.Join(names, ", ")
}

// SkipHint returns the end of the message about a data set that an engine cannot use: how to skip such cells. It is "" if the file
// has one data set and one algorithm, so that nothing would be left.
func (f *File) SkipHint() string {
	if len(f.Datasets) < 2 && len(f.Algorithms) < 2 || f.Failures.Unsuitable == Skip {
		return ""
	}
	return "; failures: {unsuitable: skip} leaves such cells out"
}

// checkFolds compares the folds of a data set with what its format declares.
func (d *decoder) checkFolds(doc outline, s Dataset) {
	_, node := strictyaml.Entry(s.Entry.Node, "folds")
	if node == nil {
		node = doc.Folds
	}
	if node == nil {
		return
	}
	if s.Folds.Stratify && targetType(s) == data.Real {
		d.Add(strictyaml.Find(node, "stratify"), "folds: stratify needs %s; data set %s has %s", wording[data.Class], s.Name, wording[data.Real])
	}
	if groups := s.Source.Declares().Groups; s.Folds.By != "" && groups != nil && !slices.Contains(groups, s.Folds.By) {
		d.Add(strictyaml.Find(node, "by"), "folds: data set %s has no groups %q%s", s.Name, s.Folds.By, suggest.Choices(s.Folds.By, groups))
	}
	if c := s.Folds.Column; s.Folds.Kind == "time" && c != "" && c != timeColumn(s, c) {
		d.Add(strictyaml.Find(node, "column"), "folds: declare %q as the time of data set %s, columns: {time: %s}", c, s.Name, c)
	}
	if s.Folds.Kind == "given" && s.Folds.Column == "" && s.Folds.File.Path == "" && !dividesRows(s.Files) && !s.Source.Declares().Parts {
		d.Add(node, "folds: given folds need files: {train: ..., test: ...} of data set %s, column: or file:", s.Name)
	}
}

// Divided returns a warning if rows of one group may be on both sides of a split, "" otherwise: models that know the group then
// look better than they are on new groups.
func (s Dataset) Divided() string {
	if g := s.dividedGroup(); g != "" {
		return fmt.Sprintf("rows of one %s may be on both sides of a split; folds: {by: %s} keeps them together", g, g)
	}
	return ""
}

// dividedGroup returns the column of groups that the data set declares and its folds ignore, because they draw single rows; "" if
// there is none. Folds in time are exempt: they may divide groups on purpose.
func (s Dataset) dividedGroup() string {
	if s.Folds.By != "" || (s.Folds.Kind != "kfold" && s.Folds.Kind != "holdout") {
		return ""
	}
	for _, p := range registry.Params(s.Source, s.Source) {
		if group, _ := p.Value.(string); p.Name == "columns.group" {
			return group
		}
	}
	return ""
}

// timeColumn returns the column that the data set's format reads as the time of its rows. If the format has no such option, it
// returns otherwise: whether rows have times is then known when the data is loaded.
func timeColumn(s Dataset, otherwise string) string {
	for _, p := range registry.Params(s.Source, s.Source) {
		if p.Name == "columns.time" {
			return fmt.Sprint(p.Value)
		}
	}
	return otherwise
}

// MaxFits limits the fits of an experiment: a cell has one for each test part.
const MaxFits = 1_000_000

// checkSize reports a file with too many cells or fits, by arithmetic, before any is made.
func (d *decoder) checkSize(root *yaml.Node, doc outline, f *File) {
	if len(f.Datasets)*len(f.Algorithms) > grid.MaxPoints { // counts cells left out by datasets: of an algorithm, which are reported, too
		d.Add(root, "%d data sets × %d algorithms: more than %d cells", len(f.Datasets), len(f.Algorithms), grid.MaxPoints)
		return
	}
	if d.Count > 0 { // the folds may have mistakes, and no number of parts
		return
	}
	runs := f.countRuns()
	fits := 0.0 // a float does not overflow
	for i, s := range f.Datasets {
		parts, _ := s.Folds.Tests()
		if fits += float64(float64(parts) * float64(runs[i])); fits <= MaxFits {
			continue
		}
		_, node := strictyaml.Entry(s.Entry.Node, "folds")
		d.Add(cmp.Or(node, doc.Folds, root), "folds: %d data sets × %d algorithms × %d test parts in data set %s: more than %d fits", len(f.Datasets), len(f.Algorithms), parts, s.Name, MaxFits)
		return
	}
}
