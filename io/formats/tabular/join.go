package tabular

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/data/texts"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/tablefile"
)

// Join names a table of samples, and how its rows find those of data.
type Join struct {
	File      source.Ref `yaml:"file" read:"required" key:"-" doc:"the table of samples: csv, tsv, Parquet, xlsx or jsonl, as its name and content say"`
	By        string     `yaml:"by" doc:"column of the table that has the ids of the rows; by default its first. If the data has a column of that name, its rows find theirs by it, and several may find the same one"`
	Features  []string   `yaml:"features" doc:"columns of the table to predict from, beside those of the data; * matches any text"`
	Unmatched string     `yaml:"unmatched" doc:"a row of the data that the table does not have, or the other way round: error; drop-joined (leave out rows that the table alone has); drop (leave out rows of either)"`
	Header    bool       `yaml:"header" doc:"the first row of the table names its columns (a # before the first is left out)"`
	// Of the dialect, what is not given comes from the ending of the table's name and from its content.
	rawtext.Dialect `yaml:",inline"`
}

// Words of unmatched.
const (
	dropJoined = "drop-joined"
	dropEither = "drop"
)

// SetDefaults sets the values of keys that a file may leave out.
func (j *Join) SetDefaults() { j.Header, j.Unmatched = true, "error" }

// Joins are the tables that are joined to the rows of data, one after the other.
type Joins []Join

// OneOrMore lets a single table be written in place of the list.
func (Joins) OneOrMore() {}

// Validate checks the options by themselves.
func (j Join) Validate() error { return j.validateAt("join") }

func (j Join) validateAt(field string) error {
	errs := []error{below(field+".file", j.File.Validate()), param.OneOf(field+".unmatched", j.Unmatched, "", "error", dropJoined, dropEither)}
	return errors.Join(append(errs, below(field, j.completed(rawtext.Tabs).Validate()))...)
}

// below puts an error about a field below another one; nil stays nil.
func below(field string, err error) error {
	var bad *param.FieldError
	if !errors.As(err, &bad) {
		return err
	}
	return param.Errorf(field+"."+bad.Field, "%s", bad.Msg)
}

// Validate checks the options by themselves.
func (all Joins) Validate() error {
	var errs []error
	for k, j := range all {
		errs = append(errs, j.validateAt(all.field(k)))
	}
	return errors.Join(errs...)
}

// field returns the place of table k in an experiment file.
func (all Joins) field(k int) string {
	if len(all) == 1 {
		return "join"
	}
	return "join." + strconv.Itoa(k)
}

// by returns the first column that names rows, and its place in an experiment file; "" if none is given.
func (all Joins) by() (column, field string) {
	for k, j := range all {
		if j.By != "" {
			return j.By, all.field(k) + ".by"
		}
	}
	return "", ""
}

// roleOf returns the role of the file of table k: join, join2 and so on.
func roleOf(k int) string {
	if k == 0 {
		return "join"
	}
	return "join" + strconv.Itoa(k+1)
}

// Named returns the files of the tables, by role.
func (all Joins) Named() map[string]source.Ref {
	named := map[string]source.Ref{}
	for k, j := range all {
		j.File.At = all.field(k) + ".file"
		named[roleOf(k)] = j.File
	}
	return named
}

// Roles returns the roles of the files of the tables.
func (all Joins) Roles() (roles []string) {
	for k := range all {
		roles = append(roles, roleOf(k))
	}
	return roles
}

// completed returns the dialect, with what is not given as usual.
func (j Join) completed(usual rawtext.Dialect) rawtext.Dialect {
	d := j.Dialect
	d.Delimiter, d.Quote = cmp.Or(d.Delimiter, usual.Delimiter), cmp.Or(d.Quote, usual.Quote)
	d.Decimal, d.Encoding = cmp.Or(d.Decimal, usual.Decimal), cmp.Or(d.Encoding, usual.Encoding)
	return d
}

// dialect returns that of the table, by its name and content where it is not given.
func (j Join) dialect(file string, text []byte) rawtext.Dialect {
	usual := rawtext.Commas
	switch strings.ToLower(path.Ext(strings.TrimSuffix(file, ".gz"))) {
	case ".tsv", ".tab":
		usual = rawtext.Tabs
	}
	d := j.completed(usual)
	guess := rawtext.GuessDialect(text, d)
	d.Delimiter, d.Quote = cmp.Or(j.Delimiter, guess.Delimiter), cmp.Or(j.Quote, guess.Quote)
	return d
}

// scan reads the table. It leaves out a # before the name of the first column, which need have no name itself where it has ids.
func (j Join) scan(in source.Input, ids bool) tablefile.Scanner {
	return func(ctx context.Context, file string, content []byte, bind tablefile.Bind) (int, error) {
		plain := func(header []string) ([]tablefile.Sink, error) {
			header = slices.Clone(header)
			if header[0] = strings.TrimSpace(strings.TrimPrefix(header[0], "#")); ids && header[0] == "" {
				header[0] = "id"
			}
			return bind(header)
		}
		switch ending := strings.ToLower(path.Ext(strings.TrimSuffix(file, ".gz"))); {
		case bytes.HasPrefix(content, []byte("PAR1")):
			return tablefile.ParquetScanner(in)(ctx, file, content, plain)
		case ending == ".xlsx":
			return tablefile.Sheet{Header: j.Header, Digits: tablefile.Points}.Scanner(in, false, nil)(ctx, file, content, plain)
		case ending == ".jsonl":
			return tablefile.Records{Digits: tablefile.Points}.Scanner(in, nil)(ctx, file, content, plain)
		}
		text, err := rawtext.Decode(content, j.Encoding, file)
		if err != nil {
			return 0, err
		}
		rows, _, err := tablefile.Text{Dialect: j.dialect(file, text), Header: j.Header}.ScanText(ctx, file, text, plain)
		return rows, err
	}
}

// appendColumns appends the columns of another data set with the same rows.
func appendColumns(in source.Input, d, other *data.Dataset, file string) error {
	width, more := d.Features.Len(), other.Features.Len()
	names := make([]string, 0, width+more)
	for _, f := range []*data.Features{d.Features, other.Features} {
		for j := range f.Len() {
			names = append(names, f.Name(j))
		}
	}
	if name, twice := tablefile.FirstRepeated(names); twice {
		return fmt.Errorf("%s: column %q is in the data as well: rename one of the two, or leave that of the data out with columns: {drop: [%s]}", file, name, name)
	}
	var b sparse.Builder
	if err := source.RoomIn(in).Hold(&b); err != nil {
		return err
	}
	var idx []int32
	var val []float64
	for i := range d.Rows() {
		idx, val = idx[:0], val[:0]
		for k, x := range []*sparse.Matrix{d.X, other.X} {
			row := x.Row(i)
			for q, j := range row.Idx {
				idx, val = append(idx, j+int32(k*width)), append(val, row.At(q))
			}
		}
		if err := b.Add(idx, val); err != nil {
			return fmt.Errorf("%s: row %d: %w", file, i, err)
		}
	}
	x, err := b.Build(width + more)
	d.X, d.Features, d.Factor = x, data.NewFeatures(names), appendFactors(d.Factor, other.Factor, width, more)
	d.Texts = appendTexts(d.Texts, other.Texts, width, more)
	return err
}

// appendFactors appends the numbers of categorical columns to those of width columns; nil if there are none.
func appendFactors(factor, other []int32, width, more int) []int32 {
	if factor == nil && other == nil {
		return nil
	}
	all, first := make([]int32, 0, width+more), int32(0)
	for _, side := range []struct {
		factor  []int32
		columns int
	}{{factor, width}, {other, more}} {
		next := first
		for j := range side.columns {
			if side.factor == nil || side.factor[j] < 0 {
				all = append(all, -1)
				continue
			}
			all = append(all, first+side.factor[j])
			next = max(next, first+side.factor[j]+1)
		}
		first = next
	}
	return all
}

// appendTexts appends the columns of texts to those of width columns; nil if there are none.
func appendTexts(first, other *texts.Columns, width, more int) *texts.Columns {
	if first == nil && other == nil {
		return nil
	}
	all := &texts.Columns{}
	for _, side := range []struct {
		texts   *texts.Columns
		columns int
	}{{first, width}, {other, more}} {
		for j := range side.columns {
			if !side.texts.Is(j) {
				all.Of = append(all.Of, -1)
			} else {
				all.Of = append(all.Of, int32(len(all.Names))+side.texts.Of[j])
			}
		}
		if side.texts != nil {
			all.Names = append(all.Names, side.texts.Names...)
		}
	}
	return all
}
