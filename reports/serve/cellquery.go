package serve

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
)

// cellQuery is the parsed query of the table of cells.
type cellQuery struct {
	where      map[string]string // dimension: pattern
	state      string
	perTask    bool   // tasks of families one by one
	sortBy     string // column, "" for the order of the plan
	descending bool
	page       int // from 1
}

// Names in addresses besides dimensions, which could be called anything: those of grid parameters begin with a dot.
const (
	askStatus = "status"
	askTasks  = "tasks"
	askSort   = "sort"
	askPage   = "page"
)

// parseQuery reads a query from an address.
func parseQuery(v url.Values) cellQuery {
	q := cellQuery{where: map[string]string{}, state: v.Get(askStatus), perTask: v.Get(askTasks) == "each", page: 1}
	for name := range v {
		pattern := strings.TrimSpace(v.Get(name))
		if pattern == "" {
			continue
		}
		switch param, ok := strings.CutPrefix(name, "."); {
		case ok:
			q.where[param] = pattern
		case name == "dataset" || name == "algorithm" || name == results.TaskDim:
			q.where[name] = pattern
		}
	}
	if q.where[results.TaskDim] != "" {
		q.perTask = true
	}
	q.sortBy, q.descending = strings.CutPrefix(v.Get(askSort), "-")
	if n, err := strconv.Atoi(v.Get(askPage)); err == nil && n > 1 {
		q.page = n
	}
	return q
}

// address returns the address of the query after a change, on its first page.
func (q cellQuery) address(base string, change func(*cellQuery)) string {
	q.where = maps.Clone(q.where)
	q.page = 1
	change(&q)
	v := url.Values{}
	for name, pattern := range q.where {
		if name != "dataset" && name != "algorithm" && name != results.TaskDim {
			name = "." + name
		}
		v.Set(name, pattern)
	}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	set(askStatus, q.state)
	if q.perTask {
		set(askTasks, "each")
	}
	if q.sortBy != "" {
		set(askSort, map[bool]string{true: "-"}[q.descending]+q.sortBy)
	}
	if q.page > 1 {
		set(askPage, strconv.Itoa(q.page))
	}
	if len(v) == 0 {
		return base + "cells"
	}
	return base + "cells?" + v.Encode()
}

// statusFilters are the states by which cells can be chosen.
var statusFilters = []string{"ok", "failed", "timeout", "skipped", "missing"}

// accepts reports whether the query includes a cell.
func (q cellQuery) accepts(c *cells.Cell) bool {
	for name, pattern := range q.where {
		if v, ok := c.Dim(name); !ok || v != pattern && !c.Matches(name, pattern) {
			return false
		}
	}
	trouble := c.Trouble()
	return q.state == "" || q.state == "ok" && trouble == "" || q.state != "ok" && strings.Contains(trouble, q.state)
}

// formField is a field of the form that chooses cells.
type formField struct {
	Name, Label, Value string
	Options            []string // none: free text
	Hints              string   // id of the list of suggestions
	List               []string
}

const maxOptions = 60 // of a list to choose from

// formFields returns the fields of the form: lists if there are few values, text fields if there are many.
func (q cellQuery) formFields(s *cachedTable) []formField {
	values := dimValues(s.all)
	names := []string{"dataset", "algorithm"}
	if s.perTask && len(values[results.TaskDim]) > 0 {
		names = append(names, results.TaskDim)
	}
	names = append(names, gridParams(s.all)...)
	var out []formField
	for _, name := range names {
		have := values[name]
		f := formField{Name: name, Label: strings.TrimPrefix(name, "data_"), Value: q.where[name]}
		switch name {
		case "dataset", "algorithm", results.TaskDim:
		default:
			f.Name = "." + name
		}
		if len(have) < 2 && f.Value == "" {
			continue
		}
		if allNumeric(have) {
			slices.SortFunc(have, func(a, b string) int {
				x, _ := strconv.ParseFloat(a, 64)
				y, _ := strconv.ParseFloat(b, 64)
				return cmp.Compare(x, y)
			})
		}
		if len(have) <= maxOptions && (f.Value == "" || slices.Contains(have, f.Value)) {
			f.Options = have
		} else {
			f.Hints, f.List = "list-"+strconv.Itoa(len(out)), have[:min(len(have), 1000)]
		}
		out = append(out, f)
	}
	return append(out, formField{Name: askStatus, Label: "status", Value: q.state, Options: statusFilters})
}
