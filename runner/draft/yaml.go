package draft

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"tenfold/io/files"
	"tenfold/io/sanitize"
)

// oneLine replaces what a comment cannot hold by blanks.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

type lineWriter struct{ strings.Builder }

func (w *lineWriter) writeLine(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// writeComment writes a comment that lists at most six things.
func (w *lineWriter) writeComment(begin string, things []string) {
	const most = 6
	more := len(things) - most
	if more > 0 {
		things = append(things[:most:most], fmt.Sprintf("%d more", more))
	}
	w.writeLine("%s%s", begin, oneLine(strings.Join(things, "; ")))
}

// yamlScalar returns text as a YAML scalar, quoted if needed, also inside brackets and braces.
func yamlScalar(text string) string {
	if sanitize.Line(text) != text {
		return yamlQuoted(text)
	}
	b, err := yaml.Marshal([]string{text})
	plain := strings.TrimSuffix(strings.TrimPrefix(string(b), "- "), "\n")
	if err != nil || strings.ContainsAny(plain, "\n#") || !readsBack(plain, text) {
		return yamlQuoted(text)
	}
	return plain
}

// readsBack reports whether a scalar is read as a text inside brackets and as a key and a value inside braces. The library does not quote
// some that are not, such as one that begins with a question mark.
func readsBack(scalar, text string) bool {
	var list []string
	var mapping map[string]string
	return yaml.Unmarshal([]byte("["+scalar+"]"), &list) == nil && len(list) == 1 && list[0] == text &&
		yaml.Unmarshal([]byte("{"+scalar+": "+scalar+"}"), &mapping) == nil && len(mapping) == 1 && mapping[text] == text
}

// yamlQuoted returns text as a YAML scalar in double quotes, with escapes for what acts unseen.
func yamlQuoted(text string) string {
	if sanitize.Line(text) != text && utf8.ValidString(text) {
		return strconv.Quote(text)
	}
	n := yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Value: text}
	b, err := yaml.Marshal(&n)
	if err != nil || strings.Count(string(b), "\n") > 1 { // yaml.v3 folds long ones
		return fmt.Sprintf("%q", text)
	}
	return strings.TrimSuffix(string(b), "\n")
}

func yamlList(names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, yamlScalar(n))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// yamlRef returns a reference to a file as a YAML mapping on one line.
func yamlRef(r files.Ref) string {
	text := "{path: " + yamlScalar(r.Path)
	for _, key := range [][2]string{{"url", r.URL}, {"sha256", r.SHA256}, {"licence", r.Licence}} {
		if key[1] != "" {
			text += ", " + key[0] + ": " + yamlScalar(key[1])
		}
	}
	return text + "}"
}
