package model

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/exact"
)

func example() *File {
	return &File{
		Version: Version, Tool: "v1", Experiment: "e", Dataset: "d", Algorithm: "a", Engine: "lasso", Revision: 2, Params: json.RawMessage(`{"lambda":0.1}`), Cell: "abc",
		Data: Data{Format: "csv", Rev: 1, Options: json.RawMessage(`{"columns":{"id":"x"}}`)},
		Held: &Held{Folds: 3, Metrics: []Metric{{Name: "accuracy", Mean: exact.Float(1.0 / 3), SE: exact.Float(math.NaN()), N: 1}}},
		Selected: Selected{
			{Rank: -1, Feature: "x<1>", Coefficient: exact.Float(math.Pi), Score: exact.Float(math.Inf(1))},
		},
		Preparation: &data.Learned{Columns: []string{"x<1>", "ü"}, Scale: exact.Floats{0.1, math.SmallestNonzeroFloat64}, Targets: []data.LearnedTarget{{Name: "y"}}},
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
