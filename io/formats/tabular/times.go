package tabular

import (
	"fmt"
	"math"
	"strings"
	"time"

	"tenfold/io/workbook"
)

// times are numbers, or seconds since 1970 where the cells are dates.
type times struct {
	name       string
	dates      bool
	seconds    []float64 // of dates with slashes, as if the day came first; NaN where it cannot
	monthFirst []float64 // of these, as if the month came first; nil without slashes
	example    string    // of them
}

// layouts are those of dates; a fraction of the seconds is read without a word in the layout.
var layouts = []string{
	time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly,
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05-07", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 MST",
	"2006/01/02", "2006/01/02 15:04", "2006/01/02 15:04:05", "2.1.2006", "2.1.2006 15:04", "2.1.2006 15:04:05",
}

// clocks may follow a date with slashes, in which the day or the month comes first.
var clocks = []string{"", " 15:04", " 15:04:05", " 3:04 PM", " 3:04:05 PM"}

func (t *times) addCell(c cell) error {
	if c.missing() {
		return errMissing
	}
	x, isNumber := c.number()
	day, month, isDate := x, x, false
	if isTime(c) {
		isDate = true
	} else if !isNumber {
		day, month, isDate = parseDate(c.text())
	}
	if len(t.seconds) == 0 {
		t.dates = isDate
	}
	switch {
	case !isNumber && !isDate:
		return fmt.Errorf("found %q, expected a number or a date such as 2006-01-02 or 2006-01-02T15:04:05Z", c.text())
	case isDate != t.dates:
		return fmt.Errorf("found %q, expected all times to be dates or all to be numbers", c.text())
	}
	if day != month && t.monthFirst == nil {
		t.monthFirst = append(make([]float64, 0, cap(t.seconds)), t.seconds...)
		t.example = strings.Clone(c.text())
	}
	if t.seconds = append(t.seconds, day); t.monthFirst != nil {
		t.monthFirst = append(t.monthFirst, month)
	}
	return nil
}

// isTime reports whether a cell is declared to be a date or a time.
func isTime(c cell) bool {
	switch c := c.(type) {
	case *stored:
		return c.layout != ""
	case *sheetCell:
		return c.Kind == workbook.Date
	}
	return false
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

// IsDate reports whether a column of times can have the text as a date, and whether the day and the month can come first: both are true
// without slashes.
func IsDate(text string) (is, dayFirst, monthFirst bool) {
	day, month, ok := parseDate(text)
	return ok, day == day, month == month
}

// parseDate returns the seconds since 1970 of a date, as if the day or the month came first in one with slashes; NaN if that cannot be.
func parseDate(text string) (dayFirst, monthFirst float64, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) < 8 || text[0] < '0' || text[0] > '9' {
		return 0, 0, false
	}
	if HasSlashes(text) {
		dayFirst, monthFirst = math.NaN(), math.NaN()
		for _, clock := range clocks {
			if when, err := time.Parse("2/1/2006"+clock, text); err == nil {
				dayFirst, ok = seconds(when), true
			}
			if when, err := time.Parse("1/2/2006"+clock, text); err == nil {
				monthFirst, ok = seconds(when), true
			}
		}
		return dayFirst, monthFirst, ok
	}
	for _, layout := range layouts {
		if when, err := time.Parse(layout, text); err == nil {
			return seconds(when), seconds(when), true
		}
	}
	return 0, 0, false
}

// HasSlashes reports whether a text may be a date with slashes that does not begin with the year.
func HasSlashes(text string) bool {
	return strings.Count(text, "/") == 2 && strings.IndexByte(text, '/') < 4
}

func seconds(when time.Time) float64 { return float64(when.Unix()) + float64(when.Nanosecond())/1e9 }
