package forest

import (
	"slices"
	"strings"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/trees"
)

func TestOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"tree": treeCase, "forest": forestCase, "weighted_bag": weightedBag, "nan_forest_node": nodeCase, "families_bad_input": badInputCase})
}

type caseInput struct {
	X            [][]float64
	Y            []float64
	Labels       int `json:"n_labels"`
	Trees        []caseTree
	Permutations []map[int32][]int32
}

type caseTree struct {
	Rows       []int32
	Candidates map[string][]int32
}

type caseOptions struct {
	MTry     int   `json:"mtry"`
	MinLeaf  int64 `json:"min_leaf"`
	MinSplit int64 `json:"min_split"`
	MaxDepth int   `json:"max_depth"`
}

type caseNode struct {
	Path                        string
	Weight, Threshold, Decrease float64
	Value                       any
	Column                      *int32
}

// train is the input as a view.
func (in caseInput) train() *data.View {
	y := enginetest.Real("y", in.Y...)
	if in.Labels > 0 {
		y = enginetest.Class("y", in.Labels, in.Y...)
	}
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(in.X...), y), nil)
}

// listed looks at columns in the order given for a path, or in the order of their numbers.
type listed struct {
	order   map[uint64][]int32
	columns int
	now     []int32
}

func newListed(columns int, candidates map[string][]int32) *listed {
	l := &listed{order: map[uint64][]int32{}, columns: columns}
	for path, order := range candidates {
		l.order[keyOf(path)] = order
	}
	return l
}

func keyOf(path string) uint64 {
	key := uint64(0)
	for _, side := range path {
		key = below(key, uint64(strings.IndexRune("LR", side)))
	}
	return key
}

func (l *listed) begin(node uint64) {
	l.now = l.order[node]
	for j := 0; j < l.columns && l.order[node] == nil; j++ {
		l.now = append(l.now, int32(j))
	}
}

func (l *listed) next() int32 {
	j := l.now[0]
	l.now = l.now[1:]
	return j
}

func (l *listed) end() {}

// growCase grows a tree of a case on rows drawn, and compares its nodes.
func growCase(t *testing.T, g *grower, count []int32, want []caseNode) *tree {
	t.Helper()
	tree, err := g.grow(t.Context(), count, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Nodes) != len(want) {
		t.Fatalf("%d nodes, want %d", len(tree.Nodes), len(want))
	}
	paths, total := make([]string, len(want)), 0.0
	for _, c := range count {
		total += float64(c)
	}
	for k, w := range want {
		n := tree.Nodes[k]
		weight, rows := 0.0, g.rows[g.work[k].from:g.work[k].to] // those of inner nodes are those of what is below them
		value := make([]float64, g.y.width())
		for _, i := range rows {
			c := float64(count[i])
			weight += c
			if g.y.levels > 0 {
				value[g.y.level[i]] += c
			} else {
				value[0] += c * g.y.number[i]
			}
		}
		for l := range value {
			value[l] /= weight
		}
		if paths[k] != w.Path || weight != w.Weight || (n.Column == leaf) != (w.Column == nil) {
			t.Fatalf("node %d: path %s of weight %v, column %d; want %+v", k, paths[k], weight, n.Column, w)
		}
		oracle.NearAll(t, "value of "+w.Path, value, numbers(w.Value), 1e-9)
		if n.Column == leaf {
			oracle.NearAll(t, "leaf "+w.Path, tree.ValueOf(n, g.y.width()), numbers(w.Value), 1e-9)
			continue
		}
		if n.Column != *w.Column {
			t.Fatalf("node %s: column %d, want %d", w.Path, n.Column, *w.Column)
		}
		paths[n.Next], paths[n.Next+1] = w.Path+"L", w.Path+"R"
		oracle.Near(t, "threshold of "+w.Path, n.Threshold, w.Threshold, 1e-12)
		oracle.Near(t, "decrease of "+w.Path, g.work[k].gain/total, w.Decrease, 1e-9)
	}
	return tree
}

func numbers(value any) []float64 {
	if v, one := value.(float64); one {
		return []float64{v}
	}
	var out []float64
	for _, v := range value.([]any) {
		out = append(out, v.(float64))
	}
	return out
}

// newCase is what grows the trees of a case.
func newCase(t *testing.T, in caseInput, o caseOptions, mtry int) (*columns, *response, rule) {
	t.Helper()
	train := in.train()
	_, y, err := readResponse(train, false)
	if err != nil {
		t.Fatal(err)
	}
	x, err := newColumns(t.Context(), train, 1)
	if err != nil {
		t.Fatal(err)
	}
	return x, y, rule{mtry, max(1, o.MinLeaf), max(2, o.MinSplit), o.MaxDepth}
}

func treeCase(t *testing.T, c oracle.Case) {
	var in caseInput
	var o caseOptions
	var want struct{ Nodes []caseNode }
	c.Parts(t, &in, &o, &want)
	x, y, r := newCase(t, in, o, len(in.X[0]))
	growCase(t, newGrower(x, y, r, newListed(len(x.col), nil)), y.bag.Times, want.Nodes)
}

func forestCase(t *testing.T, c oracle.Case) {
	var in caseInput
	var o caseOptions
	var want struct {
		Trees            [][]caseNode
		MDI, Permutation []float64
		OOB              []any
	}
	c.Parts(t, &in, &o, &want)
	x, y, r := newCase(t, in, o, o.MTry)
	impurities, permutations, all := newScores(len(x.col)), newScores(len(x.col)), newVotes(x.rows, y)
	for k, sample := range in.Trees {
		count := make([]int32, x.rows)
		for _, i := range sample.Rows {
			count[i]++
		}
		g := newGrower(x, y, r, newListed(len(x.col), sample.Candidates))
		tree := growCase(t, g, count, want.Trees[k])
		var a outOfBag
		g.sendOutOfBag(&a, tree, y)
		impurities.add(g.impurity(tree))
		permutations.add(g.permutation(&a, tree, y, func(j int32, n int) []int32 {
			places := make([]int32, n)
			for at, i := range in.Permutations[k][j] {
				places[at] = a.nth[i]
			}
			return places
		}))
		all.add(outOf{a.out, a.leaf}, tree)
	}
	oracle.NearAll(t, "impurity", impurities.means(false), want.MDI, 1e-9)
	oracle.NearAll(t, "permutation", permutations.means(false), want.Permutation, 1e-9)
	for i, w := range want.OOB {
		got := all.mean(i)
		if w == nil && got != nil || w != nil && got == nil {
			t.Errorf("row %d: out of the bag %v, want %v", i, got, w)
		} else if w != nil {
			oracle.NearAll(t, "out of the bag", got, numbers(w), 1e-9)
		}
	}
}

// nodeCase splits a node of rows of which some lack values.
func nodeCase(t *testing.T, c oracle.Case) {
	var in struct {
		X, Test [][]*float64
		Y       []float64
	}
	var o struct {
		Target  string
		MinLeaf int64 `json:"min_leaf"`
	}
	var want struct {
		Column              int32
		Threshold, Decrease float64
		Missing             string
		Learned             bool
		Test                []string
	}
	c.Parts(t, &in, &o, &want)
	y := enginetest.Real("y", in.Y...)
	if o.Target == "class" {
		y = enginetest.Class("y", int(slices.Max(in.Y))+1, in.Y...)
	}
	train := gappy(enginetest.Gappy(in.X), y)
	_, r, err := readResponse(train, false)
	if err != nil {
		t.Fatal(err)
	}
	x, err := newColumns(t.Context(), train, 1)
	if err != nil {
		t.Fatal(err)
	}
	g := newGrower(x, r, rule{len(x.col), o.MinLeaf, 2, 1}, newListed(len(x.col), nil))
	tree, err := g.grow(t.Context(), r.bag.Times, 0)
	if err != nil {
		t.Fatal(err)
	}
	side := trees.Side{Right: want.Missing == "right", Learned: want.Learned}
	if n := tree.Nodes[0]; x.number[n.Column] != want.Column || n.Missing != side {
		t.Errorf("%+v, want column %d and %+v", n, want.Column, side)
	}
	oracle.Near(t, "threshold", tree.Nodes[0].Threshold, want.Threshold, 1e-12)
	oracle.Near(t, "decrease", g.work[0].gain, want.Decrease, 1e-9)
	for i, row := range enginetest.Gappy(in.Test) {
		if right := tree.LeafOf(row).Next == 1; right != (want.Test[i] == "right") {
			t.Errorf("row %d goes right: %v, and %s was expected", i, right, want.Test[i])
		}
	}
}

// badInputCase fits what the case is for, with its options in place of the defaults.
func badInputCase(t *testing.T, c oracle.Case) {
	var in caseInput
	o := struct {
		Target     string
		Trees      int
		MTry       int `json:"mtry"`
		MinLeaf    int `json:"min_leaf"`
		MinSplit   int `json:"min_split"`
		MaxDepth   int `json:"max_depth"`
		Bootstrap  bool
		Importance string
	}{Trees: 10, MinSplit: 2, Bootstrap: true, Importance: Impurity}
	var want struct{ Error string }
	c.Parts(t, &in, &o, &want)
	growing := Growing{o.Trees, o.MTry, o.MinLeaf, o.MinSplit, o.MaxDepth, o.Bootstrap}
	if o.Target != "tree" && o.Target != "forest" {
		t.Skipf("a case about %s", o.Target)
	}
	e := Forest{Growing: growing, Importance: o.Importance}
	err := e.Validate()
	if err == nil {
		_, err = e.Fit(t.Context(), runOn(in.train()))
	}
	if err == nil {
		t.Errorf("accepted, expected %s", want.Error)
	}
}
