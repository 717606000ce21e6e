package draft

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
)

// Column of a table, as far as it was looked at.
type Column struct {
	Name    string
	Rows    int
	Missing int      // cells without a value
	Numbers int      // cells that are numbers
	Dates   int      // cells that are dates
	Levels  []string // distinct values, in order of coming
	More    bool     // there are more, and nothing is known of them
	levels  map[string]bool
}

func (c *Column) add(cell string) {
	c.Rows++
	cell = strings.TrimSpace(cell)
	switch cell {
	case "", "NA", "NaN", "nan":
		c.Missing++
		return
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		c.Numbers++
	} else if isDate(cell) {
		c.Dates++
	}
	if c.levels == nil {
		c.levels = map[string]bool{}
	}
	if !c.levels[cell] {
		c.levels[cell] = true
		c.Levels = append(c.Levels, cell)
	}
}

func isDate(cell string) bool {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if _, err := time.Parse(layout, cell); err == nil {
			return true
		}
	}
	return false
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

// unlike tells whether no two of several rows have the same value.
func (c *Column) unlike() bool { return c.Rows > 10 && !c.More && len(c.Levels) == c.Rows }

var idName = regexp.MustCompile(`(?i)^(id|key|index|row|row_?id|no|nr|number|uuid)$|[_.]id$`)

// Repeats tells whether several rows have the same value.
func (c *Column) Repeats() bool { return !c.More && len(c.Levels) < c.Known() }

// IsID tells a column that identifies rows: its values are all different, and its name says so or they are no numbers.
func (c *Column) IsID() bool {
	return c.unlike() && !c.IsDate() && (idName.MatchString(c.Name) || !c.IsNumber())
}

// Unwieldy tells a column of texts with too many values for one column each.
func (c *Column) Unwieldy() bool {
	return !c.IsNumber() && (c.More || len(c.Levels) > max(30, c.Known()/20))
}

var groupName = regexp.MustCompile(`(?i)^(group|customer|client|user|patient|subject|person|participant|household|family|account|document|session|site|batch)([_.]?(id|no|nr|key|number))?$`)

// IsGroup tells a column that says what rows belong to, by its name: several rows have the same value, and there are many.
func (c *Column) IsGroup() bool {
	return groupName.MatchString(c.Name) && c.Repeats() && len(c.Levels) > 10
}

var targetName = regexp.MustCompile(`(?i)^(target|label|class|y|response|outcome)$`)

// Suggested is the column that is to be predicted, by its name, or the last; "" where there is none.
func (f *Found) Suggested() string {
	for _, c := range f.Columns {
		if targetName.MatchString(c.Name) {
			return c.Name
		}
	}
	if len(f.Columns) == 0 {
		return ""
	}
	return f.Columns[len(f.Columns)-1].Name
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

func (f *Found) lookAtText(begin []byte) error {
	comma := ','
	if f.Format == TSV {
		comma = '\t'
	} else if first, _, _ := bytes.Cut(begin, []byte("\n")); bytes.Count(first, []byte(";")) > bytes.Count(first, []byte(",")) {
		comma, f.Delimiter = ';', ";"
	}
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(begin, []byte("\ufeff"))))
	r.Comma, r.ReuseRecord = comma, true
	for {
		record, err := r.Read()
		switch {
		case err == io.EOF && f.Columns == nil:
			return errors.New("it has no header row")
		case err == io.EOF && f.Rows == 0:
			return errors.New("it has a header row and no other")
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("as %s: %w", f.Format, err)
		case f.Columns == nil:
			if len(record) == 1 {
				return fmt.Errorf("as %s it has one column, %q: what divides the cells?", f.Format, record[0])
			}
			f.Headless = !slices.ContainsFunc(record, func(name string) bool { _, err := strconv.ParseFloat(name, 64); return err != nil })
			for k, name := range record {
				if f.Headless {
					name = strconv.Itoa(k + 1)
				}
				f.Columns = append(f.Columns, Column{Name: strings.Clone(name)})
			}
			if !f.Headless {
				continue
			}
		}
		f.Rows++
		for k, cell := range record {
			f.Columns[k].add(strings.Clone(cell))
		}
	}
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
					f.Columns[v.Column()].add(value(v, file.Root().Columns()[v.Column()]))
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
				c.add(strings.Trim(strings.TrimSpace(level), `'"`))
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
			f.Labels.add(strings.TrimPrefix(words[0], "+"))
		}
	}
	if f.Rows == 0 {
		return errors.New("it has no line with a label")
	}
	return nil
}
