package cells

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/results"
)

// Select keeps the cells that match every condition: dimension = value. A value may list alternatives by commas and use * and ?;
// numbers are compared as numbers, and one written with three digits or more also matches what rounds to it (0.00316 finds
// 10^-2.5). Conditions on parameters that a cell does not have are ignored for it. A dimension that no cell has is an error.
func Select(cs []*Cell, where map[string]string) ([]*Cell, error) {
	dims := Dims(cs)
	names := make([]string, 0, len(where))
	for name := range where {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if !slices.Contains(dims, name) {
			return nil, param.Errorf(name, "no result has %q%s", name, suggest.Choices(name, dims))
		}
		var kept []*Cell
		for _, c := range cs {
			if c.Matches(name, where[name]) {
				kept = append(kept, c)
			}
		}
		if len(kept) == 0 && len(cs) > 0 {
			return nil, param.Errorf(name, "no result has %s %s (have %s)", name, where[name], strings.Join(values(cs, name), ", "))
		}
		cs = kept
	}
	return cs, nil
}

// MatchesAll reports whether the cell has all values of a filter.
func (c *Cell) MatchesAll(where map[string]string) bool {
	for name, value := range where {
		if !c.Matches(name, value) {
			return false
		}
	}
	return true
}

func values(cs []*Cell, name string) []string {
	var out []string
	for _, c := range cs {
		if v, ok := c.Dim(name); ok && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// Matches reports whether the cell meets a condition of Select; a cell without the dimension does.
func (c *Cell) Matches(name, pattern string) bool {
	value, ok := c.Dim(name)
	if !ok {
		return true
	}
	if v, ok := c.Param(name); ok {
		value = results.Exact(v)
	}
	for p := range strings.SplitSeq(pattern, ",") {
		if equal(value, strings.TrimSpace(p)) {
			return true
		}
	}
	return false
}

func equal(value, pattern string) bool {
	if value == pattern {
		return true
	}
	flat := func(s string) string { return strings.ReplaceAll(s, "/", "\x00") } // * matches slashes, too
	if ok, err := path.Match(flat(pattern), flat(value)); err == nil && ok {
		return true
	}
	v, err1 := strconv.ParseFloat(value, 64)
	p, err2 := strconv.ParseFloat(pattern, 64)
	if err1 != nil || err2 != nil {
		return false
	}
	digits := significant(pattern)
	round := func(x float64) string { return strconv.FormatFloat(x, 'e', digits-1, 64) }
	return v == p || digits >= 3 && round(v) == round(p)
}

// significant counts the digits of a written number from the first that is not zero.
func significant(number string) int {
	mantissa, _, _ := strings.Cut(strings.ToLower(number), "e")
	mantissa = strings.TrimLeft(strings.ReplaceAll(strings.TrimLeft(mantissa, "+-"), ".", ""), "0")
	return len(mantissa)
}

// Split returns the names in a comma-separated list.
func Split(list string) []string {
	var out []string
	for s := range strings.SplitSeq(list, ",") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}
