package tabular

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"tenfold/engines/data"
	"tenfold/io/files"
	"tenfold/io/source/sourcetest"
)

// write is a Parquet file of the rows, two in a row group.
func write[T any](rows ...T) string {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, parquet.MaxRowsPerRowGroup(2))
	if _, err := w.Write(rows); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

func parquetOf(with func(*Parquet)) Parquet {
	p := ParquetKind.Defaults().(Parquet)
	p.Target.Column = "y"
	if with != nil {
		with(&p)
	}
	return p
}

type typed struct {
	I32    int32     `parquet:"i32"`
	I64    int64     `parquet:"i64"`
	U32    uint32    `parquet:"u32"`
	F32    float32   `parquet:"f32"`
	F64    float64   `parquet:"f64"`
	Flag   bool      `parquet:"flag"`
	Maybe  *float64  `parquet:"maybe,optional"`
	Digits string    `parquet:"digits"`
	Money  int64     `parquet:"money,decimal(2:18)"`
	Day    int32     `parquet:"day,date"`
	When   time.Time `parquet:"when,timestamp(millisecond)"`
	Plan   string    `parquet:"plan,dict"`
	Number int64     `parquet:"number"`
	Label  *string   `parquet:"y,optional"`
}

func TestParquet(t *testing.T) {
	half, yes, no := 0.5, "yes", "no"
	file := write(
		typed{I32: -1, I64: 2, U32: math.MaxUint32, F32: 0.5, F64: math.NaN(), Flag: true, Maybe: &half, Digits: "7", Money: 1050, Day: 2, When: time.UnixMilli(1500), Plan: "b", Number: 1<<53 + 1, Label: &yes},
		typed{Plan: "a", Digits: "0", When: time.UnixMilli(0), Number: 1 << 53, Label: &no},
		typed{I64: 1, Plan: "b", Digits: "NA", When: time.UnixMilli(1000), Number: 3, Label: &yes},
	)
	d, err := sourcetest.Load(parquetOf(func(p *Parquet) {
		p.Columns = Columns{Time: "when", ID: "number", Categorical: []string{"plan"}}
	}), map[string]string{"all": file})
	if err != nil {
		t.Fatal(err)
	}
	want := "i32:-1 i64:2 u32:4.294967295e+09 f32:0.5 f64:NaN flag:1 maybe:0.5 digits:7 money:10.5 day:172800 plan=b:1 ;" +
		"maybe:NaN plan=a:1 ;" +
		"i64:1 maybe:NaN digits:NaN plan=b:1 ;"
	if got := show(d); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	y := data.Target{Name: "y", Type: data.Class, Levels: []string{"no", "yes"}, Values: []float64{1, 0, 1}, Positive: 1}
	if !reflect.DeepEqual(d.Targets, []data.Target{y}) {
		t.Errorf("got %+v, want %+v", d.Targets, y)
	}
	if ids := []string{"9007199254740993", "9007199254740992", "3"}; !slices.Equal(d.IDs, ids) || !slices.Equal(d.Time, []float64{1.5, 0, 1}) {
		t.Errorf("got ids %v, times %v", d.IDs, d.Time)
	}
}

type plain struct {
	A float64 `parquet:"a"`
	Y float64 `parquet:"y"`
}

type clinical struct {
	ID    string  `parquet:"id"`
	Sex   string  `parquet:"sex"`
	Age   float64 `parquet:"age"`
	Class string  `parquet:"y"`
}

// A table of samples in a Parquet file, beside text.
func TestParquetOfSamples(t *testing.T) {
	t.Parallel()
	o := csvOf(func(t *Text) {
		t.Samples, t.Columns.Group, t.Join = "columns", "sex", byColumn("id", "age")
		t.Join[0].Unmatched = "drop-joined"
	})
	d := sourcetest.MustLoad(t, o, map[string]string{"all": "gene,s1,s2\ng,1,2\n", "join": write(clinical{"s2", "F", 5, "u"}, clinical{"s9", "M", 6, "v"}, clinical{"s1", "M", 7, "w"})})
	if got := ids(d); got != "s1 g:1 age:7 ;s2 g:2 age:5 ;" || sourcetest.Levels(d.Targets[0]) != "u 1, w 1" || d.Groups == nil {
		t.Errorf("%s %s", got, sourcetest.Levels(d.Targets[0]))
	}
}

func TestParquetErrors(t *testing.T) {
	type nested struct {
		A    float64   `parquet:"a"`
		List []float64 `parquet:"list"`
		Y    float64   `parquet:"y"`
	}
	type uuid struct {
		A [16]byte `parquet:"a,uuid"`
		Y float64  `parquet:"y"`
	}
	type missing struct {
		A float64  `parquet:"a"`
		Y *float64 `parquet:"y,optional"`
	}
	one := 1.0
	good := write(plain{1, 2}, plain{3, 4}, plain{5, 6})
	for _, c := range []struct {
		name, file, want string
		with             func(*Parquet)
	}{
		{name: "empty", file: "", want: "all: not a readable parquet file: "},
		{name: "text", file: "a,y\n1,2\n", want: "all: not a readable parquet file: "},
		{name: "cut off", file: good[:len(good)/2], want: "all: not a readable parquet file: "},
		{name: "a huge footer", file: good[:len(good)-8] + "\xff\xff\xff\xffPAR1", want: "it does not end in a description of its columns"},
		{name: "no rows", file: write[plain](), want: "all: no rows, only the names of columns"},
		{name: "nested", file: write(nested{List: []float64{1}}), want: `all: column "list" is nested, expected a flat table; list it under columns.drop`},
		{name: "type", file: write(uuid{}), want: `all: column "a" has type UUID, expected text, a number`},
		{name: "text in numbers", file: write(struct {
			A string  `parquet:"a"`
			Y float64 `parquet:"y"`
		}{"x", 1}), want: `all: row 1, column "a": found "x", expected a finite number; list the column under columns.categorical (levels), columns.text (texts), columns.id`},
		{name: "infinite", file: write(plain{1, 2}, plain{1, 2}, plain{math.Inf(1), 2}), want: `all: row 3, column "a": found "+Inf", expected a finite number`},
		{name: "target is missing", file: write(missing{1, &one}, missing{1, &one}, missing{1, nil}), want: `all: row 3, column "y": the value is missing`},
		{name: "unknown column", file: good, with: func(p *Parquet) { p.Columns.Drop = []string{"b"} }, want: `all: columns.drop: no column "b"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := sourcetest.Load(parquetOf(c.with), map[string]string{"all": c.file}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	d, err := sourcetest.Load(parquetOf(func(p *Parquet) { p.Columns.Drop = []string{"list"} }), map[string]string{"all": write(nested{A: 1, List: []float64{1}, Y: 2})})
	if err != nil || show(d) != "a:1 ;" {
		t.Errorf("with the nested column dropped: got %v", err)
	}
}

func FuzzParquet(f *testing.F) {
	label := "x"
	f.Add(write(plain{1, 2}, plain{3, 4}, plain{5, 6}))
	f.Add(write(typed{Plan: "b", Label: &label}, typed{Plan: "a", Label: &label}))
	f.Fuzz(func(t *testing.T, content string) {
		sourcetest.Fuzz(t, parquetOf(nil), map[string]string{"all": content})
	})
}

// A column that is always the same takes next to nothing, and its rows take memory: they are counted before they are read.
func TestParquetBomb(t *testing.T) {
	type row struct {
		Y float64 `parquet:"y,dict"`
		X float64 `parquet:"x,dict"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	for range 100 {
		if _, err := w.Write(make([]row, 10_000)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := files.Open(map[string]files.Ref{"all": {Path: path}}, files.Folders{Memory: 1 << 20}, "")
	if err != nil {
		t.Fatal(err)
	}
	p := Parquet{}
	p.Target.Column = "y"
	if _, err := p.Load(t.Context(), in); err == nil || !strings.HasPrefix(err.Error(), path+": 2000000 cells, which unpack to ") {
		t.Errorf("%d bytes: %v", b.Len(), err)
	}
}
