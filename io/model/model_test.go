package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/numeric/exact"
	"tenfold/engines/prepare"
	"tenfold/engines/prepare/labels"
)

func example() *File {
	return &File{
		Version: Version, Tool: "v1", Experiment: "e", Dataset: "d", Algorithm: "a", Engine: "lasso", Revision: 2, Params: json.RawMessage(`{"lambda":0.1}`), Cell: "abc",
		Data: Data{Format: "csv", Rev: 1, Options: json.RawMessage(`{"columns":{"id":"x"}}`)},
		Held: &Held{Folds: 3, Metrics: []Metric{{Name: "accuracy", Mean: exact.Float(1.0 / 3), SE: exact.Float(math.NaN()), N: 1}}},
		Selected: Selected{
			{Rank: -1, Feature: "x<1>", Coefficient: exact.Float(math.Pi), Score: exact.Float(math.Inf(1))},
		},
		Preparation: &prepare.Learned{Columns: []string{"x<1>", "ü"}, Scale: exact.Floats{0.1, math.SmallestNonzeroFloat64}, Targets: []labels.Target{{Name: "y"}}},
		Model:       engines.Saved{Kind: "linear", State: json.RawMessage(`{"bias":[0.1]}`)},
	}
}

func TestFilesComeBack(t *testing.T) {
	for _, name := range []string{"m.json", "m.json.gz"} {
		want := example()
		path := filepath.Join(t.TempDir(), name)
		if err := Write(path, want); err != nil {
			t.Fatal(err)
		}
		got, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		// NaN is no equal of itself.
		if se := &got.Held.Metrics[0].SE; !math.IsNaN(float64(*se)) {
			t.Errorf("standard error %v", *se)
		}
		got.Held.Metrics[0].SE, want.Held.Metrics[0].SE = 0, 0
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, expected %+v", got, want)
		}
	}
}

func TestEveryPieceOfAFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.json.gz")
	for _, path := range []string{path, strings.TrimSuffix(path, ".gz")} {
		if err := Write(path, example()); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		whole := len(bytes.TrimSpace(content))
		for n := range whole {
			if _, err := parse(content[:n]); err == nil {
				t.Errorf("%s: the first %d of %d bytes are accepted", filepath.Base(path), n, whole)
			}
		}
	}
}

// TestWhatIsNoModel is refused in words that say what it is.
func TestWhatIsNoModel(t *testing.T) {
	for content, want := range map[string]string{
		" \n":                                    "the file is empty",
		"PAR1 and more":                          "a Parquet file",
		"a,b,c\n1,2,3":                           `it begins with "a,b,c\n1,2,3"`,
		`{"tenfold_model": 1,`:                   "the file is cut off after 20 bytes",
		`{"tenfold_model" 1}`:                    "no JSON at byte 18",
		`{"tool": "v1"}`:                         "no model: expected a file that tenfold fit wrote",
		`{"tenfold_model": 0}`:                   "tenfold_model: found 0, expected 1",
		`{"tenfold_model": 1.5}`:                 "tenfold_model: found 1.5, expected 1",
		`{"tenfold_model": 2, "tool": "v9"}`:     "tenfold_model: found 2, expected 1, the version that this tenfold reads; the file is of tenfold v9",
		`{"tenfold_model": 1}`:                   "the model is damaged: preparation is missing",
		`{"tenfold_model": 1, "preparation": 3}`: "the model is damaged: json",
		`{"tenfold_model": 1, "preparation": {}, "model": {"kind": "x"}, "data": {"format": "csv"}}`: "the model is damaged: data says nothing of a format",
		`{"tenfold_model": 1, "preparation": {}, "model": {"kind": "x"}, "data": {"options": {}}}`:   "the model is damaged: data says nothing of a format",
		`{"tenfold_model": 1, "preparation": {"columns": ["a"], "topics": {"k": -1}, "targets": [{}]},
			"model": {"kind": "x"}, "data": {"format": "csv", "options": {}}}`: "the model is damaged: preparation: ",
		"\x1f\x8bno gzip": "the compressed file is damaged or cut off",
	} {
		if _, err := parse([]byte(content)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", content, err, want)
		}
	}
}

// TestCheckPlace: a model goes into a folder that is there, and takes the place of a file alone.
func TestCheckPlace(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		file: "", filepath.Join(dir, "new"): "", dir: "no regular file",
		filepath.Join(dir, "none", "m"): "there is no folder " + filepath.Join(dir, "none"), filepath.Join(file, "m"): "there is no folder " + file,
	} {
		err := CheckPlace(path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
		if err != nil && Write(path, example()) == nil {
			t.Errorf("%s: a model is written there", path)
		}
	}
}

// TestNoNumberChangesUnseen: a file with another digit, letter or sign anywhere in it is refused. One that was laid out anew is the
// same file, and one without a checksum, as older ones are, is read.
func TestNoNumberChangesUnseen(t *testing.T) {
	var b bytes.Buffer
	if err := encode(&b, example()); err != nil {
		t.Fatal(err)
	}
	content := b.Bytes()
	end := bytes.Index(content, []byte(`"checksum"`))
	for i, c := range content {
		changed := bytes.Clone(content)
		switch {
		case c >= '0' && c <= '9':
			changed[i] = '0' + (c-'0'+1)%10
		case c == '-':
			changed[i] = '1'
		case i < end && (c >= 'a' && c <= 'z' || c == '.'):
			changed[i] = 'x'
			if c == 'x' {
				changed[i] = 'y'
			}
		default:
			continue
		}
		if _, err := parse(changed); err == nil {
			t.Errorf("accepted: %s", changed[max(0, i-20):min(len(changed), i+20)])
		}
	}

	var flat, indented bytes.Buffer
	if err := errors.Join(json.Compact(&flat, content), json.Indent(&indented, content, "\t", "    ")); err != nil {
		t.Fatal(err)
	}
	older := append(bytes.Clone(content[:bytes.LastIndexByte(content[:end], ',')]), "}"...)
	for _, same := range [][]byte{content, flat.Bytes(), indented.Bytes(), older} {
		if _, err := parse(same); err != nil {
			t.Errorf("%v of\n%s", err, same)
		}
	}
	moved := bytes.Replace(older, []byte("{"), append([]byte("{"), append(content[end:bytes.LastIndexByte(content, '}')], ',')...), 1)
	if _, err := parse(moved); err == nil || !strings.Contains(err.Error(), "not what its checksum is of") {
		t.Errorf("a checksum in another place: %v of\n%s", err, moved)
	}
}

func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	if err := encode(&b, example()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte(`{"tenfold_model":1,"data":{"format":"csv","options":{}},"model":{"kind":"x"},"preparation":{"columns":["a"],"topics":{"k":-1},"targets":[{}]}}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		m, err := parse(content)
		if err == nil {
			m.Preparation.Features()
		}
	})
}
