package tabular

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/io/formats/text"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/tablefile"
)

// Described holds the options of a matrix of numbers whose samples tables may describe.
type Described struct {
	Target   source.Response  `yaml:"target" doc:"real, class or survival; with join, the column of the response"`
	Prepare  source.Numeric   `yaml:"prepare"`
	Features source.Columns   `yaml:"features"`
	Columns  DescribedColumns `yaml:"columns"`
	Join     Joins            `yaml:"join" doc:"tables of samples, whose ids are those of the rows: {file, by, features, unmatched}, and how such a file is divided; one, or a list"`
}

// DescribedColumns says what columns of the tables are for.
type DescribedColumns struct {
	Group       string             `yaml:"group" doc:"column of a joined table: groups, such as patients, that folds by: its name keep together"`
	Time        string             `yaml:"time" doc:"column of a joined table: numbers or dates, for time-ordered folds"`
	Weight      string             `yaml:"weight" doc:"column of a joined table: row weights, 0 or more"`
	Categorical []string           `yaml:"categorical" doc:"columns of a joined table that become one feature a level, named column=level"`
	Codes       map[string]float64 `yaml:"codes" doc:"numbers that texts of joined tables stand for, such as {no: 0, yes: 1}"`
	Missing     rawtext.Missing    `yaml:"missing" doc:"texts that stand for a missing value in joined tables, besides empty cells, NA, NaN and nan; or by column"`
}

// options returns those of a table, for the tables that are joined.
func (s Described) options() Options {
	c := s.Columns
	return Options{
		Columns: Columns{Group: c.Group, Time: c.Time, Weight: c.Weight, Categorical: c.Categorical, Codes: c.Codes, Missing: c.Missing},
		Target:  Target{Response: s.Target}, Features: Features{Columns: s.Features, Options: text.Defaults, Texts: apart}, Join: s.Join, usual: rawtext.Usual,
	}
}

// Plain returns the options without tables.
func (s Described) Plain() source.Plain {
	return source.Plain{Target: s.Target.Target, Prepare: s.Prepare, Features: s.Features}
}

// HasTables reports whether tables are joined.
func (s Described) HasTables() bool { return len(s.Join) > 0 }

// Check checks the options by themselves, as Validate of a format does; apart says where targets are without tables.
func (s Described) Check(apart string) error {
	if s.HasTables() {
		return s.CheckDescribed()
	}
	errs := []error{s.Plain().Check(apart)}
	c, t := s.Columns, s.Target
	for _, key := range []struct {
		name string
		is   bool
	}{
		{"columns.group", c.Group != ""}, {"columns.time", c.Time != ""}, {"columns.weight", c.Weight != ""}, {"columns.categorical", c.Categorical != nil},
		{"columns.codes", c.Codes != nil}, {"columns.missing", c.Missing != nil}, {"target.time", t.Time != nil}, {"target.event", t.Event != nil},
		{"target.event_value", t.EventValue != ""}, {"target.exposure", t.Exposure != ""}, {"target.binarize", t.Binarize != ""}, {"target.missing", t.Missing != ""}, {"target.constant", t.Constant != ""},
	} {
		errs = append(errs, param.Require(key.name, !key.is, "it is about a table of samples, and none is joined: join: {file: FILE, by: COLUMN}"))
	}
	return errors.Join(errs...)
}

// CheckDescribed checks the options by themselves where tables describe the samples.
func (s Described) CheckDescribed() error {
	return errors.Join(s.Prepare.Validate(), s.options().Validate())
}

// Declare adds to the declaration of a matrix, whose roles are those with labels beside it, what the tables have.
func (s Described) Declare(d source.Declares) source.Declares {
	if s.HasTables() {
		d.Roles, d.Targets = source.PartRoles(), nil
		declared := s.options().Declares()
		d.Targets, d.Groups = declared.Targets, declared.Groups
		d.Optional = append(slices.Clone(d.Optional), s.Join.Roles()...)
	}
	return s.Features.Classes.Declare(d)
}

// Recipe returns the preparation of each fold.
func (s Described) Recipe() prepare.Recipe {
	r := s.Prepare.Recipe(0)
	s.Features.Into(&r)
	s.Target.Into(&r)
	if len(s.Columns.Categorical) > 0 {
		r.Levels = prepare.LevelsRevision
	}
	return r
}

// Named returns the files that the options name.
func (s Described) Named() map[string]source.Ref { return s.options().Named() }

// Type returns that of the labels beside the matrix; Any where tables have the targets.
func (s Described) Type() data.Type {
	if s.HasTables() {
		return data.Any
	}
	return s.Plain().TargetType()
}

// Finish completes rows that were read: by what the tables have, by what the options say of missing values, and by classes of columns.
func (s Described) Finish(ctx context.Context, in source.Input, d *data.Dataset) (*data.Dataset, error) {
	if !s.HasTables() {
		return s.Plain().Finish(in, d)
	}
	return s.Describe(ctx, in, d, nil, nil)
}

// New completes new rows.
func (s Described) New(ctx context.Context, in source.Input, d *data.Dataset, a source.Application) (*data.Dataset, error) {
	if s.HasTables() {
		var err error
		if d, err = s.join(ctx, in, d, nil, &a); err != nil {
			return nil, err
		}
	}
	d, err := a.Matrix(d, s.Prepare.Gaps)
	return d, s.Join.hint(in, err)
}

// Describe joins tables to rows: beside, a table that came with the matrix, if it is not nil, and those of the options. Classes of columns
// find them by the names in known, if it is not nil.
func (s Described) Describe(ctx context.Context, in source.Input, d *data.Dataset, beside *Metadata, known []string) (*data.Dataset, error) {
	columns := d.Features.Len()
	d, err := s.join(ctx, in, d, beside, nil)
	if err != nil {
		return nil, err
	}
	for j := columns; known != nil && j < d.Features.Len(); j++ {
		known = append(known, d.Features.Name(j))
	}
	if d, err = s.Target.Finish(d, s.Prepare.Gaps); err != nil {
		return nil, err
	}
	return s.Features.Classes.Apply(in, d, known)
}

// DescribeNew joins tables to new rows.
func (s Described) DescribeNew(ctx context.Context, in source.Input, d *data.Dataset, beside *Metadata, a source.Application) (*data.Dataset, error) {
	d, err := s.join(ctx, in, d, beside, &a)
	if err != nil {
		return nil, err
	}
	if err := a.All(d, nil, "the matrix"); err != nil {
		return nil, s.Join.hint(in, err)
	}
	return a.CompleteRows(a.Copies(d), s.Prepare.Gaps)
}

func (s Described) join(ctx context.Context, in source.Input, d *data.Dataset, beside *Metadata, a *source.Application) (*data.Dataset, error) {
	o, m := s.options(), knownColumns(a)
	if len(o.Target.Responses()) == 0 && m == nil {
		return nil, param.Errorf("target", "none is given, expected {column: NAME} with a column of the table of samples")
	}
	var first, seen []*table
	if beside != nil {
		t := beside.table()
		if err := t.assignRoles(o.claims(), true, m); err != nil {
			return nil, fmt.Errorf("%s: %w", t.file, err)
		}
		if seen = append(seen, t); t.usesSome() {
			first = seen
		}
	}
	tables, err := o.openTables(ctx, in, d.IDs != nil, m, first...)
	if err != nil {
		return nil, err
	}
	for _, c := range unclaimed(o.claims(), tables) {
		if m == nil && !c.optional {
			err := error(param.Errorf(c.option, "no table of samples has a column %q", c.pattern))
			for _, t := range slices.Concat(seen[len(first):], tables) {
				err = fmt.Errorf("%w (columns of %s: %s)", err, t.file, source.Abridge(t.header))
			}
			return nil, err
		}
	}
	return o.joinTables(ctx, in, d, tables, m, nil)
}

// hint adds to an error about a missing column of new rows that it may be one of a table that was not given.
func (all Joins) hint(in source.Input, err error) error {
	for k := range all {
		if err != nil && !in.Has(roleOf(k)) {
			return fmt.Errorf("%w; if it is one of the joined table, give the table of the new rows with --file %s=FILE", err, roleOf(k))
		}
	}
	return err
}

// Metadata is a table of samples that comes in the file of the matrix.
type Metadata struct {
	File     string
	Samples  []string
	Names    []string              // of its columns
	Cell     func(k, i int) string // of column k and sample i
	Place    func(k, i int) string // of the cell, in errors
	Features []string              // columns to predict from
}

// table returns what may be joined: the ids of its rows come first.
func (w *Metadata) table() *table {
	header := append([]string{"id"}, w.Names...)
	t := &table{Join: Join{By: "id", Features: w.Features, Unmatched: dropJoined}, field: "metadata", features: "metadata", role: "all", file: w.File, header: header}
	t.scan = func(_ context.Context, _ string, _ []byte, bind tablefile.Bind) (int, error) {
		sinks, err := bind(header)
		if err != nil {
			return 0, err
		}
		c := tablefile.Written{Dialect: rawtext.Commas}
		for i, id := range w.Samples {
			for k, s := range sinks {
				if s == nil {
					continue
				}
				place := ""
				if c.As = id; k > 0 {
					c.As, place = w.Cell(k-1, i), w.Place(k-1, i)+": "
				}
				if err := s.AddCell(&c); err != nil {
					return 0, fmt.Errorf("%s%q of the sample %q: %w", place, header[k], id, err)
				}
			}
		}
		return len(w.Samples), nil
	}
	return t
}
