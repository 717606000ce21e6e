package serve

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
)

// cellsPerPage is the number of rows on a page of the table of cells.
const cellsPerPage = 100

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

// cachedTable is the last table of cells: its next page is likely to be asked for.
type cachedTable struct {
	all     []*cells.Cell
	perTask bool
	stats   map[statKey]results.Stat
}

type statKey struct {
	cell   *cells.Cell
	metric string
}

// statOf returns a metric of a cell, computed once.
func (s *cachedTable) statOf(c *cells.Cell, metric string) results.Stat {
	k := statKey{c, metric}
	v, ok := s.stats[k]
	if !ok {
		v = c.Stat(metric)
		s.stats[k] = v
	}
	return v
}

// troubleColumn is the last column.
const troubleColumn = "trouble"

// column is a column of the table of cells.
type column struct {
	Name, Sort string // Sort is its name in addresses
	Text       bool
	Label      bool // the first: it links to the cell
	Address    string
	Order      string // aria-sort
	value      func(*cells.Cell) float64
	words      func(*cells.Cell) string
}

// meanSeconds returns the mean time of the cell's fits; NaN if there are none.
func meanSeconds(c *cells.Cell) float64 {
	sum, n := 0.0, 0
	for _, r := range c.Rows {
		if r.Status == results.OK {
			sum, n = sum+r.SecondsFit, n+1
		}
	}
	return sum / float64(n) // NaN without any
}

// tableColumns returns the columns in which these cells differ.
func (v *view) tableColumns(s *cachedTable, metrics []string, live bool) []column {
	varied := dimValues(s.all)
	words := func(name string) column {
		return column{Name: strings.TrimPrefix(name, "data_"), Sort: name, Text: true, words: func(c *cells.Cell) string { w, _ := c.Dim(name); return w }}
	}
	first := words("algorithm")
	first.Label = true
	out := []column{first}
	if len(varied["dataset"]) > 1 {
		out = append(out, words("dataset"))
	}
	if s.perTask && len(varied[results.TaskDim]) > 0 {
		out = append(out, words(results.TaskDim))
	}
	for _, p := range gridParams(s.all) {
		c := words(p)
		c.Text = !allNumeric(varied[p])
		c.value = func(c *cells.Cell) float64 { return paramValue(c, p) }
		out = append(out, c)
	}
	for _, m := range metrics {
		if cells.OfCell(m) || m == "selected" {
			continue // these need the selections to be read
		}
		out = append(out, column{Name: m, Sort: m, value: func(c *cells.Cell) float64 { return s.statOf(c, m).Mean }})
	}
	out = append(out,
		column{Name: "selected", Sort: "selected", value: func(c *cells.Cell) float64 { return s.statOf(c, "selected").Mean }},
		column{Name: "seconds", Sort: "seconds_fit", value: meanSeconds, words: func(c *cells.Cell) string { return digits.Format("%.3g", meanSeconds(c)) }},
		column{Name: "fits", Sort: "folds", value: func(c *cells.Cell) float64 { return float64(len(c.Finished())) },
			words: func(c *cells.Cell) string { return fmt.Sprintf("%d/%d", len(c.Finished()), c.Folds) }},
		column{Name: "status", Sort: troubleColumn, Text: true, words: func(c *cells.Cell) string { return statusText(c, live) }})
	return out
}

// statusText says how the fits of a cell ended. In a run in progress, missing ones are still to come.
func statusText(c *cells.Cell, live bool) string {
	trouble := c.Trouble()
	if live && strings.HasSuffix(trouble, "missing") {
		if i := strings.LastIndex(trouble, ", "); i >= 0 {
			return trouble[:i]
		}
		return "to come"
	}
	return cmp.Or(trouble, "ok")
}

// dimValues returns the values of the cells in each dimension, in order of appearance.
func dimValues(cs []*cells.Cell) map[string][]string {
	out := map[string][]string{}
	seen := map[[2]string]bool{}
	names := cells.Dims(cs)
	for _, c := range cs {
		for _, d := range names {
			if v, ok := c.Dim(d); ok && !seen[[2]string{d, v}] {
				seen[[2]string{d, v}] = true
				out[d] = append(out[d], v)
			}
		}
	}
	return out
}

// gridParams returns the dimensions that are parameters of grids.
func gridParams(cs []*cells.Cell) []string {
	return slices.DeleteFunc(cells.Dims(cs), func(d string) bool {
		return d == "dataset" || d == "algorithm" || d == "engine" || d == results.TaskDim
	})
}

func allNumeric(values []string) bool {
	return !slices.ContainsFunc(values, func(v string) bool { _, err := strconv.ParseFloat(v, 64); return err != nil })
}

// paramValue returns the value of a parameter, NaN if it is no number.
func paramValue(c *cells.Cell, param string) float64 {
	v, _ := c.Param(param)
	switch v := v.(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	}
	return math.NaN()
}

// sortCells sorts cells by a column, those without a value last.
func sortCells(cs []*cells.Cell, c column, down bool) {
	sign := 1
	if down {
		sign = -1
	}
	slices.SortStableFunc(cs, func(a, b *cells.Cell) int {
		if c.value != nil && !c.Text {
			x, y := c.value(a), c.value(b)
			if math.IsNaN(x) || math.IsNaN(y) {
				return cmp.Compare(nanRank(x), nanRank(y))
			}
			return sign * cmp.Compare(x, y)
		}
		return sign * strings.Compare(c.words(a), c.words(b))
	})
}

func nanRank(x float64) int {
	if math.IsNaN(x) {
		return 1
	}
	return 0
}

// formField is a field of the form that chooses cells.
type formField struct {
	Name, Label, Value string
	Options            []string // none: free text
	Hints              string   // id of the list of suggestions
	List               []string
}

// cellsContent is the page with the table of cells.
type cellsContent struct {
	Base        string
	Fields      []formField
	Families    bool
	Each        bool
	Sort        string
	Chosen      bool // the query filters cells
	Found, All  int
	From, To    int
	Columns     []column
	Rows        []cellRow
	Legend      []string // of marks
	First, Last string
	Previous    string
	Next        string
	Averaged    string // addresses with the tasks of families averaged, and one by one
	OneByOne    string
	Left        int
	Live        bool
}

type cellRow struct {
	Address string
	Bad     bool // some fit did not end well
	Slots   []slot
}

type slot struct {
	Text, Spread string
	Words        bool
}

const maxOptions = 60 // of a list to choose from

func cellsPage(r *run, req *http.Request) (*response, error) {
	v, err := r.loadView()
	if err != nil {
		return nil, err
	}
	c := r.cellTable(v, parseQuery(req.URL.Query()))
	f := r.pageFrame("cells", "Cells")
	f.Live = c.Left > 0 || c.Live
	return renderPage("cells", f, c)
}

// cellTable returns the table of the cells that the query asks for.
func (r *run) cellTable(v *view, q cellQuery) *cellsContent {
	if v.shown == nil || v.shown.perTask != q.perTask {
		v.shown = &cachedTable{perTask: q.perTask, all: v.Averaged(), stats: map[statKey]results.Stat{}}
		if q.perTask {
			v.shown.all = v.Cells()
		}
	}
	s := v.shown
	c := &cellsContent{Base: r.basePath(), All: len(s.all), Each: q.perTask, Families: slices.ContainsFunc(v.Averaged(), func(c *cells.Cell) bool { return c.Averaged })}
	if v.stored != nil {
		c.Left, c.Live = v.stored.Left, r.liveStatus().Live()
	}
	c.Fields = q.formFields(s)
	c.Chosen = len(q.where) > 0 || q.state != ""
	found := make([]*cells.Cell, 0, len(s.all))
	for _, cell := range s.all {
		if q.accepts(cell) {
			found = append(found, cell)
		}
	}
	c.Found = len(found)
	c.Columns = v.tableColumns(s, r.brief.Input.Metrics, c.Live)
	c.sortRows(q, found)
	c.paginate(q)
	c.Averaged = q.address(c.Base, func(q *cellQuery) { q.perTask = false; delete(q.where, results.TaskDim) })
	c.OneByOne = q.address(c.Base, func(q *cellQuery) { q.perTask = true })
	shown := found[max(0, c.From-1):c.To]
	c.Rows, c.Legend = tableRows(r, s, c.Columns, shown), cells.Legend(shown)
	return c
}

// sortRows sorts the cells, and links the heads of columns to the next order: ascending, descending, unsorted.
func (c *cellsContent) sortRows(q cellQuery, found []*cells.Cell) {
	for i := range c.Columns {
		col := &c.Columns[i]
		next := func(q *cellQuery) { q.sortBy, q.descending = col.Sort, false }
		if q.sortBy == col.Sort {
			sortCells(found, *col, q.descending)
			c.Sort, col.Order = col.Sort, "ascending"
			next = func(q *cellQuery) { q.descending = true }
			if q.descending {
				c.Sort, col.Order = "-"+col.Sort, "descending"
				next = func(q *cellQuery) { q.sortBy, q.descending = "", false }
			}
		}
		col.Address = q.address(c.Base, next)
	}
}

// paginate sets the range of rows and the links to other pages.
func (c *cellsContent) paginate(q cellQuery) {
	last := max(1, (c.Found+cellsPerPage-1)/cellsPerPage)
	at := min(q.page, last)
	c.From, c.To = min(c.Found, (at-1)*cellsPerPage+1), min(at*cellsPerPage, c.Found)
	page := func(n int) string { return q.address(c.Base, func(q *cellQuery) { q.page = n }) }
	if at > 1 {
		c.First, c.Previous = page(1), page(at-1)
	}
	if at < last {
		c.Next, c.Last = page(at+1), page(last)
	}
}

// tableRows formats cells with as many decimals in each column as suit its values.
func tableRows(r *run, s *cachedTable, columns []column, cs []*cells.Cell) []cellRow {
	decimals := map[string]digits.Decimals{}
	for _, col := range columns {
		if col.words != nil {
			continue
		}
		var all []results.Stat
		for _, c := range cs {
			all = append(all, s.statOf(c, col.Sort))
		}
		decimals[col.Sort] = digits.For(all)
	}
	var out []cellRow
	for _, c := range cs {
		row, marks := cellRow{Address: r.cellLink(c.Key)}, c.Caveats().Marks()
		for _, col := range columns {
			if col.words != nil {
				text := cmp.Or(col.words(c), digits.Missing)
				row.Slots = append(row.Slots, slot{Text: text, Words: col.Text})
				row.Bad = col.Sort == troubleColumn && text != "ok" && text != "to come"
				continue
			}
			st, d := s.statOf(c, col.Sort), decimals[col.Sort]
			one := slot{Text: d.Number(st.Mean)}
			if results.Finite(st.SE) {
				one.Spread = "± " + d.Spread(st.SE)
			}
			if results.Finite(st.Mean) {
				one.Spread = strings.TrimSpace(one.Spread + marks)
			}
			row.Slots = append(row.Slots, one)
		}
		out = append(out, row)
	}
	return out
}

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
