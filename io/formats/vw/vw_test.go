package vw

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/labels"
	"tenfold/io/rawtext"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

var defaults = Kind.Defaults().(VW)

// show writes a data set as text: one row a line, columns by name.
func show(d *data.Dataset) string {
	var b strings.Builder
	for i := range d.Rows() {
		if d.IDs != nil {
			fmt.Fprintf(&b, "%s: ", d.IDs[i])
		}
		fmt.Fprintf(&b, "%v", d.Targets[0].Values[i])
		if d.Weight != nil {
			fmt.Fprintf(&b, " w%v", d.Weight[i])
		}
		if d.Part != nil {
			fmt.Fprintf(&b, " p%d", d.Part[i])
		}
		row := d.X.Row(i)
		for k, j := range row.Idx {
			fmt.Fprintf(&b, " %s=%v", d.Features.Name(int(j)), row.At(k))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestLoad(t *testing.T) {
	class := func(v *VW) { v.Target.Name = "class" }
	for _, c := range []struct {
		name, file, test, want string
		with                   func(*VW)
		levels                 string
		repeats                string
	}{
		{name: "plain", file: "1 |f a:0.5 b\n-1 |f b:2e1\n", want: "1 f^a=0.5 f^b=1\n-1 f^b=20\n"},
		{name: "no namespace", file: "0.5 | a b:2 |f a\n", want: "0.5 a=1 b=2 f^a=1\n"},
		{name: "weights of namespaces", file: "1 |f:2 a:3 b |g:-0.5 a:4 |f a:1\n", want: "1 f^a=7 f^b=2 g^a=-2\n", repeats: "1"},
		{name: "importance", file: "1 2.5 | a\n2 | a\n", want: "1 w2.5 a=1\n2 w1 a=1\n"},
		{name: "importance of one", file: "1 1 | a\n2 1 0 | a\n", want: "1 a=1\n2 a=1\n"},
		{name: "tags that touch", file: "1 x|f a\n2 0.5 y|f a\n", want: "x: 1 w1 f^a=1\ny: 2 w0.5 f^a=1\n"},
		{name: "tags with apostrophes", file: "1 'x |f a\n2 0.5 'y|f a\n", want: "x: 1 w1 f^a=1\ny: 2 w0.5 f^a=1\n"},
		{name: "tags of some", file: "1 'x |f a\n2 |f a\n", want: "1 f^a=1\n2 f^a=1\n"},
		{name: "tags that repeat", file: "1 'x |f a\n2 'x|f a\n", want: "1 f^a=1\n2 f^a=1\n"},
		{name: "tags that are an apostrophe", file: "1 '|f a\n", want: "1 f^a=1\n"},
		{name: "repeated in a row", file: "1 |f a a:2 b a:-3 b:-0.5\n2 |f a a\n", want: "1 f^b=0.5\n2 f^a=2\n", repeats: "4"},
		{name: "zeros are no entries", file: "1 |f a:0 b:1 |g:0 c d\n", want: "1 f^b=1\n"},
		{name: "no features", file: "1 |\n2 |f\n3 |f |g\n4 | |\n", want: "1\n2\n3\n4\n"},
		{name: "spaces", file: "\n \t\n 1   |f  a \t b  | c\r\n2 |f\ta\r\n", want: "1 f^a=1 f^b=1 c=1\n2 f^a=1\n"},
		{name: "two carriage returns", file: "1 |f a\r\r\n\r\r\n2 |f a\n", want: "1 f^a=1\n2 f^a=1\n"},
		{name: "no line feed at the end", file: "1 |f a", want: "1 f^a=1\n"},
		{name: "test part", file: "1 |f a\n", test: "2 |f b a\n", want: "1 p0 f^a=1\n2 p1 f^a=1 f^b=1\n"},
		{name: "classes by number", file: "+1 |f a\n-1 |f a\n1 |f\n", with: class, want: "1 f^a=1\n0 f^a=1\n1\n", levels: "-1 1"},
		{name: "classes by name", file: "spam |f a\nham |f\n", with: class, want: "1 f^a=1\n0\n", levels: "ham spam"},
		{name: "latin-1", file: "1 |f \xe9t\xe9\n", with: func(v *VW) { v.Encoding = rawtext.Latin1 }, want: "1 f^été=1\n"},
		{name: "other spaces", file: "1 |f a\u00a0b\u3000c\n", want: "1 f^a\u00a0b\u3000c=1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := defaults
			if c.with != nil {
				c.with(&v)
			}
			files := map[string]string{"all": c.file}
			if c.test != "" {
				files = map[string]string{"train": c.file, "test": c.test}
			}
			d, err := sourcetest.Load(v, files)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(d); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			if levels := strings.Join(d.Targets[0].Levels, " "); levels != c.levels {
				t.Errorf("got levels %q, want %q", levels, c.levels)
			}
			if c.repeats != "" && d.Facts[0].Value != c.repeats {
				t.Errorf("got %s repeats, want %s", d.Facts[0].Value, c.repeats)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	class := func(v *VW) { v.Target.Name = "class" }
	for _, c := range []struct {
		name, file, want string
		with             func(*VW)
	}{
		{name: "empty", file: "", want: "all: no rows"},
		{name: "only blank lines", file: "\n \n", want: "all: no rows"},
		{name: "no bar", file: "1 | a\n1 a b\n", want: `all:2: found "1 a b", expected a | between the label and the features`},
		{name: "no label", file: "| a\n", want: "all:1: no label, and rows without one cannot be used"},
		{name: "no label, blanks", file: "  |f a\n", want: "all:1: no label, and rows"},
		{name: "label touches", file: "1|f a\n", want: `all:1: no label: "1" touches |, which makes it a tag; expected a blank between a label and |`},
		{name: "only a tag", file: "'x |f a\n", want: `all:1: no label before the tag "'x"`},
		{name: "tag too early", file: "1 'x 2 |f a\n", want: `all:1: importance "'x", expected a positive number`},
		{name: "two tags", file: "2 0.5 'y z|f a\n", want: `all:1: base "'y"`},
		{name: "tab", file: "1\t2 |f a\n", want: "all:1: found a tab before |"},
		{name: "label is a name", file: "spam |f a\n", want: `all:1: label "spam", expected a finite number; if labels are names, say target: class`},
		{name: "label is NaN", file: "nan |f a\n", want: `all:1: label "nan", expected a finite number`},
		{name: "importance is text", file: "1 x |f a\n", want: `all:1: importance "x", expected a positive number`},
		{name: "importance is 0", file: "1 0 |f a\n", want: `all:1: importance "0", expected a positive number`},
		{name: "importance is infinite", file: "1 inf |f a\n", want: `importance "inf"`},
		{name: "base", file: "1 1 0.5 |f a\n", want: `all:1: base "0.5": predictions to start from are not supported`},
		{name: "several classes", file: "1,2 |f a\n", want: `all:1: found the label "1,2": labels of several classes`, with: class},
		{name: "costs", file: "1:0.5 2:1.5 |f a\n", want: `all:1: found the label "1:0.5 2:1.5": labels of several classes`},
		{name: "bandit", file: "2:1.5:0.3 |f a\n", want: `all:1: found the label "2:1.5:0.3": labels of several classes`, with: class},
		{name: "bandit in several lines", file: "shared |f a\n", want: `all:1: found the label "shared": labels`, with: class},
		{name: "too many words", file: "1 2 0 4 |f a\n", want: `all:1: found the label "1 2 0 4": labels`},
		{name: "value is text", file: "1 |f city:paris\n", want: `all:1: feature "city:paris": value "paris", expected a finite number`},
		{name: "value is missing", file: "1 |f a: b\n", want: `all:1: feature "a:": value "", expected a finite number`},
		{name: "value is NaN", file: "1 |f a:NaN\n", want: `value "NaN", expected a finite number`},
		{name: "value too large", file: "1 |f a:1e999\n", want: `value "1e999", expected a finite number`},
		{name: "no feature name", file: "1 |f :2\n", want: `all:1: feature ":2": no name before the colon`},
		{name: "no namespace name", file: "1 |:2 a\n", want: `all:1: namespace ":2": no name before the colon`},
		{name: "weight is text", file: "1 |f:x a\n", want: `all:1: namespace "f:x": value "x", expected a finite number`},
		{name: "product too large", file: "1 |f:1e300 a:1e300 b\n", want: "all:1: feature f^a: its value is beyond the range of numbers"},
		{name: "products too large cancel", file: "1 |f:1e300 a:1e300 a:-1e300\n", want: "all:1: feature f^a: its value is beyond"},
		{name: "not UTF-8", file: "1 |f a\n1 |f \xe9\n", want: "all:2:6: found byte 0xe9, expected UTF-8"},
		{name: "an archive", file: "PK\x03\x04\x14\x00", want: "all: a zip archive"},
		{name: "unknown positive", file: "1 |f\n2 |f\n", with: func(v *VW) { v.Target.Positive = "3" }, want: `has no level "3"`},
		{name: "bad target", file: "1 |f\n", with: func(v *VW) { v.Target.Name = "clas" }, want: `target: "clas" is not one of real, class, survival; did you mean "class"?`},
		{name: "bad encoding", file: "1 |f\n", with: func(v *VW) { v.Encoding = "utf8" }, want: `encoding: "utf8" is not one of`},
		{name: "bad cutoff", file: "1 |f\n", with: func(v *VW) { v.Features.Cutoff = -1 }, want: "features.cutoff: -1, expected 0 or more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := defaults
			if c.with != nil {
				c.with(&v)
			}
			if _, err := sourcetest.Load(v, map[string]string{"all": c.file}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	t.Run("test file is empty", func(t *testing.T) {
		_, err := sourcetest.Load(defaults, map[string]string{"train": "1 |f\n", "test": ""})
		if err == nil || !strings.HasPrefix(err.Error(), "test: no rows") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := defaults.Load(ctx, sourcetest.Input(map[string]string{"all": "1 |f\n"})); err != context.Canceled {
			t.Errorf("got %v", err)
		}
	})
}

func TestDeclares(t *testing.T) {
	for name, want := range map[string]data.Type{"": data.Real, "real": data.Real, "class": data.Class} {
		v := defaults
		v.Target.Name = name
		if got := v.Declares().Targets[0].Type; got != want {
			t.Errorf("target %q: got %v, want %v", name, got, want)
		}
	}
}

// New rows need no label: what stands before the bar may be one, a tag, both or nothing.
func TestLoadNew(t *testing.T) {
	file := sourcetest.Input(map[string]string{"all": "|f a\nt1|f b\n1 |f a\n1 2 'x |f\n'y |f\n 1 z|f\n\t|f c\n"})
	model := source.Application{Learned: &prepare.Learned{Columns: []string{"f^a"}, Targets: []labels.Target{{Name: "label"}}}}
	d, err := defaults.LoadNew(t.Context(), file, model)
	if err != nil || d.Rows() != 7 || d.Targets != nil || d.IDs != nil || d.Weight != nil {
		t.Fatalf("%v %+v", err, d)
	}
	d, err = defaults.LoadNew(t.Context(), sourcetest.Input(map[string]string{"all": "t1|f b\n1 2 'x |f\n'y |f\n1 z|f\n"}), model)
	if err != nil || strings.Join(d.IDs, " ") != "t1 x y z" {
		t.Errorf("tags: %v %v", err, d)
	}
	model.Responses = true
	if _, err := defaults.LoadNew(t.Context(), file, model); err == nil || !strings.HasPrefix(err.Error(), "all:1: no label") {
		t.Errorf("responses that are not there: %v", err)
	}
	d, err = defaults.LoadNew(t.Context(), sourcetest.Input(map[string]string{"all": "1 |f a\n-2.5 |f\n"}), model)
	if err != nil || fmt.Sprint(d.Targets[0].Values) != "[1 -2.5]" {
		t.Errorf("responses: %v %v", err, d)
	}
}

func TestRCV1(t *testing.T) {
	files := map[string]string{"train": sourcetest.File(t, "rcv1-vw-small/rcv1_small.dat.gz"), "test": sourcetest.File(t, "rcv1-vw-small/rcv1_small_test.data.gz")}
	v := defaults
	v.Target.Name = "class"
	for _, c := range []struct {
		role                          string
		rows, entries, cols, positive int
	}{{"train", 1000, 77739, 9738, 459}, {"test", 500, 39448, 6970, 245}} {
		d, err := sourcetest.Load(v, map[string]string{"all": files[c.role]})
		if err != nil {
			t.Fatal(err)
		}
		rows, cols := d.X.Dims()
		if rows != c.rows || cols != c.cols || d.X.NNZ() != c.entries || count(d) != c.positive {
			t.Errorf("%s: got %d × %d, %d entries, %d positive; want %+v", c.role, rows, cols, d.X.NNZ(), count(d), c)
		}
	}
	d, err := sourcetest.Load(v, files)
	if err != nil {
		t.Fatal(err)
	}
	if d.Rows() != 1500 || d.X.NNZ() != 77739+39448 || d.Part[999] != 0 || d.Part[1000] != 1 || d.Features.Name(0) != "f^9" || d.IDs != nil || d.Weight != nil {
		t.Errorf("got %d rows, %d entries, parts %v, first column %s", d.Rows(), d.X.NNZ(), d.Part[999:1001], d.Features.Name(0))
	}
}

// count is the number of rows of the last level.
func count(d *data.Dataset) (n int) {
	for _, y := range d.Targets[0].Values {
		n += int(y)
	}
	return n
}

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{"1 |f a:1 b:0.5\n", "-1 2 0 'x|f:0.5 a a |g\r\n", "| a", "1|f", "1,2 |f", "1:2 |f", "x\t| y", "a '|:1 b:c:2"} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, content string, class bool) {
		v := defaults
		if class {
			v.Target.Name = "class"
		}
		sourcetest.Fuzz(t, v, map[string]string{"all": content})
	})
}

func BenchmarkLoad(b *testing.B) {
	var text strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&text, "%d |f", i%2)
		for j := range 80 {
			fmt.Fprintf(&text, " %d:0.%d", (i*37+j*j)%5000, 1+j)
		}
		text.WriteByte('\n')
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sourcetest.Load(defaults, map[string]string{"all": text.String()}); err != nil {
			b.Fatal(err)
		}
	}
}
