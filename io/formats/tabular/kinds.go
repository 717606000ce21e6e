package tabular

import (
	"context"
	"errors"

	"tenfold/engines/data"
	"tenfold/engines/data/account"
	"tenfold/engines/param"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/tablefile"
)

// Text is a table as text.
type Text struct {
	Options        `yaml:",inline"`
	tablefile.Text `yaml:",inline"`
	Samples        string `yaml:"samples" doc:"where the rows of data are in the files: rows, or columns (the table is read on its side; its first row has their ids)"`

	beside *account.Tally // of a table on its side: its columns that are no samples
}

// Parquet is a flat table in a Parquet file. Dates and timestamps are numbers of seconds since 1970.
type Parquet struct {
	Options `yaml:",inline"`
}

// Sheet is a table in a sheet of an Excel workbook. Dates are numbers of seconds since 1970, as in Parquet.
type Sheet struct {
	Options         `yaml:",inline"`
	tablefile.Sheet `yaml:",inline"`
}

// Records is a file of JSON objects, one a row: a line each (JSON Lines), or one array of them.
type Records struct {
	Options           `yaml:",inline"`
	tablefile.Records `yaml:",inline"`
}

// Where the rows of data are in a text.
const (
	inRows    = "rows"
	inColumns = "columns"
)

// The kinds of table.
var (
	CSVKind = source.Define(source.Kind{
		Name: "csv", Doc: "comma-separated values with a header row", Cite: "RFC 4180", Rev: 4,
	}, Text{Options: defaults, Text: tablefile.Text{Dialect: rawtext.Commas, Header: true}, Samples: inRows})
	TSVKind = source.Define(source.Kind{
		Name: "tsv", Doc: "tab-separated values with a header row, without quotes", Cite: "IANA text/tab-separated-values", Rev: 4,
	}, Text{Options: defaults, Text: tablefile.Text{Dialect: rawtext.Tabs, Header: true}, Samples: inRows})
	ParquetKind = source.Define(source.Kind{
		Name: "parquet", Doc: "Apache Parquet, flat schemas", Cite: "Apache Parquet format", Rev: 4,
	}, Parquet{Options: defaults})
	XLSXKind = source.Define(source.Kind{
		Name: "xlsx", Doc: "a sheet of an Excel workbook with a header row", Cite: "ECMA-376, Office Open XML", Rev: 2,
	}, Sheet{Options: defaults, Sheet: tablefile.Sheet{Header: true, Digits: tablefile.Points}})
	JSONLKind = source.Define(source.Kind{
		Name: "jsonl", Doc: "JSON Lines: a flat object a row; or one array of such objects", Cite: "RFC 8259", Rev: 2,
	}, Records{Options: defaults, Records: tablefile.Records{Digits: tablefile.Points}})
)

// Validate checks the options by themselves.
func (t Text) Validate() error {
	samples := param.OneOf("samples", t.Samples, inRows, inColumns)
	if samples == nil && t.Samples == inColumns && !t.Header {
		samples = param.Errorf("header", "a table on its side has the ids of its rows in its first row")
	}
	if samples == nil && t.Samples != inColumns {
		samples = checkAnnotations(t.Columns)
	}
	return errors.Join(samples, t.Text.Validate(), t.Options.Validate())
}

func checkAnnotations(c Columns) error {
	return param.Require("columns.annotations", len(c.Annotations) == 0, "are columns that are no samples, of a table with samples: columns; expected columns.drop")
}

// Load reads the files.
func (t Text) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	return t.load(ctx, in, nil)
}

// LoadNew reads rows to apply a model to: columns that it does not know are passed over, and those that it knows must be there.
func (t Text) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	return t.load(ctx, in, &a)
}

func (t Text) load(ctx context.Context, in source.Input, a *source.Application) (*data.Dataset, error) {
	t.usual, t.encoding = rawtext.Usual, t.Encoding
	main := layout{scan: t.Scan}
	if t.Samples == inColumns {
		t.beside = new(account.Tally)
		main = layout{scan: t.scanSideways, ids: true, beside: t.beside}
	}
	return t.Options.loadRows(ctx, in, main, a)
}

// Load reads the files.
func (p Parquet) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	return p.Options.loadRows(ctx, in, layout{scan: tablefile.ParquetScanner(in)}, nil)
}

// LoadNew reads rows to apply a model to, as Text does.
func (p Parquet) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	return p.Options.loadRows(ctx, in, layout{scan: tablefile.ParquetScanner(in)}, &a)
}

// scanSideways reads a file whose columns are rows of data.
func (t Text) scanSideways(ctx context.Context, file string, content []byte, bind tablefile.Bind) (rows int, err error) {
	choose := func(header, samples []string) ([]int, error) {
		cells, annotations, err := t.Columns.samplesAmong(file, header, samples)
		t.beside.Found += len(annotations)
		t.beside.Role("annotation", annotations...)
		return cells, err
	}
	return t.Text.ScanSideways(ctx, file, content, choose, bind)
}

// Validate checks the options by themselves.
func (s Sheet) Validate() error {
	return errors.Join(s.Sheet.Validate(), checkAnnotations(s.Columns), s.Options.Validate())
}

// Load reads the files.
func (s Sheet) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	return s.load(ctx, in, nil)
}

// LoadNew reads rows to apply a model to, as Text does.
func (s Sheet) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	return s.load(ctx, in, &a)
}

func (s Sheet) load(ctx context.Context, in source.Input, a *source.Application) (*data.Dataset, error) {
	s.usual = tablefile.UsualInSheets
	var facts []data.Fact
	d, err := s.Options.loadRows(ctx, in, layout{scan: s.Scanner(in, a != nil, &facts)}, a)
	return withFacts(d, facts), err
}

// Validate checks the options by themselves.
func (r Records) Validate() error {
	return errors.Join(checkAnnotations(r.Columns), r.Dialect().Validate(), r.Options.Validate())
}

// Load reads the files.
func (r Records) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	var facts []data.Fact
	d, err := r.Options.loadRows(ctx, in, layout{scan: r.Scanner(in, &facts)}, nil)
	return withFacts(d, facts), err
}

// LoadNew reads rows to apply a model to, as Text does.
func (r Records) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	return r.Options.loadRows(ctx, in, layout{scan: r.Scanner(in, nil)}, &a)
}

// withFacts adds what the files have to a data set, if there is one.
func withFacts(d *data.Dataset, facts []data.Fact) *data.Dataset {
	if d != nil {
		d.Facts = append(d.Facts, facts...)
	}
	return d
}
