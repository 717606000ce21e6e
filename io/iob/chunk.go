// Package iob reads tags that mark chunks of tokens: B-X begins a chunk of type X, I-X continues it, O is outside.
//
// The rules are those of the scorer of the CoNLL shared tasks (Tjong Kim Sang & Buchholz 2000, conlleval): a chunk begins
// at B, and at I where no chunk of that type goes on. So they read both schemes: IOB2, where every chunk begins with B,
// and IOB1, where one begins with B only straight after another of its type (Ramshaw & Marcus 1995).
package iob

import "strings"

// Tag is the tag of a token. The zero value is outside.
type Tag struct {
	Begin, Inside bool // one of them, or neither for O
	Type          string
}

// Parse reads a tag; false when it is not one.
func Parse(text string) (Tag, bool) {
	if text == "O" {
		return Tag{}, true
	}
	kind, ok := strings.CutPrefix(text, "B-")
	if ok && kind != "" {
		return Tag{Begin: true, Type: kind}, true
	}
	kind, ok = strings.CutPrefix(text, "I-")
	return Tag{Inside: true, Type: kind}, ok && kind != ""
}

// ParseAll reads a list of tags, such as the levels of a target; false unless all are tags and not all are O.
func ParseAll(texts []string) ([]Tag, bool) {
	tags, some := make([]Tag, len(texts)), false
	for k, text := range texts {
		var ok bool
		if tags[k], ok = Parse(text); !ok {
			return nil, false
		}
		some = some || tags[k] != Tag{}
	}
	return tags, some
}

// Outside reports whether the token is in no chunk.
func (t Tag) Outside() bool { return !t.Begin && !t.Inside }

// Continues reports whether the token continues the chunk of the token before it in its sentence.
func (t Tag) Continues(before Tag) bool {
	return t.Inside && !before.Outside() && before.Type == t.Type
}

// Begins reports whether a chunk begins at the token; before is Tag{} at the beginning of a sentence.
func (t Tag) Begins(before Tag) bool { return !t.Outside() && !t.Continues(before) }

// Loose reports whether a chunk begins at the token with I, which IOB2 does not have.
func (t Tag) Loose(before Tag) bool { return t.Inside && t.Begins(before) }

// String returns the tag as files have it.
func (t Tag) String() string {
	switch {
	case t.Begin:
		return "B-" + t.Type
	case t.Inside:
		return "I-" + t.Type
	}
	return "O"
}
