package scores

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
)

var (
	ofClasses = []string{kruskal, wilcoxon, auc, levene, informationGain, gainRatio, symmetricUncertainty, gini, knnInformation}
	ofNumbers = []string{pearson, spearman, knnInformation}
)

func scoring(score string, change func(e *Filter)) Filter {
	e := Kind.Defaults().(Filter)
	e.Score = score
	if change != nil {
		change(&e)
	}
	return e
}

// aimed is the engine on targets of one type.
type aimed struct {
	Filter
	target data.Type
}

func (e aimed) Needs() engines.Needs {
	n := e.Filter.Needs()
	n.Target = e.target
	return n
}

func TestSuite(t *testing.T) {
	for _, score := range ofClasses {
		t.Run(score, func(t *testing.T) { enginetest.Suite(t, aimed{scoring(score, nil), data.Class}) })
	}
	for _, score := range ofNumbers {
		t.Run(score+" of numbers", func(t *testing.T) { enginetest.Suite(t, aimed{scoring(score, nil), data.Real}) })
	}
}

func targetOf(kind string, y []float64) data.Target {
	if kind == "real" {
		return enginetest.Real("y", y...)
	}
	return enginetest.Class("y", 1+int(slices.Max(y)), y...)
}

// view returns rows of which the zeros are stored if fully is true.
func view(x [][]float64, target data.Target, weights []float64, fully bool) *data.View {
	var b sparse.Builder
	for _, row := range x {
		var idx []int32
		var val []float64
		for j, v := range row {
			if v != 0 || fully {
				idx, val = append(idx, int32(j)), append(val, v)
			}
		}
		if err := b.Add(idx, val); err != nil {
			panic(err)
		}
	}
	d := enginetest.Dataset(b.Matrix(len(x[0])), target)
	d.Weight = weights
	return enginetest.View(d, nil)
}

// ranked returns all scores and p-values, and the columns in order.
func ranked(t *testing.T, e Filter, v *data.View) (scores, p []float64, order []int) {
	t.Helper()
	if err := e.Validate(); err != nil {
		t.Fatal(err)
	}
	r, err := e.rank(t.Context(), engines.Run{Train: v, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range r.Order {
		order = append(order, int(j))
	}
	return r.Score, r.P, order
}

func TestOracleScores(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){
		"filter_score": func(t *testing.T, c oracle.Case) {
			var in struct {
				X          [][]float64
				Y, Weights []float64
			}
			options := struct {
				Score, Target string
				K             int
			}{K: defaultNeighbours}
			var want struct {
				Scores   []float64
				Selected []int
			}
			c.Parts(t, &in, &options, &want)
			e := scoring(options.Score, func(e *Filter) { e.Neighbours = options.K })
			if e.countsLevels() {
				e.Discretize = "none"
			}
			for _, fully := range []bool{true, false} {
				scores, _, order := ranked(t, e, view(in.X, targetOf(options.Target, in.Y), in.Weights, fully))
				oracle.NearAll(t, "scores", scores, want.Scores, 1e-9)
				if !slices.Equal(order, want.Selected) {
					t.Errorf("selected %v, want %v", order, want.Selected)
				}
			}
		},
		"selectors_refused": func(t *testing.T, c oracle.Case) {
			var in struct {
				Type       string
				Y, Weights []float64
			}
			var options struct{ Target, Score string }
			var want struct{ Error string }
			c.Parts(t, &in, &options, &want)
			if options.Target != "filter_score" {
				t.Skip("of another engine")
			}
			needs := scoring(options.Score, nil).Needs()
			refused := map[string]bool{
				"weights_not_counted": needs.Unweighted && in.Weights != nil,
				"needs_two_classes":   needs.Levels == 2 && slices.Max(in.Y) > 1,
				"needs_class":         needs.Target == data.Class && in.Type == "real",
			}
			if !refused[want.Error] {
				t.Errorf("needs %+v, expected to refuse: %s", needs, want.Error)
			}
		},
	})
}

// literal returns a score of a column by its definition.
func literal(score string, k int, x, y []float64, class bool) float64 {
	n := len(x)
	if slices.Min(x) == slices.Max(x) {
		return 0
	}
	rank := func(v []float64, i int) (r float64) {
		for _, o := range v {
			if o < v[i] {
				r++
			} else if o == v[i] {
				r += 0.5
			}
		}
		return r + 0.5
	}
	classes := 1 + int(slices.Max(y))
	size := make([]float64, classes)
	if class {
		for _, c := range y {
			size[int(c)]++
		}
	}
	switch score {
	case kruskal, wilcoxon:
		sums, ties := make([]float64, classes), 0.0
		for i := range x {
			sums[int(y[i])] += rank(x, i)
			same := 0.0
			for _, v := range x {
				if v == x[i] {
					same++
				}
			}
			ties += same*same - 1 // t³ − t for each group, a share of it for each of its rows
		}
		h := 0.0
		for c, s := range sums {
			if size[c] > 0 {
				h += s * s / size[c]
			}
		}
		m := float64(n)
		h = (12/(m*(m+1))*h - 3*(m+1)) / (1 - ties/(m*m*m-m))
		if score == wilcoxon {
			return math.Sqrt(h)
		}
		return h
	case auc:
		sum, pairs := 0.0, 0.0
		for b := range classes {
			for c := range b {
				if size[b]*size[c] == 0 {
					continue
				}
				above := 0.0
				for i := range x {
					for r := range x {
						if int(y[i]) == b && int(y[r]) == c {
							if x[i] > x[r] {
								above++
							} else if x[i] == x[r] {
								above += 0.5
							}
						}
					}
				}
				sum += math.Abs(2*above/(size[b]*size[c]) - 1)
				pairs++
			}
		}
		return sum / pairs
	case levene:
		sorted, mean, whole := make([][]float64, classes), make([]float64, classes), 0.0
		for i, v := range x {
			sorted[int(y[i])] = append(sorted[int(y[i])], v)
		}
		apart := make([]float64, n)
		for i, v := range x {
			c := int(y[i])
			slices.Sort(sorted[c])
			m := len(sorted[c])
			apart[i] = math.Abs(v - (sorted[c][m/2]+sorted[c][(m-1)/2])/2)
			mean[c] += apart[i] / size[c]
			whole += apart[i] / float64(n)
		}
		between, within := 0.0, 0.0
		for i, v := range apart {
			d := mean[int(y[i])]
			between += (d - whole) * (d - whole)
			within += (v - d) * (v - d)
		}
		return between / float64(classes-1) / (within / float64(n-classes))
	case pearson, spearman:
		a, b := slices.Clone(x), slices.Clone(y)
		if score == spearman {
			for i := range x {
				a[i], b[i] = rank(x, i), rank(y, i)
			}
		}
		a, b = enginetest.Centred(a), enginetest.Centred(b)
		p := 0.0
		for i := range a {
			p += a[i] * b[i]
		}
		return math.Abs(p) / math.Sqrt(enginetest.SumOfSquares(a)*enginetest.SumOfSquares(b))
	}
	psi := func(m int) float64 {
		sum := -0.5772156649015329
		for i := 1; i < m; i++ {
			sum += 1 / float64(i)
		}
		return sum
	}
	closerThan := func(d, e float64) bool { return d < e*(1-1e-9) || e == 0 && d == 0 }
	if class {
		var kept []int
		for i := range x {
			if size[int(y[i])] > 1 {
				kept = append(kept, i)
			}
		}
		sum := 0.0
		for _, i := range kept {
			var d []float64
			for _, r := range kept {
				if r != i && y[r] == y[i] {
					d = append(d, math.Abs(x[r]-x[i]))
				}
			}
			slices.Sort(d)
			near := min(k, len(d))
			m := 1
			for _, r := range kept {
				if r != i && closerThan(math.Abs(x[r]-x[i]), d[near-1]) {
					m++
				}
			}
			sum += psi(near) - psi(len(d)+1) - psi(m)
		}
		return max(0, psi(len(kept))+sum/float64(len(kept)))
	}
	scale := func(v []float64) (out []float64) {
		sd := math.Sqrt(enginetest.SumOfSquares(enginetest.Centred(slices.Clone(v))) / float64(n))
		for _, a := range v {
			out = append(out, a/sd)
		}
		return out
	}
	a, b, sum := scale(x), scale(y), 0.0
	for i := range a {
		var d []float64
		for r := range a {
			if r != i {
				d = append(d, max(math.Abs(a[r]-a[i]), math.Abs(b[r]-b[i])))
			}
		}
		slices.Sort(d)
		nx, ny := 0, 0
		for r := range a {
			if r != i && closerThan(math.Abs(a[r]-a[i]), d[k-1]) {
				nx++
			}
			if r != i && closerThan(math.Abs(b[r]-b[i]), d[k-1]) {
				ny++
			}
		}
		sum += psi(nx+1) + psi(ny+1)
	}
	return max(0, psi(k)+psi(n)-sum/float64(n))
}

// TestLiterally: scores are those of the definitions, with ties and without, where zeros are stored and where they are not.
func TestLiterally(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(52, 5))
	for round := range 30 {
		rows := 12 + rng.IntN(30)
		x, y := make([][]float64, rows), make([]float64, rows)
		for i := range x {
			x[i] = []float64{rng.NormFloat64(), math.Round(2 * rng.NormFloat64()), 0, -rng.ExpFloat64()}
			if rng.IntN(5) == 0 {
				x[i][2] = float64(rng.IntN(5)) - 2
			}
			if rng.IntN(2) == 0 {
				x[i][3] = 0
			}
		}
		for _, score := range []string{kruskal, wilcoxon, auc, levene, pearson, spearman, knnInformation, knnInformation} {
			class := score != spearman && score != pearson && (score != knnInformation || round%2 == 0)
			kind, levels := "real", 3
			if class {
				kind = "class"
			}
			if score == wilcoxon {
				levels = 2
			}
			for i := range y {
				if y[i] = math.Round(4*x[i][0] + rng.NormFloat64()); class {
					y[i] = float64(i % levels)
				}
			}
			e := scoring(score, nil)
			if score == knnInformation {
				e.Neighbours = 1 + rng.IntN(5)
			}
			for _, fully := range []bool{true, false} {
				got, _, _ := ranked(t, e, view(x, targetOf(kind, y), nil, fully))
				for j := range x[0] {
					column := make([]float64, rows)
					for i := range x {
						column[i] = x[i][j]
					}
					if score == knnInformation && len(slices.Compact(slices.Sorted(slices.Values(column)))) == 2 {
						continue // levels
					}
					oracle.Near(t, fmt.Sprint(score, " ", kind, " of column ", j), got[j], literal(score, e.Neighbours, column, y, class), 1e-9)
				}
			}
		}
	}
}

// TestWeightsRepeat: rows of whole weights score as rows repeated, exactly, and weights have no scale.
func TestWeightsRepeat(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(52, 6))
	var x, repeated [][]float64
	var y, again, weights, scaled []float64
	for range 40 {
		row := []float64{float64(rng.IntN(3)), float64(rng.IntN(2)), float64(rng.IntN(4)) - 1, 1}
		label, w := float64(rng.IntN(3)), 1+rng.IntN(4)
		x, y, weights, scaled = append(x, row), append(y, label), append(weights, float64(w)), append(scaled, float64(w)*0.37)
		for range w {
			repeated, again = append(repeated, row), append(again, label)
		}
	}
	for _, score := range []string{informationGain, gainRatio, symmetricUncertainty, gini} {
		e := scoring(score, func(e *Filter) { e.Discretize = "none" })
		want, _, _ := ranked(t, e, view(repeated, targetOf("class", again), nil, false))
		if got, _, _ := ranked(t, e, view(x, targetOf("class", y), weights, false)); !slices.Equal(got, want) {
			t.Errorf("%s: weighted %v, repeated %v", score, got, want)
		}
		got, _, _ := ranked(t, e, view(x, targetOf("class", y), scaled, false))
		oracle.NearAll(t, score, got, want, 1e-12)
	}
}

// TestSciPy: statistics and p-values are SciPy's.
func TestSciPy(t *testing.T) {
	t.Parallel()
	for _, c := range oracle.Fixture[struct {
		Score  string
		X      [][]float64
		Y      []float64
		Real   bool
		Scores []float64
		P      []float64
	}](t, "scipy.json") {
		kind := "class"
		if c.Real {
			kind = "real"
		}
		scores, p, _ := ranked(t, scoring(c.Score, nil), view(c.X, targetOf(kind, c.Y), nil, false))
		oracle.NearAll(t, c.Score, scores, c.Scores, 1e-9)
		oracle.NearAll(t, c.Score+" p", p, c.P, 1e-9)
	}
}

// TestUnits: a variable of several columns has the score of its levels, and is selected whole.
func TestUnits(t *testing.T) {
	t.Parallel()
	var spelled, coded [][]float64
	var y []float64
	for i := range 30 {
		row := make([]float64, 4)
		level := (i * i) % 7 % 3
		row[level], row[3] = 1, float64(i%2)
		spelled, coded, y = append(spelled, row), append(coded, []float64{float64(level), row[3]}), append(y, float64(min(1, level*(i%4))))
	}
	for _, score := range []string{informationGain, gainRatio, symmetricUncertainty, gini} {
		e := scoring(score, func(e *Filter) { e.Features = 1 })
		want, _, _ := ranked(t, e, view(coded, targetOf("class", y), nil, false))
		v := enginetest.Treated(enginetest.Dataset(enginetest.Matrix(spelled...), targetOf("class", y)), data.Treatment{Unit: []int32{0, 0, 0, 1}, Together: true})
		got, _, _ := ranked(t, e, v)
		oracle.NearAll(t, score, got, want, 1e-12)
		chosen, _, err := e.Choose(t.Context(), engines.Run{Train: v, Workers: 1})
		if err != nil || len(chosen) != 3 || chosen[2].Feature != 2 {
			t.Errorf("%s: chosen %+v, %v", score, chosen, err)
		}
	}
}

// TestOdd: what has no answer scores nothing, or is an error that says why.
func TestOdd(t *testing.T) {
	t.Parallel()
	x := [][]float64{{1, 5}, {2, 5}, {3, 5}, {4, 5}}
	one := enginetest.Class("y", 2, 0, 0, 0, 0)
	for _, score := range []string{informationGain, gainRatio, symmetricUncertainty, gini} {
		if _, _, order := ranked(t, scoring(score, nil), view(x, one, nil, true)); len(order) > 0 {
			t.Errorf("%s of one class: columns %v", score, order)
		}
	}
	if _, _, order := ranked(t, scoring(knnInformation, nil), view(x, enginetest.Real("y", 7, 7, 7, 7), nil, true)); len(order) > 0 {
		t.Errorf("of a constant number: columns %v", order)
	}
	if _, _, order := ranked(t, scoring(spearman, nil), view(x, enginetest.Real("y", 7, 7, 7, 7), nil, true)); len(order) > 0 {
		t.Errorf("of a constant number: columns %v", order)
	}
	far := [][]float64{{-1.7e308, 1e-300}, {1.7e308, 2e-300}, {0, 7e-300}, {5, 3e-300}, {1e300, 4e-300}}
	if scores, _, _ := ranked(t, scoring(knnInformation, func(e *Filter) { e.Neighbours = 1 }), view(far, enginetest.Real("y", 1, 2, 7, 3, 4), nil, true)); !(scores[1] > 0.5) {
		t.Errorf("numbers in far units: %v", scores)
	}
	for want, c := range map[string]struct {
		score  string
		target data.Target
	}{
		"one class":                          {kruskal, one},
		"k: 4, but there are 4":              {knnInformation, enginetest.Real("y", 1, 2, 3, 4)},
		"the 4 training rows have one class": {auc, one},
	} {
		_, err := scoring(c.score, func(e *Filter) {
			if c.score == knnInformation {
				e.Neighbours = 4
			}
		}).Fit(t.Context(), engines.Run{Train: view(x, c.target, nil, true), Workers: 1})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	for want, e := range map[string]Filter{
		`score: "ranks" is not one of`: scoring("ranks", nil),
		"k: 0, expected at least 1":    scoring(knnInformation, func(e *Filter) { e.Neighbours = 0 }),
		"k: 5 means nothing here":      scoring(auc, func(e *Filter) { e.Neighbours = 5 }),
		"discretize: none means":       scoring(auc, func(e *Filter) { e.Discretize = "none" }),
		"bins: 1, expected 2":          scoring(gini, func(e *Filter) { e.Bins = 1 }),
		"cuts: [1] means nothing here": scoring(kruskal, func(e *Filter) { e.Cuts = []float64{1} }),
	} {
		if err := e.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
