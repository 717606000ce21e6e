package rawtext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"tenfold/engines/param"
)

// Dialect says how a table of text is divided into rows and cells, and how its numbers are written.
type Dialect struct {
	Delimiter string `yaml:"delimiter" doc:"what is between cells: one character, or blanks (one or more blanks and tabs)"`
	Quote     string `yaml:"quote" doc:"the character around a cell that holds delimiters or line ends, doubled inside the cell: \" or '; none: no character is special"`
	Comment   string `yaml:"comment" doc:"lines that begin with this text are left out; with \"# \", a header such as #OTU ID stays"`
	Skip      int    `yaml:"skip" doc:"number of lines at the beginning of the file that are left out"`
	Decimal   string `yaml:"decimal" doc:"the sign before the decimals of numbers: . or ,"`
	Thousands string `yaml:"thousands" doc:"the sign between groups of three digits of numbers: , . ' _ or a blank; without it there are no groups"`
	Units     string `yaml:"units" doc:"signs before or after numbers that are left out, such as %$"`
	Encoding  string `yaml:"encoding" doc:"of the characters: utf-8, latin-1, windows-1252, utf-16, and others by their IANA names; replace is utf-8 in which what is none becomes U+FFFD"`
}

// Dialects of tables, as most of them are written.
var (
	Commas = Dialect{Delimiter: ",", Quote: `"`, Decimal: ".", Encoding: UTF8}
	Tabs   = Dialect{Delimiter: "\t", Quote: NoQuote, Decimal: ".", Encoding: UTF8}
)

const (
	// Blanks as a delimiter means one or more blanks and tabs.
	Blanks = "blanks"
	// NoQuote as a quote means that no character is one.
	NoQuote = "none"
)

// Validate checks the options by themselves.
func (d Dialect) Validate() error {
	errs := []error{param.OneOf("quote", d.Quote, `"`, "'", NoQuote), param.OneOf("decimal", d.Decimal, ".", ","),
		param.OneOf("thousands", d.Thousands, "", ",", ".", "'", "_", " "), param.Require("skip", d.Skip >= 0, "%d, expected a number of lines", d.Skip), CheckEncoding(d.Encoding)}
	c, size := utf8.DecodeRuneInString(d.Delimiter)
	switch {
	case d.Delimiter == Blanks:
	case size == 0 || size < len(d.Delimiter) || strings.ContainsRune("\r\n\ufffd", c) || d.Delimiter == d.Quote:
		errs = append(errs, param.Errorf("delimiter", "%q, expected one character that is neither a quote nor a line end, or %s", d.Delimiter, Blanks))
	}
	if strings.ContainsAny(d.Units, "0123456789+-.,eE\r\n\t ") {
		errs = append(errs, param.Errorf("units", "%q, expected signs that are no part of numbers, such as %%$", d.Units))
	}
	if d.Thousands != "" && d.Thousands == d.Decimal {
		errs = append(errs, param.Errorf("thousands", "%q is before decimals as well: say decimal", d.Thousands))
	}
	if strings.ContainsAny(d.Comment, "\r\n") {
		errs = append(errs, param.Errorf("comment", "%q, expected the beginning of a line", d.Comment))
	}
	return errors.Join(errs...)
}

// Number parses a number as the dialect writes it; blanks around it do not count. It reports false for all else.
func (d Dialect) Number(text string) (x float64, ok bool) {
	text = strings.TrimSpace(text)
	if text != "" && text[0] >= utf8.RuneSelf {
		text = strings.Replace(text, "\u2212", "-", 1) // as typesetters write it
	}
	if d.Units != "" {
		text = WithoutUnits(text, d.Units)
	}
	if d.Thousands != "" && strings.Contains(text, d.Thousands) {
		if text, ok = d.withoutGroups(text); !ok {
			return 0, false
		}
	}
	if d.Decimal == "," {
		if strings.Contains(text, ".") {
			return 0, false
		}
		text = strings.Replace(text, ",", ".", 1)
	}
	return ParseNumber(text)
}

// WithoutUnits returns a text without some signs at its ends, and behind a minus or plus, nor blanks between these and the rest.
func WithoutUnits(text, units string) string {
	text = strings.TrimRight(text, units+" ")
	sign := ""
	if text != "" && strings.Contains("-+", text[:1]) {
		sign, text = text[:1], text[1:]
	}
	text = strings.TrimLeft(text, units+" ")
	return sign + text
}

// withoutGroups returns a number without the signs between groups of three digits; ok is false if these are elsewhere.
func (d Dialect) withoutGroups(text string) (plain string, ok bool) {
	whole, fraction, decimals := strings.Cut(text, d.Decimal)
	groups := strings.Split(whole, d.Thousands)
	for k, group := range groups {
		if k == 0 {
			group = strings.TrimLeft(group, "+-")
		}
		if len(group) > 3 || len(group) < 3 && (k > 0 || group == "") || strings.Trim(group, "0123456789") != "" {
			return "", false
		}
	}
	plain = strings.Join(groups, "")
	if decimals {
		plain += d.Decimal + fraction
	}
	return plain, !strings.Contains(fraction, d.Thousands)
}

// Cells reads the rows of a table of text.
type Cells struct {
	Trailing int // rows, of those that were read, that end in a delimiter that the first row does not have

	file      string
	text      []byte
	delimiter string // "" for runs of blanks
	quote     byte   // 0 for none
	comment   []byte
	end       byte // of lines

	next  int // index of the next line in text
	lines int // before it
	line  int // in which the row begins, counted from 1
	width int // cells of the first row; 0 before it is read
	found int // cells of the row, of which one more than width are kept at most
	cells []string
	spots []spot // of each cell
	row   []byte // text of a cell with quotes

	ragged    bool // rows may differ in width
	openQuote bool // the text ends in a cell with quotes
}

// spot is where a cell is in a file: the line, and the byte in it, both from 1.
type spot struct{ line, column int32 }

// Cells reads text, which is in UTF-8. file names it in errors.
func (d Dialect) Cells(text []byte, file string) *Cells {
	c := &Cells{file: file, text: text, delimiter: d.Delimiter, comment: []byte(d.Comment), end: '\n'}
	if d.Delimiter == Blanks {
		c.delimiter = ""
	}
	if d.Quote != NoQuote {
		c.quote = d.Quote[0]
	}
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') >= 0 { // as the first Macs wrote it
		c.end = '\r'
	}
	for range d.Skip {
		if c.next < len(text) {
			c.nextLine()
		}
	}
	return c
}

// nextLine returns the next line without its end. There must be one.
func (c *Cells) nextLine() []byte {
	line := c.text[c.next:]
	if k := bytes.IndexByte(line, c.end); k >= 0 {
		line = line[:k]
		c.next++
	}
	c.next += len(line)
	c.lines++
	if c.end == '\n' {
		line = bytes.TrimSuffix(line, []byte{'\r'})
	}
	return line
}

// Next returns the cells of the next row, or io.EOF after the last; the slice is valid until the next call, its texts for ever. Blanks
// around a cell without quotes do not count, except where the delimiter is one. Lines without a character, and comments, are left out. A row has
// as many cells as the first; a further one that is empty does not count.
func (c *Cells) Next() ([]string, error) {
	for c.next < len(c.text) {
		start := c.next
		line := c.nextLine()
		if len(line) == 0 || len(c.comment) > 0 && bytes.HasPrefix(line, c.comment) || c.delimiter == "" && len(bytes.Trim(line, " \t")) == 0 {
			continue
		}
		c.line, c.found, c.cells, c.spots = c.lines, 0, c.cells[:0], c.spots[:0]
		if c.quote != 0 && bytes.IndexByte(line, c.quote) >= 0 {
			c.next, c.lines = start, c.lines-1
			if err := c.quotedRow(); err != nil {
				return nil, err
			}
		} else {
			c.plainRow(string(line))
		}
		return c.cells, c.checkWidth()
	}
	return nil, io.EOF
}

// plainRow divides a line without quotes.
func (c *Cells) plainRow(line string) {
	for from := 0; ; {
		from = c.skipBlanks(line, from)
		if c.delimiter == "" && from == len(line) {
			return
		}
		k := c.findDelimiter(line[from:])
		last := k < 0
		if last {
			k = len(line) - from
		}
		c.add(c.trimmed(line[from:from+k]), spot{int32(c.line), int32(from + 1)})
		if last {
			return
		}
		from += k + max(1, len(c.delimiter))
	}
}

// add appends a cell to the row, and only counts those after one more than a row may have.
func (c *Cells) add(cell string, place spot) {
	if c.found++; len(c.cells) <= c.mostCells() {
		c.cells, c.spots = append(c.cells, cell), append(c.spots, place)
	}
}

// findDelimiter returns the index of the next delimiter, -1 if there is none.
func (c *Cells) findDelimiter(line string) int {
	switch len(c.delimiter) {
	case 0:
		return strings.IndexAny(line, " \t")
	case 1:
		return strings.IndexByte(line, c.delimiter[0])
	}
	return strings.Index(line, c.delimiter)
}

// trimmed returns a cell without the blanks that end it.
func (c *Cells) trimmed(cell string) string {
	if n := len(cell); n > 0 && cell[n-1] == ' ' && c.delimiter != " " {
		return strings.TrimRight(cell, " ")
	}
	return cell
}

// skipBlanks returns the index of the first character from an index on that is no blank in front of a cell.
func (c *Cells) skipBlanks(line string, from int) int {
	for from < len(line) && (line[from] == ' ' && c.delimiter != " " || line[from] == '\t' && c.delimiter == "") {
		from++
	}
	return from
}

// quotedRow reads a row with quotes, which may go over several lines.
func (c *Cells) quotedRow() error {
	line := string(c.nextLine())
	for from := 0; ; {
		from = c.skipBlanks(line, from)
		if c.delimiter == "" && from == len(line) && c.found > 0 {
			return nil
		}
		place := spot{int32(c.lines), int32(from + 1)}
		var cell string
		if from < len(line) && line[from] == c.quote {
			var err error
			if cell, line, from, err = c.quotedCell(line, from+1, place); err != nil {
				return err
			}
		} else {
			k := c.findDelimiter(line[from:])
			if k < 0 {
				k = len(line) - from
			}
			cell = c.trimmed(line[from : from+k])
			if q := strings.IndexByte(cell, c.quote); q >= 0 {
				return c.quoteError(c.lines, from+q+1, "a quote (%c) inside a cell that does not begin with one; such a cell is quoted, and its quotes are doubled")
			}
			from += k
		}
		c.add(cell, place)
		if from == len(line) {
			return nil
		}
		from += max(1, len(c.delimiter))
	}
}

// quotedCell reads a cell from the byte after its quote on. It returns the cell, the line in which it ends, and the index of what follows
// there: a delimiter, or the end.
func (c *Cells) quotedCell(line string, from int, began spot) (cell, last string, after int, err error) {
	c.row = c.row[:0]
	for {
		k := strings.IndexByte(line[from:], c.quote)
		if k < 0 {
			c.row = append(append(c.row, line[from:]...), '\n')
			if c.next >= len(c.text) {
				c.openQuote = true
				return "", "", 0, c.quoteError(int(began.line), int(began.column), "the cell that begins here with a quote (%c) does not end")
			}
			line, from = string(c.nextLine()), 0
			continue
		}
		text := line[from : from+k]
		if from += k + 1; from < len(line) && line[from] == c.quote {
			c.row = append(append(c.row, text...), c.quote)
			from++
			continue
		}
		for from < len(line) && line[from] == ' ' && c.delimiter != " " && c.delimiter != "" {
			from++
		}
		if from < len(line) && c.findDelimiter(line[from:]) != 0 {
			return "", "", 0, c.quoteError(c.lines, from+1, "text after the quote (%c) that ends a cell; quotes inside a quoted cell are doubled")
		}
		if len(c.row) > 0 {
			text = string(append(c.row, text...))
		}
		return text, line, from, nil
	}
}

// QuoteError says that a quote is out of place.
type QuoteError struct{ error }

func (c *Cells) quoteError(line, column int, format string) error {
	return QuoteError{fmt.Errorf("%s:%d:%d: "+format, c.file, line, column, c.quote)}
}

// checkWidth returns an error unless the row has as many cells as the first.
func (c *Cells) checkWidth() error {
	switch {
	case c.width == 0 && c.found > c.mostCells():
		return fmt.Errorf("%s:%d: the first row has %d cells, expected at most %d in a file of %d bytes", c.file, c.line, c.found, c.mostCells(), len(c.text))
	case c.ragged:
	case c.width == 0:
		c.width = c.found
	case c.found == c.width+1 && c.cells[c.width] == "":
		c.cells = c.cells[:c.width]
		c.Trailing++
	case c.found != c.width:
		return WidthError{c.file, c.line, c.found, c.width}
	}
	return nil
}

// WidthError says that a row has too many or too few cells.
type WidthError struct {
	File                  string
	Line, Found, Expected int
}

func (e WidthError) Error() string {
	return fmt.Sprintf("%s:%d: the row has %d cells, expected %d as in the first row", e.File, e.Line, e.Found, e.Expected)
}

// mostCells returns how many cells a row may have: as many as the first, and the first as many as there may be names.
func (c *Cells) mostCells() int {
	if c.width > 0 {
		return c.width
	}
	return MostNames(int64(len(c.text)))
}

// Line returns the number of the line in which the last row begins, from 1.
func (c *Cells) Line() int { return c.line }

// Place returns where cell k of the last row is: FILE:LINE:BYTE.
func (c *Cells) Place(k int) string {
	return fmt.Sprintf("%s:%d:%d", c.file, c.spots[k].line, c.spots[k].column)
}

// MostNames returns the maximum number of columns or of levels of a category that a text of so many bytes may name in its cells, so that
// the memory for them stays in proportion to it.
func MostNames(bytes int64) int { return int(1<<19 + bytes/32) }
