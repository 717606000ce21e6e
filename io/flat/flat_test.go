package flat

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
)

type row struct {
	name  string
	value float64
	n     int64
}

// columns in an order that is not that of their names.
var columns = []Column[row]{
	{"value", Number(), func(r *row) parquet.Value { return NumberValue(r.value) }},
	{"n", parquet.Int(64), func(r *row) parquet.Value { return parquet.Int64Value(r.n) }},
	{"name", Text(), func(r *row) parquet.Value { return TextValue(r.name) }},
}

func written(t *testing.T, rows []row) *parquet.File {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, "rows", columns)
	for _, r := range rows {
		if err := w.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	w.Stamp("key", "value of it")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// values of a column, NULL as such.
func values(t *testing.T, f *parquet.File, name string) (out []string) {
	t.Helper()
	at := f.Root().Column(name).Index()
	for _, g := range f.RowGroups() {
		pages := g.ColumnChunks()[at].Pages()
		for {
			page, err := pages.ReadPage()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			some := make([]parquet.Value, page.NumValues())
			if n, err := page.Values().ReadValues(some); n != len(some) || err != nil && !errors.Is(err, io.EOF) {
				t.Fatal(n, err)
			}
			for _, v := range some {
				switch {
				case v.IsNull():
					out = append(out, "NULL")
				case v.Kind() == parquet.Double:
					out = append(out, fmt.Sprintf("%x", v.Double()))
				default:
					out = append(out, v.String())
				}
			}
		}
		if err := pages.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestRoundTrip: columns keep their order, and rows theirs, in any number; numbers are kept to the last bit, and NaN is NULL.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	some := []float64{math.NaN(), 0.1, math.Copysign(0, -1), math.Inf(-1), math.SmallestNonzeroFloat64, 1}
	for _, n := range []int{0, 1, batch - 1, batch, batch + 1, 3*batch + 7} {
		var rows []row
		var names, counts, numbers []string
		for i := range n {
			r := row{fmt.Sprint("ä", i%7), some[i%len(some)], int64(i)}
			rows = append(rows, r)
			names, counts = append(names, r.name), append(counts, fmt.Sprint(i))
			if number := fmt.Sprintf("%x", r.value); i%len(some) == 0 {
				numbers = append(numbers, "NULL")
			} else {
				numbers = append(numbers, number)
			}
		}
		f := written(t, rows)
		var order []string
		for _, c := range f.Root().Columns() {
			order = append(order, c.Name())
		}
		if !slices.Equal(order, []string{"value", "n", "name"}) {
			t.Fatalf("columns %v", order)
		}
		if stamp, _ := f.Lookup("key"); stamp != "value of it" {
			t.Errorf("footer %q", stamp)
		}
		for name, want := range map[string][]string{"name": names, "n": counts, "value": numbers} {
			if got := values(t, f, name); !slices.Equal(got, want) {
				t.Errorf("%d rows: %s is %v, want %v", n, name, got, want)
			}
		}
	}
}

// TestGroups: however rows come, no group is larger than MostRows, nor is one but the last small.
func TestGroups(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := NewWriter(&b, "rows", columns[1:2])
	for i := range 2*groups + 10 {
		if err := w.Add(row{n: int64(i)}); err != nil {
			t.Fatal(err)
		}
		if i%1000 == 999 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	all := int64(0)
	for k, g := range f.RowGroups() {
		n := g.NumRows()
		if all += n; n > MostRows || n < groups && k+1 < len(f.RowGroups()) {
			t.Errorf("group %d has %d rows", k, n)
		}
	}
	if all != 2*groups+10 || len(f.RowGroups()) != 3 {
		t.Errorf("%d rows in %d groups", all, len(f.RowGroups()))
	}
}

// full is a disk without room.
type full struct{ room int }

var errFull = errors.New("no space left")

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestFullDisk: where the file ends does not matter, its end is an error.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	for _, room := range []int{0, 10, 1 << 10} {
		w := NewWriter(&full{room}, "rows", columns)
		var err error
		for i := 0; i < 3*groups && err == nil; i++ {
			err = w.Add(row{value: float64(i) * math.Pi, n: int64(i * i)})
		}
		if end := w.Close(); !errors.Is(errors.Join(err, end), errFull) {
			t.Errorf("%d bytes: %v, %v", room, err, end)
		}
	}
}
