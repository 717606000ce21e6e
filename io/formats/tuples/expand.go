package tuples

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// Expand turns the records into a data set without targets or groups. Every pattern is a column, ordered by template and
// then by name, so that what a cutoff keeps is in that order too. Errors: no records, too many, and ctx.
// O(templates · records).
func (t *Table) Expand(ctx context.Context, templates []Template) (*data.Dataset, error) {
	return newOrder(t).buildDataset(ctx, templates, everything)
}

// frequency says which patterns become columns.
type frequency struct {
	atLeast int                                    // records
	visit   func(k int, column int32, run []int32) // hears of each column, its template and the records that show it; may be nil
}

var everything = frequency{atLeast: 1}

func (o *order) buildDataset(ctx context.Context, templates []Template, which frequency) (*data.Dataset, error) {
	n := o.table.Len()
	if n == 0 {
		return nil, errors.New("no instances, expected at least one")
	}
	if int64(n)*int64(len(templates)) > math.MaxInt32 {
		return nil, fmt.Errorf("%d instances and %d templates: their product may not exceed %d", n, len(templates), math.MaxInt32)
	}
	x, names, owned, err := o.expandTemplates(ctx, templates, which)
	if err != nil {
		return nil, err
	}
	byTemplate := make([]string, len(owned))
	for k, columns := range owned {
		byTemplate[k] = fmt.Sprintf("T%d %d", k, columns)
	}
	patterns := "patterns in all rows"
	if which.atLeast > 1 {
		patterns = fmt.Sprintf("patterns in at least %d of all rows", which.atLeast)
	}
	return &data.Dataset{X: x, Features: names, Facts: []data.Fact{
		{Name: "instances", Value: fmt.Sprint(n)},
		{Name: patterns, Value: fmt.Sprint(names.Len())},
		{Name: "patterns by template", Value: strings.Join(byTemplate, ", ")},
	}}, nil
}

// expandTemplates lays the columns out template by template. owned is the number of columns of each template.
func (o *order) expandTemplates(ctx context.Context, templates []Template, which frequency) (x *sparse.Matrix, f *data.Features, owned []int, err error) {
	column := make([][]int32, len(templates)) // of each template on each record: its column, -1 for none
	owned = make([]int, len(templates))
	names, ends := []byte(nil), []int64{0}
	var records []int32
	for k, template := range templates {
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
		columns := make([]int32, o.table.Len())
		for i := range columns {
			columns[i] = -1
		}
		records = o.table.ownRecords(templates, k, records[:0])
		o.eachRun(o.sortRecords(records, template.Positions), template.Positions, func(run []int32) {
			if len(run) < which.atLeast {
				return
			}
			for _, i := range run {
				columns[i] = int32(len(ends) - 1)
			}
			if which.visit != nil {
				which.visit(k, int32(len(ends)-1), run)
			}
			names = o.appendName(names, k, template.Positions, run[0])
			ends = append(ends, int64(len(names)))
			owned[k]++
		})
		column[k] = columns
	}
	return columnsToRows(o.table.Len(), len(ends)-1, column), data.PackedFeatures(names, ends), owned, nil
}

// columnsToRows turns the columns of each template into rows; a later template has larger columns, so rows come out sorted.
func columnsToRows(rows, columns int, column [][]int32) *sparse.Matrix {
	ptr := make([]int, rows+1)
	for _, columns := range column {
		for i, j := range columns {
			if j >= 0 {
				ptr[i+1]++
			}
		}
	}
	for i := range rows {
		ptr[i+1] += ptr[i]
	}
	idx := make([]int32, 0, ptr[rows])
	for i := range rows {
		for _, columns := range column {
			if columns[i] >= 0 {
				idx = append(idx, columns[i])
			}
		}
	}
	return sparse.New(columns, ptr, idx, nil)
}

// numberCombinations gives every record the number of its combination of values at the positions, and one record of each.
func (o *order) numberCombinations(positions []int) (group, representatives []int32) {
	records := make([]int32, o.table.Len())
	for i := range records {
		records[i] = int32(i)
	}
	group = make([]int32, len(records))
	o.eachRun(o.sortRecords(records, positions), positions, func(run []int32) {
		for _, i := range run {
			group[i] = int32(len(representatives))
		}
		representatives = append(representatives, run[0])
	})
	return group, representatives
}
