// Package experiment reads experiment files: YAML in, a checked and fully expanded File out.
//
// Reading is strict. The text becomes a tree of nodes (strictyaml), --set arguments edit the tree (override.go), values are decoded by
// reflection (package reading), grids are expanded (grid), every point is made a configured engine (algorithm) or format (datasets.go),
// and what must fit together is compared (names.go, check.go). No step stops at its first mistake: an Errors value lists all of them,
// each with file, line, column and the line itself. Nothing is loaded. decoder.decodeFile goes that way.
//
// Beside it, the same types make the schema for editors and the keys of the reference (described.go, package schema), and the paths
// that --set completes (settable.go); formats are configured for files that are not an experiment's (sources.go).
package experiment

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/registry"
	"tenfold/io/files"
	"tenfold/io/results"
	"tenfold/io/source"
	"tenfold/io/strictyaml"
	"tenfold/runner/experiment/algorithm"
	"tenfold/runner/experiment/reading"
	"tenfold/runner/method/declaration"
	"tenfold/runner/metric"
)

// Version is the version of the format of experiment files.
const Version = 1

// Options holds what an experiment file may refer to.
type Options struct {
	Engines  engines.Set
	Wrappers engines.Wrappers
	Formats  source.Set
	// Sections points to a struct of sections that others own: each field with a yaml tag, a struct or a list of structs, is
	// decoded over its present value, and is a Section, or a list of such. Entries of lists may have SetDefaults. Ref tags are
	// checked: see reading.Decoder. If it is nil, these sections are not decoded.
	Sections any
	// Metrics returns the type of target that a metric needs (data.Any: every type) and whether there is such a metric; nil accepts
	// every name. MetricNames are for suggestions.
	Metrics     func(name string) (targets []data.Type, ok bool)
	MetricNames []string
	Described   results.Metrics   // properties of the metrics, for Section.ValidateIn
	Sets        []string          // --set arguments, path=value, carried out in order before the check
	Methods     algorithm.Methods // how programs that the file declares as engines are run
}

// File is an experiment file, resolved: templates, defaults and grids are written out. A cell is one data set with one
// algorithm.
type File struct {
	Path        string
	Name, Title string
	Seed        int64
	Templates   map[string][]string
	Datasets    []Dataset                  // in the order of the file, grids expanded
	Algorithms  []algorithm.Algorithm      // likewise
	Methods     []*declaration.Declaration // in the order of the file
	Engines     engines.Set                // the engines of the program, and the methods
	Bound       algorithm.Methods          // how the methods are run
	Metrics     []string
	Defined     metric.Set  // metrics that the file defines
	MetricUses  []MetricUse // everywhere in the file
	Predictions *bool       // nil if the file does not say
	Failures    Failures
	Budget      Budget        // Tuned is 0 if there is none
	Deadline    time.Duration // after the start of a run, from which on it starts no fit; 0 for none
	Text        []byte        // the document after --set, YAML

	content  []byte // the document before --set
	lines    []string
	sets     []string
	root     *yaml.Node
	wrappers algorithm.Wrappers
}

// Line returns the line of a dotted path in the file, such as gate.0: that of the last node that exists on the way; 0 if it came
// from a --set argument.
func (f *File) Line(path string) int { return max(0, strictyaml.Find(f.root, path).Line) }

// Revisions returns the revisions of the types of all engines of the program, of the methods, and of the options of what wraps them; and
// a text of what else the results of any of them depend on: wrappers without options, and the metrics that the file defines.
func (f *File) Revisions() (ofTypes registry.Revisions, ofAll string) {
	ofTypes = registry.Revisions{}
	for _, name := range f.Engines.Names() {
		ofTypes.Add(name, f.Engines[name].Rev, f.Engines[name].Defaults())
	}
	for _, w := range f.wrappers.Around {
		ofTypes.Add(w.Key(), w.Kind.Rev, w.Kind.Defaults())
		ofAll += w.On + "\n"
	}
	for _, name := range f.Defined.DefinedNames() {
		ofAll += fmt.Sprintf("metric %s: %s\n", name, f.Defined.Identity(name))
	}
	ofTypes.Add(f.wrappers.Joint.Kind.Name, f.wrappers.Joint.Kind.Rev, f.wrappers.Joint.Kind.Defaults())
	return ofTypes, fmt.Sprintf("%s%d\n", ofAll, f.wrappers.Pair.Rev)
}

// outline is the outline of the file; sections that depend on others are kept as nodes.
type outline struct {
	Version     int                 `yaml:"tenfold" read:"required" doc:"version of the format: 1"`
	Name        string              `yaml:"name" read:"required" doc:"name of the experiment and of its folder: letters, digits, dashes"`
	Title       string              `yaml:"title" doc:"heading of the report (default the name)"`
	Seed        int64               `yaml:"seed" doc:"every split and every fit derives its own seed from it"`
	Templates   map[string][]string `yaml:"templates" doc:"named lists of feature templates"`
	Methods     []*yaml.Node        `yaml:"methods" doc:"programs that are engines of this file: docs/methods.md"`
	Defaults    *yaml.Node          `yaml:"defaults" doc:"params and limits of every algorithm"`
	Datasets    []*yaml.Node        `yaml:"datasets" read:"required" doc:"data sets; each is combined with every algorithm"`
	Folds       *yaml.Node          `yaml:"folds" is:"word or mapping" doc:"how rows are divided, for every data set that does not say otherwise: a kind alone, or a mapping"`
	Algorithms  []*yaml.Node        `yaml:"algorithms" read:"required" doc:"algorithms: engines with parameters and grids"`
	Metrics     []metric.Definition `yaml:"metrics" doc:"metrics that tables show, in this order: names, or definitions of metrics of the file's own"`
	Predictions *bool               `yaml:"predictions" doc:"whether predictions of the test rows are kept (default: up to 10⁷ rows)"`
	Report      *yaml.Node          `yaml:"report" doc:"tables and figures"`
	Gate        *yaml.Node          `yaml:"gate" is:"list" doc:"rules under which tenfold check passes (default the file's metrics, without a test)"`
	Published   *yaml.Node          `yaml:"published" is:"list" doc:"values from elsewhere, shown beside ours"`
	Limits      *yaml.Node          `yaml:"limits" doc:"time and memory of a fit, and of the whole run"`
	Budget      *yaml.Node          `yaml:"budget" doc:"what algorithms may spend on choosing parameters, the same for all"`
	Failures    *yaml.Node          `yaml:"failures" doc:"failed fits that are put up with"`
}

// decoder decodes an experiment file.
type decoder struct {
	*algorithm.Reader
	owned []ownedSection
}

// Load reads an experiment file. The error is an Errors, or a fault of the system.
func Load(path string, o Options) (*File, error) {
	content, err := readFile(path)
	if files.Fault(err) {
		return nil, err
	}
	if e := errors.Unwrap(err); e != nil {
		err = e
	}
	if err != nil {
		return nil, reading.Errors{{File: path, Msg: fmt.Sprintf("the experiment file cannot be read: %v", err)}}
	}
	return Parse(path, content, o)
}

// Again parses the same text with other options. The file itself is not read again, but files that it names are.
func (f *File) Again(o Options) (*File, error) { return Parse(f.Path, f.content, o) }

// readFile reads at most mostBytes from a file, or from a pipe.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, reading.MaxBytes+1))
	if err == nil && len(content) > reading.MaxBytes {
		err = fmt.Errorf("more than %d bytes", reading.MaxBytes)
	}
	return content, err
}

// Parse reads the content of an experiment file; path is for messages. The error is an Errors, or a fault of the system.
func Parse(path string, content []byte, o Options) (*File, error) {
	d := &decoder{Reader: algorithm.NewReader(reading.NewDecoder(path, content, o.Sets), o.Wrappers)}
	root := d.Parse(content)
	if root == nil {
		return nil, d.Err()
	}
	for i, set := range o.Sets {
		d.applySet(root, i, set)
	}
	f := d.decodeFile(root, o)
	if err := d.Err(); err != nil {
		return nil, err
	}
	f.Path, f.Text, f.content, f.lines, f.sets, f.root, f.wrappers = path, content, content, d.Lines, o.Sets, root, d.Wrappers
	if len(o.Sets) > 0 {
		text, err := yaml.Marshal(root)
		if err != nil {
			return nil, reading.Errors{{File: path, Msg: err.Error()}}
		}
		f.Text = text
	}
	return f, nil
}

// decodeFile decodes section by section. The result is valid only if no mistake was reported.
func (d *decoder) decodeFile(root *yaml.Node, o Options) *File {
	var doc outline
	d.DecodeInto(root, &doc, strictyaml.Owner{Noun: "key", Of: "the experiment file"})
	if root.Kind != yaml.MappingNode {
		return nil
	}
	d.checkHeading(root, doc)
	d.Templates, d.Seed = doc.Templates, doc.Seed
	f := &File{Name: doc.Name, Title: doc.Title, Seed: doc.Seed, Templates: doc.Templates, Predictions: doc.Predictions}

	f.Metrics, f.Defined = d.decodeDefinitions(root, doc.Metrics)
	d.Defined, o = f.Defined, o.withDefined(f.Defined)
	var limits *yaml.Node
	limits, f.Deadline = d.decodeLimits(doc.Limits)
	from := d.inheritedDefaults(doc, limits)
	var set engines.Set
	set, f.Methods = d.DecodeMethods(doc.Methods, o.Engines, o.Methods)
	f.Bound, f.Engines = o.Methods, set
	for _, n := range doc.Datasets {
		f.Datasets = append(f.Datasets, d.expandDataset(n, doc.Folds, o.Formats)...)
	}
	for _, n := range doc.Algorithms {
		f.Algorithms = append(f.Algorithms, d.Expand(n, from, set)...)
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

// checkHeading checks the keys at the top of the file.
func (d *decoder) checkHeading(root *yaml.Node, doc outline) {
	if _, node := strictyaml.Entry(root, "tenfold"); node != nil && node.Tag == "!!int" && doc.Version != Version {
		d.Add(node, "tenfold: expected %d, the version of the format that this tenfold reads, found %s", Version, strictyaml.Describe(node))
	}
	if _, node := strictyaml.Entry(root, "name"); node != nil && node.Kind == yaml.ScalarNode && node.Tag != "!!null" && !fileName.MatchString(doc.Name) {
		d.Add(node, "name: expected letters, digits and dashes (it names the folder of the run), found %q", doc.Name)
	}
	for _, section := range []string{"datasets", "algorithms"} {
		if _, node := strictyaml.Entry(root, section); node != nil && node.Kind == yaml.SequenceNode && len(node.Content) == 0 {
			d.Add(node, "%s: the list is empty", section)
		}
	}
}

// inheritedDefaults returns the defaults of all algorithms; limits in defaults take precedence over the file's limits.
func (d *decoder) inheritedDefaults(doc outline, limits *yaml.Node) algorithm.Inherited {
	var from algorithm.Inherited
	if doc.Defaults != nil {
		d.DecodeInto(doc.Defaults, &from, strictyaml.Owner{Noun: "key", Of: "defaults"})
	}
	from.Limits = strictyaml.MergeUnder(from.Limits, limits)
	return from
}

// Blame gives errors about an entry that are found later, such as a missing file, their places: a param.FieldError, which may be
// joined with others or wrapped, gets that of its field, any other error that of the entry. A fault of the system gets none.
func (f *File) Blame(e reading.Entry, err error) error {
	p := reading.NewCollector(f.Path, nil, f.sets)
	p.Lines = f.lines
	if e.Node == nil {
		e.Node = &yaml.Node{}
	}
	p.Report(e.Node, err)
	return p.Err()
}

// Lacking returns the first method that the algorithm needs and that cannot run here (failures: {unavailable: skip}); nil if there
// is none.
func (f *File) Lacking(a *algorithm.Algorithm) *declaration.Declaration {
	parts := strings.Split(a.Kind, "+") // of select and refit
	for _, m := range f.Methods {
		if m.Lacks != "" && slices.Contains(parts, m.Name) {
			return m
		}
	}
	return nil
}
