package univariate

import (
	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/tails"
)

// byLargest returns the column of the unit that tells most.
func byLargest(_ []int32, _ int, alone []ranking.Result) ranking.Result {
	most := alone[0]
	for _, t := range alone[1:] {
		if t.Score > most.Score {
			most = t
		}
	}
	return most
}

// unitTests are the tests that fit rows: of their classes, or of their numbers.
type unitTests func(v *data.View) ranking.UnitTest

// classUnits returns a test of the table of levels against classes.
func classUnits(statistic func(table [][]float64, level, class []float64, n float64) (score, chi2 float64)) unitTests {
	return func(v *data.View) ranking.UnitTest {
		c := readClasses(v)
		return func(level []int32, levels int, _ []ranking.Result) ranking.Result {
			if levels < 2 || c.seen < 2 {
				return ranking.Nothing
			}
			table, total := make([][]float64, levels), make([]float64, levels)
			for l := range table {
				table[l] = make([]float64, len(c.size))
			}
			for i, l := range level {
				table[l][c.y[i]] += c.weight.Of(i)
				total[l] += c.weight.Of(i)
			}
			score, chi2 := statistic(table, total, c.size, c.n)
			return ranking.Result{Score: score, P: tails.Chi2(chi2, (float64(levels)-1)*(c.seen-1))}
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
func varianceUnits(v *data.View) ranking.UnitTest {
	if v.TargetInfo(0).Type == data.Class {
		return byLargest
	}
	rows, y, _ := Number(v) // that there is an event, varianceTest has seen
	weight, n := rows.TestWeights()
	whole := 0.0
	for i, v := range y {
		whole += float64(weight.Of(i) * v)
	}
	whole /= n
	return func(level []int32, levels int, _ []ranking.Result) ranking.Result {
		mean, size := make([]float64, levels), make([]float64, levels)
		for i, l := range level {
			mean[l] += float64(weight.Of(i) * (y[i] - whole))
			size[l] += weight.Of(i)
		}
		between, within := 0.0, 0.0
		for l, n := range size {
			mean[l] /= n
			between += float64(n * mean[l] * mean[l])
		}
		for i, l := range level {
			d := y[i] - whole - mean[l]
			within += float64(weight.Of(i) * d * d)
		}
		return fTest(between/(between+within), within/(between+within), float64(levels-1), n-float64(levels))
	}
}
