// Package cells gives reports a view of result rows: the rows of one cell together, its measures over folds, and the
// dimensions by which tables and figures arrange cells.
package cells

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tenfold/io/results"
)

// Cell is one cell of the experiment: a data set, an algorithm and a point of their grids.
type Cell struct {
	Dataset, Algorithm, Engine string
	Task                       string // of the family that Dataset then names; "" elsewhere
	Key                        string // hex
	Params                     string // canonical JSON
	Grid                       []results.Param
	Rows                       []*results.Row // in order of repeat and fold
	Folds                      int            // repeats × folds of the data set: fewer Rows mean that some folds never started

	Protocol map[string]string // of a cell of a plan, as its labels have it (results.Label)
	Sizes    string            // likewise

	Averaged bool    // over a family's tasks or the points of a grid: each of Rows is one, with means over its folds, and Folds counts them
	OverGrid bool    // of an average: over points of a data set's grid
	Tasks    []*Cell // in an average, the cell of each of Rows; nil along a path

	final *Cell // for a size along a path, the cell of the final models; nil elsewhere
	size  int32

	Kind  string            // kind of data, from the report's configuration; "" if it gives none
	Words map[string]string // replacements in labels for the names of data sets and algorithms, alone or with a grid point; nil: none
}

// KindDim is the dimension of kinds of data.
const KindDim = "kind"

// ShortKey returns as much of a cell's key as people need to find it by.
func ShortKey(key string) string { return key[:min(12, len(key))] }

// id identifies a cell.
type id struct{ dataset, algorithm, key string }

// newCell returns a cell without rows.
func newCell(l *results.Label) *Cell {
	return &Cell{Dataset: cmp.Or(l.Family, l.Dataset), Task: l.Task, Algorithm: l.Algorithm, Engine: l.Engine, Key: l.Cell, Params: l.Params, Grid: l.Grid}
}

// Unfitted returns a cell of the experiment file for which no fit was planned.
func Unfitted(l results.Label) *Cell { return newCell(&l) }

// Group collects rows into cells, in order of appearance, which is the order of the file.
func Group(rows []results.Row) []*Cell {
	type fold struct{ repeat, fold int32 }
	byID := map[id]*Cell{}
	folds := map[string]map[fold]bool{}
	var out []*Cell
	var last id // of the row before: rows of a cell are usually adjacent
	var c *Cell
	var common map[fold]bool
	for i := range rows {
		r := &rows[i]
		if k := (id{r.Dataset, r.Algorithm, r.Cell}); c == nil || k != last {
			if c = byID[k]; c == nil {
				c = newCell(&r.Label)
				byID[k] = c
				out = append(out, c)
			}
			if common = folds[r.Dataset]; common == nil {
				common = map[fold]bool{}
				folds[r.Dataset] = common
			}
			last = k
		}
		c.Rows = append(c.Rows, r)
		common[fold{r.Repeat, r.Fold}] = true
	}
	for _, c := range out {
		c.Folds = len(folds[c.DatasetName()])
		if !slices.IsSortedFunc(c.Rows, byFold) {
			slices.SortStableFunc(c.Rows, byFold)
		}
	}
	return out
}

func byFold(a, b *results.Row) int {
	return cmp.Or(cmp.Compare(a.Repeat, b.Repeat), cmp.Compare(a.Fold, b.Fold))
}

// Finished returns the rows that ended well.
func (c *Cell) Finished() []*results.Row {
	var out []*results.Row
	for _, r := range c.Rows {
		if r.Status == results.OK {
			out = append(out, r)
		}
	}
	return out
}

// Fits returns the fits that ended well: the finished rows, or in an average those of its tasks, which can be averages themselves.
func (c *Cell) Fits() []*results.Row {
	switch {
	case !c.Averaged:
		return c.Finished()
	case c.final != nil: // the fits of a path are those of its final models
		return c.final.Fits()
	}
	var out []*results.Row
	for _, t := range c.Tasks {
		out = append(out, t.Fits()...)
	}
	return out
}

// DatasetName returns the name of the cell's data set in results: family/task for a task.
func (c *Cell) DatasetName() string {
	if c.Task == "" {
		return c.Dataset
	}
	return c.Dataset + "/" + c.Task
}

// Dim returns the cell's value in a dimension, as text: dataset (for a task, its family), task, algorithm, engine, or a grid
// parameter.
func (c *Cell) Dim(name string) (value string, ok bool) {
	switch name {
	case "dataset":
		return c.Dataset, true
	case results.TaskDim:
		return c.Task, c.Task != ""
	case "algorithm":
		return c.Algorithm, true
	case "engine":
		return c.Engine, true
	case KindDim:
		return c.Kind, c.Kind != ""
	}
	if v, ok := c.Param(name); ok {
		return results.Brief(v), true
	}
	return "", false
}

// Param returns the value of a grid parameter.
func (c *Cell) Param(name string) (any, bool) {
	for _, p := range c.Grid {
		if p.Name == name {
			return p.Value, true
		}
	}
	return nil, false
}

// AlgorithmLabel returns the algorithm with its grid point, "stagewise epsilon=0.01", without the parameters that are shown
// elsewhere.
func (c *Cell) AlgorithmLabel(elsewhere ...string) string {
	_, label := c.labels(elsewhere)
	return label
}

// DatasetLabel returns the data set with its grid point, and with its task, unless that is shown elsewhere.
func (c *Cell) DatasetLabel(elsewhere ...string) string {
	label, _ := c.labels(elsewhere)
	return label
}

// ExactLabels returns both labels with the exact values of the grid: they identify a cell across runs.
func (c *Cell) ExactLabels() (dataset, algorithm string) {
	return results.Labels(c.DatasetName(), c.Algorithm, c.Grid, results.Exact)
}

// AlgorithmName returns the displayed name of the algorithm, without its grid point.
func (c *Cell) AlgorithmName() string { return Called(c.Words, c.Algorithm, c.Algorithm) }

// NamedLabel returns AlgorithmLabel with the names of the experiment file.
func (c *Cell) NamedLabel(elsewhere ...string) string {
	_, label := c.named(elsewhere)
	return label
}

// NamedDataset returns DatasetLabel with the names of the experiment file.
func (c *Cell) NamedDataset(elsewhere ...string) string {
	label, _ := c.named(elsewhere)
	return label
}

// Called returns a label with the replacements in words applied: that for the whole label, or that for the name with which the
// label begins.
func Called(words map[string]string, name, label string) string {
	if w, ok := words[label]; ok {
		return w
	}
	if w, ok := words[name]; ok {
		return w + strings.TrimPrefix(label, name)
	}
	return label
}

func (c *Cell) labels(elsewhere []string) (ofDataset, ofAlgorithm string) {
	ofDataset, ofAlgorithm = c.named(elsewhere)
	return Called(c.Words, c.Dataset, ofDataset), Called(c.Words, c.Algorithm, ofAlgorithm)
}

// named returns both labels with the names of the experiment file, without the parameters that are shown elsewhere.
func (c *Cell) named(elsewhere []string) (ofDataset, ofAlgorithm string) {
	here := slices.DeleteFunc(slices.Clone(c.Grid), func(p results.Param) bool { return slices.Contains(elsewhere, p.Name) })
	dataset := c.DatasetName()
	if slices.Contains(elsewhere, results.TaskDim) {
		dataset = c.Dataset
	}
	return results.Labels(dataset, c.Algorithm, here, results.Brief)
}

// Dims returns the names of all dimensions in which cells can differ, in order of appearance.
func Dims(cs []*Cell) []string {
	dims := []string{"dataset", "algorithm", "engine"}
	if slices.ContainsFunc(cs, func(c *Cell) bool { return c.Task != "" || c.Averaged && !c.OverGrid }) {
		dims = append(dims, results.TaskDim)
	}
	if slices.ContainsFunc(cs, func(c *Cell) bool { return c.Kind != "" }) {
		dims = append(dims, KindDim)
	}
	for _, c := range cs {
		for _, p := range c.Grid {
			if !slices.Contains(dims, p.Name) {
				dims = append(dims, p.Name)
			}
		}
	}
	return dims
}

// Differing returns the dimensions in which these cells differ, each with its values.
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
