package inspect

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
)

var targetName = regexp.MustCompile(`(?i)^(target|label|class|y|response|outcome)$`)

// Suggested returns the target to suggest: a column with a usual name, or the last one that can be predicted, if possible one that half of
// the rows have, and of which nearly all values are not the same; "" if there is none.
func (f *Found) Suggested() (name string, byName bool) {
	if f.IsDescribed() {
		return f.suggestedOfSamples()
	}
	for i := range f.Columns {
		if c := &f.Columns[i]; targetName.MatchString(c.Name) && c.Predictable() == "" && !c.IsText() {
			return c.Name, true
		}
	}
	if all := f.Endpoints(); len(all) > 0 {
		return all[0].Time, true
	}
	rare := "" // a column of which nearly all values are the same
	for i := len(f.Columns) - 1; i >= 0; i-- {
		if c := &f.Columns[i]; c.Predictable() == "" && !c.IsCounter() && !c.IsID() && !c.IsDate() && !c.IsText() && (!c.Unwieldy() || c.Separator() != "") && !c.IsGroup() {
			switch {
			case 2*c.Known() >= c.Rows && c.varies():
				return c.Name, false
			case 2*c.Known() >= c.Rows:
				rare = cmp.Or(rare, c.Name)
			default:
				name = cmp.Or(name, c.Name)
			}
		}
	}
	return cmp.Or(name, rare), false
}

// IsDescribed reports whether a table says what the samples are.
func (f *Found) IsDescribed() bool {
	return slices.ContainsFunc(f.Columns, func(c Column) bool { return c.Joined })
}

// outcomeName matches names of columns of a table of samples that are likely to be predicted, besides those that targetName matches.
var outcomeName = regexp.MustCompile(`(?i)(status|diagnos|condition|disease|outcome|response|relapse|recur|subtype|phenotype|cell[_. ]?type|^type$|^class|label|case[_. ]?control)`)

// suggestedOfSamples does what Suggested does, of columns of a table of samples: a usual name, times with events, else the one column of levels, or the
// one of them with the name of an outcome.
func (f *Found) suggestedOfSamples() (name string, byName bool) {
	var levels, named []string
	for i := range f.Columns {
		switch c := &f.Columns[i]; {
		case !c.Joined || c.Predictable() != "":
		case targetName.MatchString(c.Name):
			return c.Name, true
		case c.IsClass() && !c.IsID() && !c.IsDate() && !c.Unwieldy() && !c.IsGroup() && c.Refused == "":
			if levels = append(levels, c.Name); outcomeName.MatchString(c.Name) {
				named = append(named, c.Name)
			}
		}
	}
	for _, e := range f.Endpoints() {
		return e.Time, true
	}
	switch {
	case len(levels) == 1:
		return levels[0], true
	case len(named) == 1:
		return named[0], true
	}
	return "", false
}

// Candidates returns the columns of levels of a table of samples, any of which may be the target.
func (f *Found) Candidates() (names []string) {
	for i := range f.Columns {
		if c := &f.Columns[i]; c.Joined && c.Predictable() == "" && c.IsClass() && !c.IsID() && !c.IsDate() && !c.Unwieldy() {
			names = append(names, c.Name)
		}
	}
	return names
}

// Predictable says why a column cannot be predicted, "" if it can.
func (c *Column) Predictable() string {
	switch {
	case c.Name == "":
		return "it has no name"
	case c.Known() == 0:
		return "it has no values"
	case len(c.Levels) == 1:
		return fmt.Sprintf("it has the same value in every row, %s", c.Levels[0])
	}
	return ""
}
