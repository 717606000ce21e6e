package senses

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/param"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// PropBank reads the rolesets of predicates from PropBank's skeletons, in which words are left out, and takes words and trees
// from treebanks of the same texts.
type PropBank struct {
	Options   `yaml:",inline"`
	Unaligned string `yaml:"unaligned" doc:"a sentence that has no tree, or one with another number of words: error, skip (leave its instances out, and count them)"`
}

const (
	trees = "trees"
	fail  = "error"
	skip  = "skip"
)

// PropBankKind is the format propbank.
var PropBankKind = source.Define(source.Kind{
	Name: "propbank",
	Doc:  "predicates with their rolesets from PropBank skeletons (gold_skel), joined with the trees of the same texts in CoNLL-U; a row is a predicate, a column something that stands around it or depends on it",
	Cite: "Palmer, Gildea & Kingsbury 2005, The Proposition Bank; Silveira et al. 2014, A Gold Standard Dependency Corpus for English",
	Rev:  1,
}, PropBank{Options: defaultOptions(verb), Unaligned: fail})

// Validate checks the options without data.
func (f PropBank) Validate() error {
	if err := param.OneOf("unaligned", f.Unaligned, fail, skip); err != nil {
		return err
	}
	return f.checkOptions(parsed)
}

// Explain says what columns there are.
func (PropBank) Explain() string { return explainGroups(parsed) }

// Declares adds the treebanks.
func (f PropBank) Declares() source.Declares {
	d := f.Options.Declares()
	for k, roles := range d.Roles {
		d.Roles[k] = append(roles, trees)
	}
	return d
}

// Load reads the treebanks, then the skeletons.
func (f PropBank) Load(ctx context.Context, in source.Input) (*data.Dataset, error) {
	treebank, err := readTrees(ctx, in)
	if err != nil {
		return nil, err
	}
	return f.loadDataset(ctx, in, parsed, func(c *corpus, content string) error {
		r := skeleton{corpus: c, treebank: treebank, skip: f.Unaligned == skip}
		return r.readFile(content)
	})
}

// skeleton reads one file: a line a token, a blank line after each sentence, and in a line, apart by blanks
//
//	google/ewt/weblog/00/x.xml 0 4 [WORD] VBD (VP* see see.01 * (V*)
//
// document, number of the sentence, number of the token, word, tag, brackets, lemma and roleset (- for none), and a column of
// roles for each predicate of the sentence.
type skeleton struct {
	*corpus
	treebank *treebank
	skip     bool

	line      int
	document  string // as the first column has it
	sentences int    // that ended

	first      int // line of the sentence being read
	tokens     int // of it
	columns    int // of its lines
	predicates []predicate
}

type predicate struct {
	token               int
	tag, lemma, roleset string
}

const roles = 8 // columns before those of roles

func (r *skeleton) readFile(content string) error {
	for line := range strings.Lines(content) {
		r.line++
		fields := strings.Fields(line)
		var err error
		switch {
		case len(fields) > 0:
			err = r.readToken(fields)
		case r.tokens > 0:
			err = r.endSentence()
		}
		if err != nil {
			return err
		}
	}
	if r.tokens > 0 {
		return r.endSentence()
	}
	return nil
}

func (r *skeleton) errorf(format string, args ...any) error {
	return rawtext.AtLine(r.line, format, args...)
}

func (r *skeleton) readToken(fields []string) error {
	if r.document == "" {
		r.document = fields[0]
		if err := r.checkUnique("document", documentName(r.document)); err != nil {
			return r.errorf("%w", err)
		}
	}
	if r.tokens == 0 {
		r.first, r.columns, r.predicates = r.line, len(fields), r.predicates[:0]
	}
	switch {
	case len(fields) < roles:
		return r.errorf("found %d columns, expected file, sentence, token, word, tag, brackets, lemma, roleset, and one for each predicate", len(fields))
	case len(fields) != r.columns:
		return r.errorf("found %d columns, expected %d as in the first line of the sentence", len(fields), r.columns)
	case fields[0] != r.document:
		return r.errorf("found the document %q, expected %q as in the first line", fields[0], r.document)
	case fields[1] != strconv.Itoa(r.sentences):
		return r.errorf("found the sentence number %q, expected %d", fields[1], r.sentences)
	case fields[2] != strconv.Itoa(r.tokens):
		return r.errorf("found the token number %q, expected %d", fields[2], r.tokens)
	case (fields[6] == "-") != (fields[7] == "-"):
		return r.errorf("found the lemma %q and the roleset %q, expected both or - for both", fields[6], fields[7])
	}
	if fields[7] != "-" {
		r.predicates = append(r.predicates, predicate{r.tokens, fields[4], fields[6], fields[7]})
	}
	r.tokens++
	return nil
}

// endSentence makes instances, with the sentence's tree, of its predicates.
func (r *skeleton) endSentence() error {
	if n := len(r.predicates); r.columns != roles+n {
		return rawtext.AtLine(r.first, "the sentence has %d columns of roles, but %d predicates", r.columns-roles, n)
	}
	name := documentName(r.document)
	number, length := r.sentences, r.tokens
	r.sentences, r.tokens = r.sentences+1, 0
	r.corpus.tokens += length
	tree, err := r.treebank.sentence(name, number, length)
	if err != nil && !r.skip {
		return rawtext.AtLine(r.first, "%w (unaligned: skip leaves such sentences out)", err)
	}
	if err != nil {
		r.unaligned++
		r.skipped += len(r.predicates)
		return nil
	}
	genre, _, _ := strings.Cut(name, "-")
	for _, p := range r.predicates {
		err := r.addInstance(instance{
			id: fmt.Sprintf("%s:%d-%d", name, number, p.token), lemma: p.lemma, pos: posOf(p.tag), sense: p.roleset,
			document: name, genre: genre, sentence: tree, place: p.token,
		})
		if err != nil {
			return rawtext.AtLine(r.first, "%w", err)
		}
	}
	return nil
}

// documentName returns the name in the treebank of google/ewt/weblog/00/x.xml: weblog-x.
func documentName(file string) string {
	parts := strings.Split(strings.TrimSuffix(file, ".xml"), "/")
	name := parts[len(parts)-1]
	if len(parts) < 3 {
		return name
	}
	return parts[len(parts)-3] + "-" + name
}
