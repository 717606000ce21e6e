package tablefile

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/workbook"
)

// Sheet is a table in a sheet of an Excel workbook. Dates are numbers of seconds since 1970, as in Parquet.
type Sheet struct {
	Sheet  string   `yaml:"sheet" doc:"name of the sheet; by default the only one that is not hidden and has a value"`
	Range  string   `yaml:"range" doc:"the cells of the table, such as A3:F120; by default all from the first row after skip on"`
	Skip   int      `yaml:"skip" doc:"number of rows at the beginning of the sheet that are left out"`
	Header bool     `yaml:"header" doc:"the first row names the columns; without it they are named by names, or 1, 2, ..."`
	Names  []string `yaml:"names" doc:"names of the columns of a sheet without a header"`
	Digits `yaml:",inline"`

	looks      bool // it is no data set, and takes any cells
	rowsToCome bool // of data to apply a model to: there may be more, and in a sheet of another name
}

// Digits says how numbers are written that are stored as text.
type Digits struct {
	Decimal   string `yaml:"decimal" doc:"the sign before the decimals of numbers that are stored as text: . or ,"`
	Thousands string `yaml:"thousands" doc:"the sign between groups of three digits of numbers that are stored as text: , . ' _ or a blank; without it there are no groups"`
	Units     string `yaml:"units" doc:"signs before or after numbers that are stored as text that are left out, such as %$"`
}

// Points is how numbers are written by default.
var Points = Digits{Decimal: "."}

// Dialect returns that of texts with such numbers.
func (d Digits) Dialect() rawtext.Dialect {
	dialect := rawtext.Commas
	dialect.Decimal, dialect.Thousands, dialect.Units = d.Decimal, d.Thousands, d.Units
	return dialect
}

// Validate checks the options by themselves.
func (s Sheet) Validate() error {
	_, _, ok := workbook.ParseArea(s.Range)
	return errors.Join(param.Require("range", s.Range == "" || ok, "%q, expected two cells such as A3:F120", s.Range),
		param.Require("skip", s.Skip >= 0, "%d, expected a number of rows", s.Skip),
		param.Require("skip", s.Skip == 0 || s.Range == "", "is there beside range, which says where the table begins"),
		checkNames(s.Header, s.Names), s.Dialect().Validate())
}

// UsualInSheets are the texts that mean a missing value unasked: also the error of NA(), which is there for that.
var UsualInSheets = append(slices.Clone(rawtext.Usual), "#N/A")

// Scanner returns what reads such files of an input. It notes in facts, unless that is nil, what people may not expect. rowsToCome says that
// rows are those to apply a model to: the sheet may have more than the options say, and another name.
func (s Sheet) Scanner(in source.Input, rowsToCome bool, facts *[]data.Fact) Scanner {
	s.rowsToCome = rowsToCome
	return func(ctx context.Context, file string, content []byte, bind Bind) (int, error) {
		t, err := s.open(in, file, content)
		if err != nil {
			return 0, err
		}
		rows, err := t.scan(ctx, bind)
		if err == nil && facts != nil {
			*facts = append(*facts, t.oddities(path.Base(file))...)
		}
		return rows, err
	}
}

// oddities tells of what is in a sheet that a person may not expect.
func (t *sheetTable) oddities(file string) (facts []data.Fact) {
	where := fmt.Sprintf(" of the sheet %q in %s", t.name, file)
	if n := t.blank(); n > 0 {
		facts = append(facts, data.Fact{Name: "rows" + where + " without a value, passed over", Value: strconv.Itoa(n)})
	}
	if t.Hidden > 0 {
		facts = append(facts, data.Fact{Name: "hidden rows" + where + ", read as the others", Value: strconv.Itoa(t.Hidden)})
	}
	if t.Merged != "" {
		facts = append(facts, data.Fact{Name: "merged cells" + where + ", of which the first has the value", Value: t.Merged})
	}
	return facts
}

// blank counts the rows among those of data without a value.
func (t *sheetTable) blank() int {
	if n := len(t.rows); n > 0 {
		return t.rows[n-1].Number - t.rows[0].Number + 1 - n
	}
	return 0
}

// sheetCell is a cell of a sheet; one without a value has the kind NoValue and no text.
type sheetCell struct {
	value   workbook.Cell
	as      string
	dialect *rawtext.Dialect // of texts
}

func (c *sheetCell) Missing() bool { return strings.TrimSpace(c.as) == "" }
func (c *sheetCell) Text() string  { return c.as }
func (c *sheetCell) Number() (float64, bool) {
	switch c.value.Kind {
	case workbook.Number, workbook.Date, workbook.Truth:
		return c.value.Number, true
	case workbook.Text:
		return c.dialect.Number(c.as)
	}
	return 0, false
}

// sheetTable is a table in a sheet.
type sheetTable struct {
	Sheet
	*workbook.Grid
	name    string         // of the sheet
	file    string         // and sheet, for messages
	rows    []workbook.Row // of data
	columns []int          // of the sheet, that have a value
	header  []string       // their names
}

// open reads the sheet and finds its table.
func (s Sheet) open(in source.Input, file string, content []byte) (*sheetTable, error) {
	sheet, grid, err := s.read(in, file, content)
	if err != nil {
		return nil, err
	}
	return s.tableIn(in, file, sheet, grid)
}

// read reads the sheet, and returns its name.
func (s Sheet) read(in source.Input, file string, content []byte) (name string, grid *workbook.Grid, err error) {
	book, err := workbook.Open(content)
	if err != nil {
		return "", nil, notWorkbook(file, content, err)
	}
	sheet, err := s.choose(in, file, book)
	if err != nil {
		return "", nil, err
	}
	grid, err = readGrid(in, file, book, sheet)
	return sheet.Name, grid, err
}

// notWorkbook says what the content is in place of a workbook.
func notWorkbook(file string, content []byte, err error) error {
	begin := content[:min(len(content), 1<<10)]
	if text, decode := rawtext.Decode(begin, "", file); decode == nil && len(text) > 0 && !slices.Contains(text, 0) {
		line, _, _ := strings.Cut(string(text), "\n")
		return fmt.Errorf("%s: not a workbook of Excel: it is a text that begins with %.40q; say format: csv, or tsv", file, line)
	}
	return fmt.Errorf("%s: not a readable workbook of Excel: %w", file, err)
}

// readGrid reads a sheet, unless it unpacks to more memory than a file of its size may ask for.
func readGrid(in source.Input, file string, book *workbook.Book, sheet workbook.Sheet) (*workbook.Grid, error) {
	all, texts := book.Size(sheet)
	const each = 2 // bytes of memory a byte of a sheet: a cell takes about as much as it does there, and room to grow
	if err := source.Allow(in, each*(all+texts), file, "the sheet %q, which unpacks to %s,", sheet.Name, source.Size(all)); err != nil {
		return nil, err
	}
	grid, err := book.Read(sheet)
	if err != nil {
		return nil, fmt.Errorf("%s: sheet %q: %w", file, sheet.Name, err)
	}
	return grid, nil
}

// choose returns the sheet that is asked for, or the only one that is not hidden and has a value.
func (s Sheet) choose(in source.Input, file string, book *workbook.Book) (workbook.Sheet, error) {
	names := make([]string, len(book.Sheets))
	for k, sheet := range book.Sheets {
		names[k] = sheet.Name
	}
	if s.Sheet != "" {
		if k := slices.Index(names, s.Sheet); k >= 0 {
			return book.Sheets[k], nil
		}
		if filled, err := filledSheets(in, file, book); err == nil && len(filled) == 1 && s.rowsToCome {
			return filled[0].Sheet, nil
		}
		return workbook.Sheet{}, param.Errorf("sheet", "%s has no sheet %q%s (sheets: %s)", file, s.Sheet, suggest.DidYouMean(s.Sheet, names), source.Abridge(names))
	}
	filled, err := filledSheets(in, file, book)
	switch {
	case err != nil:
		return workbook.Sheet{}, err
	case len(filled) == 1:
		return filled[0].Sheet, nil
	case len(filled) == 0:
		return workbook.Sheet{}, fmt.Errorf("%s: no sheet that is not hidden has a value (sheets: %s)", file, source.Abridge(names))
	}
	return workbook.Sheet{}, SeveralSheets{filled, param.Errorf("sheet", "%s has several, expected the name of one: %s", file, describeSheets(filled))}
}

// SeveralSheets is the error that a workbook has several sheets that may be meant.
type SeveralSheets struct {
	Sheets []SheetSize
	error
}

// Unwrap returns what the error says.
func (e SeveralSheets) Unwrap() error { return e.error }

// SheetSize is a sheet and what it has.
type SheetSize struct {
	workbook.Sheet
	Rows, Values int // rows with a value, and values
}

func (s SheetSize) String() string { return fmt.Sprintf("%q (%d rows)", s.Name, s.Rows) }

func describeSheets(sheets []SheetSize) string {
	texts := make([]string, len(sheets))
	for k, s := range sheets {
		texts[k] = s.String()
	}
	return strings.Join(texts, ", ")
}

// filledSheets returns the sheets that are not hidden and have a value. A single sheet is not looked into.
func filledSheets(in source.Input, file string, book *workbook.Book) (filled []SheetSize, err error) {
	var visible []workbook.Sheet
	for _, sheet := range book.Sheets {
		if !sheet.Hidden {
			visible = append(visible, sheet)
		}
	}
	for _, sheet := range visible {
		size := SheetSize{Sheet: sheet}
		if len(visible) > 1 {
			grid, err := readGrid(in, file, book, sheet)
			if err != nil {
				return nil, err
			}
			size.Rows = len(grid.Rows)
			for _, row := range grid.Rows {
				size.Values += len(row.Cells)
			}
			if size.Rows == 0 {
				continue
			}
		}
		filled = append(filled, size)
	}
	return filled, nil
}

// tableIn finds the rows, the columns and the names of the table.
func (s Sheet) tableIn(in source.Input, file, sheet string, grid *workbook.Grid) (*sheetTable, error) {
	file = fmt.Sprintf("%s: sheet %q", file, sheet)
	t := &sheetTable{Sheet: s, Grid: grid, name: sheet, file: file, rows: grid.Rows}
	if t.cut(); len(t.rows) == 0 {
		if t.Range != "" {
			file += ", range " + t.Range
		}
		return nil, fmt.Errorf("%s: no cell has a value, expected a first row with the names of the columns", file)
	}
	t.columns = t.used()
	const each = 8 // bytes a cell
	n := int64(len(t.rows)) * int64(len(t.columns))
	if err := source.Allow(in, each*n, file, "%d cells", n); err != nil {
		return nil, err
	}
	return t, t.nameColumns()
}

// cut leaves out the rows and cells outside of the table.
func (t *sheetTable) cut() {
	first, last, area := workbook.ParseArea(t.Range)
	if !area {
		first, last = workbook.Place{Row: t.Skip + 1}, workbook.Place{Column: math.MaxInt, Row: math.MaxInt}
	}
	if t.rowsToCome {
		last.Row = math.MaxInt
	}
	var rows []workbook.Row
	for _, row := range t.rows {
		if row.Number < first.Row || row.Number > last.Row {
			continue
		}
		if area {
			row.Cells = slices.DeleteFunc(slices.Clone(row.Cells), func(c workbook.Cell) bool { return int(c.Column) < first.Column || int(c.Column) > last.Column })
		}
		if len(row.Cells) > 0 {
			rows = append(rows, row)
		}
	}
	t.rows = rows
}

// used returns the columns of the sheet in which a row has a value.
func (t *sheetTable) used() (columns []int) {
	known := map[int32]bool{}
	for _, row := range t.rows {
		for _, c := range row.Cells {
			if !known[c.Column] {
				known[c.Column] = true
				columns = append(columns, int(c.Column))
			}
		}
	}
	slices.Sort(columns)
	return columns
}

// area names the cells of the rows, such as A3:F120.
func (t *sheetTable) area() string {
	columns := t.used()
	return workbook.NameOf(columns[0], t.rows[0].Number) + ":" + workbook.NameOf(columns[len(columns)-1], t.rows[len(t.rows)-1].Number)
}

// nameColumns takes the names of the columns from the first row.
func (t *sheetTable) nameColumns() (err error) {
	first := make([]string, len(t.columns))
	if t.Header {
		for _, c := range t.rows[0].Cells {
			if c.Kind == workbook.NoValue || c.Kind == workbook.Error {
				return fmt.Errorf("%s: cell %s: found %s, expected the name of a column", t.file, workbook.NameOf(int(c.Column), t.rows[0].Number), t.Text(c))
			}
			first[slices.Index(t.columns, int(c.Column))] = t.Text(c)
		}
		for k, name := range first {
			if k > 0 && strings.TrimSpace(name) == "" {
				return t.nameless(k)
			}
		}
	}
	if t.header, err = namesOf(t.Header, t.Names, t.file, first); t.Header {
		t.rows = t.rows[1:]
	}
	return err
}

// nameless says what to do about a column after the first that has values and no name.
func (t *sheetTable) nameless(k int) error {
	column := t.columns[k]
	for _, row := range t.rows[1:] {
		for _, c := range row.Cells {
			if int(c.Column) == column {
				return fmt.Errorf("%s: cell %s: found %.40q in a column that has no name in row %d; where the table does not go so far, say range: %s:%s, else give the column a name there, or say header: false and names", t.file,
					workbook.NameOf(column, row.Number), t.Text(c), t.rows[0].Number, workbook.NameOf(t.columns[0], t.rows[0].Number), workbook.NameOf(t.columns[k-1], t.rows[len(t.rows)-1].Number))
			}
		}
	}
	return nil
}

// scan hands the cells of each row to the sinks. A cell without a value is missing, and one with an error is refused unless
// columns.missing has it.
func (t *sheetTable) scan(ctx context.Context, bind Bind) (rows int, err error) {
	sinks, err := bind(t.header)
	if err != nil {
		return 0, err
	}
	var c sheetCell // one for all cells: it escapes
	dialect := t.Dialect()
	for n, row := range t.rows {
		if n%(1<<12) == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		cells := row.Cells
		for k, s := range sinks {
			c = sheetCell{value: workbook.Cell{Kind: workbook.NoValue}}
			if len(cells) > 0 && int(cells[0].Column) == t.columns[k] {
				c = sheetCell{cells[0], t.Text(cells[0]), &dialect}
				cells = cells[1:]
			}
			if s == nil {
				continue
			}
			if err = c.check(s); err == nil || t.looks {
				err = s.AddCell(&c)
			}
			if err != nil {
				return 0, fmt.Errorf("%s: cell %s, column %q: %w", t.file, workbook.NameOf(t.columns[k], row.Number), t.header[k], err)
			}
		}
	}
	return len(t.rows), nil
}

// check refuses a cell without a value that a sink of a data set would take for a text.
func (c *sheetCell) check(s Sink) error {
	if c.Missing() {
		return nil
	}
	d, ok := s.(*declared)
	switch {
	case c.value.Kind == workbook.NoValue:
		return fmt.Errorf("found %s: open the workbook and save it, so that it is", c.as)
	case c.value.Kind == workbook.Error && !(ok && slices.Contains(d.texts, c.as)):
		return fmt.Errorf("found the error %s of a formula, expected a value; if it stands for a missing value, say columns: {missing: [%q]}", c.as, c.as)
	}
	return nil
}
