package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
	"tenfold/reports/page"
	"tenfold/reports/table"
)

const (
	mostCells = 500  // cells with details: with more, a page would be slow to open
	mostError = 2000 // characters of an error
)

// cellsBrief stands in report.md, which has no room for every cell.
const cellsBrief = "Parameters, seeds, folds and how to run one cell again: report.html has them for the cells of its tables, results.parquet for all."

// twins are the cells of one key: the same work under several names.
type twins []*cells.Cell

// detailed are the cells that the tables of these sections name, in that order and each key once, and how many more they
// name.
func (r *report) detailed(sections []page.Section) (shown []twins, more int) {
	byKey := map[string]twins{}
	for _, c := range r.cells {
		byKey[c.Key] = append(byKey[c.Key], c)
	}
	for _, s := range sections {
		for _, b := range s.Blocks {
			t, ok := b.(page.Table)
			if !ok {
				continue
			}
			for _, row := range t.Rows {
				for _, slot := range row.Slots {
					for _, key := range slot.Keys {
						found := byKey[key]
						delete(byKey, key) // once
						switch {
						case found == nil:
						case len(shown) == mostCells:
							more++
						default:
							shown = append(shown, found)
						}
					}
				}
			}
		}
	}
	return shown, more
}

// cellSection describes the cells of a document's tables, one by one.
func (r *report) cellSection(sections []page.Section) (page.Section, table.Links) {
	shown, more := r.detailed(sections)
	s := page.Section{Title: "Cells", Brief: cellsBrief}
	anchors := anchorsOf(shown)
	for _, t := range shown {
		s.Blocks = append(s.Blocks, r.details(t, anchors[t[0].Key]))
	}
	if more > 0 {
		s.Blocks = append(s.Blocks, page.Text(fmt.Sprintf("… and %s more in results.parquet: the tables show their keys under the pointer.", digits.Count(more, "cell"))))
	}
	return s, func(key string) string {
		if a := anchors[key]; a != "" {
			return "#" + a
		}
		return ""
	}
}

var notInAnchors = regexp.MustCompile(`[^0-9A-Za-z]+`)

// anchorsOf names the cells on the page: by the first digits of their keys, and a number where these are taken.
func anchorsOf(shown []twins) map[string]string {
	anchors := map[string]string{}
	count := map[string]int{}
	for _, t := range shown {
		a := "cell-" + notInAnchors.ReplaceAllString(cells.ShortKey(t[0].Key), "-")
		if count[a]++; count[a] > 1 {
			a += "-" + strconv.Itoa(count[a]) // no other has a second dash and ends like this: keys are hexadecimal
		}
		anchors[t[0].Key] = a
	}
	return anchors
}

// details of a cell.
func (r *report) details(same twins, anchor string) page.Details {
	c := same[0]
	names := make([]string, len(same))
	for i, twin := range same {
		names[i] = twin.DatasetLabel() + ", " + twin.AlgorithmLabel()
	}
	d := page.Details{ID: anchor, Title: strings.Join(names, " = "), Aside: strings.TrimSpace(cells.ShortKey(c.Key) + " " + c.Trouble())}
	d.Blocks = append(identityAndParameters(c), r.rows(c)...)
	d.Blocks = append(d.Blocks, r.again(c))
	return d
}

// identityAndParameters of a cell.
func identityAndParameters(c *cells.Cell) []page.Block {
	out := []page.Block{identity(c)}
	if params := parameters(c); len(params) > 0 {
		out = append(out, page.Facts{Title: "Parameters", Items: params})
	}
	return out
}

// rows of a cell, with what went wrong.
func (r *report) rows(c *cells.Cell) []page.Block {
	out := []page.Block{page.Table{Grid: r.foldTable(c)}}
	for _, text := range cells.Legend([]*cells.Cell{c}) {
		out = append(out, page.Text(text))
	}
	if c.Imported() {
		out = append(out, page.Text(cells.ImportedLegend))
	}
	return append(out, errorsOf(c)...)
}

// errorsOf the rows of a cell, each error once.
func errorsOf(c *cells.Cell) (out []page.Block) {
	type failure struct {
		status results.Status
		text   string
	}
	var order []failure
	rows := map[failure][]*results.Row{}
	for _, row := range c.Rows {
		if f := (failure{row.Status, row.Error}); f.text != "" {
			if rows[f] == nil {
				order = append(order, f)
			}
			rows[f] = append(rows[f], row)
		}
	}
	for _, f := range order {
		who := foldName(c, rows[f][0])
		if n := len(rows[f]); n > 1 {
			who += fmt.Sprintf(" and %d more", n-1)
		}
		out = append(out, page.Text(who+" "+string(f.status)+":"), page.Code(shorten(f.text, mostError)))
	}
	return out
}

// identity is what the cell's results depend on besides its parameters and folds.
func identity(c *cells.Cell) page.Facts {
	first := c.Rows[0]
	var facts page.Facts
	add := func(name, value string, marked bool) {
		if value != "" {
			facts.Items = append(facts.Items, page.Fact{Name: name, Value: value, Marked: marked})
		}
	}
	point := make([]string, len(c.Grid))
	for i, p := range c.Grid {
		point[i] = p.Name + "=" + results.Exact(p.Value)
	}
	add("cell", c.Key, false)
	add("data set", c.Dataset, false)
	if c.Averaged {
		add("tasks", fmt.Sprintf("%d: each stands below with the means over its folds", c.Folds), false)
	}
	add("digest of the data", cells.ShortKey(first.DatasetDigest), false)
	add("algorithm", c.Algorithm, false)
	add("engine", fmt.Sprintf("%s, revision %d", c.Engine, first.Revision), false)
	add("grid point", strings.Join(point, " "), true)
	if first.Limit > 0 {
		add("time limit of a fit", first.Limit.String(), false)
	}
	return facts
}

// parameters are all of the cell's, those of its grid marked.
func parameters(c *cells.Cell) []page.Fact {
	if c.Params == "" {
		return nil
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal([]byte(c.Params), &values); err != nil {
		return []page.Fact{{Name: "all", Value: c.Params}} // not ours, but better than nothing
	}
	var out []page.Fact
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value := string(values[name])
		var text string
		switch {
		case value == "null":
			value = digits.Missing
		case json.Unmarshal(values[name], &text) == nil:
			value = cmp.Or(text, `""`)
		}
		_, gridded := c.Param(name)
		out = append(out, page.Fact{Name: name, Value: value, Marked: gridded})
	}
	return out
}

// foldName is what a row is called in sentences.
func foldName(c *cells.Cell, row *results.Row) string {
	if c.Averaged {
		return "Task " + row.Task
	}
	return fmt.Sprintf("Repeat %d, fold %d", row.Repeat, row.Fold)
}

// rowColumn is a column of the table of a cell's rows.
type rowColumn struct {
	name string
	text func(*results.Row) string
}

// rowColumns are those that folds have, or tasks.
func (r *report) rowColumns(c *cells.Cell) []rowColumn {
	metric := func(name string) rowColumn {
		var all []results.Stat
		for _, row := range c.Finished() {
			if v, ok := row.Metric(name); ok {
				all = append(all, results.Summarise([]float64{v}))
			}
		}
		d := digits.For(all)
		return rowColumn{name, func(row *results.Row) string {
			if v, ok := row.Metric(name); ok && row.Status == results.OK {
				return d.Number(v)
			}
			return digits.Missing
		}}
	}
	count := func(name string, of func(*results.Row) int64) rowColumn {
		return rowColumn{name, func(row *results.Row) string { return strconv.FormatInt(of(row), 10) }}
	}
	out := []rowColumn{{"status", func(row *results.Row) string { return string(row.Status) }}}
	for _, m := range r.Metrics {
		if m != "selected" && !cells.OfCell(m) { // that has a column of its own, and no fold has a value of these
			out = append(out, metric(m))
		}
	}
	seconds := rowColumn{"seconds", func(row *results.Row) string {
		if row.Imported() {
			return digits.Missing
		}
		return fmt.Sprintf("%.3g", row.SecondsFit)
	}}
	train := count("training rows", func(row *results.Row) int64 { return row.RowsTrain })
	test := count("test rows", func(row *results.Row) int64 { return row.RowsTest })
	if c.Averaged {
		return append(out, metric("selected"), seconds, train, test, count("columns", func(row *results.Row) int64 { return row.Columns }))
	}
	selected := count("selected", func(row *results.Row) int64 { return int64(row.Features) })
	if c.Imported() {
		selected = metric("selected")
	}
	return append(out,
		selected, seconds,
		rowColumn{"ended by", func(row *results.Row) string { return row.Stop }}, train, test,
		rowColumn{"fold digest", func(row *results.Row) string { return cells.ShortKey(row.FoldDigest) }},
		count("seed", func(row *results.Row) int64 { return row.Seed }))
}

// foldTable is a line for each fold, or for each task.
func (r *report) foldTable(c *cells.Cell) *table.Grid {
	g := &table.Grid{Corner: "repeat, fold"}
	label := func(row *results.Row) string { return fmt.Sprintf("%d, %d", row.Repeat, row.Fold) }
	if c.Averaged {
		g.Corner, label = "task", func(row *results.Row) string { return row.Task }
	}
	columns := r.rowColumns(c)
	for _, column := range columns {
		g.Columns = append(g.Columns, column.name)
	}
	for i, row := range c.Rows {
		line := table.Row{Label: label(row)}
		for _, column := range columns {
			line.Slots = append(line.Slots, table.Slot{Text: column.text(row)})
		}
		line.Slots[0].Caveats = cells.CaveatsOf(row)
		if c.Tasks != nil {
			line.Slots[0].Caveats = c.Tasks[i].Caveats()
			line.Slots[0].Keys = []string{c.Tasks[i].Key}
		}
		g.Rows = append(g.Rows, line)
	}
	return g
}

// again are the commands that fit the cell anew and that explain it.
func (r *report) again(c *cells.Cell) page.Code {
	key := quoted(only(c))
	why := "tenfold why " + key
	if r.Spec == "" {
		return page.Code(why)
	}
	return page.Code("tenfold run " + quoted(r.Spec) + " --only " + key + "\n" + why)
}

// only is what a command line calls the cell; of an average, whatever the tasks have of the algorithm.
func only(c *cells.Cell) string {
	if !c.Averaged {
		return cells.ShortKey(c.Key)
	}
	return c.Dataset + "/" + c.Algorithm
}

var plainWord = regexp.MustCompile(`^[\w./:@%+=-]+$`)

// quoted makes one word of a shell's command line.
func quoted(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
