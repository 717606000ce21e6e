// Package svmlight reads the text format of SVMlight and LIBSVM.
package svmlight

import (
	"context"
	"errors"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/io/source"
)

// SVMLight reads one row a line: `label [qid:N] index:value ... # comment`. Lines without a label are passed over.
// Columns are named by their index as the file has it.
type SVMLight struct {
	Base         string `yaml:"base" doc:"index of the first column: 0, 1, or auto (0 when some index is 0, else 1)"`
	source.Plain `yaml:",inline"`
}

// Kind of the format.
var Kind = source.Define(source.Kind{
	Name: "svmlight",
	Doc:  "sparse rows as text: label [qid:N] index:value ... # comment (SVMlight, LIBSVM)",
	Cite: "Joachims, SVMlight; Chang and Lin, LIBSVM",
	Rev:  1,
}, SVMLight{Base: "auto"})

// Validate checks the options by themselves.
func (s SVMLight) Validate() error {
	return errors.Join(param.OneOf("base", s.Base, "auto", "0", "1"), s.CheckLabelled())
}

// Declares returns what is known before loading.
func (s SVMLight) Declares() source.Declares {
	return s.DeclareLabelled()
}

// Recipe returns the preparation of each fold: columns are those of the training rows.
func (s SVMLight) Recipe() prepare.Recipe { return s.OccurringRecipe() }

// Load reads the files. With base auto they are read as 1-based, and again as 0-based when an index is 0.
func (s SVMLight) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	d, err := s.loadDetected(ctx, in, s.TargetType())
	if err != nil {
		return nil, err
	}
	if err := source.CheckEvents(d, ""); err != nil {
		return nil, err
	}
	return s.Finish(in, d)
}

// LoadNew reads rows to apply a model to. Without responses, a line may begin with its first entry, and its label may be anything.
func (s SVMLight) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	s.Target.Positive = ""
	d, err := s.loadDetected(ctx, in, a.AsksLabel())
	if err != nil {
		return nil, err
	}
	return a.CompleteRows(a.Copies(d), s.Prepare.Gaps)
}

// Look reads all lines, whatever their labels, with indices from 0.
func (s SVMLight) Look(ctx context.Context, in source.Input) (source.Sight, error) {
	r := reader{labels: source.Labels{Type: data.Class}, columns: source.MostColumns(in), looks: true}
	content, file, err := source.Text(in, "all")
	if err == nil {
		err = r.readLines(ctx, file, 0, content)
	}
	if err == nil && r.rows == 0 {
		err = noRows(file)
	}
	out := source.Sight{Rows: r.rows, Labels: r.labels.Texts()}
	for _, is := range r.seen {
		if is {
			out.Columns++
		}
	}
	if r.grouped {
		out.Queries = &r.qid
	}
	return out, err
}

func noRows(file string) error {
	return fmt.Errorf("%s: no rows, expected lines of the form: label index:value", file)
}

func (s SVMLight) loadDetected(ctx context.Context, in source.Input, labels data.Type) (*data.Dataset, error) {
	if s.Base == "auto" {
		d, err := s.loadBased(ctx, in, 1, labels)
		if !errors.Is(err, errZero) {
			return d, err
		}
	}
	if s.Base == "1" {
		return s.loadBased(ctx, in, 1, labels)
	}
	return s.loadBased(ctx, in, 0, labels)
}

func (s SVMLight) loadBased(ctx context.Context, in source.Input, base int, labels data.Type) (*data.Dataset, error) {
	r := reader{base: base, labels: source.Labels{Type: labels}, room: source.RoomIn(in), columns: source.MostColumns(in)}
	if err := r.room.Hold(&r.x); err != nil {
		return nil, err
	}
	var rows []int
	for _, role := range source.Parts(in) {
		content, file, err := source.Text(in, role)
		if err != nil {
			return nil, err
		}
		before := r.rows
		if err := r.readFile(ctx, file, content); err != nil {
			return nil, err
		}
		if r.rows == before {
			return nil, noRows(file)
		}
		rows = append(rows, r.rows-before)
	}
	x, err := r.x.Build(0)
	if err != nil {
		return nil, err
	}
	d := &data.Dataset{X: x, Part: source.PartOf(rows...)}
	_, cols := d.X.Dims()
	d.Features = data.NumberedFeatures(base, cols)
	if r.grouped {
		d.Groups = r.qid.Groups("qid")
	}
	d.Targets, err = r.labels.Targets(s.Target.Positive)
	return d, err
}
