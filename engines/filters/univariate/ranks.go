package univariate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// tiedRows is the rows of equal values in a column, and the mean of the ranks, from 1, that they would have.
type tiedRows struct {
	rows  []int32 // those that are stored
	zeros int     // and how many are not
	rank  float64
}

func (t tiedRows) size() int { return len(t.rows) + t.zeros }

// ranker finds mid-ranks of one column after the other.
type ranker struct {
	order  []int32 // places in the column, by value
	rows   []int32
	groups []tiedRows
}

// groupsOf returns the groups of equal values of a column, by rising value. They are good until the next call. O(stored · log stored).
func (r *ranker) groupsOf(col sparse.Vec, rows int) ([]tiedRows, error) {
	r.order, r.rows, r.groups = r.order[:0], slices.Grow(r.rows[:0], col.Len()), r.groups[:0]
	for k := range col.Len() {
		if v := col.At(k); !elementary.IsFinite(v) {
			return nil, fmt.Errorf("row %d: value %v, expected a finite number", col.Idx[k], v)
		}
		r.order = append(r.order, int32(k))
	}
	slices.SortFunc(r.order, func(a, b int32) int { return cmp.Compare(col.At(int(a)), col.At(int(b))) })
	zeros, below := rows-col.Len(), 0
	add := func(stored []int32, others int) {
		t := tiedRows{rows: stored, zeros: others}
		t.rank = float64(2*below+t.size()+1) / 2
		below += t.size()
		r.groups = append(r.groups, t)
	}
	for first := 0; first < len(r.order); {
		value, next, others := col.At(int(r.order[first])), first, 0
		if value >= 0 && zeros > 0 {
			if others, zeros = zeros, 0; value > 0 {
				add(nil, others)
				others = 0
			}
		}
		from := len(r.rows)
		for next < len(r.order) && col.At(int(r.order[next])) == value {
			r.rows = append(r.rows, col.Idx[r.order[next]])
			next++
		}
		add(r.rows[from:], others)
		first = next
	}
	if zeros > 0 {
		add(nil, zeros)
	}
	return r.groups, nil
}

// freeTies returns 1 − Σ(t³ − t)/(n³ − n) of groups of t equal values: 1 without ties, 0 if all values are one.
func freeTies(groups []tiedRows, n float64) float64 {
	ties := 0.0
	for _, g := range groups {
		t := float64(g.size())
		ties += float64(float64(t*t)*t) - t
	}
	return 1 - ties/(float64(float64(n*n)*n)-n)
}

// severalClasses reads the classes of a view; a single one is an error.
func severalClasses(v *data.View) (*classes, error) {
	c := readClasses(v)
	if c.seen < 2 {
		return nil, fmt.Errorf("the %v training rows have one class, and ranks are compared between classes", c.n)
	}
	return c, nil
}

// KruskalWallis returns the test of Kruskal & Wallis (1952): H, divided by 1 − Σ(t³ − t)/(n³ − n) for ties, is χ² with one degree of
// freedom less than there are classes. O(stored · log stored) a column.
func KruskalWallis(v *data.View) (*sparse.Matrix, ranking.ColumnTest, error) {
	c, err := severalClasses(v)
	if err != nil {
		return nil, nil, err
	}
	var r ranker
	return c.x, func(col sparse.Vec) (ranking.Result, error) {
		groups, err := r.groupsOf(col, len(c.y))
		if err != nil || len(groups) < 2 {
			return ranking.Nothing, err
		}
		sums, zeros, stored := make([]float64, len(c.size)), 0.0, make([]float64, len(c.size))
		mean := float64((c.n + 1) / 2)
		for _, g := range groups {
			if g.zeros > 0 {
				zeros = g.rank - mean
			}
			for _, i := range g.rows {
				sums[c.y[i]] += g.rank - mean
				stored[c.y[i]]++
			}
		}
		h := 0.0
		for k, n := range c.size {
			if n > 0 {
				sum := sums[k] + float64((n-stored[k])*zeros)
				h += float64(sum * sum / n)
			}
		}
		h = 12 / (c.n * (c.n + 1)) * h / freeTies(groups, c.n)
		return ranking.Result{Score: h, P: c.chiSquaredTail(h)}, nil
	}, nil
}

// RankSum returns Wilcoxon's (1945) test of two classes: |z|, without a correction for continuity. Its square is the H of KruskalWallis.
func RankSum(v *data.View) (*sparse.Matrix, ranking.ColumnTest, error) {
	x, test, err := KruskalWallis(v)
	if err != nil {
		return nil, nil, err
	}
	if n := len(v.TargetInfo(0).Levels); n != 2 {
		return nil, nil, fmt.Errorf("%d levels, expected two classes", n)
	}
	return x, func(col sparse.Vec) (ranking.Result, error) {
		t, err := test(col)
		t.Score = math.Sqrt(t.Score)
		return t, err
	}, nil
}

// AUC returns the mean of |2A − 1| over pairs of classes, A being the probability that a value of one is larger than one of the other, ties
// counting a half. It has no p-value. O(stored · log stored + stored · classes) a column.
func AUC(v *data.View) (*sparse.Matrix, ranking.ColumnTest, error) {
	c, err := severalClasses(v)
	if err != nil {
		return nil, nil, err
	}
	var r ranker
	levels := len(c.size)
	return c.x, func(col sparse.Vec) (ranking.Result, error) {
		groups, err := r.groupsOf(col, len(c.y))
		if err != nil || len(groups) < 2 {
			return ranking.Nothing, err
		}
		zeros := slices.Clone(c.size)
		for _, i := range col.Idx {
			zeros[c.y[i]]--
		}
		above, below, group := make([]float64, levels*levels), make([]float64, levels), make([]float64, levels)
		for _, g := range groups {
			clear(group)
			if g.zeros > 0 {
				copy(group, zeros)
			}
			for _, i := range g.rows {
				group[c.y[i]]++
			}
			for a, n := range group {
				if n > 0 {
					for b, m := range below {
						above[a*levels+b] += float64(n * (m + float64(group[b]/2)))
					}
				}
			}
			for k, n := range group {
				below[k] += n
			}
		}
		sum := 0.0
		for a, n := range c.size {
			for b, m := range c.size[:a] {
				if n > 0 && m > 0 {
					sum += math.Abs(2*above[a*levels+b]/(n*m) - 1)
				}
			}
		}
		return ranking.Result{Score: sum / (c.seen * (c.seen - 1) / 2), P: 1}, nil
	}, nil
}

// Spearman returns |r| of the mid-ranks of a column and a number; its p-value is that of Student's t on n − 2 degrees of freedom. O(stored ·
// log stored) a column.
func Spearman(v *data.View) (*sparse.Matrix, ranking.ColumnTest, error) {
	x, y := Task(v, 0, 0)
	var r ranker
	n, response := float64(len(y)), make([]float64, len(y)) // mid-ranks less their mean
	mean := float64((n + 1) / 2)
	groups, err := r.groupsOf(sparse.Vec{Idx: data.Numbers(len(y)), Val: y}, len(y))
	if err != nil {
		return nil, nil, err
	}
	for _, g := range groups {
		for _, i := range g.rows {
			response[i] = g.rank - mean
		}
	}
	freeResponse := freeTies(groups, n)
	return x, func(col sparse.Vec) (ranking.Result, error) {
		groups, err := r.groupsOf(col, len(y))
		if err != nil || len(groups) < 2 || !(freeResponse > 0) {
			return ranking.Nothing, err
		}
		product, zeros, stored := 0.0, 0.0, 0.0
		for _, g := range groups {
			if g.zeros > 0 {
				zeros = g.rank - mean
			}
			for _, i := range g.rows {
				product += float64((g.rank - mean) * response[i])
				stored += response[i]
			}
		}
		product -= float64(zeros * stored) // the sum of all responses is 0
		freeColumn := freeTies(groups, n)
		rho := min(1, math.Abs(product)/((float64(float64(n*n)*n)-n)/12*math.Sqrt(freeColumn*freeResponse)))
		return ranking.Result{Score: rho, P: fTest(rho*rho, (1-rho)*(1+rho), 1, n-2).P}, nil
	}, nil
}
