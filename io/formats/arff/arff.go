// Package arff reads Weka's attribute-relation files, dense and sparse, and Mulan's lists of the attributes that are labels.
package arff

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/data/account"
	"tenfold/engines/data/asterisk"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/engines/suggest"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// ARFF reads attributes as columns. A nominal attribute of two values becomes one 0/1 column, of more values one a value.
type ARFF struct {
	Target   source.Response `yaml:"target" doc:"attributes that are responses; with Mulan's file of labels, some of them (by default all)"`
	Columns  Columns         `yaml:"columns"`
	Prepare  source.Prepare  `yaml:"prepare"`
	Features source.Columns  `yaml:"features"`
}

// Columns says what attributes are for, beside features and responses.
type Columns struct {
	ID    string   `yaml:"id" doc:"attribute that identifies a row; no two rows share a value"`
	Group string   `yaml:"group" doc:"attribute of groups, such as patients: folds with by: and its name keep the rows of one on one side"`
	Drop  []string `yaml:"drop" doc:"attributes to leave out; * matches any text"`
}

// Kind of the format.
var Kind = source.Define(source.Kind{
	Name: "arff",
	Doc:  "attribute-relation files of Weka, dense or sparse, with Mulan's XML list of labels",
	Cite: "Witten, Frank & Hall 2011, Data Mining; Tsoumakas et al. 2011, Mulan: A Java library for multi-label learning",
	Rev:  2,
}, ARFF{})

const labels = "labels" // role of Mulan's list

// Validate checks the options by themselves.
func (a ARFF) Validate() error {
	return errors.Join(a.Target.Validate(), a.Prepare.Validate(), a.Features.Validate(),
		param.Require("target.type", !a.Target.IsSurvival(), "survival, which this format does not have; csv, tsv, parquet, xlsx, jsonl, npz, svmlight, vw, and gct with a table of responses do"),
		param.Require("target.type", a.Target.TargetType() != data.Count, "count, which this format does not have; csv, tsv, parquet, xlsx and jsonl do"))
}

// Declares returns what is known before loading.
func (a ARFF) Declares() source.Declares {
	d := source.Declares{Roles: source.PartRoles(), Optional: []string{labels}}
	for _, name := range a.Target.Responses() {
		d.Targets = append(d.Targets, source.Declared{Name: name, Type: a.Target.Becomes()})
	}
	if a.Columns.Group != "" {
		d.Groups = []string{a.Columns.Group}
	}
	return a.Features.Classes.Declare(d)
}

// Recipe returns the preparation of each fold.
func (a ARFF) Recipe() prepare.Recipe {
	r := a.Prepare.Recipe(0)
	a.Features.Into(&r)
	a.Target.Into(&r)
	r.Levels = prepare.LevelsRevision
	return r
}

// Named returns the files that the options name.
func (a ARFF) Named() map[string]source.Ref { return a.Features.Classes.Named() }

// Load reads the files.
func (a ARFF) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	d, err := a.loadRows(ctx, in, nil)
	if err != nil {
		return nil, err
	}
	if d, err = a.Target.Finish(d, a.Prepare.Gaps); err != nil {
		return nil, err
	}
	d.Facts = append(d.Facts, source.LabelFacts(d.Targets, d.Rows())...)
	return a.Features.Classes.Apply(in, d, nil)
}

// LoadNew reads rows to apply a model to: attributes that it does not know are passed over, and those that it knows must be there.
func (a ARFF) LoadNew(ctx context.Context, in source.Input, model source.Application) (*data.Dataset, error) {
	a.Target.Positive, a.Target.Missing = "", "mean" // gaps are no error here, and nothing fills them
	d, err := a.loadRows(ctx, in, &model)
	if err != nil {
		return nil, err
	}
	return model.CompleteRows(model.Copies(d), a.Prepare.Gaps)
}

// loadRows reads rows to fit a model to, or to apply one to.
func (a ARFF) loadRows(ctx context.Context, in source.Input, model *source.Application) (*data.Dataset, error) {
	listed, err := readLabels(in)
	if err != nil {
		return nil, err
	}
	var r *reader
	var rows []int
	for _, role := range source.Parts(in) {
		content, file, err := in.Bytes(role)
		if err != nil {
			return nil, err
		}
		if content, err = rawtext.Decode(content, "", file); err != nil {
			return nil, err
		}
		t := &text{rawtext.LinesOf(content, file), file}
		attributes, err := t.readHeader()
		if err != nil {
			return nil, err
		}
		if r == nil {
			if model != nil {
				err = a.assignNew(attributes, listed, *model)
			} else {
				err = a.assignParts(attributes, listed)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			r = newReader(file, attributes, a.Target, source.NewImplied(in))
			if err := r.checkNames(); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		} else if err := r.checkAttributes(attributes); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		before := r.rows
		if err := r.readRows(ctx, t); err != nil {
			return nil, err
		}
		if r.rows == before {
			return nil, fmt.Errorf("%s: no rows after @data", file)
		}
		rows = append(rows, r.rows-before)
	}
	groups := a.Columns.Group
	if model != nil {
		groups = ""
	}
	d, err := r.buildDataset(groups, source.PartOf(rows...))
	if err == nil && model != nil {
		err = model.All(d, namesOf(r.attributes), r.file)
	}
	return d, err
}

// assignNew gives the attributes of new rows their parts: those that the model does not know have none.
func (a ARFF) assignNew(attributes []attribute, listed []string, model source.Application) error {
	known := map[string]bool{}
	model.Each(func(column, read string, _ int32) { known[column], known[read] = true, true })
	found := false
	for k := range attributes {
		attribute := &attributes[k]
		answers := slices.ContainsFunc(append(a.Target.Responses(), listed...), func(pattern string) bool { return asterisk.Matches(pattern, attribute.name) })
		level := func(l string) bool { return known[attribute.name+"="+l] }
		switch {
		case attribute.name == a.Columns.ID:
			attribute.part = identity
		case known[attribute.name] || slices.ContainsFunc(attribute.levels, level):
		case answers && model.Responses:
			attribute.part, found = response, true
		default:
			attribute.part = dropped
		}
	}
	if model.Responses && !found {
		return fmt.Errorf("no attribute is a response (attributes: %s)", source.Abridge(namesOf(attributes)))
	}
	return nil
}

// assignParts gives every attribute its part, and refuses features of text.
func (a ARFF) assignParts(attributes []attribute, listed []string) error {
	if len(listed) == 0 && len(a.Target.Responses()) == 0 {
		return param.Errorf("target", "none is given, expected {column: NAME} with one of the attributes %s, or Mulan's list of labels as the role labels", source.Abridge(namesOf(attributes)))
	}
	for _, name := range listed {
		k := slices.IndexFunc(attributes, func(a attribute) bool { return a.name == name })
		if k < 0 {
			return fmt.Errorf("no attribute %q, which the list of labels has%s", name, suggest.DidYouMean(name, namesOf(attributes)))
		}
		if attributes[k].part = dropped; len(a.Target.Responses()) == 0 {
			attributes[k].part = response
		}
	}
	take := func(option, pattern string, part part) error {
		found := false
		for k := range attributes {
			attribute := &attributes[k]
			if !asterisk.Matches(pattern, attribute.name) || part == response && listed != nil && !slices.Contains(listed, attribute.name) {
				continue
			}
			if found = true; attribute.part == feature || part == response && attribute.part == dropped {
				attribute.part = part
			}
		}
		if !found {
			return param.Errorf(option, "no attribute %q%s (attributes: %s)", pattern, suggest.DidYouMean(pattern, namesOf(attributes)), source.Abridge(namesOf(attributes)))
		}
		return nil
	}
	var errs []error
	for _, name := range a.Target.Responses() {
		errs = append(errs, take("target", name, response))
	}
	if a.Columns.ID != "" {
		errs = append(errs, take("columns.id", a.Columns.ID, identity))
	}
	if a.Columns.Group != "" {
		errs = append(errs, take("columns.group", a.Columns.Group, group))
	}
	for _, name := range a.Columns.Drop {
		errs = append(errs, take("columns.drop", name, dropped))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	features := 0
	for _, attribute := range attributes {
		if attribute.part != feature {
			continue
		}
		if features++; attribute.levels == nil && attribute.text {
			return fmt.Errorf("the attribute %q is text; list it under columns.drop, or as columns.id or columns.group", attribute.name)
		}
	}
	if features == 0 {
		return errors.New("no attributes are left for features")
	}
	return nil
}

// countColumns accounts for the attributes.
func countColumns(attributes []attribute) account.Tally {
	t := account.Tally{Found: len(attributes)}
	for _, a := range attributes {
		switch a.part {
		case feature:
			t.Used++
		case dropped:
			t.Leave("dropped", a.name)
		case response:
			t.Role("target", a.name)
		case identity:
			t.Role("id", a.name)
		case group:
			t.Role("group", a.name)
		}
	}
	return t
}

func namesOf(attributes []attribute) []string {
	out := make([]string, len(attributes))
	for k, a := range attributes {
		out[k] = a.name
	}
	return out
}
