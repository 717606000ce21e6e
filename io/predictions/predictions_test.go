package predictions

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// texts and numbers that are hard to write.
var (
	texts   = []string{"a", "", "b,c", "say \"no\"", "two\nlines", "ä ", "  x"}
	numbers = []float64{math.NaN(), 0.1, math.Copysign(0, -1), math.Inf(1), math.SmallestNonzeroFloat64, 1.0 / 3, -1e300}
)

// columns of a table whose rows begin at one of these.
func columns(first int) []Column {
	return []Column{
		{Name: "row", Text: func(i int) string { return strconv.Itoa(first + i) }},
		{Name: "prediction", Text: func(i int) string { return texts[(first+i)%len(texts)] }},
		{Name: "a, b", Number: func(i int) float64 { return numbers[(first+i)%len(numbers)] }},
	}
}

// cell is what a reader finds: a text, or the bits of a number.
func cell(i, column int) string {
	switch column {
	case 0:
		return strconv.Itoa(i)
	case 1:
		return texts[i%len(texts)]
	}
	return bits(numbers[i%len(numbers)])
}

func bits(x float64) string {
	if math.IsNaN(x) {
		return "none"
	}
	return strconv.FormatUint(math.Float64bits(x), 16)
}

// forms are the kinds of files with what reads them back: the names of columns, and the cells of all rows.
var forms = []struct {
	name string
	new  func(*bytes.Buffer) Writer
	read func(t *testing.T, file []byte) (names []string, rows [][]string)
}{
	{"CSV", func(b *bytes.Buffer) Writer { return NewCSV(b, true) }, func(t *testing.T, file []byte) ([]string, [][]string) {
		all, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all[1:] {
			x, err := strconv.ParseFloat(r[2], 64)
			if r[2] == "" {
				x, err = math.NaN(), nil
			}
			if err != nil {
				t.Error(err)
			}
			r[2] = bits(x)
		}
		return all[0], all[1:]
	}},
	{"Parquet", func(b *bytes.Buffer) Writer { return NewParquet(b) }, func(t *testing.T, file []byte) (names []string, rows [][]string) {
		f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range f.Root().Columns() {
			names = append(names, c.Name())
		}
		for _, g := range f.RowGroups() {
			all := make([]parquet.Row, g.NumRows())
			from := g.Rows()
			if n, _ := from.ReadRows(all); n != len(all) {
				t.Fatalf("%d of %d rows", n, len(all))
			}
			for _, r := range all {
				number := "none"
				if !r[2].IsNull() {
					number = bits(r[2].Double())
				}
				rows = append(rows, []string{r[0].String(), r[1].String(), number})
			}
			if err := from.Close(); err != nil {
				t.Fatal(err)
			}
		}
		return names, rows
	}},
}

// TestRoundTrip: tables of several files are one, each row as it was, numbers to the last bit, and none where there is none.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, form := range forms {
		for _, parts := range [][]int{{0}, {1}, {7}, {1024}, {1, 0, 2}, {1500, 3000, 5}} {
			var b bytes.Buffer
			w := form.new(&b)
			first := 0
			for _, n := range parts {
				if err := w.Write(columns(first), n); err != nil {
					t.Fatal(err)
				}
				first += n
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			names, rows := form.read(t, b.Bytes())
			if !slices.Equal(names, []string{"row", "prediction", "a, b"}) || len(rows) != first {
				t.Fatalf("%s of %v: columns %q, %d rows", form.name, parts, names, len(rows))
			}
			for i, r := range rows {
				for k := range r {
					if r[k] != cell(i, k) {
						t.Fatalf("%s of %v: row %d, column %d is %q, want %q", form.name, parts, i, k, r[k], cell(i, k))
					}
				}
			}
		}
	}
}

// TestNothing: without any table the file is sound, and empty.
func TestNothing(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := NewCSV(&b, true).Close(); err != nil || b.Len() != 0 {
		t.Errorf("CSV: %v, %q", err, b.String())
	}
	if err := NewParquet(&b).Close(); err != nil {
		t.Fatal(err)
	}
	if f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len())); err != nil || f.NumRows() != 0 {
		t.Errorf("Parquet: %v", err)
	}
}

// full is a disk without room.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestFullDisk: an error of the file reaches whoever writes, at the end at the latest.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	long := []Column{{Name: "row", Text: func(i int) string { return strings.Repeat(strconv.Itoa(i), 100) }}}
	for _, rows := range []int{0, 1, 3000} {
		for name, w := range map[string]Writer{"CSV": NewCSV(full{}, true), "Parquet": NewParquet(full{})} {
			if err := errors.Join(w.Write(long, rows), w.Close()); !errors.Is(err, errFull) {
				t.Errorf("%s of %d rows: %v", name, rows, err)
			}
		}
	}
}
