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

// cellsBrief replaces the section in report.md.
const cellsBrief = "Parameters, seeds, folds and how to run one cell again: report.html has them for the cells of its tables, results.parquet for all."

// twins holds the cells of one key: the same work under several names.
type twins []*cells.Cell

// cellDetails describes cells one by one: parameters, folds, errors, and the commands that fit them again.
type cellDetails struct {
	metrics []string // columns of the table of folds, besides those of every fit
	spec    string   // path of the experiment file, "" when unknown
}

// cellsOfTables returns the cells whose keys the tables of these sections name, in that order and each key once; beyond
// mostCells it only counts them.
func cellsOfTables(all []*cells.Cell, sections []page.Section) (shown []twins, more int) {
	byKey := map[string]twins{}
	for _, c := range all {
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

// section describes all cells that the tables of the document name, and returns the links from keys to anchors.
func (d cellDetails) section(all []*cells.Cell, sections []page.Section) (page.Section, table.Links) {
	shown, more := cellsOfTables(all, sections)
	s := page.Section{Title: "Cells", Brief: cellsBrief}
	anchors := anchorsOf(shown)
	for _, t := range shown {
		s.Blocks = append(s.Blocks, d.details(t, anchors[t[0].Key]))
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

// anchorsOf gives each cell an id on the page: the first digits of its key, and a number if these are taken.
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

// details returns all that is known of a cell, behind a line that opens it.
func (d cellDetails) details(same twins, anchor string) page.Details {
	c := same[0]
	names := make([]string, len(same))
	for i, twin := range same {
		names[i] = twin.DatasetLabel() + ", " + twin.AlgorithmLabel()
	}
	out := page.Details{ID: anchor, Title: strings.Join(names, " = "), Aside: strings.TrimSpace(cells.ShortKey(c.Key) + " " + c.Trouble())}
	out.Blocks = append(identityBlocks(c), d.foldBlocks(c)...)
	out.Blocks = append(out.Blocks, d.commands(c))
	return out
}

// identityBlocks returns all that the results of a cell depend on, parameters included.
func identityBlocks(c *cells.Cell) []page.Block {
	out := []page.Block{identityFacts(c)}
	if params := parameterFacts(c); len(params) > 0 {
		out = append(out, page.Facts{Title: "Parameters", Items: params})
	}
	return out
}

// foldBlocks returns the table of a cell's folds, or of an average's tasks, its marks, and the errors of its fits.
func (d cellDetails) foldBlocks(c *cells.Cell) []page.Block {
	out := []page.Block{page.Table{Grid: d.foldTable(c)}}
	for _, text := range cells.Legend([]*cells.Cell{c}) {
		out = append(out, page.Text(text))
	}
	return append(out, fitErrors(c)...)
}

// fitErrors shows the errors of a cell's fits, each text once, with the fold that had it first.
func fitErrors(c *cells.Cell) (out []page.Block) {
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

// identityFacts returns what the cell's results depend on, besides its parameters and folds.
func identityFacts(c *cells.Cell) page.Facts {
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

// parameterFacts returns the parameters of a cell by name, those of its grid marked.
func parameterFacts(c *cells.Cell) []page.Fact {
	if c.Params == "" {
		return nil
	}
	var values map[string]json.RawMessage
	if err := json.Unmarshal([]byte(c.Params), &values); err != nil {
		return []page.Fact{{Name: "all", Value: c.Params}} // unexpected, but better than nothing
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

// foldName names a row in sentences: "Repeat 0, fold 3", or "Task bass".
func foldName(c *cells.Cell, row *results.Row) string {
	if c.Averaged {
		return "Task " + row.Task
	}
	return fmt.Sprintf("Repeat %d, fold %d", row.Repeat, row.Fold)
}

// columns returns those of the table of a cell's folds, or of an average's tasks.
func (d cellDetails) columns(c *cells.Cell) []column[*results.Row] {
	metric := func(name string) column[*results.Row] {
		var all []results.Stat
		for _, row := range c.Finished() {
			if v, ok := row.Metric(name); ok {
				all = append(all, results.Summarise([]float64{v}))
			}
		}
		decimals := digits.For(all)
		return column[*results.Row]{name: name, text: func(row *results.Row) string {
			if v, ok := row.Metric(name); ok && row.Status == results.OK {
				return decimals.Number(v)
			}
			return digits.Missing
		}}
	}
	count := func(name string, value func(*results.Row) int64) column[*results.Row] {
		return column[*results.Row]{name: name, text: func(row *results.Row) string { return strconv.FormatInt(value(row), 10) }}
	}
	out := []column[*results.Row]{{name: "status", text: func(row *results.Row) string { return string(row.Status) }}}
	for _, m := range d.metrics {
		if m != "selected" && !cells.OfCell(m) { // that has a column of its own, and no fold has a value of these
			out = append(out, metric(m))
		}
	}
	seconds := column[*results.Row]{name: "seconds", text: func(row *results.Row) string {
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
		column[*results.Row]{name: "ended by", text: func(row *results.Row) string { return row.Stop }}, train, test,
		column[*results.Row]{name: "fold digest", text: func(row *results.Row) string { return cells.ShortKey(row.FoldDigest) }},
		count("seed", func(row *results.Row) int64 { return row.Seed }))
}

// foldTable returns a table with a row for each fold, or for each task.
func (d cellDetails) foldTable(c *cells.Cell) *table.Grid {
	g := &table.Grid{Corner: "repeat, fold"}
	label := func(row *results.Row) string { return fmt.Sprintf("%d, %d", row.Repeat, row.Fold) }
	if c.Averaged {
		g.Corner, label = "task", func(row *results.Row) string { return row.Task }
	}
	fillTable(g, d.columns(c), c.Rows, label)
	for i, row := range c.Rows {
		status := &g.Rows[i].Slots[0]
		status.Caveats = cells.CaveatsOf(row)
		if c.Tasks != nil {
			status.Caveats, status.Keys = c.Tasks[i].Caveats(), []string{c.Tasks[i].Key}
		}
	}
	return g
}

// commands returns the commands that fit the cell again, and that say why it would run.
func (d cellDetails) commands(c *cells.Cell) page.Code {
	key := shellQuote(cellPattern(c))
	why := "tenfold why " + key
	if d.spec == "" {
		return page.Code(why)
	}
	return page.Code("tenfold run " + shellQuote(d.spec) + " --only " + key + "\n" + why)
}

// cellPattern returns the pattern of the cell for --only; for an average its data set and algorithm, which stand for all of its
// tasks.
func cellPattern(c *cells.Cell) string {
	if !c.Averaged {
		return cells.ShortKey(c.Key)
	}
	return c.Dataset + "/" + c.Algorithm
}

var plainWord = regexp.MustCompile(`^[\w./:@%+=-]+$`)

// shellQuote quotes s as one word on the command line of a POSIX shell.
func shellQuote(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
