// Package mtx reads matrices in the Matrix Market's exchange format: mtx.go is the format, read.go reads a file.
package mtx

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
	"tenfold/io/formats/tabular"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// MTX reads a matrix from one file, and a label for each sample, one a line, from another; or from tables of samples, which know them by
// the names in the role ids, one a line.
type MTX struct {
	Samples           string `yaml:"samples" doc:"what of the matrix is a sample: rows, columns"`
	tabular.Described `yaml:",inline"`
}

// Kind of the format.
var Kind = source.Define(source.Kind{
	Name: "mtx",
	Doc:  "Matrix Market files: coordinate or array, real, integer or pattern, general or symmetric; labels one a line in a file beside it, or a table of samples",
	Cite: "Boisvert, Pozo & Remington 1996, The Matrix Market Exchange Formats: Initial Design, NISTIR 5935",
	Rev:  1,
}, MTX{Samples: byRows})

// Words of samples.
const (
	byRows    = "rows"
	byColumns = "columns"
)

// Validate checks the options by themselves.
func (m MTX) Validate() error {
	return errors.Join(param.OneOf("samples", m.Samples, byRows, byColumns), m.Check("labels are a file of their own (all_y, or train_y and test_y)"))
}

// Declares returns what is known before loading.
func (m MTX) Declares() source.Declares {
	return m.Declare(source.Declares{
		Targets:  []source.Declared{{Name: "label", Type: m.Type()}},
		Roles:    [][]string{{"all", "all_y"}, {"train", "train_y", "test", "test_y"}},
		Optional: []string{"names", "ids"},
	})
}

// Load reads the files.
func (m MTX) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	d, err := m.load(ctx, in, m.Type())
	if err != nil {
		return nil, err
	}
	return m.Finish(ctx, in, d)
}

// LoadNew reads rows to apply a model to: all_y is needed for responses alone.
func (m MTX) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	m.Target.Positive = ""
	labels := a.AsksLabel()
	if m.HasTables() {
		labels = data.Any
	}
	d, err := m.load(ctx, in, labels)
	if err != nil {
		return nil, err
	}
	return m.New(ctx, in, d, a)
}

// Look reads the numbers of rows and columns.
func (m MTX) Look(_ context.Context, in source.Input) (source.Sight, error) {
	content, file, err := source.Text(in, "all")
	if err != nil {
		return source.Sight{}, err
	}
	_, size, err := begin(rawtext.LinesOf(content, file))
	if err != nil {
		return source.Sight{}, err
	}
	return source.Sight{Rows: size[0], Columns: size[1]}, nil
}

func (m MTX) load(ctx context.Context, in source.Input, labels data.Type) (*data.Dataset, error) {
	var x sparse.Builder
	if err := source.RoomIn(in).Hold(&x); err != nil {
		return nil, err
	}
	var rows []int
	columns, first, added := 0, "", 0
	all := source.Labels{Type: labels}
	for _, role := range source.Parts(in) {
		content, file, err := source.Text(in, role)
		if err != nil {
			return nil, err
		}
		b, err := read(ctx, in, content, file, m.Samples == byColumns)
		if err != nil {
			return nil, err
		}
		switch {
		case b.rows == 0 || b.columns == 0:
			return nil, fmt.Errorf("%s: %d samples of %d columns, expected at least one of both", file, b.rows, b.columns)
		case first != "" && b.columns != columns:
			return nil, fmt.Errorf("%s: %d columns, expected %d as in %s", file, b.columns, columns, first)
		}
		if err := b.addTo(&x, file); err != nil {
			return nil, err
		}
		rows, columns, first, added = append(rows, b.rows), b.columns, file, added+b.added
		if labels != data.Any {
			if err := all.ReadLabels(in, role+"_y", b.rows, "%"); err != nil {
				return nil, err
			}
		}
	}
	matrix, err := x.Build(columns)
	if err != nil {
		return nil, err
	}
	d := &data.Dataset{X: matrix, Part: source.PartOf(rows...), Features: data.NumberedFeatures(1, columns)}
	if added > 0 {
		d.Facts = append(d.Facts, data.Fact{Name: "entries given again at one place, their values added", Value: strconv.Itoa(added)})
	}
	if in.Has("names") {
		if d.Features, err = source.ReadNames(in, "names", columns, true); err != nil {
			return nil, err
		}
	}
	if d.IDs, err = source.ReadIDs(in, "ids", d.Rows()); err != nil {
		return nil, err
	}
	d.Targets, err = all.Targets(m.Target.Positive)
	return d, err
}
