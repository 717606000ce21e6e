package experiment

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"tenfold/io/strictyaml"
)

// drafts of JSON Schema that the keywords have to mean the same in.
var drafts = map[string]*jsonschema.Draft{
	"http://json-schema.org/draft-07/schema#":      jsonschema.Draft7,
	"https://json-schema.org/draft/2020-12/schema": jsonschema.Draft2020,
}

// Schemas is one schema, read as each draft.
type Schemas []*jsonschema.Schema

// Compiled checks a schema against the schema of schemas, in each draft.
func Compiled(t testing.TB, o Options) (out Schemas) {
	t.Helper()
	text, err := Schema(o)
	if err != nil {
		t.Fatal(err)
	}
	for url, draft := range drafts {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		doc.(map[string]any)["$schema"] = url
		c := jsonschema.NewCompiler()
		c.DefaultDraft(draft)
		if err := c.AddResource("schema.json", doc); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("schema.json")
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

var ofFakes struct {
	sync.Once
	Schemas
}

// fakes is the schema of the fake engines and formats.
func fakes(t testing.TB) Schemas {
	ofFakes.Do(func() { ofFakes.Schemas = Compiled(t, options(t)) })
	return ofFakes.Schemas
}

// Refusal is what the schema, in either draft, has against a file.
func (both Schemas) Refusal(t testing.TB, file []byte) error {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal(file, &doc); err != nil {
		return err
	}
	if doc.Kind == 0 {
		doc.Content = []*yaml.Node{{Kind: yaml.ScalarNode, Tag: "!!null"}}
	}
	value := instance(doc.Content[0])
	err := both[0].Validate(value)
	if other := both[1].Validate(value); (err == nil) != (other == nil) {
		t.Errorf("drafts disagree: %v, %v\n%s", err, other, file)
	}
	return err
}

// instance is a document as servers of editors hand it to a validator.
func instance(n *yaml.Node) any {
	switch n.Kind {
	case yaml.AliasNode:
		return instance(n.Alias)
	case yaml.SequenceNode:
		out := []any{}
		for _, c := range n.Content {
			out = append(out, instance(c))
		}
		return out
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			out[n.Content[i].Value] = instance(n.Content[i+1])
		}
		return out
	}
	if n.Tag == "!!null" {
		return nil
	}
	return strictyaml.Natural(n)
}

// beyond are the files of bad that the schema accepts. What they do wrong is in the YAML itself, or in two places that do
// not fit together, or an engine, a format or a section finds it in a value.
var beyond = []string{
	"two documents", "own tag", "null, as a tilde", "null in capitals", "duplicate key", "integer overflow", "octal",
	"metric that the target cannot have", "datasets of an algorithm: no such", "too many repeats", "too many folds", "too many fits", "family", "family, pattern", "no files", "unknown role", "wrong roles",
	"templates not defined", "templates not defined, near", "template too short", "target both ways",
	"two data sets of one name", "label", "data grid: also outside", "folds: k of holdout", "folds: no such group",
	"folds: stratify a real target", "folds: given without test file", "folds of a data set", "bad value in the grid",
	"path: too many features", "path: and its parameters", "path: and a grid of them", "path: and included points",
	"engine needs classes", "engine needs feature classes", "engine fits one target", "two algorithms of one name",
	"grid: twice", "grid: what changes nothing", "grid: what changes nothing in the data", "grid and params",
	"grid: log of integers", "zip: unknown", "zip: lengths", "zip: twice", "zip: a pair twice", "labels: a name like a point", "labels: points that print alike", "include: lacks",
	"include: unknown", "include: there already", "exclude: unknown", "exclude: all", "grid: too many", "gate: one fold",
	"report: its own check", "report: folds", "report: a dimension",
}

// TestSchemaRefuses lists which bad files the schema accepts, so that it refuses all others.
func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	var accepted []string
	for _, e := range bad {
		if strings.Contains(e.name, "alias to itself") {
			continue // no reader hands such a document on
		}
		if fakes(t).Refusal(t, []byte(e.file())) == nil {
			accepted = append(accepted, e.name)
		}
	}
	if !slices.Equal(accepted, beyond) {
		t.Errorf("of %d bad files, the schema accepts these %d; is there one that it could know?\n%q\nwant\n%q", len(bad), len(accepted), accepted, beyond)
	}
}
