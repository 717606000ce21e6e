package rawtext

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Guess is the dialect that a text seems to be in, and what speaks for it where it is not the usual one.
type Guess struct {
	Dialect
	Evidence []string

	cut bool // more text follows what is looked at
}

func (g *Guess) because(format string, args ...any) {
	g.Evidence = append(g.Evidence, fmt.Sprintf(format, args...))
}

// guessed is how much of a text is looked at, in bytes and in rows.
const (
	guessedBytes = 1 << 17
	guessedRows  = 300
)

// GuessDialect guesses how a table in UTF-8 is divided; usual is what its name suggests. Decimals and thousands are those of usual: they
// are told by all cells of a column.
func GuessDialect(text []byte, usual Dialect) Guess {
	g := Guess{Dialect: usual, cut: len(text) > guessedBytes}
	text = text[:min(len(text), guessedBytes)]
	if sign, ok := excelSeparator(text); ok {
		g.Skip, g.Delimiter = 1, sign
		g.because("the first line says sep=%s", sign)
	} else {
		g.guessDelimiter(text, usual.Delimiter)
	}
	g.guessQuote(text)
	g.guessSkip(text)
	return g
}

// excelSeparator returns the sign that a first line sep=; names.
func excelSeparator(text []byte) (sign string, ok bool) {
	line, _, _ := bytes.Cut(text[:min(len(text), 16)], []byte("\n"))
	sign, ok = strings.CutPrefix(strings.Trim(string(line), "\"\r"), "sep=")
	return sign, ok && len(sign) == 1
}

// division is how a delimiter divides the first rows of a text.
type division struct {
	rows    int     // that were looked at
	width   int     // cells of most rows
	share   float64 // of rows that have so many
	numbers float64 // share of cells that are numbers, with decimals after a point or a comma
	first   int     // cells of the first row
	longest int     // most lines of a row
	quoted  int     // cells that begin and end with a quote, where quotes mean nothing
	failed  bool    // a quote is out of place
}

// divide divides the first rows of a text in a dialect.
func (g *Guess) divide(d Dialect, text []byte, most int) (v division) {
	c := d.Cells(text, "")
	c.ragged = true
	widths := map[int]int{}
	cells, numbers := 0, 0
	others := []Dialect{{Decimal: ","}, {Decimal: ",", Thousands: "."}, {Decimal: ".", Thousands: ","}}
	for v.rows < most {
		row, err := c.Next()
		if err != nil {
			v.failed = err != io.EOF && !(g.cut && c.openQuote)
			break
		}
		if g.cut && c.next >= len(c.text) { // it may go on
			break
		}
		v.rows++
		v.longest = max(v.longest, c.lines-c.line+1)
		if len(row) > 1 && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		if widths[len(row)]++; v.rows == 1 {
			v.first = len(row)
		}
		for _, cell := range row {
			_, number := d.Number(cell)
			for k := 0; k < len(others) && !number; k++ {
				_, number = others[k].Number(cell)
			}
			if number {
				numbers++
			}
			if n := len(cell); n > 1 && cell[0] == '"' && cell[n-1] == '"' {
				v.quoted++
			}
		}
		cells += len(row)
	}
	for width, n := range widths {
		if share := float64(n) / float64(v.rows); share > v.share || share == v.share && width > v.width {
			v.width, v.share = width, share
		}
	}
	v.numbers = float64(numbers) / float64(max(1, cells))
	return v
}

// guessDelimiter takes the sign that divides most rows into equally many cells; of several that do, the usual one, unless another gives
// more numbers, or divides the first row, too.
func (g *Guess) guessDelimiter(text []byte, usual string) {
	best := division{}
	found := ""
	for _, sign := range []string{usual, ",", "\t", ";", "|", Blanks} {
		d := g.Dialect
		if d.Delimiter = sign; sign == "\t" {
			d.Quote = NoQuote
		}
		v := g.divide(d, text, guessedRows)
		if v.failed && d.Quote != NoQuote {
			d.Quote = NoQuote
			v = g.divide(d, text, guessedRows)
		}
		if v.width < 2 || sign == found {
			continue
		}
		alike := v.share > best.share-.05
		better := v.share > best.share+.05 || alike && v.numbers > best.numbers+.1 || alike && v.first == v.width && best.first != best.width
		if sign == Blanks && found != "" {
			better = v.share > .9 && best.share < .5
		}
		if found == "" || better {
			best, found = v, sign
		}
	}
	if found == Blanks && !bytes.ContainsAny(text, "\t") && !bytes.Contains(text, []byte("  ")) && !bytes.Contains(text, []byte("\n ")) {
		found = " "
	}
	if found != "" && found != usual {
		g.Delimiter = found
		g.because("cells are divided by %s: most of the first rows have %d", map[bool]string{true: found, false: fmt.Sprintf("%q", found)}[found == Blanks], best.width)
	}
}

// DividedByBlanks reports whether a text is a table of numbers, for the most part, with blanks between cells.
func DividedByBlanks(text []byte) bool {
	g := Guess{Dialect: Commas, cut: len(text) > guessedBytes}
	g.Delimiter = Blanks
	v := g.divide(g.Dialect, text[:min(len(text), guessedBytes)], guessedRows)
	return v.width > 1 && v.share > .95 && v.numbers > .5 && v.rows > 1
}

// guessQuote decides whether quotes mean something.
func (g *Guess) guessQuote(text []byte) {
	with, without := g.Dialect, g.Dialect
	with.Quote, without.Quote = `"`, NoQuote
	v, plain := g.divide(with, text, guessedRows), g.divide(without, text, guessedRows)
	switch {
	case g.Quote == NoQuote && !v.failed && plain.quoted >= max(1, plain.rows/4) && v.longest == 1:
		g.Quote = `"`
		g.because("%d cells begin and end with a quote", plain.quoted)
	case g.Quote != NoQuote && (v.failed && plain.share > .9 || v.longest > 2 && plain.share == 1 && v.share < 1):
		g.Quote = NoQuote
		g.because("quotes are parts of cells: without them, %d rows have %d cells", plain.rows, plain.width)
	}
}

// GuessSkip guesses how many lines are before the first row of a table in a dialect.
func GuessSkip(text []byte, d Dialect) int {
	g := Guess{Dialect: d}
	g.guessSkip(text)
	return g.Skip
}

// guessSkip finds titles and comments in front of the first row.
func (g *Guess) guessSkip(text []byte) {
	c := g.Cells(text, "")
	c.ragged = true
	width := g.divide(g.Dialect, text, guessedRows).width
	first, titles, marked := g.Skip, 0, 0
	var header []string // a row that begins with # and may be the header
	headerLine := 0
	for n := 0; n < 100; n++ {
		row, err := c.Next()
		if err != nil {
			return
		}
		filled := 0
		for _, cell := range row {
			if strings.TrimSpace(cell) != "" {
				filled++
			}
		}
		switch {
		case width == 2 && len(row) == 2 && row[0] == "" && filled == 1: // the names of an index, which has none, and of a column
		case strings.HasPrefix(row[0], "#"):
			marked++
			if header = nil; len(row) == width {
				header, headerLine = slices.Clone(row), c.line
			}
			first = c.lines
			continue
		case filled <= max(1, width/3) && width > 1 && len(row) != width-1 || filled <= 1 && width > 2, len(row) == width-1 && g.headerFollows(c, width):
			titles++
			first = c.lines
			continue
		}
		// row is the first that is neither a comment nor a title.
		if header != nil && !g.isHeader(row, c) {
			first = headerLine - 1
			marked--
		}
		break
	}
	if first > g.Skip {
		switch {
		case titles == 0 && marked > 0:
			g.because("what comes before line %d begins with #", first+1)
		case marked+titles > 0:
			g.because("what comes before line %d has not %d cells", first+1, width)
		default:
			return
		}
		g.Skip = first
	}
}

// headerFollows reports whether the next row is a header, of so many cells: then one that is a cell shorter is a title, and not the
// header that R writes, without a name for the names of rows.
func (g *Guess) headerFollows(c *Cells, width int) bool {
	ahead := *c
	ahead.cells, ahead.spots, ahead.row = nil, nil, nil
	next, err := ahead.Next()
	gap := func(cell string) bool { return cell == "" || slices.Contains(Usual, cell) }
	return err == nil && len(next) == width && !slices.ContainsFunc(next, gap) && g.isHeader(next, &ahead)
}

// isHeader reports whether a row of texts is followed by rows with numbers.
func (g *Guess) isHeader(row []string, c *Cells) bool {
	for _, cell := range row {
		if _, number := g.Number(cell); number {
			return false
		}
	}
	next, err := c.Next()
	if err != nil {
		return false
	}
	for _, cell := range next {
		if _, number := g.Number(cell); number {
			return true
		}
	}
	return false
}
