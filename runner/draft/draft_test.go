package draft

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"gopkg.in/yaml.v3"
)

func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
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

const head = "id,customer,day,plan,note,empty,fee,churned\n"

// rows of that table: 40 of them, every customer twice.
func rows() string {
	var b strings.Builder
	b.WriteString(head)
	for i := range 40 {
		fee := fmt.Sprint(i % 7)
		if i == 3 {
			fee = "NA"
		}
		fmt.Fprintf(&b, "c%d,%d,2024-01-%02d,%s,\"text, %d\",,%s,%s\n", i, i/2, i%28+1, []string{"basic", "plus"}[i%2], i, fee, []string{"no", "yes"}[i%3/2])
	}
	return b.String()
}

func look(t *testing.T, path, format string) *Found {
	t.Helper()
	f, err := Look(t.Context(), path, format, Asked{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestColumns(t *testing.T) {
	t.Parallel()
	f := look(t, file(t, "a.csv", rows()), "")
	if f.Format != CSV || f.Rows != 40 || suggested(f) != "churned" {
		t.Errorf("%+v", f)
	}
	for name, want := range map[string]string{
		"id": "class id unwieldy", "customer": "number group", "day": "class date", "plan": "class", "note": "class id unwieldy", "empty": "class",
		"fee": "number", "churned": "class",
	} {
		c := f.Column(name)
		var is []string
		for _, p := range []struct {
			name string
			is   bool
		}{{"number", c.IsNumber()}, {"class", c.IsClass()}, {"date", c.IsDate()}, {"id", c.IsID()}, {"group", c.IsGroup()}, {"unwieldy", c.Unwieldy()}} {
			if p.is {
				is = append(is, p.name)
			}
		}
		if got := strings.Join(is, " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if c := f.Column("fee"); c.Missing != 1 || c.Known() != 39 {
		t.Errorf("%+v", c)
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

func TestNames(t *testing.T) {
	t.Parallel()
	path := file(t, "a.csv", "39, State-gov, 77516, <=50K\n50, Private, 83311, >50K\n38, ?, 215646, <=50K\n53, Private, 234721, >50K\n")
	names := []string{"age", "work", "weight", "income"}
	f, err := Look(t.Context(), path, "", Asked{Names: names})
	if err != nil {
		t.Fatal(err)
	}
	text := string((&Draft{Found: *f, Name: "a", File: "a.csv", Target: "income", Class: true, Folds: 2}).YAML())
	if !strings.Contains(text, "    header: false\n    names: [age, work, weight, income]\n") || f.Rows != 4 || !slices.Equal(f.Column("income").Levels, []string{"<=50K", ">50K"}) {
		t.Errorf("%d rows\n%s", f.Rows, text)
	}
	for want, path := range map[string]string{
		"its first row names the columns: leave --names out": file(t, "b.csv", "a,b,c,d\n1,2,3,4\n5,6,7,8\n"), "there are 4, and the rows of": file(t, "c.csv", "1,2,3\n4,5,6\n"),
	} {
		if _, err := Look(t.Context(), path, "", Asked{Names: names}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestHeadless(t *testing.T) {
	t.Parallel()
	f := look(t, file(t, "a.csv", "1,2.5,0\n3,4,1\n"), "")
	if !f.Headless || strings.Join(f.Names(), " ") != "1 2 3" || f.Rows != 2 || suggested(f) != "3" {
		t.Errorf("%+v", f)
	}
}

// Texts that stand for missing values are found where the rest of a column is numbers.
func TestMarkers(t *testing.T) {
	t.Parallel()
	f := look(t, file(t, "a.csv", "a,b,c,d,y\n1,x,?,-,1\n?,?,x,none,2\n3,y,?,-,3\nN/A,z,null,-,4\n"), "")
	if a, b := f.Column("a"), f.Column("b"); strings.Join(a.Markers, " ") != "? N/A" || b.Markers != nil || !a.IsNumber() || a.Missing != 2 || b.Missing != 0 || f.Column("c").IsNumber() || f.Column("d").IsNumber() {
		t.Errorf("%+v", f.Columns)
	}
	if text := string((&Draft{Found: *f, Name: "a", File: "a.csv", Target: "y", Folds: 2}).YAML()); !strings.Contains(text, "missing: {a: ['?', N/A, NA, NaN, nan]} # what") || !strings.Contains(text, "missing: median") {
		t.Error(text)
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

// What is written is YAML, whatever columns and files are called.
func TestNamesAreQuoted(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"plain", "a: b", "a, b", "[x]", "#1", "yes", "1", "- a", "a\"b", "a'b", "*", "&x", "a\nb", "", "ä ö", "{a}", "null", "~", strings.Repeat("long ", 40)} {
		text := fmt.Sprintf("columns: {id: %s, drop: %s}\n", yamlScalar(name), yamlList([]string{name, name}))
		var got struct {
			Columns struct {
				ID   string
				Drop []string
			}
		}
		if err := yaml.Unmarshal([]byte(text), &got); err != nil {
			t.Errorf("%q: %v in %s", name, err, text)
			continue
		}
		if got.Columns.ID != name || len(got.Columns.Drop) != 2 || got.Columns.Drop[1] != name {
			t.Errorf("%q: %+v from %s", name, got, text)
		}
	}
}

func TestYAML(t *testing.T) {
	t.Parallel()
	f := look(t, file(t, "a.csv", rows()), "")
	d := Draft{Found: *f, Name: "a", File: "a.csv", Target: "churned", Class: true, ID: "id", Group: "customer", Time: "day", Folds: 5}
	text := string(d.YAML())
	for _, want := range []string{
		"categorical: [plan]\n", "drop: [note, empty]\n", "# dropped: note: another value in every row; empty: no values\n",
		"prepare: {encode: one-hot, unseen: ignore, missing: median, scale: sd}", `target: {column: churned, positive: "yes"}`,
		"folds: {kind: time, column: day, k: 5, test: 0.1, by: customer}\n", "engine: mdl",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "unit:") {
		t.Errorf("units of columns with two levels in:\n%s", text)
	}
	for i := range d.Columns {
		if c := &d.Columns[i]; c.Name == "plan" {
			c.Levels = append(c.Levels, "another")
		}
	}
	if text := string(d.YAML()); !strings.Contains(text, "    features: {unit: variable} # all levels") {
		t.Errorf("no units in:\n%s", text)
	}
	d.Keep = []string{"note"}
	if text := string(d.YAML()); !strings.Contains(text, "# dropped: empty: no values\n") {
		t.Errorf("one column dropped:\n%s", text)
	}
	d = Draft{Found: *f, Name: "a", File: "a.csv", Target: "fee", Folds: 10}
	if text := string(d.YAML()); !strings.Contains(text, "{column: fee, missing: drop-rows}") || !strings.Contains(text, "engine: lasso") || !strings.Contains(text, "k: 10}") {
		t.Error(text)
	}
}

// The level that a column is named after is the positive one.
func TestPositiveLevel(t *testing.T) {
	t.Parallel()
	for target, want := range map[string]string{"late": "late", "Late": "late", "arrival": "on time"} {
		f := look(t, file(t, "a.csv", "x,"+target+"\n1,late\n2,on time\n3,late\n4,on time\n"), "")
		d := Draft{Found: *f, Name: "a", File: "a.csv", Target: target, Class: true, Folds: 2}
		if got := d.positiveLevel(); got != want {
			t.Errorf("%s: %q, want %q", target, got, want)
		}
	}
}

func TestNameOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"data/Churn 2024.csv.gz": "churn-2024", "x": "x", ".csv": "csv", "…": "experiment", "a_b.tsv": "a-b"} {
		if got := NameOf(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// FuzzLook: whatever a file has in it, looking at it does not end in a crash, and what is written of it is YAML.
func FuzzLook(f *testing.F) {
	f.Add("a.csv", rows())
	f.Add("a.arff", "@relation x\n@attribute a {x,y}\n@data\nx\n")
	f.Add("a.dat", "1 1:1\n")
	f.Add("a.parquet", "PAR1")
	f.Add("a.jsonl", "{\"a\":1,\"y\":\"x\"}\n{\"y\":\"z\"}\n")
	f.Fuzz(func(t *testing.T, name, text string) {
		path := filepath.Join(t.TempDir(), "data")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Skip()
		}
		found, err := Look(t.Context(), path, detectFormat(name, []byte(text)), Asked{})
		if err != nil {
			return
		}
		d := Draft{Found: *found, Name: NameOf(name), File: found.Path, Target: suggested(found), Folds: 2}
		var any yaml.Node
		if err := yaml.Unmarshal(d.YAML(), &any); err != nil {
			t.Errorf("%v in:\n%s", err, d.YAML())
		}
	})
}

func suggested(f *Found) string {
	name, _ := f.Suggested()
	return name
}

// Where there are more columns than half the rows no search by BIC is proposed, which selects noise there, but filters and a price that grows
// with the columns.
func TestWide(t *testing.T) {
	t.Parallel()
	table := func(rows, columns int, class bool) string {
		var b strings.Builder
		for j := range columns {
			fmt.Fprintf(&b, "x%d,", j)
		}
		b.WriteString("y\n")
		for i := range rows {
			for j := range columns {
				fmt.Fprintf(&b, "%d.5,", (i*i+3*j*i)%17)
			}
			if class {
				fmt.Fprintf(&b, "%s\n", []string{"a", "b"}[i%2])
			} else {
				fmt.Fprintf(&b, "%d.25\n", i*i%13)
			}
		}
		return b.String()
	}
	for _, c := range []struct {
		rows, columns int
		class, wide   bool
	}{{50, 45, true, true}, {50, 45, false, true}, {50, 26, true, true}, {50, 25, true, false}, {50, 10, false, false}} {
		f := look(t, file(t, "a.csv", table(c.rows, c.columns, c.class)), "")
		text := string((&Draft{Found: *f, Name: "a", File: "a.csv", Target: "y", Class: c.class, Folds: 5}).YAML())
		if bic, ric, filter := strings.Contains(text, "code: bic"), strings.Contains(text, "params: {code: ric2, max_features: 10}"), strings.Contains(text, "select: {engine: anova}"); bic == c.wide || ric != c.wide || filter != c.wide {
			t.Errorf("%+v:\n%s", c, text)
		}
	}
	for path, want := range map[string]bool{
		file(t, "a.svm", "1 1:1 2:1\n-1 3:1\n1 1:1\n"): true, file(t, "a.svm", "1 qid:1 1:1 # 4:1\n-1 qid:1 3:1\n1 qid:2 1:1\n-1 qid:3 1:1\n"): false,
		file(t, "a.vw", "1 |a x y:2 |b x\n-1 |a x\n"): true, file(t, "a.vw", "1 |a x\n-1 |a x\n1 |a x\n"): false,
		file(t, "a.gct", "#1.2\n2\t3\nName\tDescription\ta\tb\tc\n"): true, file(t, "b.gct", "#1.2\n2\t4\nName\tDescription\ta\tb\tc\td\n"): false,
	} {
		if f := look(t, path, ""); f.Wide() != want {
			t.Errorf("%s: wide %v", path, f.Wide())
		}
	}
}
