package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/core/sparse"
	"tenfold/engines/data"
	"tenfold/io/source"
)

// Load validates a format, and reads files with it by role, as Input hands them out. What it accepts has to be sound.
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

// filled returns a matrix with numbers in the place of its gaps, NaN, which recipes fill.
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

// unsound is an error of the reader, not of what it read.
type unsound struct{ error }

func (u unsound) Error() string { return fmt.Sprintf("accepted, but %v", u.error) }

// MustLoad is Load of files that are right.
func MustLoad(tb testing.TB, s source.Source, contents map[string]string) *data.Dataset {
	tb.Helper()
	return Read(tb, s, Input(contents))
}

// Read is MustLoad of any files.
func Read(tb testing.TB, s source.Source, in source.Input) *data.Dataset {
	tb.Helper()
	d, err := load(s, in)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// Fuzz fails when files of any content make something else than an error or a sound data set.
func Fuzz(tb testing.TB, s source.Source, contents map[string]string) {
	tb.Helper()
	var bad unsound
	if _, err := Load(s, contents); errors.As(err, &bad) {
		tb.Fatal(err)
	}
}

// Fact returns the value of the first fact whose name begins so.
func Fact(d *data.Dataset, name string) string {
	for _, f := range d.Facts {
		if strings.HasPrefix(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// Levels of a class, and how many rows each has: no 3, yes 4.
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
