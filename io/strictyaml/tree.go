package strictyaml

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// The document as a tree of yaml nodes: parsed, with aliases written out, and free of what a strict reader refuses
// (duplicate keys, merge keys, tags, several documents).

const (
	maxNodes = 1_000_000 // more than the file has bytes: aliases can multiply
	maxDepth = 100       // an alias can contain itself
)

// Parse returns the root of the only document, nil if there is none to go on with.
func (p *Problems) Parse(content []byte) *yaml.Node {
	if !p.checkReadable() {
		return nil
	}
	var doc yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(content))
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0:
		p.AddAt(1, 1, "the file is empty")
		return nil
	case err != nil:
		p.addSyntaxError(err)
		return nil
	}
	var next yaml.Node
	switch err := dec.Decode(&next); {
	case err == nil:
		p.Add(&next, "a second document starts here; the file has one")
	case !errors.Is(err, io.EOF):
		p.addSyntaxError(err)
	}
	t := tree{Problems: p, left: maxNodes + len(content)}
	root := t.resolveAliases(doc.Content[0], 0)
	if t.left <= 0 {
		return nil
	}
	return root
}

var (
	yamlLine   = regexp.MustCompile(`^line (\d+): `)
	yamlParser = regexp.MustCompile(`^did not find expected (<|node content|'-' indicator|key|',' or)`) // these messages count lines from 0
	bareDash   = regexp.MustCompile(`^ *-[\pL_]+:`)
	yamlAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced`)
)

// addSyntaxError gives the YAML reader's message a place: the first character of its line, or the character that causes the error.
func (p *Problems) addSyntaxError(err error) {
	msg, line := strings.TrimPrefix(err.Error(), "yaml: "), 0
	if m := yamlLine.FindStringSubmatch(msg); m != nil {
		line, _ = strconv.Atoi(m[1])
		msg = msg[len(m[0]):]
	}
	if yamlParser.MatchString(msg) {
		line++
	}
	line = min(max(line, 1), len(p.Lines))
	if line > 1 && line == len(p.Lines) && p.Lines[line-1] == "" { // what follows the last line break
		line--
	}
	if line > 1 && bareDash.MatchString(p.Lines[line-2]) {
		line, msg = line-1, "a blank is missing after the dash"
	} else if strings.Contains(msg, "tab character") && line < len(p.Lines) && indentTab(p.Lines[line-1]) < 0 {
		line++ // this message may name the line before
	}
	column := len(p.Lines[line-1]) - len(strings.TrimLeft(p.Lines[line-1], " \t")) + 1
	if tab := indentTab(p.Lines[line-1]); tab >= 0 {
		column, msg = tab+1, "a tab in the indentation; use spaces"
	}
	if m := yamlAnchor.FindStringSubmatch(msg); m != nil {
		line, column = p.findText("*" + m[1])
	}
	p.AddAt(line, column, "not YAML: %s", Words(msg))
}

// indentTab returns the index of the first tab in the indentation of a line, -1 if there is none.
func indentTab(line string) int {
	return strings.IndexByte(line[:len(line)-len(strings.TrimLeft(line, " \t"))], '\t')
}

// findText returns the place of the first occurrence of a text.
func (p *Problems) findText(text string) (line, column int) {
	for i, l := range p.Lines {
		if before, _, ok := strings.Cut(l, text); ok {
			return i + 1, utf8.RuneCountInString(before) + 1
		}
	}
	return 1, 1
}

// checkReadable reports whether the content is text that YAML allows.
func (p *Problems) checkReadable() bool {
	for i, l := range p.Lines {
		column := 0
		for offset, r := range l {
			column++
			if _, size := utf8.DecodeRuneInString(l[offset:]); r == utf8.RuneError && size == 1 {
				p.AddAt(i+1, column, "byte 0x%02x is not UTF-8", l[offset])
				return false
			}
			if r < ' ' && r != '\t' && r != '\r' || r == 0x7f {
				p.AddAt(i+1, column, "control character %U", r)
				return false
			}
		}
	}
	return true
}

type tree struct {
	*Problems
	left int // nodes that may still be made
}

// resolveAliases copies the tree and replaces aliases by the nodes that they refer to.
func (t *tree) resolveAliases(n *yaml.Node, depth int) *yaml.Node {
	if t.left--; t.left == 0 || t.left > 0 && depth == maxDepth {
		t.Add(n, "too much nesting, or an alias that contains itself")
		t.left = 0
	}
	if t.left <= 0 {
		return n
	}
	if n.Kind == yaml.AliasNode {
		return t.resolveAliases(n.Alias, depth+1)
	}
	if n.Style&yaml.TaggedStyle != 0 {
		t.Add(n, "tag %s: tags are not used here", n.Tag)
	}
	out := *n
	out.Content = nil
	if n.Kind == yaml.MappingNode {
		t.cleanMapping(&out, n.Content, depth)
		return &out
	}
	for _, c := range n.Content {
		out.Content = append(out.Content, t.resolveAliases(c, depth+1))
	}
	return &out
}

func (t *tree) cleanMapping(out *yaml.Node, content []*yaml.Node, depth int) {
	first := map[string]int{}
	for i := 0; i+1 < len(content); i += 2 {
		key := t.resolveAliases(content[i], depth+1)
		if t.left <= 0 {
			return
		}
		switch line, twice := first[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			t.Add(key, "a key has to be text")
			continue
		case key.Tag == "!!merge":
			t.Add(key, "merge keys (<<) are not used here; write the keys out (an experiment has defaults: for what algorithms share)")
			continue
		case twice:
			t.Add(key, "key %q appears twice, first on line %d", key.Value, line)
			continue
		}
		first[key.Value] = key.Line
		out.Content = append(out.Content, key, t.resolveAliases(content[i+1], depth+1))
	}
}

// IsEmpty reports whether a file has only blanks and comments.
func IsEmpty(content []byte) bool {
	var doc yaml.Node
	return yaml.Unmarshal(content, &doc) == nil && len(doc.Content) == 0
}
