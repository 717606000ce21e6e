package conllu

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"tenfold/engines/data"
	"tenfold/engines/prepare"
	"tenfold/io/formats/tuples"
	"tenfold/io/source"
)

// Tokens reads treebanks word by word: a row is a word, its columns patterns of the words around it.
type Tokens struct {
	Target      source.Target `yaml:"target" doc:"relation (to the head), upos or xpos of the word"`
	Features    Window        `yaml:"features"`
	Lower       bool          `yaml:"lower" doc:"write word forms in lower case"`
	CutRelation bool          `yaml:"cut_relation" doc:"cut relations at the colon: nsubj:pass becomes nsubj"`
}

// The targets.
const (
	relation = tuples.Relation
	upos     = "upos"
	xpos     = "xpos"
)

var offered = map[string]data.Type{relation: data.Class, upos: data.Class, xpos: data.Class}

// answers is the column behind each target.
var answers = map[string]string{relation: "deprel", upos: upos, xpos: xpos}

// TokensKind is the format conllu.
var TokensKind = source.Define(source.Kind{
	Name: "conllu",
	Doc:  "dependency treebank in CoNLL-U; a row is a word, a column a pattern of values of the words around it and of its head",
	Rev:  1,
}, Tokens{Target: source.Target{Name: relation}, Features: Window{Templates: source.Templates{"default"}, Cutoff: 1}})

// Validate checks the target and the templates.
func (s Tokens) Validate() error {
	err := tuples.CheckTarget(s.Target, offered)
	if err == nil {
		_, _, err = s.Features.parseTemplates(s.Target.Name)
	}
	return errors.Join(err, tuples.CheckCutoff(s.Features.Cutoff), s.Features.Treatment.Validate())
}

// Declares returns one class target; equal sentences are one group.
func (s Tokens) Declares() source.Declares {
	d := source.Declares{Roles: source.PartRoles(), Binary: true, Groups: []string{"sentence"}}
	d.Targets, d.Others = tuples.Offer(s.Target.Name, offered)
	return d
}

// Recipe applies the cutoff on training rows.
func (s Tokens) Recipe() prepare.Recipe {
	return s.Features.Treatment.Into(prepare.Recipe{Cutoff: s.Features.Cutoff})
}

// Look reads all words, and their relations.
func (s Tokens) Look(ctx context.Context, in source.Input) (source.Sight, error) {
	content, name, err := in.Bytes("all")
	if err != nil {
		return source.Sight{}, err
	}
	labels := &source.Texts{}
	for words, err := range sentences(content, name) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return source.Sight{}, err
		}
		for _, w := range words {
			labels.Add(string(w.Deprel))
		}
	}
	if len(labels.Of) == 0 {
		return source.Sight{}, fmt.Errorf("%s: no words", name)
	}
	return source.Sight{Rows: len(labels.Of), Labels: labels}, nil
}

// Load reads the treebanks. A value that is not there, beyond the ends of a sentence or at the head of a root, is *.
func (s Tokens) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	atoms, templates, err := s.Features.parseTemplates(s.Target.Name)
	if err != nil {
		return nil, err
	}
	labels := make([]string, len(atoms))
	for p, a := range atoms {
		labels[p] = a.String()
	}
	table := tuples.NewTable(labels...)
	groups := grouping{Groups: data.Groups{Name: "sentence"}, number: map[uint64]int32{}}
	answer, record := values[answers[s.Target.Name]], make([]int32, len(atoms))
	sentences := 0
	part, err := eachSentence(ctx, in, table, func(_ string, words []word) {
		s.normaliseWords(words)
		sentences++
		group := groups.groupOf(words)
		for i := range words {
			for p, a := range atoms {
				record[p] = tuples.Leaf
				if v := a.valueAt(words, i); v != nil {
					record[p] = table.Symbol(v)
				}
			}
			table.Add(record...)
			table.Answer(table.Symbol(answer(&words[i])))
			groups.Of = append(groups.Of, group)
		}
	})
	if err != nil {
		return nil, err
	}
	set, err := table.Expand(ctx, templates)
	if err != nil {
		return nil, inFiles(in, err)
	}
	set.Part, set.Groups, set.Targets = part, &groups.Groups, []data.Target{table.Classes(s.Target.Name)}
	set.Facts = append([]data.Fact{{Name: "sentences", Value: fmt.Sprint(sentences)}}, set.Facts...)
	return set, nil
}

// normaliseWords applies the options to the words of a sentence.
func (s Tokens) normaliseWords(sentence []word) {
	for k := range sentence {
		w := &sentence[k]
		if s.Lower {
			w.Form = bytes.ToLower(w.Form)
		}
		if s.CutRelation {
			w.Deprel, _, _ = bytes.Cut(w.Deprel, []byte{':'})
		}
	}
}

// grouping numbers sentences by their words.
type grouping struct {
	data.Groups
	number map[uint64]int32 // by key
}

func (g *grouping) groupOf(words []word) int32 {
	forms := make([]string, len(words))
	for k, w := range words {
		forms[k] = string(w.Form)
	}
	key := data.Key(forms...)
	n, known := g.number[key]
	if !known {
		n = int32(len(g.Key))
		g.number[key] = n
		g.Key = append(g.Key, key)
	}
	return n
}
