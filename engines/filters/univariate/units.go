package univariate

import (
	"fmt"
	"math"

	"tenfold/engines/data"
	"tenfold/engines/numeric/dense"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/numeric/tails"
)

// onUnit is a test of a variable with so many levels that occur, by the level of each row; alone are the tests of its columns.
type onUnit func(level []int32, levels int, alone []tested) tested

// byLargest returns the column of the unit that tells most.
func byLargest(_ []int32, _ int, alone []tested) tested {
	most := alone[0]
	for _, t := range alone[1:] {
		if t.score > most.score {
			most = t
		}
	}
	return most
}

// unitTests are the tests that fit rows: of their classes, or of their numbers.
type unitTests func(v *data.View) onUnit

// classUnits returns a test of the table of levels against classes.
func classUnits(statistic func(table [][]float64, level, class []float64, n float64) (score, chi2 float64)) unitTests {
	return func(v *data.View) onUnit {
		c := readClasses(v)
		return func(level []int32, levels int, _ []tested) tested {
			if levels < 2 || c.seen < 2 {
				return nothing
			}
			table, total := make([][]float64, levels), make([]float64, levels)
			for l := range table {
				table[l] = make([]float64, len(c.size))
			}
			for i, l := range level {
				table[l][c.y[i]]++
				total[l]++
			}
			score, chi2 := statistic(table, total, c.size, c.n)
			return tested{score: score, p: tails.Chi2(chi2, (float64(levels)-1)*(c.seen-1))}
		}
	}
}

// tableChiSquared returns Σ (O − E)²/E over a table, E being what its margins make likely.
func tableChiSquared(table [][]float64, level, class []float64, n float64) (score, chi2 float64) {
	for l, row := range table {
		for k, seen := range row {
			if class[k] == 0 {
				continue
			}
			expected := level[l] * class[k] / n
			d := seen - expected
			chi2 += float64(d * d / expected)
		}
	}
	return chi2, chi2
}

// tableInformation returns the mutual information of a table, in nats, and 2n times it, which is χ² under independence.
func tableInformation(table [][]float64, level, class []float64, n float64) (score, chi2 float64) {
	sum := 0.0
	for l, row := range table {
		for k, seen := range row {
			if seen > 0 {
				sum += float64(seen * elementary.Log(seen*n/(level[l]*class[k])))
			}
		}
	}
	sum = max(0, sum)
	return sum / n, 2 * sum
}

// varianceUnits returns the F test of a number on all columns of a unit, which is the analysis of its variance by level; of classes the column that tells
// most.
func varianceUnits(v *data.View) onUnit {
	if v.TargetInfo(0).Type == data.Class {
		return byLargest
	}
	_, y := Task(v, 0, 0)
	whole := dense.Sum(y)
	whole /= float64(len(y))
	return func(level []int32, levels int, _ []tested) tested {
		mean, size := make([]float64, levels), make([]float64, levels)
		for i, l := range level {
			mean[l] += y[i] - whole
			size[l]++
		}
		between, within := 0.0, 0.0
		for l, n := range size {
			mean[l] /= n
			between += float64(n * mean[l] * mean[l])
		}
		for i, l := range level {
			d := y[i] - whole - mean[l]
			within += float64(d * d)
		}
		return fTest(between/(between+within), within/(between+within), float64(levels-1), float64(len(y)-levels))
	}
}

// levelsOf returns the levels of the variable whose levels are columns of the rows: the level of each row, numbered from 0, and how many occur. A row that has
// none of them is of one more. Columns that do not vary are passed over.
func levelsOf(x *sparse.Matrix, columns []int32) (level []int32, levels int, err error) {
	rows, _ := x.Dims()
	level = make([]int32, rows)
	for _, j := range columns {
		col := x.Col(int(j))
		if isConstant(col, rows) {
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

// joinUnits makes units of the columns that were tested, each with one score and p-value.
func (r *ranking) joinUnits(v *data.View, x *sparse.Matrix, test onUnit) (err error) {
	if r.members, err = v.WholeUnits(); err != nil {
		return err
	}
	score, p := make([]float64, len(r.members)), make([]float64, len(r.members))
	for u, columns := range r.members {
		t := tested{score: r.score[columns[0]], p: r.p[columns[0]]}
		if len(columns) > 1 {
			level, levels, err := levelsOf(x, columns)
			if err != nil {
				return fmt.Errorf("features.unit: together: %w", err)
			}
			alone := make([]tested, len(columns))
			for k, j := range columns {
				alone[k] = tested{score: r.score[j], p: r.p[j]}
			}
			t = test(level, levels, alone)
		}
		score[u], p[u] = t.score, t.p
	}
	r.score, r.p = score, p
	return nil
}
