package sets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/filters/redundancy"
)

func TestSetsSuite(t *testing.T) {
	cfs := CFSKind.Defaults().(CFS)
	local, numbers := cfs, cfs
	local.Local, local.Patience = true, 2
	numbers.Measure = ofCorrelation
	for name, e := range map[string]engines.Engine{"cfs": cfs, "local": local, "numbers": numbers, "fcbf": FCBFKind.Defaults()} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

type setCase struct {
	in struct {
		X [][]float64
		Y []float64
	}
	options struct {
		Measure   string
		Patience  int
		Local     bool
		Threshold float64
		Size      int
	}
	want struct {
		Relevance, Scores []float64
		Selected          []int
		Merit             float64
		Expanded          [][]int32
		Evaluations       int
		Dropped           [][2]int32
	}
}

func TestOracleSets(t *testing.T) {
	t.Parallel()
	read := func(t *testing.T, c oracle.Case) (k setCase, run engines.Run) {
		c.Parts(t, &k.in, &k.options, &k.want)
		set := enginetest.Dataset(enginetest.Matrix(k.in.X...), enginetest.Class("y", 1+int(slices.Max(k.in.Y)), k.in.Y...))
		if k.options.Measure == ofCorrelation {
			set = enginetest.Dataset(enginetest.Matrix(k.in.X...), enginetest.Real("y", k.in.Y...))
		}
		return k, engines.Run{Train: enginetest.View(set, nil), Workers: 1}
	}
	measureOf := func(t *testing.T, run engines.Run, correlation bool) redundancy.Measure {
		if correlation {
			m, err := redundancy.NewCorrelation(t.Context(), run)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		m, _, err := redundancy.NewUncertainty(t.Context(), run, redundancy.Levels{Discretize: "none", Bins: 10})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){
		"cfs": func(t *testing.T, c oracle.Case) {
			k, run := read(t, c)
			e := CFSKind.Defaults().(CFS)
			e.Discretize, e.Patience, e.Local = "none", k.options.Patience, k.options.Local
			if k.options.Measure == ofCorrelation {
				e.Measure, e.Discretize = ofCorrelation, redundancy.DefaultLevels().Discretize
			}
			if err := e.Validate(); err != nil {
				t.Fatal(err)
			}
			s := bestFirst{Measure: measureOf(t, run, e.Measure == ofCorrelation), patience: e.Patience}
			_, merit, err := s.search(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			oracle.NearAll(t, "relevance", s.Relevance(), k.want.Relevance, 1e-9)
			oracle.Near(t, "merit", merit, k.want.Merit, 1e-9)
			if !slices.EqualFunc(s.expanded, k.want.Expanded, slices.Equal) {
				t.Errorf("expanded %v, want %v", s.expanded, k.want.Expanded)
			}
			if len(s.sets) != k.want.Evaluations {
				t.Errorf("%d sets, want %d", len(s.sets), k.want.Evaluations)
			}
			found, err := e.find(t.Context(), run)
			if err != nil {
				t.Fatal(err)
			}
			if got := numbersOf(slices.Sorted(slices.Values(found.order))); !slices.Equal(got, k.want.Selected) {
				t.Errorf("selected %v, want %v", got, k.want.Selected)
			}
		},
		"fcbf": func(t *testing.T, c oracle.Case) {
			k, run := read(t, c)
			e := FCBF{Threshold: k.options.Threshold, Levels: redundancy.DefaultLevels()}
			m := measureOf(t, run, false)
			oracle.NearAll(t, "relevance", m.Relevance(), k.want.Relevance, 1e-9)
			found, dropped, err := e.selectFrom(t.Context(), m, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := numbersOf(found.order); !slices.Equal(got, k.want.Selected) || !slices.Equal(dropped, k.want.Dropped) {
				t.Errorf("selected %v, dropped %v; want %v and %v", got, dropped, k.want.Selected, k.want.Dropped)
			}
		},
	})
}

func numbersOf(columns []int32) []int {
	out := []int{}
	for _, j := range columns {
		out = append(out, int(j))
	}
	return out
}

// TestBestFirstIsExhaustive: with patience for all sets, the best of all is found; each is created once.
func TestBestFirstIsExhaustive(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(52, 8))
	for range 10 {
		const rows, columns = 40, 6
		x, y := make([][]float64, rows), make([]float64, rows)
		for i := range x {
			for range columns {
				x[i] = append(x[i], rng.NormFloat64())
			}
			x[i][1] += x[i][0]
			y[i] = x[i][0] + x[i][2] + rng.NormFloat64()
		}
		run := engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...)), nil), Workers: 1}
		m, err := redundancy.NewCorrelation(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		s := bestFirst{Measure: m, patience: 1 << columns}
		_, merit, err := s.search(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		seen, largest := map[string]bool{}, 0.0
		for _, set := range s.sets {
			name := fmt.Sprint(s.columnsOf(set))
			if seen[name] {
				t.Errorf("%s was created twice", name)
			}
			seen[name], largest = true, max(largest, set.merit)
		}
		if len(seen) != 1<<columns-1 || !(math.Abs(merit-largest) <= 1e-9) {
			t.Errorf("%d sets, the best of merit %v, and %v is found", len(seen), largest, merit)
		}
	}
}

// TestNothingToSelect: one class leaves nothing, and the filter of uncertainty says so.
func TestNothingToSelect(t *testing.T) {
	t.Parallel()
	d := enginetest.Dataset(enginetest.Matrix([]float64{0, 1}, []float64{1, 1}, []float64{1, 0}), enginetest.Class("y", 2, 1, 1, 1))
	for _, e := range []engines.Chooser{CFSKind.Defaults().(CFS), FCBFKind.Defaults().(FCBF)} {
		chosen, fitted, err := e.Choose(t.Context(), engines.Run{Train: enginetest.View(d, nil), Workers: 1})
		if _, is := e.(FCBF); err != nil || len(chosen) > 0 || fitted.Stop != "none_selected" || is && len(fitted.Notes) != 1 {
			t.Errorf("%T: %v, %+v, %v", e, chosen, fitted, err)
		}
	}
	kept := enginetest.Treated(enginetest.Dataset(enginetest.Matrix([]float64{0, 1}, []float64{1, 1}, []float64{1, 0}, []float64{0, 0}), enginetest.Class("y", 2, 0, 1, 1, 0)), data.Treatment{Factor: []float64{0, 1}})
	for _, e := range []engines.Chooser{CFSKind.Defaults().(CFS), FCBFKind.Defaults().(FCBF)} {
		chosen, _, err := e.Choose(t.Context(), engines.Run{Train: kept, Workers: 1})
		if err != nil || len(chosen) != 1 || chosen[0].Feature != 0 {
			t.Errorf("%T keeps %v, %v", e, chosen, err)
		}
	}
}
