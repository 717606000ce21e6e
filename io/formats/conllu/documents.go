package conllu

import (
	"bytes"
	"iter"
	"strings"
)

// Word is one syntactic word of a treebank.
type Word = word

// Sentence is the words of a sentence, with the name of its document: what the last line "# newdoc id = NAME" before it says,
// "" where there is none.
type Sentence struct {
	Document string
	Words    []Word
}

// Sentences yields the sentences of a file as sentences does, for a reader whose errors get the name of the file from
// elsewhere. The words are valid until the next sentence.
func Sentences(content []byte) iter.Seq2[Sentence, error] {
	return func(yield func(Sentence, error) bool) {
		documents := namedDocuments(content)
		start := 0
		for words, err := range sentences(content, "") {
			if err != nil {
				yield(Sentence{}, err)
				return
			}
			for start+1 < len(documents) && documents[start+1].line < words[0].Line {
				start++
			}
			if !yield(Sentence{documents[start].name, words}, nil) {
				return
			}
		}
	}
}

// named is a document and the line, from 1, on which it begins.
type named struct {
	name string
	line int
}

// namedDocuments returns the documents of a file; the first one is what stands before any name.
func namedDocuments(content []byte) []named {
	all := []named{{}}
	line := 0
	for text := range bytes.Lines(content) {
		line++
		if name, begins := bytes.CutPrefix(text, []byte("# newdoc id =")); begins {
			all = append(all, named{strings.TrimSpace(string(name)), line})
		}
	}
	return all
}
