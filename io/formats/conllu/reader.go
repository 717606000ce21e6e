// Package conllu reads dependency treebanks in the CoNLL-U format (universaldependencies.org/format.html).
package conllu

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"unicode/utf8"

	"tenfold/io/rawtext"
)

// The columns of a word that are kept.
const (
	columnID     = 0
	columnForm   = 1
	columnLemma  = 2
	columnUPOS   = 3
	columnXPOS   = 4
	columnFeats  = 5
	columnHead   = 6
	columnDeprel = 7
	columns      = 10
)

// word is one syntactic word. Its texts are parts of the input.
type word struct {
	Line                                   int // from 1
	Form, Lemma, UPOS, XPOS, Feats, Deprel []byte
	Head                                   int // 0 for a root, -1 where it is not given (_)
}

// sentences yields the words of each sentence; the slice is valid until the next one. Comments, ranges (1-2) and empty
// nodes (8.1) are left out, lines may end in CR LF, and the last sentence needs no blank line after it. A malformed line
// ends the sequence with an error that gives name (unless it is empty), line, what was found and what was expected. Heads are
// not checked.
func sentences(content []byte, name string) iter.Seq2[[]word, error] {
	return func(yield func([]word, error) bool) {
		var words []word
		for lines := rawtext.LinesOf(bytes.TrimPrefix(content, []byte("\ufeff")), name); lines.Next(); {
			switch {
			case len(lines.Line) == 0:
				if len(words) > 0 && !yield(words, nil) {
					return
				}
				words = words[:0]
			case lines.Line[0] != '#':
				w, ok, err := parseWord(lines.Line, len(words)+1)
				if err != nil {
					yield(nil, lines.Errorf("%w", err))
					return
				}
				if ok {
					w.Line = lines.Number
					words = append(words, w)
				}
			}
		}
		if len(words) > 0 {
			yield(words, nil)
		}
	}
}

// parseWord reads a line; ok is false when it is a range or an empty node.
func parseWord(line []byte, next int) (w word, ok bool, err error) {
	if !utf8.Valid(line) {
		return w, false, fmt.Errorf("found bytes that are not UTF-8, expected UTF-8 text")
	}
	if n := bytes.Count(line, []byte{'\t'}) + 1; n != columns {
		return w, false, fmt.Errorf("found %d columns, expected %d separated by tabs", n, columns)
	}
	var field [columns][]byte
	for c := range field {
		field[c], line, _ = bytes.Cut(line, []byte{'\t'})
		if len(field[c]) == 0 {
			return w, false, fmt.Errorf("found column %d empty, expected a value or _", c+1)
		}
	}
	id, isNumber := parseNumber(field[columnID])
	switch {
	case !isNumber && isSkipped(field[columnID]):
		return w, false, nil
	case id != next:
		return w, false, fmt.Errorf("found id %q, expected %d (or a range such as %[2]d-%d, or an empty node such as %d.1)", field[columnID], next, next+1, next-1)
	}
	head, isNumber := parseNumber(field[columnHead])
	switch {
	case isNumber:
		w.Head = head
	case string(field[columnHead]) == "_":
		w.Head = -1
	default:
		return w, false, fmt.Errorf("found head %q, expected the id of a word, 0 for a root, or _", field[columnHead])
	}
	w.Form, w.Lemma, w.Feats = field[columnForm], field[columnLemma], field[columnFeats]
	w.UPOS, w.XPOS, w.Deprel = field[columnUPOS], field[columnXPOS], field[columnDeprel]
	return w, true, nil
}

// isSkipped reports whether an id is a range, a-b, or an empty node, a.b.
func isSkipped(id []byte) bool {
	k := bytes.IndexAny(id, "-.")
	if k < 0 {
		return false
	}
	_, first := parseNumber(id[:k])
	_, second := parseNumber(id[k+1:])
	return first && second
}

// parseNumber reads decimal digits, -1 and false for anything else or what exceeds 31 bits.
func parseNumber(digits []byte) (int, bool) {
	n := 0
	for _, c := range digits {
		if c < '0' || c > '9' {
			return -1, false
		}
		if n = 10*n + int(c-'0'); n > math.MaxInt32 {
			return -1, false
		}
	}
	return n, len(digits) > 0
}
