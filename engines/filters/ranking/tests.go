package ranking

import (
	"context"
	"fmt"
	"math"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
)

// Result holds the score of a column, 0 for none, and its p-value.
type Result struct {
	Score, P float64
	Infinite bool // there is no score because an estimate is infinite
}

// Nothing is the result of columns that tell nothing, such as constant ones.
var Nothing = Result{P: 1}

// ColumnTest scores a column.
type ColumnTest func(col sparse.Vec) (Result, error)

// UnitTest scores a variable by the level of each row, one of so many levels that occur; alone has the results of its columns.
type UnitTest func(level []int32, levels int, alone []Result) Result

// Tests scores columns one after the other.
type Tests struct {
	Columns func(v *data.View) (*sparse.Matrix, ColumnTest, error)
	Units   func(v *data.View) UnitTest // nil if units are not ranked
	Floor   float64                     // what a score must be above
	// Weighted reports that tests count rows by data.View.TestWeights; others refuse weights.
	Weighted bool
}

// Rank ranks the columns of the training rows, or their units where these are selected together.
func (t Tests) Rank(ctx context.Context, run engines.Run) (*Ranking, error) {
	rows, name := run.Train, run.Train.TargetInfo(0).Name
	if !t.Weighted && rows.Weights() != nil {
		return nil, fmt.Errorf("the test counts every row once, but the rows have weights")
	}
	if _, y := rows.Target(0); len(y) == 0 {
		return nil, fmt.Errorf("target %s has no training row", name)
	}
	x, test, err := t.Columns(rows)
	if err != nil {
		return nil, fmt.Errorf("target %s: %w", name, err)
	}
	r, err := ScoreColumns(ctx, x, test)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, fmt.Errorf("target %s: %w", name, err)
	}
	if rows.Together() && t.Units != nil {
		defined, _ := rows.Defined(0)
		if err := r.JoinUnits(rows, x, t.Units(defined)); err != nil {
			return nil, fmt.Errorf("target %s: %w", name, err)
		}
	}
	r.SetOrder(rows, t.Floor)
	return r, nil
}

// ScoreColumns tests every column, without ordering them. O(nnz + columns · log columns).
func ScoreColumns(ctx context.Context, x *sparse.Matrix, test ColumnTest) (*Ranking, error) {
	_, columns := x.Dims()
	r, infinite := &Ranking{Score: make([]float64, columns), P: make([]float64, columns)}, 0
	for j := range columns {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		t, err := test(x.Col(j))
		if err != nil {
			return nil, fmt.Errorf("column %d, %w", j, err)
		}
		r.Score[j], r.P[j] = t.Score, t.P
		if t.Infinite {
			infinite++
		}
	}
	if infinite > 0 {
		r.Notes = []string{fmt.Sprintf("%d columns order all events each, so that their estimates are infinite and Wald's test says nothing of them: they are not kept (test: score and test: likelihood rank them)", infinite)}
	}
	return r, nil
}

// JoinUnits makes units of the columns that were scored, each with one score and p-value, before they are ordered.
func (r *Ranking) JoinUnits(v *data.View, x *sparse.Matrix, test UnitTest) (err error) {
	if r.Members, err = v.WholeUnits(); err != nil {
		return err
	}
	alone := make([]Result, len(r.Score))
	for j := range alone {
		if alone[j].Score = r.Score[j]; r.P != nil {
			alone[j].P = r.P[j]
		}
	}
	score, p := make([]float64, len(r.Members)), make([]float64, len(r.Members))
	for u, columns := range r.Members {
		t := alone[columns[0]]
		if len(columns) > 1 {
			level, levels, err := Levels(x, columns)
			if err != nil {
				return fmt.Errorf("features.unit: together: %w", err)
			}
			t = test(level, levels, data.ValuesAt(alone, columns))
		}
		score[u], p[u] = t.Score, t.P
	}
	if r.Score = score; r.P != nil {
		r.P = p
	}
	return nil
}

// IsConstant reports whether a column has one value in all rows.
func IsConstant(col sparse.Vec, rows int) bool {
	if col.Len() < rows {
		for _, v := range col.Val {
			if v != 0 {
				return false
			}
		}
		return col.Val != nil || col.Len() == 0
	}
	for _, v := range col.Val {
		if v != col.Val[0] {
			return false
		}
	}
	return true
}

// Levels returns the level of each row, from 0, of the variable whose levels are some columns, and how many levels occur. Rows that have
// none of the columns share a level of their own. Columns that do not vary are passed over. A row of two levels is an error.
func Levels(x *sparse.Matrix, columns []int32) (level []int32, levels int, err error) {
	rows, _ := x.Dims()
	level = make([]int32, rows)
	for _, j := range columns {
		col := x.Col(int(j))
		if IsConstant(col, rows) {
			continue
		}
		values := make([]float64, rows)
		high := math.Inf(-1)
		if col.Len() < rows {
			high = 0
		}
		for k, i := range col.Idx {
			values[i] = col.At(k)
			high = max(high, values[i])
		}
		levels++
		for i, v := range values {
			switch {
			case v < high:
			case level[i] > 0:
				return nil, 0, fmt.Errorf("row %d has two levels of a variable (columns %d and %d)", i, columns[level[i]-1], j)
			default:
				level[i] = int32(levels)
			}
		}
	}
	others := false
	for _, l := range level {
		others = others || l == 0
	}
	if others {
		return level, levels + 1, nil
	}
	for i := range level {
		level[i]--
	}
	return level, levels, nil
}
