package table

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/kind"
	"tenfold/io/source"
)

// claim is what one option says of the columns that a name or pattern stands for.
type claim struct{ option, pattern string }

func (o Options) claims() []claim {
	c := o.Columns
	var all []claim
	add := func(option string, names ...string) {
		for _, n := range names {
			all = append(all, claim{option, n})
		}
	}
	for _, one := range []claim{{"id", c.ID}, {"group", c.Group}, {"time", c.Time}, {"weight", c.Weight}} {
		if one.pattern != "" {
			add("columns."+one.option, one.pattern)
		}
	}
	add("target", o.responses()...)
	add("columns.categorical", c.Categorical...)
	add("columns.drop", c.Drop...)
	return all
}

// roles is the option that claims each column, "" for features of numbers. Names claim first, then patterns.
func (o Options) roles(header []string) ([]string, error) {
	if len(o.responses()) == 0 {
		return nil, kind.Errorf("target", "none is given, expected {column: NAME} with one of the columns %s", source.Abridge(header))
	}
	roles := make([]string, len(header))
	claims := o.claims()
	slices.SortStableFunc(claims, func(a, b claim) int {
		return strings.Count(a.pattern, "*") - strings.Count(b.pattern, "*")
	})
	for _, c := range claims {
		if err := c.take(header, roles); err != nil {
			return nil, err
		}
	}
	if k := slices.Index(header, ""); k >= 0 && roles[k] == "" {
		return nil, fmt.Errorf(`column %d has no name; if it only numbers the rows, add "" to columns.drop`, k+1)
	}
	return roles, nil
}

// take claims the column of that name; where there is none, the columns that the pattern matches and nothing claims yet.
func (c claim) take(header, roles []string) error {
	if k := slices.Index(header, c.pattern); k >= 0 {
		if roles[k] != "" {
			return kind.Errorf(c.option, "column %q is claimed by %s already", c.pattern, roles[k])
		}
		roles[k] = c.option
		return nil
	}
	found := false
	for k, name := range header {
		if matches(c.pattern, name) {
			found = true
			if roles[k] == "" {
				roles[k] = c.option
			}
		}
	}
	if !found {
		return kind.Errorf(c.option, "no column %q%s (columns: %s)", c.pattern, kind.DidYouMean(c.pattern, header), source.Abridge(header))
	}
	return nil
}

func repeated(names []string) (string, bool) {
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if seen[n] {
			return n, true
		}
		seen[n] = true
	}
	return "", false
}

// matches tells whether a name is the pattern with some text in the place of each asterisk.
func matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	name, ok := strings.CutPrefix(name, parts[0])
	if last == 0 || !ok {
		return ok && name == ""
	}
	for _, part := range parts[1:last] {
		at := strings.Index(name, part)
		if at < 0 {
			return false
		}
		name = name[at+len(part):]
	}
	return strings.HasSuffix(name, parts[last])
}
