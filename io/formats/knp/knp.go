// Package knp reads Japanese treebanks in the format of KNP, and makes rows of pairs of bunsetsu (phrases): one that
// modifies, and one that may be its head.
package knp

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/io/source"
)

// Format reads one row a pair of bunsetsu of a sentence. The target tells whether the first depends on the second.
type Format struct {
	Target   Target   `yaml:"target"`
	Pairs    string   `yaml:"pairs" doc:"rows: sassano (the comparisons that Sassano's algorithm makes when all its answers are right), all (every bunsetsu with every later one)"`
	Heads    string   `yaml:"heads" doc:"a head that is no bunsetsu of the sentence: strict (an error), lenient (its bunsetsu depends on none, and is counted)"`
	Group    string   `yaml:"group" doc:"what folds may go by: document, sentence (equal sentences are one group)"`
	Features Features `yaml:"features"`
}

// Target of the pairs: there is one.
type Target struct {
	Name string `yaml:"name" read:"scalar" doc:"dependency: whether the first bunsetsu of a pair depends on the second, no or yes"`
}

const (
	dependency = "dependency"
	sassano    = "sassano"
	everyPair  = "all"
	strict     = "strict"
	lenient    = "lenient"
	byDocument = "document"
	bySentence = "sentence"
)

// Kind of the format.
var Kind = source.Define(source.Kind{
	Name: "knp",
	Doc:  "Japanese treebanks as KNP and JUMAN write them, one file or many; a row is a pair of bunsetsu, a column a pattern of what they and their neighbours are made of",
	Cite: "Kurohashi & Nagao 1998, Kyoto University corpus; Sassano 2004, Linear-Time Dependency Analysis for Japanese",
	Rev:  1,
}, Format{Target: Target{Name: dependency}, Pairs: sassano, Heads: strict, Group: byDocument, Features: Features{Templates: source.Templates{"default"}, Cutoff: 1}})

// Validate checks the options without data.
func (f Format) Validate() error {
	_, err := f.Features.parseTemplates()
	return errors.Join(
		param.OneOf("target", f.Target.Name, dependency),
		param.OneOf("pairs", f.Pairs, sassano, everyPair),
		param.OneOf("heads", f.Heads, strict, lenient),
		param.OneOf("group", f.Group, byDocument, bySentence),
		source.Features{Cutoff: f.Features.Cutoff, Treatment: f.Features.Treatment}.Validate(),
		err,
	)
}

// The roles of lists of documents, which divide one corpus.
const (
	trainIDs = "train_ids"
	testIDs  = "test_ids"
)

// Declares returns one class target over 0/1 columns, whose classes are the templates.
func (f Format) Declares() source.Declares {
	return source.Declares{
		Targets: []source.Declared{{Name: dependency, Type: data.Class}},
		Roles:   append(source.PartRoles(), []string{"all", trainIDs}, []string{"all", trainIDs, testIDs}),
		Binary:  true, Classes: true, Groups: []string{f.Group},
	}
}

// Recipe applies the cutoff on training rows.
func (f Format) Recipe() prepare.Recipe {
	return f.Features.Treatment.Into(prepare.Recipe{Cutoff: max(1, f.Features.Cutoff)})
}

// Load reads the corpus.
func (f Format) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	templates, err := f.Features.parseTemplates()
	if err != nil {
		return nil, err
	}
	lists, err := readLists(in)
	if err != nil {
		return nil, err
	}
	c := newCorpus(f.Heads == lenient)
	for part, role := range source.Parts(in) {
		err := in.Members(role, func(name string, content []byte) error {
			document := strings.TrimSuffix(path.Base(name), ".knp")
			part, listed := lists.partOf(document, int8(part))
			if err := ctx.Err(); err != nil || !listed {
				return err
			}
			return c.readDocument(document, part, content)
		})
		if err != nil {
			return nil, err
		}
	}
	if err := lists.checkFound(); err != nil {
		return nil, err
	}
	pairs, err := c.makePairs(f.Pairs, len(templates))
	if err != nil {
		return nil, err
	}
	var part []int8
	if in.Has("test") || in.Has(testIDs) {
		if part, err = c.partsOf(pairs.rows); err != nil {
			return nil, err
		}
	}
	set, err := c.expandPairs(ctx, templates, pairs.rows)
	if err != nil {
		return nil, err
	}
	set.Targets, set.IDs, set.Groups, set.Part = []data.Target{pairs.buildTarget()}, c.pairIDs(pairs.rows), c.groupPairs(f.Group, pairs.rows), part
	set.Facts = append(append(c.factsOfReading(), pairs.factsOfPairs()...), set.Facts...)
	if lists != nil {
		set.Facts = append(set.Facts, data.Fact{Name: "documents left out, in no list", Value: fmt.Sprint(lists.left)})
	}
	return set, nil
}
