package mtx

import (
	"fmt"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/labels"
	"tenfold/io/formats/tabular"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

var defaults = Kind.Defaults().(MTX)

func rowsOf(d *data.Dataset) string {
	rows, columns := d.X.Dims()
	out := make([]string, rows)
	for i := range out {
		dense := make([]float64, columns)
		d.X.Row(i).AddTo(dense, 1)
		out[i] = strings.Trim(fmt.Sprint(dense), "[]")
	}
	return strings.Join(out, "; ")
}

// Cells are found in a table of some of them by their barcodes, in any order.
func TestCellsByBarcode(t *testing.T) {
	t.Parallel()
	m := defaults
	m.Samples, m.Target.Column, m.Columns.Group = byColumns, "type", "donor"
	m.Join = tabular.Joins{{File: source.Ref{Path: "x"}, By: "barcode", Features: []string{"umis"}, Unmatched: "drop", Header: true}}
	files := map[string]string{
		"all": general, "names": "ENSG1\tTP53\nENSG2\tMYC\n", "ids": "AA-1\nCC-1\nGG-1\n",
		"join": "barcode,type,donor,umis\nGG-1,B,d1,7\nTT-1,B,d1,8\nAA-1,T,d2,9\n",
	}
	d := sourcetest.MustLoad(t, m, files)
	if got := fmt.Sprint(d.IDs, d.Features.Name(2), d.Targets[0].Levels, d.Targets[0].Values, d.Groups.Name, d.Facts[1:]); rowsOf(d) != "2.5 0 9; 0 -2 7" ||
		got != "[AA-1 GG-1]umis[B T] [1 0]donor[{rows joined with join 2} {rows left out, that join does not have 1} {rows of join left out, that the data does not have 1}]" {
		t.Errorf("%s %s", rowsOf(d), got)
	}
	m.Join[0].Unmatched = ""
	if _, err := sourcetest.Load(m, files); err == nil || !strings.Contains(err.Error(), "join: it has no row for 1 of 3 rows of data: CC-1; the data has none for 1 of its 3 rows: TT-1; unmatched: drop leaves out either") {
		t.Errorf("without a partner: %v", err)
	}
	delete(files, "ids")
	if _, err := sourcetest.Load(m, files); err == nil || !strings.Contains(err.Error(), "the rows of data have no ids to join") {
		t.Errorf("without barcodes: %v", err)
	}
	m.Join, m.Target.Column = nil, ""
	if err := m.Validate(); err == nil || !strings.Contains(err.Error(), "columns.group: it is about a table of samples, and none is joined") {
		t.Errorf("without a table: %v", err)
	}
}

const general = "%%MatrixMarket matrix coordinate real general\n% made up\n\n2 3 4\n1 1 1.5\n2 3 -2\n1 1 1\n2 1 0\n"

func TestReads(t *testing.T) {
	for _, c := range []struct{ name, content, labels, rows string }{
		{"coordinates, one given again, and a zero", general, "1\n2\n", "2.5 0 0; 0 0 -2"},
		{"whole numbers", "%%MatrixMarket MATRIX Coordinate Integer General\r\n1 2 1\r\n1 2 7\r\n", "1", "0 7"},
		{"a pattern", "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 2\n%\n\n2 1\n2 2\n", "1\n2\n", "0 1; 1 1"},
		{"symmetric", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 3\n2 1 4\n", "1\n2\n", "3 4; 4 0"},
		{"skew-symmetric", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 4\n", "1\n2\n", "0 -4; 4 0"},
		{"an array", "%%MatrixMarket matrix array real general\n2 3\n1\n% half of it\n2\n\n0\n4\n5 6\n", "1\n2\n", "1 0 5; 2 4 6"},
		{"a symmetric array", "%%MatrixMarket matrix array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", "1\n2\n1", "1 2 3; 2 4 5; 3 5 6"},
		{"a skew-symmetric array", "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n", "1\n2\n1", "0 -1 -2; 1 0 -3; 2 3 0"},
		{"a skew-symmetric array of nothing", "%%MatrixMarket matrix array real skew-symmetric\n1 1\n", "1", "0"},
		{"labels in an array", general, "%%MatrixMarket matrix array real general\n% two\n1\n2\n", "2.5 0 0; 0 0 -2"},
	} {
		d := sourcetest.MustLoad(t, defaults, map[string]string{"all": c.content, "all_y": c.labels})
		if got := rowsOf(d); got != c.rows || d.Targets[0].Values[0] != 1 || (len(d.Facts) > 0) != (c.content == general) {
			t.Errorf("%s: %s, %v", c.name, got, d.Facts)
		}
	}
	if got := sourcetest.Fact(sourcetest.MustLoad(t, defaults, map[string]string{"all": general, "all_y": "1\n2\n"}), "entries given again"); got != "1" {
		t.Errorf("entries given again: %q", got)
	}
	m := defaults
	m.Samples, m.Target.Name = byColumns, "class"
	d := sourcetest.MustLoad(t, m, map[string]string{"all": general, "all_y": "T cell\nB cell\nT cell\n", "names": "ENSG1\tTP53\nENSG2\tMYC\n"})
	if got := rowsOf(d); got != "2.5 0; 0 0; 0 -2" || sourcetest.Levels(d.Targets[0]) != "B cell 1, T cell 2" || d.Features.Name(1) != "ENSG2" {
		t.Errorf("cells in columns: %s, %s, %s", got, sourcetest.Levels(d.Targets[0]), d.Features.Name(1))
	}
	d = sourcetest.MustLoad(t, defaults, map[string]string{"train": general, "train_y": "1\n2\n", "test": general, "test_y": "3\n4\n"})
	if got := rowsOf(d); got != "2.5 0 0; 0 0 -2; 2.5 0 0; 0 0 -2" || fmt.Sprint(d.Part, d.Targets[0].Values) != "[0 0 1 1] [1 2 3 4]" {
		t.Errorf("two parts: %s, %v", got, d.Part)
	}
}

func TestRefuses(t *testing.T) {
	const head = "%%MatrixMarket matrix coordinate real general\n"
	for _, c := range []struct{ content, labels, want string }{
		{"", "1", "all:0: nothing, expected %%MatrixMarket matrix coordinate real general"},
		{"1 2 3\n", "1", `all:1: found "1 2 3", expected %%MatrixMarket matrix`},
		{"%%MatrixMarket vector coordinate real general\n", "1", "expected %%MatrixMarket matrix"},
		{"%%MatrixMarket matrix coordinate real\n", "1", "expected %%MatrixMarket matrix"},
		{"%%MatrixMarket matrix coordinate complex general\n", "1", `all:1: a matrix that is "complex", expected real, integer, pattern`},
		{"%%MatrixMarket matrix coordinate real hermitian\n", "1", `all:1: a matrix that is "hermitian", expected general, symmetric, skew-symmetric`},
		{"%%MatrixMarket matrix array pattern general\n", "1", "all:1: an array that is a pattern, expected values"},
		{head, "1", "all:1: the file ends before the numbers of rows and columns"},
		{head + "2 2\n", "1", "all:2: 2 numbers, expected 3: rows, columns and entries"},
		{head + "2 -2 1\n", "1", `all:2: found "-2", expected a whole number of 0 or more`},
		{head + "0 2 0\n", "", "all: 0 samples of 2 columns, expected at least one of both"},
		{"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", "1", "all:2: 2 × 3, expected as many rows as columns"},
		{head + "2 2 1\n3 1 1\n", "1", `all:3: row "3", expected a number from 1 to 2`},
		{head + "2 2 1\n1 0 1\n", "1", `all:3: column "0", expected a number from 1 to 2`},
		{head + "2 2 1\n1 1\n", "1", "all:3: 2 words, expected 3: row, column and value"},
		{head + "2 2 1\n1 1 inf\n", "1", `all:3: value "inf", expected a finite number`},
		{"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.5\n", "1", `all:3: value "1.5", expected a whole number`},
		{head + "2 2 2\n1 1 1\n", "1", "all:3: the file ends after 1 entries, expected 2"},
		{head + "2 2 0\n1 1 1\n", "1", "all:3: entry 1, expected 0 as the size says"},
		{"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", "1", "all:3: value 1 on the diagonal"},
		{"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", "1", "all:5: the file ends after 3 values, the next would be of row 2, column 2"},
		{"%%MatrixMarket matrix array real general\n1 1\n1\n2\n", "1", "all:4: value 2, expected 1 as the size says"},
		{head + "9 99999999 0\n", "1", "columns, expected at most"},
		{general, "1\n", "all_y: 1 labels, expected one for each of 2 rows"},
		{general, "1\n2\n3\n", "all_y:3: label 3, expected one for each of 2 rows"},
		{general, "a\nb\n", `all_y:1: label "a", expected a finite number`},
	} {
		if _, err := sourcetest.Load(defaults, map[string]string{"all": c.content, "all_y": c.labels}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v\nwant %s", c.content, err, c.want)
		}
	}
	positive := defaults
	positive.Target.Name, positive.Target.Positive = "class", "c"
	if _, err := sourcetest.Load(positive, map[string]string{"all": general, "all_y": "a\nb\n"}); err == nil {
		t.Error("a positive level that no row has")
	}
	if _, err := sourcetest.Load(defaults, map[string]string{"train": general, "train_y": "1\n2\n", "test": "%%MatrixMarket matrix array real general\n1 1\n1\n", "test_y": "1"}); err == nil || !strings.Contains(err.Error(), "test: 1 columns, expected 3 as in train") {
		t.Errorf("parts: %v", err)
	}
}

// New rows need no labels, and every column that the model uses.
func TestLoadNew(t *testing.T) {
	file := sourcetest.Input(map[string]string{"all": general})
	for column, want := range map[string]string{"3": "", "4": "4"} {
		model := source.Application{Learned: &prepare.Learned{Columns: []string{"1", column}, Targets: []labels.Target{{Name: "label"}}}}
		switch d, err := defaults.LoadNew(t.Context(), file, model); {
		case want == "" && (err != nil || d.Targets != nil || d.Rows() != 2):
			t.Errorf("%v %+v", err, d)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("without a column: %v", err)
		}
	}
}

func FuzzMTX(f *testing.F) {
	for _, seed := range []string{general, "%%MatrixMarket matrix array integer symmetric\n2 2\n1 2 3\n", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"} {
		f.Add(seed)
	}
	across := defaults
	across.Samples, across.Target.Name = byColumns, "class"
	f.Fuzz(func(t *testing.T, content string) {
		sourcetest.Fuzz(t, defaults, map[string]string{"all": content, "all_y": "1\n2\n"})
		sourcetest.Fuzz(t, across, map[string]string{"all": content, "all_y": "1\n2\n"})
	})
}
