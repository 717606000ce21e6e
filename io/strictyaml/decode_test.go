package strictyaml

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"tenfold/engines/param"
)

type inner struct {
	Size int `yaml:"size"`
}

type document struct {
	Name    string            `yaml:"name" read:"required" doc:"what it is called"`
	Kind    kind              `yaml:"kind"`
	Columns string            `yaml:"columns" read:"commas"`
	Wait    time.Duration     `yaml:"wait"`
	Share   *float64          `yaml:"share,omitempty"`
	Texts   []string          `yaml:"texts,flow"`
	Words   map[string]string `yaml:"words"`
	Inner   inner             `yaml:",inline"`
}

type kind struct {
	Name string `yaml:"name" read:"scalar"`
	K    int8   `yaml:"k"`
}

func (d document) Validate() error {
	if d.Inner.Size > 9 {
		return errors.Join(param.Errorf("size", "%d, expected at most 9", d.Inner.Size))
	}
	return nil
}

func read(t *testing.T, text string) (document, error) {
	t.Helper()
	p := NewProblems("f", []byte(text), nil)
	var d document
	if root := p.Parse([]byte(text)); root != nil {
		(&Decoder{Problems: &p}).Decode(root, &d, Owner{Noun: "key", Of: "the file"})
	}
	return d, p.Err()
}

func TestDecode(t *testing.T) {
	t.Parallel()
	half := 0.5
	got, err := read(t, "name: 0012\nkind: kfold\ncolumns: [a, b]\nwait: 90s\nshare: .5\ntexts: [x, 1]\nwords: {k: v}\nsize: 3\n")
	want := document{Name: "0012", Kind: kind{Name: "kfold"}, Columns: "a, b", Wait: 90 * time.Second, Share: &half, Texts: []string{"x", "1"}, Words: map[string]string{"k": "v"}, Inner: inner{3}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: got %+v, want %+v", err, got, want)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                "f:1:1: the file is empty",
		"nam: x":                          `f:1:1: unknown key "nam" of the file; did you mean "name"?`,
		"size: 3":                         "f:1:1: the file: name is missing (what it is called)",
		"name: x\nkind: {k: 300}":         "f:2:11: kind.k: expected an integer of 8 bits, found 300",
		"name: x\nsize: 010":              "f:2:7: size: expected an integer, found 010",
		"name: x\nshare: .nan":            "f:2:8: share: expected a finite number, found .nan",
		"name: x\ntexts: a":               `f:2:8: texts: expected a list, found "a"`,
		"name: x\nwait: soon":             `f:2:7: wait: expected a duration such as 10m, found "soon"`,
		"name: x\nname: y":                `f:2:1: key "name" appears twice, first on line 1`,
		"name: x\nsize:":                  "f:2:6: size has no value",
		"name: !!str x":                   "f:1:7: tag !!str: tags are not used here",
		"name: x\n---\nname: y":           "f:2:1: a second document starts here",
		"name: \"a\x01\"":                 "f:1:9: control character U+0001",
		"name: \xff":                      "f:1:7: byte 0xff is not UTF-8",
		"name: x\n\tsize: 3":              "f:2:1: not YAML: a tab in the indentation",
		"name: [a":                        "f:1:1: not YAML: a list in brackets does not end",
		"name: *x":                        "f:1:7: not YAML: unknown anchor",
		"name: x\ntexts: &a [*a]":         "too much nesting, or an alias that contains itself",
		"name: x\nwords: {<<: {a: b}}":    "f:2:9: merge keys (<<) are not used here",
		"name: x\nwords:\n  ? [a]\n  : b": "a key has to be text",
	} {
		if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// Aliases may not multiply what a file holds beyond a million nodes.
func TestAliasesThatMultiply(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 8; i++ {
		fmt.Fprintf(&b, "a%d: &a%[1]d [*a%[2]d, *a%[2]d, *a%[2]d, *a%[2]d, *a%[2]d, *a%[2]d, *a%[2]d, *a%[2]d]\n", i, i-1)
	}
	if _, err := read(t, b.String()); err == nil || !strings.Contains(err.Error(), "too much nesting") {
		t.Errorf("got %v", err)
	}
}

// A part is decoded later, and its mistakes have their places in the file that it is from.
func TestPart(t *testing.T) {
	t.Parallel()
	text := []byte("a: {name: x, size: 10}\nb: {name: x, size: ten}\n")
	p := NewProblems("f", text, nil)
	parts := p.Parts(p.Parse(text))
	for name, want := range map[string]string{"a": "f:1:20: size: 10, expected at most 9\n    a: {name: x, size: 10}", "b": `f:2:20: size: expected an integer, found "ten"`} {
		if err := parts[name].Decode(new(document), "part "+name); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

// Mistakes of a trial are forgotten, and may be reported afterwards; a mistake is told once.
func TestTry(t *testing.T) {
	t.Parallel()
	p := NewProblems("f", []byte("a\nb"), []string{"--set x=1"})
	p.Try(func() { p.AddAt(1, 1, "bad") })
	if p.Err() != nil || p.Count != 0 {
		t.Errorf("%v, %d", p.Err(), p.Count)
	}
	p.AddAt(2, 1, "bad")
	p.AddAt(2, 1, "bad")
	p.AddAt(-1, 1, "worse")
	if got, want := p.Err().Error(), "--set x=1: worse\nf:2:1: bad\n    b\n    ^"; got != want {
		t.Errorf("got %s", got)
	}
}
