package redundancy

import (
	"context"

	"tenfold/engines"
	"tenfold/engines/data"
)

// DefaultLevels returns the levels of engines that are given none: values that are few are levels, others are cut.
func DefaultLevels() Levels { return cutWhereMany }

// TablesFootprint returns the footprint of tables of levels.
func TablesFootprint(s engines.Shape) engines.Footprint { return footprint(s) }

// ValidateLevels checks the parameters.
func (l Levels) ValidateLevels() error { return l.validate() }

// CountClasses passes to visit, for each column of a view, the weight of the rows of each of its levels and classes: a table of levels ×
// classes, good until the next call. y has the class of each row, weights nil: 1 each. It returns the number of columns that auto cut.
// O(entries · log rows).
func (l Levels) CountClasses(ctx context.Context, v *data.View, y []int32, classes int, weights data.Weights, workers int, visit func(j int, table [][]float64)) (cut int, err error) {
	columns, cut, err := l.read(ctx, v, workers)
	if err != nil {
		return 0, err
	}
	total, rows := make([]float64, classes), make([]int, classes)
	for i, c := range y {
		total[c] += weights.Of(i)
		rows[c]++
	}
	var cells []float64
	rest := make([]int, classes)
	var table [][]float64
	for j, column := range columns {
		if column.planes != nil {
			column = column.listed(len(y))
		}
		levels := int(column.most) + 1
		if cells = append(cells[:0], total...); levels > 1 {
			cells = append(cells, make([]float64, (levels-1)*classes)...)
		}
		copy(rest, rows)
		for k, i := range column.rows {
			rest[y[i]]--
			cells[int(column.levelOf(k))*classes+int(y[i])] += weights.Of(int(i))
		}
		table = table[:0]
		for level := range levels {
			table = append(table, cells[level*classes:][:classes])
		}
		for c, n := range rest {
			for _, row := range table[1:] {
				table[0][c] -= row[c]
			}
			if n == 0 {
				table[0][c] = 0 // rounding leaves more, or less
			}
		}
		visit(j, table)
	}
	return cut, nil
}
