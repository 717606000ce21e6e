// Package senses reads texts in which words are marked with what they mean. A row is an instance of a word, its target the
// sense, its columns what stands around it; the task of a row is its word.
package senses

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/kind"
	"tenfold/io/source"
)

// Options are what the formats share.
type Options struct {
	Target       Target   `yaml:"target"`
	Words        []string `yaml:"words" doc:"only these words, as serve-v or without the part of speech; * matches any text. All by default"`
	POS          string   `yaml:"pos" doc:"only instances of a part of speech: v (verbs), n (nouns), a (adjectives), r (adverbs), o (others), all"`
	MinInstances int      `yaml:"min_instances" doc:"leave out words with fewer instances, at least 1"`
	MaxTopShare  float64  `yaml:"max_top_share" doc:"leave out words whose most frequent sense has a larger share of their instances, above 0 and at most 1"`
	Features     Features `yaml:"features"`
}

// Target of the instances: there is one.
type Target struct {
	Name string `yaml:"name,scalar" doc:"sense: as the data writes it; most-frequent: whether it is the most frequent one of the word, no or yes"`
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

// options with the defaults of most formats: the ambiguous verbs, with what their instances were counted from.
func options(pos string) Options {
	return Options{Target: Target{sense}, POS: pos, MinInstances: 50, MaxTopShare: 0.9, Features: Features{Cutoff: 1}}
}

// check the options of a format whose data offer some groups of features.
func (o Options) check(offered []group) error {
	errs := []error{
		kind.OneOf("target", o.Target.Name, sense, mostFrequent),
		kind.OneOf("pos", o.POS, verb, noun, adjective, adverb, other, anyPOS),
		source.Features{Cutoff: o.Features.Cutoff}.Validate(),
		o.Features.check(offered),
	}
	if slices.Contains(o.Words, "") {
		errs = append(errs, kind.Errorf("words", "an empty name, expected such as serve-v"))
	}
	if o.MinInstances < 1 {
		errs = append(errs, kind.Errorf("min_instances", "%d, expected at least 1", o.MinInstances))
	}
	if !(o.MaxTopShare > 0 && o.MaxTopShare <= 1) {
		errs = append(errs, kind.Errorf("max_top_share", "%v, expected above 0 and at most 1", o.MaxTopShare))
	}
	return errors.Join(errs...)
}

// Declares is one class target over 0/1 columns with classes.
func (o Options) Declares() source.Declares {
	return source.Declares{
		Targets: []source.Declared{{Name: o.Target.Name, Type: data.Class}}, Roles: source.PartRoles(),
		Binary: true, Classes: true, Groups: []string{"document"},
	}
}

// Recipe applies the cutoff on training rows.
func (o Options) Recipe() data.Recipe { return data.Recipe{Cutoff: o.Features.Cutoff} }

// load reads the files of all parts and makes the data set. read adds the instances of one file to the corpus; the content is
// its own to keep.
func (o Options) load(ctx context.Context, in source.Input, offered []group, read func(c *corpus, content string) error) (*data.Dataset, error) {
	c := &corpus{pos: o.POS, seen: map[string]bool{}}
	roles := source.Parts(in)
	for part, role := range roles {
		c.part = int8(part)
		err := in.Members(role, func(_ string, content []byte) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			text, err := source.DecodeMember(content, source.UTF8)
			if err != nil {
				return err
			}
			return read(c, string(text))
		})
		if err != nil {
			return nil, err
		}
	}
	words, err := c.choose(o)
	if err != nil {
		return nil, err
	}
	set, err := c.dataset(ctx, o.Target.Name, o.Features.groups(offered))
	if err != nil {
		return nil, err
	}
	if len(roles) > 1 {
		if err := c.parts(set); err != nil {
			return nil, err
		}
	}
	set.Facts = slices.Concat(c.facts(), words, set.Facts)
	return set, nil
}

// fact is a number, for people.
func fact(name string, n int) data.Fact { return data.Fact{Name: name, Value: fmt.Sprint(n)} }
