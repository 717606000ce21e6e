package tabular

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// ids writes the ids of the rows before their columns.
func ids(d *data.Dataset) string {
	rows := strings.Split(show(d), ";")
	for i := range d.IDs {
		rows[i] = d.IDs[i] + " " + rows[i]
	}
	return strings.Join(rows, ";")
}

// byColumn joins one table.
func byColumn(by string, features ...string) Joins {
	return Joins{{File: source.Ref{Path: "x"}, By: by, Features: features, Header: true}}
}

func TestJoins(t *testing.T) {
	for _, c := range []struct {
		name  string
		with  func(*Text)
		files map[string]string
		want  string
		y     string
	}{
		{
			name: "by id, in any order", with: func(t *Text) { t.Columns.ID, t.Target.Columns, t.Join = "id", []string{"*"}, byColumn("") },
			files: map[string]string{"all": "id,a\nr1,1\nr2,2\n", "join": "strain,y,z\nr2,6,yes\nr1,5,no\n"},
			want:  "r1 a:1 ;r2 a:2 ;", y: "y [5 6] z [0 1]",
		},
		{
			name: "row by row", with: func(t *Text) { t.Target.Columns, t.Join = []string{"*"}, byColumn("") }, files: map[string]string{"all": "a\n1\n2\n", "join": "#y,z\n5,7\n6,8\n"},
			want: "a:1 ;a:2 ;", y: "y [5 6] z [7 8]",
		},
		{
			name: "without names", with: func(t *Text) {
				t.Header, t.Target.Columns, t.Join = false, []string{"*"}, Joins{{File: source.Ref{Path: "x"}}}
			},
			files: map[string]string{"all": "1\n2\n", "join": "5,7\n6,8\n"}, want: "1:1 ;1:2 ;", y: "1 [5 6] 2 [7 8]",
		},
		{
			name: "further features", with: func(t *Text) {
				t.Columns.ID, t.Target.Column, t.Columns.Categorical, t.Join = "id", "y", []string{"c"}, byColumn("", "*")
			},
			files: map[string]string{"all": "id,c,y\nr1,p,5\nr2,q,6\n", "join": ",b,d\nr2,1,2\nr1,0,\n"},
			want:  "r1 c=p:1 d:NaN ;r2 c=q:1 b:1 d:2 ;", y: "y [5 6]",
		},
		{
			name: "rows that the file does not have are left out", with: func(t *Text) {
				t.Columns.ID, t.Target.Column, t.Join = "id", "y", Joins{{File: source.Ref{Path: "x"}, By: "name", Unmatched: "drop", Header: true}}
			},
			files: map[string]string{"all": "id,a\nr1,1\nr2,2\n", "join": "y,name\n5,r2\n"}, want: "r2 a:2 ;", y: "y [5]",
		},
		{
			name: "a table on its side", with: func(t *Text) { t.Samples, t.Target.Column, t.Columns.Drop = "columns", "class", []string{"note*"} },
			files: map[string]string{"all": "gene,s1,s2\ng1,1,0\nnotes,x,y\nclass,p,q\ng2,NA,4\n"}, want: "s1 g1:1 g2:NaN ;s2 g2:4 ;", y: "class [0 1]",
		},
		{
			name: "parts on their sides, with codes", with: func(t *Text) {
				t.Samples, t.Target.Column, t.Columns.Codes = "columns", "y", map[string]float64{"B": 0, "R": 1}
			},
			files: map[string]string{"train": ",s1,s2\nm,R,B\ny,1,2\n", "test": ",s3\nm,R\ny,3\n"}, want: "s1 m:1 ;s2 ;s3 m:1 ;", y: "y [1 2 3]",
		},
		{
			name: "a name twice", with: func(t *Text) { t.Columns.Repeated, t.Target.Column = "number", "y" },
			files: map[string]string{"all": "a,a,y,a\n1,2,5,3\n"}, want: "a:1 a#2:2 a#3:3 ;", y: "y [5]",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := CSVKind.Defaults().(Text)
			if c.with != nil {
				c.with(&s)
			}
			d, err := sourcetest.Load(s, c.files)
			if err != nil {
				t.Fatal(err)
			}
			var y []string
			for _, target := range d.Targets {
				y = append(y, target.Name, fmt.Sprint(target.Values))
			}
			if got := strings.Join(y, " "); ids(d) != c.want || got != c.y {
				t.Errorf("got %s %s\nwant %s %s", ids(d), got, c.want, c.y)
			}
		})
	}
}

func TestGaps(t *testing.T) {
	file := map[string]string{"all": "a,y,z\n1,5,no\n,6,yes\n3,,\n4,8,yes\n"}
	options := func(missing string) Text {
		return csvOf(func(t *Text) {
			t.Target.Target = source.Target{Columns: []string{"y", "z"}}
			t.Target.Missing = missing
		})
	}
	d, err := sourcetest.Load(options("drop-rows"), file)
	if err != nil {
		t.Fatal(err)
	}
	if show(d) != "a:1 ;a:NaN ;a:4 ;" || !slices.Equal(d.Targets[1].Values, []float64{0, 1, 1}) || d.Accounts().Rows.String() != "3 of 4 (1 without a response)" {
		t.Errorf("%s %+v %v", show(d), d.Targets, d.Accounts())
	}
	s := options("drop-rows")
	s.Prepare.Missing.All = "drop-rows"
	if d, err = sourcetest.Load(s, file); err != nil || show(d) != "a:1 ;a:4 ;" {
		t.Errorf("%v %v", err, d)
	}
	if _, err = sourcetest.Load(options("mean"), file); err == nil || !strings.Contains(err.Error(), "z has levels, and they no mean") {
		t.Errorf("a mean of levels: %v", err)
	}
	marked := options("drop-rows")
	marked.Columns.ID, marked.Columns.Missing, marked.Join = "id", rawtext.Missing{{Texts: []string{"?"}}}, append(byColumn("", "*"), byColumn("")...)
	d, err = sourcetest.Load(marked, map[string]string{"all": "id,a\n1,5\n2,?\n3,7\n", "join": "id,b\n1,?\n2,6\n3,7\n", "join2": "id,y,z\n1,5,no\n2,6,yes\n3,?,no\n"})
	if err != nil || show(d) != "a:5 b:NaN ;a:NaN b:6 ;" {
		t.Errorf("by declaration: %v, %v", d, err)
	}
	if _, err = sourcetest.Load(options("drop-rows"), map[string]string{"all": "a,y,z\n1,,no\n"}); err == nil || !strings.Contains(err.Error(), "target y: every value is missing") {
		t.Errorf("no value at all: %v", err)
	}
}

func TestBadJoins(t *testing.T) {
	joined := func(by string) func(*Text) { return func(t *Text) { t.Join = byColumn(by) } }
	for _, c := range []struct {
		name, want string
		with       func(*Text)
		files      map[string]string
	}{
		{name: "fewer rows", want: "join: 1 rows, expected 2, one for each row of data", with: joined(""), files: map[string]string{"join": "y\n5\n"}},
		{name: "rows without ids", want: `join.by: the data has no column "r"; name that of its ids in columns.id`, with: joined("r"), files: map[string]string{"join": "r,y\n5,6\n7,8\n"}},
		{name: "no target there", want: `all: target: no column "z" (columns: id, a); nor is there one in join (columns: id, y)`, with: func(t *Text) { t.Join, t.Target.Column, t.Columns.Group = byColumn("id"), "z", "y" }, files: map[string]string{"join": "id,y\n1,5\n2,6\n"}},
		{name: "missing rows", want: "join: it has no row for 1 of 2 rows of data: 2; the data has none for 1 of its 2 rows: 3; unmatched: drop leaves out either", with: joined("id"), files: map[string]string{"join": "id,y\n1,5\n3,5\n"}},
		{name: "further rows", want: "join: the data has none for 1 of its 3 rows: 3; unmatched: drop-joined leaves them out", with: joined("id"), files: map[string]string{"join": "id,y\n1,5\n2,5\n3,5\n"}},
		{name: "a row twice", want: `join:4:1: column "id": found "1", as in line 2: no two rows of a joined table have the same id`, with: joined("id"), files: map[string]string{"join": "id,y\n1,5\n2,5\n1,5\n"}},
		{name: "the same column", want: `join: column "a" is in the data as well: rename one of the two, or leave that of the data out with columns: {drop: [a]}`, with: func(t *Text) { t.Join, t.Target.Column = byColumn("id", "a"), "y" }, files: map[string]string{"all": "id,a,y\n1,2,3\n", "join": "id,a\n1,5\n"}},
		{name: "a role of two columns", want: `target: column "y" is in join as well: rename one of the two`, with: joined("id"), files: map[string]string{"all": "id,a,y\n1,2,3\n", "join": "id,y\n1,5\n"}},
		{name: "nothing of it is used", want: `join: nothing names a column of it`, with: func(t *Text) { t.Join, t.Target.Column = byColumn("id"), "a" }, files: map[string]string{"join": "id,y\n1,5\n"}},
		{name: "texts", want: `join:2:1: column "b": found "x", expected a finite number; list the column under columns.categorical, too, if it holds text`, with: func(t *Text) { t.Join, t.Target.Column = byColumn("id", "b"), "y" }, files: map[string]string{"all": "id,a,y\n1,2,3\n", "join": "b,id\nx,1\n"}},
		{name: "no row", want: `join: join.by: no value of "i" is the id of a row of data: they are such as "R.1", the ids such as "r-1" ("R.1" and "r-1" differ in signs or capitals alone); by: names another column of the table, columns.id of the data`, with: func(t *Text) { t.Columns.ID, t.Target.Column, t.Join = "id", "y", byColumn("i", "b") }, files: map[string]string{"all": "id,a,y\nr-1,2,3\n", "join": "b,i\n7,R.1\n"}},
		{name: "missing response", want: `join:2:3: column "y": the value is missing; say what to do with target: {missing: drop-rows | mean}`, with: joined("id"), files: map[string]string{"join": "id,y\n1,\n2,6\n"}},
		{name: "times without events", want: "join: target: of times and events, it has the column of one alone", with: func(t *Text) {
			t.Join, t.Target.Response = byColumn("id"), source.Response{Target: source.Target{Type: "survival"}, Survival: source.Survival{Time: []string{"t"}, Event: []string{"e"}}}
		}, files: map[string]string{"all": "id,a,e\n1,2,1\n", "join": "id,t\n1,5\n"}},
		{name: "a code", want: `all:2:3: column "a": found "H", expected a finite number, or a text that columns.codes has`, with: func(t *Text) { t.Join, t.Columns.Codes = byColumn("id"), map[string]float64{"B": 0} }, files: map[string]string{"all": "id,a\n1,H\n", "join": "id,y\n1,1\n"}},
		{name: "on its side, ragged", want: "all:3: the row has 2 cells, expected 3 as in the first row", with: func(t *Text) { t.Samples, t.Target.Column = "columns", "y" }, files: map[string]string{"all": "g,s,t\na,1,2\ny,1\n"}},
		{name: "on its side, text", want: `all:2:5: "a" of the sample "t": found "x", expected a finite number`, with: func(t *Text) { t.Samples, t.Target.Column = "columns", "y" }, files: map[string]string{"all": "g,s,t\na,1,x\ny,1,2\n"}},
		{name: "on its side, ids twice", want: `all:1:5: "g" of the sample "s": found "s", which identifies row 1 already`, with: func(t *Text) { t.Samples, t.Target.Column = "columns", "y" }, files: map[string]string{"all": "g,s,s\na,1,2\ny,1,2\n"}},
		{name: "on its side, not UTF-8", want: "all:2:1: found byte 0xe9, expected UTF-8 text (say", with: func(t *Text) { t.Samples, t.Target.Column = "columns", "y" }, files: map[string]string{"all": "g,s\n\xe9,1\ny,1\n"}},
		{name: "on its side, empty", want: "all: the file is empty", with: func(t *Text) { t.Samples, t.Target.Column = "columns", "y" }, files: map[string]string{"all": ""}},
		{name: "on its side, without header", want: "header: a table on its side", with: func(t *Text) { t.Samples, t.Header = "columns", false }},
		{name: "samples", want: `samples: "lines" is not one of`, with: func(t *Text) { t.Samples = "lines" }},
		{name: "repeated", want: `columns.repeated: "first" is not one of`, with: func(t *Text) { t.Columns.Repeated = "first" }},
		{name: "unmatched", want: `join.unmatched: "skip" is not one of`, with: func(t *Text) { t.Join = Joins{{File: source.Ref{Path: "x"}, Unmatched: "skip"}} }},
	} {
		s := csvOf(c.with)
		files := map[string]string{"all": "id,a\n1,2\n2,3\n"}
		for role, content := range c.files {
			files[role] = content
		}
		if _, err := sourcetest.Load(s, files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func FuzzSideways(f *testing.F) {
	f.Add("gene,s1,s2\ng1,1,0\ny,3,4\n", "id,y\ns2,1\ns1,2\n")
	f.Add(",s1\n\"g\n1\",x\n", "#y\n1\n")
	f.Add(",0\n\"0\",", "#\n0") // ids and no responses
	f.Fuzz(func(t *testing.T, content, answers string) {
		s := CSVKind.Defaults().(Text)
		s.Samples, s.Target.Missing, s.Target.Binarize = "columns", "drop-rows", "train-mean"
		s.Target.Columns, s.Join = []string{"*"}, Joins{{File: source.Ref{Path: "x"}, Header: true, Unmatched: "drop"}}
		sourcetest.Fuzz(t, s, map[string]string{"all": content, "join": answers})
	})
}
