package scores

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"tenfold/engines/data"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/numeric/elementary"
	"tenfold/engines/numeric/sparse"
)

// closer is the share of a distance below which another one is strictly less.
const closer = 1 - 1e-9

// digammas returns ψ(0) … ψ(n) of whole numbers, by ψ(m + 1) = ψ(m) + 1/m; that of 0 is not used.
func digammas(n int) []float64 {
	const euler = 0.57721566490153286060651209008240243
	psi := make([]float64, n+2)
	psi[1] = -euler
	for m := 1; m <= n; m++ {
		psi[m+1] = psi[m] + 1/float64(m)
	}
	return psi
}

// nearest returns a test that scores columns by their mutual information with the target, in nats, estimated by the distances of nearest
// values: of numbers with a class by Ross (2014), with numbers by Kraskov, Stögbauer & Grassberger (2004, the first estimator), of columns
// of two values with numbers by Ross with the roles exchanged, and with a class by counts.
func (e Filter) nearest(v *data.View) (*sparse.Matrix, ranking.ColumnTest, error) {
	rows, target := v.Defined(0)
	x, n := rows.Matrix(), len(target)
	k := knn{k: e.Neighbours, psi: digammas(n), x: make([]float64, n)}
	if v.TargetInfo(0).Type == data.Class {
		k.class = make([]int32, n)
		for i, c := range target {
			k.class[i] = int32(c)
		}
		return x, k.test(func(two []int32) float64 {
			if two != nil {
				return k.counted(two)
			}
			return k.ross(k.x, k.class)
		}), nil
	}
	if k.k >= n {
		return nil, nil, fmt.Errorf("k: %d, but there are %d training rows; expected fewer nearest values than rows", k.k, n)
	}
	var varies bool
	if k.y, varies = standardized(target); !varies {
		return x, func(sparse.Vec) (ranking.Result, error) { return ranking.Nothing, nil }, nil
	}
	k.sorted = slices.Sorted(slices.Values(k.y))
	return x, k.test(func(two []int32) float64 {
		if two != nil {
			return k.ross(k.y, two)
		}
		scaled, _ := standardized(k.x)
		return k.kraskov(scaled)
	}), nil
}

// standardized returns numbers divided by their standard deviation, divisor n; varies is false if all are the same.
func standardized(v []float64) (out []float64, varies bool) {
	if slices.Min(v) == slices.Max(v) {
		return v, false
	}
	_, exponent := math.Frexp(max(-slices.Min(v), slices.Max(v)))
	unit := math.Ldexp(1, -max(exponent, -1000)) // so that squares are finite
	mean, squares, n := 0.0, 0.0, float64(len(v))
	out = make([]float64, len(v))
	for i, x := range v {
		out[i] = x * unit
		mean += out[i] / n
	}
	for _, x := range out {
		squares += float64((x - mean) * (x - mean))
	}
	sd := math.Sqrt(squares / n)
	for i := range out {
		out[i] /= sd
	}
	return out, true
}

// knn estimates information from nearest values.
type knn struct {
	k      int
	psi    []float64
	class  []int32   // of a class target
	y      []float64 // of a number
	sorted []float64 // y, rising
	x      []float64 // scratch: the column
}

// test lays a column out, and passes it on as two levels where it has two values. What is estimated below 0 is 0.
func (k *knn) test(estimate func(two []int32) float64) ranking.ColumnTest {
	return func(col sparse.Vec) (ranking.Result, error) {
		for i := range col.Len() {
			if v := col.At(i); !elementary.IsFinite(v) {
				return ranking.Nothing, fmt.Errorf("row %d: value %v, expected a finite number", col.Idx[i], v)
			}
		}
		if ranking.IsConstant(col, len(k.x)) {
			return ranking.Nothing, nil
		}
		clear(k.x)
		col.AddTo(k.x, 1)
		low, high := slices.Min(k.x), slices.Max(k.x)
		two := make([]int32, len(k.x))
		for i, v := range k.x {
			switch v {
			case low:
			case high:
				two[i] = 1
			default:
				return ranking.Result{Score: max(0, estimate(nil)), P: 1}, nil
			}
		}
		return ranking.Result{Score: max(0, estimate(two)), P: 1}, nil
	}
}

// counted returns the information of two levels with the class.
func (k *knn) counted(two []int32) float64 {
	classes := int(slices.Max(k.class)) + 1
	table := [][]float64{make([]float64, classes), make([]float64, classes)}
	for i, level := range two {
		table[level][k.class[i]]++
	}
	return scoreTable(table, entropies.information)
}

// ross returns Ross' estimate of the information of numbers with a class: with e the distance of a row's k-th nearest value in its class,
// k at most one less than the rows of the class, and m 1 and the rows of any class that are nearer, ψ(N) + mean of ψ(k) − ψ(rows of the
// class) − ψ(m). Classes of one row are left out. O(rows · (log rows + k)).
func (k *knn) ross(values []float64, class []int32) float64 {
	byClass := make([][]float64, 1+slices.Max(class))
	for i, c := range class {
		byClass[c] = append(byClass[c], values[i])
	}
	var all []float64
	for _, v := range byClass {
		if len(v) > 1 {
			all = append(all, v...)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	sum := 0.0
	for _, v := range byClass {
		if len(v) < 2 {
			continue
		}
		slices.Sort(v)
		near := min(k.k, len(v)-1)
		for i, x := range v {
			sum += k.psi[near] - k.psi[len(v)] - k.psi[within(all, x, kthDistance(v, i, near))]
		}
	}
	return k.psi[len(all)] + sum/float64(len(all))
}

// kthDistance returns the distance of the k-th nearest value from the i-th, of values that rise. O(k).
func kthDistance(v []float64, i, k int) (d float64) {
	for low, high := i-1, i+1; k > 0; k-- {
		if high == len(v) || low >= 0 && v[i]-v[low] <= v[high]-v[i] {
			d = v[i] - v[low]
			low--
		} else {
			d = v[high] - v[i]
			high++
		}
	}
	return d
}

// within returns how many of some values that rise are strictly closer to x than e, x itself included; where e is 0, those that equal x.
func within(v []float64, x, e float64) int {
	limit := e * closer
	near := func(d float64) bool { return d < limit || d == 0 }
	first := sort.Search(len(v), func(i int) bool { return v[i] >= x || near(x-v[i]) })
	last := sort.Search(len(v), func(i int) bool { return v[i] > x && !near(v[i]-x) })
	return last - first
}

// kraskov returns the estimate of the information of two numbers: with e the distance of a row's k-th nearest row, the larger of the distances
// in x and in y, and n_x and n_y the other rows strictly closer in each, ψ(k) + ψ(n) − mean of ψ(n_x + 1) + ψ(n_y + 1). Rows are looked at
// from x outwards, as far as e. O(rows · (log rows + rows within e in x)).
func (k *knn) kraskov(x []float64) float64 {
	n := len(x)
	order := data.Numbers(n)
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(x[a], x[b]) })
	byX, along := make([]float64, n), make([]float64, n) // both in order of x
	for i, r := range order {
		byX[i], along[i] = x[r], k.y[r]
	}
	sum, nearest := 0.0, make([]float64, k.k)
	for i := range byX {
		for a := range nearest {
			nearest[a] = math.Inf(1)
		}
		for low, high := i-1, i+1; low >= 0 || high < n; {
			j := high
			if high == n || low >= 0 && byX[i]-byX[low] <= byX[high]-byX[i] {
				j = low
				low--
			} else {
				high++
			}
			d := math.Abs(byX[i] - byX[j])
			if d >= nearest[k.k-1] {
				break
			}
			insert(nearest, max(d, math.Abs(along[i]-along[j])))
		}
		e := nearest[k.k-1]
		sum += k.psi[within(byX, byX[i], e)] + k.psi[within(k.sorted, along[i], e)]
	}
	return k.psi[k.k] + k.psi[n] - sum/float64(n)
}

// insert puts d among the smallest numbers, which rise, if it is less than the last of them, which leaves.
func insert(smallest []float64, d float64) {
	i := len(smallest) - 1
	if d >= smallest[i] {
		return
	}
	for ; i > 0 && smallest[i-1] > d; i-- {
		smallest[i] = smallest[i-1]
	}
	smallest[i] = d
}
