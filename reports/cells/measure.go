package cells

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tenfold/io/results"
)

// Value is a metric of one row, its final model and the mean of its outputs; false where it does not apply.
func Value(r *results.Row, metric string) (float64, bool) {
	for _, s := range r.Scores {
		if s.Metric == metric && s.Output == "" && s.Point < 0 {
			return s.Value, !math.IsNaN(s.Value)
		}
	}
	return 0, false
}

// Higher tells whether more of a metric is better, from the first row that has it.
func (c *Cell) Higher(metric string) bool {
	for _, r := range c.Rows {
		for _, s := range r.Scores {
			if s.Metric == metric {
				return s.Higher
			}
		}
	}
	return false
}

// Stat is a metric over folds. Without values (N is 0) everything is NaN; SE is NaN below two.
type Stat struct {
	N                  int
	Mean, SE, Min, Max float64
	Count              bool // every value is a whole number
}

// Stat is a metric over the folds of the cells that ended well.
func (c *Cell) Stat(metric string) Stat { return Pooled([]*Cell{c}, metric) }

// Pooled is a metric over the folds of several cells.
func Pooled(cs []*Cell, metric string) Stat {
	var values []float64
	for _, c := range cs {
		for _, r := range c.Rows {
			if v, ok := Value(r, metric); ok && r.Status == results.OK {
				values = append(values, v)
			}
		}
	}
	return Summarise(values)
}

// Summarise computes mean, standard error (standard deviation / √n), least and largest.
func Summarise(values []float64) Stat {
	nan := math.NaN()
	s := Stat{N: len(values), Mean: nan, SE: nan, Min: nan, Max: nan, Count: len(values) > 0}
	if s.N == 0 {
		return s
	}
	n := float64(s.N)
	sum := 0.0
	for _, v := range values {
		sum += v
		s.Count = s.Count && v == math.Trunc(v)
	}
	s.Mean, s.Min, s.Max = sum/n, slices.Min(values), slices.Max(values)
	if s.N > 1 {
		squares := 0.0
		for _, v := range values {
			d := v - s.Mean
			squares += float64(d * d)
		}
		s.SE = math.Sqrt(squares / (n - 1) / n)
	}
	return s
}

// Trouble is "" where every fold ended well, otherwise what to print instead of a number: "failed" when all folds did,
// "2/10 failed", "1/10 failed, 1/10 timeout".
func (c *Cell) Trouble() string {
	count := map[results.Status]int{}
	for _, r := range c.Rows {
		count[r.Status]++
	}
	const missing = results.Status("missing")
	count[missing] = max(0, c.Folds-len(c.Rows))
	var parts []string
	for _, s := range []results.Status{results.Failed, results.Timeout, results.Skipped, missing} {
		switch n := count[s]; {
		case n == 0:
		case n == c.Folds:
			return string(s)
		default:
			parts = append(parts, fmt.Sprintf("%d/%d %s", n, c.Folds, s))
		}
	}
	return strings.Join(parts, ", ")
}

// Optimistic tells whether test rows took part in choosing some of the cell's models.
func (c *Cell) Optimistic() bool {
	return slices.ContainsFunc(c.Rows, func(r *results.Row) bool { return r.Optimistic })
}

// Source hands out the bulky parts of a row when they are asked for.
type Source interface {
	Path(r *results.Row) ([]results.Point, error)
	Selected(r *results.Row) ([]results.Selected, error)
	Predictions(r *results.Row) (results.Predictions, error)
}

// InRows is the Source for rows that carry their parts themselves.
type InRows struct{}

// Path of the row.
func (InRows) Path(r *results.Row) ([]results.Point, error) { return r.Outcome.Path, nil }

// Selected features of the row.
func (InRows) Selected(r *results.Row) ([]results.Selected, error) { return r.Outcome.Selected, nil }

// Predictions of the row.
func (InRows) Predictions(r *results.Row) (results.Predictions, error) {
	return r.Outcome.Predictions, nil
}
