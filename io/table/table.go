// Package table reads tables whose first row names the columns: CSV, TSV and Parquet.
package table

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"tenfold/engines/data"
	"tenfold/engines/kind"
	"tenfold/io/source"
)

// Options are common to all tables. A column that they do not mention is a feature of numbers. Empty cells, NA and NaN
// are missing: features keep them as NaN for the preparation to fill in, all other columns refuse them.
type Options struct {
	Columns  Columns         `yaml:"columns"`
	Target   source.Target   `yaml:"target" doc:"the column of the response; by default real where all its cells are numbers, else class"`
	Prepare  source.Prepare  `yaml:"prepare" key:"-"`
	Features source.Features `yaml:"features" key:"-"`
}

// Columns says what columns are for. In lists, * matches any text, and takes what no name claims.
type Columns struct {
	ID          string   `yaml:"id" doc:"column that identifies a row; no two rows share a value"`
	Drop        []string `yaml:"drop" doc:"columns to leave out; * matches any text"`
	Group       string   `yaml:"group" doc:"column whose equal values stay on one side of a split"`
	Time        string   `yaml:"time" doc:"column of numbers, or of dates (2006-01-02, RFC 3339), for time-ordered folds"`
	Weight      string   `yaml:"weight" doc:"column of positive row weights"`
	Categorical []string `yaml:"categorical" doc:"columns that become one column a level, named column=level; * matches any text"`
}

// Text is a table as text, quoted as in RFC 4180.
type Text struct {
	Options   `yaml:",inline"`
	Delimiter string `yaml:"delimiter" doc:"the character between cells"`
	Header    bool   `yaml:"header" doc:"the first row names the columns; without it they are named 1, 2, ..."`
}

// Parquet is a flat table in a Parquet file. Dates and timestamps are numbers of seconds since 1970.
type Parquet struct {
	Options `yaml:",inline"`
}

// The kinds of table.
var (
	CSVKind = source.Define(source.Kind{
		Name: "csv", Doc: "comma-separated values with a header row", Cite: "RFC 4180", Rev: 1,
	}, Text{Delimiter: ",", Header: true})
	TSVKind = source.Define(source.Kind{
		Name: "tsv", Doc: "tab-separated values with a header row", Cite: "RFC 4180, with tabs", Rev: 1,
	}, Text{Delimiter: "\t", Header: true})
	ParquetKind = source.Define(source.Kind{
		Name: "parquet", Doc: "Apache Parquet, flat schemas", Cite: "Apache Parquet format", Rev: 1,
	}, Parquet{})
)

// Validate checks the options by themselves.
func (o Options) Validate() error {
	errs := []error{o.Target.Validate(), o.Prepare.Validate(), o.Features.Validate()}
	if o.Target.Name != "" && (o.Target.Column != "" || len(o.Target.Columns) > 0) {
		errs = append(errs, kind.Errorf("target", "give a name, column or columns, not several"))
	}
	return errors.Join(errs...)
}

// Validate checks the options by themselves.
func (t Text) Validate() error {
	var err error
	if c, size := utf8.DecodeRuneInString(t.Delimiter); size == 0 || size < len(t.Delimiter) || strings.ContainsRune("\"\r\n\ufffd", c) {
		err = kind.Errorf("delimiter", "%q, expected one character, and no quote or line end", t.Delimiter)
	}
	return errors.Join(err, t.Options.Validate())
}

// Declares what is known before loading.
func (o Options) Declares() source.Declares {
	d := source.Declares{Roles: source.PartRoles()}
	for _, name := range o.responses() {
		d.Targets = append(d.Targets, source.Declared{Name: name, Type: o.Target.Asks()})
	}
	if o.Columns.Group != "" {
		d.Groups = []string{o.Columns.Group}
	}
	return d
}

// Recipe is the preparation of each fold.
func (o Options) Recipe() data.Recipe { return o.Prepare.Recipe(o.Features.Cutoff) }

// responses is the names or patterns of the target columns.
func (o Options) responses() []string {
	for _, name := range []string{o.Target.Name, o.Target.Column} {
		if name != "" {
			return []string{name}
		}
	}
	return o.Target.Columns
}

// Load reads the files.
func (t Text) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	return t.Options.load(ctx, in, t.scan)
}

// Load reads the files.
func (p Parquet) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	return p.Options.load(ctx, in, scanParquet)
}

// scan reads one file. It asks bind for a sink for each column, nil for one to pass over, fills each sink in order of row,
// and returns the number of rows. It says in errors where in the file a sink refused a cell.
type scan func(ctx context.Context, file string, content []byte, bind func(header []string) ([]sink, error)) (rows int, err error)

func (o Options) load(ctx context.Context, in source.Input, read scan) (*data.Dataset, error) {
	var f frame
	var rows []int
	for _, role := range source.Parts(in) {
		content, file, err := in.Bytes(role)
		if err != nil {
			return nil, err
		}
		n, err := read(ctx, file, content, func(header []string) ([]sink, error) {
			if err := f.open(file, header, o); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			return f.order(header), nil
		})
		if err != nil {
			return nil, err
		}
		if n == 0 {
			return nil, fmt.Errorf("%s: no rows, only the names of columns", file)
		}
		rows = append(rows, n)
	}
	return f.dataset(o, rows)
}
