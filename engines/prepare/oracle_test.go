package prepare_test

import (
	"math"
	"slices"
	"testing"

	"tenfold/engines/data"
	"tenfold/engines/enginetest"
	"tenfold/engines/enginetest/oracle"
	"tenfold/engines/prepare"
)

func TestOracle(t *testing.T) {
	oracle.Run(t, map[string]func(*testing.T, oracle.Case){"nan_columns": columnsCase})
}

// columnsCase prepares a table of numbers and words with gaps, for training rows and test rows.
func columnsCase(t *testing.T, c oracle.Case) {
	var in struct {
		Names, Types []string
		Train, Test  [][]any // by column
	}
	var options struct{ Missing, Words string }
	var want struct {
		Names       []string
		Train, Test [][]*float64 // by column
	}
	c.Parts(t, &in, &options, &want)
	rows := len(in.Train[0]) + len(in.Test[0])
	x, names, factor := make([][]float64, rows), []string{}, []int32{}
	add := func(name string, f int32, value func(i int) float64) {
		names, factor = append(names, name), append(factor, f)
		for i := range x {
			x[i] = append(x[i], value(i))
		}
	}
	for k, name := range in.Names {
		cell := slices.Concat(in.Train[k], in.Test[k])
		if in.Types[k] == "number" {
			add(name, -1, func(i int) float64 {
				if v, known := cell[i].(float64); known {
					return v
				}
				return math.NaN()
			})
			continue
		}
		var levels []string
		for _, v := range cell {
			if word, known := v.(string); known && !slices.Contains(levels, word) {
				levels = append(levels, word)
			}
		}
		slices.Sort(levels)
		for _, level := range levels {
			add(name+"="+level, int32(k), func(i int) float64 {
				if cell[i] == level {
					return 1
				}
				return 0
			})
		}
		add(name+"="+data.Missing, int32(k), func(i int) float64 {
			if cell[i] == nil {
				return math.NaN()
			}
			return 0
		})
	}
	d := enginetest.Dataset(enginetest.Matrix(x...), enginetest.Real("y", make([]float64, rows)...))
	d.Features, d.Factor = data.NewFeatures(names), factor
	r := prepare.Recipe{Missing: options.Missing, Words: options.Words}
	if r.Missing == prepare.Level {
		r.Missing, r.Words = "median", prepare.Level
	}
	p, err := r.Fit(d, data.Numbers(len(in.Train[0])))
	if err != nil {
		t.Fatal(err)
	}
	have, got := enginetest.Table(p.View(nil))
	if !slices.Equal(slices.Sorted(slices.Values(have)), slices.Sorted(slices.Values(want.Names))) {
		t.Fatalf("columns %v, want %v", have, want.Names)
	}
	for k, name := range want.Names {
		j := slices.Index(have, name)
		for i, v := range slices.Concat(want.Train[k], want.Test[k]) {
			if v == nil && got[i][j] == got[i][j] || v != nil && !(math.Abs(got[i][j]-*v) <= 1e-12) {
				t.Errorf("column %s, row %d: %v, want %v", name, i, got[i][j], v)
			}
		}
	}
}
