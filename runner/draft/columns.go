package draft

import (
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"tenfold/io/source"
	"tenfold/io/table"
)

// Column of a table, as far as it was looked at.
type Column struct {
	Name    string
	Rows    int
	Missing int            // cells without a value
	Numbers int            // cells that are numbers
	Dates   int            // cells that are dates
	Levels  []string       // distinct values, in order of coming; numbers in their shortest form
	More    bool           // there are more, and nothing is known of them
	levels  map[string]int // rows of each

	first, last   float64 // of numbers
	rises, counts bool    // whole numbers so far, each above the one before, or the next one
	odd           string  // the first cell that is neither missing nor a number
}

// add a cell, whose decimals follow a comma or a point.
func (c *Column) add(cell string, comma bool) {
	c.Rows++
	text := strings.TrimSpace(cell)
	switch text {
	case "", "NA", "NaN", "nan":
		c.Missing++
		return
	}
	x, isNumber := table.ParseNumber(text, comma)
	switch {
	case isNumber:
		c.count(x)
		cell = source.PlainNumber(strings.Replace(text, ",", ".", 1))
	case table.IsDate(text):
		c.Dates++
	}
	if !isNumber && c.odd == "" {
		c.odd = text
	}
	if c.levels == nil {
		c.levels = map[string]int{}
	}
	if c.levels[cell]++; c.levels[cell] == 1 {
		c.Levels = append(c.Levels, cell)
	}
}

// count a number.
func (c *Column) count(x float64) {
	c.Numbers++
	if c.Numbers == 1 {
		c.first, c.rises, c.counts = x, true, true
	} else {
		c.rises, c.counts = c.rises && x > c.last, c.counts && x == c.last+1
	}
	c.last, c.rises = x, c.rises && x == math.Trunc(x)
}

// Known is how many cells have a value.
func (c *Column) Known() int { return c.Rows - c.Missing }

// IsNumber tells a column of numbers.
func (c *Column) IsNumber() bool { return c.Known() > 0 && c.Numbers == c.Known() }

// IsDate tells a column of dates.
func (c *Column) IsDate() bool { return c.Known() > 0 && c.Dates == c.Known() }

// IsClass tells a column that is better read as classes: texts, or a few whole numbers.
func (c *Column) IsClass() bool {
	if !c.IsNumber() {
		return true
	}
	whole := !slices.ContainsFunc(c.Levels, func(l string) bool { _, err := strconv.Atoi(l); return err != nil })
	return !c.More && (len(c.Levels) == 2 || whole && len(c.Levels) <= 10 && c.Known() >= 10*len(c.Levels))
}

// Most is how many rows have the most frequent value.
func (c *Column) Most() (n int) {
	for _, k := range c.levels {
		n = max(n, k)
	}
	return n
}

// unlike tells whether no two of several rows have the same value.
func (c *Column) unlike() bool { return c.Rows > 10 && !c.More && len(c.Levels) == c.Rows }

var (
	idName      = regexp.MustCompile(`(?i)^(id|key|index|row|row_?(id|names?|number)|no|nr|number|uuid|sample|case|record|obs|observation|seq|rank|x|unnamed.*|\.\.\.\d+)$|[_. -]id$`)
	unnamedName = regexp.MustCompile(`(?i)^(unnamed.*|\.\.\.\d+|)$`)
)

// IsCounter tells a column that numbers the rows: from 0 or 1, or from anywhere where its name says so.
func (c *Column) IsCounter() bool {
	if !c.IsNumber() || c.More || c.Missing > 0 || !c.rises || !c.counts || c.Rows < 3 {
		return false
	}
	return unnamedName.MatchString(c.Name) || c.Rows > 10 && (c.first == 0 || c.first == 1 || idName.MatchString(c.Name))
}

// Rises tells a column of whole numbers each of which is above the one before: it may number the rows, or be what the file is
// sorted by.
func (c *Column) Rises() bool { return c.IsNumber() && c.Missing == 0 && c.rises && c.unlike() }

// Repeats tells whether several rows have the same value.
func (c *Column) Repeats() bool { return !c.More && len(c.Levels) < c.Known() }

// IsID tells a column that identifies rows: its values are all different, and its name says so or they are no numbers.
func (c *Column) IsID() bool {
	return c.unlike() && !c.IsDate() && c.Name != "" && (idName.MatchString(c.Name) || groupName.MatchString(c.Name) || !c.IsNumber())
}

// Unwieldy tells a column of texts with too many values for one column each.
func (c *Column) Unwieldy() bool {
	return !c.IsNumber() && (c.More || len(c.Levels) > max(30, c.Known()/20))
}

var groupName = regexp.MustCompile(`(?i)^(group|customer|client|user|patient|subject|person|participant|household|family|account|document|session|site|batch)([_.]?(id|no|nr|key|number))?$`)

// IsGroup tells a column that says what rows belong to, by its name: several rows have the same value, and there are many.
func (c *Column) IsGroup() bool {
	return groupName.MatchString(c.Name) && c.Missing == 0 && c.Repeats() && len(c.Levels) > 10
}

var targetName = regexp.MustCompile(`(?i)^(target|label|class|y|response|outcome)$`)

// Suggested is the column that is to be predicted, by its name, or the last that can be; "" where there is none.
func (f *Found) Suggested() (name string, byName bool) {
	for i := range f.Columns {
		if c := &f.Columns[i]; targetName.MatchString(c.Name) && c.Predictable() == "" {
			return c.Name, true
		}
	}
	for i := len(f.Columns) - 1; i >= 0; i-- {
		if c := &f.Columns[i]; c.Predictable() == "" && !c.IsCounter() && !c.IsID() && !c.IsDate() && !c.Unwieldy() && !c.IsGroup() {
			return c.Name, false
		}
	}
	return "", false
}

// Predictable says why a column cannot be predicted, "" where it can be.
func (c *Column) Predictable() string {
	switch {
	case c.Name == "":
		return "it has no name"
	case c.More:
		return ""
	case c.Known() == 0:
		return "it has no values"
	case len(c.Levels) == 1:
		return fmt.Sprintf("it has the same value in every row, %s", c.Levels[0])
	}
	return ""
}

// Column by name; nil where there is none.
func (f *Found) Column(name string) *Column {
	i := slices.IndexFunc(f.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &f.Columns[i]
}

// Names of the columns.
func (f *Found) Names() []string {
	var names []string
	for _, c := range f.Columns {
		names = append(names, c.Name)
	}
	return names
}

// mostRows of a Parquet file are looked at.
const mostRows = 20000

func (f *Found) lookAtParquet() (err error) {
	defer func() { // the library panics on some damaged files
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged: %v", p)
		}
	}()
	in, err := os.Open(f.Path)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	file, err := parquet.OpenFile(in, info.Size())
	if err != nil {
		return err
	}
	for _, c := range file.Root().Columns() {
		if !c.Leaf() || c.Repeated() {
			return fmt.Errorf("column %s is not flat", c.Name())
		}
		f.Columns = append(f.Columns, Column{Name: c.Name()})
	}
	buffer := make([]parquet.Row, 256)
	for _, group := range file.RowGroups() {
		rows := group.Rows()
		for f.Rows < mostRows {
			n, err := rows.ReadRows(buffer)
			for _, row := range buffer[:n] {
				f.Rows++
				for _, v := range row {
					f.Columns[v.Column()].add(value(v, file.Root().Columns()[v.Column()]), false)
				}
			}
			if err != nil {
				break
			}
		}
		if err := rows.Close(); err != nil {
			return err
		}
	}
	f.Partly = int64(f.Rows) < file.NumRows()
	return nil
}

// value of a cell as the reader of tables has it: truth values and times are numbers.
func value(v parquet.Value, c *parquet.Column) string {
	switch {
	case v.IsNull():
		return ""
	case v.Kind() == parquet.Boolean:
		return map[bool]string{false: "0", true: "1"}[v.Boolean()]
	}
	return v.String()
}

var attribute = regexp.MustCompile(`(?i)^\s*@attribute\s+('[^']*'|"[^"]*"|\S+)\s+(.*?)\s*$`)

// lookAtAttributes reads the declarations of an ARFF file.
func (f *Found) lookAtAttributes(begin []byte) error {
	for line := range strings.Lines(string(begin)) {
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(line)), "@data") {
			break
		}
		m := attribute.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			continue
		}
		c := Column{Name: strings.Trim(m[1], `'"`)}
		switch kind := strings.ToLower(m[2]); {
		case strings.HasPrefix(kind, "{"):
			for _, level := range strings.Split(strings.Trim(m[2], "{} "), ",") {
				c.add(strings.Trim(strings.TrimSpace(level), `'"`), false)
			}
			c.Numbers, c.Dates = 0, 0 // levels, whatever they look like
		case strings.HasPrefix(kind, "string"), strings.HasPrefix(kind, "date"):
			c.Rows, c.More = 1, true
		default:
			c.Rows, c.Numbers, c.More = 1, 1, true
		}
		f.Columns = append(f.Columns, c)
	}
	if len(f.Columns) == 0 {
		return errors.New("it declares no attribute")
	}
	return nil
}

// lookAtLabels reads what lines begin with.
func (f *Found) lookAtLabels(begin []byte) error {
	f.Labels = &Column{Name: "label"}
	for line := range strings.Lines(string(begin)) {
		label, _, _ := strings.Cut(line, "|")
		if words := strings.Fields(label); len(words) > 0 && words[0][0] != '#' {
			f.Rows++
			f.Labels.add(strings.TrimPrefix(words[0], "+"), false)
		}
	}
	if f.Rows == 0 {
		return errors.New("it has no line with a label")
	}
	return nil
}
