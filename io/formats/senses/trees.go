package senses

import (
	"context"
	"fmt"
	"strings"

	"tenfold/io/formats/conllu"
	"tenfold/io/rawtext"
	"tenfold/io/source"
)

// treebank is the sentences of documents, by name.
type treebank struct {
	sentences map[string][][]token
}

// readTrees reads the treebanks, whose documents have names.
func readTrees(ctx context.Context, in source.Input) (*treebank, error) {
	t := &treebank{sentences: map[string][][]token{}}
	return t, in.Members(trees, func(_ string, content []byte) error {
		return t.readFile(ctx, content)
	})
}

func (t *treebank) readFile(ctx context.Context, content []byte) error {
	here := map[string]bool{} // documents of this file
	texts := texts{}
	for s, err := range conllu.Sentences(content) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		line := s.Words[0].Line
		if s.Document == "" {
			return rawtext.AtLine(line, "the sentence is of no document, expected a line # newdoc id = NAME before it")
		}
		if _, known := t.sentences[s.Document]; known && !here[s.Document] {
			return rawtext.AtLine(line, "the document %s is in another file, too", s.Document)
		}
		here[s.Document] = true
		tree, err := texts.treeOf(s.Words)
		if err != nil {
			return err
		}
		t.sentences[s.Document] = append(t.sentences[s.Document], tree)
	}
	return nil
}

// texts are kept once each, apart from the file that they come from.
type texts map[string]string

func (t texts) intern(text []byte) string {
	if string(text) == "_" {
		return ""
	}
	kept, known := t[string(text)]
	if !known {
		kept = string(text)
		t[kept] = kept
	}
	return kept
}

func (t texts) internLower(text []byte) string { return strings.ToLower(t.intern(text)) }

// treeOf makes tokens of the words of a sentence. Heads that do not make one or several trees are an error.
func (t texts) treeOf(words []conllu.Word) ([]token, error) {
	tree := make([]token, len(words))
	for k, w := range words {
		if w.Head < 0 || w.Head > len(words) {
			return nil, rawtext.AtLine(w.Line, "the word has no head among the %d of its sentence, expected a tree", len(words))
		}
		tree[k] = token{
			form: strings.ToLower(string(w.Form)), lemma: t.internLower(w.Lemma), tag: t.intern(w.XPOS), feats: t.intern(w.Feats),
			relation: t.intern(w.Deprel), head: w.Head - 1,
		}
		if tree[k].tag == "" {
			tree[k].tag = t.intern(w.UPOS)
		}
	}
	if k := findCycle(tree); k >= 0 {
		return nil, rawtext.AtLine(words[k].Line, "the heads from this word on go round in a circle, expected a tree")
	}
	return tree, nil
}

// findCycle returns a word whose heads never come to a root, -1 where there is none. O(words).
func findCycle(tree []token) int {
	sound := make([]bool, len(tree))
	for k := range tree {
		steps := 0
		for node := k; node != none && !sound[node]; node = tree[node].head {
			if steps++; steps > len(tree) {
				return k
			}
		}
		for node := k; node != none && !sound[node]; node = tree[node].head {
			sound[node] = true
		}
	}
	return -1
}

// sentence number (from 0) of a document, which must have length words.
func (t *treebank) sentence(document string, number, length int) ([]token, error) {
	sentences, known := t.sentences[document]
	switch {
	case !known:
		return nil, fmt.Errorf("the treebanks have no document %s", document)
	case number >= len(sentences):
		return nil, fmt.Errorf("document %s has %d sentences in the treebanks, expected one of the number %d, from 0", document, len(sentences), number)
	case len(sentences[number]) != length:
		return nil, fmt.Errorf("the sentence has %d tokens, but %d words in the treebanks (document %s, sentence %d from 0)", length, len(sentences[number]), document, number)
	}
	return sentences[number], nil
}
