package draft

import (
	"fmt"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
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

// yamlScalar returns text as a YAML scalar, quoted if needed, also inside brackets.
func yamlScalar(text string) string {
	b, err := yaml.Marshal([]string{text})
	plain := strings.TrimSuffix(strings.TrimPrefix(string(b), "- "), "\n")
	if err != nil || strings.ContainsAny(plain, ",[]{}\n#") && !strings.HasPrefix(plain, `"`) && !strings.HasPrefix(plain, "'") || strings.Contains(plain, "\n") {
		return yamlQuoted(text)
	}
	return plain
}

// yamlQuoted returns text as a YAML scalar in double quotes.
func yamlQuoted(text string) string {
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
