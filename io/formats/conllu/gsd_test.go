package conllu

import (
	"slices"
	"testing"

	"tenfold/io/source"
	"tenfold/io/source/sourcetest"
)

// UD Japanese GSD: the development part stands in for training rows, which the data folder does not have.
func TestGSD(t *testing.T) {
	in := sourcetest.Open(t, map[string]string{
		"train": "ud-japanese-gsd/ja_gsd-ud-dev.conllu.gz", "test": "ud-japanese-gsd/ja_gsd-ud-test.conllu.gz",
	})
	words := TokensKind.Defaults().(Tokens)
	tags := words
	tags.Target.Name = xpos
	relations := JoinsKind.Defaults().(Joins)
	relations.Target.Name = relation
	for _, c := range []struct {
		name        string
		s           source.Source
		train, test int // rows
		levels      int // of both parts
	}{
		{"words", words, 12287, 13034, 27},
		{"tags", tags, 12287, 13034, 110},
		{"joins", JoinsKind.Defaults(), 11780, 12491, 0},
		{"relations", relations, 11780, 12491, 36},
	} {
		d := sourcetest.Read(t, c.s, in)
		train := slices.Index(d.Part, 1)
		if train != c.train || d.Rows()-train != c.test || len(d.Targets[0].Levels) != c.levels {
			t.Errorf("%s: got %d and %d rows, %d levels; want %d and %d, %d", c.name, train, d.Rows()-train, len(d.Targets[0].Levels), c.train, c.test, c.levels)
		}
	}
}
