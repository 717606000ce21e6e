package univariate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/numeric/tails"
)

// classes are the rows of a class target where it is defined, any number of levels.
type classes struct {
	x      *sparse.Matrix
	y      []int32
	weight data.Weights
	rows   []int     // of each level
	size   []float64 // their weight
	n      float64   // Σ weight
	seen   float64   // levels that have rows
}

func readClasses(v *data.View) *classes {
	rows, y := v.Target(0)
	if rows != nil {
		v = v.Sub(rows)
	}
	c := &classes{x: v.Matrix(), y: make([]int32, len(y)), rows: make([]int, len(v.TargetInfo(0).Levels)), size: make([]float64, len(v.TargetInfo(0).Levels))}
	c.weight, c.n = v.TestWeights()
	for i, label := range y {
		c.y[i] = int32(label)
		c.rows[int(label)]++
		c.size[int(label)] += c.weight.Of(i)
	}
	for _, n := range c.size {
		if n > 0 {
			c.seen++
		}
	}
	return c
}

// byClass returns the sums of a column's values, times weights, in each class.
func (c *classes) byClass(col sparse.Vec) (sums []float64, total float64) {
	sums = make([]float64, len(c.size))
	for k, i := range col.Idx {
		v := float64(c.weight.Of(int(i)) * col.At(k))
		sums[c.y[i]] += v
		total += v
	}
	return sums, total
}

// unstored returns the weight of the rows of each class that a column does not store: exactly 0 where it stores all.
func (c *classes) unstored(col sparse.Vec) (rest []float64) {
	rest, rows := slices.Clone(c.size), slices.Clone(c.rows)
	for _, i := range col.Idx {
		y := c.y[i]
		rest[y] -= c.weight.Of(int(i))
		rows[y]--
	}
	for k, n := range rows {
		if n == 0 {
			rest[k] = 0 // rounding leaves more, or less
		}
	}
	return rest
}

// onClasses returns a test of columns against a class target.
func onClasses(test func(*classes) ranking.ColumnTest) func(*data.View) (*sparse.Matrix, ranking.ColumnTest, error) {
	return func(v *data.View) (*sparse.Matrix, ranking.ColumnTest, error) {
		c := readClasses(v)
		return c.x, test(c), nil
	}
}

// chiSquared compares the sum of a column's values in each class, O, with the share E of the whole that the class's rows
// would make likely: Σ (O − E)²/E (Liu & Setiono 1995). With presence, it is the statistic of the table of classes
// against the column's zeros and ones (Yang & Pedersen 1997). Either has one degree of freedom less than there are classes.
func (c *classes) chiSquared(presence bool) ranking.ColumnTest {
	return func(col sparse.Vec) (ranking.Result, error) {
		for k, v := range col.Val {
			if !(v >= 0 && elementary.IsFinite(v)) {
				return ranking.Nothing, fmt.Errorf("row %d: value %v, expected a count of 0 or more", col.Idx[k], v)
			}
		}
		if presence {
			col = indicatorColumn(col)
		}
		if ranking.IsConstant(col, len(c.y)) || c.seen < 2 {
			return ranking.Nothing, nil
		}
		sums, total := c.byClass(col)
		statistic := 0.0
		for k, n := range c.size {
			if n == 0 {
				continue
			}
			expected := total * n / c.n
			part := 1 / expected
			if presence {
				part += 1 / (n - expected)
			}
			d := sums[k] - expected
			statistic += float64(d * d * part)
		}
		if !elementary.IsFinite(statistic) {
			return ranking.Nothing, fmt.Errorf("all rows: the values are too large, or too small, to sum")
		}
		return ranking.Result{Score: statistic, P: c.chiSquaredTail(statistic)}, nil
	}
}

// indicatorColumn has a one where a column has a value other than 0.
func indicatorColumn(col sparse.Vec) sparse.Vec {
	if col.Val == nil {
		return col
	}
	out := sparse.Vec{}
	for k, i := range col.Idx {
		if col.At(k) != 0 {
			out.Idx = append(out.Idx, i)
		}
	}
	return out
}

// chiSquaredTail returns the probability of a statistic as large or larger under χ² with one degree of freedom less than
// classes.
func (c *classes) chiSquaredTail(statistic float64) float64 {
	return tails.Chi2(statistic, c.seen-1)
}

// mutualInformation returns the mutual information of class and column of zeros and ones, in nats: Σ p(x,y)·log p(x,y)/(p(x)·p(y)), with shares of the
// rows' weight for probabilities. Its p-value is that of the likelihood-ratio test: 2·n times the information is χ² under
// independence.
func (c *classes) mutualInformation(col sparse.Vec) (ranking.Result, error) {
	for k, v := range col.Val {
		if v != 1 && v != 0 {
			return ranking.Nothing, fmt.Errorf("row %d: value %v, expected 0 or 1: mutual information is counted, not estimated", col.Idx[k], v)
		}
	}
	if col = indicatorColumn(col); col.Len() == 0 || col.Len() == len(c.y) || c.seen < 2 {
		return ranking.Nothing, nil
	}
	sums, total := c.byClass(col)
	rest := c.unstored(col)
	term := func(both, x, y float64) float64 {
		if both == 0 {
			return 0
		}
		return both * elementary.Log(both*c.n/(x*y))
	}
	sum := 0.0
	for k, n := range c.size {
		sum += term(sums[k], total, n) + term(rest[k], c.n-total, n)
	}
	sum = max(0, sum)
	return ranking.Result{Score: sum / c.n, P: c.chiSquaredTail(2 * sum)}, nil
}

// fStatistic returns that of one-way analysis of variance: with rows of the weight n and k classes, the variation of a column between
// the classes' means, over k − 1, by that within classes, over n − k.
func (c *classes) fStatistic(col sparse.Vec) (ranking.Result, error) {
	for k, v := range col.Val {
		if !elementary.IsFinite(v) {
			return ranking.Nothing, fmt.Errorf("row %d: value %v, expected a finite number", col.Idx[k], v)
		}
	}
	if ranking.IsConstant(col, len(c.y)) || c.seen < 2 {
		return ranking.Nothing, nil
	}
	mean, total := c.byClass(col)
	between, whole := 0.0, total/c.n
	for k, n := range c.size {
		if n > 0 {
			mean[k] /= n
			between += float64(n * (mean[k] - whole) * (mean[k] - whole))
		}
	}
	within := 0.0
	for k, i := range col.Idx {
		d := col.At(k) - mean[c.y[i]]
		within += float64(c.weight.Of(int(i)) * d * d)
	}
	for k, n := range c.unstored(col) { // zeros
		within += float64(n * mean[k] * mean[k])
	}
	if !elementary.IsFinite(between) || !elementary.IsFinite(within) {
		return ranking.Nothing, fmt.Errorf("all rows: the squares of the values are too large to sum")
	}
	return fTest(between/(between+within), within/(between+within), c.seen-1, c.n-c.seen), nil
}

// fTest applies the F test to the share of variation that is explained, on so many degrees of freedom, and of what is left. A statistic beyond
// all numbers is the largest of them.
func fTest(explained, left, between, within float64) ranking.Result {
	if !(explained > 0) || between <= 0 || within <= 0 {
		return ranking.Nothing
	}
	f := math.Min(math.MaxFloat64, (explained/between)/(left/within))
	return ranking.Result{Score: f, P: tails.F(explained, left, between, within)}
}

// F returns, of each column, the statistic of an analysis of variance by class, or of the correlation with Number; 0 of constant columns. The
// matrix is that of the rows on which the target is defined. O(nnz + columns).
func F(ctx context.Context, v *data.View) (x *sparse.Matrix, f []float64, err error) {
	r, err := ranking.Tests{Columns: varianceTest, Weighted: true}.Rank(ctx, engines.Run{Train: v})
	if err != nil {
		return nil, nil, err
	}
	rows, _ := v.Defined(0)
	return rows.Matrix(), r.Score, nil
}

// Pearson returns |r| of a column and a number; its p-value is that of Student's t on n − 2 degrees of freedom. O(stored) a column.
func Pearson(v *data.View) (*sparse.Matrix, ranking.ColumnTest, error) {
	x, test, err := varianceTest(v)
	if err != nil {
		return nil, nil, err
	}
	rows, _ := x.Dims()
	return x, func(col sparse.Vec) (ranking.Result, error) {
		t, err := test(col) // F = r²/(1 − r²)·(n − 2)
		t.Score = math.Sqrt(t.Score / (t.Score + float64(rows-2)))
		return t, err
	}, nil
}

// varianceTest returns the F test: of class means, or of the correlation with a number, of times the martingale residual, on 1 and n − 2 degrees of
// freedom.
func varianceTest(v *data.View) (*sparse.Matrix, ranking.ColumnTest, error) {
	if v.TargetInfo(0).Type == data.Class {
		c := readClasses(v)
		if c.n <= c.seen {
			return nil, nil, fmt.Errorf("an analysis of variance needs more rows than classes, there are %v rows of %v classes", c.n, c.seen)
		}
		return c.x, c.fStatistic, nil
	}
	rows, y, err := Number(v)
	if err != nil {
		return nil, nil, err
	}
	x := rows.Matrix()
	weight, n := rows.TestWeights()
	r, err := newResponse(x, y, weight, n)
	return x, func(col sparse.Vec) (ranking.Result, error) {
		m, err := r.momentsOf(col)
		if err != nil || m.xx == 0 {
			return ranking.Nothing, err
		}
		explained, left := m.scaled().explainedShares()
		return fTest(explained, left, 1, n-2), nil
	}, err
}
