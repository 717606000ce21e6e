package inspect

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/tablefile"
	"tenfold/io/workbook"
)

// Sheets returns the sheets that an error of Look asks to choose from, and the likely one: with more than twice the values of any other,
// else "". There are none if the error is another one.
func Sheets(err error) (names []string, likely string) {
	var several tablefile.SeveralSheets
	if !errors.As(err, &several) {
		return nil, ""
	}
	most, second := 0, 0
	for _, sheet := range several.Sheets {
		names = append(names, sheet.Name)
		if second = max(second, min(most, sheet.Values)); sheet.Values > most {
			most, likely = sheet.Values, sheet.Name
		}
	}
	if most <= 2*second {
		likely = ""
	}
	return names, likely
}

// begun is how many rows of a sheet are looked at to find the first of the table.
const begun = 300

// lookAtSheet reads a sheet of a workbook.
func (f *Found) lookAtSheet(ctx context.Context, in source.Input) error {
	view, err := tablefile.OpenSheet(in, "all", f.Asked.Sheet)
	if err != nil {
		return err
	}
	f.Sheet, f.Range, f.Dialect = f.Asked.Sheet, f.Asked.Range, rawtext.Commas
	begin := view.Begin(begun)
	if f.Range == "" {
		f.Skip = rawtext.GuessSkip(begin, f.Dialect)
		if f.Skip > 0 {
			f.because("the table begins below row %d of the sheet %q: what is above has few cells", f.Skip, view.Name)
		}
		if err := f.tellHeader(begin); err != nil {
			return err
		}
		if f.Range = view.Above(f.Skip); f.Range != "" {
			f.because("the table is in the cells %s: the rows below have one text alone; --range names other cells", f.Range)
			f.Skip = 0
		}
	} else {
		if _, _, ok := workbook.ParseArea(f.Range); !ok {
			return fmt.Errorf("--range %s: expected two cells such as A3:F120", f.Range)
		}
		f.Headless = f.Asked.Header == "no"
	}
	const bytesEach = 8 // of a value, as in a text
	blank := 0
	err = f.lookTwice(func() (err error) {
		table := tablefile.Sheet{Skip: f.Skip, Range: f.Range, Header: !f.Headless, Digits: f.digits()}
		f.Rows, blank, err = view.Look(ctx, table, func(header []string) ([]func(tablefile.Value) error, error) {
			if err := f.nameColumns(header); err != nil {
				return nil, err
			}
			return f.takers(bytesEach*view.Values, false), nil
		})
		return err
	})
	if err != nil {
		return err
	}
	if f.Rows == 0 {
		return fmt.Errorf("%s: it has a header row and no other", f.Path)
	}
	if blank > 0 {
		f.because("rows without a value, which are passed over: %d", blank)
	}
	if view.Hidden > 0 {
		f.because("rows that are hidden, and are read as the others: %d", view.Hidden)
	}
	if view.Merged != "" {
		f.because("the cells %s are merged: only the first of them has the value, the others are missing", view.Merged)
	}
	f.settleTyped()
	return nil
}

// digits returns how numbers are written that are stored as text.
func (f *Found) digits() tablefile.Digits {
	return tablefile.Digits{Decimal: f.Decimal, Thousands: f.Thousands, Units: f.Units}
}

// lookTwice looks at all cells, and again where numbers that are stored as text turn out to be written otherwise.
func (f *Found) lookTwice(look func() error) error {
	f.Delimiter = "" // nothing is between cells
	if err := look(); err != nil {
		return err
	}
	again, err := f.tellNumbers()
	if err != nil || !again {
		return err
	}
	f.Columns = nil
	return look()
}

// lookAtRecords reads a file of JSON records.
func (f *Found) lookAtRecords(ctx context.Context, in source.Input) error {
	content, _, err := in.Bytes("all")
	if err != nil {
		return err
	}
	var have map[string]int
	var refused map[string]string
	f.Dialect = rawtext.Commas
	err = f.lookTwice(func() (err error) {
		f.Rows, have, refused, err = tablefile.Records{Digits: f.digits()}.Look(ctx, in, "all", func(header []string) ([]func(tablefile.Value) error, error) {
			if err := f.nameColumns(header); err != nil {
				return nil, err
			}
			return f.takers(len(content), false), nil
		})
		return err
	})
	if err != nil {
		return err
	}
	for k := range f.Columns {
		f.Columns[k].Refused = refused[f.Columns[k].Name]
	}
	if f.Rows == 1 {
		for _, c := range f.Columns {
			if strings.Contains(c.Refused, "jq ") {
				return fmt.Errorf("%s: one record, whose value of %q %s", f.Path, c.Name, c.Refused)
			}
		}
	}
	if f.Rows == 1 && len(refused) == len(f.Columns) {
		return fmt.Errorf("%s: one record, all of whose values are nested, expected one a row; pandas writes these with to_json(..., orient=\"records\", lines=True)", f.Path)
	}
	if lacking := tablefile.Lacking(have, f.Rows); len(lacking) > 0 {
		f.because("keys that some records lack, where they are missing: %s", source.Abridge(lacking))
	}
	f.settleTyped()
	return nil
}

// settleTyped ends a look at a format that tells numbers and texts apart.
func (f *Found) settleTyped() {
	f.tellMarkers()
	var digits []string
	for _, c := range f.Columns {
		if c.Digits > 0 && c.IsNumber() {
			digits = append(digits, fmt.Sprintf("%s (%d of %d)", c.Name, c.Digits, c.Known()))
		}
	}
	if len(digits) > 0 {
		f.because("numbers that are stored as text are read as numbers: %s", source.Abridge(digits))
	}
	f.settle()
}
