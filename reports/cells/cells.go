// Package cells gives reports a view of result rows: the rows of one cell together, its measures over folds, and the
// dimensions by which tables and figures arrange cells.
package cells

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tenfold/io/results"
)

// Cell is one cell of the experiment: a data set, an algorithm and a point of their grids.
type Cell struct {
	Dataset, Algorithm, Engine string
	Key                        string // hex
	Params                     string // canonical JSON
	Grid                       []results.Param
	Rows                       []*results.Row // in order of repeat and fold
	Folds                      int            // repeats × folds of the data set: fewer Rows mean that some never started
}

// ShortKey is as much of a cell's key as people need to find it by.
func ShortKey(key string) string { return key[:min(12, len(key))] }

// Group collects rows into cells. Cells keep the order in which they first appear, which is the order of the file.
func Group(rows []results.Row) []*Cell {
	type id struct{ dataset, algorithm, key string }
	type fold struct{ repeat, fold int32 }
	byID := map[id]*Cell{}
	folds := map[string]map[fold]bool{}
	var out []*Cell
	for i := range rows {
		r := &rows[i]
		k := id{r.Dataset, r.Algorithm, r.Cell}
		c := byID[k]
		if c == nil {
			c = &Cell{Dataset: r.Dataset, Algorithm: r.Algorithm, Engine: r.Engine, Key: r.Cell, Params: r.Params, Grid: r.Grid}
			byID[k] = c
			out = append(out, c)
		}
		c.Rows = append(c.Rows, r)
		if folds[r.Dataset] == nil {
			folds[r.Dataset] = map[fold]bool{}
		}
		folds[r.Dataset][fold{r.Repeat, r.Fold}] = true
	}
	for _, c := range out {
		c.Folds = len(folds[c.Dataset])
		slices.SortStableFunc(c.Rows, func(a, b *results.Row) int {
			return cmp.Or(cmp.Compare(a.Repeat, b.Repeat), cmp.Compare(a.Fold, b.Fold))
		})
	}
	return out
}

// Dim is the cell's value in a dimension, as text: dataset, algorithm, engine, or a grid parameter.
func (c *Cell) Dim(name string) (value string, ok bool) {
	switch name {
	case "dataset":
		return c.Dataset, true
	case "algorithm":
		return c.Algorithm, true
	case "engine":
		return c.Engine, true
	}
	if v, ok := c.Param(name); ok {
		return text(v), true
	}
	return "", false
}

// Param is the value of a grid parameter.
func (c *Cell) Param(name string) (any, bool) {
	for _, p := range c.Grid {
		if p.Name == name {
			return p.Value, true
		}
	}
	return nil, false
}

// AlgorithmLabel is the algorithm with its grid point, "stagewise epsilon=0.01", without the parameters that are shown
// elsewhere.
func (c *Cell) AlgorithmLabel(elsewhere ...string) string {
	_, label := c.labels(elsewhere)
	return label
}

// DatasetLabel is the data set with its own grid point.
func (c *Cell) DatasetLabel(elsewhere ...string) string {
	label, _ := c.labels(elsewhere)
	return label
}

// ExactLabels are both labels with the exact values of the grid: by these, cells of different runs are the same.
func (c *Cell) ExactLabels() (dataset, algorithm string) {
	return results.Labels(c.Dataset, c.Algorithm, c.Grid, results.Exact)
}

func (c *Cell) labels(elsewhere []string) (ofDataset, ofAlgorithm string) {
	here := slices.DeleteFunc(slices.Clone(c.Grid), func(p results.Param) bool { return slices.Contains(elsewhere, p.Name) })
	return results.Labels(c.Dataset, c.Algorithm, here, text)
}

// text writes a parameter for people: numbers with at most six digits.
func text(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'g', 6, 64)
	case string:
		return v
	}
	return fmt.Sprint(v)
}

// Dims are the names of all dimensions in which cells can differ, in order of appearance.
func Dims(cs []*Cell) []string {
	dims := []string{"dataset", "algorithm", "engine"}
	for _, c := range cs {
		for _, p := range c.Grid {
			if !slices.Contains(dims, p.Name) {
				dims = append(dims, p.Name)
			}
		}
	}
	return dims
}

// Differing are the dimensions in which these cells are not all alike, each with its values.
func Differing(cs []*Cell) []string {
	var out []string
	for _, d := range Dims(cs) {
		var values []string
		for _, c := range cs {
			v, ok := c.Dim(d)
			if !ok {
				v = "–"
			}
			if !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		if len(values) > 1 && d != "engine" {
			out = append(out, fmt.Sprintf("%s (%s)", d, strings.Join(values, ", ")))
		}
	}
	return out
}
