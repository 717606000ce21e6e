package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/io/source"
)

// Load validates a format, and reads files with it by role, as Input returns them. It fails if accepted data is not sound.
func Load(s source.Source, contents map[string]string) (*data.Dataset, error) {
	return load(s, Input(contents))
}

func load(s source.Source, in source.Input) (*data.Dataset, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	d, err := s.Load(context.Background(), in)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(d.Check(), filled(d.X).Check()); err != nil {
		return nil, unsound{err}
	}
	return d, nil
}

// filled returns a matrix with numbers in place of its gaps (NaN), which recipes would fill.
func filled(x *sparse.Matrix) *sparse.Matrix {
	_, columns := x.Dims()
	ptr, idx, val := x.Rows()
	val = slices.Clone(val)
	for k, v := range val {
		if math.IsNaN(v) {
			val[k] = 1
		}
	}
	return sparse.New(columns, ptr, idx, val)
}

// unsound is an error of the reader, not of the files it read.
type unsound struct{ error }

func (u unsound) Error() string { return fmt.Sprintf("accepted, but %v", u.error) }

// MustLoad loads valid files.
func MustLoad(tb testing.TB, s source.Source, contents map[string]string) *data.Dataset {
	tb.Helper()
	return Read(tb, s, Input(contents))
}

// Read loads valid files of any Input.
func Read(tb testing.TB, s source.Source, in source.Input) *data.Dataset {
	tb.Helper()
	d, err := load(s, in)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// Fuzz fails if files of any content give neither an error nor a sound data set.
func Fuzz(tb testing.TB, s source.Source, contents map[string]string) {
	tb.Helper()
	var bad unsound
	if _, err := Load(s, contents); errors.As(err, &bad) {
		tb.Fatal(err)
	}
}

// Fact returns the value of the first fact whose name has the prefix.
func Fact(d *data.Dataset, name string) string {
	for _, f := range d.Facts {
		if strings.HasPrefix(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Levels formats the levels of a class with the number of rows of each: no 3, yes 4.
func Levels(t data.Target) string {
	count := make([]int, len(t.Levels))
	for _, y := range t.Values {
		count[int(y)]++
	}
	parts := make([]string, len(count))
	for l, n := range count {
		parts[l] = fmt.Sprintf("%s %d", t.Levels[l], n)
	}
	return strings.Join(parts, ", ")
}
