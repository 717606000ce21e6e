package draft

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/formats/tabular"
)

// lookAtText reads a text table: it detects the delimiter, the header and the decimal sign.
func (f *Found) lookAtText(begin []byte) error {
	begin = bytes.TrimPrefix(begin, []byte("\ufeff"))
	comma := ','
	if f.Format == TSV {
		comma = '\t'
	} else if comma = detectDelimiter(begin); comma != ',' {
		f.Delimiter = string(comma)
	}
	r := csv.NewReader(bytes.NewReader(begin))
	r.Comma = comma
	var rows [][]string
	for {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return f.rowError(record, rows, err)
		}
		rows = append(rows, record)
	}
	switch {
	case len(rows) == 0:
		return errors.New("it has no header row")
	case len(rows[0]) == 1:
		return fmt.Errorf("as %s it has one column, %q: what divides the cells?", f.Format, rows[0][0])
	}
	header := slices.Clone(rows[0])
	f.Headless = !slices.ContainsFunc(header, func(name string) bool { _, ok := tabular.ParseNumber(strings.TrimSpace(name), false); return !ok })
	for k, name := range header {
		if header[k] = strings.TrimSpace(name); f.Headless {
			header[k] = strconv.Itoa(k + 1)
		}
	}
	if !f.Headless {
		if rows = rows[1:]; len(rows) == 0 {
			return errors.New("it has a header row and no other")
		}
	}
	if err := f.nameColumns(header); err != nil {
		return err
	}
	if hasDecimalComma(rows) {
		f.Decimal = ","
	}
	f.Rows = len(rows)
	f.addRows(rows)
	if f.Markers = f.markers(); f.Markers != nil {
		for k, name := range f.Names() {
			f.Columns[k] = Column{Name: name}
		}
		f.addRows(rows)
	}
	return nil
}

func (f *Found) addRows(rows [][]string) {
	for _, record := range rows {
		for k, cell := range record {
			if slices.Contains(f.Markers, strings.TrimSpace(cell)) {
				cell = ""
			}
			f.Columns[k].addCell(cell, f.Decimal != "")
		}
	}
}

// markers returns the usual texts for missing values that are in columns of numbers otherwise, in the order of tabular.Markers.
func (f *Found) markers() (found []string) {
	seen := map[string]bool{}
	for k := range f.Columns {
		var odd []string
		c := &f.Columns[k]
		rest := c.Known() - c.Numbers
		for text, n := range c.levels {
			if marker := strings.TrimSpace(text); slices.Contains(tabular.Markers, marker) {
				odd, rest = append(odd, marker), rest-n
			}
		}
		for _, marker := range odd {
			seen[marker] = seen[marker] || rest == 0 && c.Numbers > 0
		}
	}
	for _, marker := range tabular.Markers {
		if seen[marker] {
			found = append(found, marker)
		}
	}
	return found
}

// detectDelimiter returns the most frequent of , ; | and blanks in the first row, if they divide it.
func detectDelimiter(begin []byte) rune {
	first, _, _ := bytes.Cut(begin, []byte("\n"))
	best, most := ',', bytes.Count(first, []byte(","))
	for _, sign := range ";|" {
		if n := bytes.Count(first, []byte(string(sign))); n > most {
			best, most = sign, n
		}
	}
	if most == 0 && bytes.Contains(first, []byte(" ")) && !bytes.Contains(first, []byte("  ")) {
		return ' '
	}
	return best
}

// rowError returns the error of a row that cannot be read.
func (f *Found) rowError(record []string, rows [][]string, err error) error {
	if errors.Is(err, csv.ErrFieldCount) && len(rows) == 1 && len(record) == len(rows[0])+1 {
		return fmt.Errorf("the first row has %d cells and the second %d: R leaves the name of row names out; write the file with write.csv, or with col.names = NA", len(rows[0]), len(record))
	}
	return fmt.Errorf("as %s: %w", f.Format, err)
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

var (
	withComma = regexp.MustCompile(`^[-+]?[0-9]+,[0-9]+([eE][-+]?[0-9]+)?$`)
	withPoint = regexp.MustCompile(`^[-+]?[0-9]+\.[0-9]+([eE][-+]?[0-9]+)?$`)
)

// hasDecimalComma reports whether decimals follow a comma: some do, and none follows a point.
func hasDecimalComma(rows [][]string) bool {
	comma := false
	for _, record := range rows {
		for _, cell := range record {
			cell = strings.TrimSpace(cell)
			if withPoint.MatchString(cell) {
				return false
			}
			comma = comma || withComma.MatchString(cell)
		}
	}
	return comma
}
