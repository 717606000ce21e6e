// Package tabular makes data sets of tables: CSV, TSV, Parquet, sheets of Excel and JSON records, whose cells package tablefile reads. Options
// claim columns for roles (roles.go); a sink for each collects its cells, as features, targets, ids and the like (sinks.go, words.go); a frame
// puts the columns together (frame.go), joins tables of samples to them (join.go, joined.go), and passes over what a model does not know
// (model.go). Described joins such tables to the matrices of other formats.
package tabular

import (
	"context"
	"errors"
	"maps"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/data/account"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/io/formats/text"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/tablefile"
)

// Options are common to all tables. A column that they do not mention is a feature of numbers. Empty cells, NA, NaN and
// what columns.missing names are missing: features keep them as NaN for the preparation to fill in, all other columns refuse them.
type Options struct {
	Columns  Columns  `yaml:"columns"`
	Target   Target   `yaml:"target" doc:"the column of the response; by default real where all its cells are numbers, else class"`
	Prepare  Prepare  `yaml:"prepare"`
	Features Features `yaml:"features"`
	Join     Joins    `yaml:"join" doc:"tables of samples whose columns join those of the data, by the ids of the rows: {file, by, features, unmatched}, and how such a file is divided; one, or a list"`

	usual    []string // texts that mean a missing value unasked: a Parquet file has nulls for that
	encoding string   // of a text file, "" for UTF-8
}

// Columns says what columns are for. In lists, * matches any text, and takes what no name claims.
type Columns struct {
	ID          string   `yaml:"id" doc:"column that identifies a row; no two rows share a value"`
	Drop        []string `yaml:"drop" doc:"columns to leave out; * matches any text"`
	Group       string   `yaml:"group" doc:"column of groups, such as patients: folds with by: and its name keep the rows of one on one side"`
	Time        string   `yaml:"time" doc:"column of numbers, or of dates (2006-01-02, 31.12.2006, RFC 3339), for time-ordered folds"`
	Weight      string   `yaml:"weight" doc:"column of row weights, 0 or more"`
	Annotations []string `yaml:"annotations" doc:"of a table with samples: columns: the columns that are no samples, such as a description of each gene; * matches any text"`
	Categorical []string `yaml:"categorical" doc:"columns that become one column a level, named column=level; * matches any text"`
	Text        []string `yaml:"text" doc:"columns of texts, which become columns of words, or of what features says, named column:word; * matches any text"`
	// Codes are numbers for texts, such as {B: 0, R: 1}.
	Codes    map[string]float64 `yaml:"codes" doc:"numbers that texts stand for in columns of numbers, such as {no: 0, yes: 1}"`
	Missing  rawtext.Missing    `yaml:"missing" doc:"texts that stand for a missing value, such as [N/A, \"?\", \"-999\"], besides empty cells, NA, NaN and nan; or by column, such as {dose: [\"-\"], region: []}: then these alone, and empty cells"`
	Repeated string             `yaml:"repeated" doc:"a name that several columns have: error, number (the second one becomes name#2)"`
}

var defaults = Options{Features: defaultFeatures}

// Validate checks the options by themselves.
func (o Options) Validate() error {
	errs := []error{o.Target.Validate(), o.Prepare.Validate(), o.Prepare.Check(source.Topics{}), o.Features.Validate(), o.checkTexts(), o.Join.Validate(), o.Columns.Missing.Validate(),
		param.OneOf("columns.repeated", o.Columns.Repeated, "", "error", "number")}
	for _, text := range slices.Sorted(maps.Keys(o.Columns.Codes)) {
		number, is := rawtext.ParseNumber(text)
		switch {
		case slices.Contains(o.Columns.Missing.In("", rawtext.Usual), text):
			errs = append(errs, param.Errorf("columns.codes", "%q stands for a missing value, expected a text that does not", text))
		case is && number != o.Columns.Codes[text]:
			errs = append(errs, param.Errorf("columns.codes", "%q is a number as it is, which no code changes; expected a text", text))
		}
	}
	if o.Target.Name != "" && (o.Target.Column != "" || len(o.Target.Columns) > 0) {
		errs = append(errs, param.Errorf("target", "give a name, column or columns, not several"))
	}
	return errors.Join(errs...)
}

// Declares returns what is known before loading.
func (o Options) Declares() source.Declares {
	d := o.Features.Classes.Declare(source.Declares{Roles: source.PartRoles(), Optional: o.Join.Roles()})
	for _, name := range o.Target.Names() {
		d.Targets = append(d.Targets, source.Declared{Name: name, Type: o.Target.Becomes()})
	}
	switch {
	case o.Columns.Group != "":
		d.Groups = []string{o.Columns.Group}
	case len(o.Columns.Text) > 0:
		d.Groups = []string{equalGroups}
	}
	if len(o.Columns.Text) > 0 {
		d.Optional = append(d.Optional, text.Stop)
	}
	return o.Prepare.Declare(d)
}

// Recipe returns the preparation of each fold.
func (o Options) Recipe() prepare.Recipe {
	r := o.Features.Options.Into(o.Prepare.Into(o.Prepare.Recipe(0)))
	o.Features.Columns.Into(&r)
	o.Target.Into(&r)
	if len(o.Columns.Categorical) > 0 {
		r.Levels = prepare.LevelsRevision
	}
	return r
}

// Named returns the files that the options name.
func (o Options) Named() map[string]source.Ref {
	named := o.Features.Classes.Named()
	maps.Copy(named, o.Join.Named())
	return named
}

// layout reads the files of the rows.
type layout struct {
	scan   tablefile.Scanner
	ids    bool           // the first column has the ids of the rows, whatever its name
	beside *account.Tally // rows of the files that are none of data; nil for none
}

// loadRows reads the rows, and what is joined to them; those to apply a model to where there is one.
func (o Options) loadRows(ctx context.Context, in source.Input, main layout, a *source.Application) (*data.Dataset, error) {
	m := knownColumns(a)
	tables, err := o.openTables(ctx, in, main.ids || o.Columns.ID != "", m)
	if err != nil {
		return nil, err
	}
	f := frame{in: in, firstIsID: main.ids, responsesElsewhere: a != nil && !a.Responses, tables: tables, model: m, sharedIDs: a != nil}
	d, err := f.readFiles(ctx, in, o, main.scan, source.Parts(in)...)
	if err != nil {
		return nil, err
	}
	if main.beside != nil {
		d.Account.Rows.Add(*main.beside)
	}
	if d, err = o.joinTables(ctx, in, d, tables, m, &f); err != nil {
		return nil, err
	}
	if a != nil {
		if err := f.checkKnown(d); err != nil {
			return nil, o.Join.hint(in, err)
		}
		return a.CompleteRows(a.Copies(d), o.Prepare.Gaps)
	}
	if d, err = o.Target.Finish(d, o.Prepare.Gaps); err != nil {
		return nil, err
	}
	return o.Features.Classes.Apply(in, d, nil)
}
