package univariate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"tenfold/engines"
	"tenfold/engines/baselines/subset"
	"tenfold/engines/data"
	"tenfold/engines/numeric/sparse"
	"tenfold/engines/param"
)

// ranking is columns, or units of them, by what a test says of them.
type ranking struct {
	score, p []float64 // by column or unit
	members  [][]int32 // columns, by unit; nil where columns are ranked
	order    []int32   // columns or units that tell anything, best first
	notes    []string
	usual    int     // how many columns are kept by default
	kept     []int32 // columns or units that every model has, rising: they are scored, and not in the order
}

// rankColumns tests every column. O(nnz + columns · log columns).
func rankColumns(ctx context.Context, x *sparse.Matrix, test onColumn) (*ranking, error) {
	_, columns := x.Dims()
	r, infinite := &ranking{score: make([]float64, columns), p: make([]float64, columns)}, 0
	for j := range columns {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		t, err := test(x.Col(j))
		if err != nil {
			return nil, fmt.Errorf("column %d, %w", j, err)
		}
		r.score[j], r.p[j] = t.score, t.p
		if t.infinite {
			infinite++
		}
	}
	if infinite > 0 {
		r.notes = []string{fmt.Sprintf("%d columns order all events each, so that their estimates are infinite and Wald's test says nothing of them: they are not kept (test: score and test: likelihood rank them)", infinite)}
	}
	return r, nil
}

// setOrder sets the order of the columns, or units, but for those that every model has.
func (r *ranking) setOrder(v *data.View) {
	r.kept = v.Kept()
	if r.members != nil {
		r.kept = slices.DeleteFunc(data.Numbers(len(r.members)), func(u int32) bool { return v.Competes(int(r.members[u][0])) })
	}
	r.order = slices.DeleteFunc(subset.ByScore(r.score, 0), r.isKept)
}

// columnsOf some columns, or units, one after the other.
func (r *ranking) columnsOf(items []int32) (columns, item []int32) {
	if r.members == nil {
		return items, items
	}
	for _, u := range items {
		for _, j := range r.members[u] {
			columns, item = append(columns, j), append(item, u)
		}
	}
	return columns, item
}

func (r *ranking) isKept(j int32) bool { _, is := slices.BinarySearch(r.kept, j); return is }

// tested returns the p-values of the columns that are selected or not, and which these are.
func (r *ranking) tested() (p []float64, columns []int32) {
	columns = slices.DeleteFunc(data.Numbers(len(r.p)), r.isKept)
	return data.ValuesAt(r.p, columns), columns
}

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
func (k Keep) countKept(r *ranking) int {
	n := min(len(r.order), max(1, int(math.Round(k.Percentile/100*float64(len(r.score)-len(r.kept))))))
	most := k.Features
	if most == subset.ByDefault {
		most = r.usual
	}
	if most > 0 {
		n = min(n, most)
	}
	for n > 0 && r.p[r.order[n-1]] > k.Alpha*slack {
		n--
	}
	return n
}

// bestColumns returns the kept and the n best columns, rising, each with its rank and score, and the facts about them.
func (r *ranking) bestColumns(n int) (chosen []engines.Coef, fitted engines.Fitted) {
	fitted = engines.Fitted{Stop: "selected", Evaluated: int64(len(r.score)), Best: -1, Notes: slices.Clone(r.notes)}
	if n == 0 {
		fitted.Stop = "none_selected"
	}
	what := "column"
	if r.members != nil {
		what = "unit"
	}
	fitted.Facts = []data.Fact{
		{Name: what + "s kept", Value: fmt.Sprintf("%d of %d", n, len(r.score)-len(r.kept))},
		{Name: what + "s that tell nothing by themselves", Value: fmt.Sprint(len(r.score) - len(r.kept) - len(r.order))},
	}
	if n > 0 {
		last := r.order[n-1]
		fitted.Facts = append(fitted.Facts, data.Fact{Name: "score and p-value of the last " + what + " kept", Value: fmt.Sprintf("%.6g, %.4g", r.score[last], r.p[last])})
	}
	columns, item := r.columnsOf(slices.Concat(r.kept, r.order[:n]))
	return engines.Ranked(columns, func(rank int, _ int32) float64 { return r.score[item[rank]] }), fitted
}

// countDiscovered returns the number of columns, from the best on, that the step-up procedure selects by their p-values.
func (r *ranking) countDiscovered(alpha float64, procedure string) int {
	p, columns := r.tested()
	if procedure == by {
		alpha /= harmonic(len(p))
	}
	selected := stepUp(p, alpha)
	return len(slices.DeleteFunc(selected, func(k int32) bool { return !(r.score[columns[k]] > 0) }))
}
