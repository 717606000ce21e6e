package tabular

import (
	"fmt"
	"strings"

	"tenfold/io/tablefile"
)

// times are numbers, or seconds since 1970 where the cells are dates.
type times struct {
	name       string
	dates      bool
	seconds    []float64 // of dates with slashes, as if the day came first; NaN where it cannot
	monthFirst []float64 // of these, as if the month came first; nil without slashes
	example    string    // of them
}

func (t *times) AddCell(c tablefile.Cell) error {
	if c.Missing() {
		return errMissing
	}
	x, isNumber := c.Number()
	day, month, isDate := x, x, false
	if tablefile.IsTime(c) {
		isDate = true
	} else if !isNumber {
		day, month, isDate = tablefile.ParseDate(c.Text())
	}
	if len(t.seconds) == 0 {
		t.dates = isDate
	}
	switch {
	case !isNumber && !isDate:
		return fmt.Errorf("found %q, expected a number or a date such as 2006-01-02 or 2006-01-02T15:04:05Z", c.Text())
	case isDate != t.dates:
		return fmt.Errorf("found %q, expected all times to be dates or all to be numbers", c.Text())
	}
	if day != month && t.monthFirst == nil {
		t.monthFirst = append(make([]float64, 0, cap(t.seconds)), t.seconds...)
		t.example = strings.Clone(c.Text())
	}
	if t.seconds = append(t.seconds, day); t.monthFirst != nil {
		t.monthFirst = append(t.monthFirst, month)
	}
	return nil
}

// finish returns the times. It returns an error if dates with slashes can be read both ways, or in neither.
func (t *times) finish() ([]float64, error) {
	if t.monthFirst == nil {
		return t.seconds, nil
	}
	day, month := allKnown(t.seconds), allKnown(t.monthFirst)
	switch {
	case day && month:
		return nil, fmt.Errorf("column %q: is the day or the month first in %s? No cell tells: write such dates as 2006-01-02", t.name, t.example)
	case day:
		return t.seconds, nil
	case month:
		return t.monthFirst, nil
	}
	return nil, fmt.Errorf("column %q: dates such as %s, in some of which the day is first, in others the month; write them as 2006-01-02", t.name, t.example)
}

func allKnown(x []float64) bool {
	for _, v := range x {
		if v != v {
			return false
		}
	}
	return true
}
