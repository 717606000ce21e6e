package strictyaml

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Mistake is something wrong in a file, with its place.
type Mistake struct {
	File         string // path of the file, or what else the text came from that has no lines (then Line is 0)
	Line, Column int    // from 1; the column counts characters
	Source       string // the line itself
	Msg          string // what was found and what was expected
}

// Error returns `file:line:column: message`, the line, and a caret below the place.
func (m Mistake) Error() string {
	if m.Line == 0 {
		return m.File + ": " + m.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", m.File, m.Line, m.Column, m.Msg) + pointed(m.Source, m.Column)
}

// Mistakes are all that is wrong in a file.
type Mistakes []Mistake

// Error returns all of them, each on its lines.
func (ms Mistakes) Error() string {
	texts := make([]string, len(ms))
	for i, m := range ms {
		texts[i] = m.Error()
	}
	return strings.Join(texts, "\n")
}

// Sort sorts by place; those without one come first.
func (ms Mistakes) Sort() {
	slices.SortStableFunc(ms, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// yamlWords are messages of the YAML reader as people would say them.
var yamlWords = map[string]string{
	"did not find expected ',' or ']'":                       "a list in brackets does not end: expected , or ]",
	"did not find expected ',' or '}'":                       "a mapping in braces does not end: expected , or }",
	"did not find expected key":                              "expected a key; is the indentation that of the lines before?",
	"did not find expected '-' indicator":                    "expected an entry of the list, after a dash; is the indentation that of the lines before?",
	"did not find expected node content":                     "expected a value",
	"mapping values are not allowed in this context":         "a colon where no key can be; text with a colon in it has to be quoted, and keys have the indentation of those before",
	"could not find expected ':'":                            "expected a colon after a key",
	"found character that cannot start any token":            "text cannot begin with this character; quote it",
	"found unexpected end of stream":                         "the quotes do not end",
	"block sequence entries are not allowed in this context": "an entry of a list, after a dash, where none can be; it begins a line of its own",
	"found unknown escape character":                         "no such escape with a backslash in double quotes; in single quotes a backslash is one",
}

// Words returns a message of the YAML reader in words.
func Words(msg string) string {
	if known, ok := yamlWords[msg]; ok {
		return known
	}
	return msg
}

// side is the number of characters of a long line that are shown before a place in it, and after.
const side = 100

// around returns a line, or of one that fills screens the part around a place in it, and where the place is there.
func around(line []rune, column int) (part []rune, place int) {
	if len(line) <= 2*side {
		return line, column
	}
	from, to := max(min(column, len(line))-side, 0), min(column+side, len(line))
	if from > 0 {
		part = append(part, '…')
	}
	place = len(part) + column - from
	if part = append(part, line[from:to]...); to < len(line) {
		part = append(part, '…')
	}
	return part, place
}

// pointed returns a line of a file and a caret below the character of that number, from 1, as they follow a message; "" where the
// line is blank.
func pointed(line string, column int) string {
	if strings.TrimSpace(line) == "" {
		return ""
	}
	shown, before := around([]rune(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f {
			return utf8.RuneError
		}
		return r
	}, line)), max(column-1, 0))
	margin := strings.Map(func(r rune) rune { // tabs stay, so that the caret stands where the terminal puts the character
		if r == '\t' {
			return r
		}
		return ' '
	}, string(shown[:min(before, len(shown))]))
	return "\n    " + string(shown) + "\n    " + margin + "^"
}
