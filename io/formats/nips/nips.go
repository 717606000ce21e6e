// Package nips reads data as the feature selection challenge of NIPS 2003 has it: NAME_train.data and NAME_train.labels. nips.go is the
// format, read.go reads rows.
package nips

import (
	"context"
	"errors"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/source"
)

// NIPS reads a row a line from one file and a label a line from another: all numbers of the row, or the columns that it has, from 1, alone
// or with their values. NAME.param says which, how many columns there are, and how many rows the training part has.
type NIPS struct {
	Layout       string `yaml:"layout" doc:"what a line has: dense (a number for each column), index (columns that are 1), index:value, or auto, which the file, or its .param, tells"`
	source.Plain `yaml:",inline"`
}

// Words of layout.
const (
	auto   = "auto"
	dense  = "dense"
	index  = "index"
	valued = "index:value"
)

// Kind of the format.
var Kind = source.Define(source.Kind{
	Name: "nips",
	Doc:  "rows and labels a line, in files of their own: the feature selection challenge of NIPS 2003 (.data, .labels, .param)",
	Cite: "Guyon, Gunn, Ben-Hur & Dror 2004, Result analysis of the NIPS 2003 feature selection challenge",
	Rev:  1,
}, NIPS{Layout: auto})

// Validate checks the options by themselves.
func (n NIPS) Validate() error {
	return errors.Join(param.OneOf("layout", n.Layout, auto, dense, index, valued), n.Check("labels are a file of their own (all_y, or train_y and test_y)"))
}

// Declares returns what is known before loading.
func (n NIPS) Declares() source.Declares {
	return n.Declare(source.Declares{
		Targets:  []source.Declared{{Name: "label", Type: n.TargetType()}},
		Roles:    [][]string{{"all", "all_y"}, {"train", "train_y", "test", "test_y"}},
		Optional: []string{"param"},
		Binary:   n.Layout == index,
	})
}

// Load reads the files.
func (n NIPS) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	d, _, err := n.load(ctx, in, n.TargetType())
	if err != nil {
		return nil, err
	}
	return n.Finish(in, d)
}

// LoadNew reads rows to apply a model to: all_y is needed for responses alone. Of sparse rows, columns that none has are there all the same.
func (n NIPS) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	n.Target.Positive = ""
	d, layout, err := n.load(ctx, in, a.AsksLabel())
	if err != nil {
		return nil, err
	}
	if layout == dense { // where a row has all columns
		return a.Matrix(d, n.Prepare.Gaps)
	}
	return a.CompleteRows(a.Copies(d), n.Prepare.Gaps)
}

// Look reads all rows. Where a layout cannot be told, it takes lines for numbers.
func (n NIPS) Look(ctx context.Context, in source.Input) (source.Sight, error) {
	r := reader{layout: n.Layout, most: source.MostColumns(in), looks: true}
	if in.Has("param") {
		if err := r.readParam(in); err != nil {
			return source.Sight{}, err
		}
	}
	content, file, err := source.Text(in, "all")
	if err != nil {
		return source.Sight{}, err
	}
	if r.detect(content, file) != nil {
		r.layout = dense
	}
	if err := r.readRows(ctx, content, file); err != nil {
		return source.Sight{}, err
	}
	return source.Sight{Rows: r.rows, Columns: max(r.columns, r.widest)}, nil
}

func (n NIPS) load(ctx context.Context, in source.Input, labels data.Type) (d *data.Dataset, layout string, err error) {
	r := reader{layout: n.Layout, most: source.MostColumns(in)}
	if in.Has("param") {
		if err := r.readParam(in); err != nil {
			return nil, "", err
		}
	}
	if err := source.RoomIn(in).Hold(&r.x); err != nil {
		return nil, "", err
	}
	var rows []int
	all := source.Labels{Type: labels}
	for _, role := range source.Parts(in) {
		content, file, err := source.Text(in, role)
		if err != nil {
			return nil, "", err
		}
		before := r.rows
		if err := r.readRows(ctx, content, file); err != nil {
			return nil, "", err
		}
		count := r.rows - before
		if count == 0 {
			return nil, "", fmt.Errorf("%s: no rows", file)
		}
		if role == "train" && r.train > 0 && count != r.train {
			return nil, "", fmt.Errorf("%s: %d rows, expected %d as %s says", file, count, r.train, r.param)
		}
		if rows = append(rows, count); labels != data.Any {
			if err := all.ReadLabels(in, role+"_y", count, ""); err != nil {
				return nil, "", err
			}
		}
	}
	x, err := r.x.Build(r.columns)
	if err != nil {
		return nil, "", err
	}
	_, columns := x.Dims()
	d = &data.Dataset{X: x, Part: source.PartOf(rows...), Features: data.NumberedFeatures(1, columns)}
	d.Targets, err = all.Targets(n.Target.Positive)
	return d, r.layout, err
}
