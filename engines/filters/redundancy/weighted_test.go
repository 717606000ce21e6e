package redundancy

import (
	"slices"
	"testing"

	"tenfold/engines"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/filters/univariate"
)

// scoredByWeight lists the engines of the reference cases of scores by weights.
func scoredByWeight(score string) engines.Chooser {
	switch score {
	case "anova":
		e := univariate.AnovaKind.Defaults().(univariate.Anova)
		e.Features = 0
		return e
	case "chi2":
		e := univariate.Chi2Kind.Defaults().(univariate.Chi2)
		e.Features = 0
		return e
	case "mutual-information":
		e := MIMKind.Defaults().(Informed)
		e.Features, e.Discretize = 0, "none"
		return e
	case "variance":
		e := VarianceKind.Defaults().(Variance)
		e.Features = 0
		return e
	}
	return nil
}

func TestOracleWeightedScores(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"weighted_scores": func(t *testing.T, c oracle.Case) {
		var in struct {
			X          [][]float64
			Y, Weights []float64
		}
		var options struct{ Score, Weights, Target string }
		var want struct{ Scores []float64 }
		c.Parts(t, &in, &options, &want)
		target := enginetest.Real("y", in.Y...)
		if options.Target == "class" {
			target = enginetest.Class("y", 1+int(slices.Max(in.Y)), in.Y...)
		}
		set := enginetest.Dataset(enginetest.Matrix(in.X...), target)
		set.Weight = in.Weights
		var rows []int32 // those of weight 0 are as if they were not there
		for i, w := range in.Weights {
			if w > 0 {
				rows = append(rows, int32(i))
			}
		}
		set = set.Select(rows)
		v := enginetest.View(set, nil)
		if options.Weights == "frequency" {
			v = enginetest.Counted(set)
		}
		chosen, _, err := scoredByWeight(options.Score).Choose(t.Context(), engines.Run{Train: v, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, len(want.Scores))
		for _, one := range chosen {
			got[one.Feature] = one.Score
		}
		oracle.NearAll(t, options.Score, got, want.Scores, 1e-9)
	}})
}
