package tablefile

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"tenfold/io/source/sourcetest"
)

// sample is a row of the table that all files below have.
type sample struct {
	ID   string   `parquet:"id"`
	Dose *float64 `parquet:"dose,optional"`
	Ward string   `parquet:"ward"`
}

// tables returns one table in every kind of file, by the file's name.
func tables(tb testing.TB) map[string]string {
	tb.Helper()
	half := .5
	var stored bytes.Buffer
	w := parquet.NewGenericWriter[sample](&stored, parquet.MaxRowsPerRowGroup(1))
	if _, err := w.Write([]sample{{"a", &half, "east"}, {"b", nil, "west"}}); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	book := excelize.NewFile()
	defer book.Close()
	for k, row := range [][]any{{"id", "dose", "ward"}, {"a", .5, "east"}, {"b", nil, "west"}} {
		if err := book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", k+1), &row); err != nil {
			tb.Fatal(err)
		}
	}
	sheet, err := book.WriteToBuffer()
	if err != nil {
		tb.Fatal(err)
	}
	return map[string]string{
		"a.csv":     "id,dose,ward\na,.5,east\nb,,west\n",
		"a.tsv":     "id\tdose\tward\na\t0.50\teast\nb\tNA\twest\n",
		"a.parquet": stored.String(),
		"a.xlsx":    sheet.String(),
		"a.jsonl":   "{\"id\": \"a\", \"dose\": 0.5, \"ward\": \"east\"}\n{\"ward\": \"west\", \"id\": \"b\"}\n",
	}
}

// TestScan: the cells of a table are the same from every kind of file, and a column that nobody asks for is passed over.
func TestScan(t *testing.T) {
	for name, content := range tables(t) {
		columns := map[string][]string{}
		rows, err := Scan(context.Background(), sourcetest.Input(map[string]string{name: content}), name, func(header []string) ([]func(Value) error, error) {
			takers := make([]func(Value) error, len(header))
			for k, column := range header {
				if column != "id" {
					takers[k] = func(v Value) error {
						x, isNumber := v.Number()
						columns[column] = append(columns[column], fmt.Sprint(v.Missing(), isNumber, x))
						return nil
					}
				}
			}
			return takers, nil
		})
		if want := "map[dose:[false true 0.5 true false 0] ward:[false false 0 false false 0]]"; err != nil || rows != 2 || fmt.Sprint(columns) != want {
			t.Errorf("%s: %d rows, %v, %v, expected %s", name, rows, columns, err, want)
		}
	}
}

// TestRefusedCells: an error of a sink comes with the place of the cell, in the words of each kind of file.
func TestRefusedCells(t *testing.T) {
	places := map[string]string{
		"a.csv": `a.csv:3:4: column "ward": no`, "a.tsv": `a.tsv:3:6: column "ward": no`, "a.parquet": `a.parquet: row 2, column "ward": no`,
		"a.xlsx": `a.xlsx: sheet "Sheet1": cell C3, column "ward": no`, "a.jsonl": `a.jsonl:2: column "ward": no`,
	}
	for name, content := range tables(t) {
		_, err := Scan(context.Background(), sourcetest.Input(map[string]string{name: content}), name, func([]string) ([]func(Value) error, error) {
			return []func(Value) error{nil, nil, func(v Value) error {
				if v.Text() == "west" {
					return fmt.Errorf("no")
				}
				return nil
			}}, nil
		})
		if err == nil || !strings.Contains(err.Error(), places[name]) {
			t.Errorf("%s: %v, expected %s", name, err, places[name])
		}
	}
}

// TestDeclareMissing: a text that is declared missing is so with blanks around it, and in no longer text; an empty one needs no declaration.
func TestDeclareMissing(t *testing.T) {
	var seen []bool
	for _, texts := range [][]string{{"none"}, {"-9", "none"}} {
		s := DeclareMissing(taker(func(v Value) error {
			seen = append(seen, v.Missing())
			return nil
		}), texts)
		for _, text := range []string{" none ", "none at all", "-9", ""} {
			if err := s.AddCell(&Written{As: text}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := "[true false false true true false true true]"; fmt.Sprint(seen) != want {
		t.Errorf("%v, expected %s", seen, want)
	}
}

// TestParseDate: of a date with slashes both readings come back, and NaN for one that no calendar has.
func TestParseDate(t *testing.T) {
	const day = 86400
	for _, c := range []struct {
		text                 string
		dayFirst, monthFirst float64
		ok                   bool
	}{
		{"1970-01-02", day, day, true}, {" 2.1.1970 ", day, day, true}, {"2/1/1970", day, 31 * day, true},
		{"1/2/1970 1:00 PM", 31*day + 13*3600, day + 13*3600, true}, {"yesterday", 0, 0, false}, {"19700102", 0, 0, false},
	} {
		dayFirst, monthFirst, ok := ParseDate(c.text)
		if dayFirst != c.dayFirst || monthFirst != c.monthFirst || ok != c.ok {
			t.Errorf("%q: %v, %v, %v", c.text, dayFirst, monthFirst, ok)
		}
	}
	if is, dayFirst, monthFirst := IsDate("13/1/1970"); !is || !dayFirst || monthFirst {
		t.Error("13/1/1970 has its day first, and not its month")
	}
}
