package cells

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
)

// Arrange turns the cells of single tasks and whole paths into those that a table or figure shows, given its dimensions and
// filters: tasks selected by where, averaged unless task is one of dims; points if point is named.
func Arrange(src Source, cs []*Cell, dims []string, where map[string]string) ([]*Cell, error) {
	if pattern, ok := where[results.TaskDim]; ok {
		var err error
		if cs, err = Select(cs, map[string]string{results.TaskDim: pattern}); err != nil {
			return nil, err
		}
	}
	if !slices.Contains(dims, results.TaskDim) {
		cs = AcrossTasks(cs)
	}
	return AtPoints(src, cs, slices.AppendSeq(slices.Clone(dims), maps.Keys(where))...)
}

// AcrossTasks replaces the cells of a family's tasks at one algorithm and point of the grids by one cell whose rows are the tasks,
// each with the means over its folds. So what is done over folds elsewhere is done over tasks there: means, errors, paired tests.
// Other cells stay as they are.
func AcrossTasks(cs []*Cell) []*Cell {
	tasks := map[string]map[string]bool{} // by family
	for _, c := range cs {
		if c.Task != "" {
			if tasks[c.Dataset] == nil {
				tasks[c.Dataset] = map[string]bool{}
			}
			tasks[c.Dataset][c.Task] = true
		}
	}
	if len(tasks) == 0 {
		return cs
	}
	all := averages{index: map[[2]string]*Cell{}}
	for _, c := range cs {
		if c.Task == "" {
			all.out = append(all.out, c)
			continue
		}
		dataset, algorithm := results.Labels(c.Dataset, c.Algorithm, c.Grid, results.Exact)
		all.add(c, dataset, algorithm, Cell{Words: c.Words, Kind: c.Kind, Dataset: c.Dataset, Algorithm: c.Algorithm, Engine: c.Engine, Params: c.Params, Grid: c.Grid,
			Protocol: c.Protocol, Sizes: c.Sizes, Averaged: true, Folds: len(tasks[c.Dataset])})
	}
	for _, c := range all.index {
		c.identify()
	}
	return all.out
}

// averages collects cells into averages, by the labels that they have in common.
type averages struct {
	out   []*Cell // in order of appearance, including cells that belong to no average
	index map[[2]string]*Cell
}

// add adds a cell to the average of these labels, which is created like the given one.
func (a *averages) add(c *Cell, dataset, algorithm string, like Cell) {
	labels := [2]string{dataset, algorithm}
	all := a.index[labels]
	if all == nil {
		all = &like
		a.index[labels] = all
		a.out = append(a.out, all)
	}
	if len(c.Rows) > 0 {
		all.Rows, all.Tasks = append(all.Rows, c.asRow(len(all.Rows))), append(all.Tasks, c)
	}
}

// AcrossGrid replaces the cells of data sets that differ only in the given parameters of their grids by one cell that averages them
// as AcrossTasks does tasks: for instance, over several generated data sets. Cells without any of the parameters stay as they are.
func AcrossGrid(cs []*Cell, params []string) []*Cell {
	varied := func(p results.Param) bool { return slices.Contains(params, p.Name) }
	points := map[string]map[string]bool{} // by data set without the parameters
	all := averages{index: map[[2]string]*Cell{}}
	for _, c := range cs {
		if !slices.ContainsFunc(c.Grid, varied) {
			all.out = append(all.out, c)
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(c.Grid), varied)
		dataset, algorithm := results.Labels(c.DatasetName(), c.Algorithm, rest, results.Exact)
		if points[dataset] == nil {
			points[dataset] = map[string]bool{}
		}
		point, _ := c.ExactLabels()
		points[dataset][point] = true
		all.add(c, dataset, algorithm, Cell{Words: c.Words, Kind: c.Kind, Dataset: c.Dataset, Task: c.Task, Algorithm: c.Algorithm, Engine: c.Engine, Params: c.Params, Grid: rest,
			Averaged: true, OverGrid: true})
	}
	for labels, c := range all.index {
		c.Folds = len(points[labels[0]])
		c.identify()
	}
	return all.out
}

// identify gives an average its key and the digest of its data, from those of its tasks.
func (c *Cell) identify() {
	var keys, data []string
	for i, t := range c.Tasks {
		keys, data = append(keys, t.Key), append(data, c.Rows[i].DatasetDigest)
	}
	slices.Sort(data)
	c.Key = hashOf(keys)
	digest := hashOf(data)
	for _, r := range c.Rows {
		r.DatasetDigest = digest
	}
}

func hashOf(texts []string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\n")))
	return hex.EncodeToString(sum[:16])
}

// asRow returns the cell of a task as one row of an average. It belongs to no cell, so that sources find nothing for it.
func (c *Cell) asRow(number int) *results.Row {
	r := &results.Row{Label: c.Rows[0].Label}
	r.Cell, r.Unit, r.Seed, r.Repeat, r.Fold = "", "", 0, 0, int32(number)
	r.Status, r.Error = c.ended()
	var folds, selected []string
	for _, row := range c.Rows {
		folds, selected = append(folds, row.DatasetDigest, row.FoldDigest), append(selected, row.SelectedSum)
	}
	r.FoldDigest, r.SelectedSum, r.Optimistic = hashOf(folds), hashOf(selected), c.Optimistic()
	rows := c.Finished()
	mean := func(value func(*results.Row) float64) float64 {
		sum := 0.0
		for _, row := range rows {
			sum += value(row)
		}
		return sum / float64(max(1, len(rows)))
	}
	whole := func(count func(*results.Row) int64) int64 {
		return int64(math.Round(mean(func(row *results.Row) float64 { return float64(count(row)) })))
	}
	r.RowsTrain = whole(func(row *results.Row) int64 { return row.RowsTrain })
	r.RowsTest = whole(func(row *results.Row) int64 { return row.RowsTest })
	r.Columns = whole(func(row *results.Row) int64 { return row.Columns })
	r.Features = int32(whole(func(row *results.Row) int64 { return int64(row.Features) }))
	r.Nonzero = int32(whole(func(row *results.Row) int64 { return int64(row.Nonzero) }))
	r.SecondsFit = mean(func(row *results.Row) float64 { return row.SecondsFit })
	r.SecondsPredict = mean(func(row *results.Row) float64 { return row.SecondsPredict })
	r.CPUSeconds = mean(func(row *results.Row) float64 { return row.CPUSeconds })
	if r.Status == results.OK {
		scores := make([][]results.Score, len(rows))
		for i, row := range rows {
			scores[i] = row.Scores
		}
		r.Scores = results.MeanScores(scores)
	}
	return r
}

// ended returns the status of a task: the worst of its folds, with the first error of that kind.
func (c *Cell) ended() (results.Status, string) {
	if c.Trouble() == "" {
		return results.OK, ""
	}
	for _, s := range troubles {
		if i := slices.IndexFunc(c.Rows, func(r *results.Row) bool { return r.Status == s }); i >= 0 {
			return s, fmt.Sprintf("%s: %s", c.Task, c.Rows[i].Error)
		}
	}
	return missing, ""
}

// Complete adds cells without rows for tasks of families for which some algorithm has no row, as after an interrupted run. tasks
// holds the names of all tasks, by family.
func Complete(cs []*Cell, tasks map[string][]string) []*Cell {
	type place struct{ dataset, algorithm string }
	have := map[place]map[string]bool{}
	var first []*Cell // by family and algorithm
	for _, c := range cs {
		if c.Task == "" {
			continue
		}
		dataset, algorithm := results.Labels(c.Dataset, c.Algorithm, c.Grid, results.Exact)
		p := place{dataset, algorithm}
		if have[p] == nil {
			have[p] = map[string]bool{}
			first = append(first, c)
		}
		have[p][c.Task] = true
	}
	out := slices.Clone(cs)
	for _, c := range first {
		dataset, algorithm := results.Labels(c.Dataset, c.Algorithm, c.Grid, results.Exact)
		for _, task := range tasks[c.Dataset] {
			if have := have[place{dataset, algorithm}]; !have[task] {
				have[task] = true
				out = append(out, &Cell{Words: c.Words, Kind: c.Kind, Dataset: c.Dataset, Task: task, Algorithm: c.Algorithm, Engine: c.Engine, Params: c.Params, Grid: c.Grid, Folds: c.Folds})
			}
		}
	}
	return out
}
