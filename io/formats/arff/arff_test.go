package arff

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

const small = `% a comment
@RELATION 'two words'

@attribute 'the name' numeric
@ATTRIBUTE colour { red, 'dark blue' ,green}
@attribute flag {YES, NO}
@attribute "side" {left,right} % not a comment to Weka, but what follows a list is passed over
@attribute note string
@attribute T1 {0,1}
@attribute T2 real
@DATA
1, red, YES, left, 'it''s', 1, 2.5
0, 'dark blue', NO, right, ?, 0, -1
?, ?, NO, left, x, 1, 3
`

// show writes the columns as text, in order of row.
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

func TestDense(t *testing.T) {
	s := arffOf(func(a *ARFF) { a.Target.Columns, a.Columns.Drop = []string{"T*"}, []string{"note"} })
	d, err := sourcetest.Load(s, map[string]string{"all": strings.ReplaceAll(small, "'it''s'", `'it\'s'`)})
	if err != nil {
		t.Fatal(err)
	}
	want := "the name:1 colour=red:1 flag:1 ;colour=dark blue:1 side=right:1 ;the name:NaN colour=(missing):NaN ;"
	if got := show(d); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got, want := d.Accounts().String(), "rows: 3; columns: 4 of 7 (target: T1, T2; dropped: note)"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
	if !slices.Equal(d.Factor, []int32{-1, 0, 0, 0, 0, -1, -1}) {
		t.Errorf("factors %v", d.Factor)
	}
	a, b := d.Targets[0], d.Targets[1]
	if a.Type != data.Class || a.Positive != 1 || !slices.Equal(a.Values, []float64{1, 0, 1}) || b.Type != data.Real || !slices.Equal(b.Values, []float64{2.5, -1, 3}) {
		t.Errorf("targets %+v", d.Targets)
	}
	if p, err := s.Recipe().Fit(d, nil); err == nil {
		t.Errorf("gaps without a policy: %v", p)
	}
}

// TestMissingValues of nominal attributes, of two values and of more, with and without a value of that name.
func TestMissingValues(t *testing.T) {
	text := "@relation r\n@attribute a {no,yes}\n@attribute b {x,y}\n@attribute c {x,(missing)}\n@attribute d {x,y,(missing)}\n@attribute e {u,v}\n@attribute t {0,1}\n@data\n" +
		"yes,y,x,y,u,1\n?,?,?,?,v,0\nno,x,(missing),(missing),v,1\n"
	s := arffOf(func(a *ARFF) {
		a.Target.Column, a.Prepare.Missing = "t", source.Fill{Numbers: "mean", Words: "commonest"}
	})
	d, err := sourcetest.Load(s, map[string]string{"all": text})
	if err != nil {
		t.Fatal(err)
	}
	want := "a:1 b=y:1 d=y:1 ;a=(missing):NaN b=(missing):NaN c=(missing):NaN d=(missing):NaN e=v:1 ;c=(missing):1 d=(missing):1 e=v:1 ;"
	if got := show(d); got != want || !slices.Equal(d.Factor, []int32{0, 0, 1, 1, 2, 3, 3, 3, -1}) {
		t.Errorf("got %s, %v\nwant %s", got, d.Factor, want)
	}
	p, err := s.Recipe().Fit(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.X, d.Features = p.X, p.Features
	if got, want := show(d), "a:1 b=y:1 d=y:1 ;a:1 b=y:1 c=(missing):1 d=y:1 e=v:1 ;c=(missing):1 d=(missing):1 e=v:1 ;"; got != want {
		t.Errorf("filled: %s\nwant %s", got, want)
	}
}

func TestSparse(t *testing.T) {
	header := "@relation r\n@attribute a numeric\n@attribute b {NO,YES}\n@attribute c {YES,NO}\n@attribute d {x,y,z}\n@attribute 'l one' {0,1}\n@attribute l2 {0,1}\n@data\n"
	labels := `<?xml version="1.0" encoding="utf-8"?><labels xmlns="http://mulan.sourceforge.net/labels"><label name="l one"><label name="l2"></label></label></labels>`
	d, err := sourcetest.Load(arffOf(nil), map[string]string{"all": header + "{0 2.5,1 YES, 4 1}\n{}\n{ 2 NO,3 'z',5 1 }\n", "labels": labels})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := show(d), "a:2.5 b:1 c:1 d=x:1 ;c:1 d=x:1 ;d=z:1 ;"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if len(d.Targets) != 2 || d.Targets[0].Name != "l one" || !slices.Equal(d.Targets[0].Values, []float64{1, 0, 0}) || !slices.Equal(d.Targets[1].Values, []float64{0, 0, 1}) {
		t.Errorf("%+v", d.Targets)
	}
	if sourcetest.Fact(d, "labels of one row") != "l one, l2" || sourcetest.Fact(d, "labels of a row") != "0.6667" {
		t.Errorf("facts %v", d.Facts)
	}
	twice := sourcetest.MustLoad(t, arffOf(nil), map[string]string{"all": header + "{4 1}\n{4 1, 5 1}\n", "labels": labels})
	if sourcetest.Fact(twice, "labels of one row") != "l2" {
		t.Errorf("facts %v", twice.Facts)
	}
	one, err := sourcetest.Load(arffOf(func(a *ARFF) { a.Target.Column = "l2" }), map[string]string{"all": header + "{0 1}\n{5 1}\n", "labels": labels})
	if err != nil || len(one.Targets) != 1 || one.Features.Len() != 6 {
		t.Errorf("one label of two: %v, the other one is no feature: %v", err, one)
	}
}

func TestRoles(t *testing.T) {
	header := "@relation r\n@attribute id string\n@attribute g {p,q}\n@attribute a numeric\n@attribute y numeric\n@data\n"
	d, err := sourcetest.Load(arffOf(func(a *ARFF) { a.Target.Column, a.Columns = "y", Columns{ID: "id", Group: "g"} }), map[string]string{
		"train": header + "u,p,1,5\nv,q,2,6\n", "test": header + "w,p,3,7\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(d.IDs, d.Groups.Of, d.Part) != "[u v w] [0 1 0] [0 0 1]" || show(d) != "a:1 ;a:2 ;a:3 ;" {
		t.Errorf("%v %v %v %s", d.IDs, d.Groups.Of, d.Part, show(d))
	}
	d, err = sourcetest.Load(arffOf(func(a *ARFF) { a.Target.Column, a.Target.Missing, a.Columns.Drop = "g", "drop-rows", []string{"id"} }), map[string]string{"all": header + "u,?,1,5\nv,q,2,6\nx,p,3,7\n"})
	if err != nil || !slices.Equal(d.Targets[0].Values, []float64{1, 0}) || d.Targets[0].Rows != nil || show(d) != "a:2 y:6 ;a:3 y:7 ;" {
		t.Errorf("without the row that has no class: %v %+v", err, d)
	}
}

func TestErrors(t *testing.T) {
	head := "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute y {0,1}\n@data\n"
	labels := func(names ...string) string {
		var b strings.Builder
		b.WriteString("<labels>\n")
		for _, n := range names {
			fmt.Fprintf(&b, "<label name=%q/>\n", n)
		}
		return b.String() + "</labels>"
	}
	for _, c := range []struct {
		name, all, want string
		labels          string
		options         func(*ARFF)
	}{
		{name: "empty", all: "", want: "all: no @data"},
		{name: "not UTF-8", all: strings.Replace(head, "{x,y}", "{x,\xe9}", 1), want: "all:3:17: found byte 0xe9, expected UTF-8 text"},
		{name: "no rows", all: head, want: "all: no rows after @data"},
		{name: "no attributes", all: "@relation r\n@data\n1\n", want: "all:2: no @attribute before @data"},
		{name: "not ARFF", all: "a,b\n1,2\n", want: `all:1: found "a,b", expected @relation`},
		{name: "type", all: "@attribute a relational\n", want: `all:1: attribute "a": found "relational", expected numeric`},
		{name: "no name", all: "@attribute\n", want: `all:1: found "", expected the name of an attribute`},
		{name: "open quote", all: "@attribute 'a numeric\n", want: `all:1: found "'a numeric"`},
		{name: "open list", all: "@attribute a {x,y\n", want: `all:1: attribute "a": the list of values does not end`},
		{name: "empty list", all: "@attribute a {}\n", want: "the list of values is empty"},
		{name: "value twice", all: "@attribute a {x,x}\n", want: `all:1: attribute "a": the value "x" is listed twice`},
		{name: "name twice", all: "@attribute a real\n@attribute a real\n", want: `all:2: the attribute "a" is declared on line 1 already`},
		{name: "no target", all: head + "1,x,0\n", options: func(a *ARFF) { a.Target.Column = "" }, want: "all: target: none is given"},
		{name: "unknown target", all: head + "1,x,0\n", options: func(a *ARFF) { a.Target.Column = "yy" }, want: `all: target: no attribute "yy" (attributes: a, b, y)`},
		{name: "unknown drop", all: head + "1,x,0\n", options: func(a *ARFF) { a.Columns.Drop = []string{"c"} }, want: `columns.drop: no attribute "c"`},
		{name: "no features", all: "@attribute y real\n@data\n1\n", want: "all: no attributes are left for features"},
		{name: "text", all: "@attribute a string\n@attribute y real\n@data\nx,1\n", want: `all: the attribute "a" is text; list it under columns.drop`},
		{name: "short row", all: head + "1,x\n", want: "all:6: 2 values, expected one for each of the 3 attributes"},
		{name: "nothing after a quoted value", all: head + "1,'x',\n", want: `all:6: attribute "y": found "", expected one of 0, 1`},
		{name: "long row", all: head + "1,x,0,3\n", want: `all:6: more values than the 3 attributes, after them "3"`},
		{name: "number", all: head + "one,x,0\n", want: `all:6: attribute "a": found "one", expected a finite number, or ?`},
		{name: "infinite", all: head + "1e999,x,0\n", want: `found "1e999", expected a finite number`},
		{name: "level", all: head + "1,z,0\n", want: `all:6: attribute "b": found "z", expected one of x, y`},
		{name: "missing response", all: head + "1,x,?\n", want: `all:6: attribute "y", a response: the value is missing; say what to do`},
		{name: "after a quote", all: head + "1,'x'z,0\n", want: `all:6: found "z,0" after a quoted value`},
		{name: "quote in a row", all: head + "1,'x,0\n", want: "all:6: the quote before"},
		{name: "brace", all: head + "{0 1\n", want: "all:6: the sparse row does not end with a brace"},
		{name: "no value", all: head + "{0}\n", want: `all:6: found "0", expected the number of an attribute and its value`},
		{name: "number of an attribute", all: head + "{3 1}\n", want: `all:6: found "3", expected the number of an attribute, 0 to 2`},
		{name: "attribute twice", all: head + "{0 1,0 2}\n", want: `all:6: attribute 0 ("a") is given twice`},
		{name: "id twice", all: head + "1,x,0\n1,y,0\n", options: func(a *ARFF) { a.Columns.ID = "a" }, want: `all:7: attribute "a": found "1", which identifies row 1 already`},
		{name: "id missing", all: head + "?,x,0\n", options: func(a *ARFF) { a.Columns.ID = "a" }, want: `all:6: attribute "a": the value is missing`},
		{name: "no id", all: head + "{1 x}\n", options: func(a *ARFF) { a.Columns.ID = "a" }, want: `all:6: attribute "a" has no value, and is to identify`},
		{name: "positive", all: head + "1,x,0\n", options: func(a *ARFF) { a.Target.Positive = "2" }, want: `target.positive: y has no level "2" (levels: 0, 1)`},
		{name: "levels as numbers", all: head + "1,x,0\n", options: func(a *ARFF) { a.Target.Type = "real" }, want: "target y has the values 0, 1, expected numbers"},
		{name: "label that is no attribute", all: head + "1,x,0\n", labels: labels("y", "z"), want: `all: no attribute "z", which the list of labels has`},
		{name: "label twice", all: head + "1,x,0\n", labels: labels("y", "y"), want: `labels:3: the label "y" is listed twice`},
		{name: "no labels", all: head + "1,x,0\n", labels: "<labels></labels>", want: "labels: no labels"},
		{name: "label without name", all: head + "1,x,0\n", labels: "<labels><label/></labels>", want: "labels:1: a label without a name"},
		{name: "not XML", all: head + "1,x,0\n", labels: "y\nz <", want: "labels:2: malformed XML: unexpected EOF"},
	} {
		files := map[string]string{"all": c.all}
		options := func(a *ARFF) {
			a.Target.Column = "y"
			if c.options != nil {
				c.options(a)
			}
		}
		if c.labels != "" {
			files["labels"], options = c.labels, nil
		}
		if _, err := sourcetest.Load(arffOf(options), files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	other := strings.Replace(head, "{x,y}", "{x,z}", 1)
	if _, err := sourcetest.Load(arffOf(func(a *ARFF) { a.Target.Column = "y" }), map[string]string{"train": head + "1,x,0\n", "test": other + "1,x,0\n"}); err == nil || !strings.Contains(err.Error(), `test: attribute 2, "b", is not declared as in train`) {
		t.Errorf("another header: %v", err)
	}
}

func FuzzARFF(f *testing.F) {
	f.Add(small, "")
	f.Add("@relation r\n@attribute a numeric\n@attribute l {0,1}\n@data\n{0 1}\n{1 1}\n{}\n", `<labels><label name="l"/></labels>`)
	f.Add("@attribute y real\n@attribute a {b,c}\n@data\n1,b\n?,c", "")
	f.Fuzz(func(t *testing.T, all, list string) {
		files := map[string]string{"all": all}
		s := arffOf(func(a *ARFF) { a.Target.Columns, a.Target.Missing = []string{"y*", "T*"}, "drop-rows" })
		if list != "" {
			files["labels"], s = list, arffOf(func(a *ARFF) { a.Target.Missing, a.Features.Classes = "mean", source.Classes{Names: "_"} })
		}
		sourcetest.Fuzz(t, s, files)
	})
}

// TestAsWekaReads: tabs between values, a comma after the last, weights in braces, lists of values over lines, comments behind rows, and
// classes that are declared to be text.
func TestAsWekaReads(t *testing.T) {
	for name, file := range map[string]string{
		"tabs":    "@relation r\n@attribute x numeric\n@attribute c {no,yes}\n@data\n1.5\tyes\n2,\tno\n3 , yes % sure\n",
		"commas":  "@relation r\n@attribute x numeric\n@attribute c {no,yes}\n@data\n1.5,yes,\n2,no, \n3,yes,\n",
		"weights": "@relation r\n@attribute x numeric % of rows\n@attribute c {no,yes}\n@data\n1.5,yes,{2}\n2,no,{2}\n3,'yes', {2}\n",
		"lines":   "@relation r\n@attribute x numeric\n@attribute c\n{no, % one\nyes}\n@data\n1.5,yes\n2,no\n3,yes\n",
		"text":    "@relation r\n@attribute x numeric\n@attribute c string\n@data\n1.5,yes\n2,no\n3,yes\n",
		"sparse":  "@relation r\n@attribute x numeric\n@attribute c {no,yes}\n@data\n{0 1.5, 1 yes}, {1}\n{0 2}\n{0 3, 1 yes} % last\n",
	} {
		d, err := sourcetest.Load(arffOf(func(a *ARFF) { a.Target.Column = "c" }), map[string]string{"all": file})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		y := d.Targets[0]
		if !slices.Equal(y.Levels, []string{"no", "yes"}) || !slices.Equal(y.Values, []float64{1, 0, 1}) || d.Weight != nil || d.Rows() != 3 {
			t.Errorf("%s: %+v, weights %v", name, y, d.Weight)
		}
	}
	d, err := sourcetest.Load(arffOf(func(a *ARFF) { a.Target.Column = "x" }), map[string]string{"all": "@relation r\n@attribute x numeric\n@attribute z numeric\n@data\n1,2\n2,3,{0.5}\n3,1\n"})
	if err != nil || !slices.Equal(d.Weight, []float64{1, 0.5, 1}) {
		t.Errorf("%v, %v", d, err)
	}
}
