package rawtext

import (
	"math"
	"strconv"
)

// ParseNumber parses a finite decimal number. It reports false for all else: text, NaN, infinities, numbers beyond the range of
// float64, hexadecimal digits, underscores.
func ParseNumber(s string) (x float64, ok bool) {
	for k := range len(s) {
		switch c := s[k]; {
		case '0' <= c && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
		default:
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil
}

// ParseValue parses a value of a matrix: a finite number, or NaN where a text says that it is missing.
func ParseValue(s string) (x float64, ok bool) {
	switch s {
	case "nan", "NaN", "NAN", "-nan", "NA":
		return math.NaN(), true
	}
	return ParseNumber(s)
}
