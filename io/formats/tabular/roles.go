package tabular

import (
	"fmt"
	"slices"
	"strings"

	"tenfold/engines/data/asterisk"
	"tenfold/engines/param"
	"tenfold/engines/suggest"
	"tenfold/io/source"
)

// claim assigns the columns of a name or pattern to one option.
type claim struct {
	option, pattern string
	optional        bool // it need not match
}

func (o Options) claims() []claim {
	c := o.Columns
	var all []claim
	add := func(option string, names ...string) {
		for _, n := range names {
			all = append(all, claim{option: option, pattern: n})
		}
	}
	for _, one := range [][2]string{{"id", c.ID}, {"group", c.Group}, {"time", c.Time}, {"weight", c.Weight}} {
		if one[1] != "" {
			add("columns."+one[0], one[1])
		}
	}
	if o.Target.IsSurvival() {
		add("target.time", distinct(o.Target.Time)...)
		add("target.event", distinct(o.Target.Event)...)
	} else {
		add("target", o.Target.Responses()...)
	}
	if o.Target.Exposure != "" {
		add(exposure, o.Target.Exposure)
	}
	add("columns.categorical", c.Categorical...)
	add("columns.text", c.Text...)
	add("columns.drop", c.Drop...)
	return all
}

// distinct returns the names once each, in order: end points may share a column.
func distinct(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// assignRoles returns the option that claims each column, "" for features of numbers. Names claim first, then patterns.
func assignRoles(header []string, claims []claim) ([]string, error) {
	roles := make([]string, len(header))
	slices.SortStableFunc(claims, func(a, b claim) int {
		return strings.Count(a.pattern, "*") - strings.Count(b.pattern, "*")
	})
	for _, c := range claims {
		if err := c.claimColumns(header, roles); err != nil {
			return nil, err
		}
	}
	if k := slices.Index(header, ""); k >= 0 && roles[k] == "" {
		return nil, fmt.Errorf(`column %d has no name; if it only numbers the rows, add "" to columns.drop`, k+1)
	}
	return roles, nil
}

// claimColumns claims the column of that name; where there is none, the columns that the pattern matches and nothing claims
// yet.
func (c claim) claimColumns(header, roles []string) error {
	if c.pattern == "" { // all that have no name
		for k, name := range header {
			if name == "" && roles[k] == "" {
				roles[k] = c.option
			}
		}
	}
	if k := slices.Index(header, c.pattern); k >= 0 {
		if roles[k] != "" && (c.pattern != "" || roles[k] != c.option) {
			return param.Errorf(c.option, "column %q is claimed by %s already", c.pattern, roles[k])
		}
		roles[k] = c.option
		return nil
	}
	found := false
	for k, name := range header {
		if asterisk.Matches(c.pattern, name) {
			found = true
			if roles[k] == "" {
				roles[k] = c.option
			}
		}
	}
	if !found && !c.optional {
		return param.Errorf(c.option, "no column %q%s (columns: %s)", c.pattern, suggest.DidYouMean(c.pattern, header), source.Abridge(header))
	}
	return nil
}

// distinctNames returns the names of columns, with a number after those that an earlier one has already, where the options say
// so: the second one without a name is called #2.
func (c Columns) distinctNames(header []string) []string {
	if c.Repeated != "number" {
		return header
	}
	out, seen := slices.Clone(header), make(map[string]int, len(header))
	for k, name := range header {
		if seen[name]++; seen[name] > 1 {
			out[k] = fmt.Sprintf("%s#%d", name, seen[name])
		}
	}
	return out
}

// samplesAmong returns the columns of a table on its side that are samples, all after the first but the annotations, and the names of those.
func (c Columns) samplesAmong(file string, names, first []string) (cells []int, annotations []string, err error) {
	for _, name := range c.Drop {
		if slices.Contains(first[1:], name) && !slices.Contains(names, name) {
			return nil, nil, param.Errorf("columns.drop", "%q is no row of %s, but one of its columns: name it in columns.annotations", name, file)
		}
	}
	found := make([]bool, len(c.Annotations))
	for column := 1; column < len(first); column++ {
		annotation := false
		for k, pattern := range c.Annotations {
			if asterisk.Matches(pattern, strings.TrimSpace(first[column])) {
				annotation, found[k] = true, true
			}
		}
		if annotation {
			annotations = append(annotations, first[column])
		} else {
			cells = append(cells, column)
		}
	}
	if k := slices.Index(found, false); k >= 0 {
		return nil, nil, param.Errorf("columns.annotations", "%s has no column %q%s", file, c.Annotations[k], suggest.DidYouMean(c.Annotations[k], first[1:]))
	}
	return cells, annotations, nil
}
