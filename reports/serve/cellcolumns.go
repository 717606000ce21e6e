package serve

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/digits"
)

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

// meanSeconds returns the mean time of the cell's fits; NaN if there are none, or their predictions are imported.
func meanSeconds(c *cells.Cell) float64 {
	sum, n := 0.0, 0
	for _, r := range c.Rows {
		if r.Status == results.OK && !r.Imported() {
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
