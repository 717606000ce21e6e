package selection_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tenfold/engines/enginetest/oracle"
	"tenfold/io/results"
	"tenfold/reports/cells"
	"tenfold/reports/selection"
)

// What describes a selection leaves out the columns that are kept in every model.
func TestOracleKept(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"kept_selection": checkKept})
}

func checkKept(t *testing.T, c oracle.Case) {
	var in struct {
		Columns     int
		Kept        []int
		Sets, Other [][]int
		Coef        [][][2]float64
		OtherCoef   [][][2]float64 `json:"other_coef"`
	}
	var want struct {
		Selected        float64
		WithKept        float64 `json:"selected_with_kept"`
		Stability, SE   *float64
		Shared, Jaccard *float64
		JaccardFolds    int      `json:"jaccard_folds"`
		SameSign        *float64 `json:"same_sign"`
		Agree           *float64 `json:"same_active_and_sign"`
	}
	c.Parts(t, &in, &struct{}{}, &want)
	cell := func(name string, sets [][]int, coefs [][][2]float64) *cells.Cell {
		var rows []results.Row
		for i, set := range sets {
			r := results.Row{Label: results.Label{Dataset: "d", Algorithm: name, Cell: name, Fold: int32(i), FoldDigest: fmt.Sprint(i)},
				Outcome: results.Outcome{Status: results.OK, Columns: int64(in.Columns)}}
			r.Scores = append(r.Scores, results.Score{Metric: results.KeptMetric, Point: -1, Value: float64(len(in.Kept))})
			for _, j := range set {
				s := results.Selected{Rank: -1, Feature: fmt.Sprint("x", j), Kept: slices.Contains(in.Kept, j), Coefficient: math.NaN()}
				if coefs != nil {
					s.Coefficient = 0
					for _, x := range coefs[i] {
						if int(x[0]) == j {
							s.Coefficient = x[1]
						}
					}
				}
				if !s.Kept {
					r.Features++
				}
				r.Selected = append(r.Selected, s)
			}
			rows = append(rows, r)
		}
		return cells.Group(rows)[0]
	}
	a := cell("a", in.Sets, in.Coef)
	b := cell("b", in.Other, in.OtherCoef)
	near := func(name string, got float64, want *float64) {
		t.Helper()
		switch {
		case want != nil:
			oracle.Near(t, name, got, *want, 1e-9)
		case got == got:
			t.Errorf("%s is %v, expected none", name, got)
		}
	}
	features, all := 0.0, 0.0
	for _, r := range a.Rows {
		features += float64(r.Features) / float64(len(a.Rows))
		all += float64(len(r.Selected)) / float64(len(a.Rows))
	}
	oracle.Near(t, "selected", features, want.Selected, 1e-9)
	oracle.Near(t, "selected with kept", all, want.WithKept, 1e-9)
	s := cells.Measure(cells.InRows{}, []*cells.Cell{a}, results.StabilityMetric)
	near("stability", s.Mean, want.Stability)
	near("se", s.SE, want.SE)
	o, err := selection.NewComparer(cells.InRows{}).Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	near("shared", o.Shared, want.Shared)
	near("jaccard", o.Jaccard, want.Jaccard)
	near("same sign", o.SameSign, want.SameSign)
	near("same active and sign", o.Agree, want.Agree)
	if o.JaccardFolds != want.JaccardFolds {
		t.Errorf("Jaccard over %d folds, expected %d", o.JaccardFolds, want.JaccardFolds)
	}
}
