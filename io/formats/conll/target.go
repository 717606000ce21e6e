package conll

import (
	"fmt"
	"maps"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/iob"
	"tenfold/io/source"
)

// Target is the column to be predicted.
type Target struct {
	Column   string   `yaml:"column" read:"scalar" doc:"name of the column to be predicted"`
	Positive string   `yaml:"positive" doc:"the level that counts as positive, for two classes; by default the last"`
	Chunks   []string `yaml:"chunks" doc:"types of chunks to keep, such as [NP]; tokens of others become O; without it all are kept"`
	Scheme   string   `yaml:"scheme" doc:"how chunks are tagged, whichever way the files do: iob2 (B begins each), iob1 (B only straight after one of its type), as-is"`
}

// The schemes.
const (
	iob1 = "iob1"
	iob2 = "iob2"
	asIs = "as-is"
)

// withPositive returns the target with its positive level, by default the last of two.
func (t Target) withPositive(target data.Target) (data.Target, error) {
	if len(target.Levels) == 2 {
		target.Positive = 1
	}
	return source.Positive(target, t.Positive)
}

// checkTypes refuses types of chunks that no token has.
func (t Target) checkTypes(meaning map[int32]iob.Tag) error {
	found := map[string]bool{}
	for _, tag := range meaning {
		if !tag.Outside() {
			found[tag.Type] = true
		}
	}
	types := slices.Sorted(maps.Keys(found))
	for _, name := range t.Chunks {
		if !found[name] {
			return param.Errorf("target.chunks", "no chunk is of type %q%s (types: %s)", name, suggest.DidYouMean(name, types), source.Abridge(types))
		}
	}
	return nil
}

// schemeTags returns the tags of one sentence in the scheme, with chunks of other types left out.
func (t Target) schemeTags(dst, sentence []iob.Tag) []iob.Tag {
	var before, last iob.Tag // as read, as written
	for _, tag := range sentence {
		if len(t.Chunks) > 0 && !slices.Contains(t.Chunks, tag.Type) {
			tag = iob.Tag{}
		}
		out := tag
		switch {
		case tag.Outside() || t.Scheme == asIs:
		case t.Scheme == iob2:
			out.Begin = tag.Begins(before)
			out.Inside = !out.Begin
		case t.Scheme == iob1:
			out.Begin = tag.Begins(before) && !last.Outside() && last.Type == tag.Type
			out.Inside = !out.Begin
		}
		dst = append(dst, out)
		before, last = tag, out
	}
	return dst
}

// rewriteTags rewrites the target column where its values are chunk tags, and counts them.
func (c *corpus) rewriteTags(target Target) ([]data.Fact, error) {
	labels := c.symbolsOf(target.Column)
	meaning, ok := c.parseTags(labels)
	if !ok {
		return nil, nil
	}
	if err := target.checkTypes(meaning); err != nil && !c.applied {
		return nil, err
	}
	symbol := map[iob.Tag]int32{}
	chunks, loose := 0, 0
	var sentence, tags []iob.Tag
	for k, from := range c.start {
		sentence = sentence[:0]
		for _, label := range labels[from:c.sentenceEnd(k)] {
			sentence = append(sentence, meaning[label])
		}
		tags = target.schemeTags(tags[:0], sentence)
		read, written := iob.Tag{}, iob.Tag{}
		for i, tag := range tags {
			if !tag.Outside() && sentence[i].Loose(read) {
				loose++
			}
			if tag.Begins(written) {
				chunks++
			}
			read, written = sentence[i], tag
			s, known := symbol[tag]
			if !known {
				s = c.table.Symbol([]byte(tag.String()))
				symbol[tag] = s
			}
			labels[int(from)+i] = s
		}
	}
	return []data.Fact{
		{Name: "chunks", Value: fmt.Sprint(chunks)},
		{Name: "chunks that begin with I in the files", Value: fmt.Sprint(loose)},
	}, nil
}

// parseTags reads the labels as chunk tags; false when they are not.
func (c *corpus) parseTags(labels []int32) (map[int32]iob.Tag, bool) {
	distinct := slices.Clone(labels)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	texts := make([]string, len(distinct))
	for k, symbol := range distinct {
		texts[k] = c.table.Text(symbol)
	}
	tags, ok := iob.ParseAll(texts)
	meaning := make(map[int32]iob.Tag, len(tags))
	for k, tag := range tags {
		meaning[distinct[k]] = tag
	}
	return meaning, ok
}
