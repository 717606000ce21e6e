package pruning

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tenfold/engines/numeric/correlation"
	"tenfold/engines/numeric/scaled"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/numeric/ties"
)

// The rules of Correlated.
const (
	First = "first"
	Mean  = "mean"
)

// Correlated says which of two columns leaves whose correlation exceeds Cutoff in size:
//
//	first: the later of the two; columns to keep come before all others
//	mean:  the one that is more correlated with all others in the mean, compared as findCorrelation(exact = TRUE) of R's caret
//	       compares (Kuhn 2008, Journal of Statistical Software 28(5)): with the mean over all other pairs but those of the second
//
// Constant columns neither leave nor count. The zero value leaves all columns.
type Correlated struct {
	Cutoff float64 // in (0, 1]
	Rule   string
}

func (r Correlated) String() string {
	if r.Rule == "" {
		return "none"
	}
	return fmt.Sprintf("above %v, %s", r.Cutoff, r.Rule)
}

// maxColumns is the number of columns that vary beyond which Drop refuses: its time grows with their square.
const maxColumns = 20000

// Check returns an error for more columns that vary than can be compared with each other, with the time that it would take for a
// matrix of so many entries.
func (r Correlated) Check(columns, entries int) error {
	if r.Rule == "" || columns <= maxColumns {
		return nil
	}
	return fmt.Errorf("correlations of %d columns would take about %s, and at most %d columns are compared; leave some out first, by near_zero or features.cutoff",
		columns, duration(float64(entries)*float64(columns)), maxColumns)
}

// Drop returns the columns of training rows without gaps that the rule leaves out, by column, but for those to keep (nil: none). It is
// an error if more than 20,000 columns vary. O(entries of the rows · columns) for rule mean, at most for rule first; memory for
// a copy of the matrix, and a bit a pair of columns.
func (r Correlated) Drop(x *sparse.Matrix, keep []bool) ([]Dropped, error) {
	if r.Rule == "" {
		return nil, nil
	}
	centred, err := scaled.Center(context.Background(), x, nil, scaled.Mean, false)
	if err != nil {
		return nil, err
	}
	columns, err := correlation.New(centred.X)
	if err != nil {
		return nil, err
	}
	_, n := x.Dims()
	if keep == nil {
		keep = make([]bool, n)
	}
	var vary []int32
	for j := range n {
		if columns.Varies(j) {
			vary = append(vary, int32(j))
		}
	}
	if err := r.Check(len(vary), x.NNZ()); err != nil {
		return nil, err
	}
	if r.Rule == First {
		return r.dropLater(columns, vary, keep), nil
	}
	return r.dropByMean(columns, vary, keep), nil
}

// duration returns in words how long so many products of entries take, at a billion a second.
func duration(products float64) string {
	switch hours := products / 1e9 / 3600; {
	case hours < 2:
		return fmt.Sprintf("%.0f minutes", math.Ceil(60*hours))
	case hours < 48:
		return fmt.Sprintf("%.0f hours", hours)
	default:
		return fmt.Sprintf("%.0f days", hours/24)
	}
}

// isClose reports whether a correlation of this size exceeds the cutoff by more than rounding.
func (r Correlated) isClose(size float64) bool { return size > r.Cutoff+1e-12 }

// drop returns the entry of a column that leaves for another.
func drop(column, with int32, size float64) Dropped {
	return Dropped{column, with, fmt.Sprintf("%.4g", size)}
}

// dropLater goes through the columns, those to keep first, and drops what is close to a column that stays.
func (r Correlated) dropLater(columns *correlation.Columns, vary []int32, keep []bool) []Dropped {
	order := slices.Clone(vary)
	slices.SortStableFunc(order, func(a, b int32) int {
		switch {
		case keep[a] == keep[b]:
			return 0
		case keep[a]:
			return -1
		}
		return 1
	})
	var out []Dropped
	gone, size := make([]bool, len(keep)), make([]float64, len(keep))
	for place, i := range order {
		if gone[i] {
			continue
		}
		columns.Sizes(size, int(i), 0)
		for _, j := range order[place+1:] {
			if !gone[j] && !keep[j] && r.isClose(size[j]) {
				gone[j] = true
				out = append(out, drop(j, i, size[j]))
			}
		}
	}
	return sorted(out)
}

// sorted returns the columns by number.
func sorted(out []Dropped) []Dropped {
	slices.SortFunc(out, func(a, b Dropped) int { return int(a.Column - b.Column) })
	return out
}

// dropByMean drops as findCorrelation(exact = TRUE) does: with m live columns, S_i the sum of the sizes of column i's correlations with the others
// and T = Σ S_i, of a close pair i before j, in the order of falling S, column i leaves if S_i/(m−1) > (T − S_j)/(m−1)², else j.
func (r Correlated) dropByMean(columns *correlation.Columns, vary []int32, keep []bool) []Dropped {
	m := len(vary)
	sum, total := make([]float64, len(keep)), 0.0
	near := newPairs(m) // of places in vary
	size := make([]float64, len(keep))
	for a, i := range vary {
		columns.Sizes(size, int(i), int(i)+1)
		for b := a + 1; b < m; b++ {
			s := size[vary[b]]
			sum[i] += s
			sum[vary[b]] += s
			if r.isClose(s) {
				near.add(a, b)
			}
		}
	}
	for _, i := range vary {
		total += sum[i]
	}
	place := make([]int, len(keep)) // in vary
	for a, i := range vary {
		place[i] = a
	}
	order := slices.Clone(vary)
	ties.Sort(order, sum)
	gone := make([]bool, len(keep))
	var out []Dropped
	for k, i := range order {
		for _, j := range order[k+1:] {
			if gone[i] {
				break
			}
			if gone[j] || !near.has(place[i], place[j]) || keep[i] && keep[j] {
				continue
			}
			left := float64(m - 1)
			leaves, stays := j, i
			if sum[i]/left > (total-sum[j])/float64(left*left)+1e-12 {
				leaves, stays = i, j
			}
			if keep[leaves] {
				leaves, stays = stays, leaves
			}
			gone[leaves] = true
			columns.Sizes(size, int(leaves), 0)
			out = append(out, drop(leaves, stays, size[stays]))
			total -= float64(2 * sum[leaves])
			for _, l := range vary {
				if !gone[l] {
					sum[l] -= size[l]
				}
			}
			m--
		}
	}
	return sorted(out)
}

// pairs is a set of pairs of n things, a bit each.
type pairs struct {
	n    int
	bits []uint64
}

func newPairs(n int) pairs { return pairs{n, make([]uint64, (n*n+63)/64)} }

// add puts in the pair of a and b, in either order.
func (p pairs) add(a, b int) {
	bit := min(a, b)*p.n + max(a, b)
	p.bits[bit/64] |= 1 << (bit % 64)
}

// has reports whether the pair is in the set.
func (p pairs) has(a, b int) bool {
	bit := min(a, b)*p.n + max(a, b)
	return p.bits[bit/64]>>(bit%64)&1 == 1
}
