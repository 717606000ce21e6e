package ranks_test

import (
	"math"
	"reflect"
	"testing"

	"tenfold/engines/enginetest/oracle"
	"tenfold/io/results"
	"tenfold/reports/ranks"
)

// number is a JSON number, "inf", or null for none.
func number(x any) float64 {
	switch x := x.(type) {
	case float64:
		return x
	case string:
		return math.Inf(map[string]int{"inf": 1, "-inf": -1}[x])
	}
	return math.NaN()
}

// States, who competes, means over data sets and ranks, where values are missing or infinite.
func TestOracleIncompleteMeans(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"incomplete_means": checkIncompleteMeans})
}

func checkIncompleteMeans(t *testing.T, c oracle.Case) {
	var in struct{ Values [][][]any }
	var options struct{ Direction string }
	var want struct {
		Cells [][]struct {
			Mean  any
			N     int
			State results.State
		}
		Compete, Best [][]int
		Over          []any
		Ranked        struct {
			Algorithms, Data []int
			MeanRanks        []float64 `json:"mean_ranks"`
		}
	}
	c.Parts(t, &in, &options, &want)
	higher := options.Direction == "higher"
	algorithms, sets := len(in.Values), len(in.Values[0])
	scores := make([][]float64, sets)
	for d := range sets {
		values, means := make([][]float64, algorithms), make([]float64, algorithms)
		for a := range algorithms {
			var have []float64
			for _, x := range in.Values[a][d] {
				v := number(x)
				if values[a] = append(values[a], v); v == v {
					have = append(have, v)
				}
			}
			s := results.Summarise(have)
			means[a] = s.Mean
			w := want.Cells[a][d]
			if state := results.StateOf(values[a]); state != w.State || s.N != w.N {
				t.Errorf("cell %d on %d: %s of %d, expected %s of %d", a, d, state, s.N, w.State, w.N)
			}
			checkNear(t, "mean", s.Mean, number(w.Mean))
		}
		compete := results.Compete(values)
		var who []int
		scores[d] = make([]float64, algorithms)
		for a, yes := range compete {
			scores[d][a] = math.NaN()
			if yes {
				who, scores[d][a] = append(who, a), means[a]
			}
		}
		if !equal(who, want.Compete[d]) {
			t.Errorf("on %d compete %v, expected %v", d, who, want.Compete[d])
		}
		if best := results.BestOf(means, compete, higher); !equal(best, want.Best[d]) {
			t.Errorf("best on %d: %v, expected %v", d, best, want.Best[d])
		}
	}
	for a, w := range want.Over {
		sum := 0.0
		for d := range sets {
			sum += scores[d][a]
		}
		checkNear(t, "mean over data sets", sum/float64(sets), number(w))
	}
	data, left := ranks.Complete(scores)
	if !equal(data, want.Ranked.Data) || !equal(left, want.Ranked.Algorithms) {
		t.Fatalf("ranked %v on %v, expected %v on %v", left, data, want.Ranked.Algorithms, want.Ranked.Data)
	}
	var blocks [][]float64
	for _, d := range data {
		var block []float64
		for _, a := range left {
			block = append(block, scores[d][a])
		}
		blocks = append(blocks, block)
	}
	f, err := ranks.NewFriedman(blocks, higher)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want.Ranked.MeanRanks {
		checkNear(t, "mean rank", f.Mean[i], w)
	}
}

func equal(a, b []int) bool { return len(a)+len(b) == 0 || reflect.DeepEqual(a, b) }

func checkNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	switch {
	case math.IsNaN(want):
		if got == got {
			t.Errorf("%s is %v, expected none", what, got)
		}
	case math.IsInf(want, 0):
		if got != want {
			t.Errorf("%s is %v, expected %v", what, got, want)
		}
	default:
		oracle.Near(t, what, got, want, 1e-9)
	}
}
