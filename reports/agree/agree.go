// Package agree measures how far sets of columns agree if similar columns can replace each other.
package agree

import (
	"math"
	"math/rand/v2"
	"slices"

	"tenfold/engines/data"
	"tenfold/engines/numeric/elementary"
)

// Graph says which columns are similar. Columns are numbers from 0; those without a list are similar to none.
type Graph struct {
	Columns int
	Near    [][]Similar // by column, rising
}

// Similar is a column to which another is similar, with the absolute value of their correlation.
type Similar struct {
	Column      int32
	Correlation float64
}

// Measure is a measure of Bommert & Rahnenführer 2020 (Adjusted measures for feature selection stability for data sets with similar
// features).
type Measure struct {
	Name string
	// common returns what two sets have in common, and largest its maximum for sets of these sizes.
	common    func(g *Graph, a, b set) float64
	largest   func(a, b, union int) float64
	exact     func(g *Graph, a, b int) float64 // expectation over independent uniform sets of these sizes; nil: no formula is known
	Corrected bool
}

// Measures of agreement: SMA-MBM, SMA-Yu and, without a correction for chance, Zucknick's.
var (
	MBM      = Measure{Name: "mbm", common: matched, largest: rootOfSizes, Corrected: true}
	Yu       = Measure{Name: "yu", common: adjoined, largest: meanOfSizes, exact: expectedYu, Corrected: true}
	Zucknick = Measure{Name: "zucknick", common: weighed, largest: sizeOfUnion}
)

func rootOfSizes(a, b, _ int) float64     { return math.Sqrt(float64(a) * float64(b)) }
func meanOfSizes(a, b, _ int) float64     { return float64(a+b) / 2 }
func sizeOfUnion(_, _, union int) float64 { return float64(union) }

// The number of draws of pairs of random sets that estimate an expectation without a formula, and the maximum number of pairs that
// are enumerated instead.
const (
	draws     = 1000
	mostPairs = 1 << 16
)

// Of returns, for sets of columns, the mean over their pairs of
//
//	(I − E I) / (L − E I)    where the measure is corrected for chance, I/L elsewhere
//
// with I what a pair has in common, L the largest that is possible for sets of these sizes, and E I the expectation over
// independent uniform sets of the same sizes (Bommert & Rahnenführer 2020, section 3). A pair with L = E I, which is undefined, is
// left out; NaN if all are. Without a formula E I is exact if there are few pairs of sets, else the mean over 1000 draws from the
// pair's seed.
func (m Measure) Of(g *Graph, sets [][]int32) float64 {
	values := m.pairs(g, sets, func(i, j int) float64 {
		a, b := len(sets[i]), len(sets[j])
		switch {
		case !m.Corrected:
			return 0
		case !slices.ContainsFunc(g.Near, func(near []Similar) bool { return len(near) > 0 }): // columns are similar to themselves alone
			return float64(a) * float64(b) / float64(g.Columns)
		case m.exact != nil:
			return m.exact(g, a, b)
		case setsOf(g.Columns, a)*setsOf(g.Columns, b) <= mostPairs:
			return m.overAll(g, a, b)
		}
		return m.overDraws(g, draw(g.Columns, a, b, data.Key("agree", string(rune(i)), string(rune(j)))))
	})
	sum, n := 0.0, 0
	for _, v := range values {
		if v == v {
			sum += v
			n++
		}
	}
	return sum / float64(n)
}

// pairs returns the values of all pairs of sets, in the order (0,1), (0,2) … (1,2) …; NaN for those that are left out.
func (m Measure) pairs(g *Graph, sets [][]int32, expected func(i, j int) float64) (values []float64) {
	for i, a := range sets {
		for j := i + 1; j < len(sets); j++ {
			b := sets[j]
			x, y := setOf(a), setOf(b)
			common, largest, chance := m.common(g, x, y), m.largest(len(a), len(b), len(a)+len(b)-shared(x, y)), expected(i, j)
			v := math.NaN()
			if largest-chance > 1e-12*max(1, largest) {
				v = (common - chance) / (largest - chance)
			}
			values = append(values, v)
		}
	}
	return values
}

// set is a set of columns, as a list in order and for look-ups.
type set struct {
	columns []int32
	has     map[int32]bool
}

func setOf(columns []int32) set {
	s := set{columns, make(map[int32]bool, len(columns))}
	for _, j := range columns {
		s.has[j] = true
	}
	return s
}

func shared(a, b set) (n int) {
	for _, j := range a.columns {
		if b.has[j] {
			n++
		}
	}
	return n
}

// near returns the columns similar to one.
func (g *Graph) near(j int32) []Similar {
	if int(j) < len(g.Near) {
		return g.Near[j]
	}
	return nil
}

// matched returns |A ∩ B| plus the size of a largest matching of A \ B and B \ A along similar pairs, by augmenting paths.
func matched(g *Graph, a, b set) float64 {
	partner := map[int32]int32{} // of columns of B
	var seen map[int32]bool
	var augment func(x int32) bool
	augment = func(x int32) bool {
		for _, s := range g.near(x) {
			y := s.Column
			if !b.has[y] || a.has[y] || seen[y] {
				continue
			}
			seen[y] = true
			if other, taken := partner[y]; !taken || augment(other) {
				partner[y] = x
				return true
			}
		}
		return false
	}
	for _, x := range a.columns {
		if !b.has[x] && len(g.near(x)) > 0 {
			seen = map[int32]bool{}
			augment(x)
		}
	}
	return float64(shared(a, b) + len(partner))
}

// adjoined returns |A ∩ B| plus half the number of columns of A \ B and of B \ A that have a similar one in the other.
func adjoined(g *Graph, a, b set) float64 {
	n := 0
	for _, pair := range [2][2]set{{a, b}, {b, a}} {
		for _, x := range pair[0].columns {
			if !pair[1].has[x] && slices.ContainsFunc(g.near(x), func(s Similar) bool { return pair[1].has[s.Column] && !pair[0].has[s.Column] }) {
				n++
			}
		}
	}
	return float64(shared(a, b)) + float64(float64(n)/2)
}

// weighed returns |A ∩ B| plus, both ways, the correlations of the columns of a set with those in the other set alone, over the
// size of the other (Zucknick, Richardson & Stronach 2008).
func weighed(g *Graph, a, b set) float64 {
	total := float64(shared(a, b))
	for _, pair := range [2][2]set{{a, b}, {b, a}} {
		sum := 0.0
		for _, x := range pair[0].columns {
			for _, s := range g.near(x) {
				if pair[1].has[s.Column] && !pair[0].has[s.Column] {
					sum += s.Correlation
				}
			}
		}
		if n := len(pair[1].columns); n > 0 {
			total += sum / float64(n)
		}
	}
	return total
}

// expectedYu returns E I of SMA-Yu: with d_x columns similar to x and n₁, n₂ columns of p,
//
//	E I = n₁n₂/p + ½ (h(n₁,n₂) + h(n₂,n₁)),   h(n₁,n₂) = Σ_x n₁/p (1 − n₂/p) (1 − N_x)
//
// N_x being the probability that no similar column of x is in the second set and not in the first, given that x is in the first
// alone. O(columns + distinct d_x · largest d_x).
func expectedYu(g *Graph, n1, n2 int) float64 {
	p := g.Columns
	logs := make([]float64, p) // of factorials
	for i := 1; i < p; i++ {
		logs[i] = logs[i-1] + elementary.Log(float64(i))
	}
	choose := func(n, k int) float64 { // the logarithm
		if k < 0 || k > n || n < 0 {
			return math.Inf(-1)
		}
		return logs[n] - logs[k] - logs[n-k]
	}
	none := func(n1, n2, d int) float64 {
		sum := 0.0
		for t := 0; t <= min(d, n1-1, n2); t++ { // similar columns that are in both sets
			sum += elementary.Exp(choose(d, t) + choose(p-1-d, n2-t) - choose(p-1, n2) + choose(p-1-t, n1-1-t) - choose(p-1, n1-1))
		}
		return sum
	}
	count := map[int]int{} // of columns, by d_x
	for _, near := range g.Near {
		count[len(near)]++
	}
	delete(count, 0)
	degrees := make([]int, 0, len(count))
	for d := range count {
		degrees = append(degrees, d)
	}
	slices.Sort(degrees)
	h := func(n1, n2 int) (sum float64) {
		if n1 == 0 || n2 == p {
			return 0
		}
		for _, d := range degrees {
			sum += float64(float64(count[d]) * (1 - none(n1, n2, d)))
		}
		return float64(float64(n1) / float64(p) * (1 - float64(n2)/float64(p)) * sum)
	}
	return float64(n1)*float64(n2)/float64(p) + float64((h(n1, n2)+h(n2, n1))/2)
}

// setsOf returns the number of sets of n out of p columns; infinite if that is large.
func setsOf(p, n int) float64 {
	sets := 1.0
	for i := range min(n, p-n) {
		if sets *= float64(p-i) / float64(i+1); sets > mostPairs {
			return math.Inf(1)
		}
	}
	return math.Round(sets)
}

// overAll returns E I over all pairs of sets of these sizes.
func (m Measure) overAll(g *Graph, n1, n2 int) float64 {
	sum, n := 0.0, 0
	second := subsets(g.Columns, n2)
	for _, a := range subsets(g.Columns, n1) {
		for _, b := range second {
			sum += m.common(g, setOf(a), setOf(b))
			n++
		}
	}
	return sum / float64(n)
}

// subsets yields the subsets of n of the numbers below p, in lexical order.
func subsets(p, n int) (all [][]int32) {
	places := make([]int32, 0, n)
	var extend func(from int)
	extend = func(from int) {
		if len(places) == n {
			all = append(all, slices.Clone(places))
			return
		}
		for j := from; j <= p-(n-len(places)); j++ {
			places = append(places, int32(j))
			extend(j + 1)
			places = places[:len(places)-1]
		}
	}
	extend(0)
	return all
}

// overDraws returns the mean over pairs of sets.
func (m Measure) overDraws(g *Graph, pairs func(yield func(a, b []int32) bool)) float64 {
	sum, n := 0.0, 0
	for a, b := range pairs {
		sum += m.common(g, setOf(a), setOf(b))
		n++
	}
	return sum / float64(n)
}

// draw yields pairs of uniform sets of n1 and n2 out of p columns.
func draw(p, n1, n2 int, seed uint64) func(yield func(a, b []int32) bool) {
	return func(yield func(a, b []int32) bool) {
		rng := rand.New(rand.NewPCG(seed, 0))
		row := make([]int32, p)
		for j := range row {
			row[j] = int32(j)
		}
		sample := func(n int) []int32 { // the order of the rest does not matter
			for k := range n {
				other := k + rng.IntN(p-k)
				row[k], row[other] = row[other], row[k]
			}
			return slices.Clone(row[:n])
		}
		for range draws {
			if !yield(sample(n1), sample(n2)) {
				return
			}
		}
	}
}
