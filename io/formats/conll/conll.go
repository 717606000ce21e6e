// Package conll reads the column formats of the CoNLL shared tasks: a token a line, its columns apart by blanks, a blank
// line after each sentence.
package conll

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/engines/suggest"
	"tenfold/io/formats/tuples"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// Format reads one row a token. Its columns are patterns of the tokens around it, and of the labels before it.
type Format struct {
	Columns   map[string]int `yaml:"columns" doc:"names of the columns of a file that are used, with their numbers from 0: {w: 0, t: 1, c: 2}"`
	Target    Target         `yaml:"target"`
	Features  Features       `yaml:"features"`
	Decode    Decode         `yaml:"decode"`
	Sentences string         `yaml:"sentences" doc:"what ends a sentence: blank-line, or line, for records that are no sequences: every line is one"`
	Encoding  string         `yaml:"encoding" doc:"of the files: utf-8, latin-1, replace (utf-8 in which what is none becomes U+FFFD)"`
}

// Decode has the options for predicting labels that depend on previous labels.
type Decode struct {
	Beam int `yaml:"beam" key:"-" doc:"label sequences kept from token to token, 1 (greedy) to 1000; the best has the largest sum of log-probabilities"`
}

// Kind of the format.
var Kind = source.Define(source.Kind{
	Name: "conll",
	Doc:  "tokens in columns, a token a line and a blank line after each sentence; a row is a token, a column a pattern of values around it and of the labels before it",
	Cite: "Tjong Kim Sang & Buchholz 2000, CoNLL shared task; Ramshaw & Marcus 1995",
	Rev:  1,
}, Format{Target: Target{Scheme: iob2}, Features: Features{Cutoff: 1}, Decode: Decode{Beam: 1}, Sentences: blankLine, Encoding: rawtext.UTF8})

// Validate checks the options without data.
func (f Format) Validate() error {
	if len(f.Columns) == 0 {
		return param.Errorf("columns", "none are named, expected names with numbers from 0, such as {w: 0, t: 1, c: 2}")
	}
	var errs []error
	for _, name := range sortedNames(f.Columns) {
		if f.Columns[name] < 0 || f.Columns[name] >= maxColumns {
			errs = append(errs, param.Errorf("columns."+name, "%d, expected the number of a column, 0 to %d", f.Columns[name], maxColumns-1))
		}
		if name == "" || strings.ContainsAny(name, "[]() \t;=|%*") {
			errs = append(errs, param.Errorf("columns", "the name %q, expected letters and digits", name))
		}
	}
	if _, known := f.Columns[f.Target.Column]; !known {
		return errors.Join(append(errs, param.Errorf("target", "no column %q%s, expected {column: NAME} with one of %s",
			f.Target.Column, suggest.DidYouMean(f.Target.Column, sortedNames(f.Columns)), strings.Join(sortedNames(f.Columns), ", ")))...)
	}
	errs = append(errs, param.OneOf("sentences", f.Sentences, blankLine, byLine), param.OneOf("target.scheme", f.Target.Scheme, iob2, iob1, asIs), rawtext.CheckEncoding(f.Encoding), tuples.CheckCutoff(f.Features.Cutoff), f.Features.Treatment.Validate())
	if f.Decode.Beam < 1 || f.Decode.Beam > maxBeam {
		errs = append(errs, param.Errorf("decode.beam", "%d, expected 1 to %d", f.Decode.Beam, maxBeam))
	}
	plan, err := f.Features.parsePlan(f.Columns, f.Target.Column)
	if err == nil && plan.labels == 0 && f.Decode.Beam > 1 {
		err = param.Errorf("decode.beam", "%d, but no template looks at the labels before a token", f.Decode.Beam)
	}
	if err == nil && plan.labels > 0 && f.Sentences == byLine {
		err = param.Errorf("sentences", "%s, but a template looks at the labels before a token, and no line has any", byLine)
	}
	return errors.Join(append(errs, err)...)
}

const (
	maxColumns = 1000
	maxBeam    = 1000
)

// What ends a sentence.
const (
	blankLine = "blank-line"
	byLine    = "line"
)

// groupName returns the name of the groups of equal sentences: "line" or "sentence".
func (f Format) groupName() string {
	if f.Sentences == byLine {
		return "line"
	}
	return "sentence"
}

// Declares returns one class target; equal sentences are one group.
func (f Format) Declares() source.Declares {
	return source.Declares{
		Targets: []source.Declared{{Name: cmp.Or(f.Target.Column, "{column: NAME}"), Type: data.Class}},
		Roles:   source.PartRoles(), Binary: true, Groups: []string{f.groupName()},
	}
}

// Recipe applies the cutoff on training rows.
func (f Format) Recipe() prepare.Recipe {
	r := prepare.Recipe{Cutoff: f.Features.Cutoff}
	if f.Decode.Beam > 1 {
		r.Beam = f.Decode.Beam
	}
	return f.Features.Treatment.Into(r)
}

// Load reads the files. Values beyond the ends of a sentence are *.
func (f Format) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	return f.loadTokens(ctx, in, nil)
}

// LoadNew reads tokens to apply a model to. Without responses, the column to be predicted need not be there.
func (f Format) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	f.Target.Positive = ""
	return f.loadTokens(ctx, in, &a)
}

// loadTokens reads tokens to fit a model to, or to apply one to.
func (f Format) loadTokens(ctx context.Context, in source.Input, model *source.Application) (*data.Dataset, error) {
	plan, err := f.Features.parsePlan(f.Columns, f.Target.Column)
	if err != nil {
		return nil, err
	}
	labels := make([]string, len(plan.values))
	for p, v := range plan.values {
		labels[p] = v.String()
	}
	c := newCorpus(f, tuples.NewTable(labels...))
	c.applied, c.unlabelled = model != nil, model != nil && !model.Responses
	if err := c.readFiles(ctx, in); err != nil {
		return nil, err
	}
	facts, err := c.rewriteTags(f.Target)
	if err != nil {
		return nil, err
	}
	c.fillTable(plan)
	target, err := f.Target.withPositive(c.table.Classes(f.Target.Column))
	if err != nil {
		return nil, err
	}
	previous := tuples.Previous{Levels: target.Levels}
	for _, v := range plan.values[len(plan.values)-plan.labels:] {
		previous.Back = append(previous.Back, int32(-v.offset))
	}
	var set *data.Dataset
	if model == nil {
		set, err = c.table.ExpandSequences(ctx, plan.templates, f.Features.Cutoff, previous)
	} else {
		previous.Levels = model.Targets[0].Levels
		set, err = c.table.ApplySequences(ctx, plan.templates, previous, model.Columns)
	}
	if err != nil {
		return nil, err
	}
	set.Targets, set.Part, set.IDs, set.Groups = []data.Target{target}, source.PartOf(c.rows...), c.tokenIDs(), c.groupSentences()
	if set.Sequences.Start = c.start; f.Sentences == byLine {
		set.Sequences = nil
	}
	looking := 0
	for _, t := range plan.templates {
		if plan.looksAtLabels(t) {
			looking++
		}
	}
	set.Facts = append(append([]data.Fact{
		{Name: "sentences", Value: fmt.Sprint(len(c.start))},
		{Name: "templates", Value: fmt.Sprintf("%d, %d of them look at previous labels", len(plan.templates), looking)},
	}, facts...), set.Facts...)
	return set, nil
}

func sortedNames(columns map[string]int) []string { return slices.Sorted(maps.Keys(columns)) }
