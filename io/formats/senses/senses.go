// Package senses reads texts in which words are marked with what they mean. A row is an instance of a word, its target the
// sense, its columns what stands around it; the task of a row is its word.
package senses

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/engines/prepare"
	"tenfold/engines/suggest"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// Options are those that all formats of word senses have.
type Options struct {
	Target       Target        `yaml:"target"`
	Words        []string      `yaml:"words" doc:"only these words, as serve-v or without the part of speech; * matches any text. All by default"`
	POS          string        `yaml:"pos" doc:"only instances of a part of speech: v (verbs), n (nouns), a (adjectives), r (adverbs), o (others), all"`
	MinInstances int           `yaml:"min_instances" doc:"leave out words with fewer instances, at least 1"`
	MaxTopShare  float64       `yaml:"max_top_share" doc:"leave out words whose most frequent sense has a larger share of their instances, above 0 and at most 1"`
	Prepare      source.Topics `yaml:"prepare"`
	Features     Features      `yaml:"features"`
}

// Target of the instances: there is one.
type Target struct {
	Name string `yaml:"name" read:"scalar" doc:"sense: as the data writes it; most-frequent: whether it is the most frequent one of the word, no or yes"`
}

const (
	sense        = "sense"
	mostFrequent = "most-frequent"
)

// The parts of speech, as WordNet abbreviates them.
const (
	verb      = "v"
	noun      = "n"
	adjective = "a"
	adverb    = "r"
	other     = "o"
	anyPOS    = "all"
)

// posOf returns the part of speech of a tag of the Penn Treebank, of NOAD or of Universal Dependencies; empty where there is no tag.
func posOf(tag string) string {
	switch {
	case tag == "":
		return ""
	case tag[0] == 'V':
		return verb
	case strings.HasPrefix(tag, "NN"), tag == "NOUN", tag == "PROPN":
		return noun
	case tag[0] == 'J', tag == "ADJ":
		return adjective
	case strings.HasPrefix(tag, "RB"), tag == "ADV":
		return adverb
	}
	return other
}

// defaultOptions returns those of most formats: the words of this part of speech with several senses, at least 50 instances,
// and no sense that has more than 0.9 of them.
func defaultOptions(pos string) Options {
	return Options{Target: Target{sense}, POS: pos, MinInstances: 50, MaxTopShare: 0.9, Prepare: topics, Features: Features{Cutoff: 1}}
}

// topics are found on the words of contexts, unless a file says otherwise.
var topics = source.Topics{TopicsFrom: "bag"}

// checkOptions checks the options of a format whose data offer some groups of features.
func (o Options) checkOptions(offered []group) error {
	errs := []error{
		param.OneOf("target", o.Target.Name, sense, mostFrequent),
		param.OneOf("pos", o.POS, verb, noun, adjective, adverb, other, anyPOS),
		source.Features{Cutoff: o.Features.Cutoff, Treatment: o.Features.Treatment}.Validate(),
		o.Features.checkGroups(new(lexicon).withSynsets(offered)),
		o.Prepare.Check(topics),
		o.checkTopics(new(lexicon).withSynsets(offered)),
	}
	if slices.Contains(o.Words, "") {
		errs = append(errs, param.Errorf("words", "an empty name, expected such as serve-v"))
	}
	if o.MinInstances < 1 {
		errs = append(errs, param.Errorf("min_instances", "%d, expected at least 1", o.MinInstances))
	}
	if !(o.MaxTopShare > 0 && o.MaxTopShare <= 1) {
		errs = append(errs, param.Errorf("max_top_share", "%v, expected above 0 and at most 1", o.MaxTopShare))
	}
	return errors.Join(errs...)
}

// checkTopics refuses topics on columns that there will not be.
func (o Options) checkTopics(offered []group) error {
	if o.Prepare.Topics == 0 {
		return nil
	}
	from := o.Prepare.TopicsFrom
	prefix, several := strings.CutSuffix(from, "*")
	var classes []string
	for _, g := range o.Features.askedGroups(offered) {
		classes = append(classes, g.classes...)
	}
	for _, class := range classes {
		if class == from || several && strings.HasPrefix(class, prefix) {
			return nil
		}
	}
	if from == "" {
		return nil
	}
	return param.Errorf("prepare.topics_from", "no column is of the class %q; the groups of features have %s%s", from, strings.Join(classes, ", "), suggest.DidYouMean(from, classes))
}

// Declares returns one class target over 0/1 columns with classes.
func (o Options) Declares() source.Declares {
	return source.Declares{
		Targets: []source.Declared{{Name: o.Target.Name, Type: data.Class}}, Roles: source.PartRoles(), Optional: []string{lexiconRole},
		Binary: true, Classes: true, Groups: []string{data.Documents},
	}
}

// Recipe applies the cutoff and finds topics on training rows.
func (o Options) Recipe() prepare.Recipe {
	return o.Features.Treatment.Into(o.Prepare.Into(prepare.Recipe{Cutoff: max(1, o.Features.Cutoff)}))
}

// loadDataset reads the files of all parts and makes the data set. read adds the instances of one file to the corpus; the
// content is its own to keep.
func (o Options) loadDataset(ctx context.Context, in source.Input, offered []group, read func(c *corpus, content string) error) (*data.Dataset, error) {
	c := &corpus{pos: o.POS, seen: map[string]bool{}, implied: source.NewImplied(nil)}
	offered, lexicon, err := o.offerGroups(ctx, in, offered)
	if err != nil {
		return nil, err
	}
	roles := source.Parts(in)
	for part, role := range roles {
		c.part = int8(part)
		err := in.Members(role, func(_ string, content []byte) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			text, err := rawtext.DecodeMember(content, "")
			if err != nil {
				return err
			}
			c.implied.Spell(int64(len(text)))
			return read(c, string(text))
		})
		if err != nil {
			return nil, err
		}
	}
	words, err := c.keepWords(o)
	if err != nil {
		return nil, err
	}
	set, err := c.buildDataset(ctx, o.Target.Name, o.Features.askedGroups(offered))
	if err != nil {
		return nil, err
	}
	if err := lexicon.checkLanguage(); err != nil {
		return nil, err
	}
	if len(roles) > 1 {
		if err := c.splitParts(set); err != nil {
			return nil, err
		}
	}
	set.Facts = slices.Concat(c.factsOfReading(), words, lexicon.facts(), set.Facts)
	set.Account.Rows = c.rows
	return set, nil
}

// explainGroups describes the columns of the groups that the data offer.
func explainGroups(offered []group) string {
	var text strings.Builder
	text.WriteString("features.groups (classes of their columns):\n")
	t := tabwriter.NewWriter(&text, 0, 4, 2, ' ', 0)
	for _, g := range new(lexicon).withSynsets(offered) {
		fmt.Fprintf(t, "  %s\t%s\t%s\n", g.name, strings.Join(g.classes, " "), g.doc)
	}
	_ = t.Flush() // into memory
	text.WriteString("\nEach word is a task: family: folder makes a data set of each.\n" +
		"A lexicon has lines of a word, its part of speech (" + strings.Join(lexicalPOS, ", ") + ") and synsets, apart by tabs; or it is WordNet's " + strings.Join(wordNet, ", ") + ".\n")
	return text.String()
}

// countFact returns a number, for people.
func countFact(name string, n int) data.Fact { return data.Fact{Name: name, Value: fmt.Sprint(n)} }
