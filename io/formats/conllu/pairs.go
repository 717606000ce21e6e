package conllu

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/io/formats/tuples"
	"tenfold/io/source"
)

// Pairs reads treebanks pair by pair: a row is a word m and another word h of its sentence, and the target whether m depends on h.
type Pairs struct {
	Target   Attachment   `yaml:"target"`
	Features PairFeatures `yaml:"features"`
	Within   int          `yaml:"within" doc:"most places between m and h, at least 1; pairs of words that are farther apart are no rows, and the report counts the attachments among them; 0 for all pairs"`
	Lower    bool         `yaml:"lower" doc:"write word forms in lower case"`
}

// Attachment is the target of pairs: there is one.
type Attachment struct {
	Name string `yaml:"name" read:"scalar" doc:"attachment: whether m depends on h, no or yes"`
}

const attachment = "attachment"

// PairsKind is the format conllu-pairs.
var PairsKind = source.Define(source.Kind{
	Name: "conllu-pairs",
	Doc:  "dependency treebank in CoNLL-U; a row is a pair of words of a sentence, the first of which may depend on the second, a column a pattern of them and what is around and between them",
	Cite: "McDonald, Crammer & Pereira 2005, Online large-margin training of dependency parsers",
	Rev:  1,
}, Pairs{Target: Attachment{attachment}, Within: 10, Features: PairFeatures{Templates: source.Templates{"default"}, Cutoff: 1}})

// Validate checks the options without data.
func (s Pairs) Validate() error {
	_, _, err := s.Features.parseTemplates()
	return errors.Join(param.OneOf("target", s.Target.Name, attachment), param.Require("within", s.Within >= 0, "%d, expected at least 1, or 0 for all pairs", s.Within),
		err, tuples.CheckCutoff(s.Features.Cutoff), s.Features.Treatment.Validate())
}

// Declares returns one class target; equal sentences are one group.
func (s Pairs) Declares() source.Declares {
	return source.Declares{Targets: []source.Declared{{Name: attachment, Type: data.Class}}, Roles: source.PartRoles(), Binary: true, Groups: []string{"sentence"}}
}

// Recipe applies the cutoff on training rows.
func (s Pairs) Recipe() prepare.Recipe {
	return s.Features.Treatment.Into(prepare.Recipe{Cutoff: s.Features.Cutoff})
}

// Load reads the treebanks. Sentences with a head that is no word of theirs are left out and counted.
func (s Pairs) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	return s.load(ctx, in, true)
}

// LoadNew reads rows to apply a model to, whose heads need not be known.
func (s Pairs) LoadNew(ctx context.Context, in source.Input, a source.Application) (*data.Dataset, error) {
	return s.load(ctx, in, a.Responses)
}

// pairing is the state of a load.
type pairing struct {
	Pairs
	atoms     []pairAtom
	table     *tuples.Table
	record    []int32
	groups    grouping
	ids       []string
	target    data.Target
	sentences int
	skipped   int
	first     string // of the skipped sentences: where and why
	far       int    // attachments among words that are too far apart
	roots     int
	large     bool
}

func (s Pairs) load(ctx context.Context, in source.Input, heads bool) (*data.Dataset, error) {
	atoms, templates, err := s.Features.parseTemplates()
	if err != nil {
		return nil, err
	}
	labels := make([]string, len(atoms))
	for p, a := range atoms {
		labels[p] = a.text
	}
	r := pairing{Pairs: s, atoms: atoms, table: tuples.NewTable(labels...), record: make([]int32, len(atoms)),
		groups: grouping{Groups: data.Groups{Name: "sentence"}, number: map[uint64]int32{}},
		target: data.Target{Name: attachment, Type: data.Class, Levels: []string{"no", "yes"}, Positive: 1}}
	part, err := eachSentence(ctx, in, r.table, func(name string, words []word) { r.addSentence(name, words, heads, len(templates)) })
	if err == nil && r.large {
		err = inFiles(in, fmt.Errorf("pairs and templates: their product may not exceed %d; a smaller within has fewer pairs", math.MaxInt32))
	}
	if err != nil {
		return nil, err
	}
	set, err := r.table.Expand(ctx, templates)
	if err != nil {
		if r.skipped > 0 {
			err = fmt.Errorf("%w; %d of %d sentences are left out, the first: %s", err, r.skipped, r.sentences, r.first)
		}
		return nil, inFiles(in, err)
	}
	set.Part, set.Groups, set.IDs, set.Targets = part, &r.groups.Groups, r.ids, []data.Target{r.target}
	set.Facts = append(r.factsOfReading(), set.Facts...)
	return set, nil
}

// addSentence adds the pairs of a sentence.
func (r *pairing) addSentence(name string, words []word, heads bool, templates int) {
	r.sentences++
	for k := range words {
		if h := words[k].Head; heads && (h < 0 || h > len(words)) {
			if r.skipped++; r.skipped == 1 {
				r.first = fmt.Sprintf("%s:%d: token %d has no head in the sentence", name, words[k].Line, k+1)
			}
			return
		}
		if r.Lower {
			words[k].Form = bytes.ToLower(words[k].Form)
		}
	}
	if most := int64(len(words)) * int64(len(words)); r.large || (int64(r.table.Len())+most)*int64(templates) > math.MaxInt32 {
		r.large = true
		return
	}
	group := r.groups.groupOf(words)
	for m := range words {
		switch head := words[m].Head - 1; {
		case !heads:
		case head < 0:
			r.roots++
		case !r.near(m, head):
			r.far++
		}
		for h := range words {
			if h == m || !r.near(m, h) {
				continue
			}
			for p := range r.atoms {
				r.record[p] = tuples.Leaf
				if v := r.atoms[p].look(words, m, h); v != nil {
					r.record[p] = r.table.Symbol(v)
				}
			}
			r.table.Add(r.record...)
			depends := 0.0
			if words[m].Head == h+1 {
				depends = 1
			}
			r.target.Values = append(r.target.Values, depends)
			r.groups.Of = append(r.groups.Of, group)
			r.ids = append(r.ids, strconv.Itoa(r.sentences)+":"+strconv.Itoa(m+1)+"-"+strconv.Itoa(h+1))
		}
	}
}

func (r *pairing) near(m, h int) bool { return r.Within == 0 || max(m-h, h-m) <= r.Within }

func (r *pairing) factsOfReading() []data.Fact {
	positive := 0
	for _, y := range r.target.Values {
		positive += int(y)
	}
	facts := []data.Fact{
		{Name: "sentences", Value: fmt.Sprint(r.sentences)},
		{Name: "skipped sentences", Value: fmt.Sprint(r.skipped)},
		{Name: "pairs", Value: fmt.Sprintf("%d, in %d of them the first depends on the second", len(r.target.Values), positive)},
		{Name: "words that depend on none", Value: fmt.Sprint(r.roots)},
		{Name: "attachments of words that are farther apart, without a pair", Value: fmt.Sprint(r.far)},
	}
	if r.skipped > 0 {
		facts = append(facts, data.Fact{Name: "first skipped sentence", Value: r.first})
	}
	return facts
}
