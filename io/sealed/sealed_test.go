package sealed

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// fit is a row of the table that these tests write, with a field of each type.
type fit struct {
	Name  string
	Note  string
	Loss  float64
	Clock float64
	Took  time.Duration
	Fold  int32
	Rank  int32
	Rows  int64
	Done  bool
	When  time.Time
}

var columns = []Column[fit]{
	String("name", func(f *fit) *string { return &f.Name }),
	OptionalText("note", func(f *fit) *string { return &f.Note }),
	Float("loss", func(f *fit) *float64 { return &f.Loss }),
	Seconds("clock", func(f *fit) *float64 { return &f.Clock }),
	Duration("took", func(f *fit) *time.Duration { return &f.Took }),
	Int32("fold", func(f *fit) *int32 { return &f.Fold }),
	Ordinal("rank", func(f *fit) *int32 { return &f.Rank }),
	Int64("rows", func(f *fit) *int64 { return &f.Rows }),
	Bool("done", func(f *fit) *bool { return &f.Done }),
	Time("when", func(f *fit) *time.Time { return &f.When }),
}

// fits returns n rows, of which every third has nothing but its name and its fold, four rows a fold.
func fits(n int) []fit {
	all := make([]fit, n)
	for i := range all {
		f := fit{Name: fmt.Sprint("fit", i%5), Fold: int32(i / 4), Loss: math.NaN(), Rank: -1}
		if i%3 > 0 {
			f.Note, f.Loss, f.Clock, f.Took, f.Rank = "note", 1/float64(i), float64(i)/8, time.Duration(i)*time.Millisecond, int32(i%7)
			f.Rows, f.Done, f.When = int64(i)<<33, true, time.UnixMicro(int64(i)*1e9+7).UTC()
		}
		all[i] = f
	}
	return all
}

// writeTable writes rows to a file, and returns its path.
func writeTable(t *testing.T, rows []fit) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fits.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := NewWriter(f, "fits", columns)
	for _, r := range rows {
		if err := w.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	w.SetFooter([][2]string{{"made by", "a test"}})
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// open opens a table, and closes it at the end of the test.
func open(t *testing.T, path string) *Table {
	t.Helper()
	table, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	return table
}

// TestRoundTrip: rows come back as they were written, by groups, by lines of a group, and by runs of some columns.
func TestRoundTrip(t *testing.T) {
	want := fits(2500)
	table := open(t, writeTable(t, want))
	if err := errors.Join(table.VerifyChecksum(), table.CheckColumns(Names(columns))); err != nil {
		t.Fatal(err)
	}
	for i := range want { // NaN is not equal to itself
		if math.IsNaN(want[i].Loss) {
			want[i].Loss = -1
		}
	}
	check := func(name string, got, want []fit) {
		t.Helper()
		for i := range got {
			if math.IsNaN(got[i].Loss) {
				got[i].Loss = -1
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: other rows than those that were written", name)
		}
	}
	got, err := DecodeGroup(table, 0, columns)
	if err != nil {
		t.Fatal(err)
	}
	check("a group", got, want)
	g, err := OpenGroup(table, 0, columns)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Release()
	for _, lines := range [][2]int{{0, 1}, {1000, 1100}, {2499, 2500}, {700, 700}} {
		got, err := g.Decode(lines[0], lines[1])
		if err != nil {
			t.Fatal(err)
		}
		check(fmt.Sprint("lines ", lines), got, want[lines[0]:lines[1]])
	}
	runs, err := ReadRuns(table, 0, []Column[fit]{columns[5], columns[8]}) // fold and done
	if err != nil {
		t.Fatal(err)
	}
	from := 0
	for _, r := range runs {
		for _, f := range want[from:r.End] {
			if f.Fold != r.Row.Fold || f.Done != r.Row.Done {
				t.Fatalf("a run of fold %d, %v has a row of fold %d, %v", r.Row.Fold, r.Row.Done, f.Fold, f.Done)
			}
		}
		if from = r.End; r.End < len(want) && want[r.End-1].Fold == want[r.End].Fold && want[r.End-1].Done == want[r.End].Done {
			t.Fatalf("a run ends at row %d, and the next one is alike", r.End)
		}
	}
	if from != len(want) {
		t.Errorf("runs of %d rows, expected %d", from, len(want))
	}
	counts, err := table.CountTexts("name")
	if err != nil || len(counts) != 5 || counts["fit3"] != 500 {
		t.Errorf("%v, %v", counts, err)
	}
}

// TestRecords: a table reads as texts, a value that means none as an empty one.
func TestRecords(t *testing.T) {
	var lines []string
	add := func(record []string) error {
		lines = append(lines, strings.Join(record, ","))
		return nil
	}
	err := ReadRecords(writeTable(t, fits(2)), func(names []string) (func([]string) error, error) { return add, add(names) }, func() error { return nil })
	want := []string{
		"name,note,loss,clock,took,fold,rank,rows,done,when",
		"fit0,,,0,,0,,0,false,",
		"fit1,note,1,0.125,0.001,0,1,8589934592,true,1970-01-01T00:16:40.000007Z",
	}
	if err != nil || !reflect.DeepEqual(lines, want) {
		t.Errorf("%q, %v, expected %q", lines, err, want)
	}
}

// TestDamage: whichever bit of a file is another one, and wherever it is cut, opening it or comparing it with its checksum fails.
func TestDamage(t *testing.T) {
	content, err := os.ReadFile(writeTable(t, fits(30)))
	if err != nil {
		t.Fatal(err)
	}
	read := func(content []byte) error {
		table, err := NewTable("fits.parquet", bytes.NewReader(content), int64(len(content)))
		if err == nil {
			err = table.VerifyChecksum()
		}
		return err
	}
	if err := read(content); err != nil {
		t.Fatal(err)
	}
	for k := range content {
		damaged := bytes.Clone(content)
		damaged[k] ^= 1 << (k % 8)
		if read(damaged) == nil {
			t.Errorf("byte %d of %d is another one, which nobody sees", k, len(content))
		}
		if read(content[:k]) == nil {
			t.Errorf("only %d of %d bytes, which nobody sees", k, len(content))
		}
	}
}

// TestOtherColumns: a file with columns that are not known, that lacks some, or that has one of another type says so; a lacking one that is
// read is NULL in all rows.
func TestOtherColumns(t *testing.T) {
	table := open(t, writeTable(t, fits(4)))
	for want, names := range map[string][]string{"there is no column more": append(Names(columns), "more"), "column when is not known": Names(columns[:9])} {
		if err := table.CheckColumns(names); err == nil || err.Error() != want {
			t.Errorf("%v, expected %s", err, want)
		}
	}
	lacking := Ordinal("lacking", func(f *fit) *int32 { return &f.Rank })
	if rows, err := DecodeGroup(table, 0, []Column[fit]{columns[0], lacking}); err != nil || rows[1].Rank != -1 || rows[1].Name != "fit1" {
		t.Errorf("%v, %v", rows, err)
	}
	other := Int64("fold", func(f *fit) *int64 { return &f.Rows })
	if _, err := DecodeGroup(table, 0, []Column[fit]{other}); err == nil || !strings.Contains(err.Error(), "column fold: it is of type INT32; INT64 was expected") {
		t.Error(err)
	}
}
