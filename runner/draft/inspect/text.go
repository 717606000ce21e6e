package inspect

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tenfold/io/formats/tabular"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/tablefile"
)

// lookAtText reads a text table: it guesses its dialect, and whether its first row names the columns.
func (f *Found) lookAtText(ctx context.Context, content []byte) error {
	usual := rawtext.Commas
	if f.Format == TSV {
		usual = rawtext.Tabs
	}
	if usual.Encoding = f.Asked.Encoding; usual.Encoding == "" {
		if usual.Encoding = rawtext.LikelyEncoding(content); usual.Encoding != rawtext.UTF8 {
			if usual.Encoding == rawtext.Replace {
				f.because("it is UTF-8 with damaged characters, which become U+FFFD; --encoding names another")
			} else {
				f.because("bytes that are not UTF-8 are characters of %s; --encoding names another", usual.Encoding)
			}
		}
	}
	text, err := rawtext.Decode(content, usual.Encoding, f.Path)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(text, []byte("!")) { // as in a series matrix of GEO
		usual.Comment = "!"
		f.because("lines that begin with ! are comments, as the first is")
	}
	guess := rawtext.GuessDialect(text, usual)
	f.Dialect = guess.Dialect
	f.Evidence = append(f.Evidence, guess.Evidence...)
	if err := f.readTable(ctx, text); err != nil && !f.readNamed(ctx, text, err) {
		return f.explained(err)
	}
	if again, err := f.tellNumbers(); err != nil {
		return err
	} else if again {
		if err := f.readTable(ctx, text); err != nil {
			return err
		}
	}
	if f.longest > mostLines && f.Quote != rawtext.NoQuote {
		f.mistrustQuotes(ctx, text)
	}
	f.tellMarkers()
	f.settle()
	f.tellTexts()
	if f.Trailing > 0 {
		f.because("%d of %d rows end in a delimiter that the first does not have: the empty cell after it does not count", f.Trailing, f.Rows)
	}
	return nil
}

// mostLines is the most lines that a cell may have without a look at what its quotes mean.
const mostLines = 2

// mostTextLines is that for a column of texts.
const mostTextLines = 50

// readTable reads all rows of the table.
func (f *Found) readTable(ctx context.Context, text []byte) error {
	if err := f.tellHeader(text); err != nil {
		return err
	}
	if len(f.Asked.Names) > 0 && !f.Headless {
		return fmt.Errorf("%s: its first row names the columns: leave --names out, or say --header no if it is a row like the others", f.Path)
	}
	f.Columns, f.longest = nil, 0
	table := tablefile.Text{Dialect: f.Dialect, Header: !f.Headless, Names: f.Asked.Names}
	rows, trailing, err := table.Look(ctx, f.Path, text, func(header []string) ([]func(tablefile.Value) error, error) {
		if len(header) == 1 {
			return nil, fmt.Errorf("%s: as %s it has one column, %q: what divides the cells? --format names another format", f.Path, f.Format, header[0])
		}
		if err := f.nameColumns(header); err != nil {
			return nil, err
		}
		return f.takers(len(text), true), nil
	})
	if f.Rows, f.Trailing = rows, trailing; err == nil && rows == 0 {
		return fmt.Errorf("%s: it has a header row and no other", f.Path)
	}
	return err
}

// takers returns a function for each column, which adds its cells.
func (f *Found) takers(size int, usual bool) []func(tablefile.Value) error {
	step := stepOf(size)
	takers := make([]func(tablefile.Value) error, len(f.Columns))
	for k := range f.Columns {
		c, row := &f.Columns[k], 0
		takers[k] = func(v tablefile.Value) error {
			if row++; f.kept != nil && !f.kept[row-1] {
				return nil
			}
			x, isNumber := v.Number()
			isNumber = isNumber && !v.IsTime()
			missing := v.Missing()
			if why := v.Refused(); why != "" {
				c.Refused, missing = why, true
			}
			if isNumber && v.IsText() {
				if isNumber = !isCode(v.Text()); isNumber {
					c.Digits++
				}
			}
			if usual && !missing && !isNumber {
				if lines := 1 + strings.Count(v.Text(), "\n"); lines > f.longest {
					f.longest, f.longestIn = lines, k
				}
			}
			written := c.forms
			c.sample(v.Text(), x, isNumber, missing, step)
			if v.IsTyped() {
				c.forms = written // nobody wrote it
			}
			return nil
		}
	}
	return takers
}

// isCode reports whether digits that are stored as text are a code, such as a postal one: zeros that begin a number say nothing.
func isCode(digits string) bool {
	return len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9'
}

// tellHeader decides whether the first row names the columns: where other rows have numbers, a row of names has none; where there are only
// texts, names are no values of their columns.
func (f *Found) tellHeader(text []byte) error {
	if f.Asked.Header != "" {
		f.Headless = f.Asked.Header == "no"
		return nil
	}
	r := f.Dialect.Cells(text, f.Path)
	first, err := r.Next()
	if err == io.EOF {
		return fmt.Errorf("%s: it has no header row", f.Path)
	} else if err != nil {
		return err
	}
	first = slices.Clone(first)
	numbers := make([]int, len(first)) // of each column, in the rows after the first
	decimals, again := make([]bool, len(first)), make([]bool, len(first))
	others := make([]prose, len(first))
	n := 0
	for ; n < 1000; n++ {
		row, err := r.Next()
		if err != nil {
			break // said by the reader
		}
		for k, cell := range row {
			if _, ok := f.numberIn(cell); ok {
				numbers[k]++
				decimals[k] = decimals[k] || strings.ContainsAny(cell, ".,")
			} else {
				others[k].add(cell)
			}
			again[k] = again[k] || strings.TrimSpace(cell) == strings.TrimSpace(first[k])
		}
	}
	names, values, repeated, labels, texts, long, whole := 0, 0, 0, 0, 0, 0, true
	counts, last := true, 0.0 // the numbers are 0, 1, 2, ...
	for k, cell := range first {
		x, isNumber := f.numberIn(cell)
		numeric := n > 0 && numbers[k] > n*9/10
		if numeric && isNumber {
			whole = whole && x == float64(int64(x)) && x >= 1000 && decimals[k]
			counts = counts && (values == 0 && (x == 0 || x == 1 || isYear(x)) || values > 0 && x == last+1)
			last = x
		}
		switch {
		case strings.TrimSpace(cell) == "":
		case numeric && isNumber:
			values++
		case numeric:
			names++
		default:
			texts++
			switch {
			case again[k]:
				if labels++; !isNumber {
					repeated++
				}
			case others[k].isLong() && tabular.IsText(cell):
				long++ // if the first row names columns, this is a question
			}
		}
	}
	all := values == len(first) || n == 0 && !slices.ContainsFunc(first, func(cell string) bool { _, ok := f.numberIn(cell); return !ok })
	switch {
	case values > 0 && whole && repeated == 0 && firstIsDistinct(first): // such as years
		f.Headless = false
		f.because("the first row has whole numbers where the others have decimals: it names the columns; --header no says otherwise")
	case counts && repeated == 0 && n > 0 && (values >= leastCount || values > 1 && names > 0 || values > 0 && first[0] == "" && numbers[0]+others[0].cells == n):
		f.Headless = false
		f.because("the first row counts, to %v: it names the columns; --header no says otherwise", last)
	case all:
		f.Headless = true
		f.because("the first row has only numbers: no row names the columns; --header yes says otherwise, --names a,b,... names them")
	case values == 0 && names == 0 && labels > 0 && long > 0 && labels+long == texts:
		f.Headless = true
		f.because("the first row has texts as long as the others, and labels that other rows have, too: no row names the columns; --header yes says otherwise")
	case values > 0 && names == 0, values == 0 && names == 0 && texts > 0 && 2*repeated > texts:
		f.Headless = true
		f.because("the first row is like the others, with %d numbers and %d texts that other rows have in the same columns: no row names the columns; --header yes says otherwise, --names a,b,... names them", values, repeated)
	case values > 0 && values >= names:
		return fmt.Errorf("%s: does its first row name the columns? It has numbers in %d of the columns of numbers, and texts in %d: say --header yes or --header no", f.Path, values, names)
	default:
		f.Headless = false
	}
	return nil
}

// isYear reports whether a number may be that of a year.
func isYear(x float64) bool { return x == float64(int64(x)) && 1800 <= x && x <= 2100 }

// leastCount is how many numbers of a first row count at least, if it is one of names.
const leastCount = 4

// firstIsDistinct reports whether no two cells are equal.
func firstIsDistinct(row []string) bool {
	sorted := slices.Sorted(slices.Values(row))
	return len(slices.Compact(sorted)) == len(row)
}

// numberIn parses a cell whose decimals follow a point or a comma.
func (f *Found) numberIn(cell string) (float64, bool) {
	if x, ok := f.Dialect.Number(cell); ok {
		return x, ok
	}
	for _, d := range []rawtext.Dialect{{Decimal: ".", Units: usualUnits}, {Decimal: ","}, {Decimal: ".", Thousands: ",", Units: usualUnits}} {
		if x, ok := d.Number(cell); ok {
			return x, true
		}
	}
	return 0, false
}

// tellNumbers decides what points and commas in numbers mean, and reports whether that is something else than what was read. Groups of
// three digits are thousands where the sign before them divides cells, occurs twice in a number, or other numbers have decimals.
func (f *Found) tellNumbers() (again bool, err error) {
	again = f.tellUnits()
	if d := f.Asked; d.Decimal != "" || d.Thousands != "" {
		f.Decimal, f.Thousands = cmp.Or(d.Decimal, f.Decimal), d.Thousands
		return true, nil
	}
	var sum forms
	doubtful := ""
	for k := range f.Columns {
		c := &f.Columns[k]
		if !c.likeNumbers() {
			continue
		}
		sum.decimals += c.forms.decimals
		sum.commas += c.forms.commas
		sum.english += c.forms.english
		sum.german += c.forms.german
		if sum.grouped += c.forms.grouped; c.forms.grouped > 0 && doubtful == "" {
			doubtful = c.Name
			sum.example = c.forms.example
			sum.small = c.forms.small
		}
		sum.example = cmp.Or(sum.example, c.forms.example)
	}
	switch {
	case sum.commas > 0 && sum.decimals == 0, sum.german > 0 && sum.english == 0 && sum.commas == 0:
		f.Decimal = ","
		f.because("numbers such as %s: the comma is before decimals", sum.example)
		if sum.german > 0 {
			f.Thousands = "."
			f.because("the point is between thousands")
		}
	case sum.grouped+sum.english == 0 || sum.commas > 0:
		return again, nil
	case sum.english > 0 || sum.decimals > 0 || f.Delimiter == "," || sum.small > 0:
		f.Thousands = ","
		f.because("numbers such as %s, of groups of three digits: the comma is between thousands", sum.example)
	default:
		return false, fmt.Errorf("%s: column %q: is %s a number of thousands, or one with three decimals? Say --thousands , or --decimal ,", f.Path, doubtful, sum.example)
	}
	return true, nil
}

// mistrustQuotes reads the table without quotes, and goes on with that if all rows then have the same number of cells: a cell of many
// lines is often two stray quotes.
func (f *Found) mistrustQuotes(ctx context.Context, text []byte) {
	other := *f
	other.Quote, other.Evidence = rawtext.NoQuote, slices.Clone(f.Evidence)
	if err := other.readTable(ctx, text); err == nil && other.Trailing == 0 {
		other.because("a cell would have %d lines; without quotes, all %d rows have %d cells, so quotes are parts of texts", f.longest, other.Rows, len(other.Columns))
		*f = other
		return
	}
	if !f.Columns[f.longestIn].IsText() || f.longest > mostTextLines {
		f.because("a cell has %d lines: a quote may be missing; look at it", f.longest)
	}
}

// tellMarkers finds the texts that stand for missing values: the usual ones, in columns whose other values are numbers.
func (f *Found) tellMarkers() {
	for k := range f.Columns {
		c := &f.Columns[k]
		if c.IsNumber() || c.Numbers == 0 {
			continue
		}
		var found []string
		rest := c.Known() - c.Numbers
		for _, text := range c.Levels {
			if marker := strings.TrimSpace(text); isMarker(marker) || slices.Contains(rawtext.Usual, marker) {
				found = append(found, marker)
				rest -= c.levels[text]
			}
		}
		if rest > 0 {
			continue
		}
		c.Markers = slices.Compact(slices.Sorted(slices.Values(found)))
		for _, text := range found {
			f.because("%s: %q, %s among numbers, stands for a missing value", c.Name, text, times(c.levels[text]))
		}
		c.forget(found)
	}
}

// tellUnits finds signs such as % beside numbers, and reports whether there are any. Where numbers of one column have different signs, these
// mean something.
func (f *Found) tellUnits() bool {
	if f.Asked.Units != "" {
		f.Units = strings.TrimPrefix(f.Asked.Units, noUnits)
		return f.Units != ""
	}
	var names, some []string
	units, several := "", ""
	for k := range f.Columns {
		c := &f.Columns[k]
		switch {
		case c.forms.units == "" || !c.likeNumbers():
			continue
		case utf8.RuneCountInString(c.forms.units) > 1:
			several += c.forms.units
			continue
		case !strings.Contains(units, c.forms.units):
			units += c.forms.units
		}
		if names = append(names, c.Name); c.forms.bare > 0 {
			some = append(some, c.Name)
		}
	}
	for _, sign := range units {
		if !strings.ContainsRune(several, sign) {
			f.Units += string(sign)
		}
	}
	if f.Units == "" {
		return false
	}
	f.because("the signs %s beside numbers are left out, as in %s; --units none leaves texts", f.Units, source.Abridge(names))
	if len(some) > 0 {
		f.because("numbers without such a sign, beside others that have one, are read alike: in %s", source.Abridge(some))
	}
	return true
}

// noUnits says that signs beside numbers make texts of them.
const noUnits = "none"

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

// isMarker reports whether a text may stand for a missing value: a usual marker, or a number that is none.
func isMarker(text string) bool {
	if slices.Contains(tabular.Markers, text) {
		return true
	}
	x, err := strconv.ParseFloat(text, 64) // Inf, and 1e400
	return text != "" && (err == nil || errors.Is(err, strconv.ErrRange)) && x-x != 0
}

// readNamed reads the table again if the error of a first reading is that all rows have a cell more than the first, which names the other
// columns: R writes no name for the names of rows.
func (f *Found) readNamed(ctx context.Context, text []byte, err error) bool {
	var wide rawtext.WidthError
	if !errors.As(err, &wide) || wide.Found != wide.Expected+1 || f.Asked.Header == "no" || f.Asked.Names != nil {
		return false
	}
	r := f.Dialect.Cells(text, "")
	header, err := r.Next()
	if err != nil || wide.Line > r.Line()+1 || slices.ContainsFunc(header, func(cell string) bool { _, number := f.numberIn(cell); return number }) {
		return false
	}
	names := append([]string{"row"}, header...)
	if slices.Contains(header, names[0]) {
		names[0] = "row name"
	}
	if row, ok := cellsOf(f.Dialect, text, wide.Line); !ok || !looksNamed(row[0]) || !firstIsDistinct(names) || slices.Contains(header, "") {
		return false
	}
	other := *f
	other.Dialect.Skip, other.Asked.Header, other.Asked.Names, other.Evidence = r.Line(), "no", names, slices.Clone(f.Evidence)
	if other.readTable(ctx, text) != nil {
		return false
	}
	other.because("all rows have a cell more than the first, as R writes names of rows: that column is called %q here", names[0])
	*f = other
	return true
}

// explained adds to an error about a table what may be the reason.
func (f *Found) explained(err error) error {
	if name := strings.ToLower(strings.TrimSuffix(filepath.Base(f.Path), ".gz")); endings[filepath.Ext(name)] == "" {
		return fmt.Errorf("%w (read as %s, as most of its first lines have a sign that divides cells; --format names another format, and texts belong in a folder for each class)", err, f.Format)
	}
	return err
}

// cellsOf returns the cells of a line, where it is a row.
func cellsOf(d rawtext.Dialect, text []byte, line int) ([]string, bool) {
	d.Skip = line - 1
	row, err := d.Cells(text, "").Next()
	return row, err == nil
}

// looksNamed reports whether a cell may be a row name: a text, or a whole number.
func looksNamed(cell string) bool {
	x, number := rawtext.Dialect{Decimal: "."}.Number(cell)
	return cell != "" && (!number || x == float64(int64(x)))
}

// settle ends a look at all cells: in a column of numbers, 1 and 1.0 are one level.
func (f *Found) settle() {
	for k := range f.Columns {
		f.Columns[k].settle()
	}
}

// nameColumns names the columns. Repeated names get the suffixes that the reader gives them.
func (f *Found) nameColumns(header []string) error {
	seen := map[string]int{}
	for _, name := range header {
		if seen[name]++; seen[name] > 1 {
			f.Repeated = true
			name = fmt.Sprintf("%s#%d", name, seen[name])
		}
		f.Columns = append(f.Columns, Column{Name: name})
	}
	taken := map[string]bool{}
	for _, c := range f.Columns {
		if taken[c.Name] {
			return fmt.Errorf("two columns are named %q, even where those of one name are numbered", c.Name)
		}
		taken[c.Name] = true
	}
	return nil
}
