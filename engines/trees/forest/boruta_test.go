package forest

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

func boruta(change func(e *Boruta)) Boruta {
	e := BorutaKind.Defaults().(Boruta)
	e.Trees, e.MaxRuns = 20, 12
	if change != nil {
		change(&e)
	}
	return e
}

// ofBoruta is the engine on data of one type.
type ofBoruta struct {
	Boruta
	target data.Type
}

func (e ofBoruta) Needs() engines.Needs { return engines.Needs{Target: e.target, WholeWeights: true} }

func TestBorutaSuite(t *testing.T) {
	for name, e := range map[string]engines.Engine{
		"numbers":  ofBoruta{boruta(nil), data.Real},
		"levels":   ofBoruta{boruta(func(e *Boruta) { e.Alpha, e.Correct = 0.2, false }), data.Class},
		"impurity": ofBoruta{boruta(func(e *Boruta) { e.Importance, e.Rough = Impurity, true }), data.Real},
		"mtry":     ofBoruta{boruta(func(e *Boruta) { e.MTry, e.Alpha = 12, 0.5 }), data.Real},
	} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

func borutaCase(t *testing.T, c oracle.Case) {
	var in struct {
		Columns int
		Runs    []struct {
			Importance []*float64
			Shadows    []float64
		}
	}
	var options struct {
		Alpha          float64
		Correct, Rough bool
		MaxRuns        int `json:"max_runs"`
	}
	var want struct {
		State, Rough []string
		Hits         []int
		Runs         int
		DecidedAfter []*int `json:"decided_after"`
	}
	c.Parts(t, &in, &options, &want)
	e := boruta(func(e *Boruta) { e.Alpha, e.Correct, e.MaxRuns = options.Alpha, options.Correct, options.MaxRuns })
	got := newTrial(e, in.Columns)
	for _, r := range in.Runs {
		if got.open() == 0 || got.runs == e.MaxRuns-1 {
			break
		}
		kept := got.kept()
		importance := make([]float64, len(kept))
		for k, j := range kept {
			importance[k] = *r.Importance[j]
		}
		got.add(kept, importance, slices.Max(r.Shadows))
	}
	if got.runs != want.Runs || !slices.Equal(got.hits, want.Hits) {
		t.Errorf("%d runs with hits %v, want %d with %v", got.runs, got.hits, want.Runs, want.Hits)
	}
	roughly := got.selected(true)
	for j, s := range got.state {
		if word := [...]string{"tentative", "confirmed", "rejected"}[s]; word != want.State[j] {
			t.Errorf("column %d is %s, want %s", j, word, want.State[j])
		}
		after := 0
		if want.DecidedAfter[j] != nil {
			after = *want.DecidedAfter[j]
		}
		if got.decided[j] != after {
			t.Errorf("column %d is decided after run %d, want %d", j, got.decided[j], after)
		}
		is := slices.ContainsFunc(roughly, func(c engines.Coef) bool { return c.Feature == j })
		if options.Rough && is != (want.Rough[j] == "confirmed") {
			t.Errorf("column %d is selected roughly: %v, want %s", j, is, want.Rough[j])
		}
	}
}

// Both levels of the tests are those of sums of binomial coefficients.
func TestEnough(t *testing.T) {
	for _, alpha := range []float64{0.01, 0.05, 0.5} {
		for _, columns := range []int{1, 7, 1000} {
			of := newTrial(boruta(func(e *Boruta) { e.Alpha = alpha }), columns)
			for runs := 1; runs < 60; runs++ {
				tail, ways, want := 0.0, 1.0, runs+1
				for h := runs; h >= 0; h-- {
					if tail += ways; float64(columns)*tail*math.Exp2(-float64(runs)) < alpha {
						want = h
					}
					ways = ways * float64(h) / float64(runs-h+1)
				}
				if got := of.enough(runs); got != want {
					t.Fatalf("alpha %v, %d columns, %d runs: %d hits are enough, want %d", alpha, columns, runs, got, want)
				}
			}
			if first, want := of.firstDecision(), max(1, int(math.Floor(math.Log2(float64(columns)/alpha))+1)); first != want {
				t.Errorf("alpha %v, %d columns: the first decision is after run %d, want %d", alpha, columns, first, want)
			}
		}
	}
}

// Shadows have the values of their columns in other rows, and columns are as they were.
func TestShadows(t *testing.T) {
	for _, sparse := range []bool{false, true} {
		x, y := table(3, 60, 3, sparse, exclusive)
		c, err := newColumns(t.Context(), view(x, enginetest.Class("y", 2, y...)), 1)
		if err != nil {
			t.Fatal(err)
		}
		kept := []int32{0, 2}
		both, at, err := c.besideShadows(t.Context(), kept, rand.New(rand.NewPCG(1, 2)), 3)
		if err != nil {
			t.Fatal(err)
		}
		if len(both.col) != 2+8 {
			t.Fatalf("%d columns", len(both.col))
		}
		values := func(of *columns, j int32) (v []float64) {
			for i := range of.rows {
				v = append(v, of.col[j].value[of.codeOf(int32(i), j)])
			}
			return v
		}
		seen := map[int]int{}
		for j := range both.col {
			got := values(both, int32(j))
			k := slices.IndexFunc(kept, func(own int32) bool {
				return slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(values(c, own))))
			})
			if k < 0 {
				t.Fatalf("sparse %v: column %d has values of none", sparse, j)
			}
			seen[k]++
			if same := slices.Equal(got, values(c, kept[k])); same != (at[k] == int32(j)) {
				t.Errorf("sparse %v: column %d is that of the data: %v", sparse, j, same)
			}
			if !slices.IsSorted(both.col[j].byKey) {
				t.Errorf("sparse %v: entries of column %d are in no order", sparse, j)
			}
		}
		if seen[0] != 5 || seen[1] != 5 {
			t.Errorf("%v columns of each", seen)
		}
	}
}

// Two columns that matter only together are confirmed, and nothing else.
func TestBorutaFindsExclusive(t *testing.T) {
	for _, sparse := range []bool{false, true} {
		x, y := table(5, 400, 10, sparse, exclusive)
		e := boruta(func(e *Boruta) { e.Trees, e.MaxRuns, e.MTry = 60, 40, 5 })
		chosen, told, err := e.Choose(t.Context(), runOn(view(x, enginetest.Class("y", 2, y...))))
		if err != nil {
			t.Fatal(err)
		}
		if len(chosen) != 2 || chosen[0].Feature != 0 || chosen[1].Feature != 1 || chosen[0].Score <= 0 || chosen[0].Rank+chosen[1].Rank != 1 {
			t.Errorf("sparse %v: %+v, %+v", sparse, chosen, told)
		}
	}
}

// Where nothing matters, a column of the data is the best of all in half of the runs: shadows have an equal chance, ties included.
func TestShadowsAreAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const runs, rows, columns = 150, 40, 8
	for _, importance := range []string{ZScore, Impurity} {
		above := 0
		for run := range runs {
			x, y := make([][]float64, rows), make([]float64, rows)
			for i := range x {
				x[i], y[i] = make([]float64, columns), float64(i%2)
				for j := range x[i] {
					x[i][j] = float64(rng.IntN(2))
				}
			}
			e := with(func(e *Forest) { e.Trees, e.Importance = 15, importance })
			in, err := e.Read(t.Context(), runOn(view(x, enginetest.Class("y", 2, y...))))
			if err != nil {
				t.Fatal(err)
			}
			c, err := e.CompareShadows(t.Context(), in, data.Numbers(columns), rand.New(rand.NewPCG(uint64(run), 0)), 2)
			if err != nil {
				t.Fatal(err)
			}
			if slices.Max(c.Importance) > c.Shadow {
				above++
			}
		}
		if spread := math.Sqrt(runs) / 2; !(math.Abs(float64(above)-runs/2) <= 3*spread) {
			t.Errorf("%s: a column is above all shadows in %d of %d runs", importance, above, runs)
		}
	}
}

// Too few runs to decide are noted, and undecided columns named.
func TestUndecided(t *testing.T) {
	x, y := table(5, 60, 30, false, func(row []float64, _ *rand.Rand) float64 { return max(0, min(1, row[7])) })
	v := view(x, enginetest.Class("y", 2, y...))
	e := boruta(func(e *Boruta) { e.Importance = Impurity })
	run := runOn(v)
	var progress []string
	run.Progress = func(text string) { progress = append(progress, text) }
	chosen, told, err := e.Choose(t.Context(), run)
	if len(progress) != 11 || progress[2] != "3 of at most 11 runs, 0 columns confirmed, 30 undecided" {
		t.Errorf("%q", progress)
	}
	if err != nil || len(chosen) != 0 || told.Iterations != 11 || told.Stop != "max_runs" {
		t.Fatalf("%v, %+v, %v", chosen, told, err)
	}
	if len(told.Notes) != 1 || !strings.Contains(told.Notes[0], "raise max_runs to 13") || told.Facts[0].Value != "0 confirmed, 0 rejected, 30 tentative after 11 runs" {
		t.Errorf("%+v", told)
	}
	e.Rough = true
	if chosen, _, err = e.Choose(t.Context(), runOn(v)); err != nil || len(chosen) == 0 || len(chosen) > 3 || chosen[slices.IndexFunc(chosen, func(c engines.Coef) bool { return c.Rank == 0 })].Feature != 7 {
		t.Errorf("%d are selected roughly: %v", len(chosen), err)
	}
}

func TestBorutaRefuses(t *testing.T) {
	for field, change := range map[string]func(e *Boruta){
		"alpha":      func(e *Boruta) { e.Alpha = 0 },
		"max_runs":   func(e *Boruta) { e.MaxRuns = 10 },
		"importance": func(e *Boruta) { e.Bootstrap = false },
		"trees":      func(e *Boruta) { e.Trees = 0 },
	} {
		if err := boruta(change).Validate(); enginetest.Fields(err) != field {
			t.Errorf("%v, want a fault in %s", err, field)
		}
	}
	for _, alpha := range []float64{-1, 1, math.NaN()} {
		if err := boruta(func(e *Boruta) { e.Alpha = alpha }).Validate(); enginetest.Fields(err) != "alpha" {
			t.Errorf("alpha %v: %v", alpha, err)
		}
	}
	x, y := table(5, 30, 4, false, exclusive)
	if _, err := boruta(func(e *Boruta) { e.MTry = 9 }).Fit(t.Context(), runOn(view(x, enginetest.Class("y", 2, y...)))); err == nil || err.Error() != "mtry 9, and the data has 4 columns" {
		t.Error(err)
	}
}

// Memory is that of a forest on the columns and as many shadows, and of the importances of all runs.
func TestBorutaFootprint(t *testing.T) {
	e := boruta(nil)
	both := engines.Shape{Rows: 500, Columns: 200, Entries: 3 * 40_000}
	want := e.Growing.Footprint(both).Bytes + int64(16*e.MaxRuns*100)
	if got := e.Footprint(engines.Shape{Rows: 500, Columns: 100, Entries: 40_000}).Bytes; got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
}
