package experiment

import (
	"reflect"
	"strings"
	"testing"

	"tenfold/io/formats"
)

func TestSourcesComeBackFromTheirOptions(t *testing.T) {
	sets, err := formats.Formats()
	if err != nil {
		t.Fatal(err)
	}
	for format, options := range map[string]string{
		"csv":       `{columns: {id: x, categorical: [a, "b*"], codes: {no: 0, yes: 1}}, delimiter: "|", target: {column: y, positive: "1"}, prepare: {missing: mean}, features: {drop: [q], classes: {names: _, size: [2, 9]}}}`,
		"tsv":       `{columns: {text: [a, "b*"], missing: {z: ["-"], a: []}}, target: {column: y, separator: ","}, features: {ngrams: [1, 2], values: tf-idf, texts: joined, penalty: {z: .inf, "a*": 0.5}}}`,
		"parquet":   `{columns: {missing: ["?"]}, target: {column: y}}`,
		"svmlight":  `{base: "0", target: class, prepare: {scale: sd}}`,
		"conll":     `{columns: {w: 0, c: 2}, target: {column: c, chunks: [NP]}, features: {templates: ["w[0]", "c[-1]"], cutoff: 3}, decode: {beam: 4}}`,
		"documents": `{layout: "{class}/{id}.txt", features: {values: tf-idf, idf: plain, ngrams: 2-3}, prepare: {topics: 4}}`,
		"gct":       `{collapse: max, target: {positive: AML}, features: {classes: {gmt: c1.gmt, overlap: duplicate}}}`,
		"knp":       `{pairs: all}`,
	} {
		src, err := NewSource(sets[format], []byte(options), nil, format)
		if err != nil {
			t.Fatal(err)
		}
		text, err := SourceOptions(sets[format], src)
		if err != nil {
			t.Fatal(err)
		}
		back, err := NewSource(sets[format], text, nil, format)
		if err != nil || !reflect.DeepEqual(back, src) {
			t.Errorf("%s: %s makes %+v, expected %+v (%v)", format, text, back, src, err)
		}
	}
}

func TestSharedOptions(t *testing.T) {
	sets, err := formats.Formats()
	if err != nil {
		t.Fatal(err)
	}
	shared, left, err := Shared(sets["parquet"], []byte(`{"columns":{"id":"x"},"delimiter":";","header":false}`))
	if err != nil || string(shared) != `{"columns":{"id":"x"}}` || strings.Join(left, " ") != "delimiter header" {
		t.Errorf("shared %s, left %v, %v", shared, left, err)
	}
	if _, err := NewSource(sets["csv"], []byte(`{}`), []string{"delimiter=;"}, "m"); err != nil {
		t.Error(err)
	}
	if _, err := NewSource(sets["csv"], []byte(`{}`), []string{"delimitr=;"}, "m"); err == nil || !strings.Contains(err.Error(), `unknown option "delimitr" of format csv; did you mean "delimiter"?`) {
		t.Errorf("got %v", err)
	}
}
