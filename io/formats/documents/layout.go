package documents

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tenfold/engines/suggest"
)

// fields of a layout. {id} and {_} are for the reader of the layout, and name nothing that is used.
var fields = []string{"class", "part", "task", "group", "id", "_"}

// layout says what the parts of a path mean.
type layout struct {
	fits  *regexp.Regexp
	place map[string]int // of each field that is used, among the submatches
}

// parseLayout reads a layout: text as it stands; {field} for as few characters of one name as what follows allows, at
// least one; * for any characters of a name, ** for any folders.
func parseLayout(pattern string) (layout, error) {
	l := layout{place: map[string]int{}}
	expr := "^"
	for rest := pattern; rest != ""; {
		switch {
		case rest[0] == '{':
			field, after, closed := strings.Cut(rest[1:], "}")
			if !closed {
				return l, fmt.Errorf("%q: a { without its }", pattern)
			}
			if !slices.Contains(fields, field) {
				return l, fmt.Errorf("%q: {%s} is not one of {%s}%s", pattern, field, strings.Join(fields, "}, {"), suggest.DidYouMean(field, fields))
			}
			if _, twice := l.place[field]; twice {
				return l, fmt.Errorf("%q: {%s} stands twice", pattern, field)
			}
			rest = after
			if field == "id" || field == "_" {
				expr += "[^/]+?"
				continue
			}
			l.place[field] = len(l.place) + 1
			expr += "([^/]+?)"
		case rest[0] == '}':
			return l, fmt.Errorf("%q: a } without its {", pattern)
		case strings.HasPrefix(rest, "**/"):
			expr, rest = expr+"(?:.*/)?", rest[3:]
		case strings.HasPrefix(rest, "**"):
			expr, rest = expr+".*", rest[2:]
		case rest[0] == '*':
			expr, rest = expr+"[^/]*", rest[1:]
		default:
			n := strings.IndexAny(rest, "{}*")
			if n < 0 {
				n = len(rest)
			}
			expr, rest = expr+regexp.QuoteMeta(rest[:n]), rest[n:]
		}
	}
	var err error
	if l.fits, err = regexp.Compile("(?s)" + expr + "$"); err != nil {
		return l, fmt.Errorf("%q: %w", pattern, err)
	}
	return l, nil
}

// hasField reports whether the layout says where a field stands.
func (l layout) hasField(field string) bool { return l.place[field] > 0 }

// names are the parts of one path.
type names struct {
	layout layout
	match  []string
}

// matchPath takes a path apart; false when it does not fit.
func (l layout) matchPath(path string) (names, bool) {
	match := l.fits.FindStringSubmatch(path)
	return names{l, match}, match != nil
}

// valueOf returns the text of a field, empty when the layout does not have it.
func (n names) valueOf(field string) string {
	if k := n.layout.place[field]; k > 0 {
		return n.match[k]
	}
	return ""
}
