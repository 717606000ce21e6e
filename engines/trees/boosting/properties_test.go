package boosting

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/prepare"
	"tenfold/engines/trees"
)

// planted is rows with a response of two columns, one of them only where the other is positive, as numbers and as two levels.
func planted(seed uint64, rows, columns int, sparse bool) (x [][]float64, numbers, levels data.Target) {
	x, rng := table(seed, rows, columns, sparse)
	y, l := make([]float64, rows), make([]float64, rows)
	for i, row := range x {
		if y[i] = row[0] + 2*rng.NormFloat64(); row[0] > 0 {
			y[i] += 2 * row[1]
		}
		if y[i] > 0 {
			l[i] = 1
		}
	}
	return x, enginetest.Real("y", y...), enginetest.Class("y", 2, l...)
}

// A tree that is not shortened lowers the objective by what its splits gain, in sum.
func TestGainsAddUp(t *testing.T) {
	for _, sparse := range []bool{false, true} {
		x, numbers, _ := planted(1, 300, 6, sparse)
		e := with(func(e *Boosted) {
			e.Trees, e.Shrinkage, e.MaxDepth, e.C1, e.C2, e.Gamma = 1, 1, 5, 3, 2, 1
		})
		f, err := e.boost(t.Context(), runOn(view(x, numbers)))
		if err != nil {
			t.Fatal(err)
		}
		objective := func(value []float64, leafOf func(i int) int) float64 {
			sum := 0.0
			for i, y := range numbers.Values {
				r := y - f.base[0] - value[leafOf(i)]
				sum += r * r / 2
			}
			for _, v := range value {
				sum += e.C1*math.Abs(v) + e.C2*v*v/2 + e.Gamma
			}
			return sum
		}
		tree, gains := f.trees[0], 0.0
		for _, s := range f.gain[0] {
			gains += s.by
		}
		before := objective([]float64{0}, func(int) int { return 0 })
		after := objective(tree.Value, func(i int) int { return int(tree.LeafOf(x[i]).Next) })
		if len(f.gain[0]) < 5 || !(math.Abs(before-after-gains) <= 1e-6*before) {
			t.Errorf("sparse %v: %d splits gain %v, and the objective falls by %v", sparse, len(f.gain[0]), gains, before-after)
		}
	}
}

// The loss on the training rows falls from round to round, and steps name the number of trees; the last is that of the model's predictions.
func TestTrainingLossFalls(t *testing.T) {
	x, numbers, levels := planted(2, 300, 6, false)
	three := make([]float64, len(x))
	for i, y := range numbers.Values {
		if y > 1 {
			three[i] = 1
		} else if y < -1 {
			three[i] = 2
		}
	}
	for _, target := range []data.Target{numbers, levels, enginetest.Class("y", 3, three...)} {
		var steps []engines.Step
		entered := map[int]bool{}
		v := view(x, target)
		run := runOn(v)
		run.Trace = func(s engines.Step) { steps = append(steps, s) }
		m, err := with(nil).Fit(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		for k, s := range steps[1:] {
			for _, c := range s.Also {
				entered[c.Feature] = true
			}
			if len(entered) != s.Active {
				t.Fatalf("%d columns have entered, %d are active", len(entered), s.Active)
			}
			if s.TrainError >= steps[k].TrainError || s.ParameterValue != float64(k+1) || s.Active < steps[k].Active {
				t.Fatalf("step %+v after %+v", s, steps[k])
			}
		}
		if len(steps) != 21 || steps[20].Active < 2 {
			t.Errorf("%d steps, the last %+v", len(steps), steps[len(steps)-1])
		}
		outputs := m.Outputs()
		p, loss := make([]float64, len(x)*outputs), 0.0
		m.Predict(p, v.Inputs())
		for i, y := range target.Values {
			if target.Type == data.Class {
				loss -= p[i*outputs+int(y)] / float64(len(x))
			} else {
				loss += (y - p[i]) * (y - p[i]) / float64(len(x))
			}
		}
		if last := steps[20].TrainError; !(math.Abs(last-loss) <= 1e-9*loss) {
			t.Errorf("%d levels: the last step has a loss of %v, predictions %v", len(target.Levels), last, loss)
		}
	}
}

// Candidates are the columns drawn for a tree, at each node that could be split.
func TestCandidates(t *testing.T) {
	x, numbers, _ := planted(5, 300, 20, false)
	for _, c := range []struct {
		share float64
		depth int
		want  int64 // a round
	}{{1, 1, 20}, {0.3, 1, 6}, {0.01, 1, 1}, {0.3, 2, 18}} {
		m, err := with(func(e *Boosted) { e.ColumnShare, e.MaxDepth, e.Trees = c.share, c.depth, 7 }).Fit(t.Context(), runOn(view(x, numbers)))
		if err != nil || m.(*Model).fitted.Evaluated != 7*c.want {
			t.Errorf("share %v, depth %d: %+v, %v", c.share, c.depth, m.(*Model).fitted, err)
		}
	}
}

// A path has the models of fits with so many trees, with rows held out and without.
func TestPath(t *testing.T) {
	x, numbers, _ := planted(3, 200, 5, false)
	v := view(x, numbers)
	for name, change := range map[string]func(e *Boosted){
		"all":      nil,
		"held out": func(e *Boosted) { e.Patience, e.Validation, e.Shrinkage = 2, 0.3, 0.5 },
		"sampled":  func(e *Boosted) { e.RowShare, e.ColumnShare = 0.6, 0.6 },
		"features": func(e *Boosted) { e.Features = 2 },
	} {
		e := with(change)
		values := []float64{40, 1, 7, 3}
		got := make([]engines.Model, len(values))
		if err := e.FitPath(t.Context(), runOn(v), engines.PathPoints{Parameter: "trees", Values: values}, func(i int, m engines.Model) { got[i] = m }); err != nil {
			t.Fatal(err)
		}
		for i, trees := range values {
			want, err := e.AtValue(trees).Fit(t.Context(), runOn(v))
			if err != nil {
				t.Fatal(err)
			}
			a, b := make([]float64, len(x)), make([]float64, len(x))
			got[i].Predict(a, v.Inputs())
			want.Predict(b, v.Inputs())
			if !slices.Equal(a, b) || !slices.Equal(engines.Entries(got[i]), engines.Entries(want)) {
				t.Errorf("%s: %v trees predict otherwise", name, trees)
			}
		}
	}
	if err := with(nil).FitPath(t.Context(), runOn(v), engines.PathPoints{Parameter: "trees", Values: []float64{2.5}}, nil); err == nil || err.Error() != "trees 2.5, expected a whole number from 1 to 100000" {
		t.Error(err)
	}
}

// With rows held out a fit ends so many rounds after the smallest loss on them, and keeps the trees up to there. Rows held out have no part
// in the trees: with other columns and responses there, the trees are the same.
func TestHeldOut(t *testing.T) {
	x, _, levels := planted(4, 400, 5, false)
	e := with(func(e *Boosted) { e.Trees, e.Patience, e.Validation, e.Shrinkage = 500, 5, 0.25, 0.5 })
	f, err := e.boost(t.Context(), runOn(view(x, levels)))
	if err != nil {
		t.Fatal(err)
	}
	m := f.model(e.Trees)
	best := slices.Index(f.held, slices.Min(f.held))
	if fitted := m.Fitted(); fitted.Stop != stopPatience || fitted.Best != best || fitted.Iterations != best+5 || len(m.trees) != best || best < 2 || best > 100 {
		t.Errorf("%+v, losses %v", m.Fitted(), f.held)
	}
	e.Patience = 1000
	e.Trees = 20
	trained := func(x [][]float64, y data.Target) []*trees.Tree {
		f, err := e.boost(t.Context(), runOn(view(x, y)))
		if err != nil {
			t.Fatal(err)
		}
		return f.trees
	}
	want := trained(x, levels)
	seed := runOn(nil).Rand.Uint64()
	_, held, err := holdOut(engines.Run{Train: view(x, levels)}, e.Validation, rand.New(rand.NewPCG(seed, 0)))
	if err != nil || len(held) != 100 {
		t.Fatalf("%d rows held out, %v", len(held), err)
	}
	others := slices.Clone(x)
	for _, i := range held {
		others[i] = []float64{1e6, -1e6, 0.5, float64(i), -float64(i)}
	}
	for k, tree := range trained(others, levels) {
		if !slices.Equal(tree.Nodes, want[k].Nodes) || !slices.Equal(tree.Value, want[k].Value) {
			t.Fatalf("tree %d is another one", k)
		}
	}
}

// Shares of the classes are those of all rows; groups stay together; the latest rows are held out where folds are in order of time.
func TestHoldOut(t *testing.T) {
	const n = 100
	x, level, at := make([][]float64, n), make([]float64, n), make([]float64, n)
	groups := &data.Groups{Name: "g", Key: make([]uint64, n/5)}
	for i := range n {
		x[i], level[i], at[i] = []float64{1}, float64(min(2, i/10)), float64((i*37)%n/2)
		groups.Of = append(groups.Of, int32(i/5))
	}
	for k := range groups.Key {
		groups.Key[k] = uint64(k)
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 3, level...))
	set.Groups, set.Time = groups, at
	p, err := prepare.Recipe{}.Fit(set, nil)
	if err != nil {
		t.Fatal(err)
	}
	hold := func(inner engines.Inner, share float64) (fitted, held []int32) {
		fitted, held, err := holdOut(engines.Run{Train: p.View(nil), Inner: inner}, share, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Fatal(err)
		}
		return fitted, held
	}
	fitted, held := hold(engines.Inner{}, 0.2)
	count := map[float64]int{}
	for _, i := range held {
		count[level[i]]++
	}
	if len(fitted) != 80 || count[0] != 2 || count[1] != 2 || count[2] != 16 || !slices.IsSorted(fitted) || !slices.IsSorted(held) {
		t.Errorf("%v are held out, %d fitted", count, len(fitted))
	}
	fitted, held = hold(engines.Inner{By: true}, 0.2)
	for _, i := range held {
		for _, k := range fitted {
			if groups.Of[i] == groups.Of[k] {
				t.Fatalf("rows %d and %d are of one group", i, k)
			}
		}
	}
	if len(held) != 20 {
		t.Errorf("%d rows of whole groups are held out", len(held))
	}
	fitted, held = hold(engines.Inner{Ordered: true, Gap: 4, Window: 50}, 0.25)
	if len(held) != 26 || len(fitted) != 50 { // 25, and the other row of the first one's time
		t.Errorf("%d fitted, %d held out", len(fitted), len(held))
	}
	latest, first := 0.0, 1e9
	for _, i := range fitted {
		latest = max(latest, at[i])
	}
	for _, i := range held {
		first = min(first, at[i])
	}
	if latest != 34 || first != 37 {
		t.Errorf("fitted up to time %v, held out from %v on", latest, first)
	}
	fitted, _ = hold(engines.Inner{Ordered: true, GapTime: 4 * time.Second, WindowTime: 10 * time.Second}, 0.25)
	if len(fitted) != 20 {
		t.Errorf("%d rows fitted within ten seconds", len(fitted))
	}
	for _, rows := range []int{1} {
		if _, _, err := holdOut(engines.Run{Train: p.View(data.Numbers(rows))}, 0.2, rand.New(rand.NewPCG(1, 2))); err == nil {
			t.Errorf("%d row is divided", rows)
		}
	}
}

// Bins have about equal numbers of rows; few values have a bin each, and so has a value that many rows share.
func TestCuts(t *testing.T) {
	for _, c := range []struct {
		values []counted
		bins   int
		want   cuts
	}{
		{[]counted{{0, 7}}, 4, cuts{}},
		{[]counted{{0, 7}, {1, 1}, {4, 2}}, 4, cuts{{0, 1}, {1, 4}}},
		{[]counted{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}}, 3, cuts{{2, 3}, {4, 5}}},
		{[]counted{{1, 1}, {2, 1}, {3, 90}, {4, 1}, {5, 1}, {6, 1}, {7, 1}}, 4, cuts{{2, 3}, {3, 4}, {5, 6}}},
		{[]counted{{1, 90}, {2, 1}, {3, 1}, {4, 1}}, 2, cuts{{1, 2}}},
		{[]counted{{1, 1}, {math.Nextafter(1, 2), 1}}, 2, cuts{{1, math.Nextafter(1, 2)}}},
		{[]counted{{-math.MaxFloat64, 1}, {math.MaxFloat64, 1}}, 2, cuts{{-math.MaxFloat64, math.MaxFloat64}}},
	} {
		rows := 0
		for _, v := range c.values {
			rows += v.rows
		}
		if got := newCuts(c.values, rows, c.bins); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d bins: %v, want %v", c.values, c.bins, got, c.want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		n, bins := 1+rng.IntN(500), 2+rng.IntN(40)
		var values []counted
		rows := 0
		for k := range n {
			values = append(values, counted{float64(k), 1 + rng.IntN(1+rng.IntN(30))})
			rows += values[k].rows
		}
		c := newCuts(values, rows, bins)
		if len(c) >= bins || n >= bins && len(c) < bins-1 && len(c) < bins/2 || !slices.IsSortedFunc(c, func(a, b cut) int { return cmp.Compare(a.threshold(), b.threshold()) }) {
			t.Fatalf("%d values in %d bins: %d cuts", n, bins, len(c))
		}
		for _, v := range values {
			want := 0
			for _, cut := range c {
				if v.value > cut.threshold() {
					want++
				}
			}
			if got := c.binOf(v.value); got != want {
				t.Fatalf("bin of %v is %d, want %d", v.value, got, want)
			}
		}
	}
}

// The best split of a column with missing values gains no less than that with any one number in their place.
func TestMissingGainsMost(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	gain := func(x [][]float64, y data.Target) float64 {
		f, err := with(func(e *Boosted) { e.Trees, e.MaxDepth, e.Shrinkage = 1, 1, 1 }).boost(t.Context(), runOn(view(x, y)))
		if err != nil {
			t.Fatal(err)
		}
		if len(f.gain) == 0 || len(f.gain[0]) == 0 {
			return 0
		}
		return f.gain[0][0].by
	}
	for range 30 {
		x, y := make([][]float64, 25), make([]float64, 25)
		for i := range x {
			if x[i], y[i] = []float64{float64(rng.IntN(9))}, rng.NormFloat64(); rng.IntN(3) == 0 {
				x[i][0] = math.NaN()
			}
		}
		most := gain(x, enginetest.Real("y", y...))
		for fill := -0.5; fill < 9; fill += 0.5 {
			filled := make([][]float64, len(x))
			for i, row := range x {
				if filled[i] = row; row[0] != row[0] {
					filled[i] = []float64{fill}
				}
			}
			if got := gain(filled, enginetest.Real("y", y...)); got > most+1e-6 {
				t.Errorf("with %v in place of missing values a split gains %v, and without %v", fill, got, most)
			}
		}
	}
}

// A threshold is halfway between the bins that have rows, but in no bin between them, which is on one side.
func TestBetween(t *testing.T) {
	c := cuts{{0, 1}, {2, 3}, {6, 9}} // bins to 0, from 1 to 2, from 3 to 6, from 9
	for _, want := range []struct {
		lower, upper int32
		threshold    float64
		reach        int32
	}{
		{0, 1, 0.5, 0}, {1, 2, 2.5, 1}, {0, 2, 0.5, 0}, {0, 3, 2.5, 1}, {1, 3, 2.5, 1}, {2, 3, 7.5, 2}, {3, 4, math.Inf(1), 3}, {1, 4, math.Inf(1), 1},
	} {
		if threshold, reach := c.between(want.lower, want.upper); threshold != want.threshold || reach != want.reach {
			t.Errorf("between bins %d and %d: %v up to %d, want %v up to %d", want.lower, want.upper, threshold, reach, want.threshold, want.reach)
		}
	}
}

// Values are counted in their order: those of rows that are fitted, zeros that are not stored among them.
func TestCounted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{3, 40, 5000} {
		rows, fitted, want := make([][]float64, n), []int32{}, map[float64]int{}
		for i := range rows {
			v := []float64{0, math.Copysign(0, -1), -1e300, 1e-300, 7, rng.NormFloat64(), -5}[rng.IntN(7)]
			if rows[i] = []float64{v}; i%4 > 0 {
				fitted = append(fitted, int32(i))
				want[v+0]++
			}
		}
		got := newValueCounter(n, fitted).tally(enginetest.Matrix(rows...).Col(0))
		for k, v := range got {
			if want[v.value] != v.rows || k > 0 && !(got[k-1].value < v.value) {
				t.Fatalf("%v", got)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d values, want %d", len(got), len(want))
		}
	}
}

// Sums of derivatives fit their words, however different their sizes are.
func TestWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, spread := range []float64{0, 1, 30} {
		const n = 3000
		first, second := make([]float64, n), make([]float64, n)
		var a, g, h float64
		for i := range first {
			first[i], second[i] = math.Exp(spread*rng.NormFloat64()), math.Exp(spread*rng.NormFloat64())
			if i%2 > 0 {
				first[i] = -first[i]
			}
			a, g, h = a+math.Abs(first[i]), g+first[i], h+second[i]
		}
		s, total := newScale(a, h, n), int64(0)
		for i := range first {
			total += s.word(first[i], second[i])
		}
		gs, hs := sums(total)
		if !(math.Abs(float64(gs)/s.first-g) <= 1e-6*a) || !(math.Abs(float64(hs)/s.second-h) <= 1e-6*h) {
			t.Errorf("spread %v: %v and %v, want %v and %v", spread, float64(gs)/s.first, float64(hs)/s.second, g, h)
		}
	}
	if s := newScale(0, 0, 10); s.word(0, 0) != 0 {
		t.Error("no derivatives have a sum")
	}
}

// Columns that say nothing of shuffled levels have small gains beside one that says much; importances count splits or sum gains.
func TestImportances(t *testing.T) {
	x, numbers, _ := planted(7, 400, 8, false)
	for _, importance := range []string{byGain, byCount} {
		e := with(func(e *Boosted) { e.Importance = importance })
		m, err := e.Fit(t.Context(), runOn(view(x, numbers)))
		if err != nil {
			t.Fatal(err)
		}
		entries, splits, total := m.(engines.Weighing).Importances(), 0, 0.0
		for _, tree := range m.(*Model).trees {
			splits += len(tree.Nodes) / 2
		}
		rank := map[int]int{}
		for _, c := range entries {
			rank[c.Rank] = c.Feature
			total += c.Score
		}
		if rank[0]+rank[1] != 1 || importance == byCount && total != float64(splits) {
			t.Errorf("%s: %+v of %d splits", importance, entries, splits)
		}
		e.Features = 2
		chosen, _, err := e.Choose(t.Context(), runOn(view(x, numbers)))
		if err != nil || len(chosen) != 2 || chosen[0].Feature != 0 || chosen[1].Feature != 1 {
			t.Errorf("%s: %+v, %v", importance, chosen, err)
		}
	}
}

// A level without a row has probability 0, and the others what they have without it.
func TestLevelWithoutRows(t *testing.T) {
	x, _, levels := planted(8, 100, 4, false)
	levels.Levels = append(levels.Levels, "none")
	v := view(x, levels)
	m, err := with(nil).Fit(t.Context(), runOn(v))
	if err != nil {
		t.Fatal(err)
	}
	p := make([]float64, 3*len(x))
	m.Predict(p, v.Inputs())
	for i := range x {
		if p[3*i+2] != math.Inf(-1) || !(math.Abs(math.Exp(p[3*i])+math.Exp(p[3*i+1])-1) <= 1e-12) {
			t.Fatalf("row %d: %v", i, p[3*i:3*i+3])
		}
	}
	if _, err := enginetest.Kept(m, engines.Models{SavedAs: Restore}, v); err != nil {
		t.Error(err)
	}
}

// A fit ends where no tree has a split.
func TestNoSplit(t *testing.T) {
	x, numbers, _ := planted(9, 50, 3, false)
	m, err := with(func(e *Boosted) { e.Gamma = 1e9 }).Fit(t.Context(), runOn(view(x, numbers)))
	if err != nil || m.(*Model).Fitted().Stop != stopNoSplit || len(m.(*Model).trees) != 0 {
		t.Errorf("%+v, %v", m, err)
	}
}
