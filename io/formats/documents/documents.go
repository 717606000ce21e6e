// Package documents reads texts, one a file or one a line, into columns of words, runs of words or runs of characters.
package documents

import (
	"context"
	"errors"
	"maps"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/io/formats/labelled"
	"tenfold/io/formats/text"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// Documents reads the files of a folder or an archive.
type Documents struct {
	Target    labelled.Target   `yaml:"target"`
	Layout    string            `yaml:"layout" doc:"what the parts of a path mean: {class}, {part} (train or training, test or testing, or what parts says), {task}, {group}; {id} and {_} are any name, * any characters in a name, ** any folders"`
	Parts     map[string]string `yaml:"parts" doc:"which part other words in the place of {part} mean, such as {dev: train, heldout: test}"`
	Unmatched string            `yaml:"unmatched" doc:"files whose paths the layout does not fit: error, skip"`
	Split     string            `yaml:"split" doc:"one document a: file, line (those that are not blank)"`
	Label     string            `yaml:"label" doc:"where the class stands: layout (in the path), tab (each line is a label, a tab, a text)"`
	Headers   string            `yaml:"headers" doc:"what stands before the first blank line of a file, as in mail: keep, strip"`
	Prepare   source.Topics     `yaml:"prepare"`
	Features  Features          `yaml:"features"`
	Encoding  string            `yaml:"encoding" doc:"of the files: utf-8, latin-1, replace (utf-8 in which what is none becomes U+FFFD)"`
}

// Features are the columns.
type Features struct {
	text.Options     `yaml:",inline"`
	Cutoff           int `yaml:"cutoff" key:"-" doc:"keep columns that occur in at least this many training rows, at least 1"`
	source.Treatment `yaml:",inline"`
}

// Kind of the format.
var Kind = source.Define(source.Kind{
	Name: "documents",
	Doc:  "a text a file or a line, of a class that its path or its line names; columns are words, runs of words or of characters",
	Cite: "Salton & Buckley 1988, Term-weighting approaches in automatic text retrieval; Weinberger et al. 2009, Feature hashing",
	Rev:  1,
}, Documents{
	Target: labelled.Target{Name: "class"}, Unmatched: "error", Split: "file", Label: "layout", Headers: "keep", Encoding: rawtext.UTF8,
	Features: Features{Options: text.Defaults, Cutoff: 1},
})

// Validate checks the options by themselves.
func (d Documents) Validate() error {
	return errors.Join(d.Target.Validate(), d.checkLayout(), d.checkParts(),
		param.OneOf("unmatched", d.Unmatched, "error", "skip"), param.OneOf("split", d.Split, "file", "line"),
		d.checkLabel(), param.OneOf("headers", d.Headers, "keep", "strip"),
		d.Prepare.Check(source.Topics{}), d.Features.Validate(), rawtext.CheckEncoding(d.Encoding))
}

func (d Documents) checkLabel() error {
	switch d.Label {
	case "comma", "csv", ",":
		return param.Errorf("label", "%q: lines with a comma between label and text are a table: format: csv, with columns: {text: [...]}, and header: false and names if the first line names no columns", d.Label)
	}
	return param.OneOf("label", d.Label, "layout", "tab")
}

func (d Documents) checkLayout() error {
	l, err := parseLayout(d.Layout)
	switch {
	case err != nil:
		return param.Errorf("layout", "%v", err)
	case d.Label == "layout" && d.Layout == "":
		return param.Errorf("layout", `empty, expected where the class stands in the paths, such as "{class}/{id}.txt"`)
	case d.Label == "layout" && !l.hasField("class"):
		return param.Errorf("layout", "%q says nowhere {class}; give the class there, or label: tab", d.Layout)
	case d.Label == "tab" && l.hasField("class"):
		return param.Errorf("layout", "%q: the class stands in the lines (label: tab), not in the path", d.Layout)
	}
	return nil
}

func (d Documents) checkParts() error {
	l, _ := parseLayout(d.Layout)
	if len(d.Parts) > 0 && !l.hasField("part") {
		return param.Errorf("parts", "the layout %q says nowhere {part}", d.Layout)
	}
	for _, word := range slices.Sorted(maps.Keys(d.Parts)) {
		if err := param.OneOf("parts."+word, d.Parts[word], "train", "test"); err != nil {
			return err
		}
	}
	return nil
}

// partOf returns which part a word in the place of {part} means: what the options say, or else the word itself.
func (d Documents) partOf(word string) (part int8, ok bool) {
	if standard, ok := d.Parts[word]; ok {
		word = standard
	}
	return PartOf(word)
}

// PartOf returns the part that a word means by itself: 0 for training, 1 for test.
func PartOf(word string) (part int8, ok bool) {
	switch word {
	case "train", "training":
		return 0, true
	case "test", "testing":
		return 1, true
	}
	return 0, false
}

// Validate checks the options by themselves.
func (f Features) Validate() error {
	return errors.Join(f.Options.Validate(), source.Features{Cutoff: f.Cutoff, Treatment: f.Treatment}.Validate())
}

// Declares one class target. Folds may go by {group}, else by equal texts.
func (d Documents) Declares() source.Declares {
	l, _ := parseLayout(d.Layout)
	groups := "text"
	if l.hasField("group") {
		groups = "group"
	}
	return d.Prepare.Declare(source.Declares{
		Targets: []source.Declared{{Name: d.Target.Name, Type: data.Class}}, Roles: source.PartRoles(), Optional: []string{text.Stop},
		Binary: d.Features.Binary(), Groups: []string{groups}, Parts: l.hasField("part"),
	})
}

// Recipe applies the cutoff, then idf and the length of rows, and finds topics, on the training rows of each fold.
func (d Documents) Recipe() prepare.Recipe {
	f := d.Features
	return f.Treatment.Into(d.Prepare.Into(f.Options.Into(prepare.Recipe{Cutoff: max(1, f.Cutoff)})))
}

// Look lists the files.
func (d Documents) Look(ctx context.Context, in source.Input) (s source.Sight, err error) {
	err = in.Members("all", func(name string, _ []byte) error {
		s.Paths = append(s.Paths, name)
		return ctx.Err()
	})
	s.Rows = len(s.Paths)
	return s, err
}

// Load reads the files. Columns are in order of first appearance, files in bytewise order of their paths.
func (d Documents) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	r, err := d.newReader(in)
	if err != nil {
		return nil, err
	}
	return r.loadFiles(ctx, in)
}

// LoadNew reads texts to apply a model to. Without responses, the layout need not fit their paths, nor a label stand before a tab.
func (d Documents) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	d.Target.Positive = ""
	r, err := d.newReader(in)
	if err != nil {
		return nil, err
	}
	r.applied, r.unlabelled = true, !a.Responses
	return r.loadFiles(ctx, in)
}

func (r *reader) loadFiles(ctx context.Context, in source.Input) (*data.Dataset, error) {
	roles := source.Parts(in)
	if len(roles) > 1 && r.layout.hasField("part") {
		return nil, param.Errorf("layout", "%q: the parts of the data stand in the paths, and here are a training and a test file besides", r.Layout)
	}
	for part, role := range roles {
		r.beginRole(int8(part), role)
		err := in.Members(role, func(name string, content []byte) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return r.readFile(name, content)
		})
		if err != nil {
			return nil, err
		}
		if err := r.checkPart(role); err != nil {
			return nil, err
		}
	}
	return r.buildDataset(len(roles) > 1)
}
