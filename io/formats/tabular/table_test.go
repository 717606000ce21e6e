package tabular

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/engines/registry"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// csvOf is the csv format with options changed.
func csvOf(with func(*Text)) Text {
	t := CSVKind.Defaults().(Text)
	t.Target.Column = "y"
	if with != nil {
		with(&t)
	}
	return t
}

// show writes the columns as text: rows end with a semicolon.
func show(d *data.Dataset) string {
	var b strings.Builder
	for i := range d.Rows() {
		row := d.X.Row(i)
		for k, j := range row.Idx {
			fmt.Fprintf(&b, "%s:%v ", d.Features.Name(int(j)), row.At(k))
		}
		b.WriteByte(';')
	}
	return b.String()
}

func TestColumns(t *testing.T) {
	for _, c := range []struct {
		name, file, want string
		with             func(*Text)
		y                []float64
	}{
		{name: "numbers", file: "a,y,b\n1,5,0\n-2.5,6,1e3\n", want: "a:1 ;a:-2.5 b:1000 ;", y: []float64{5, 6}},
		{name: "blanks, carriage returns, no last line end", file: "a, y,b\r\n 1 ,5,\"2\"\r\n3,6 ,4", want: "a:1 b:2 ;a:3 b:4 ;", y: []float64{5, 6}},
		{name: "a byte order mark", file: "\ufeffa,y\n1,5\n", want: "a:1 ;", y: []float64{5}},
		{name: "latin-1", file: "caf\xe9,y\n1,5\n", with: func(t *Text) { t.Encoding = rawtext.Latin1 }, want: "café:1 ;", y: []float64{5}},
		{name: "bytes that are no text, replaced", file: "caf\xe9,y\n1,5\n", with: func(t *Text) { t.Encoding = rawtext.Replace }, want: "caf\ufffd:1 ;", y: []float64{5}},
		{name: "missing", file: "a,b,y\n,NA,5\nNaN,nan,6\n0,1,7\n", want: "a:NaN b:NaN ;a:NaN b:NaN ;b:1 ;", y: []float64{5, 6, 7}},
		{name: "missing by declaration", file: "a,b,y\n?,1,5\nN/A,-999,6\n0, ? ,7\n", with: func(t *Text) { t.Columns.Missing = rawtext.Missing{{Texts: []string{"?", " N/A", "-999"}}} }, want: "a:NaN b:1 ;a:NaN b:NaN ;b:NaN ;", y: []float64{5, 6, 7}},
		{name: "missing by declaration, categories", file: "a,y\nx,5\n?,6\nz,7\n", with: func(t *Text) {
			t.Columns.Missing, t.Columns.Categorical = rawtext.Missing{{Texts: []string{"?"}}}, []string{"a"}
		}, want: "a=x:1 ;a=(missing):NaN ;a=z:1 ;", y: []float64{5, 6, 7}},
		{name: "missing by declaration, responses", file: "a,y\n1,5\n2,null\n3,7\n", with: func(t *Text) {
			t.Columns.Missing, t.Target.Missing = rawtext.Missing{{Texts: []string{"null"}}}, "drop-rows"
		}, want: "a:1 ;a:3 ;", y: []float64{5, 7}},
		{name: "quotes", file: "\"a,1\",y\n\"1\",5\n", want: "a,1:1 ;", y: []float64{5}},
		{name: "another delimiter", file: "a;y\n1;5\n", with: func(t *Text) { t.Delimiter = ";" }, want: "a:1 ;", y: []float64{5}},
		{name: "no header", file: "1,5,7\n2,6,8\n", with: func(t *Text) { t.Header = false; t.Target.Column = "2" }, want: "1:1 3:7 ;1:2 3:8 ;", y: []float64{5, 6}},
		{name: "target as a word", file: "a,z\n1,5\n", with: func(t *Text) { t.Target.Target = source.Target{Name: "z"} }, want: "a:1 ;", y: []float64{5}},
		{name: "drop", file: "a,note,b1,b2,y\n1,text,2,3,5\n", with: func(t *Text) { t.Columns.Drop = []string{"note", "b*"} }, want: "a:1 ;", y: []float64{5}},
		{name: "drop a column without name", file: ",a,y\n0,1,5\n", with: func(t *Text) { t.Columns.Drop = []string{""} }, want: "a:1 ;", y: []float64{5}},
		{name: "names before patterns", file: "xa,xb,y\n1,text,5\n", with: func(t *Text) { t.Columns.Drop = []string{"x*"}; t.Columns.Categorical = []string{"xa"} }, want: "xa=1:1 ;", y: []float64{5}},
		{name: "categorical", file: "plan,a,y\nlarge,1,5\nbasic,2,6\nlarge,3,7\n", with: func(t *Text) { t.Columns.Categorical = []string{"plan"} }, want: "plan=large:1 a:1 ;plan=basic:1 a:2 ;plan=large:1 a:3 ;", y: []float64{5, 6, 7}},
		{name: "categorical, missing, and a level of that name", file: "plan,y\nb,5\n,6\n(missing),7\n", with: func(t *Text) { t.Columns.Categorical = []string{"plan"} }, want: "plan=b:1 ;plan=(missing):NaN ;plan=(missing):1 ;", y: []float64{5, 6, 7}},
		{name: "categorical, missing", file: "plan,y\nb,5\n,6\na,7\n", with: func(t *Text) { t.Columns.Categorical = []string{"plan"} }, want: "plan=b:1 ;plan=(missing):NaN ;plan=a:1 ;", y: []float64{5, 6, 7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := sourcetest.Load(csvOf(c.with), map[string]string{"all": c.file})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(d); got != c.want || !slices.Equal(d.Targets[0].Values, c.y) {
				t.Errorf("got %s %v\nwant %s %v", got, d.Targets[0].Values, c.want, c.y)
			}
		})
	}
}

func TestRoles(t *testing.T) {
	d, err := sourcetest.Load(csvOf(func(t *Text) {
		t.Columns = Columns{ID: "no", Group: "who", Time: "when", Weight: "w", Categorical: []string{"size", "colour"}}
	}), map[string]string{
		"train": "no,who,when,w,size,a,colour,y\nr1,ann,2024-01-02,1,10,1,red,5\nr2,bob,1970-01-01T00:01:00.5Z,2.5,9,2,blue,6\n",
		"test":  "a,y,no,w,when,who,size,colour\n3,7,r3,1,1970-01-01 00:00:02,ann,9,green\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := "size=10:1 a:1 colour=red:1 ;size=9:1 a:2 colour=blue:1 ;size=9:1 a:3 colour=green:1 ;"; show(d) != want {
		t.Errorf("got %s, want %s", show(d), want)
	}
	var names []string
	for j := range d.Features.Len() {
		names = append(names, d.Features.Name(j))
	}
	for what, pair := range map[string][2]any{
		"names":   {names, []string{"size=9", "size=10", "a", "colour=blue", "colour=green", "colour=red"}},
		"factors": {d.Factor, []int32{0, 0, -1, 1, 1, 1}},
		"ids":     {d.IDs, []string{"r1", "r2", "r3"}},
		"groups":  {d.Groups, data.GroupBy("who", []string{"ann", "bob", "ann"})},
		"times":   {d.Time, []float64{1704153600, 60.5, 2}},
		"weights": {d.Weight, []float64{1, 2.5, 1}},
		"parts":   {d.Part, []int8{0, 0, 1}},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: got %v, want %v", what, pair[0], pair[1])
		}
	}
}

func TestTargets(t *testing.T) {
	for _, c := range []struct {
		name, file string
		target     source.Target
		want       []data.Target
	}{
		{name: "several", file: "a,T2,T1,y\n1,2,3,4\n", target: source.Target{Columns: []string{"T*"}}, want: []data.Target{
			{Name: "T2", Type: data.Real, Values: []float64{2}}, {Name: "T1", Type: data.Real, Values: []float64{3}}}},
		{name: "text", file: "a,y\n1,no\n2,yes\n", target: source.Target{Column: "y"}, want: []data.Target{
			{Name: "y", Type: data.Class, Levels: []string{"no", "yes"}, Values: []float64{0, 1}, Positive: 1}}},
		{name: "text after a number", file: "a,y\n1,1.0\n2,yes\n3,1.0\n", target: source.Target{Column: "y"}, want: []data.Target{
			{Name: "y", Type: data.Class, Levels: []string{"1.0", "yes"}, Values: []float64{0, 1, 0}, Positive: 1}}},
		{name: "numbers as classes", file: "a,y\n1,10\n2,9\n", target: source.Target{Column: "y", Type: "class"}, want: []data.Target{
			{Name: "y", Type: data.Class, Levels: []string{"9", "10"}, Values: []float64{1, 0}, Positive: 1}}},
		{name: "positive", file: "a,y\n1,1\n2,0\n", target: source.Target{Column: "y", Positive: "0"}, want: []data.Target{
			{Name: "y", Type: data.Class, Levels: []string{"1", "0"}, Values: []float64{0, 1}, Positive: 1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := sourcetest.Load(csvOf(func(t *Text) { t.Target.Target = c.target }), map[string]string{"all": c.file})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(d.Targets, c.want) {
				t.Errorf("got %+v\nwant %+v", d.Targets, c.want)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	columns := func(c Columns) func(*Text) { return func(t *Text) { t.Columns = c } }
	target := func(x source.Target) func(*Text) { return func(t *Text) { t.Target.Target = x } }
	for _, c := range []struct {
		name, file, want string
		with             func(*Text)
	}{
		{name: "empty", file: "", want: "all: the file is empty, expected a first row with the names of the columns"},
		{name: "no rows", file: "a,y\n", want: "all: no rows, only the names of columns"},
		{name: "ragged", file: "a,b,y\n1,2,3\n1,2\n", want: "all:3: the row has 2 cells, expected 3 as in the first row"},
		{name: "open quote", file: "a,y\n\"1,2\n3,4\n", want: `all:2:1: the cell that begins here with a quote (") does not end; where quotes mean nothing, say quote: none`},
		{name: "bare quote", file: "a,y\n1\"2,2\n", want: `all:2:2: a quote (") inside a cell that does not begin with one`},
		{name: "a quote in the header", file: "a\",y\n1,2\n", want: `all:1:2: a quote (")`},
		{name: "not UTF-8", file: "a,y\n1,2\n\"caf\xe9\",2\n", want: "all:3:5: found byte 0xe9, expected UTF-8 text (say encoding: windows-1252, or another: latin-1, macintosh, replace)"},
		{name: "UTF-16", file: "\xff\xfea\x00", want: "all: text in UTF-16: say encoding: utf-16, or save it as UTF-8"},
		{name: "encoding", with: func(t *Text) { t.Encoding = "latin-11" }, want: `encoding: "latin-11" is not one of utf-8, latin-1, windows-1252, macintosh, utf-16, replace; did you mean "latin-1"?`},
		{name: "names twice", file: "a,b,a,y\n1,2,3,4\n", want: `all: two columns are named "a"`},
		{name: "a marker in numbers", file: "a,y\n1,2\n N/A,3\n", want: `all:3:2: column "a": found "N/A", expected a finite number; if it stands for a missing value, say columns: {missing: ["N/A"]}`},
		{name: "a marker in a target", file: "a,y\n1,?\n", with: target(source.Target{Column: "y", Type: "real"}), want: `found "?", expected a finite number for a target of type real; if it stands for a missing value, say columns: {missing: ["?"]}`},
		{name: "an empty text is missing", file: "a,y\n1,2\n", with: columns(Columns{Missing: rawtext.Missing{{Texts: []string{"?", " "}}}}), want: `columns.missing: " ", expected a text; empty cells are missing as they are`},
		{name: "a code of a missing value", file: "a,y\n1,2\n", with: columns(Columns{Codes: map[string]float64{"NA": 0}}), want: `columns.codes: "NA" stands for a missing value, expected a text that does not`},
		{name: "a code of a declared marker", file: "a,y\n1,2\n", with: columns(Columns{Missing: rawtext.Missing{{Texts: []string{"?"}}}, Codes: map[string]float64{"?": 0}}), want: `columns.codes: "?" stands for a missing value`},
		{name: "a code of a number", file: "a,y\n1,2\n", with: columns(Columns{Codes: map[string]float64{"0": 0, "1": 2}}), want: `columns.codes: "1" is a number as it is, which no code changes; expected a text`},
		{name: "a declared marker in a target", file: "a,y\n1,?\n", with: columns(Columns{Missing: rawtext.Missing{{Texts: []string{"?"}}}}), want: `column "y": the value is missing; say what to do with target`},
		{name: "no name", file: ",a,y\n1,2,3\n", want: `all: column 1 has no name; if it only numbers the rows, add "" to columns.drop`},
		{name: "no target", file: "a,b\n1,2\n", with: target(source.Target{}), want: "all: target: none is given, expected {column: NAME} with one of the columns a, b"},
		{name: "unknown target", file: "age,sex\n1,2\n", with: target(source.Target{Column: "sax"}), want: `all: target: no column "sax"; did you mean "sex"? (columns: age, sex)`},
		{name: "unknown targets", file: "a,b\n1,2\n", with: target(source.Target{Columns: []string{"T*"}}), want: `all: target: no column "T*" (columns: a, b)`},
		{name: "unknown group", file: "customer,y\n1,2\n", with: columns(Columns{Group: "custmer"}), want: `columns.group: no column "custmer"; did you mean "customer"?`},
		{name: "unknown drop", file: "note,y\n1,2\n", with: columns(Columns{Drop: []string{"notes"}}), want: `columns.drop: no column "notes"; did you mean "note"?`},
		{name: "claimed twice", file: "a,b,y\n1,2,3\n", with: columns(Columns{ID: "a", Categorical: []string{"a"}}), want: `columns.categorical: column "a" is claimed by columns.id already`},
		{name: "no features", file: "y\n1\n", want: "all: no columns are left for features"},
		{name: "features without any value", file: "a,y\nNA,1\n", with: columns(Columns{Categorical: []string{"a"}}), want: "all: every feature is missing in every row"},
		{name: "text in numbers", file: "id,plan,y\n1,2,3\n2, large,3\n", want: `all:3:4: column "plan": found "large", expected a finite number; list the column under columns.categorical (levels), columns.text (texts), columns.id or columns.drop if it holds text`},
		{name: "a decimal comma", file: "a,y\n\"1,5\",3\n", want: `all:2:1: column "a": found "1,5", expected a finite number; if the comma stands for a decimal point, say decimal: ","`},
		{name: "texts in numbers", file: "id,plan,a,b,y,c\n1,x,1,-,3,z\n", want: `all:2:3: column "plan": found "x", expected a finite number; list the column under columns.categorical (levels), columns.text (texts), columns.id or columns.drop if it holds text (so do b, c)`},
		{name: "text after a cell of two lines", file: "note,a,y\n\"two\nlines\",x,3\n", with: columns(Columns{Drop: []string{"note"}}), want: `all:3:8: column "a": found "x"`},
		{name: "infinite", file: "a,y\ninf,1\n", want: `all:2:1: column "a": found "inf", expected a finite number`},
		{name: "target is missing", file: "a,y\n1,2\n1,\n", want: `all:3:3: column "y": the value is missing; say what to do with target: {missing: drop-rows | mean}`},
		{name: "target is no number", file: "a,y\n1,x\n", with: target(source.Target{Column: "y", Type: "real"}), want: `all:2:3: column "y": found "x", expected a finite number for a target of type real`},
		{name: "class is missing", file: "a,y\n1,NA\n", with: target(source.Target{Column: "y", Type: "class"}), want: `all:2:3: column "y": the value is missing`},
		{name: "weight is missing", file: "a,w,y\n1,NA,2\n", with: columns(Columns{Weight: "w"}), want: `all:2:3: column "w": the value is missing`},
		{name: "weight is negative", file: "a,w,y\n1,-1,2\n", with: columns(Columns{Weight: "w"}), want: `all:2:3: column "w": found "-1", expected a number of 0 or more as weight`},
		{name: "weight is text", file: "a,w,y\n1,x,2\n", with: columns(Columns{Weight: "w"}), want: `found "x", expected a number of 0 or more as weight`},
		{name: "group is missing", file: "a,g,y\n1,,2\n", with: columns(Columns{Group: "g"}), want: `all:2:3: column "g": the value is missing`},
		{name: "id is missing", file: "a,i,y\n1,,2\n", with: columns(Columns{ID: "i"}), want: `all:2:3: column "i": the value is missing`},
		{name: "id twice", file: "a,i,y\n1,x,2\n1,x,2\n", with: columns(Columns{ID: "i"}), want: `all:3:3: column "i": found "x", which identifies row 1 already`},
		{name: "time is missing", file: "a,t,y\n1,,2\n", with: columns(Columns{Time: "t"}), want: `all:2:3: column "t": the value is missing`},
		{name: "time is text", file: "a,t,y\n1,noon,2\n", with: columns(Columns{Time: "t"}), want: `all:2:3: column "t": found "noon", expected a number or a date`},
		{name: "times are mixed", file: "a,t,y\n1,2024-01-01,2\n1,2024,3\n", with: columns(Columns{Time: "t"}), want: `all:3:3: column "t": found "2024", expected all times to be dates or all to be numbers`},
		{name: "a level is named like a column", file: "p=b,p,y\n1,b,2\n", with: columns(Columns{Categorical: []string{"p"}}), want: `a level of a categorical column, or a word of a text, and another column are both named "p=b"`},
		{name: "unknown positive", file: "a,y\n1,AML\n2,ALL\n", with: target(source.Target{Column: "y", Positive: "AM"}), want: `all: target.positive: y has no level "AM"; did you mean "AML"?`},
		{name: "delimiter", with: func(t *Text) { t.Delimiter = ",," }, want: `delimiter: ",,", expected one character`},
		{name: "no delimiter", with: func(t *Text) { t.Delimiter = "" }, want: `delimiter: "", expected one character`},
		{name: "quote as delimiter", with: func(t *Text) { t.Delimiter = `"` }, want: `delimiter: "\"", expected one character`},
		{name: "word and column", with: target(source.Target{Name: "y", Column: "y"}), want: "target: give a name, column or columns, not several"},
		{name: "bad prepare", with: func(t *Text) { t.Prepare.Missing.All = "means" }, want: `prepare.missing: "means" is not one of`},
		{name: "bad prepare of words", with: func(t *Text) { t.Prepare.Missing.Words = "median" }, want: `prepare.missing.words: "median" is not one of`},
		{name: "bad cutoff", with: func(t *Text) { t.Features.Cutoff = -2 }, want: "features.cutoff: -2, expected 0 or more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := sourcetest.Load(csvOf(c.with), map[string]string{"all": c.file}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	for want, test := range map[string]string{
		`test: no column "a", which train has`:                          "b,y\n1,2\n",
		`test: column "aa" is not in train`:                             "a,aa,b,y\n1,1,1,1\n",
		`test: no rows, only the names of columns`:                      "a,b,y\n",
		`test:2:5: column "y": found "x", expected a finite number for`: "a,b,y\n1,2,x\n",
	} {
		s := csvOf(func(t *Text) { t.Target.Type = "real" })
		if _, err := sourcetest.Load(s, map[string]string{"train": "a,b,y\n1,2,3\n", "test": test}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestDeclares(t *testing.T) {
	s := csvOf(func(t *Text) {
		t.Target.Target = source.Target{Columns: []string{"a", "b"}, Type: "class"}
		t.Columns.Group = "g"
		t.Prepare = Prepare{Prepare: source.Prepare{Gaps: source.Gaps{Missing: source.Fill{All: "error"}}, Scaling: source.Scaling{Scale: "sd"}, Unseen: "error"}}
		t.Features.Cutoff = 2
	})
	d := s.Declares()
	if want := []source.Declared{{Name: "a", Type: data.Class}, {Name: "b", Type: data.Class}}; !slices.Equal(d.Targets, want) || !slices.Equal(d.Groups, []string{"g"}) {
		t.Errorf("got %+v", d)
	}
	if got, want := s.Recipe(), (prepare.Recipe{Cutoff: 2, Scale: "sd", Unseen: "error"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := registry.Canonical(s, CSVKind.Defaults()), `{"columns.group":"g","target.columns":["a","b"],"target.type":"class"}`; got != want {
		t.Errorf("in the key: got %s, want %s, without what each fold prepares", got, want)
	}
	if got := csvOf(nil).Declares().Targets[0].Type; got != data.Any {
		t.Errorf("got %v, want any: only the data can tell", got)
	}
}

func TestRoundTrip(t *testing.T) {
	const rows, cols = 50, 12
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := make([][]float64, rows), make([]float64, rows)
	var text strings.Builder
	for j := range cols {
		fmt.Fprintf(&text, "x%d\t", j)
	}
	text.WriteString("y\n")
	for i := range x {
		x[i] = make([]float64, cols)
		for j := range x[i] {
			switch rng.IntN(4) {
			case 0:
				x[i][j] = math.NaN()
			case 1, 2:
				x[i][j] = rng.NormFloat64()
			}
			fmt.Fprintf(&text, "%v\t", x[i][j])
		}
		y[i] = rng.NormFloat64()
		fmt.Fprintf(&text, "%v\n", y[i])
	}
	tsv := TSVKind.Defaults().(Text)
	tsv.Target.Column = "y"
	d, err := sourcetest.Load(tsv, map[string]string{"all": text.String()})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Targets[0].Values, y) {
		t.Error("read back, the target differs")
	}
	for i := range x {
		got, row := make([]float64, cols), d.X.Row(i)
		for k, j := range row.Idx {
			got[j] = row.At(k)
		}
		for j := range got {
			if got[j] != x[i][j] && !(math.IsNaN(got[j]) && math.IsNaN(x[i][j])) {
				t.Errorf("row %d, column %d: got %v, want %v", i, j, got[j], x[i][j])
			}
		}
	}
}

func TestDiabetes(t *testing.T) {
	folder := os.Getenv("TENFOLD_DATA")
	if folder == "" {
		t.Skip("TENFOLD_DATA names no data folder")
	}
	content, err := os.ReadFile(filepath.Join(folder, "lars-diabetes", "diabetes_x10.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	tsv := TSVKind.Defaults().(Text)
	tsv.Target.Column = "y"
	d, err := sourcetest.Load(tsv, map[string]string{"all": string(content)})
	if err != nil {
		t.Fatal(err)
	}
	rows, cols := d.X.Dims()
	if rows != 442 || cols != 10 || d.X.NNZ() != 4420 || d.Features.Name(2) != "bmi" || d.Targets[0].Type != data.Real || d.Targets[0].Values[0] != 151 {
		t.Errorf("got %d × %d, %d entries, target %v", rows, cols, d.X.NNZ(), d.Targets[0].Values[0])
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"a,y,b\n1,5,0\n-2.5,6,1e3\n", "c,i,t,w,y\nx,1,2024-01-01,2,no\n,2,2024-01-02,1,yes\n", "a,y\r\n\"1\n\",2", "\ufeff,y\n1,2\n", "a,a\n", "y\n\n1",
	} {
		f.Add(seed, "c", "i", "t", "w")
		f.Add(seed, "", "", "", "")
	}
	f.Fuzz(func(t *testing.T, content, categorical, id, when, weight string) {
		s := csvOf(func(t *Text) { t.Columns = Columns{ID: id, Time: when, Weight: weight} })
		if categorical != "" {
			s.Columns.Categorical = []string{categorical}
		}
		sourcetest.Fuzz(t, s, map[string]string{"all": content})
	})
}

func BenchmarkText(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("a,b,c,d,y\n")
	for range 20_000 {
		fmt.Fprintf(&text, "%v,%v,%v,%d,%v\n", rng.NormFloat64(), rng.NormFloat64(), rng.IntN(2), rng.IntN(1000), rng.NormFloat64())
	}
	files := map[string]string{"all": text.String()}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sourcetest.Load(csvOf(nil), files); err != nil {
			b.Fatal(err)
		}
	}
}
