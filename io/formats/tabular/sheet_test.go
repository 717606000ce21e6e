package tabular

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"tenfold/io/files"
	"tenfold/io/rawtext"
	"tenfold/io/source/sourcetest"
)

func sheetOf(with func(*Sheet)) Sheet {
	s := XLSXKind.Defaults().(Sheet)
	s.Target.Column = "y"
	if with != nil {
		with(&s)
	}
	return s
}

// book is a workbook that is made by calls.
func book(tb testing.TB, make func(f *excelize.File) error) string {
	tb.Helper()
	f := excelize.NewFile()
	defer f.Close()
	if err := make(f); err != nil {
		tb.Fatal(err)
	}
	return bytesOf(tb, f)
}

func TestSheet(t *testing.T) {
	when := time.Date(2024, 2, 29, 12, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		name string
		rows [][]any
		with func(*Sheet)
		want string
	}{
		{"numbers, truth values, gaps", [][]any{{"a", "b", "y"}, {1.5, true, 1}, {nil, false, 2}, {3, nil, 3}}, nil, "a:1.5 b:1 ;a:NaN ;a:3 b:NaN ;"},
		{"digits that are text are numbers", [][]any{{"a", "y"}, {"1", 1}, {" 2.5 ", 2}}, nil, "a:1 ;a:2.5 ;"},
		{"digits that are text keep their zeros as categories", [][]any{{"a", "y"}, {"01", 1}, {1, 2}}, func(s *Sheet) { s.Columns.Categorical = []string{"a"} }, "a=01:1 ;a=1:1 ;"},
		{"NA and n/a", [][]any{{"a", "y"}, {"NA", 1}, {" n/a", 2}, {3, 3}}, func(s *Sheet) { s.Columns.Missing = append(s.Columns.Missing, missingIn("", "n/a")) }, "a:NaN ;a:NaN ;a:3 ;"},
		{"dates are seconds", [][]any{{"a", "y"}, {when, 1}, {when.AddDate(0, 0, 1), 2}}, nil, "a:1.7092098e+09 ;a:1.7092962e+09 ;"},
		{"dates before March 1900", [][]any{{"a", "y"}, {time.Date(1900, 1, 2, 0, 0, 0, 0, time.UTC), 1}}, nil, "a:-2.2089024e+09 ;"},
		{"a title and an empty row, skipped", [][]any{{"Doses of 2024"}, {}, {"a", "y"}, {1, 1}, {}, {2, 2}}, func(s *Sheet) { s.Skip = 1 }, "a:1 ;a:2 ;"},
		{"a range leaves notes out", [][]any{{"t"}, {"a", "y", nil, "note"}, {1, 1, nil, "x"}, {2, 2}, {"total", 3}}, func(s *Sheet) { s.Range = "A2:B4" }, "a:1 ;a:2 ;"},
		{"empty columns are none", [][]any{{nil, "a", nil, "y"}, {nil, 1, nil, 1}, {nil, 2, nil, 2}}, nil, "a:1 ;a:2 ;"},
		{"without a header", [][]any{{1, 1}, {2, 2}}, func(s *Sheet) { s.Header, s.Names = false, []string{"a", "y"} }, "a:1 ;a:2 ;"},
		{"numbers stored as text, with thousands", [][]any{{"a", "y"}, {"1.234,5", 1}, {0.5, 2}}, func(s *Sheet) { s.Decimal, s.Thousands = ",", "." }, "a:1234.5 ;a:0.5 ;"},
		{"years as names", [][]any{{2019, "y"}, {1, 1}}, nil, "2019:1 ;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := sourcetest.Load(sheetOf(c.with), map[string]string{"all": workbookOf(t, c.rows...)})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(d); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Rows that are passed over or hidden, and merged cells, are told.
func TestSheetOddities(t *testing.T) {
	content := book(t, func(f *excelize.File) error {
		for k, row := range [][]any{{"a", "y"}, {1, 1}, nil, {nil, 2}, {3, 3}} {
			if err := f.SetSheetRow("Sheet1", "A"+strconv.Itoa(k+1), &row); err != nil {
				return err
			}
		}
		return errors.Join(f.MergeCell("Sheet1", "A2", "A4"), f.SetRowVisible("Sheet1", 5, false))
	})
	d := sourcetest.MustLoad(t, sheetOf(nil), map[string]string{"all": content})
	for fact, want := range map[string]string{"rows of the sheet \"Sheet1\" in all without a value": "1", "hidden rows": "1", "merged cells": "A2:A4"} {
		if got := sourcetest.Fact(d, fact); got != want {
			t.Errorf("%s: %q, expected %q", fact, got, want)
		}
	}
}

func TestSheetMistakes(t *testing.T) {
	table := [][]any{{"a", "y"}, {1, 1}, {nil, 2}}
	several := func(f *excelize.File) error {
		for _, name := range []string{"Sheet1", "Old", "Empty", "Lists"} {
			if _, err := f.NewSheet(name); err != nil {
				return err
			}
			if name == "Empty" {
				continue
			}
			for cell, v := range map[string]any{"A1": "a", "B1": "y", "A2": 1, "B2": 2} {
				if err := f.SetCellValue(name, cell, v); err != nil {
					return err
				}
			}
		}
		return f.SetSheetVisible("Lists", false)
	}
	with := func(cell string, set func(f *excelize.File, cell string) error) string {
		return book(t, func(f *excelize.File) error {
			for k, row := range table {
				if err := f.SetSheetRow("Sheet1", "A"+string(rune('1'+k)), &row); err != nil {
					return err
				}
			}
			return set(f, cell)
		})
	}
	failed := func(f *excelize.File, cell string) error {
		return f.SetCellFormula("Sheet1", cell, "1/0") // which excelize stores without a value
	}
	for _, c := range []struct {
		name, content string
		with          func(*Sheet)
		want          string
	}{
		{"a csv", "a,y\n1,2\n", nil, `all: not a workbook of Excel: it is a text that begins with "a,y"; say format: csv, or tsv`},
		{"damage", workbookOf(t, table...)[:900], nil, "all: not a readable workbook of Excel: zip: not a valid zip file"},
		{"several sheets", book(t, several), nil, `sheet: all has several, expected the name of one: "Sheet1" (2 rows), "Old" (2 rows)`},
		{"another sheet", book(t, several), func(s *Sheet) { s.Sheet.Sheet = "old" }, `sheet: all has no sheet "old"; did you mean "Old"? (sheets: Sheet1, Old, Empty, Lists)`},
		{"an empty sheet", book(t, several), func(s *Sheet) { s.Sheet.Sheet = "Empty" }, `all: sheet "Empty": no cell has a value, expected a first row with the names of the columns`},
		{"an empty range", workbookOf(t, table...), func(s *Sheet) { s.Range = "C1:D9" }, `all: sheet "Sheet1", range C1:D9: no cell has a value, expected a first row with the names of the columns`},
		{"no range", workbookOf(t, table...), func(s *Sheet) { s.Range = "B2:A1" }, `range: "B2:A1", expected two cells such as A3:F120`},
		{"skip and range", workbookOf(t, table...), func(s *Sheet) { s.Range, s.Skip = "A1:B3", 1 }, `skip: is there beside range, which says where the table begins`},
		{"a formula without its value", with("A3", failed), nil, `all: sheet "Sheet1": cell A3, column "a": found a formula whose value is not in the file: open the workbook and save it, so that it is`},
		{"a name that is a formula without its value", with("C1", failed), nil, `all: sheet "Sheet1": cell C1: found a formula whose value is not in the file, expected the name of a column`},
		{"a note beside the table", workbookOf(t, []any{"a", "y"}, []any{1, 1, nil, "a note"}, []any{2, 2}), nil,
			`all: sheet "Sheet1": cell D2: found "a note" in a column that has no name in row 1; where the table does not go so far, say range: A1:B3, else give the column a name there`},
		{"a text among numbers", workbookOf(t, []any{"a", "y"}, []any{"high", 1}), nil, `all: sheet "Sheet1": cell A2, column "a": found "high", expected a finite number; list the column`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := sourcetest.Load(sheetOf(c.with), map[string]string{"all": c.content}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestSheetErrors: errors of formulas are refused by name, unless they stand for missing values; #N/A does unasked.
func TestSheetErrors(t *testing.T) {
	content := rewritten(t, workbookOf(t, []any{"a", "y"}, []any{111, 1}, []any{222, 2}, []any{3, 3}), "<v>111</v>", "<v>#N/A</v>", "<v>222</v>", "<v>#DIV/0!</v>", `<c r="A2">`, `<c r="A2" t="e">`, `<c r="A3">`, `<c r="A3" t="e">`)
	categorical := func(s *Sheet) { s.Columns.Categorical = []string{"a"} }
	for _, with := range []func(*Sheet){nil, categorical} {
		_, err := sourcetest.Load(sheetOf(with), map[string]string{"all": content})
		if want := `all: sheet "Sheet1": cell A3, column "a": found the error #DIV/0! of a formula, expected a value; if it stands for a missing value, say columns: {missing: ["#DIV/0!"]}`; err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	d := sourcetest.MustLoad(t, sheetOf(func(s *Sheet) { s.Columns.Missing = rawtext.Missing{missingIn("", "#DIV/0!")} }), map[string]string{"all": content})
	if got := show(d); got != "a:NaN ;a:NaN ;a:3 ;" {
		t.Error(got)
	}
}

// rewritten is a zip archive with texts replaced in its members, in pairs.
func rewritten(tb testing.TB, content string, replace ...string) string {
	tb.Helper()
	from, err := zip.NewReader(strings.NewReader(content), int64(len(content)))
	if err != nil {
		tb.Fatal(err)
	}
	var b bytes.Buffer
	to := zip.NewWriter(&b)
	for _, member := range from.File {
		r, err := member.Open()
		if err != nil {
			tb.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			tb.Fatal(err)
		}
		w, err := to.Create(member.Name)
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := strings.NewReplacer(replace...).WriteString(w, string(text)); err != nil {
			tb.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

func FuzzSheet(f *testing.F) {
	f.Add(workbookOf(f, []any{"a", "y"}, []any{1, 2}, []any{nil, 3}), "")
	f.Add(workbookOf(f, []any{"t"}, []any{"a", "y"}, []any{time.Unix(0, 0), "b"}, []any{true, "NA"}), "A2:B9")
	f.Fuzz(func(t *testing.T, content, cells string) {
		sourcetest.Fuzz(t, sheetOf(func(s *Sheet) { s.Range = cells }), map[string]string{"all": content})
	})
}

// A text that repeats itself packs to next to nothing, and unpacks to much: that is counted before it is unpacked.
func TestSheetBomb(t *testing.T) {
	content := book(t, func(f *excelize.File) error {
		w, err := f.NewStreamWriter("Sheet1")
		if err != nil {
			return err
		}
		row := []any{strings.Repeat("a", excelize.TotalCellChars)}
		for k := range 600 {
			if err := w.SetRow("A"+strconv.Itoa(k+1), row); err != nil {
				return err
			}
		}
		return w.Flush()
	})
	path := filepath.Join(t.TempDir(), "a.xlsx")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := files.Open(map[string]files.Ref{"all": {Path: path}}, files.Folders{Memory: 1 << 20}, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sheetOf(nil).Load(t.Context(), in); err == nil || !strings.Contains(err.Error(), "which unpacks to ") {
		t.Errorf("%d bytes: %v", len(content), err)
	}
}
