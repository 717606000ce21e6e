package formats_test

import (
	"bytes"
	"context"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// The example of CONTRIBUTING.md.

// begin format

// Names reads lines of a number and the names of features: 3.5 red round.
type Names struct {
	Features struct {
		Cutoff int `yaml:"cutoff" key:"-" doc:"keep columns that occur in at least this many training rows; 0 keeps all"`
	} `yaml:"features"`
}

// NamesKind names it, and has the defaults of its options.
var NamesKind = source.Define(source.Kind{
	Name: "names", Doc: "a number and the names of features a line", Rev: 1,
}, Names{})

// Validate checks options by themselves.
func (n Names) Validate() error { return source.Features{Cutoff: n.Features.Cutoff}.Validate() }

// Declares what is known before the file is read, so that mismatches are found at once.
func (Names) Declares() source.Declares {
	return source.Declares{Targets: []source.Declared{{Name: "number", Type: data.Real}}, Roles: [][]string{{"all"}}, Binary: true}
}

// Recipe is what has to be learned from the training rows of each fold.
func (n Names) Recipe() prepare.Recipe { return prepare.Recipe{Cutoff: n.Features.Cutoff} }

// Load returns every column; the recipe drops some.
func (Names) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	content, file, err := in.Bytes("all")
	if err != nil {
		return nil, err
	}
	if content, err = rawtext.Decode(content, "", file); err != nil {
		return nil, err
	}
	var names []string
	number := map[string]int32{}
	var x sparse.Builder
	y := data.Target{Name: "number", Type: data.Real}
	for lines := rawtext.LinesOf(content, file); lines.Next(); {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		fields := bytes.Fields(lines.Line)
		if len(fields) == 0 {
			return nil, lines.Errorf("empty, expected a number and names")
		}
		v, ok := rawtext.ParseNumber(string(fields[0]))
		if !ok {
			return nil, lines.Errorf("found %q, expected a number", fields[0])
		}
		var row []int32
		for _, name := range fields[1:] {
			j, known := number[string(name)]
			if !known {
				j = int32(len(names))
				number[string(name)] = j
				names = append(names, string(name))
			}
			row = append(row, j)
		}
		if err := x.Add(row, nil); err != nil {
			return nil, lines.Errorf("%w", err)
		}
		y.Values = append(y.Values, v)
	}
	return &data.Dataset{X: x.Matrix(len(names)), Features: data.NewFeatures(names), Targets: []data.Target{y}}, nil
}

// end

// content is the file of a test.
type content string

func (c content) Has(role string) bool                                 { return role == "all" }
func (c content) Bytes(string) ([]byte, string, error)                 { return []byte(c), "t.txt", nil }
func (c content) Members(_ string, f func(string, []byte) error) error { return f("t.txt", []byte(c)) }

func TestExampleFormat(t *testing.T) {
	t.Parallel()
	d, err := NamesKind.Defaults().Load(t.Context(), content("3.5 red round\n1 red\n"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
	if rows, columns := d.X.Dims(); rows != 2 || columns != 2 || d.Features.Name(1) != "round" || d.Targets[0].Values[0] != 3.5 {
		t.Errorf("%d × %d, %v", rows, columns, d.Targets[0].Values)
	}
	for text, want := range map[string]string{
		"3.5\n\n1\n":     "t.txt:2: empty, expected a number and names",
		"x red\n":        `t.txt:1: found "x", expected a number`,
		"1 red red\n2 a": "t.txt:1: ",
	} {
		if _, err := NamesKind.Defaults().Load(t.Context(), content(text)); err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("%q: %v, expected %s", text, err, want)
		}
	}
}
