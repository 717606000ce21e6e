package folds

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"tenfold/engines/data"
)

// Span is a stretch of rows in order of time: a number of rows, or all rows within a duration.
type Span struct {
	Rows int
	Time time.Duration // if the time column has dates
}

// UnmarshalText reads 50 (rows), 30d, 2w or 36h.
func (s *Span) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err == nil && n >= 0 {
		*s = Span{Rows: n}
		return nil
	}
	if d, err := parseDuration(string(text)); err == nil && d >= 0 {
		*s = Span{Time: d}
		return nil
	}
	return fmt.Errorf("expected a number of rows, or a time such as 30d, 2w or 36h, found %q", text)
}

// MarshalText writes what UnmarshalText reads.
func (s Span) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (s Span) String() string {
	switch day := 24 * time.Hour; {
	case s.Time == 0:
		return strconv.Itoa(s.Rows)
	case s.Time%day == 0:
		return strconv.Itoa(int(s.Time/day)) + "d"
	}
	return s.Time.String()
}

// parseDuration reads a time.Duration, or a number of days or weeks.
func parseDuration(text string) (time.Duration, error) {
	for unit, length := range map[string]time.Duration{"d": 24 * time.Hour, "w": 7 * 24 * time.Hour} {
		if digits, ok := strings.CutSuffix(text, unit); ok {
			n, err := strconv.ParseUint(digits, 10, 16)
			return time.Duration(n) * length, err
		}
	}
	return time.ParseDuration(text)
}

// startBefore returns the first row of the span that ends before rows[end], at time t; end if it is empty. rows are in
// order of time.
func (s Span) startBefore(d *data.Dataset, rows []int32, end int, t float64) (start int, since float64) {
	if s.Time > 0 {
		since = t - s.Time.Seconds()
		start = sort.Search(end, func(k int) bool { return d.Time[rows[k]] > since })
		return start, since
	}
	if start = max(0, end-s.Rows); start < end {
		t = d.Time[rows[start]]
	}
	return start, t
}
