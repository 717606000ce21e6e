package agree

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tenfold/engines/enginetest/oracle"
)

func TestOracleAgreement(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"agree_similar": checkSimilar, "guarantees_refused": checkRefused})
}

// checkRefused: nobody gives similarities, which are computed; those of cases that can be none are found here.
func checkRefused(t *testing.T, c oracle.Case) {
	var in struct{ Similarity [][]float64 }
	var options struct{ Target string }
	c.Parts(t, &in, &options, &struct{}{})
	if options.Target != "agree_similar" {
		t.Skipf("it is about %s", options.Target)
	}
	if wrongSimilarity(in.Similarity) == "" {
		t.Error("similarities that can be none")
	}
}

// wrongSimilarity says why numbers are no similarities of columns, "" where they are.
func wrongSimilarity(similarity [][]float64) string {
	for i, row := range similarity {
		for j, c := range row {
			switch {
			case len(row) != len(similarity) || c != similarity[j][i]:
				return "not symmetric"
			case !(c >= 0 && c <= 1):
				return "outside [0, 1]"
			}
		}
	}
	return ""
}

func graphOf(similarity [][]float64, threshold float64) *Graph {
	g := &Graph{Columns: len(similarity), Near: make([][]Similar, len(similarity))}
	for i, row := range similarity {
		for j, c := range row {
			if i != j && c >= threshold {
				g.Near[i] = append(g.Near[i], Similar{int32(j), c})
			}
		}
	}
	return g
}

func checkSimilar(t *testing.T, c oracle.Case) {
	var in struct {
		Draws      map[string][][2][]int32
		Sets       [][]int32
		Similarity [][]float64
	}
	var opt struct {
		Correction, Measure string
		Threshold           float64
	}
	var want struct {
		Pairs []*float64
		Value *float64
	}
	c.Parts(t, &in, &opt, &want)
	if wrong := wrongSimilarity(in.Similarity); wrong != "" {
		t.Fatal(wrong)
	}
	g := graphOf(in.Similarity, opt.Threshold)
	m := map[string]Measure{"mbm": MBM, "yu": Yu, "zucknick": Zucknick}[opt.Measure]
	got := m.pairs(g, in.Sets, func(i, j int) float64 {
		switch a, b := len(in.Sets[i]), len(in.Sets[j]); {
		case opt.Correction == "none":
			return 0
		case opt.Correction == "draws":
			return m.overDraws(g, func(yield func(a, b []int32) bool) {
				for _, d := range in.Draws[fmt.Sprintf("%d,%d", i, j)] {
					if !yield(d[0], d[1]) {
						return
					}
				}
			})
		case m.exact != nil:
			return m.exact(g, a, b)
		default:
			return m.overAll(g, a, b)
		}
	})
	for k, w := range want.Pairs {
		switch {
		case w == nil && got[k] == got[k]:
			t.Errorf("pair %d: %v, expected to be left out", k, got[k])
		case w != nil:
			oracle.Near(t, fmt.Sprint("pair ", k), got[k], *w, 1e-9)
		}
	}
	if opt.Correction == "exact" && want.Value != nil {
		oracle.Near(t, "value", m.Of(g, in.Sets), *want.Value, 1e-9)
	}
}

// three columns that go together, two that do, and three by themselves.
func example() *Graph {
	similarity := make([][]float64, 8)
	for i := range similarity {
		similarity[i] = make([]float64, 8)
	}
	for _, p := range [][2]int{{0, 1}, {0, 2}, {1, 2}, {3, 4}} {
		similarity[p[0]][p[1]], similarity[p[1]][p[0]] = 0.95, 0.95
	}
	return graphOf(similarity, 0.9)
}

// The formula for the expectation is the mean over all pairs of sets, also where every column is similar to every other.
func TestFormulaIsTheMeanOverAllSets(t *testing.T) {
	alike := make([][]float64, 8)
	for i := range alike {
		alike[i] = slices.Repeat([]float64{1}, 8)
	}
	for name, g := range map[string]*Graph{"some": example(), "all": graphOf(alike, 0.9)} {
		for n1 := 0; n1 <= 8; n1++ {
			for n2 := 0; n2 <= 8; n2++ {
				if got, want := expectedYu(g, n1, n2), Yu.overAll(g, n1, n2); !(math.Abs(got-want) <= 1e-12) {
					t.Errorf("%s similar, sets of %d and %d: %v, over all %v", name, n1, n2, got, want)
				}
			}
		}
	}
}

// What is gone through are as many sets as are counted; where the pairs are few, their mean is the expectation.
func TestFewSetsAreGoneThrough(t *testing.T) {
	for p := 1; p <= 9; p++ {
		for n := 0; n <= p; n++ {
			if got, want := setsOf(p, n), len(subsets(p, n)); got != float64(want) {
				t.Errorf("%d of %d: %v sets, %d are gone through", n, p, got, want)
			}
		}
	}
	if few, many := setsOf(100, 98), setsOf(100, 50); few != 4950 || !math.IsInf(many, 1) {
		t.Errorf("98 of 100: %v sets, 50 of 100: %v", few, many)
	}
	g, sets := example(), [][]int32{{0, 3, 6}, {1, 5, 6, 7}}
	exact := MBM.overAll(g, 3, 4)
	all := func(yield func(a, b []int32) bool) {
		for _, a := range subsets(8, 3) {
			for _, b := range subsets(8, 4) {
				yield(a, b)
			}
		}
	}
	if got := MBM.overDraws(g, all); got != exact {
		t.Errorf("all pairs drawn: %v, gone through: %v", got, exact)
	}
	if got, want := MBM.Of(g, sets), (2-exact)/(math.Sqrt(12)-exact); !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("mbm: %v, want %v", got, want)
	}
}

// Draws come near to the mean over all pairs of sets, and are the same each time.
func TestDrawsComeNearTheMean(t *testing.T) {
	g := example()
	for _, m := range []Measure{MBM, Yu} {
		got, want := m.overDraws(g, draw(8, 3, 4, 5)), m.overAll(g, 3, 4)
		if !(math.Abs(got-want) <= 0.1) { // four standard errors, the common part being below 4
			t.Errorf("%s: %v, over all %v", m.Name, got, want)
		}
		if again := m.overDraws(g, draw(8, 3, 4, 5)); again != got {
			t.Errorf("%s: %v, then %v", m.Name, got, again)
		}
	}
	wide := &Graph{Columns: 400, Near: g.Near}
	sets := [][]int32{{0, 3, 7, 300, 301}, {1, 4, 7, 300, 302}}
	if first := MBM.Of(wide, sets); first != MBM.Of(wide, sets) || !(first > 0.75 && first < 0.8) { // 4 of 5, nearly nothing by chance
		t.Errorf("mbm of 400 columns: %v", first)
	}
}

// A stand-in counts as the column itself; without similar columns the measures are corrected by n₁n₂/p, and what says nothing is left out.
func TestStandIns(t *testing.T) {
	g, alone := example(), &Graph{Columns: 8}
	for _, m := range []Measure{MBM, Yu} {
		if v := m.Of(g, [][]int32{{0, 3}, {2, 4}}); !(math.Abs(v-1) <= 1e-12) {
			t.Errorf("%s of sets that stand for each other: %v", m.Name, v)
		}
		if v, want := m.Of(alone, [][]int32{{0, 3}, {2, 3}}), (1-4.0/8)/(2-4.0/8); !(math.Abs(v-want) <= 1e-12) {
			t.Errorf("%s without similar columns: %v, want %v", m.Name, v, want)
		}
		if v := m.Of(g, [][]int32{{}, {}}); v == v {
			t.Errorf("%s of nothing: %v", m.Name, v)
		}
	}
	if v, want := Zucknick.Of(g, [][]int32{{0, 3}, {1, 3}}), (1+0.95/2+0.95/2)/3; !(math.Abs(v-want) <= 1e-12) {
		t.Errorf("zucknick: %v, want %v", v, want)
	}
	// One column on a side matches one of several.
	if got := matched(g, setOf([]int32{0, 1}), setOf([]int32{2, 5})); got != 1 {
		t.Errorf("a matching of %v", got)
	}
}
