package pruning_test

import (
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/prepare/pruning"
)

// TestOraclePruning: columns leave as in the cases, by the rules of caret and by the plainer ones.
func TestOraclePruning(t *testing.T) {
	t.Parallel()
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"near_zero": checkNearZero, "correlated": checkCorrelated})
}

// matrix returns a matrix of the rows, zeros not stored, and the marks of the columns to keep.
func matrix(t *testing.T, rows [][]float64, kept []int32) (*sparse.Matrix, []bool) {
	t.Helper()
	var b sparse.Builder
	for _, row := range rows {
		var columns []int32
		var values []float64
		for j, v := range row {
			if v != 0 {
				columns, values = append(columns, int32(j)), append(values, v)
			}
		}
		if err := b.Add(columns, values); err != nil {
			t.Fatal(err)
		}
	}
	keep := make([]bool, len(rows[0]))
	for _, j := range kept {
		keep[j] = true
	}
	return b.Matrix(len(keep)), keep
}

func checkNearZero(t *testing.T, c oracle.Case) {
	var in struct{ X [][]float64 }
	options := struct {
		Rule          string
		FreqRatio     float64 `json:"freq_ratio"`
		PercentUnique float64 `json:"percent_unique"`
		Share         float64
		Keep          []int32
	}{FreqRatio: 19, PercentUnique: 10, Share: 0.95}
	var want struct {
		Stats []struct {
			Ratio         float64
			PercentUnique float64 `json:"percent_unique"`
			Share         float64
		}
		Dropped []int32
	}
	c.Parts(t, &in, &options, &want)
	x, keep := matrix(t, in.X, options.Keep)
	rule := pruning.NearZero{Rule: options.Rule, FreqRatio: options.FreqRatio, PercentUnique: options.PercentUnique, Share: options.Share}
	dropped := []int32{}
	for _, d := range rule.Drop(x, keep, nil) {
		dropped = append(dropped, d.Column)
	}
	if !slices.Equal(dropped, want.Dropped) {
		t.Errorf("dropped %v, expected %v", dropped, want.Dropped)
	}
	for j, s := range pruning.CountValues(x) {
		if w := want.Stats[j]; s.Ratio != w.Ratio || s.PercentUnique != w.PercentUnique || s.Share != w.Share {
			t.Errorf("column %d: %+v, expected %+v", j, s, w)
		}
	}
	unit := data.Numbers(len(keep))
	if alone := rule.Drop(x, keep, unit); len(alone) != len(dropped) {
		t.Errorf("with units of one column each %v leave, expected %v", alone, dropped)
	}
}

func checkCorrelated(t *testing.T, c oracle.Case) {
	var in struct{ X [][]float64 }
	var options struct {
		Cutoff float64
		Rule   string
		Keep   []int32
	}
	var want struct{ Dropped [][2]int32 }
	c.Parts(t, &in, &options, &want)
	x, keep := matrix(t, in.X, options.Keep)
	found, err := pruning.Correlated{Cutoff: options.Cutoff, Rule: options.Rule}.Drop(x, keep)
	if err != nil {
		t.Fatal(err)
	}
	var dropped [][2]int32
	for _, d := range found {
		dropped = append(dropped, [2]int32{d.Column, d.With})
	}
	if !slices.Equal(dropped, want.Dropped) {
		t.Errorf("dropped %v, expected %v", dropped, want.Dropped)
	}
}
