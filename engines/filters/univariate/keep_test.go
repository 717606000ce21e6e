package univariate

import (
	"cmp"
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
)

// TestOracleKeep: the columns of the cases, kept ones first, with their scores.
func TestOracleKeep(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"keep_filter": checkKeep})
}

func checkKeep(t *testing.T, c oracle.Case) {
	var in struct {
		X    [][]float64
		Y    []float64
		Keep []int
	}
	var options struct {
		Engine string
		Size   int
	}
	var want struct {
		Columns []int
		Scores  []float64
	}
	c.Parts(t, &in, &options, &want)
	keep := Keep{Features: options.Size, Percentile: 100, Alpha: 1}
	target := enginetest.Class("y", 1+int(slices.Max(in.Y)), in.Y...)
	var e engines.Chooser
	switch options.Engine {
	case "chi2":
		e = Chi2{Of: ofSums, Keep: keep, Ridge: Ridge{Ridge: 1}}
	case "mutual-information":
		e = MutualInformation{keep, Ridge{Ridge: 1}}
	case "anova":
		e = Anova{keep, Ridge{Ridge: 1}}
		if slices.ContainsFunc(in.Y, func(y float64) bool { return y != 0 && y != 1 }) {
			target = enginetest.Real("y", in.Y...)
		}
	default:
		t.Skipf("engine %s", options.Engine)
	}
	factor := slices.Repeat([]float64{1}, len(in.X[0]))
	for _, j := range in.Keep {
		factor[j] = 0
	}
	view := enginetest.Treated(enginetest.Dataset(enginetest.Matrix(in.X...), target), data.Treatment{Factor: factor})
	chosen, _, err := e.Choose(t.Context(), engines.Run{Train: view, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(chosen, func(a, b engines.Coef) int { return cmp.Compare(a.Rank, b.Rank) })
	var columns []int
	var scores []float64
	for _, c := range chosen {
		columns, scores = append(columns, c.Feature), append(scores, c.Score)
	}
	if !slices.Equal(columns, want.Columns) {
		t.Errorf("columns %v, expected %v", columns, want.Columns)
	}
	oracle.NearAll(t, "scores", scores, want.Scores, 1e-9)
}
