package tabular

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
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

func TestJoins(t *testing.T) {
	for _, c := range []struct {
		name  string
		with  func(*Text)
		files map[string]string
		want  string
		y     string
	}{
		{
			name: "by id, in any order", with: func(t *Text) { t.Columns.ID = "id" },
			files: map[string]string{"all": "id,a\nr1,1\nr2,2\n", "responses": "strain,y,z\nr3,0,0\nr2,6,yes\nr1,5,no\n"},
			want:  "r1 a:1 ;r2 a:2 ;", y: "y [5 6] z [0 1]",
		},
		{
			name: "row by row", files: map[string]string{"all": "a\n1\n2\n", "responses": "#y,z\n5,7\n6,8\n"},
			want: "a:1 ;a:2 ;", y: "y [5 6] z [7 8]",
		},
		{
			name: "without names", with: func(t *Text) { t.Header, t.Join.Header = false, false },
			files: map[string]string{"all": "1\n2\n", "responses": "5,7\n6,8\n"}, want: "1:1 ;1:2 ;", y: "1 [5 6] 2 [7 8]",
		},
		{
			name: "further features", with: func(t *Text) { t.Columns.ID, t.Target.Column, t.Columns.Categorical = "id", "y", []string{"c"} },
			files: map[string]string{"all": "id,c,y\nr1,p,5\nr2,q,6\n", "features": ",b,d\nr2,1,2\nr1,0,\n"},
			want:  "r1 c=p:1 d:NaN ;r2 c=q:1 b:1 d:2 ;", y: "y [5 6]",
		},
		{
			name: "rows that the file does not have are left out", with: func(t *Text) { t.Columns.ID, t.Join.Unmatched, t.Join.ID = "id", "skip", "name" },
			files: map[string]string{"all": "id,a\nr1,1\nr2,2\n", "responses": "y,name\n5,r2\n"}, want: "r2 a:2 ;", y: "y [5]",
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
	if show(d) != "a:1 ;a:NaN ;a:4 ;" || !slices.Equal(d.Targets[1].Values, []float64{0, 1, 1}) || d.Facts[0] != (data.Fact{Name: "rows left out, with missing values", Value: "1"}) {
		t.Errorf("%s %+v %v", show(d), d.Targets, d.Facts)
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
	marked.Columns.ID, marked.Columns.Missing = "id", source.Missing{{Texts: []string{"?"}}}
	d, err = sourcetest.Load(marked, map[string]string{"all": "id,a\n1,5\n2,?\n3,7\n", "features": "id,b\n1,?\n2,6\n3,7\n", "responses": "id,y,z\n1,5,no\n2,6,yes\n3,?,no\n"})
	if err != nil || show(d) != "a:5 b:NaN ;a:NaN b:6 ;" {
		t.Errorf("by declaration: %v, %v", d, err)
	}
	if _, err = sourcetest.Load(options("drop-rows"), map[string]string{"all": "a,y,z\n1,,no\n"}); err == nil || !strings.Contains(err.Error(), "target y: every value is missing") {
		t.Errorf("no value at all: %v", err)
	}
}

func TestBadJoins(t *testing.T) {
	for _, c := range []struct {
		name, want string
		with       func(*Text)
		files      map[string]string
	}{
		{name: "fewer rows", want: "responses: 1 rows, expected 2, one for each row of data", files: map[string]string{"responses": "y\n5\n"}},
		{name: "an id of rows without", want: `join.id: the rows of data have no ids to join "r" with`, with: func(t *Text) { t.Join.ID = "r" }, files: map[string]string{"responses": "r,y\n5,6\n7,8\n"}},
		{name: "no target there", want: `responses: target: no column "z"`, with: func(t *Text) { t.Target.Column = "z" }, files: map[string]string{"responses": "y\n5\n6\n"}},
		{name: "missing rows", want: "responses: it does not have 1 of the 2 rows of data: 2 (join: {unmatched: skip} leaves them out)", with: func(t *Text) { t.Columns.ID = "id" }, files: map[string]string{"responses": "i,y\n1,5\n3,5\n"}},
		{name: "a row twice", want: `responses:3:1: column "i": found "1", which identifies row 1 already`, with: func(t *Text) { t.Columns.ID = "id" }, files: map[string]string{"responses": "i,y\n1,5\n1,5\n"}},
		{name: "the same column", want: `features: column "a" is in the data as well: rename one of the two, or leave that of the data out with columns: {drop: [a]}`, with: func(t *Text) { t.Columns.ID, t.Target.Column = "id", "y" }, files: map[string]string{"all": "id,a,y\n1,2,3\n", "features": "id,a\n1,5\n"}},
		{name: "texts", want: `features:2:3: column "b": found "x", expected a finite number; a joined file has numbers in all columns but that of the ids, which columns.id and join.id name: leave the column out of the file, or give numbers for its texts with columns: {codes: ...}`, with: func(t *Text) { t.Columns.ID, t.Target.Column = "id", "y" }, files: map[string]string{"all": "id,a,y\n1,2,3\n", "features": "id,b\n1,x\n"}},
		{name: "no row", want: `features: it has none of the rows of data: its ids are such as "7", theirs such as "1" (join: {id: COLUMN} names the column of its ids, if not the first)`, with: func(t *Text) { t.Columns.ID, t.Target.Column = "id", "y" }, files: map[string]string{"all": "id,a,y\n1,2,3\n", "features": "b,i\n7,1\n"}},
		{name: "missing response", want: `responses:2:1: column "y": the value is missing`, files: map[string]string{"responses": "y,z\n,2\n5,6\n"}},
		{name: "a code", want: `all:2:3: column "a": found "H", expected a finite number, or a text that columns.codes has`, with: func(t *Text) { t.Columns.Codes = map[string]float64{"B": 0} }, files: map[string]string{"all": "id,a\n1,H\n", "responses": "y\n1\n"}},
		{name: "on its side, ragged", want: "all:3: the row has 2 cells, expected 3 as in the first row", with: func(t *Text) { t.Samples, t.Target.Column = "columns", "y" }, files: map[string]string{"all": "g,s,t\na,1,2\ny,1\n"}},
		{name: "on its side, text", want: `all:2:5: "a" of the sample "t": found "x", expected a finite number`, with: func(t *Text) { t.Samples, t.Target.Column = "columns", "y" }, files: map[string]string{"all": "g,s,t\na,1,x\ny,1,2\n"}},
		{name: "on its side, ids twice", want: `all:1:5: "g" of the sample "s": found "s", which identifies row 1 already`, with: func(t *Text) { t.Samples, t.Target.Column = "columns", "y" }, files: map[string]string{"all": "g,s,s\na,1,2\ny,1,2\n"}},
		{name: "on its side, not UTF-8", want: "all:2:1: found byte 0xe9, expected UTF-8 text (say", with: func(t *Text) { t.Samples, t.Target.Column = "columns", "y" }, files: map[string]string{"all": "g,s\n\xe9,1\ny,1\n"}},
		{name: "on its side, empty", want: "all: the file is empty", with: func(t *Text) { t.Samples, t.Target.Column = "columns", "y" }, files: map[string]string{"all": ""}},
		{name: "on its side, without header", want: "header: a table on its side", with: func(t *Text) { t.Samples, t.Header = "columns", false }},
		{name: "samples", want: `samples: "lines" is not one of`, with: func(t *Text) { t.Samples = "lines" }},
		{name: "repeated", want: `columns.repeated: "first" is not one of`, with: func(t *Text) { t.Columns.Repeated = "first" }},
		{name: "unmatched", want: `join.unmatched: "drop" is not one of`, with: func(t *Text) { t.Join.Unmatched = "drop" }},
	} {
		s := CSVKind.Defaults().(Text)
		if c.with != nil {
			c.with(&s)
		}
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
		sourcetest.Fuzz(t, s, map[string]string{"all": content, "responses": answers})
	})
}
