// Package vw reads the text format of Vowpal Wabbit.
package vw

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// VW reads one row a line:
//
//	label [importance [base]] ['tag]|namespace[:weight] feature[:value] ... |namespace ...
//
// Spaces around bars matter, as they do there: what touches the first bar is a tag, what touches a bar on its right is a
// namespace. Columns are named namespace^feature, as in Vowpal Wabbit's audits, and feature alone in a namespace without a
// name. Blank lines are passed over.
type VW struct {
	source.Plain `yaml:",inline"`
	Hash         int    `yaml:"hash" doc:"number columns by so many bits of a hash of their names, 1 to 26, and call them so (#1234): features whose hashes meet are one column, and how many did is told; 0: by name"`
	Encoding     string `yaml:"encoding" doc:"of the files: utf-8, latin-1, replace (utf-8 in which what is none becomes U+FFFD)"`
}

// Kind of the format.
var Kind = source.Define(source.Kind{
	Name: "vw",
	Doc:  "a label and features in namespaces a line: label [importance] ['tag]|namespace[:weight] feature[:value] ..., the text format of Vowpal Wabbit",
	Cite: "Langford, Li & Strehl, Vowpal Wabbit: Input format",
	Rev:  1,
}, VW{Encoding: rawtext.UTF8})

// Validate checks the options by themselves.
func (v VW) Validate() error {
	return errors.Join(v.CheckLabelled(), rawtext.CheckEncoding(v.Encoding), source.CheckHash("hash", v.Hash))
}

// Declares returns what is known before loading.
func (v VW) Declares() source.Declares {
	return v.DeclareLabelled()
}

// Recipe returns the preparation of each fold: columns are those of the training rows.
func (v VW) Recipe() prepare.Recipe { return v.OccurringRecipe() }

// Load reads the files. Importance weights are row weights; tags are the ids of the rows where every row has one of its
// own. Columns are in order of first appearance.
func (v VW) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	d, err := v.loadRows(ctx, in, v.TargetType())
	if err != nil {
		return nil, err
	}
	if err := source.CheckEvents(d, ""); err != nil {
		return nil, err
	}
	return v.Finish(in, d)
}

// LoadNew reads rows to apply a model to. Without responses, nothing need stand before the bar, or a tag.
func (v VW) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	v.Target.Positive = ""
	d, err := v.loadRows(ctx, in, a.AsksLabel())
	if err != nil {
		return nil, err
	}
	return a.CompleteRows(a.Copies(d), v.Prepare.Gaps)
}

// Look reads all lines, whatever their labels.
func (v VW) Look(ctx context.Context, in source.Input) (source.Sight, error) {
	r, err := newReader(data.Class, nil, 0)
	if err != nil {
		return source.Sight{}, err
	}
	r.looks = true
	if err := r.readRole(ctx, in, "all", v.Encoding); err != nil {
		return source.Sight{}, err
	}
	return source.Sight{Rows: r.countRows(), Columns: r.names.Len(), Labels: r.labels.Texts()}, nil
}

func (v VW) loadRows(ctx context.Context, in source.Input, labels data.Type) (*data.Dataset, error) {
	r, err := newReader(labels, in, v.Hash)
	if err != nil {
		return nil, err
	}
	var rows []int
	for _, role := range source.Parts(in) {
		before := r.countRows()
		if err := r.readRole(ctx, in, role, v.Encoding); err != nil {
			return nil, err
		}
		rows = append(rows, r.countRows()-before)
	}
	return r.buildDataset(v.Target.Positive, source.PartOf(rows...))
}

// readRole appends the rows of the file of a role, at least one.
func (r *reader) readRole(ctx context.Context, in source.Input, role, encoding string) error {
	content, file, err := in.Bytes(role)
	if err != nil {
		return err
	}
	if content, err = rawtext.Decode(content, encoding, file); err != nil {
		return err
	}
	before := r.countRows()
	if err := r.readFile(ctx, rawtext.LinesOf(content, file)); err != nil {
		return err
	}
	if r.countRows() == before {
		return fmt.Errorf("%s: no rows, expected lines of the form: label |namespace feature:value", file)
	}
	return nil
}

// readFile appends the rows of one file.
func (r *reader) readFile(ctx context.Context, lines *rawtext.Lines) error {
	for lines.Next() {
		if lines.Number%(1<<14) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(bytes.Trim(lines.Line, blanks)) == 0 {
			continue
		}
		if err := r.readRow(lines.Line); err != nil {
			return lines.Errorf("%w", err)
		}
	}
	return ctx.Err()
}

// buildDataset makes the data set of all rows.
func (r *reader) buildDataset(positive string, part []int8) (*data.Dataset, error) {
	targets, err := r.labels.Targets(positive)
	if err != nil {
		return nil, err
	}
	x, features, err := r.buildMatrix()
	if err != nil {
		return nil, err
	}
	return &data.Dataset{
		X: x, Features: features, Targets: targets,
		Weight: r.rowWeights(), IDs: r.rowIDs(), Part: part,
		Facts: append([]data.Fact{{Name: "features given again in one row, their values added", Value: fmt.Sprint(r.repeats)}}, r.names.Facts()...),
	}, nil
}
