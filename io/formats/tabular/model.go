package tabular

import (
	"cmp"
	"slices"
	"strings"

	"tenfold/engines/data/asterisk"
	"tenfold/engines/prepare/labels"
	"tenfold/io/source"
)

// model has the columns that a model knows, for reading a table of new rows.
type model struct {
	source.Application
	numbers map[string]bool
	columns []categorical
}

// categorical is a column that became one column a level.
type categorical struct {
	levels []string // NAME=LEVEL
	name   string   // found in a header; "" until then
}

// knownColumns returns the columns that a model knows; nil where there is none.
func knownColumns(a *source.Application) *model {
	if a == nil {
		return nil
	}
	m := &model{Application: *a, numbers: map[string]bool{}}
	byFactor := map[int32]int{}
	a.Each(func(column, read string, factor int32) {
		if factor < 0 {
			m.numbers[column], m.numbers[read] = true, true
			return
		}
		k, ok := byFactor[factor]
		if !ok {
			k = len(m.columns)
			byFactor[factor] = k
			m.columns = append(m.columns, categorical{})
		}
		m.columns[k].levels = append(m.columns[k].levels, read)
	})
	return m
}

// asksFor reports whether new rows need what an option claims.
func (m *model) asksFor(c claim) bool {
	switch c.option {
	case "columns.group", "columns.time":
		return false
	case "columns.categorical", "columns.text":
		return true
	case exposure:
		return m.exposed()
	}
	return m.Responses
}

// exposed reports whether the model predicts counts of exposures.
func (m *model) exposed() bool {
	return slices.ContainsFunc(m.Targets, func(t labels.Target) bool { return t.Exposed })
}

// narrowOptions keeps the options for which a header has something. What divides rows, and responses that nobody asks for,
// are columns like others that the model does not know.
func (m *model) narrowOptions(o Options, header []string) Options {
	has := func(pattern string) bool {
		return slices.ContainsFunc(header, func(name string) bool { return asterisk.Matches(pattern, name) })
	}
	c := o.Columns
	o.Columns = Columns{Codes: c.Codes, Missing: c.Missing, Repeated: c.Repeated}
	for _, name := range []struct{ from, to *string }{{&c.ID, &o.Columns.ID}, {&c.Weight, &o.Columns.Weight}} {
		if slices.Contains(header, *name.from) {
			*name.to = *name.from
		}
	}
	if !m.Responses {
		o.Columns.Weight = ""
	}
	for _, list := range []struct {
		from []string
		to   *[]string
	}{{c.Categorical, &o.Columns.Categorical}, {c.Text, &o.Columns.Text}} {
		for _, pattern := range list.from {
			if has(pattern) {
				*list.to = append(*list.to, pattern)
			}
		}
	}
	if slices.Contains(header, "") {
		o.Columns.Drop = []string{""} // of the others nobody asks for a name
	}
	o.Target.Positive = ""
	if !m.exposed() {
		o.Target.Exposure = ""
	}
	o.Target.Response = m.narrowEndpoints(o.Target.Response)
	return o
}

// narrowEndpoints keeps the end points that the model predicts.
func (m *model) narrowEndpoints(r source.Response) source.Response {
	if !r.IsSurvival() || !m.Responses {
		return r
	}
	all := r
	r.Time, r.Event = nil, nil
	for k, name := range all.Names() {
		if len(all.Time) == 1 || slices.ContainsFunc(m.Targets, func(t labels.Target) bool { return t.Name == name }) {
			r.Time, r.Event = append(r.Time, all.Time[k]), append(r.Event, all.Event[k])
		}
	}
	return r
}

// dropUnknown drops the columns that the model does not know.
func (m *model) dropUnknown(header, roles []string) {
	byLength := slices.Clone(header) // plan=b before plan, whose levels may begin with b=
	slices.SortStableFunc(byLength, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, name := range byLength {
		if roles[slices.Index(header, name)] == "columns.categorical" {
			m.findLevels(name)
		}
	}
	for k, name := range header {
		number := roles[k] == "" && !m.numbers[name]
		text := roles[k] == "columns.text" && !slices.ContainsFunc(m.UsedTexts(), func(text string) bool {
			return strings.Contains("+"+text+"+", "+"+name+"+") // of one column, or of several
		})
		if number || text || roles[k] == "columns.categorical" && m.levelsOf(name) == nil {
			roles[k] = "columns.drop"
		}
	}
}

// findLevels gives the name to the first nameless column all of whose levels begin with it.
func (m *model) findLevels(name string) {
	for k := range m.columns {
		c := &m.columns[k]
		if c.name == "" && !slices.ContainsFunc(c.levels, func(level string) bool { return !strings.HasPrefix(level, name+"=") }) {
			c.name = name
			return
		}
	}
}

// levelsOf returns the levels of a column that was found.
func (m *model) levelsOf(name string) (levels []string) {
	for _, c := range m.columns {
		if c.name == name {
			for _, level := range c.levels {
				levels = append(levels, strings.TrimPrefix(level, name+"="))
			}
		}
	}
	return levels
}
