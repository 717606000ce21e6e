// Package exact reads and writes numbers in JSON without loss, to the last bit. JSON cannot represent numbers that are not finite;
// here these are the strings "NaN", "Infinity" and "-Infinity".
package exact

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// Float is a number that JSON preserves exactly.
type Float float64

// MarshalJSON returns the shortest text that no other number has.
func (x Float) MarshalJSON() ([]byte, error) { return appendFloat(nil, float64(x)), nil }

// UnmarshalJSON reads the number.
func (x *Float) UnmarshalJSON(text []byte) error {
	v, err := parseNumber(text)
	*x = Float(v)
	return err
}

// Floats is a list of numbers, fast for long lists. nil is null.
type Floats []float64

// MarshalJSON returns the list as a JSON array.
func (list Floats) MarshalJSON() ([]byte, error) {
	if list == nil {
		return []byte("null"), nil
	}
	text := append(make([]byte, 0, 2+20*len(list)), '[')
	for k, x := range list {
		if k > 0 {
			text = append(text, ',')
		}
		text = appendFloat(text, x)
	}
	return append(text, ']'), nil
}

// UnmarshalJSON reads the list.
func (list *Floats) UnmarshalJSON(text []byte) error {
	*list = nil
	if bytes.Equal(text, []byte("null")) {
		return nil
	}
	if len(text) < 2 || text[0] != '[' {
		return fmt.Errorf("found %s, expected a list of numbers", abbreviate(text))
	}
	text = text[1 : len(text)-1]
	if len(bytes.TrimSpace(text)) == 0 {
		*list = Floats{}
		return nil
	}
	out := make(Floats, 0, 1+bytes.Count(text, []byte(",")))
	for one := range bytes.SplitSeq(text, []byte(",")) {
		v, err := parseNumber(bytes.TrimSpace(one))
		if err != nil {
			return err
		}
		out = append(out, v)
	}
	*list = out
	return nil
}

// Pack returns a few numbers as a JSON array.
func Pack(numbers ...float64) ([]byte, error) { return Floats(numbers).MarshalJSON() }

// Unpack reads what Pack wrote: the array must have as many numbers.
func Unpack(text []byte, numbers ...*float64) error {
	var list Floats
	if err := list.UnmarshalJSON(text); err != nil {
		return err
	}
	if len(list) != len(numbers) {
		return fmt.Errorf("found %d numbers, expected %d", len(list), len(numbers))
	}
	for k, v := range list {
		*numbers[k] = v
	}
	return nil
}

// Texts of numbers that are not finite.
const (
	notANumber = `"NaN"`
	above      = `"Infinity"`
	below      = `"-Infinity"`
)

func appendFloat(text []byte, x float64) []byte {
	switch {
	case x != x:
		return append(text, notANumber...)
	case x > math.MaxFloat64:
		return append(text, above...)
	case x < -math.MaxFloat64:
		return append(text, below...)
	}
	return strconv.AppendFloat(text, x, 'g', -1, 64)
}

// parseNumber parses a number in valid JSON, which excludes the other formats that ParseFloat reads.
func parseNumber(text []byte) (float64, error) {
	switch string(text) {
	case notANumber:
		return math.NaN(), nil
	case above:
		return math.Inf(1), nil
	case below:
		return math.Inf(-1), nil
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return 0, fmt.Errorf("found %s, expected a number, %s, %s or %s", abbreviate(text), notANumber, above, below)
	}
	return x, nil
}

// abbreviate returns the text, shortened if it is long.
func abbreviate(text []byte) string {
	const most = 40
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
