package tune

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/penalized/lasso"
	"tenfold/engines/registry"
)

// Rungs and who climbs them, and the rows of a rung, are those of the reference.
func TestOracleHalving(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"halving": checkHalving, "halving_rows": checkRowLine})
}

func checkHalving(t *testing.T, raw oracle.Case) {
	var in struct{ Scores []map[string]any }
	var options struct {
		Number, Factor, Maximum, Minimum int
		Direction                        string
	}
	var want struct {
		Rungs []struct {
			Resource   int
			Candidates []int32
		}
		Chosen, Fits int
		Effort       float64
	}
	raw.Parts(t, &in, &options, &want)
	loss := func(candidate int32, resource int) float64 {
		switch v := in.Scores[candidate][strconv.Itoa(resource)].(type) {
		case float64:
			if options.Direction == "higher" {
				return -v
			}
			return v
		case string:
			return math.Inf(1)
		}
		return math.NaN()
	}
	rungs := newRungs(options.Number, options.Factor, options.Maximum, options.Minimum)
	if len(rungs) != len(want.Rungs) {
		t.Fatalf("%d rungs, expected %d", len(rungs), len(want.Rungs))
	}
	fits := 0
	for i := range rungs {
		r := rungs[i]
		if r.resource != want.Rungs[i].Resource || !slices.Equal(r.candidates, want.Rungs[i].Candidates) {
			t.Errorf("rung %d: %v of %d, expected %v", i, r.candidates, r.resource, want.Rungs[i])
		}
		fits += len(r.candidates)
		losses := make([]float64, len(r.candidates))
		for k, c := range r.candidates {
			losses[k] = loss(c, r.resource)
		}
		if i == len(rungs)-1 {
			best, _ := survivors(losses, len(losses))
			if got := r.candidates[best[0]]; int(got) != want.Chosen {
				t.Errorf("%d is chosen, expected %d", got, want.Chosen)
			}
			break
		}
		best, _ := survivors(losses, options.Factor)
		for _, k := range best {
			rungs[i+1].candidates = append(rungs[i+1].candidates, r.candidates[k])
		}
	}
	if fits != want.Fits || !strings.HasSuffix(describeRungs(rungs, "rows"), fmt.Sprintf("the work of %.3g fits on each inner fold", want.Effort)) {
		t.Errorf("%d fits, %s; expected %d fits, the work of %v", fits, describeRungs(rungs, "rows"), want.Fits, want.Effort)
	}
}

func checkRowLine(t *testing.T, raw oracle.Case) {
	var in struct {
		Order []int32
		Y     []int
	}
	var options struct{ Sizes []int }
	var want struct {
		Line    []int32
		Subsets [][]int32
	}
	raw.Parts(t, &in, &options, &want)
	line := rowLine(in.Order, func(row int32) int { return in.Y[row] })
	if !slices.Equal(line, want.Line) {
		t.Errorf("line %v, expected %v", line, want.Line)
	}
	run := engines.Run{Train: enginetest.View(enginetest.Dataset(enginetest.Matrix([]float64{1}, []float64{2}), enginetest.Real("y", 1, 2)), nil)}
	for i, size := range options.Sizes {
		if got := firstRows(run, line, size); !slices.Equal(got, want.Subsets[i]) {
			t.Errorf("%d rows: %v, expected %v", size, got, want.Subsets[i])
		}
	}
}

// Equal losses: the earlier go on, and those left out are counted.
func TestTiesAtTheCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		losses []float64
		factor int
		best   []int32
		tied   int
	}{
		{[]float64{3, 1, 1 + 1e-12, 1, 5, 6}, 3, []int32{1, 2}, 1},
		{[]float64{math.NaN(), math.Inf(1), math.Inf(1), 7}, 2, []int32{1, 3}, 1},
		{[]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()}, 2, []int32{0, 1}, 0},
	} {
		if best, tied := survivors(c.losses, c.factor); !slices.Equal(best, c.best) || tied != c.tied {
			t.Errorf("%v: %v go on, %d tie", c.losses, best, tied)
		}
	}
}

// halved returns the candidates of some penalties, with engines whose penalties fall with the rows.
func halved(factor int, lambdas ...float64) Engine {
	e := Engine{Options: Options{InnerFolds: engines.InnerFolds{K: 3, Repeats: 1}, Choose: chooseBest, Search: Halving, Factor: factor, Resource: Rows}, Candidates: ridges(lambdas...)}
	for i, lambda := range lambdas {
		for share := factor; share <= len(lambdas); share *= factor {
			e.Candidates[i].Partial = append(e.Candidates[i].Partial, ridge(lambda/float64(share)))
		}
	}
	return e
}

// Halving keeps the laws of engines: the same for any number of workers, an end soon after a cancellation.
func TestHalvingSuite(t *testing.T) {
	t.Parallel()
	enginetest.Suite(t, halved(2, 10, 1, 0.1, 0.01))
}

// Halving among penalties that differ by orders of magnitude takes what a search of all takes, with less work, and tells how; groups stay whole.
func TestHalving(t *testing.T) {
	t.Parallel()
	const rows = 240
	x, y := make([][]float64, rows), make([]float64, rows)
	groups := &data.Groups{Name: "g", Of: make([]int32, rows), Key: make([]uint64, rows/4)}
	for i := range x {
		x[i] = []float64{math.Sin(float64(i)), math.Cos(3 * float64(i)), math.Sin(float64(i * i))}
		y[i] = x[i][0] + 0.3*math.Sin(7*float64(i)+1)
		groups.Of[i] = int32(i / 4)
		groups.Key[i/4] = uint64(i / 4)
	}
	set := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", y...))
	for _, grouped := range []bool{false, true} {
		e := halved(3, 1e6, 1e5, 1e4, 1e3, 1, 300, 3e4, 3e5, 3e6)
		var facts []data.Fact
		run := engines.Run{Train: enginetest.View(set, nil), Workers: 1, Rand: random(4), Tell: func(f data.Fact) { facts = append(facts, f) }}
		if grouped {
			set.Groups = groups
			run.Train, run.Inner.By = enginetest.View(set, nil), true
		}
		if _, err := e.Fit(t.Context(), run); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(facts)
		if !strings.Contains(text, "lambda=1}") || !strings.Contains(text, "9 candidates at 53 rows, 3 at 160") || !strings.Contains(text, "the work of 5.98 fits") {
			t.Errorf("groups %v: %s", grouped, text)
		}
		if !grouped {
			continue
		}
		line := groupLine([]int32{0, 1, 2, 3, 8, 9, 10, 11, 20, 21, 22, 23}, groups, random(3))
		if got := firstRows(run, line, 5); len(got) != 8 || got[0]%4 != 0 || got[4]%4 != 0 {
			t.Errorf("rows %v of whole groups", got)
		}
	}
}

// Values of a penalty fall with the rows along a path, shares do not.
func TestScaledValues(t *testing.T) {
	t.Parallel()
	e := Engine{Options: Options{Resource: Rows}}
	engine := lasso.LassoKind.Defaults()
	if got := e.scaledValues(engine, "lambda", []float64{8, 4}, 4); !slices.Equal(got, []float64{2, 1}) {
		t.Errorf("lambda %v", got)
	}
	if got := e.scaledValues(engine, "lambda_ratio", []float64{1, 0.5}, 4); !slices.Equal(got, []float64{1, 0.5}) {
		t.Errorf("lambda_ratio %v", got)
	}
	for _, rule := range []float64{-1, 0} { // of the engine, not a penalty
		if x := (registry.Param{Rows: "times"}).OnShare(rule, 0.25); x != rule {
			t.Errorf("%v becomes %v on a quarter of the rows", rule, x)
		}
	}
	if x := (registry.Param{Rows: "over"}).OnShare(2, 0.25); x != 8 {
		t.Errorf("the weight of a sum on a quarter of the rows is %v", x)
	}
}
