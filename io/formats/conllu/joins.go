package conllu

import (
	"bytes"
	"context"
	"fmt"

	"tenfold/engines/data"
	"tenfold/io/formats/tuples"
	"tenfold/io/source"
)

// Joins reads treebanks as the ten-tuples of their joins, expanded by templates (Hooker & Weng 2004, section 2).
type Joins struct {
	tuples.Options `yaml:",inline"`
	Lower          bool `yaml:"lower" doc:"write word forms in lower case"`
	UPOS           bool `yaml:"upos" doc:"take tags from the UPOS column; by default from XPOS, and from UPOS where that is _"`
	CutRelation    bool `yaml:"cut_relation" doc:"cut relations at the colon: nsubj:pass becomes nsubj"`
}

// JoinsKind is the format conllu-joins.
var JoinsKind = source.Define(source.Kind{
	Name: "conllu-joins",
	Doc:  "dependency treebank in CoNLL-U; a row is the join of two constituents, a column a pattern of its words, tags and relations",
	Cite: "Hooker & Weng 2004, section 2",
	Rev:  2,
}, Joins{Options: tuples.DefaultOptions})

// Declares adds the files to what the options declare.
func (s Joins) Declares() source.Declares {
	d := s.Options.Declares()
	d.Roles = source.PartRoles()
	return d
}

// Load reads the treebanks. Sentences whose heads do not make trees are left out and counted.
func (s Joins) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	r := reading{Joins: s, table: tuples.NewTuples()}
	r.joins = tuples.NewJoins(r.table)
	part, err := eachSentence(ctx, in, r.table, r.addSentence)
	if err != nil {
		return nil, err
	}
	set, err := s.Dataset(ctx, r.table)
	if err != nil {
		return nil, inFiles(in, err)
	}
	set.Part = part
	set.Facts = append(r.factsOfReading(), set.Facts...)
	return set, nil
}

// reading is the state of a load.
type reading struct {
	Joins
	table      *tuples.Table
	joins      *tuples.Joins
	tokens     []tuples.Token // of one sentence
	sentences  int
	skipped    int
	firstCause string // why the first of them was skipped
}

func (r *reading) addSentence(name string, words []word) {
	r.sentences++
	r.tokens = r.tokens[:0]
	for _, w := range words {
		r.tokens = append(r.tokens, r.makeToken(w))
	}
	if err := r.joins.Add(r.tokens); err != nil {
		if r.skipped++; r.skipped == 1 {
			r.firstCause = fmt.Sprintf("%s:%d: %v", name, words[0].Line, err)
		}
	}
}

func (r *reading) makeToken(w word) tuples.Token {
	form, tag, relation := w.Form, w.XPOS, w.Deprel
	if r.Lower {
		form = bytes.ToLower(form)
	}
	if r.UPOS || string(tag) == "_" {
		tag = w.UPOS
	}
	if r.CutRelation {
		relation, _, _ = bytes.Cut(relation, []byte{':'})
	}
	return tuples.Token{Form: r.table.Symbol(form), Tag: r.table.Symbol(tag), Relation: r.table.Symbol(relation), Head: w.Head}
}

func (r *reading) factsOfReading() []data.Fact {
	facts := []data.Fact{
		{Name: "sentences", Value: fmt.Sprint(r.sentences)},
		{Name: "skipped sentences", Value: fmt.Sprint(r.skipped)},
	}
	if r.skipped > 0 {
		facts = append(facts, data.Fact{Name: "first skipped sentence", Value: r.firstCause})
	}
	return facts
}
