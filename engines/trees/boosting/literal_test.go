package boosting

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/trees"
)

// literal boosts by the definition: sums of floating point over the rows of a node, for every threshold of every column, with rows that lack
// the value on either side.
type literal struct {
	Boosted
	x      [][]float64
	y, m   []float64
	levels int

	f, first, second []float64 // by row
	nodes            []literalNode
}

type literalNode struct {
	rows      []int
	depth     int
	column    int
	threshold float64
	missing   trees.Side
	gain      float64
	below     [2]int
}

func (l *literal) sums(rows []int) (g, h float64) {
	for _, i := range rows {
		g += l.first[i]
		h += l.second[i]
	}
	return g, h
}

func (l *literal) weigh(rows []int) (sum float64) {
	for _, i := range rows {
		if l.m == nil {
			sum++
		} else {
			sum += l.m[i]
		}
	}
	return sum
}

// worth of a leaf: what it lowers the objective by.
func (l *literal) worth(g, h float64) float64 {
	t := max(0, math.Abs(g)-l.C1)
	return t * t / (h + l.C2) / 2
}

func (l *literal) value(g, h float64) float64 {
	return -l.Shrinkage * math.Copysign(max(0, math.Abs(g)-l.C1), g) / (h + l.C2)
}

// add a node, with its best split.
func (l *literal) add(rows []int, depth int) int {
	n := literalNode{rows: rows, depth: depth, column: -1}
	g, h := l.sums(rows)
	for j := range l.x[0] {
		if l.MaxDepth > 0 && depth >= l.MaxDepth {
			break
		}
		values, missing := []float64{}, 0
		for _, i := range rows {
			if v := l.x[i][j]; v == v {
				values = append(values, v)
			} else {
				missing++
			}
		}
		slices.Sort(values)
		values = slices.Compact(values)
		try := func(threshold float64, side trees.Side) {
			left, right := l.divide(rows, j, threshold, side)
			gl, hl := l.sums(left)
			gr, hr := l.sums(right)
			gain := l.worth(gl, hl) + l.worth(gr, hr) - l.worth(g, h) - l.Gamma
			if side.Learned = missing > 0; missing == 0 {
				side = trees.Larger(l.weigh(left), l.weigh(right))
			}
			if len(left) > 0 && len(right) > 0 && min(hl, hr) >= l.MinWeight-1e-12 && gain > max(1e-9, n.gain+1e-9) {
				n.column, n.threshold, n.missing, n.gain = j, threshold, side, gain
			}
		}
		for k := 1; k < len(values); k++ {
			try((values[k-1]+values[k])/2, trees.Side{Right: true})
			try((values[k-1]+values[k])/2, trees.Side{})
		}
		try(math.Inf(1), trees.Side{Right: true})
	}
	l.nodes = append(l.nodes, n)
	return len(l.nodes) - 1
}

func (l *literal) divide(rows []int, j int, threshold float64, side trees.Side) (left, right []int) {
	for _, i := range rows {
		if v := l.x[i][j]; v <= threshold || v != v && !side.Right {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	return left, right
}

// tree of the present derivatives, split node by node in order of gain, in words.
func (l *literal) tree() string {
	all := make([]int, len(l.x))
	for i := range all {
		all[i] = i
	}
	l.nodes = nil
	open := []int{l.add(all, 0)}
	for leaves := 1; l.MaxLeaves == 0 || leaves < l.MaxLeaves; leaves++ {
		best := -1
		for k, at := range open {
			if l.nodes[at].column >= 0 && (best < 0 || l.nodes[at].gain > l.nodes[open[best]].gain+1e-9) {
				best = k
			}
		}
		if best < 0 {
			break
		}
		at := open[best]
		n := l.nodes[at]
		left, right := l.divide(n.rows, n.column, n.threshold, n.missing)
		one, other := l.add(left, n.depth+1), l.add(right, n.depth+1)
		l.nodes[at].below = [2]int{one, other}
		open = append(slices.Delete(open, best, best+1), one, other)
	}
	return l.words(0)
}

// words of a node, and its step.
func (l *literal) words(at int) string {
	n := l.nodes[at]
	if n.below[1] == 0 {
		v := l.value(l.sums(n.rows))
		for _, i := range n.rows {
			l.f[i] += v
		}
		return "leaf"
	}
	return fmt.Sprintf("x%d<=%v %+v %s %s", n.column, n.threshold, n.missing, l.words(n.below[0]), l.words(n.below[1]))
}

// boost numbers or two levels.
func (l *literal) boost() (text []string) {
	sum, total := 0.0, 0.0
	for i, m := range l.m {
		sum, total = sum+m*l.y[i], total+m
	}
	base := sum / total
	if l.levels == 2 {
		base = math.Log(base / (1 - base))
	}
	l.f, l.first, l.second = slices.Repeat([]float64{base}, len(l.y)), make([]float64, len(l.y)), make([]float64, len(l.y))
	for range l.Trees {
		for i, m := range l.m {
			l.first[i], l.second[i] = m*(l.f[i]-l.y[i]), m
			if l.levels == 2 {
				p := 1 / (1 + math.Exp(-l.f[i]))
				l.first[i], l.second[i] = m*(p-l.y[i]), m*p*(1-p)
			}
		}
		text = append(text, l.tree())
	}
	return text
}

// describe is the splits of a tree, depth first.
func describe(t *trees.Tree, k int32) string {
	n := t.Nodes[k]
	if n.Column == trees.Leaf {
		return "leaf"
	}
	return fmt.Sprintf("x%d<=%v %+v %s %s", n.Column, n.Threshold, n.Missing, describe(t, n.Next), describe(t, n.Next+1))
}

// table is rows of so many columns of random whole numbers, many of which are 0 where sparse.
func table(seed uint64, rows, columns int, sparse bool) ([][]float64, *rand.Rand) {
	rng := rand.New(rand.NewPCG(seed, 0))
	x := make([][]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			if x[i][j] = float64(rng.IntN(21) - 10); sparse && rng.IntN(10) > 0 {
				x[i][j] = 0
			} else if sparse && j%3 == 0 {
				x[i][j] = float64(1 - 2*(j%2))
			}
		}
	}
	return x, rng
}

// Trees of the literal definition are the same, of numbers and two levels, of dense and sparse columns, with weights and without, by depth
// and by leaves, with all penalties, with values that are missing and without.
func TestLiteral(t *testing.T) {
	for seed := range uint64(48) {
		x, rng := table(seed, 40+10*int(seed%20), 7, seed%2 == 0)
		l := &literal{Boosted: with(func(e *Boosted) {
			e.Trees, e.MaxDepth, e.Shrinkage = 6, 1+int(seed%5), 0.3
			e.C1, e.C2, e.Gamma = float64(seed%3)/3, float64(seed%4)/2, float64(seed%2)/10
			if e.MinWeight = 1.5; seed%5 == 0 {
				e.MaxDepth, e.MaxLeaves = 0, 5
			}
		}), x: x, levels: 2 * int(seed/2%2)}
		for _, row := range x {
			y, m := row[0]-row[1]+row[2]*row[3]/10+3*rng.NormFloat64(), 1.0
			if l.levels == 2 {
				y = float64(min(1, max(0, int(y+1))))
			}
			if seed%3 == 0 {
				m = rng.Float64() + 0.5
			}
			l.y, l.m = append(l.y, y), append(l.m, m)
			for j := range row {
				if seed%4 > 1 && rng.IntN(2+j) == 0 {
					row[j] = math.NaN()
				}
			}
		}
		target := enginetest.Real("y", l.y...)
		if l.levels == 2 {
			target = enginetest.Class("y", 2, l.y...)
		}
		set := enginetest.Dataset(enginetest.Matrix(x...), target)
		set.Weight = l.m
		f, err := l.Boosted.boost(t.Context(), runOn(enginetest.View(set, nil)))
		if err != nil {
			t.Fatal(err)
		}
		want, got := l.boost(), []string{}
		for _, tree := range f.trees {
			got = append(got, describe(tree, 0))
		}
		if strings.Join(got, "\n") != strings.Join(want[:len(got)], "\n") || slices.ContainsFunc(want[len(got):], func(s string) bool { return s != "leaf" }) {
			t.Fatalf("seed %d:\n%s\nwant\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		score := make([]float64, len(x)*max(1, l.levels))
		f.model(l.Trees).Predict(score, enginetest.View(set, nil).Inputs())
		for i, w := range l.f {
			own := score[i*max(1, l.levels)]
			if l.levels == 2 {
				own = score[2*i+1] - score[2*i]
			}
			if len(got) == l.Trees && !(math.Abs(own-w) <= 1e-9*max(1, math.Abs(w))) {
				t.Fatalf("seed %d: row %d has the score %v, want %v", seed, i, own, w)
			}
		}
	}
}

// Softmax of three levels: the literal gradients of one round, by tree, and the fit to them.
func TestThreeLevels(t *testing.T) {
	x, rng := table(3, 200, 5, false)
	y := make([]float64, len(x))
	for i, row := range x {
		y[i] = float64(min(2, max(0, int(row[0]/5+1.5+rng.NormFloat64()))))
	}
	v := view(x, enginetest.Class("y", 3, y...))
	e := with(func(e *Boosted) { e.Trees, e.MaxDepth, e.Shrinkage = 2, 2, 0.5 })
	f, err := e.boost(t.Context(), runOn(v))
	if err != nil {
		t.Fatal(err)
	}
	score := make([][]float64, len(x))
	for i := range score {
		score[i] = slices.Clone(f.base)
	}
	for round := range e.Trees {
		p := make([][]float64, len(x))
		for i, s := range score {
			sum := 0.0
			for _, v := range s {
				sum += math.Exp(v)
			}
			for _, v := range s {
				p[i] = append(p[i], math.Exp(v)/sum)
			}
		}
		for k := range 3 {
			l := &literal{Boosted: e, x: x, f: make([]float64, len(x))}
			for i := range x {
				first := p[i][k]
				if int(y[i]) == k {
					first--
				}
				l.first, l.second = append(l.first, first), append(l.second, p[i][k]*(1-p[i][k]))
			}
			if got, want := describe(f.trees[3*round+k], 0), l.tree(); got != want {
				t.Fatalf("round %d, level %d: %s, want %s", round, k, got, want)
			}
			for i, step := range l.f {
				score[i][k] += step
			}
		}
	}
	out := make([]float64, 3*len(x))
	f.model(2).Predict(out, v.Inputs())
	for i, s := range score {
		for k := range s {
			if d := out[3*i+k] - out[3*i] - (s[k] - s[0]); !(math.Abs(d) <= 1e-9) {
				t.Fatalf("row %d: scores %v, want differences of %v", i, out[3*i:3*i+3], s)
			}
		}
	}
}

// data of weight 2 are rows twice.
func TestWeights(t *testing.T) {
	x, rng := table(5, 60, 4, false)
	var twice [][]float64
	var y, m, y2 []float64
	for i, row := range x {
		y, m = append(y, row[0]+float64(rng.IntN(5))), append(m, float64(1+i%2))
		for range 1 + i%2 {
			twice, y2 = append(twice, row), append(y2, y[i])
		}
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...))
	set.Weight = m
	words := func(v *data.View) (out []string) {
		f, err := with(nil).boost(t.Context(), runOn(v))
		if err != nil {
			t.Fatal(err)
		}
		for _, tree := range f.trees {
			out = append(out, describe(tree, 0))
		}
		return out
	}
	if one, other := words(enginetest.View(set, nil)), words(view(twice, enginetest.Real("y", y2...))); !slices.Equal(one, other) {
		t.Errorf("%v\n%v", one, other)
	}
}
