package tablefile

import (
	"math"
	"strings"
	"time"
)

// layouts are those of dates; a fraction of the seconds is read without a word in the layout.
var layouts = []string{
	time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly,
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05-07", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 MST",
	"2006/01/02", "2006/01/02 15:04", "2006/01/02 15:04:05", "2.1.2006", "2.1.2006 15:04", "2.1.2006 15:04:05",
}

// clocks may follow a date with slashes, in which the day or the month comes first.
var clocks = []string{"", " 15:04", " 15:04:05", " 3:04 PM", " 3:04:05 PM"}

// IsDate reports whether a column of times can have the text as a date, and whether the day and the month can come first: both are true
// without slashes.
func IsDate(text string) (is, dayFirst, monthFirst bool) {
	day, month, ok := ParseDate(text)
	return ok, day == day, month == month
}

// ParseDate returns the seconds since 1970 of a date, as if the day or the month came first in one with slashes; NaN if that cannot be.
func ParseDate(text string) (dayFirst, monthFirst float64, ok bool) {
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
