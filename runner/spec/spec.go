// Package spec reads experiment files: YAML in, a checked and fully expanded File out.
//
// Reading is strict. The text becomes a tree of nodes (tree.go), --set arguments edit the tree (override.go), sections
// are decoded by reflection (decode.go), grids are expanded and every point is made a configured engine or format
// (grid.go, algorithms.go with engine.go, datasets.go), and what must fit together is compared (names.go, check.go). No step
// stops at its first mistake: an Errors value lists all of them, each with file, line, column and the line itself. Nothing is
// loaded. decoder.decodeFile goes that way.
//
// Beside it, the same types make the schema for editors (schema.go), the keys of the reference (reference.go), and the paths
// that --set completes (settable.go); formats are configured for files that are not an experiment's (sources.go), and
// tenfold.yaml is read as strictly (mapping.go).
package spec

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/runner/method"
)

// Version of the format of experiment files.
const Version = 1

// Options are what an experiment file may refer to.
type Options struct {
	Engines  engines.Set
	Wrappers engines.Wrappers
	Formats  source.Set
	// Sections points to a struct of sections that others own: each field with a yaml tag, a struct or a list of structs,
	// is decoded over its present value. What the methods SetDefaults (of entries of lists), Validate, ValidateFolds,
	// ValidateFamilies, ValidateCells, ValidateDimensions, ValidateNames, ValidateMetrics and EachMetric of a section or an entry have to say is heeded, and so are ref
	// tags: see decoder. nil leaves these sections undecoded.
	Sections any
	// Metrics tells which type of target a metric needs (data.Any: every one) and whether there is such a metric; nil accepts
	// every name. MetricNames are for suggestions.
	Metrics     func(name string) (target data.Type, ok bool)
	MetricNames []string
	Described   results.Metrics // what is known of metrics, for ValidateMetrics
	Sets        []string        // --set arguments, path=value, carried out in order before the check
	Methods     Methods         // how programs that the file declares as engines are run
}

// MetricNamer is a section with metrics inside texts, such as the templates of cells: it tells each name with the
// field that it stands in, as param.FieldError names fields.
type MetricNamer interface {
	EachMetric(yield func(field, name string))
}

// KeyDocumenter is a section or an entry of one that has lists of its own for the values of some keys: their documentation, in place
// of a tag doc, follows from these lists.
type KeyDocumenter interface {
	KeyDoc(key string) string
}

// docOf a field of a section.
func docOf(v reflect.Value, f field) string {
	if own, ok := v.Interface().(KeyDocumenter); ok {
		if doc := own.KeyDoc(f.name); doc != "" {
			return doc
		}
	}
	return v.Type().FieldByIndex(f.index).Tag.Get("doc")
}

// FoldsValidator is a section or an entry of one that depends on the folds, as tests do: it gets the number of test parts
// (repeats included) of each data set, by name, where that is known before the data is, and whether predictions are kept.
type FoldsValidator interface {
	ValidateFolds(parts map[string]int, predictions bool) error
}

// DimensionsValidator is a section or an entry of one that names dimensions of results: it gets the parameters that grids vary,
// task and point among them where there are families and paths, and those that grids could vary.
type DimensionsValidator interface {
	ValidateDimensions(varied, fixed []string) error
}

// NamesValidator is a section or an entry of one that has words for names: it gets the data sets and the algorithms with the points
// of their grids, each as its name and what results call it, the parameters, and whether something is a metric.
type NamesValidator interface {
	ValidateNames(datasets, algorithms [][2]string, parameters []string, metric func(string) bool) error
}

// MetricsValidator is a section or an entry of one that asks of metrics what not all have, such as a loss of single rows.
type MetricsValidator interface {
	ValidateMetrics(described results.Metrics) error
}

// FamiliesValidator is a section or an entry of one that depends on which data sets are families, whose tasks take the place
// of folds: it gets their names, and those of the others.
type FamiliesValidator interface {
	ValidateFamilies(families, others []string) error
}

// CellsValidator is a section or an entry of one that compares algorithms on a data set: where not all run on all data sets, it gets the
// cells of the file, of a family a single one, by data set, algorithm and points of their grids.
type CellsValidator interface {
	ValidateCells(planned []results.Label) error
}

// File is an experiment file, resolved: templates, defaults and grids are written out. A cell is one data set with one
// algorithm.
type File struct {
	Path        string
	Name, Title string
	Seed        int64
	Templates   map[string][]string
	Datasets    []Dataset             // in the order of the file, grids expanded
	Algorithms  []Algorithm           // likewise
	Methods     []*method.Declaration // in the order of the file
	Engines     engines.Set           // those of the program, and the methods
	Bound       Methods               // what runs the methods
	Metrics     []string
	Predictions *bool // nil if the file does not say
	Failures    Failures
	Budget      Budget // Tuned is 0 if there is none
	Text        []byte // the document after --set, YAML

	content  []byte // the document before --set
	lines    []string
	sets     []string
	root     *yaml.Node
	wrappers wrapperList
}

// Line of a dotted path in the file, such as gate.0: that of the last node on the way that is there; 0 if a --set
// argument put it.
func (f *File) Line(path string) int { return max(0, findNode(f.root, path).Line) }

// outline is the outline of the file; sections that need the rest first stay nodes.
type outline struct {
	Version     int                 `yaml:"tenfold,required" doc:"version of the format: 1"`
	Name        string              `yaml:"name,required" doc:"name of the experiment and of its folder: letters, digits, dashes"`
	Title       string              `yaml:"title" doc:"heading of the report (default the name)"`
	Seed        int64               `yaml:"seed" doc:"every split and every fit derives its own seed from it"`
	Templates   map[string][]string `yaml:"templates" doc:"named lists of feature templates"`
	Methods     []*yaml.Node        `yaml:"methods" doc:"programs that are engines of this file: docs/methods.md"`
	Defaults    *yaml.Node          `yaml:"defaults" doc:"params and limits of every algorithm"`
	Datasets    []*yaml.Node        `yaml:"datasets,required" doc:"data sets; each is combined with every algorithm"`
	Folds       *yaml.Node          `yaml:"folds" is:"word or mapping" doc:"how rows are divided, for every data set that does not say otherwise: a kind alone, or a mapping"`
	Algorithms  []*yaml.Node        `yaml:"algorithms,required" doc:"algorithms: engines with parameters and grids"`
	Metrics     []string            `yaml:"metrics" ref:"metric" doc:"metrics that tables show, in this order"`
	Predictions *bool               `yaml:"predictions" doc:"whether predictions of the test rows are kept (default: up to 10⁷ rows)"`
	Report      *yaml.Node          `yaml:"report" doc:"tables and figures"`
	Gate        *yaml.Node          `yaml:"gate" is:"list" doc:"rules under which tenfold check passes (default the file's metrics, without a test)"`
	Published   *yaml.Node          `yaml:"published" is:"list" doc:"values from elsewhere, shown beside ours"`
	Limits      *yaml.Node          `yaml:"limits" doc:"time and memory of a fit"`
	Budget      *yaml.Node          `yaml:"budget" doc:"what algorithms may spend on choosing parameters, the same for all"`
	Failures    *yaml.Node          `yaml:"failures" doc:"failed fits that are put up with"`
}

// errReported stands for mistakes that were reported with their places already.
var errReported = errors.New("reported")

// Load reads an experiment file. The error is an Errors.
func Load(path string, o Options) (*File, error) {
	content, err := readFile(path)
	if e := errors.Unwrap(err); e != nil {
		err = e
	}
	if err != nil {
		return nil, Errors{{File: path, Msg: fmt.Sprintf("the experiment file cannot be read: %v", err)}}
	}
	return Parse(path, content, o)
}

// mostBytes that an experiment file, or one that it names, may have.
const mostBytes = 64 << 20

// Again reads the same text with other options; what the file is now does not matter, but for files that it names.
func (f *File) Again(o Options) (*File, error) { return Parse(f.Path, f.content, o) }

// readFile reads a file, or what comes through a pipe: no more than an experiment may have.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err == nil && len(content) > mostBytes {
		err = fmt.Errorf("more than %d bytes", mostBytes)
	}
	return content, err
}

// Parse reads the content of an experiment file; path is for messages. The error is an Errors.
func Parse(path string, content []byte, o Options) (*File, error) {
	d := &decoder{problems: newProblems(path, linesOf(content), o.Sets), wrappers: wrapperList(o.Wrappers), unnamed: map[*yaml.Node]bool{}}
	root := d.parseYAML(content)
	if root == nil {
		return nil, d.err()
	}
	for i := range o.Sets {
		d.applySet(root, i)
	}
	f := d.decodeFile(root, o)
	if err := d.err(); err != nil {
		return nil, err
	}
	f.Path, f.Text, f.content, f.lines, f.sets, f.root, f.wrappers = path, content, content, d.lines, o.Sets, root, d.wrappers
	if len(o.Sets) > 0 {
		text, err := yaml.Marshal(root)
		if err != nil {
			return nil, Errors{{File: path, Msg: err.Error()}}
		}
		f.Text = text
	}
	return f, nil
}

// decodeFile decodes section by section. The result counts only when no mistake was reported.
func (d *decoder) decodeFile(root *yaml.Node, o Options) *File {
	var doc outline
	d.decodeInto(root, &doc, owner{noun: "key", of: "the experiment file"})
	if root.Kind != yaml.MappingNode {
		return nil
	}
	d.checkHeading(root, doc)
	d.templates = doc.Templates
	f := &File{Name: doc.Name, Title: doc.Title, Seed: doc.Seed, Templates: doc.Templates, Metrics: doc.Metrics, Predictions: doc.Predictions}

	from := d.inheritedDefaults(doc)
	var set engines.Set
	set, f.Methods = d.decodeMethods(doc.Methods, o)
	f.Bound, f.Engines = o.Methods, set
	for _, n := range doc.Datasets {
		f.Datasets = append(f.Datasets, d.expandDataset(n, doc.Folds, o.Formats)...)
	}
	for _, n := range doc.Algorithms {
		f.Algorithms = append(f.Algorithms, d.expandAlgorithm(n, from, set)...)
	}
	d.checkSize(root, doc, f)
	f.Failures, f.Budget = d.decodeFailures(doc.Failures), d.decodeBudget(doc.Budget)
	for i := range f.Algorithms {
		d.addOverspent(&f.Algorithms[i], f.Budget)
	}
	d.decodeSections(root, o.Sections)
	d.checkReferences(doc, f, o)
	return f
}

var fileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*$`)

// checkHeading checks what stands on top of the file.
func (d *decoder) checkHeading(root *yaml.Node, doc outline) {
	if _, at := entryOf(root, "tenfold"); at != nil && at.Tag == "!!int" && doc.Version != Version {
		d.add(at, "tenfold: expected %d, the version of the format that this tenfold reads, found %s", Version, describeNode(at))
	}
	if _, at := entryOf(root, "name"); at != nil && at.Kind == yaml.ScalarNode && at.Tag != "!!null" && !fileName.MatchString(doc.Name) {
		d.add(at, "name: expected letters, digits and dashes (it names the folder of the run), found %q", doc.Name)
	}
	for _, section := range []string{"datasets", "algorithms"} {
		if _, at := entryOf(root, section); at != nil && at.Kind == yaml.SequenceNode && len(at.Content) == 0 {
			d.add(at, "%s: the list is empty", section)
		}
	}
}

// inheritedDefaults returns the defaults of all algorithms; the file's limits lie below those of its defaults.
func (d *decoder) inheritedDefaults(doc outline) inherited {
	var from inherited
	if doc.Defaults != nil {
		d.decodeInto(doc.Defaults, &from, owner{noun: "key", of: "defaults"})
	}
	d.decodeLimits(doc.Limits)
	from.Limits = mergeUnder(from.Limits, doc.Limits)
	return from
}
