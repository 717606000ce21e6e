package boruta

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
	"tenfold/engines/trees/forest"
)

func boruta(change func(e *Boruta)) Boruta {
	e := Kind.Defaults().(Boruta)
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

func (e ofBoruta) Needs() engines.Needs {
	return engines.Needs{Target: e.target, Rates: true, WholeWeights: !e.Bootstrap}
}

func runOn(v *data.View) engines.Run {
	return engines.Run{Train: v, Rand: rand.New(rand.NewPCG(3, 4)), Workers: 2}
}

// table returns rows of random whole numbers, a tenth of them other than 0 where sparse, and a class of each by a response of 0 or 1.
func table(rows, columns int, sparse bool, response func(row []float64) float64) *data.View {
	rng := rand.New(rand.NewPCG(5, 0))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = make([]float64, columns)
		for j := range x[i] {
			if x[i][j] = float64(rng.IntN(41) - 20); sparse && rng.IntN(10) > 0 {
				x[i][j] = 0
			}
		}
		y[i] = response(x[i])
	}
	return enginetest.View(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, y...)), nil)
}

// exclusive returns 1 where one of the first two values alone is above 0.
func exclusive(row []float64) float64 {
	if (row[0] > 0) != (row[1] > 0) {
		return 1
	}
	return 0
}

func TestOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"boruta": trialCase, "families_bad_input": badInputCase})
}

func TestSuite(t *testing.T) {
	for name, e := range map[string]engines.Engine{
		"numbers":  ofBoruta{boruta(nil), data.Real},
		"levels":   ofBoruta{boruta(func(e *Boruta) { e.Alpha, e.Correct = 0.2, false }), data.Class},
		"impurity": ofBoruta{boruta(func(e *Boruta) { e.Importance, e.Rough = forest.Impurity, true }), data.Real},
		"mtry":     ofBoruta{boruta(func(e *Boruta) { e.MTry, e.Alpha = 12, 0.5 }), data.Real},
		"counts":   ofBoruta{boruta(nil), data.Count},
	} {
		t.Run(name, func(t *testing.T) { enginetest.Suite(t, e) })
	}
}

// trialCase runs a trial on the importances of a case.
func trialCase(t *testing.T, c oracle.Case) {
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

// badInputCase fits what the case is for, with its options in place of the defaults.
func badInputCase(t *testing.T, c oracle.Case) {
	var in struct {
		X      [][]float64
		Y      []float64
		Levels int `json:"n_labels"`
	}
	var o struct {
		Target  string
		Alpha   float64
		MaxRuns int `json:"max_runs"`
	}
	var want struct{ Error string }
	o.Alpha, o.MaxRuns = 0.01, 12
	c.Parts(t, &in, &o, &want)
	if o.Target != "boruta" {
		t.Skipf("a case about %s", o.Target)
	}
	e := boruta(func(e *Boruta) { e.Alpha, e.MaxRuns = o.Alpha, o.MaxRuns })
	err := e.Validate()
	if err == nil {
		_, err = e.Fit(t.Context(), runOn(enginetest.View(enginetest.Dataset(enginetest.Matrix(in.X...), enginetest.Class("y", in.Levels, in.Y...)), nil)))
	}
	if err == nil {
		t.Errorf("accepted, expected %s", want.Error)
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

// Two columns that matter only together are confirmed, and nothing else.
func TestFindsExclusive(t *testing.T) {
	for _, sparse := range []bool{false, true} {
		v := table(400, 10, sparse, exclusive)
		e := boruta(func(e *Boruta) { e.Trees, e.MaxRuns, e.MTry = 60, 40, 5 })
		chosen, told, err := e.Choose(t.Context(), runOn(v))
		if err != nil {
			t.Fatal(err)
		}
		if len(chosen) != 2 || chosen[0].Feature != 0 || chosen[1].Feature != 1 || chosen[0].Score <= 0 || chosen[0].Rank+chosen[1].Rank != 1 {
			t.Errorf("sparse %v: %+v, %+v", sparse, chosen, told)
		}
	}
}

// Too few runs to decide are noted, and undecided columns named.
func TestUndecided(t *testing.T) {
	v := table(60, 30, false, func(row []float64) float64 { return max(0, min(1, row[7])) })
	e := boruta(func(e *Boruta) { e.Importance = forest.Impurity })
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

func TestRefuses(t *testing.T) {
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
	v := table(30, 4, false, exclusive)
	if _, err := boruta(func(e *Boruta) { e.MTry = 9 }).Fit(t.Context(), runOn(v)); err == nil || err.Error() != "mtry 9, and the data has 4 columns" {
		t.Error(err)
	}
}

// Memory is that of a forest on the columns and as many shadows, and of the importances of all runs.
func TestFootprint(t *testing.T) {
	e := boruta(nil)
	both := engines.Shape{Rows: 500, Columns: 200, Entries: 3 * 40_000}
	want := e.Growing.Footprint(both).Bytes + int64(16*e.MaxRuns*100)
	if got := e.Footprint(engines.Shape{Rows: 500, Columns: 100, Entries: 40_000}).Bytes; got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
}

// Columns that are kept are in every run and in the model, first by rank, and are on no trial: facts and corrections count the others.
func TestColumnsToKeep(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	var x [][]float64
	var y []float64
	for i := range 90 {
		level := float64(i % 2)
		x, y = append(x, []float64{rng.NormFloat64(), level + 0.1*rng.NormFloat64(), rng.NormFloat64(), 2*level + rng.NormFloat64(), rng.NormFloat64()}), append(y, level)
	}
	for _, kept := range [][]int32{{0}, {0, 3}, {0, 1, 2, 3, 4}} {
		factor := []float64{1, 1, 1, 1, 1}
		for _, j := range kept {
			factor[j] = 0
		}
		v := enginetest.Treated(enginetest.Dataset(enginetest.Matrix(x...), enginetest.Class("y", 2, y...)), data.Treatment{Factor: factor})
		e := boruta(nil)
		chosen, fitted, err := e.Choose(t.Context(), runOn(v))
		if err != nil {
			t.Fatal(err)
		}
		ahead := 0
		for _, c := range chosen {
			if slices.Contains(kept, int32(c.Feature)) && c.Rank < len(kept) {
				ahead++
			}
		}
		if ahead != len(kept) {
			t.Errorf("kept %v: chosen %+v", kept, chosen)
		}
		if of := strings.Fields(fitted.Facts[0].Value); len(kept) == 5 && (of[0] != "0" || fitted.Iterations != 0) {
			t.Errorf("kept %v: %v after %d runs", kept, fitted.Facts, fitted.Iterations)
		}
		m, err := e.Fit(t.Context(), runOn(v))
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range kept {
			if !slices.Contains(engines.ColumnsOf(m, 5), j) {
				t.Errorf("kept %v: the model has columns %v", kept, engines.ColumnsOf(m, 5))
			}
		}
	}
}
