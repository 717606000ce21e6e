// Package text cuts texts into words or characters, and runs of them.
package text

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// The ways to cut a text.
const (
	Words      = "words"      // runs of letters, digits, marks and _
	Blanks     = "blanks"     // what white space divides
	Characters = "characters" // each character; white space is one character ␣, however long, and none at the ends
)

// Cutter makes tokens of texts, and columns of tokens. It is for one goroutine.
type Cutter struct {
	By                string          // Words, Blanks, Characters
	Lower             bool            // write in lower case
	MinLength         int             // of a word, in characters
	Stop              map[string]bool // words that are left out; nil for none
	Shortest, Longest int             // runs of so many tokens are named

	tokens [][]byte
	buffer []byte
}

// Each calls f with the name of every run of tokens in the text, the shortest runs first: the words with a blank between
// them, or the characters as they stand. A name must not be kept. It returns the number of tokens.
// O(length of the text × runs).
func (c *Cutter) Each(text []byte, f func(name []byte)) (tokens int) {
	if c.Lower {
		text = bytes.ToLower(text)
	}
	if c.By == Characters {
		return c.cutCharacters(text, f)
	}
	c.tokens = c.tokens[:0]
	take := func(word []byte) {
		if c.keeps(word) {
			c.tokens = append(c.tokens, word)
		}
	}
	if c.Longest == 1 { // of which a list would be larger than the text
		take = func(word []byte) {
			if c.keeps(word) {
				tokens++
				f(word)
			}
		}
	}
	if c.By == Blanks {
		for word := range bytes.FieldsSeq(text) {
			take(word)
		}
	} else {
		eachWord(text, take)
	}
	if c.Longest == 1 {
		return tokens
	}
	c.buffer = Runs(c.buffer, c.tokens, c.Shortest, c.Longest, f)
	return len(c.tokens)
}

// keeps reports whether a word is neither too short nor left out.
func (c *Cutter) keeps(word []byte) bool {
	return (c.MinLength <= 1 || utf8.RuneCount(word) >= c.MinLength) && !c.Stop[string(word)]
}

// Runs calls f with every run of shortest to longest words, a blank between them, the shortest first. It uses the buffer
// and returns it, perhaps grown.
func Runs(buffer []byte, words [][]byte, shortest, longest int, f func(run []byte)) []byte {
	for n := shortest; n <= longest; n++ {
		for k := 0; k+n <= len(words); k++ {
			buffer = append(buffer[:0], words[k]...)
			for _, w := range words[k+1 : k+n] {
				buffer = append(buffer, ' ')
				buffer = append(buffer, w...)
			}
			f(buffer)
		}
	}
	return buffer
}

// eachWord calls f with the runs of letters, digits, marks and _.
func eachWord(text []byte, f func(word []byte)) {
	start := -1
	for k := 0; k < len(text); {
		r, size := rune(text[k]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[k:])
		}
		switch inside := inWord(r); {
		case inside && start < 0:
			start = k
		case !inside && start >= 0:
			f(text[start:k])
			start = -1
		}
		k += size
	}
	if start >= 0 {
		f(text[start:])
	}
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// cutCharacters names runs of characters.
func (c *Cutter) cutCharacters(text []byte, f func(name []byte)) int {
	b, starts := c.buffer[:0], []int{}
	for word := range bytes.FieldsSeq(text) {
		if len(starts) > 0 {
			starts = append(starts, len(b))
			b = append(b, "␣"...)
		}
		for len(word) > 0 {
			_, size := utf8.DecodeRune(word)
			starts = append(starts, len(b))
			b = append(b, word[:size]...)
			word = word[size:]
		}
	}
	c.buffer = b
	n := len(starts)
	starts = append(starts, len(b))
	for length := c.Shortest; length <= c.Longest; length++ {
		for k := 0; k+length <= n; k++ {
			f(b[starts[k]:starts[k+length]])
		}
	}
	return n
}
