package forest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/survival"
)

func survivalView(x [][]float64, times []float64, events []int8) *data.View {
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), data.Target{Name: "t", Type: data.Survival, Values: times, Events: events}), nil)
}

// lifetimes whose hazard the first column raises beyond 0, in steps of the second.
func lifetimes(seed uint64, rows, columns int) (x [][]float64, times []float64, events []int8) {
	rng := rand.New(rand.NewPCG(seed, 11))
	for range rows {
		row := make([]float64, columns)
		for j := range row {
			row[j] = math.Round(4*rng.NormFloat64()) / 4
		}
		t := math.Ceil(20*rng.ExpFloat64()*math.Exp(-2*max(0, row[0])-row[1])) / 2
		event := int8(1)
		if c := math.Ceil(30*rng.ExpFloat64()) / 2; c < t {
			t, event = c, 0
		}
		x, times, events = append(x, row), append(times, t), append(events, event)
	}
	return x, times, events
}

func TestSurvivalSuite(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(e *Forest){
		"impurity":     func(e *Forest) { e.Trees = 20 },
		"few features": func(e *Forest) { e.Trees, e.Features = 20, 3 },
		"all rows":     func(e *Forest) { e.Trees, e.Bootstrap, e.MinLeaf, e.MaxDepth = 3, false, 4, 3 },
	} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, of{with(change), data.Survival}) })
	}
}

// The split of the root is the one with the largest sum of log-rank scores, (events less those expected)² by the sizes of the sides, over all
// columns and thresholds; a leaf has Nelson and Aalen's mortality; both as the formulas read.
func TestLogRankSplit(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		x, times, events := lifetimes(seed, 40, 3)
		e := with(func(e *Forest) { e.Trees, e.Bootstrap, e.MTry, e.MinLeaf, e.MaxDepth = 1, false, 3, 5, 1 })
		m, err := e.Fit(context.Background(), engines.Run{Train: survivalView(x, times, events), Workers: 1, Rand: rand.New(rand.NewPCG(1, 2))})
		if err != nil {
			t.Fatal(err)
		}
		tree := m.(*Model).trees[0]
		statistic := func(j int, threshold float64) float64 {
			observedLessExpected, left := 0.0, 0.0
			for i := range x {
				if x[i][j] > threshold {
					continue
				}
				left++
				observedLessExpected += float64(events[i])
			}
			for _, at := range deathsOf(times, events, nil) {
				died, atRisk, atRiskLeft := 0.0, 0.0, 0.0
				for i := range x {
					if times[i] >= at {
						atRisk++
						if x[i][j] <= threshold {
							atRiskLeft++
						}
					}
					if times[i] == at && events[i] != 0 {
						died++
					}
				}
				observedLessExpected -= died * atRiskLeft / atRisk
			}
			if n := float64(len(x)); left >= 5 && n-left >= 5 {
				return observedLessExpected * observedLessExpected * n / (left * (n - left))
			}
			return -1
		}
		best := -1.0
		for j := range 3 {
			for i := range x {
				best = max(best, statistic(j, x[i][j]))
			}
		}
		root := tree.Nodes[0]
		oracle.Near(t, fmt.Sprint("statistic, seed ", seed), statistic(int(root.Column), root.Threshold), best, 1e-9)
		mortality := 0.0
		in := func(i int) bool { return x[i][root.Column] <= root.Threshold }
		for _, until := range deathsOf(times, events, nil) {
			for _, at := range deathsOf(times, events, in) {
				if at > until {
					break
				}
				died, atRisk := 0.0, 0.0
				for i := range x {
					if in(i) && times[i] >= at {
						atRisk++
					}
					if in(i) && times[i] == at && events[i] != 0 {
						died++
					}
				}
				mortality += died / atRisk
			}
		}
		oracle.Near(t, fmt.Sprint("mortality, seed ", seed), tree.Value[0], mortality, 1e-9)
	}
}

// deathsOf some rows are the distinct times of their events.
func deathsOf(times []float64, events []int8, of func(i int) bool) []float64 {
	var t []float64
	var e []int8
	for i := range times {
		if of == nil || of(i) {
			t, e = append(t, times[i]), append(e, events[i])
		}
	}
	return newSurvivalTimes(t, e).deaths
}

// Risks order new rows well where hazards depend on a column in a way that is not linear, the column is the most important, and mean survival
// probabilities are those of the rows.
func TestSurvivalForest(t *testing.T) {
	t.Parallel()
	x, times, events := lifetimes(1, 400, 6)
	m, err := with(nil).Fit(context.Background(), engines.Run{Train: survivalView(x[:200], times[:200], events[:200]), Workers: 2, Rand: rand.New(rand.NewPCG(1, 2))})
	if err != nil {
		t.Fatal(err)
	}
	risks := make([]float64, 200)
	m.Predict(risks, survivalView(x[200:], times[200:], events[200:]).Inputs())
	if c := survival.Concordance(times[200:], events[200:], risks, nil, nil); c < 0.7 {
		t.Errorf("concordance %v", c)
	}
	for _, c := range engines.Entries(m) {
		if (c.Rank < 2) != (c.Feature < 2) {
			t.Errorf("column %d has the rank %d", c.Feature, c.Rank)
		}
	}
	base := m.(engines.Reporter).Fitted().Baseline
	k := survival.KnownOf(times[:200], events[:200], nil, base)
	if off := k.Miscalibration(times[200:], events[200:], nil, risks, 3); !(off < 0.08) {
		t.Errorf("mean survival at 3 is %v off", off)
	}
}

// What is told out of the bag is of rows as often as they count, in pairs with others as well.
func TestSurvivalWeights(t *testing.T) {
	t.Parallel()
	x, times, events := lifetimes(3, 60, 3)
	set := enginetest.Dataset(enginetest.Matrix(x...), data.Target{Name: "t", Type: data.Survival, Values: times, Events: events})
	total := 0
	for i := range x {
		set.Weight = append(set.Weight, float64(1+i%3*i%4))
		total += 1 + i%3*i%4
	}
	rows, y, err := readResponse(enginetest.Counted(set), true)
	if err != nil {
		t.Fatal(err)
	}
	e := with(nil)
	c, err := newColumns(t.Context(), rows, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.rule(3, y)
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.growOn(t.Context(), c, y, r, 1, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	right, pairs, seen := 0.0, 0.0, 0.0
	for i, a := range y.weight {
		p := f.votes.mean(i)
		if p != nil {
			seen += a
		}
		for j, b := range y.weight {
			q := f.votes.mean(j)
			if p == nil || q == nil || events[i] == 0 || times[j] < times[i] || times[j] == times[i] && events[j] != 0 {
				continue
			}
			m := a * b
			switch pairs += m; {
			case p[0] > q[0]:
				right += m
			case p[0] == q[0]:
				right += m / 2
			}
		}
	}
	want := fmt.Sprintf("%.6g, on %.0f of %d rows", right/pairs, seen, total)
	if facts, _ := f.tellSurvival(); len(facts) != 1 || facts[0].Value != want {
		t.Errorf("%+v, want %s", facts, want)
	}
}

func TestSurvivalForestRefuses(t *testing.T) {
	t.Parallel()
	x, times, events := lifetimes(1, 40, 3)
	for want, at := range map[string]struct {
		e      Forest
		events []int8
	}{
		"expected impurity": {with(func(e *Forest) { e.Importance = Permutation }), events},
		"no training row":   {with(nil), make([]int8, 40)},
	} {
		_, err := at.e.Fit(context.Background(), engines.Run{Train: survivalView(x, times, at.events), Workers: 1, Rand: rand.New(rand.NewPCG(1, 2))})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
