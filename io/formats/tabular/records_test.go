package tabular

import (
	"strings"
	"testing"

	"tenfold/io/rawtext"
	"tenfold/io/source/sourcetest"
)

func missingIn(column string, texts ...string) rawtext.MissingTexts {
	return rawtext.MissingTexts{Pattern: column, Texts: texts}
}

func recordsOf(with func(*Records)) Records {
	r := JSONLKind.Defaults().(Records)
	r.Target.Column = "y"
	if with != nil {
		with(&r)
	}
	return r
}

func TestRecords(t *testing.T) {
	for _, c := range []struct {
		name, text string
		with       func(*Records)
		want       string
	}{
		{"lines", "{\"a\": 1.5, \"y\": 1}\r\n\n {\"y\":2,\"a\":-2e1}\n", nil, "a:1.5 ;a:-20 ;"},
		{"an array", "\ufeff[\n  {\"a\": 1,\n   \"y\": 1},\n  {\"a\": 2, \"y\": 2}\n]\n", nil, "a:1 ;a:2 ;"},
		{"one after the other", `{"a":1,"y":1} {"a":2,"y":2}`, nil, "a:1 ;a:2 ;"},
		{"missing keys, null, NaN", "{\"y\":1}\n{\"y\":2,\"a\":null}\n{\"y\":3,\"a\":NaN}\n{\"y\":4,\"a\":4}\n", nil, "a:NaN ;a:NaN ;a:NaN ;a:4 ;"},
		{"truth values, digits as text, NA", `{"a":true,"b":"7","y":1} {"a":false,"b":"NA","y":2}`, nil, "a:1 b:7 ;b:NaN ;"},
		{"categories", `{"a":"x\u00e4\n","y":1} {"a":true,"y":2} {"a":1.0,"y":3} {"y":4}`, func(r *Records) { r.Columns.Categorical = []string{"a"} },
			"a=xä\n:1 ;a=true:1 ;a=1.0:1 ;a=(missing):NaN ;"},
		{"numbers stored as text, with thousands", `{"a":"1,234.5","y":1} {"a":0.5,"y":2}`, func(r *Records) { r.Thousands = "," }, "a:1234.5 ;a:0.5 ;"},
		{"a nested value that is dropped", `{"a":1,"n":{"k":[1,"]}"]},"y":1}`, func(r *Records) { r.Columns.Drop = []string{"n"} }, "a:1 ;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := sourcetest.Load(recordsOf(c.with), map[string]string{"all": c.text})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(d); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
	d := sourcetest.MustLoad(t, recordsOf(func(r *Records) { r.Columns.ID = "id" }), map[string]string{"all": `{"id":12345678901234567890,"a":1,"y":1} {"id":12345678901234567891,"a":1,"y":2}`})
	if d.IDs[0] != "12345678901234567890" || d.IDs[1] != "12345678901234567891" {
		t.Errorf("ids %v", d.IDs)
	}
}

// Keys that records lack are told.
func TestLackingKeys(t *testing.T) {
	d := sourcetest.MustLoad(t, recordsOf(nil), map[string]string{"all": `{"a":1,"y":1} {"b":1,"y":2} {"y":3,"a":null}`})
	if got := sourcetest.Fact(d, "keys that records of all lack"); got != "a in 1 of 3, b in 2 of 3" {
		t.Errorf("%q", got)
	}
	d = sourcetest.MustLoad(t, recordsOf(nil), map[string]string{"all": `{"a":1,"y":1} {"y":3,"a":null}`})
	if d.Facts != nil {
		t.Errorf("%v", d.Facts)
	}
}

func TestRecordMistakes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "\n", `all: no records, expected an object such as {"dose": 1.5} in each line`},
		{"an empty array", "[]", `all: no records, expected an object such as {"dose": 1.5} in each line`},
		{"a csv", "a,y\n1,2\n", `all:1: found "a,y", expected a record, such as {"dose": 1.5}`},
		{"lists", "[[1,2]]", `all:1: found "[1,2]]", expected a record, such as {"dose": 1.5}`},
		{"nested", "{\"a\":1,\"y\":1}\n{\"a\":{\"b\":1},\"y\":1}\n", `all:2: the value of "a" is nested, expected a number, a text, true, false or null; list it under columns.drop, or flatten it (pandas: json_normalize)`},
		{"a list of objects", "{\"y\":1,\"rows\":[ {\"a\":1,\"y\":1}]}", `all:1: the value of "rows" is a list of objects, expected a number, a text, true, false or null; where these are the rows, make them a file of their own, as jq -c '.KEY[]' does; list it`},
		{"an empty list", "{\"a\":[ ],\"y\":1}", `all:1: the value of "a" is nested`},
		{"a key twice", "{\"a\":1,\n\"a\":2,\"y\":1}", `all:2: the key "a" is in the record twice`},
		{"cut", "{\"a\":1,\"y\":1}\n{\"a\":2,\"y\"", `all:2: found the end of the file after the key "y", expected a colon`},
		{"cut text", "{\"a\":1,\"y\":1}\n{\"a\":2,\"y\":\"no", `all:2: found "\"no", a text that does not end`},
		{"cut array", "[{\"a\":1,\"y\":1}\n", `all:2: found the end of the file after a record, expected a comma or the bracket that ends the array`},
		{"single quotes", "{'a':1}", `all:1: found "'a':1}", expected a key in double quotes`},
		{"no value", `{"a":None,"y":1}`, `all:1: found "None,\"y\":1}", expected a number, a text in double quotes, true, false or null`},
		{"infinity", `{"a":-Infinity,"y":1}`, `all:1: column "a": found "-Infinity", expected a finite number`},
		{"beyond all numbers", `{"a":1e400,"y":1}`, `all:1: column "a": found "1e400", expected a finite number`},
		{"a text among numbers", "{\"a\":1,\"y\":1}\n{\"y\":1,\"a\":\"high\"}", `all:2: column "a": found "high", expected a finite number; list the column`},
		{"after an array", "[{\"a\":1,\"y\":1}] x", `all:1: found "x" after the array of records, expected the end of the file`},
		{"a missing response", "{\"a\":1,\"y\":1}\n{\"a\":2}\n", `all:2: column "y": the value is missing; say what to do with target: {missing: drop-rows | mean}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := sourcetest.Load(recordsOf(nil), map[string]string{"all": c.text}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}

func FuzzRecords(f *testing.F) {
	for _, seed := range []string{"{\"a\":1,\"y\":1}\n{\"y\":2}\n", `[{"a":"\u00e4","y":true},{"a":null,"y":NaN}]`, `{"a":{"b":[1]},"y":1}`} {
		f.Add(seed, "", "")
		f.Add(seed, "a", "y")
	}
	f.Fuzz(func(t *testing.T, text, categorical, id string) {
		r := recordsOf(func(r *Records) { r.Columns.ID = id })
		if categorical != "" {
			r.Columns.Categorical = []string{categorical}
		}
		sourcetest.Fuzz(t, r, map[string]string{"all": text})
	})
}
