package univariate

import (
	"errors"
	"math"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/filters/ranking"
	"tenfold/engines/param"
)

// Ridge is the parameter of the model on the columns that a filter keeps.
type Ridge = subset.Ridge

// Keep says how many of the best columns are kept: all limits hold. Columns that tell nothing, such as constant ones, never are.
type Keep struct {
	Features   int     `yaml:"features" simpler:"smaller,0 last" doc:"columns at most; 0: no limit; −1: a hundred, at most half of the columns, and of numbers and times at most the root of the training rows"`
	Percentile float64 `yaml:"percentile" doc:"percent of the columns at most, in (0, 100]; rounded, at least one"`
	Alpha      float64 `yaml:"alpha" doc:"largest p-value of a column, each tested by itself, in (0, 1]"`
}

// usual is how many columns are kept where nothing is said.
var usual = Keep{Features: subset.ByDefault, Percentile: 100, Alpha: 1}

func (k Keep) validateKeep() error {
	return errors.Join(
		subset.CheckSize(k.Features),
		param.Require("percentile", k.Percentile > 0 && k.Percentile <= 100, "%v, expected a number above 0, at most 100", k.Percentile),
		param.Require("alpha", k.Alpha > 0 && k.Alpha <= 1, "%v, expected a number above 0, at most 1", k.Alpha),
	)
}

// countKept returns the number of columns, from the best on, that are kept.
func (k Keep) countKept(r *ranking.Ranking) int {
	n := min(len(r.Order), max(1, int(math.Round(k.Percentile/100*float64(len(r.Score)-len(r.Kept))))))
	most := k.Features
	if most == subset.ByDefault {
		most = r.Usual
	}
	if most > 0 {
		n = min(n, most)
	}
	for n > 0 && r.P[r.Order[n-1]] > k.Alpha*slack {
		n--
	}
	return n
}

// memoryOf estimates the bytes that a filter takes: the columns laid out, and scores, p-values and ranks.
func memoryOf(s engines.Shape) int64 {
	return 12*s.Entries + 32*int64(s.Columns) + 64*int64(s.Rows)
}
