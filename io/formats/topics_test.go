package formats_test

import (
	"testing"

	"tenfold/engines/registry"
	"tenfold/io/formats"
	"tenfold/io/formats/documents"
	"tenfold/io/formats/labelled"
	"tenfold/io/formats/senses"
	"tenfold/io/source"
)

// Topics belong to the recipe of every format that offers them, and change nothing that is loaded.
func TestTopicsOfFormats(t *testing.T) {
	topics := source.Topics{Topics: 5, TopicsSeed: 1}
	defaults := func(name string) source.Source { return formatSet(t)[name].Defaults() }
	docs, words, megam := defaults("documents").(documents.Documents), defaults("words").(labelled.Words), defaults("megam").(labelled.Megam)
	noad, propbank, senseval2 := defaults("noad").(senses.NOAD), defaults("propbank").(senses.PropBank), defaults("senseval2").(senses.Senseval2)
	docs.Prepare, words.Prepare, megam.Prepare, noad.Prepare, propbank.Prepare, senseval2.Prepare = topics, topics, topics, topics, topics, topics
	for name, f := range map[string]source.Source{"documents": docs, "words": words, "megam": megam, "noad": noad, "propbank": propbank, "senseval2": senseval2} {
		if r := f.Recipe(); r.Topics != 5 || r.TopicSeed != 1 || !f.Declares().Classes {
			t.Errorf("%s: %+v, classes %v", name, r, f.Declares().Classes)
		}
		if got := registry.Canonical(f, defaults(name)); got != "{}" {
			t.Errorf("%s: the key has %s", name, got)
		}
		if r := defaults(name).Recipe(); r.Topics != 0 || r.TopicsFrom != "" {
			t.Errorf("%s: by default %+v", name, r)
		}
	}
}

func formatSet(t *testing.T) source.Set {
	t.Helper()
	set, err := formats.Formats()
	if err != nil {
		t.Fatal(err)
	}
	return set
}
