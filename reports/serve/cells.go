package serve

import (
	"cmp"
	"fmt"
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

// perPage is how many cells a page of their table has.
const perPage = 100

// query is what the address of the table of cells asks for.
type query struct {
	where map[string]string // dimension: pattern
	state string
	each  bool   // tasks of families one by one
	sort  string // column, "" for the order of the plan
	down  bool
	page  int // from 1
}

// Names in addresses besides dimensions, which could be called anything: those of grid parameters begin with a dot.
const (
	askStatus = "status"
	askTasks  = "tasks"
	askSort   = "sort"
	askPage   = "page"
)

// asked is a query from an address.
func asked(v url.Values) query {
	q := query{where: map[string]string{}, state: v.Get(askStatus), each: v.Get(askTasks) == "each", page: 1}
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
		q.each = true
	}
	q.sort, q.down = strings.CutPrefix(v.Get(askSort), "-")
	if n, err := strconv.Atoi(v.Get(askPage)); err == nil && n > 1 {
		q.page = n
	}
	return q
}

// address of the same with a change.
func (q query) address(base string, change func(*query)) string {
	q.where = cloned(q.where)
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
	if q.each {
		set(askTasks, "each")
	}
	if q.sort != "" {
		set(askSort, map[bool]string{true: "-"}[q.down]+q.sort)
	}
	if q.page > 1 {
		set(askPage, strconv.Itoa(q.page))
	}
	if len(v) == 0 {
		return base + "cells"
	}
	return base + "cells?" + v.Encode()
}

func cloned(m map[string]string) map[string]string {
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// states by which cells can be chosen.
var states = []string{"ok", "failed", "timeout", "skipped", "missing"}

// accepts tells whether a cell is among those asked for.
func (q query) accepts(c *cells.Cell) bool {
	for name, pattern := range q.where {
		if v, ok := c.Dim(name); !ok || v != pattern && !c.Matches(name, pattern) {
			return false
		}
	}
	trouble := c.Trouble()
	return q.state == "" || q.state == "ok" && trouble == "" || q.state != "ok" && strings.Contains(trouble, q.state)
}

// shown is a table of cells that was made last: who turns its pages asks for the same.
type shown struct {
	all   []*cells.Cell
	each  bool
	stats map[statKey]results.Stat
}

type statKey struct {
	cell   *cells.Cell
	metric string
}

// stat of a cell, kept.
func (s *shown) stat(c *cells.Cell, metric string) results.Stat {
	k := statKey{c, metric}
	v, ok := s.stats[k]
	if !ok {
		v = c.Stat(metric)
		s.stats[k] = v
	}
	return v
}

// troubleColumn is the last.
const troubleColumn = "trouble"

// column of the table of cells.
type column struct {
	Name, Sort string // Sort is its name in addresses
	Text       bool
	Label      bool // the first: it leads to the cell
	Address    string
	Order      string // aria-sort
	value      func(*cells.Cell) float64
	words      func(*cells.Cell) string
}

// seconds that the fits of a cell took on average.
func seconds(c *cells.Cell) float64 {
	sum, n := 0.0, 0
	for _, r := range c.Rows {
		if r.Status == results.OK {
			sum, n = sum+r.SecondsFit, n+1
		}
	}
	return sum / float64(n) // NaN where there is none
}

// columns that tell these cells apart.
func (v *view) columns(s *shown, metrics []string, live bool) []column {
	varied := dims(s.all)
	words := func(name string) column {
		return column{Name: strings.TrimPrefix(name, "data_"), Sort: name, Text: true, words: func(c *cells.Cell) string { w, _ := c.Dim(name); return w }}
	}
	first := words("algorithm")
	first.Label = true
	out := []column{first}
	if len(varied["dataset"]) > 1 {
		out = append(out, words("dataset"))
	}
	if s.each && len(varied[results.TaskDim]) > 0 {
		out = append(out, words(results.TaskDim))
	}
	for _, p := range params(s.all) {
		c := words(p)
		c.Text = !numeric(varied[p])
		c.value = func(c *cells.Cell) float64 { return number(c, p) }
		out = append(out, c)
	}
	for _, m := range metrics {
		if cells.OfCell(m) || m == "selected" {
			continue // these take reading what was selected
		}
		out = append(out, column{Name: m, Sort: m, value: func(c *cells.Cell) float64 { return s.stat(c, m).Mean }})
	}
	out = append(out,
		column{Name: "selected", Sort: "selected", value: func(c *cells.Cell) float64 { return s.stat(c, "selected").Mean }},
		column{Name: "seconds", Sort: "seconds_fit", value: seconds, words: func(c *cells.Cell) string { return digits.Format("%.3g", seconds(c)) }},
		column{Name: "fits", Sort: "folds", value: func(c *cells.Cell) float64 { return float64(len(c.Finished())) },
			words: func(c *cells.Cell) string { return fmt.Sprintf("%d/%d", len(c.Finished()), c.Folds) }},
		column{Name: "status", Sort: troubleColumn, Text: true, words: func(c *cells.Cell) string { return ended(c, live) }})
	return out
}

// ended is how the fits of a cell ended. Of a run in progress, those that did not are to come.
func ended(c *cells.Cell, live bool) string {
	trouble := c.Trouble()
	if live && strings.HasSuffix(trouble, "missing") {
		if i := strings.LastIndex(trouble, ", "); i >= 0 {
			return trouble[:i]
		}
		return "to come"
	}
	return cmp.Or(trouble, "ok")
}

// dims are the values of the cells in each dimension, in order of appearance.
func dims(cs []*cells.Cell) map[string][]string {
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

// params of the grids.
func params(cs []*cells.Cell) []string {
	return slices.DeleteFunc(cells.Dims(cs), func(d string) bool {
		return d == "dataset" || d == "algorithm" || d == "engine" || d == results.TaskDim
	})
}

func numeric(values []string) bool {
	return !slices.ContainsFunc(values, func(v string) bool { _, err := strconv.ParseFloat(v, 64); return err != nil })
}

// number is the value of a parameter, NaN where it is none.
func number(c *cells.Cell, param string) float64 {
	v, _ := c.Param(param)
	switch v := v.(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	}
	return math.NaN()
}

// order sorts cells by a column, those without a value last.
func order(cs []*cells.Cell, c column, down bool) {
	sign := 1
	if down {
		sign = -1
	}
	slices.SortStableFunc(cs, func(a, b *cells.Cell) int {
		if c.value != nil && !c.Text {
			x, y := c.value(a), c.value(b)
			if math.IsNaN(x) || math.IsNaN(y) {
				return cmp.Compare(nan(x), nan(y))
			}
			return sign * cmp.Compare(x, y)
		}
		return sign * strings.Compare(c.words(a), c.words(b))
	})
}

func nan(x float64) int {
	if math.IsNaN(x) {
		return 1
	}
	return 0
}

// field of the form that chooses cells.
type field struct {
	Name, Label, Value string
	Options            []string // none: free text
	Hints              string   // id of the list of what could be typed
	List               []string
}

// cellsContent is the page with the table of cells.
type cellsContent struct {
	Base        string
	Fields      []field
	Families    bool
	Each        bool
	Sort        string
	Chosen      bool // something is
	Found, All  int
	From, To    int
	Columns     []column
	Rows        []cellRow
	First, Last string
	Previous    string
	Next        string
	Averaged    string // the same with the tasks of families averaged, and one by one
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

const mostOptions = 60 // of a list to choose from

func cellsPage(r *run, req *http.Request) (*answer, error) {
	v, err := r.load()
	if err != nil {
		return nil, err
	}
	c := r.table(v, asked(req.URL.Query()))
	f := r.frame("cells", "Cells")
	f.Live = c.Left > 0 || c.Live
	return render("cells", f, c)
}

// table of the cells that are asked for.
func (r *run) table(v *view, q query) *cellsContent {
	if v.shown == nil || v.shown.each != q.each {
		v.shown = &shown{each: q.each, all: v.Averaged(), stats: map[statKey]results.Stat{}}
		if q.each {
			v.shown.all = v.Cells()
		}
	}
	s := v.shown
	c := &cellsContent{Base: r.base(), All: len(s.all), Each: q.each, Families: slices.ContainsFunc(v.Averaged(), func(c *cells.Cell) bool { return c.Averaged })}
	if v.stored != nil {
		c.Left, c.Live = v.stored.Left, r.live().Live()
	}
	c.Fields = q.fields(s)
	c.Chosen = len(q.where) > 0 || q.state != ""
	found := make([]*cells.Cell, 0, len(s.all))
	for _, cell := range s.all {
		if q.accepts(cell) {
			found = append(found, cell)
		}
	}
	c.Found = len(found)
	c.Columns = v.columns(s, r.brief.Input.Metrics, c.Live)
	c.sort(q, found)
	c.turn(q)
	c.Averaged = q.address(c.Base, func(q *query) { q.each = false; delete(q.where, results.TaskDim) })
	c.OneByOne = q.address(c.Base, func(q *query) { q.each = true })
	c.Rows = rowsOf(r, s, c.Columns, found[max(0, c.From-1):c.To])
	return c
}

// sort the cells as is asked for, and let the heads of columns ask for another order: up, down, as they were.
func (c *cellsContent) sort(q query, found []*cells.Cell) {
	for i := range c.Columns {
		col := &c.Columns[i]
		next := func(q *query) { q.sort, q.down = col.Sort, false }
		if q.sort == col.Sort {
			order(found, *col, q.down)
			c.Sort, col.Order = col.Sort, "ascending"
			next = func(q *query) { q.down = true }
			if q.down {
				c.Sort, col.Order = "-"+col.Sort, "descending"
				next = func(q *query) { q.sort, q.down = "", false }
			}
		}
		col.Address = q.address(c.Base, next)
	}
}

// turn the pages.
func (c *cellsContent) turn(q query) {
	last := max(1, (c.Found+perPage-1)/perPage)
	at := min(q.page, last)
	c.From, c.To = min(c.Found, (at-1)*perPage+1), min(at*perPage, c.Found)
	page := func(n int) string { return q.address(c.Base, func(q *query) { q.page = n }) }
	if at > 1 {
		c.First, c.Previous = page(1), page(at-1)
	}
	if at < last {
		c.Next, c.Last = page(at+1), page(last)
	}
}

// rowsOf writes cells with as many decimals in each column as suits them.
func rowsOf(r *run, s *shown, columns []column, cs []*cells.Cell) []cellRow {
	decimals := map[string]digits.Decimals{}
	for _, col := range columns {
		if col.words != nil {
			continue
		}
		var all []results.Stat
		for _, c := range cs {
			all = append(all, s.stat(c, col.Sort))
		}
		decimals[col.Sort] = digits.For(all)
	}
	var out []cellRow
	for _, c := range cs {
		row := cellRow{Address: r.link(c.Key)}
		for _, col := range columns {
			if col.words != nil {
				text := cmp.Or(col.words(c), digits.Missing)
				row.Slots = append(row.Slots, slot{Text: text, Words: col.Text})
				row.Bad = col.Sort == troubleColumn && text != "ok" && text != "to come"
				continue
			}
			st, d := s.stat(c, col.Sort), decimals[col.Sort]
			one := slot{Text: d.Number(st.Mean)}
			if results.Finite(st.SE) {
				one.Spread = "± " + d.Spread(st.SE)
			}
			row.Slots = append(row.Slots, one)
		}
		out = append(out, row)
	}
	return out
}

// fields of the form: lists where there are few values, texts where there are many.
func (q query) fields(s *shown) []field {
	values := dims(s.all)
	names := []string{"dataset", "algorithm"}
	if s.each && len(values[results.TaskDim]) > 0 {
		names = append(names, results.TaskDim)
	}
	names = append(names, params(s.all)...)
	var out []field
	for _, name := range names {
		have := values[name]
		f := field{Name: name, Label: strings.TrimPrefix(name, "data_"), Value: q.where[name]}
		switch name {
		case "dataset", "algorithm", results.TaskDim:
		default:
			f.Name = "." + name
		}
		if len(have) < 2 && f.Value == "" {
			continue
		}
		if numeric(have) {
			slices.SortFunc(have, func(a, b string) int {
				x, _ := strconv.ParseFloat(a, 64)
				y, _ := strconv.ParseFloat(b, 64)
				return cmp.Compare(x, y)
			})
		}
		if len(have) <= mostOptions && (f.Value == "" || slices.Contains(have, f.Value)) {
			f.Options = have
		} else {
			f.Hints, f.List = "list-"+strconv.Itoa(len(out)), have[:min(len(have), 1000)]
		}
		out = append(out, f)
	}
	return append(out, field{Name: askStatus, Label: "status", Value: q.state, Options: states})
}
