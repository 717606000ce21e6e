package serve

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
)

// cellsPerPage is the number of rows on a page of the table of cells.
const cellsPerPage = 100

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
	current := min(q.page, last)
	c.From, c.To = min(c.Found, (current-1)*cellsPerPage+1), min(current*cellsPerPage, c.Found)
	page := func(n int) string { return q.address(c.Base, func(q *cellQuery) { q.page = n }) }
	if current > 1 {
		c.First, c.Previous = page(1), page(current-1)
	}
	if current < last {
		c.Next, c.Last = page(current+1), page(last)
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
