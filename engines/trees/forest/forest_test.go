package forest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/ridge/leastsquares"
)

func with(change func(e *Forest)) Forest {
	e := Kind.Defaults().(Forest)
	e.Trees = 100
	if change != nil {
		change(&e)
	}
	return e
}

func TestSuite(t *testing.T) {
	for name, change := range map[string]func(e *Forest){
		"permutation":  func(e *Forest) { e.Trees, e.Importance = 20, Permutation },
		"few features": func(e *Forest) { e.Trees, e.Importance, e.Features = 20, ZScore, 3 },
		"all rows":     func(e *Forest) { e.Trees, e.Bootstrap, e.MinLeaf, e.MaxDepth = 3, false, 4, 3 },
	} {
		for _, target := range []data.Type{data.Real, data.Class, data.Count} {
			if target == data.Count && name == "all rows" { // exposures are no whole numbers of rows
				continue
			}
			t.Run(fmt.Sprint(name, " ", target), func(t *testing.T) { enginetest.Suite(t, of{with(change), target}) })
		}
	}
}

// of asks the suite for a type of target.
type of struct {
	Forest
	target data.Type
}

func (e of) Needs() engines.Needs {
	return engines.Needs{Target: e.target, Rates: true, WholeWeights: !e.Bootstrap}
}

func runOn(v *data.View) engines.Run {
	return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(3, 4)), Workers: 2}
}

func fit(t *testing.T, e engines.Engine, v *data.View) *Model {
	t.Helper()
	m, err := e.Fit(t.Context(), runOn(v))
	if err != nil {
		t.Fatal(err)
	}
	return m.(*Model)
}

// table is rows of so many columns of random whole numbers, many of which are 0 where sparse, and a response of each row.
func table(seed uint64, rows, columns int, sparse bool, response func(row []float64, rng *rand.Rand) float64) ([][]float64, []float64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			if x[i][j] = float64(rng.IntN(41) - 20); sparse && rng.IntN(10) > 0 {
				x[i][j] = 0
			}
		}
		y[i] = response(x[i], rng)
	}
	return x, y
}

func exclusive(row []float64, _ *rand.Rand) float64 {
	if (row[0] > 0) != (row[1] > 0) {
		return 1
	}
	return 0
}

func view(x [][]float64, y data.Target) *data.View {
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), y), nil)
}

// Which of two columns is above 0 but not the other is seen by no linear model; a forest learns it, and its importances, of any
// kind, are largest for the two columns.
func TestExclusive(t *testing.T) {
	x, y := table(1, 600, 6, false, exclusive)
	train, test := view(x[:400], enginetest.Real("y", y[:400]...)), view(x[400:], enginetest.Real("y", y[400:]...))
	squares := func(e engines.Engine) (sum float64) {
		m, err := e.Fit(t.Context(), runOn(train))
		if err != nil {
			t.Fatal(err)
		}
		p := make([]float64, test.Len())
		m.Predict(p, test.Inputs())
		for i, v := range p {
			sum += (v - y[400+i]) * (v - y[400+i]) / float64(len(p))
		}
		return sum
	}
	if linear, forest := squares(leastsquares.OLSKind.Defaults()), squares(with(nil)); linear < 0.2 || forest > 0.15 {
		t.Errorf("squared errors: linear %v, forest %v", linear, forest)
	}
	for _, importance := range []string{Impurity, Permutation, ZScore} {
		f, err := with(func(e *Forest) { e.Importance = importance }).grow(t.Context(), runOn(train), false)
		if err != nil {
			t.Fatal(err)
		}
		if v := f.importance; min(v[0], v[1]) < 2*slices.Max(v[2:]) {
			t.Errorf("%s: %v", importance, v)
		}
	}
}

// On fewer columns selected than a node is to look at, it looks at all of them.
func TestFewerThanMTry(t *testing.T) {
	x, y := table(1, 100, 6, false, exclusive)
	train := view(x, enginetest.Class("y", 2, y...))
	models := [2]engines.Model{}
	for k, mtry := range []int{5, 2} {
		e := with(func(e *Forest) { e.MTry, e.Features = mtry, 2 })
		m, err := Regrown{e}.Fit(t.Context(), runOn(train.Narrow([]int32{0, 1})))
		if err != nil {
			t.Fatal(err)
		}
		models[k] = m
		if m, err = e.Fit(t.Context(), runOn(train)); err != nil || len(engines.ColumnsOf(m, 6)) != 2 {
			t.Errorf("mtry %d: %v, %v", mtry, m, err)
		}
	}
	if err := enginetest.Same(models[0], models[1], train.Narrow([]int32{0, 1})); err != nil {
		t.Error(err)
	}
}

// The importances of shuffled levels, by permutation, are 0 within four of their standard errors.
func TestNothingToFind(t *testing.T) {
	x, y := table(5, 300, 20, false, func(_ []float64, rng *rand.Rand) float64 { return float64(rng.IntN(3)) })
	train := view(x, enginetest.Class("y", 3, y...))
	for seed := range uint64(5) {
		run := runOn(train)
		run.Rand = rand.New(rand.NewPCG(seed, 1))
		f, err := with(func(e *Forest) { e.Importance = Permutation }).grow(t.Context(), run, false)
		if err != nil {
			t.Fatal(err)
		}
		mean, squares := 0.0, 0.0
		for _, v := range f.importance {
			mean += v / 20
			squares += v * v / 20
		}
		if sd := math.Sqrt((squares - mean*mean) / 20); !(math.Abs(mean) <= 4*sd) {
			t.Errorf("seed %d: mean %v ± %v of %v", seed, mean, sd, f.importance)
		}
		if loss, _ := f.votes.loss(); !(math.Abs(loss-2.0/3) <= 0.1) {
			t.Errorf("seed %d: a share of %v is wrong out of the bag", seed, loss)
		}
	}
}

// Trees that have all rows are made of the order of values alone: rising functions of the columns change no prediction of these rows.
// (A row outside a sample may lie between the two values of a split, on one side of their middle or the other.)
func TestRisingFunctions(t *testing.T) {
	e := with(func(e *Forest) { e.Bootstrap, e.MinLeaf = false, 3 })
	for _, sparse := range []bool{false, true} {
		x, y := table(2, 200, 8, sparse, func(row []float64, rng *rand.Rand) float64 {
			return float64(min(2, int(math.Abs(row[0]+row[1]*row[2]/20)/8))) + float64(rng.IntN(2))/2
		})
		bent := make([][]float64, len(x))
		for i, row := range x {
			for j, v := range row {
				bent[i] = append(bent[i], v*v*v/7+float64(j)*v)
			}
		}
		for _, target := range []data.Target{enginetest.Real("y", y...), enginetest.Class("y", 6, doubled(y)...)} {
			straight, curved := fit(t, e, view(x, target)), fit(t, e, view(bent, target))
			one, other := make([]float64, len(x)*straight.Outputs()), make([]float64, len(x)*straight.Outputs())
			straight.Predict(one, view(x, target).Inputs())
			curved.Predict(other, view(bent, target).Inputs())
			if !slices.Equal(one, other) {
				t.Errorf("sparse %v, %d levels: other predictions", sparse, straight.levels)
			}
		}
	}
}

func doubled(y []float64) []float64 {
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = 2 * v
	}
	return out
}

// A row of weight 3 is three rows, where trees have all rows.
func TestWeights(t *testing.T) {
	x, y := table(3, 60, 5, false, func(row []float64, rng *rand.Rand) float64 { return math.Round(row[0]/8) + float64(rng.IntN(3)) })
	var x3 [][]float64
	var y3, w []float64
	for i := range x {
		w = append(w, float64(1+i%3))
		for range 1 + i%3 {
			x3, y3 = append(x3, x[i]), append(y3, y[i])
		}
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...))
	set.Weight = w
	e := with(func(e *Forest) { e.Bootstrap = false })
	weighted, repeated := fit(t, e, enginetest.View(set, nil)), fit(t, e, view(x3, enginetest.Real("y", y3...)))
	if len(weighted.trees) == 0 || !reflect.DeepEqual(structure(weighted), structure(repeated)) {
		t.Error("other trees")
	}
	set.Weight[7] = 1.5
	if _, err := e.Fit(t.Context(), runOn(enginetest.View(set, nil))); err == nil || !strings.HasPrefix(err.Error(), "row 7 has the weight 1.5, expected a whole number") {
		t.Error(err)
	}
}

// structure is the splits of a model, whose means of leaves differ in their last bits.
func structure(m *Model) (nodes [][]node) {
	for _, t := range m.trees {
		nodes = append(nodes, t.Nodes)
	}
	return nodes
}

// A tree that is grown by the literal definition is the same: every threshold of every column, on rows laid out; of sparse and of
// dense columns, few rows and many.
func TestLiteral(t *testing.T) {
	for seed := range uint64(40) {
		rows := 20 + 10*int(seed)
		x, y := table(seed, rows, 7, seed%2 == 0, func(row []float64, rng *rand.Rand) float64 {
			return float64(rng.IntN(2)) + max(-1, min(1, math.Round(row[0]/10)))
		})
		target := enginetest.Real("y", y...)
		if seed%3 > 0 {
			for i := range y {
				y[i]++
			}
			target = enginetest.Class("y", 4, y...)
		}
		v := view(x, target)
		_, r, err := readResponse(v, false)
		if err != nil {
			t.Fatal(err)
		}
		c, err := newColumns(t.Context(), v, 1)
		if err != nil {
			t.Fatal(err)
		}
		g := newGrower(c, r, rule{7, 1 + int64(seed%4), 2, 0}, newListed(7, nil))
		got, err := g.grow(t.Context(), r.bag.Times, 0)
		if err != nil {
			t.Fatal(err)
		}
		l := literal{x, y, r.levels, 1 + int(seed%4), nil}
		l.grow(data.Numbers(rows))
		if text := describe(got, 0); text != strings.Join(l.text, " ") {
			t.Fatalf("seed %d:\n%s\nwant\n%s", seed, text, strings.Join(l.text, " "))
		}
	}
}

// describe is the splits of a tree, depth first.
func describe(t *tree, k int32) string {
	n := t.Nodes[k]
	if n.Column == leaf {
		return "leaf"
	}
	return fmt.Sprintf("x%d<=%v %s %s", n.Column, n.Threshold, describe(t, n.Next), describe(t, n.Next+1))
}

type literal struct {
	x       [][]float64
	y       []float64
	levels  int
	minLeaf int
	text    []string
}

func (l *literal) grow(rows []int32) {
	column, threshold, best := -1, 0.0, l.quality(rows)*(1-1e-9)-1e-9
	for j := range l.x[0] {
		values := []float64{}
		for _, i := range rows {
			values = append(values, l.x[i][j])
		}
		slices.Sort(values)
		values = slices.Compact(values)
		for k := 1; k < len(values); k++ {
			left, right := l.divide(rows, j, (values[k-1]+values[k])/2)
			if q := l.quality(left) + l.quality(right); len(left) >= l.minLeaf && len(right) >= l.minLeaf && (column < 0 || q > best*(1+1e-9)+1e-9) {
				column, threshold, best = j, (values[k-1]+values[k])/2, q
			}
		}
	}
	pure := !slices.ContainsFunc(rows, func(i int32) bool { return l.y[i] != l.y[rows[0]] })
	if column < 0 || pure {
		l.text = append(l.text, "leaf")
		return
	}
	l.text = append(l.text, fmt.Sprintf("x%d<=%v", column, threshold))
	left, right := l.divide(rows, column, threshold)
	l.grow(left)
	l.grow(right)
}

func (l *literal) divide(rows []int32, j int, threshold float64) (left, right []int32) {
	for _, i := range rows {
		if l.x[i][j] <= threshold {
			left = append(left, i)
		} else {
			right = append(right, i)
		}
	}
	return left, right
}

// quality is Σ_k C_k²/C, or T²/C.
func (l *literal) quality(rows []int32) (q float64) {
	count, sum := make([]float64, l.levels+1), 0.0
	for _, i := range rows {
		if l.levels > 0 {
			count[int(l.y[i])]++
		}
		sum += l.y[i]
	}
	if l.levels == 0 {
		return sum * sum / float64(len(rows))
	}
	for _, c := range count {
		q += c * c / float64(len(rows))
	}
	return q
}

// Fractions that floating point cannot tell apart are told, up to the size of 2³¹ rows.
func TestCompare(t *testing.T) {
	of := func(sl, cl, sr, cr int64) fraction {
		return split{left: side{weight: cl, squares: sl}, right: side{weight: cr, squares: sr}}.fraction()
	}
	const n = 1 << 30
	for _, c := range []struct {
		a, b fraction
		want int
	}{
		{of(5, 3, 10, 4), of(10, 4, 5, 3), 0},
		{of(5, 3, 10, 4), of(4, 2, 13, 5), -1},
		{of(n*n, n, n*n, n), of(n*n-1, n, n*n, n), 1},
		{of(n*n-1, n, n*n, n), of(n*n, n, n*n-1, n), 0},
		{of(n*n-1, n, n*n, n), of(n*n, n, n*n, n), -1},
	} {
		if got := compare(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// Columns of the order drawn are a permutation, another one for each node, and that of a node comes again.
func TestDrawn(t *testing.T) {
	d := newDrawn(data.Numbers(30))
	draw := func(node uint64, n int) (columns []int32) {
		d.begin(node)
		defer d.end()
		for range n {
			columns = append(columns, d.next())
		}
		return columns
	}
	first, second := draw(1, 30), draw(2, 30)
	if !slices.Equal(draw(1, 5), first[:5]) || slices.Equal(first, second) {
		t.Errorf("%v, %v", first, second)
	}
	if slices.Sort(first); !slices.Equal(first, data.Numbers(30)) {
		t.Errorf("%v is no permutation", first)
	}
}

func TestRefusals(t *testing.T) {
	x, y := table(4, 12, 3, false, exclusive)
	for _, c := range []struct {
		change func(e *Forest)
		want   string
	}{
		{func(e *Forest) { e.Trees = 0 }, "trees: 0, expected at least 1"},
		{func(e *Forest) { e.MTry = -1 }, "mtry: -1, expected at least 1, or 0"},
		{func(e *Forest) { e.MinLeaf = -2 }, "min_leaf: -2, expected at least 1, or 0"},
		{func(e *Forest) { e.MinSplit = 1 }, "min_split: 1, expected at least 2"},
		{func(e *Forest) { e.MaxDepth = -1 }, "max_depth: -1, expected at least 1, or 0"},
		{func(e *Forest) { e.Importance = "gini" }, `importance: "gini" is not one of impurity, permutation, z`},
		{func(e *Forest) { e.Features = -1 }, "features: -1, expected at least 1, or 0"},
		{func(e *Forest) { e.Bootstrap, e.Importance = false, ZScore }, "importance: z is measured on rows out of the bag, and without bootstrap there are none"},
		{func(e *Forest) { e.MTry = 4 }, "mtry 4, and the data has 3 columns"},
		{func(e *Forest) { e.MinLeaf = 7 }, "min_leaf 7, and there are 12 training rows: no split leaves so many on both sides"},
		{func(e *Forest) { e.Features = 4 }, "features 4, and the data has 3 columns"},
	} {
		e := with(c.change)
		err := e.Validate()
		if err == nil {
			_, err = e.Fit(t.Context(), runOn(view(x, enginetest.Real("y", y...))))
		}
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	same := enginetest.Class("c", 2, make([]float64, 12)...)
	if _, err := with(nil).Fit(t.Context(), runOn(view(x, same))); err == nil || !strings.HasPrefix(err.Error(), `target c is constant ("l0" in all 12 training rows)`) {
		t.Error(err)
	}
	alone := view([][]float64{{1}, {2}}, enginetest.Class("c", 2, 0, 1))
	few := with(func(e *Forest) { e.Trees, e.Importance = 1, Permutation })
	refused := 0
	for seed := range uint64(20) {
		run := runOn(alone)
		run.Rand = rand.New(rand.NewPCG(seed, 0))
		if _, err := few.Fit(t.Context(), run); err != nil {
			if refused++; !strings.HasPrefix(err.Error(), "importance permutation: no tree has a row out of its bag") {
				t.Error(err)
			}
		}
	}
	if refused == 0 || refused == 20 {
		t.Errorf("%d of 20 samples of two rows are refused, expected about half", refused)
	}
}

func TestKept(t *testing.T) {
	models := engines.Models{SavedAs: Restore}
	for _, target := range []data.Type{data.Real, data.Class} {
		m, on, err := enginetest.Fitted(with(nil), engines.Needs{Target: target})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := enginetest.Kept(m, models, on); err != nil {
			t.Error(err)
		}
	}
	const state = `{"levels":2,"trees":[{"column":[0,-1,1,-1,-1],"threshold":[0.5,2],"missing":"lR","value":[1,0,0.5,0.5,0,1]}],"importance":{"feature":[1],"value":[0],"rank":[0],"score":[3]},"fitted":{"best":-1}}`
	enginetest.Damaged(t, models, SavedAs, state, data.NewFeatures([]string{"a", "b"}), []enginetest.Damage{
		{`"levels":2`, `"levels":1`, "1 trees for 1 levels"},
		{`"trees":[{"column":[0,-1,1,-1,-1],"threshold":[0.5,2],"missing":"lR","value":[1,0,0.5,0.5,0,1]}]`, `"trees":[]`, "0 trees for 2 levels"},
		{`[0,-1,1`, `[0,-1,2`, "tree 0: node 2 splits on column 2, and there are 2"},
		{`[0,-1,1,-1,-1]`, `[-1,0,1,-1,-1]`, "tree 0: its nodes are no tree"},
		{`[0,-1,1,-1,-1]`, `[0,-1,1,-1]`, "tree 0: 4 nodes, 2 thresholds and 6 values"},
		{`[0.5,2]`, `[0.5]`, "tree 0: its nodes are no tree"},
		{`[0.5,2]`, `[0.5,"NaN"]`, "tree 0: a threshold is no number"},
		{`[1,0,0.5`, `[1.5,0,0.5`, "tree 0: a leaf has the value 1.5"},
		{`"feature":[1]`, `"feature":[2]`, "importance: coefficient 0 is of column 2, and there are 2"},
		{`,"fitted":{"best":-1}`, ``, `"fitted" is missing`},
	})
}

// Keys come out in order, however many there are and however their codes lie.
func TestSorted(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	var g grower
	for n := range 400 {
		codes := []int{1, 2, 3, 50, n + 1, 100_000}[n%6]
		keys := make([]uint64, n)
		for i := range keys {
			code := rng.IntN(codes)
			if n%7 == 0 && i > 0 { // nearly all close together, one far away
				code /= 1000
			}
			keys[i] = uint64(code)<<32 | uint64(i)
		}
		want := slices.Sorted(slices.Values(keys))
		if got := g.sorted(keys); !slices.Equal(got, want) {
			t.Fatalf("%d keys of %d codes: %v, want %v", n, codes, got, want)
		}
	}
}
