package draft

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenfold/runner/draft/inspect"

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

func look(t *testing.T, path, format string) *inspect.Found {
	t.Helper()
	f, err := inspect.Look(t.Context(), path, format, inspect.Asked{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestColumns(t *testing.T) {
	t.Parallel()
	f := look(t, file(t, "a.csv", rows()), "")
	if f.Format != inspect.CSV || f.Rows != 40 || suggested(f) != "churned" {
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

func TestNames(t *testing.T) {
	t.Parallel()
	path := file(t, "a.csv", "39, State-gov, 77516, <=50K\n50, Private, 83311, >50K\n38, ?, 215646, <=50K\n53, Private, 234721, >50K\n")
	names := []string{"age", "work", "weight", "income"}
	f, err := inspect.Look(t.Context(), path, "", inspect.Asked{Names: names})
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
		if _, err := inspect.Look(t.Context(), path, "", inspect.Asked{Names: names}); err == nil || !strings.Contains(err.Error(), want) {
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
	if text := string((&Draft{Found: *f, Name: "a", File: "a.csv", Target: "y", Folds: 2}).YAML()); !strings.Contains(text, "missing: {a: ['?', N/A, NA, NaN, nan]} # what") || !strings.Contains(text, "missing: indicator") {
		t.Error(text)
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
		path := filepath.Join(t.TempDir(), "data"+filepath.Ext(name))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Skip()
		}
		found, err := inspect.Look(t.Context(), path, "", inspect.Asked{})
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

func suggested(f *inspect.Found) string {
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
