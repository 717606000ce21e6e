package arff

import (
	"bytes"
	"fmt"
	"strings"

	"tenfold/io/rawtext"
)

// attribute is a column of the file.
type attribute struct {
	name   string
	levels []string // of a nominal one; nil for others
	level  map[string]int
	text   bool // string or date
	part   part
	// on is the level of two that a 0/1 column is 1 for.
	on int
}

// part is the purpose of an attribute.
type part int8

const (
	feature part = iota
	response
	identity
	group
	dropped
)

// text is a file, read line by line.
type text struct {
	*rawtext.Lines
	file string
}

// nextLine returns the next line that is neither blank nor a comment.
func (t *text) nextLine() (line []byte, ok bool) {
	for t.Next() {
		if line = bytes.TrimSpace(t.Line); len(line) > 0 && line[0] != '%' {
			return line, true
		}
	}
	return nil, false
}

// readHeader reads the declarations up to @data.
func (t *text) readHeader() ([]attribute, error) {
	var attributes []attribute
	seen := map[string]int{}
	for {
		line, ok := t.nextLine()
		if !ok {
			return nil, fmt.Errorf("%s: no @data, expected @relation, @attribute lines and @data", t.file)
		}
		keyword, rest := firstWord(line)
		switch strings.ToLower(keyword) {
		case "@relation":
		case "@data":
			if len(attributes) == 0 {
				return nil, t.Errorf("no @attribute before @data")
			}
			return attributes, nil
		case "@attribute":
			a, err := parseAttribute(t.wholeDeclaration(rest))
			if err != nil {
				return nil, t.Errorf("%w", err)
			}
			if first, twice := seen[a.name]; twice {
				return nil, t.Errorf("the attribute %q is declared on line %d already", a.name, first)
			}
			seen[a.name] = t.Number
			attributes = append(attributes, a)
		default:
			return nil, t.Errorf("found %.40q, expected @relation, @attribute or @data", line)
		}
	}
}

// wholeDeclaration returns a declaration with the lines that it goes on in, up to the brace that ends a list of values.
func (t *text) wholeDeclaration(line []byte) []byte {
	_, rest, err := parseValue(line, " \t{")
	rest = bytes.TrimSpace(rest)
	if err != nil || len(rest) > 0 && rest[0] != '{' {
		return line
	}
	rest = withoutComment(rest)
	for whole := bytes.Clone(withoutComment(line)); ; {
		if bytes.IndexByte(rest, '}') >= 0 {
			return whole
		}
		next, ok := t.nextLine()
		if !ok || next[0] == '@' {
			return line // parseAttribute says what is wrong with it
		}
		rest = withoutComment(next)
		whole = append(append(whole, ' '), rest...)
	}
}

// withoutComment returns a line up to a percent sign after a blank.
func withoutComment(line []byte) []byte {
	if k := bytes.Index(line, []byte(" %")); k >= 0 && !bytes.ContainsAny(line[k:], "'\"}") {
		return line[:k]
	}
	return line
}

func firstWord(line []byte) (first string, rest []byte) {
	end := bytes.IndexAny(line, " \t{")
	if end < 0 {
		return string(line), nil
	}
	return string(line[:end]), bytes.TrimSpace(line[end:])
}

// parseAttribute reads a name and a type.
func parseAttribute(line []byte) (attribute, error) {
	name, rest, err := parseValue(line, " \t{")
	if err != nil || name == "" {
		return attribute{}, fmt.Errorf("found %.40q, expected the name of an attribute", line)
	}
	a := attribute{name: name}
	if rest = bytes.TrimSpace(rest); len(rest) > 0 && rest[0] == '{' {
		if a.levels, err = parseNominal(rest); err != nil {
			return a, fmt.Errorf("attribute %q: %w", name, err)
		}
		a.level = make(map[string]int, len(a.levels))
		for k, l := range a.levels {
			if _, twice := a.level[l]; twice {
				return a, fmt.Errorf("attribute %q: the value %q is listed twice", name, l)
			}
			a.level[l] = k
		}
		a.on = positiveLevel(a.levels)
		return a, nil
	}
	first, _ := firstWord(rest)
	switch strings.ToLower(first) {
	case "numeric", "real", "integer":
	case "string", "date":
		a.text = true
	default:
		return a, fmt.Errorf("attribute %q: found %.40q, expected numeric, real, integer, string, date or a list of values in braces", name, rest)
	}
	return a, nil
}

// parseNominal reads a list of values in braces.
func parseNominal(list []byte) (levels []string, err error) {
	rest := list[1:]
	for {
		var level string
		if level, rest, err = parseValue(bytes.TrimSpace(rest), ",}"); err != nil {
			return nil, err
		}
		if level = strings.TrimSpace(level); level != "" {
			levels = append(levels, level)
		}
		rest = bytes.TrimSpace(rest)
		switch {
		case len(rest) == 0:
			return nil, fmt.Errorf("the list of values does not end with a brace")
		case rest[0] == '}' && len(levels) == 0:
			return nil, fmt.Errorf("the list of values is empty")
		case rest[0] == '}':
			return levels, nil
		case rest[0] != ',':
			return nil, fmt.Errorf("found %.20q in the list of values, expected a comma", rest)
		}
		rest = rest[1:]
	}
}

// parseValue reads a value, quoted or up to one of the given characters, and what follows.
func parseValue(line []byte, until string) (v string, rest []byte, err error) {
	if len(line) == 0 || line[0] != '\'' && line[0] != '"' {
		if end := bytes.IndexAny(line, until); end >= 0 {
			return string(line[:end]), line[end:], nil
		}
		return string(line), nil, nil
	}
	var b strings.Builder
	for k := 1; k < len(line); k++ {
		switch c := line[k]; {
		case c == line[0]:
			return b.String(), line[k+1:], nil
		case c == '\\' && k+1 < len(line):
			k++
			b.WriteByte(line[k])
		default:
			b.WriteByte(c)
		}
	}
	return "", nil, fmt.Errorf("the quote before %.20q does not end", line[1:])
}

// yes and no in the lists that mean them, written in lower case.
var yesOf = map[string]string{"1": "0", "yes": "no", "true": "false", "y": "n", "t": "f", "+1": "-1", "present": "absent"}

// positiveLevel returns the level of two that means yes; where neither does, the second.
func positiveLevel(levels []string) int {
	if len(levels) == 2 && meansYes(levels[0], levels[1]) {
		return 0
	}
	return min(1, len(levels)-1)
}

func meansYes(yes, no string) bool {
	yes, no = strings.ToLower(yes), strings.ToLower(no)
	return yesOf[yes] == no && no != "" || yes == "1" && no == "-1"
}
