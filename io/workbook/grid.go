package workbook

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Kind is what a cell holds.
type Kind uint8

// Kinds of cells with values.
const (
	Number  Kind = iota
	Date         // Number is in seconds since 1970
	Truth        // Number is 0 or 1
	Text         // also digits that are stored as text
	Error        // of a formula, such as #DIV/0!
	NoValue      // a formula whose value is not stored
)

// Cell is one that has a value.
type Cell struct {
	Column int32 // from 0
	Kind   Kind
	Number float64
	text   int32
}

// Row is the cells of a row, by rising column.
type Row struct {
	Number int // from 1
	Cells  []Cell
}

// Grid is the cells of a sheet.
type Grid struct {
	Rows   []Row  // those with values, by rising number
	Hidden int    // of them
	Merged string // the first area of cells that are merged over rows, and have a value; "" for none

	texts []string
}

// Text returns a value as people write it.
func (g *Grid) Text(c Cell) string {
	switch c.Kind {
	case Number:
		return NumberText(c.Number)
	case Date:
		return DateText(c.Number)
	case Truth:
		return strconv.FormatBool(c.Number != 0)
	}
	return g.texts[c.text]
}

// Limits of a sheet.
const (
	maxRows    = 1 << 20
	maxColumns = 1 << 14
)

// cellError is a cell that is not as it has to be.
type cellError struct{ error }

func (r *reader) fail(format string, args ...any) error {
	return cellError{fmt.Errorf("cell %s: "+format, append([]any{NameOf(r.column, r.row)}, args...)...)}
}

// reader reads a sheet.
type reader struct {
	*Book
	*Grid
	row, column int // of the last cell: from 1, and from 0
	cells       []Cell
	hidden      bool
}

// Read reads the cells of a sheet. It takes 24 bytes a cell with a value, and the texts.
func (b *Book) Read(s Sheet) (*Grid, error) {
	if !b.read {
		if err := errors.Join(b.readFormats(), b.readTexts()); err != nil {
			return nil, err
		}
		b.read = true
	}
	r := reader{Book: b, Grid: &Grid{texts: b.texts[:len(b.texts):len(b.texts)]}}
	return r.Grid, b.each(s.part, math.MaxUint64, r.readSheet)
}

func (r *reader) readSheet(d *xml.Decoder) error {
	for {
		token, err := d.Token()
		if err == io.EOF {
			return r.endRow()
		}
		if err != nil {
			return err
		}
		start, is := token.(xml.StartElement)
		if !is {
			continue
		}
		switch start.Name.Local {
		case "row":
			err = errors.Join(r.endRow(), r.beginRow(start))
		case "c":
			err = r.readCell(d, start)
		case "mergeCell":
			r.merge(attribute(start, "ref"))
		}
		if err != nil {
			return err
		}
	}
}

func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (r *reader) beginRow(start xml.StartElement) error {
	number := r.row + 1
	if text := attribute(start, "r"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < number || n > maxRows {
			return cellError{fmt.Errorf("after row %d comes one with the number %.20q, expected %d to %d", r.row, text, number, maxRows)}
		}
		number = n
	}
	r.row, r.column, r.hidden = number, -1, isTrue(attribute(start, "hidden"))
	return nil
}

func (r *reader) endRow() error {
	if len(r.cells) == 0 {
		return nil
	}
	r.Rows = append(r.Rows, Row{r.row, r.cells})
	if r.cells = make([]Cell, 0, len(r.cells)); r.hidden { // most rows are as long as the one before
		r.Grid.Hidden++
	}
	return nil
}

func (r *reader) readCell(d *xml.Decoder, start xml.StartElement) error {
	if r.row == 0 {
		return errors.New("a cell outside of rows")
	}
	column := r.column + 1
	if name := attribute(start, "r"); name != "" {
		number, row, ok := parseName(name)
		if !ok || row != r.row || number < column {
			return cellError{fmt.Errorf("after cell %s comes one with the name %.20q in row %d", NameOf(r.column, r.row), name, r.row)}
		}
		column = number
	}
	if column >= maxColumns {
		return cellError{fmt.Errorf("row %d has more than %d columns", r.row, maxColumns)}
	}
	r.column = column
	value, text, formula, stored := "", "", false, false
	for depth := 1; depth > 0; {
		token, err := d.Token()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
			switch t.Name.Local {
			case "f":
				formula = true
			case "v":
				if value, err = charData(d); err != nil {
					return err
				}
				stored = true
				depth--
			case "is":
				if text, err = richText(d, t); err != nil {
					return err
				}
				depth--
			}
		case xml.EndElement:
			depth--
		}
	}
	kind := attribute(start, "t")
	if formula && (!stored || kind != "str" && strings.TrimSpace(value) == "") { // an empty text is a value
		return r.addText(Cell{Column: int32(column)}, NoValue, "a formula whose value is not in the file")
	}
	return r.addCell(kind, attribute(start, "s"), value, text)
}

// charData reads the text of an element without others in it, to its end.
func charData(d *xml.Decoder) (text string, err error) {
	for {
		token, err := d.Token()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.CharData:
			text += string(t)
		case xml.EndElement:
			return text, nil
		}
	}
}

// addCell adds a cell of a type and a style, unless it is empty.
func (r *reader) addCell(kind, style, value, inline string) error {
	c := Cell{Column: int32(r.column)}
	switch kind {
	case "inlineStr":
		return r.addText(c, Text, inline)
	case "str":
		return r.addText(c, Text, unescaped(value))
	}
	value = strings.TrimSpace(value)
	if value == "" {
		return nil
	}
	switch kind {
	case "s":
		k, err := strconv.ParseInt(value, 10, 32)
		if err != nil || k < 0 || k >= int64(len(r.Book.texts)) {
			return r.fail("found the shared text %.20q, and there are %d", value, len(r.Book.texts))
		}
		if r.Book.texts[k] == "" {
			return nil
		}
		c.Kind, c.text = Text, int32(k)
	case "b":
		if c.Kind = Truth; isTrue(value) {
			c.Number = 1
		} else if value != "0" && value != "false" {
			return r.fail("found %.20q, expected a truth value, 0 or 1", value)
		}
	case "e":
		return r.addText(c, Error, value)
	case "d":
		seconds, ok := isoDate(value)
		if !ok {
			return r.fail("found %.40q, expected a date", value)
		}
		c.Kind, c.Number = Date, seconds
	case "n", "":
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || x-x != 0 {
			return r.fail("found %.40q, expected a number", value)
		}
		c.Number = x
		if k, err := strconv.Atoi(style); err == nil && k >= 0 && k < len(r.formats) && r.formats[k] == day {
			if seconds, ok := r.seconds(x); ok {
				c.Kind, c.Number = Date, seconds
			}
		}
	default:
		return r.fail("has the type %.20q, expected n, s, str, inlineStr, b, e or d", kind)
	}
	r.cells = append(r.cells, c)
	return nil
}

func (r *reader) addText(c Cell, kind Kind, text string) error {
	if text == "" {
		return nil
	}
	c.Kind, c.text = kind, int32(len(r.Grid.texts))
	r.Grid.texts = append(r.Grid.texts, text)
	r.cells = append(r.cells, c)
	return nil
}

// merge notes an area of cells that goes over several rows.
func (r *reader) merge(area string) {
	if first, last, ok := ParseArea(area); ok && first.Row < last.Row && r.Merged == "" {
		r.Merged = area
	}
}

// Place is where a cell is.
type Place struct{ Column, Row int } // from 0, and from 1

// ParseArea returns the corners of an area such as A3:F120.
func ParseArea(text string) (first, last Place, ok bool) {
	from, to, _ := strings.Cut(text, ":")
	var isFrom, isTo bool
	first.Column, first.Row, isFrom = parseName(from)
	last.Column, last.Row, isTo = parseName(to)
	return first, last, isFrom && isTo && first.Column <= last.Column && first.Row <= last.Row
}

// parseName returns the column, from 0, and the row, from 1, of a cell such as AB12.
func parseName(name string) (column, row int, ok bool) {
	k := 0
	for ; k < len(name) && k < 4 && 'A' <= name[k]&^0x20 && name[k]&^0x20 <= 'Z'; k++ {
		column = 26*column + int(name[k]&^0x20-'A') + 1
	}
	row, err := strconv.Atoi(name[k:])
	return column - 1, row, err == nil && k > 0 && column <= maxColumns && row > 0 && row <= maxRows && name[k] != '+'
}

// NameOf returns the name of a cell, such as AB12, given its column, from 0, and its row.
func NameOf(column, row int) string { return ColumnName(column) + strconv.Itoa(row) }

// ColumnName returns the letters of a column, given from 0.
func ColumnName(column int) string {
	name := ""
	for column++; column > 0; column = (column - 1) / 26 {
		name = string(rune('A'+(column-1)%26)) + name
	}
	return name
}
