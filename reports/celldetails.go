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
func (r *report) cellSection(sections []page.Section) (page.Section, table.Anchors) {
	shown, more := r.detailed(sections)
	s := page.Section{Title: "Cells", Brief: cellsBrief}
	anchors := anchorsOf(shown)
	for _, t := range shown {
		s.Blocks = append(s.Blocks, r.details(t, anchors[t[0].Key]))
	}
	if more > 0 {
		s.Blocks = append(s.Blocks, page.Text(fmt.Sprintf("… and %s more in results.parquet: the tables show their keys under the pointer.", digits.Count(more, "cell"))))
	}
	return s, anchors
}

var notInAnchors = regexp.MustCompile(`[^0-9A-Za-z]+`)

// anchorsOf names the cells on the page: by the first digits of their keys, and a number where these are taken.
func anchorsOf(shown []twins) table.Anchors {
	anchors := table.Anchors{}
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
	add := func(b page.Block) { d.Blocks = append(d.Blocks, b) }
	add(identity(c))
	if c.Optimistic() {
		add(page.Text(cells.OptimisticLegend))
	}
	if params := parameters(c); len(params) > 0 {
		add(page.Facts{Title: "Parameters", Items: params})
	}
	add(page.Table{Grid: r.foldTable(c)})
	for _, row := range c.Rows {
		if row.Error != "" {
			add(page.Text(fmt.Sprintf("Repeat %d, fold %d %s:", row.Repeat, row.Fold, row.Status)))
			add(page.Code(shorten(row.Error, mostError)))
		}
	}
	add(r.again(c))
	return d
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

// foldTable is a line for each fold.
func (r *report) foldTable(c *cells.Cell) *table.Grid {
	g := &table.Grid{Corner: "repeat, fold", Columns: []string{"status"}}
	g.Columns = append(g.Columns, r.Metrics...)
	g.Columns = append(g.Columns, "selected", "seconds", "ended by", "training rows", "test rows", "fold digest", "seed")
	for _, row := range c.Rows {
		slots := []table.Slot{{Text: string(row.Status)}}
		for _, m := range r.Metrics {
			text := digits.Missing
			if v, ok := row.Metric(m); ok && row.Status == results.OK {
				text = strconv.FormatFloat(v, 'g', 6, 64)
			}
			slots = append(slots, table.Slot{Text: text})
		}
		for _, text := range []string{strconv.Itoa(int(row.Features)), fmt.Sprintf("%.3g", row.SecondsFit), row.Stop,
			strconv.FormatInt(row.RowsTrain, 10), strconv.FormatInt(row.RowsTest, 10), cells.ShortKey(row.FoldDigest), strconv.FormatInt(row.Seed, 10)} {
			slots = append(slots, table.Slot{Text: text})
		}
		g.Rows = append(g.Rows, table.Row{Label: fmt.Sprintf("%d, %d", row.Repeat, row.Fold), Slots: slots})
	}
	return g
}

// again are the commands that fit the cell anew and that explain it.
func (r *report) again(c *cells.Cell) page.Code {
	key := quoted(cells.ShortKey(c.Key))
	why := "tenfold why " + key
	if r.Spec == "" {
		return page.Code(why)
	}
	return page.Code("tenfold run " + quoted(r.Spec) + " --only " + key + "\n" + why)
}

var plainWord = regexp.MustCompile(`^[\w./:@%+=-]+$`)

// quoted makes one word of a shell's command line.
func quoted(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
