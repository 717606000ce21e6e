package inspect

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func look(t *testing.T, path, format string) *Found {
	t.Helper()
	f, err := Look(t.Context(), path, format, Asked{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTell(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"a.csv", "x,y\n1,2\n", CSV},
		{"a", "x,y\n1,2\n", CSV},
		{"a.csv", "x;y\n1;2\n", CSV},
		{"a.txt", "x\ty\n1\t2\n", TSV},
		{"a.tsv", "x\ty\n1\t2\n", TSV},
		{"a.parquet", "PAR1....", Parquet},
		{"a.dat", "# comment\n+1 1:0.5 7:1 # note\n-1 qid:3 2:1e-3\n", SVMlight},
		{"a.dat", "1 |f a b:2\n-1 0.5 'tag|f c\n", VW},
		{"a.arff", "% c\n@RELATION x\n@attribute a numeric\n@data\n1\n", ARFF},
		{"a.npz", "PK\x03\x04....", NPZ},
		{"a.npy", "\x93NUMPY\x01\x00", NPZ},
		{"a.gct", "#1.2\n2\t3\n", GCT},
		{"a.conllu", "# sent\n1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_\n\n", CoNLLU},
		{"a.zip", "PK\x03\x04....", ""},
		{"a.xlsx", "PK\x03\x04....", XLSX},
		{"a.xlsx", "x,y\n1,2\n", CSV},
		{"a.xlsx", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", ""},
		{"a.jsonl", "{\"a\": 1}\n", JSONL},
		{"a.txt", " [\n {\"a\": 1}]", JSONL},
		{"a.json", "x,y\n1,2\n", CSV},
		{"ORC.csv", "ORC,y\n1,2\n", CSV},
		{"a.bin", "\x00\x01,", ""},
		{"a.txt", "just some words\nand more\n", ""},
		{"a.txt", "1\n2\n", ""}, // labels alone
	} {
		if got := detectFormat(c.name, []byte(c.text)); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

// An id that several rows share says what they belong to, unless there are few of them.
func TestSharedIDsAreGroups(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("id,subject_id,arm_id,y\n")
	for i := range 40 {
		fmt.Fprintf(&b, "%d,s%d,%d,%d\n", 1+i/2, i%13, i%3, i%2)
	}
	f := look(t, file(t, "a.csv", b.String()), "")
	for name, want := range map[string]bool{"id": true, "subject_id": true, "arm_id": false, "y": false} {
		if c := f.Column(name); c.IsGroup() != want || c.IsID() {
			t.Errorf("%s: group %v, id %v", name, c.IsGroup(), c.IsID())
		}
	}
}

func TestPacked(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte("\ufeffx;y;z\n1;2,5;3\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	f := look(t, file(t, "a.csv.gz", b.String()), "")
	if f.Delimiter != ";" || strings.Join(f.Names(), " ") != "x y z" || f.Rows != 1 {
		t.Errorf("%+v", f)
	}
}

func TestParquet(t *testing.T) {
	t.Parallel()
	type row struct {
		ID    int64
		Plan  *string
		Fee   float64
		Churn bool
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	plan := "basic"
	if err := parquet.WriteFile(path, []row{{1, &plan, 1.5, true}, {2, nil, 2, false}}); err != nil {
		t.Fatal(err)
	}
	f := look(t, path, "")
	if f.Format != Parquet || f.Rows != 2 || len(f.Columns) != 4 || f.Column("Plan").Missing != 1 || !f.Column("Churn").IsNumber() || f.Column("Plan").IsNumber() {
		t.Errorf("%+v", f)
	}
}

func TestAttributesAndLabels(t *testing.T) {
	t.Parallel()
	f := look(t, file(t, "a.arff", "@relation x\n@attribute 'a b' real\n@ATTRIBUTE kind {0, 1}\n@attribute text string\n@attribute side numeric\n@data\n1.5,1,'a, b',-1\n2.5,0,c,1\n?,0,d,1\n"), "")
	if strings.Join(f.Names(), "|") != "a b|kind|text|side" || f.Rows != 3 || !f.Column("a b").IsNumber() || f.Column("a b").Missing != 1 || f.Column("kind").IsNumber() ||
		len(f.Column("kind").Levels) != 2 || f.Column("kind").Most() != 2 || !f.Column("side").IsClass() || f.Column("text").IsNumber() {
		t.Errorf("%+v", f)
	}
	f = look(t, file(t, "a.arff", "@relation x\n@attribute a numeric\n@attribute side {no,yes}\n@attribute b numeric\n@data\n{0 2}\n{1 yes}\n{2 ?, 0 3}\n"), "")
	if a, b := f.Column("a"), f.Column("b"); a.Rows != 3 || strings.Join(a.Levels, " ") != "2 3 0" || b.Missing != 1 || b.Numbers != 2 || f.Column("side").Most() != 2 {
		t.Errorf("%+v", f)
	}
	f = look(t, file(t, "a.dat", "+1 1:1\n\n# note\n-1 2:1\n1 1:2\n"), "")
	if f.Rows != 3 || strings.Join(f.Labels.Levels, " ") != "1 -1" || !f.Labels.IsClass() {
		t.Errorf("%+v", f.Labels)
	}
}

func TestBadData(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, c := range []struct{ path, format, want string }{
		{filepath.Join(folder, "none"), "", "no such file"},
		{file(t, "a.csv", ""), "", "it is empty"},
		{file(t, "a.csv", "x,y\n"), "", "a header row and no other"},
		{file(t, "a.csv", "x,y\n1\n"), "", "a.csv:2: the row has 1 cells, expected 2 as in the first row"},
		{file(t, "a.csv", "xy\n12\n"), "", `as csv it has one column, "xy": what divides the cells?`},
		{file(t, "a.csv", "a,a,a#2\n1,2,3\n"), "", `two columns are named "a#2"`},
		{file(t, "a.txt", "words\n"), "", "its format is not clear; name it with --format"},
		{file(t, "a.XLSX", "PK\x03\x04"), "", "not a readable workbook of Excel: zip: not a valid zip file"},
		{file(t, "a.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00"), "", "a workbook of an old Excel, or one with a password, which nothing here reads; this makes a file of it that is read:\n  soffice"},
		{file(t, "a.txt", "words\n"), "megam", "cannot be looked at"},
		{file(t, "a.parquet", "PAR1 and nothing else"), "", "a.parquet: "},
		{file(t, "a.arff", "@relation x\n@data\n"), "", "a.arff:2: no @attribute before @data"},
		{file(t, "a.dat", "# nothing\n"), SVMlight, "no rows, expected lines of the form: label index:value"},
		{file(t, "a.svm", "1 1:2\n-1 2:3\n1 1:x\n"), SVMlight, `a.svm:3: found "1:x": value "x", expected a finite number`},
		{file(t, "a.vw", "1 |a x\n-1 |a x:y\n"), VW, `a.vw:2: feature "x:y": value "y", expected a finite number`},
		{file(t, "a.csv.gz", "\x1f\x8b and nothing else"), "", "a.csv.gz: "},
		{file(t, "a.txt", "words\n"), Documents, "1 files in 0 folders; of documents, a folder or an archive with a folder a class was expected"},
		{file(t, "a.txt", "words\n"), "parket", `unknown format "parket"; did you mean "parquet"?`},
		{file(t, "a.data", "one two\n3 four\nfive six\n"), "", "its format is not clear"},
		{file(t, "a.h5ad", "\x89HDF\r\n\x1a\n"), "", "an AnnData file, which nothing here reads"},
		{file(t, "a.bin", "RDX3\n"), "", "an R object, which nothing here reads; this makes a file of it that is read:\n  Rscript -e"},
		{folder, "", "no files in it"},
		{folder, CSV, "is a folder"},
	} {
		if _, err := Look(t.Context(), c.path, c.format, Asked{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s as %q: %v, want %q", filepath.Base(c.path), c.format, err, c.want)
		}
	}
}

// What a column is, at the edges: by its name, its cells and how many there are.
func TestCells(t *testing.T) {
	t.Parallel()
	repeat := func(n int, cell func(i int) any) (cells []string) {
		for i := range n {
			cells = append(cells, fmt.Sprint(cell(i)))
		}
		return cells
	}
	counted := func(i int) any { return i + 1 }
	for _, c := range []struct {
		name  string
		cells []string
		want  string
	}{
		{"v", repeat(11, counted), "number counter rises"},
		{"v", repeat(10, counted), "number"},
		{"", repeat(3, counted), "number counter"},
		{"", repeat(2, counted), "number class"},
		{"v", repeat(11, func(i int) any { return i + 5 }), "number rises"},
		{"sample", repeat(11, func(i int) any { return i + 5 }), "number counter rises id"},
		{"v", repeat(11, func(i int) any { return i*i + 1 }), "number rises"},
		{"v", repeat(11, func(i int) any { return 20 - i }), "number"},
		{"v", repeat(11, func(i int) any { return float64(i) + 0.5 }), "number"},
		{"v", append(repeat(11, counted), "NA"), "number"},
		{"patient", repeat(12, func(i int) any { return 7 * i % 13 }), "number id"},
		{"patient", repeat(12, func(i int) any { return max(1, i) }), "number group"},
		{"patient", repeat(11, func(i int) any { return max(1, i) }), "number"},
		{"patient", append(repeat(12, func(i int) any { return max(1, i) }), ""), "number"},
		{"v", repeat(20, func(i int) any { return i % 2 }), "number class"},
		{"v", []string{"1.5", "2.5", "1.5"}, "number class"},
		{"v", []string{"1", "1.0", "2", "2.00"}, "number class"},
		{"v", repeat(100, func(i int) any { return i % 10 }), "number class"},
		{"v", repeat(99, func(i int) any { return i % 10 }), "number"},
		{"v", repeat(110, func(i int) any { return i % 11 }), "number"},
		{"v", repeat(100, func(i int) any { return float64(i%3) / 2 }), "number"},
		{"v", repeat(62, func(i int) any { return fmt.Sprint("t", i%31) }), "class unwieldy"},
		{"v", repeat(60, func(i int) any { return fmt.Sprint("t", i%30) }), "class"},
		{"v", repeat(640, func(i int) any { return fmt.Sprint("t", i%32) }), "class"},
		{"v", repeat(639, func(i int) any { return fmt.Sprint("t", i%32) }), "class unwieldy"},
	} {
		x := Column{Name: c.name}
		for _, cell := range c.cells {
			x.addCell(cell, 1)
		}
		x.settle()
		var is []string
		for _, p := range []struct {
			name string
			is   bool
		}{{"number", x.IsNumber()}, {"class", x.IsClass()}, {"counter", x.IsCounter()}, {"rises", x.Rises()}, {"id", x.IsID()}, {"group", x.IsGroup()}, {"unwieldy", x.Unwieldy()}} {
			if p.is {
				is = append(is, p.name)
			}
		}
		if got := strings.Join(is, " "); got != c.want {
			t.Errorf("%q of %d, %.60q: %s, want %s", c.name, len(c.cells), c.cells, got, c.want)
		}
	}
}
