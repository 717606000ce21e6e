package inspect

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/tablefile"
)

// Column describes a column of a table.
type Column struct {
	Name    string
	Rows    int
	Missing int            // cells without a value
	Numbers int            // cells that are numbers
	Digits  int            // of them, those declared to be texts
	Dates   int            // cells that are dates
	Levels  []string       // distinct values in order of appearance
	Markers []string       // texts that stand for a missing value in it
	Joined  bool           // of a table of samples
	Text    bool           // declared to be text: an ARFF attribute
	Refused string         // why the reader does not read it
	levels  map[string]int // number of rows of each
	sampled bool           // some numbers were counted and not looked at

	first, last                   float64 // first and last number
	row                           int     // of the first
	least, largest                float64
	rises, counts                 bool   // only whole numbers so far, each above the previous, or the previous plus one
	whole                         bool   // only whole numbers so far
	dayFirst, monthFirst, slashes bool   // dates with slashes, and whether some tell that the day or the month comes first
	Odd                           string // first cell that is neither missing nor a number
	forms                         forms
	prose                         prose
}

// forms counts how numbers with points and commas are written.
type forms struct {
	decimals int    // 1.5
	commas   int    // 1,5
	grouped  int    // 1,234: thousands, or three decimals
	english  int    // 1,234,567 or 1,234.5
	german   int    // 1.234,5 or 1.234.567
	small    int    // whole numbers below 1,000 without a comma
	lists    int    // 1,3,25: numbers that are no groups of digits
	units    string // signs before or after numbers: %, $ and the like
	united   int    // numbers with such a sign, without a comma
	bare     int    // numbers without one, except 0
	example  string // the first of those with a comma
}

// stepOf returns of how many rows of a file, of so many bytes, one is looked at.
func stepOf(size int) int {
	const most = 1 << 20 // cells that are looked at
	return max(1, size/8/most)
}

// sample adds a cell. Columns of many numbers are looked at in one of step rows; texts, and whether cells are numbers, in every row.
func (c *Column) sample(cell string, x float64, isNumber, missing bool, step int) {
	const few = 50 // values of a column of which all rows are looked at
	if isNumber && !missing && c.Rows%step > 0 && len(c.Levels) > few {
		c.Rows++
		c.Numbers++
		c.sampled = true
		return
	}
	c.add(cell, x, isNumber, missing)
}

// addCell adds a cell of a format whose decimals follow a point, as sample does.
func (c *Column) addCell(cell string, step int) {
	text := strings.TrimSpace(cell)
	x, isNumber := rawtext.ParseNumber(text)
	c.sample(cell, x, isNumber, text == "" || slices.Contains(rawtext.Usual, text), step)
}

// add adds a cell.
func (c *Column) add(cell string, x float64, isNumber, missing bool) {
	c.Rows++
	if missing {
		c.Missing++
		return
	}
	text := strings.TrimSpace(cell)
	c.forms.add(text, x, isNumber)
	switch {
	case isNumber:
		c.addNumber(x)
		cell = text
	default:
		c.addDate(text)
	}
	if !isNumber {
		c.prose.add(text)
		c.Odd = cmp.Or(c.Odd, text)
	}
	if c.levels == nil {
		c.levels = map[string]int{}
	}
	if c.levels[cell]++; c.levels[cell] == 1 {
		cell = strings.Clone(cell)
		c.Levels = append(c.Levels, cell)
	}
}

// usualUnits are signs that stand before or after numbers.
const usualUnits = "%$€£¥"

// add counts the form of a cell.
func (f *forms) add(text string, x float64, isNumber bool) {
	unit := ""
	if !isNumber {
		if plain := rawtext.WithoutUnits(text, usualUnits); plain != "" && plain[0] <= '9' && len(plain) < len(text) {
			for _, sign := range usualUnits {
				if strings.ContainsRune(text, sign) {
					unit += string(sign)
				}
			}
			text = plain
			x, isNumber = rawtext.ParseNumber(plain)
		}
	}
	comma := strings.Contains(text, ",")
	if isNumber && !comma {
		f.meet(unit)
		if unit != "" {
			f.united++
		} else if x != 0 {
			f.bare++
		}
		if strings.Contains(text, ".") {
			f.decimals++
		} else if x > -1000 && x < 1000 {
			f.small++
		}
		return
	}
	if text == "" || strings.Trim(text, "0123456789.,-+") != "" {
		return
	}
	_, english := rawtext.Dialect{Decimal: ".", Thousands: ","}.Number(text)
	_, commas := rawtext.Dialect{Decimal: ","}.Number(text)
	_, german := rawtext.Dialect{Decimal: ",", Thousands: "."}.Number(text)
	switch {
	case english && commas:
		f.grouped++
	case english:
		f.english++
	case commas:
		f.commas++
	case german:
		f.german++
	default:
		if strings.Count(text, ",") > 1 {
			f.lists++
		}
		return
	}
	f.meet(unit)
	if f.example == "" || commas && !english && f.commas == 1 {
		f.example = strings.Clone(text)
	}
}

// meet adds signs that stand beside a number.
func (f *forms) meet(units string) {
	for _, sign := range units {
		if !strings.ContainsRune(f.units, sign) {
			f.units += string(sign)
		}
	}
}

// likeNumbers reports whether most cells are numbers, in one form or another.
func (c *Column) likeNumbers() bool {
	f := c.forms
	return f.lists == 0 && 2*(c.Numbers+f.united+f.commas+f.grouped+f.english+f.german) > c.Known()
}

// addDate counts a cell that may be a date.
func (c *Column) addDate(text string) {
	is, day, month := tablefile.IsDate(text)
	if is {
		c.Dates++
		c.dayFirst, c.monthFirst = c.dayFirst || !month, c.monthFirst || !day
		c.slashes = c.slashes || tablefile.HasSlashes(text)
	}
}

func (c *Column) addNumber(x float64) {
	row := c.Rows - 1
	whole := x == math.Trunc(x)
	if c.Numbers++; len(c.levels) == 0 {
		c.first, c.row, c.least, c.largest, c.rises, c.counts, c.whole = x, row, x, x, true, true, true
	} else {
		c.least, c.largest = min(c.least, x), max(c.largest, x)
		c.rises, c.counts = c.rises && x > c.last, c.counts && x-c.first == float64(row-c.row)
	}
	c.last, c.rises, c.whole = x, c.rises && whole, c.whole && whole
}

// settle makes 1 and 1.0 one level, if all values are numbers.
func (c *Column) settle() {
	if !c.IsNumber() {
		return
	}
	levels := c.Levels
	c.Levels = levels[:0]
	for _, text := range levels {
		plain := source.PlainNumber(text)
		if plain == text {
			c.Levels = append(c.Levels, text)
			continue
		}
		n := c.levels[text]
		delete(c.levels, text)
		if c.levels[plain] += n; c.levels[plain] == n {
			c.Levels = append(c.Levels, plain)
		}
	}
}

// looked returns the number of cells with a value that were looked at.
func (c *Column) looked() (n int) {
	for _, k := range c.levels {
		n += k
	}
	return n
}

// forget makes cells of some texts missing ones.
func (c *Column) forget(texts []string) {
	for _, text := range c.Levels {
		if slices.Contains(texts, strings.TrimSpace(text)) {
			c.Missing += c.levels[text]
			delete(c.levels, text)
		}
	}
	c.Levels = slices.DeleteFunc(c.Levels, func(text string) bool { return slices.Contains(texts, strings.TrimSpace(text)) })
}

// Known returns the number of cells with a value.
func (c *Column) Known() int { return c.Rows - c.Missing }

// IsNumber reports whether all values are numbers.
func (c *Column) IsNumber() bool { return c.Known() > 0 && c.Numbers == c.Known() }

// IsDate reports whether all values are dates.
func (c *Column) IsDate() bool { return c.Known() > 0 && c.Dates == c.Known() }

// leastTimes is how many different dates there are at least, if folds in time, and those inside their training rows, are proposed.
const leastTimes = 10

// IsTime reports whether they can divide rows in time: all rows have one, there are many, none of which most rows have, and the day and
// the month are told apart.
func (c *Column) IsTime() bool {
	return c.IsDate() && c.Missing == 0 && len(c.Levels) >= leastTimes && 3*c.Most() <= c.Rows && (!c.slashes || c.dayFirst != c.monthFirst)
}

// IsClass reports whether a column is better read as classes: texts, or a few whole numbers.
func (c *Column) IsClass() bool {
	if !c.IsNumber() {
		return true
	}
	whole := !slices.ContainsFunc(c.Levels, func(l string) bool { _, err := strconv.Atoi(l); return err != nil })
	return (len(c.Levels) == 2 || whole && len(c.Levels) <= 10 && c.Known() >= 10*len(c.Levels))
}

// Most returns the number of rows with the most frequent value.
func (c *Column) Most() (n int) {
	for _, k := range c.levels {
		n = max(n, k)
	}
	return n
}

// MayCount reports whether the numbers look like counts: whole, with zeros in a twentieth of the rows at least, and more than twice as far up
// as most are, which lie below 10.
func (c *Column) MayCount() bool {
	if !c.IsNumber() || !c.whole || c.least != 0 || c.largest < 3 || 20*c.levels["0"] < c.Known() {
		return false
	}
	few := 0
	for text, n := range c.levels {
		if x, err := strconv.ParseFloat(text, 64); err == nil && 2*x < min(20, c.largest) {
			few += n
		}
	}
	return 2*few > c.Known()
}

// varies reports whether so many rows have another value than most that all folds, and those inside their training rows, are likely to have
// several: 10, or in a small table a quarter; and whether a class has three rows on average.
func (c *Column) varies() bool {
	return c.Known()-c.Most() >= min(10, c.Known()/4) && (!c.IsClass() || c.Known() >= 3*len(c.Levels) || c.Separator() != "")
}

// allDistinct reports whether all values differ, in more than 10 rows.
func (c *Column) allDistinct() bool {
	return c.Rows > 10 && (len(c.Levels) == c.Rows || c.sampled && len(c.Levels) == c.looked())
}

var (
	idName      = regexp.MustCompile(`(?i)^(id|key|index|row|row_?(id|names?|number)|no|nr|number|uuid|sample|case|record|obs|observation|seq|rank|x|unnamed.*|\.\.\.\d+)$|[_. -]id$`)
	pandasIndex = regexp.MustCompile(`^__index_level_[0-9]+__$`)
	unnamedName = regexp.MustCompile(`(?i)^(unnamed.*|\.\.\.\d+|)$`)
)

// IsCounter reports whether a column numbers the rows: from 0 or 1, or from any number if its name says so.
func (c *Column) IsCounter() bool {
	if !c.IsNumber() || c.Missing > 0 || !c.rises || !c.counts || c.Rows < 3 {
		return false
	}
	return unnamedName.MatchString(c.Name) || c.Rows > 10 && (c.first == 0 || c.first == 1 || idName.MatchString(c.Name))
}

// Rises reports whether a column has rising whole numbers: it may number the rows, or be what the file is sorted by.
func (c *Column) Rises() bool { return c.IsNumber() && c.Missing == 0 && c.rises && c.allDistinct() }

// Repeats reports whether several rows have the same value.
func (c *Column) Repeats() bool { return len(c.Levels) < c.Known() }

// IsID reports whether a column identifies rows: all values differ, and they are no numbers, or whole ones and the name says so; where the
// name could be that of a measurement, they rise, too, or number the rows in another order.
func (c *Column) IsID() bool {
	if !c.allDistinct() || c.IsDate() || c.IsText() || c.Name == "" {
		return false
	}
	named := entityIDName.MatchString(c.Name) || groupName.MatchString(c.Name) || unnamedName.MatchString(c.Name) || c.rises && idName.MatchString(c.Name) || c.numbersRows() && shuffledName.MatchString(c.Name)
	return !c.IsNumber() || c.whole && named
}

// shuffledName matches names of ids, but for those that an order that was measured may have.
var shuffledName = regexp.MustCompile(`(?i)^(key|index|row|row_?(id|names?|number)|no|nr|number|sample|case|record|obs|observation)$`)

// numbersRows reports whether a column has the numbers of the rows, from 0 or 1, in any order.
func (c *Column) numbersRows() bool {
	return c.IsNumber() && c.whole && !c.sampled && c.allDistinct() && (c.least == 0 || c.least == 1) && c.largest-c.least == float64(c.Rows-1)
}

// Unwieldy reports whether a text column has too many values for a feature each.
func (c *Column) Unwieldy() bool {
	return !c.IsNumber() && (len(c.Levels) > max(30, c.Known()/20))
}

var groupName = regexp.MustCompile(`(?i)^(group|customer|client|user|patient|subject|person|participant|household|family|account|document|session|site|batch)([_.]?(id|no|nr|key|number))?$`)

// entityIDName matches names of columns that identify something; if several rows share a value, it is what they belong to.
var entityIDName = regexp.MustCompile(`(?i)^(id|.+[_. -]id)$`)

// IsGroup reports whether a column groups rows, by its name: several rows share a value, and there are more than 10 values. The subject of
// a message, of several words, is no patient.
func (c *Column) IsGroup() bool {
	if p := c.prose; strings.EqualFold(c.Name, "subject") && 2*p.words > 3*p.cells {
		return false
	}
	return (groupName.MatchString(c.Name) || entityIDName.MatchString(c.Name)) && c.Missing == 0 && c.Repeats() && len(c.Levels) > 10
}

// Column returns the column of that name, or nil. It looks where columns were when their number was last another one.
func (f *Found) Column(name string) *Column {
	if len(f.places) != len(f.Columns) {
		f.places = make(map[string]int, len(f.Columns))
		for i, c := range f.Columns {
			f.places[c.Name] = i
		}
	}
	if i, known := f.places[name]; known && i < len(f.Columns) && f.Columns[i].Name == name {
		return &f.Columns[i]
	}
	i := slices.IndexFunc(f.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &f.Columns[i]
}

// Names returns the names of the columns.
func (f *Found) Names() []string {
	var names []string
	for _, c := range f.Columns {
		names = append(names, c.Name)
	}
	return names
}

// lookAtParquet reads a Parquet file.
func (f *Found) lookAtParquet(ctx context.Context, in source.Input) error {
	content, _, err := in.Bytes("all")
	if err != nil {
		return err
	}
	rows, refused, err := tablefile.LookParquet(ctx, in, "all", func(header []string) ([]func(tablefile.Value) error, error) {
		if err := f.nameColumns(header); err != nil {
			return nil, err
		}
		return f.takers(len(content), false), nil
	})
	if err != nil {
		return err
	}
	f.Rows = rows
	for k := range f.Columns {
		f.Columns[k].Refused = refused[f.Columns[k].Name]
	}
	f.settle()
	f.tellTexts()
	return nil
}

// IsIndex reports whether a column has the name of an index that pandas writes.
func (c *Column) IsIndex() bool { return pandasIndex.MatchString(c.Name) }
