package svmlight

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/labels"
	"tenfold/io/files"
	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

var defaults = Kind.Defaults().(SVMLight)

// show writes a data set as text: one row a line, columns by name.
func show(d *data.Dataset) string {
	var b strings.Builder
	for i := range d.Rows() {
		fmt.Fprintf(&b, "%v", d.Targets[0].Values[i])
		if d.Groups != nil {
			fmt.Fprintf(&b, " g%d", d.Groups.Of[i])
		}
		if d.Part != nil {
			fmt.Fprintf(&b, " p%d", d.Part[i])
		}
		row := d.X.Row(i)
		for k, j := range row.Idx {
			fmt.Fprintf(&b, " %s:%v", d.Features.Name(int(j)), row.At(k))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestLoad(t *testing.T) {
	base := func(b string) func(*SVMLight) { return func(s *SVMLight) { s.Base = b } }
	class := func(s *SVMLight) { s.Target.Name = "class" }
	for _, c := range []struct {
		name, file, test, want string
		with                   func(*SVMLight)
		cols                   int
		binary                 bool
		levels                 string
	}{
		{name: "binary", file: "1.5 1:1 3:1\n-2\n", want: "1.5 1:1 3:1\n-2\n", cols: 3, binary: true},
		{name: "values", file: "1 1:0.5 3:-2e3\n", want: "1 1:0.5 3:-2000\n", cols: 3},
		{name: "zeros are not stored", file: "1 1:0 2:1 4:0.0\n", want: "1 2:1\n", cols: 4, binary: true},
		{name: "from 0, found late", file: "1 2:1\n0 0:1\n", want: "1 2:1\n0 0:1\n", cols: 3, binary: true},
		{name: "from 0, told", file: "1 2:1\n", with: base("0"), want: "1 2:1\n", cols: 3, binary: true},
		{name: "from 0 in the test file", file: "1 2:1\n", test: "1 0:1", want: "1 p0 2:1\n1 p1 0:1\n", cols: 3, binary: true},
		{name: "columns of the test file alone", file: "1 1:1\n", test: "2 4:1", want: "1 p0 1:1\n2 p1 4:1\n", cols: 4, binary: true},
		{name: "not rising", file: "1 3:30 1:10 2:20\n", want: "1 1:10 2:20 3:30\n", cols: 3},
		{name: "comments and blanks", file: "# head\n\n1\t1:1  2:1 # 3:1\r\n2 #\n  \n3 1:1#x", want: "1 1:1 2:1\n2\n3 1:1\n", cols: 2, binary: true},
		{name: "a byte order mark", file: "\ufeffb 1:1\na\n", with: class, want: "1 1:1\n0\n", cols: 1, binary: true, levels: "a b"},
		{name: "a comment that is not UTF-8", file: "1 1:1 # \xe9\n", want: "1 1:1\n", cols: 1, binary: true},
		{name: "groups", file: "1 qid:7 1:1\n2 qid:9\n3 qid:7 2:1", want: "1 g0 1:1\n2 g1\n3 g0 2:1\n", cols: 2, binary: true},
		{name: "classes by number", file: "+1 1:1\n-1 2:1\n1\n", with: class, want: "1 1:1\n0 2:1\n1\n", cols: 2, binary: true, levels: "-1 1"},
		{name: "classes by name", file: "spam 1:1\nham\n", with: class, want: "1 1:1\n0\n", cols: 1, binary: true, levels: "ham spam"},
		{name: "positive makes classes", file: "1\n2 1:1\n", with: func(s *SVMLight) { s.Target.Positive = "1" }, want: "1\n0 1:1\n", cols: 1, binary: true, levels: "2 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := defaults
			if c.with != nil {
				c.with(&s)
			}
			files := map[string]string{"all": c.file}
			if c.test != "" {
				files = map[string]string{"train": c.file, "test": c.test}
			}
			d, err := sourcetest.Load(s, files)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(d); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			if _, cols := d.X.Dims(); cols != c.cols || d.X.Binary() != c.binary {
				t.Errorf("got %d columns, binary %v, want %d, %v", cols, d.X.Binary(), c.cols, c.binary)
			}
			if levels := strings.Join(d.Targets[0].Levels, " "); levels != c.levels {
				t.Errorf("got levels %q, want %q", levels, c.levels)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	base := func(b string) func(*SVMLight) { return func(s *SVMLight) { s.Base = b } }
	target := func(x source.Target) func(*SVMLight) { return func(s *SVMLight) { s.Target = x } }
	for _, c := range []struct {
		name, file, want string
		with             func(*SVMLight)
	}{
		{name: "empty", file: "", want: "all: no rows"},
		{name: "only comments", file: "# nothing\n\n", want: "all: no rows"},
		{name: "no label", file: "1 1:1\n1:1 2:1\n", want: `all:2: found "1:1", expected a label before the first index:value`},
		{name: "several labels", file: "1,3 1:1\n", want: `all:1: label "1,3": several labels a row are not supported`},
		{name: "label is a name", file: "spam 1:1\n", want: `all:1: label "spam", expected a finite number; if labels are names, say target: class`},
		{name: "label is NaN", file: "nan 1:1\n", want: `all:1: label "nan", expected a finite number`},
		{name: "no value", file: "1 3\n", want: `all:1: found "3", expected index:value`},
		{name: "no value after the colon", file: "1 3: 4:1\n", want: `all:1: found "3:", expected index:value`},
		{name: "no index", file: "1 :2\n", want: `all:1: found ":2", expected index:value`},
		{name: "negative index", file: "1 -3:1\n", want: `all:1: found "-3:1", expected index:value`},
		{name: "huge index", file: "1 99999999999999999999999:1\n", want: `all:1: found "99999999999999999999999:1": the index is beyond 5242880, the most columns`},
		{name: "value is infinite", file: "1 1:1 2:Inf\n", want: `all:1: found "2:Inf": value "Inf", expected a finite number`},
		{name: "value is infinite", file: "1 1:1\n1 2:-inf\n", want: `all:2: found "2:-inf": value "-inf", expected a finite number`},
		{name: "value too large", file: "1 1:1e999\n", want: `all:1: found "1:1e999": value "1e999", expected a finite number`},
		{name: "value is text", file: "1 1:x\n", want: `all:1: found "1:x": value "x", expected a finite number`},
		{name: "repeated", file: "1 2:1 2:1\n", want: "all:1: index 2 is given twice in one row"},
		{name: "repeated apart", file: "1 5:1 2:1 5:0\n", want: "all:1: index 5 is given twice in one row"},
		{name: "index 0 with base 1", file: "1 1:1\n1 0:1\n", with: base("1"), want: `all:2: found "0:1": index 0, expected 1 or more with base 1`},
		{name: "qid begins late", file: "1 1:1\n1 qid:2 1:1\n", want: `all:2: found "qid:2", but earlier rows have no qid`},
		{name: "qid ends", file: "1 qid:2 1:1\n1 1:1\n", want: "all:2: no qid after the label, but earlier rows have one"},
		{name: "qid is no number", file: "1 qid:a 1:1\n", want: `all:1: found "qid:a", expected qid: and a whole number`},
		{name: "unknown positive", file: "1\n2\n", with: target(source.Target{Positive: "3"}), want: `has no level "3"`},
		{name: "an archive", file: "PK\x03\x04\x14\x00", want: "all: a zip archive; say which of its files with {path: ..., member: ...}"},
		{name: "zero bytes", file: "1 1:1\n\x00\x00", want: "all: no text: it has a zero byte among its first 8, expected none; it may be of another format, or damaged"},
		{name: "label is not UTF-8", file: "1 1:1\n\xe9t\xe9 1:1\n", with: target(source.Target{Name: "class"}), want: `all:2: label "\xe9t\xe9", expected UTF-8 text`},
		{name: "bad base", file: "1\n", with: base("2"), want: `base: "2" is not one of auto, 0, 1`},
		{name: "bad target", file: "1\n", with: target(source.Target{Name: "clas"}), want: `target: "clas" is not one of real, class, survival; did you mean "class"?`},
		{name: "column", file: "1\n", with: target(source.Target{Column: "y"}), want: "target.column: the format has one target"},
		{name: "real and positive", file: "1\n", with: target(source.Target{Type: "real", Positive: "1"}), want: "target.positive: "},
		{name: "bad scale", file: "1\n", with: func(s *SVMLight) { s.Prepare.Scale = "st" }, want: `prepare.scale: "st" is not one of`},
		{name: "bad cutoff", file: "1\n", with: func(s *SVMLight) { s.Features.Cutoff = -1 }, want: "features.cutoff: -1, expected 0 or more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := defaults
			if c.with != nil {
				c.with(&s)
			}
			if _, err := sourcetest.Load(s, map[string]string{"all": c.file}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	t.Run("test file is empty", func(t *testing.T) {
		_, err := sourcetest.Load(defaults, map[string]string{"train": "1 1:1\n", "test": ""})
		if err == nil || !strings.HasPrefix(err.Error(), "test: no rows") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := defaults.Load(ctx, sourcetest.Input(map[string]string{"all": "1 1:1\n"})); err != context.Canceled {
			t.Errorf("got %v", err)
		}
	})
}

func TestDeclares(t *testing.T) {
	for name, want := range map[string]data.Type{"": data.Real, "real": data.Real, "class": data.Class} {
		s := defaults
		s.Target.Name = name
		if got := s.Declares().Targets[0].Type; got != want {
			t.Errorf("target %q: got %v, want %v", name, got, want)
		}
	}
	s := defaults
	s.Prepare.Scale, s.Features.Cutoff = "sd", 3
	if got, want := s.Recipe(), (prepare.Recipe{Cutoff: 3, Scale: "sd"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// random is a matrix as text, as svmlight has it, in a form that show writes back.
func random(rows, cols int, binary bool) string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for range rows {
		fmt.Fprintf(&b, "%v", rng.NormFloat64())
		for j := 1; j <= cols; j++ {
			if rng.IntN(4) > 0 {
				continue
			}
			v := 1.0
			if !binary {
				v = rng.NormFloat64()
			}
			fmt.Fprintf(&b, " %d:%v", j, v)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestRoundTrip(t *testing.T) {
	for _, binary := range []bool{true, false} {
		text := random(50, 40, binary)
		d, err := sourcetest.Load(defaults, map[string]string{"all": text})
		if err != nil {
			t.Fatal(err)
		}
		if got := show(d); got != text {
			t.Errorf("binary %v: read back, it differs", binary)
		}
	}
}

// New rows need no label: a line may begin with its first entry, and its label may be anything.
func TestLoadNew(t *testing.T) {
	file := sourcetest.Input(map[string]string{"all": "1:1 3:2\n? 2:1\n0 1:5\n1,3\n"})
	model := source.Application{Learned: &prepare.Learned{Columns: []string{"1", "3"}, Targets: []labels.Target{{Name: "label"}}}}
	d, err := defaults.LoadNew(t.Context(), file, model)
	if err != nil || d.Targets != nil || d.Rows() != 4 || d.X.NNZ() != 4 || d.X.Row(0).At(1) != 2 {
		t.Fatalf("%v %+v", err, d)
	}
	model.Responses = true
	if _, err := defaults.LoadNew(t.Context(), file, model); err == nil || !strings.HasPrefix(err.Error(), `all:1: found "1:1", expected a label`) {
		t.Errorf("responses that are not there: %v", err)
	}
	d, err = defaults.LoadNew(t.Context(), sourcetest.Input(map[string]string{"all": "1 1:1\n-2.5 2:1\n"}), model)
	if err != nil || fmt.Sprint(d.Targets[0].Values) != "[1 -2.5]" {
		t.Errorf("responses: %v %v", err, d)
	}
}

func TestA9A(t *testing.T) {
	s := defaults
	s.Target.Name = "class"
	d, err := sourcetest.Load(s, map[string]string{"train": sourcetest.File(t, "libsvm/a9a.gz"), "test": sourcetest.File(t, "libsvm/a9a.t.gz")})
	if err != nil {
		t.Fatal(err)
	}
	rows, cols := d.X.Dims()
	if rows != 32561+16281 || cols != 123 || d.X.NNZ() != 451592+225731 || !d.X.Binary() {
		t.Errorf("got %d × %d, %d entries, binary %v", rows, cols, d.X.NNZ(), d.X.Binary())
	}
	if !slices.Equal(d.Targets[0].Levels, []string{"-1", "1"}) {
		t.Errorf("got levels %v", d.Targets[0].Levels)
	}
	sum := 0.0
	for _, y := range d.Targets[0].Values {
		sum += y
	}
	if sum != 7841+3846 {
		t.Errorf("got %v positive rows, want %d", sum, 7841+3846)
	}
}

// A long index makes a wide matrix, which is slow, not wrong.
var long = regexp.MustCompile(`[0-9]{6}`)

func FuzzLoad(f *testing.F) {
	for _, seed := range []string{"1 1:1 2:0.5 # c\n", "-1 qid:3 0:1e-3\n+1 qid:4\n", "a 3:1 2:1\r\n\n", "1,2 1:1", "nan 2:inf", "1 1:1 1:1", random(3, 5, false)} {
		f.Add(seed, "auto", true)
		f.Add(seed, "1", false)
	}
	f.Fuzz(func(t *testing.T, content, base string, class bool) {
		if long.MatchString(content) {
			t.Skip()
		}
		s := defaults
		s.Base = base
		if class {
			s.Target.Name = "class"
		}
		sourcetest.Fuzz(t, s, map[string]string{"all": content})
	})
}

func BenchmarkLoad(b *testing.B) {
	for _, binary := range []bool{true, false} {
		text := random(20_000, 100, binary)
		b.Run(fmt.Sprintf("binary=%v", binary), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := sourcetest.Load(defaults, map[string]string{"all": text}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// What little text asks for is refused, and what as much text as that needs is not.
func TestColumnsFollowMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.svm")
	for _, c := range []struct {
		text   string
		memory int64
		want   string
	}{
		{"1 1:1\n1 60000000:1\n", 0, `:2: found "60000000:1": the index is beyond 5242889`},
		{"1 50000:1\n", 1 << 20, `:1: found "50000:1": the index is beyond 32773, the most columns that a file of its size may have here`},
		{"1 50000:1 # " + strings.Repeat("x", 36_000) + "\n", 1 << 20, ""},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := files.Open(map[string]files.Ref{"all": {Path: path}}, files.Folders{Memory: c.memory}, "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err = defaults.Load(t.Context(), in); (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), path+c.want) {
			t.Errorf("%.20q: %v", c.text, err)
		}
	}
}
