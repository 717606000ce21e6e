package cells

import (
	"fmt"
	"slices"

	"tenfold/io/results"
)

// AtPoints replaces each cell whose fits returned models along a path by a cell for each of their sizes: of the same data set and
// algorithm, with the size as one more grid parameter, results.PointDim, and the scores of that model. These cells lack what is
// kept of final models alone (predictions, facts), and of selections have only what StabilityOf needs. Cells are replaced only if
// results.PointDim is one of the dimensions named by a table or figure; those without a path stay as they are.
func AtPoints(src Source, cs []*Cell, dims ...string) ([]*Cell, error) {
	if !slices.Contains(dims, results.PointDim) {
		return cs, nil
	}
	var out []*Cell
	for _, c := range cs {
		points, err := c.atPoints(src)
		if err != nil {
			return nil, err
		}
		out = append(out, points...)
	}
	return out, nil
}

// atPoints returns a cell for each size on the path of some fold, rising; the cell itself if there is none.
func (c *Cell) atPoints(src Source) ([]*Cell, error) {
	scores := make([]map[int32][]results.Score, len(c.Rows)) // by row and size
	var sizes []int32
	for i, r := range c.Rows {
		all, err := c.scores(src, i)
		if err != nil {
			return nil, fmt.Errorf("scores along the path of %s, repeat %d, fold %d: %w", r.Algorithm, r.Repeat, r.Fold, err)
		}
		scores[i] = map[int32][]results.Score{}
		for _, s := range all {
			if s.Point < 0 {
				continue
			}
			if !slices.Contains(sizes, s.Point) {
				sizes = append(sizes, s.Point)
			}
			size := s.Point
			s.Point = -1
			scores[i][size] = append(scores[i][size], s)
		}
	}
	if len(sizes) == 0 {
		return []*Cell{c}, nil
	}
	slices.Sort(sizes)
	out := make([]*Cell, len(sizes))
	for k, size := range sizes {
		point := *c
		point.Tasks, point.final, point.size = nil, c, size
		point.Grid = append(slices.Clone(c.Grid), results.Param{Name: results.PointDim, Value: int64(size)})
		point.Rows = make([]*results.Row, len(c.Rows))
		for i, r := range c.Rows {
			point.Rows[i] = atPoint(r, scores[i][size])
		}
		out[k] = &point
	}
	return out, nil
}

// scores returns the scores of a row at all points; those of a task are means over its folds.
func (c *Cell) scores(src Source, row int) ([]results.Score, error) {
	if !c.Averaged {
		return src.Scores(c.Rows[row])
	}
	var fits [][]results.Score
	for _, r := range c.Tasks[row].Finished() {
		scores, err := src.Scores(r)
		if err != nil {
			return nil, err
		}
		fits = append(fits, scores)
	}
	return results.MeanScores(fits), nil
}

// atPoint returns a row with other scores. It belongs to no cell, so that sources find nothing of the final model for it.
func atPoint(r *results.Row, scores []results.Score) *results.Row {
	row := results.Row{Label: r.Label, Outcome: results.Outcome{
		Schema: r.Schema, Status: r.Status, Error: r.Error, Attempts: r.Attempts, Scores: scores,
		RowsTrain: r.RowsTrain, RowsTest: r.RowsTest, Columns: r.Columns, Optimistic: r.Optimistic, Notes: r.Notes,
	}}
	row.Cell, row.Unit = "", ""
	if n, ok := row.Metric("nonzero"); ok {
		row.Nonzero = int32(n)
	}
	if n, ok := row.Metric("selected"); ok {
		row.Features = int32(n)
	}
	return &row
}
