package cells

import (
	"math"

	"tenfold/io/results"
)

// Micro summarises a metric over all test rows of some cells, each counting once (once in every repeat), whatever its fold or task.
// Only if the metric is a mean over rows (results.Properties) is that the mean of its folds, weighted by their rows. The units of
// the standard error are those of the means of the cells: tasks if they are averaged, else folds. With n test rows of a unit and
// their sum y of the metric, it is that of a ratio (Cochran 1977, Sampling Techniques, 3rd ed., section 6.4, for a large
// population),
//
//	m = Σy / Σn    se² = T/(T−1) · Σ(y − m·n)² / (Σn)² · (1 + T·ρ)
//
// over T units; the interval has T−1 degrees of freedom. The last factor is the correction of results.SummariseFolds for folds that
// share training rows. With equally many rows in each it is that of a plain mean. Units without a
// value are left out, and so are all of a cell along a path whose tasks are averaged: their rows are not known there.
func Micro(cs []*Cell, metric string) results.Stat {
	var units []pool
	for _, c := range cs {
		units = append(units, c.pools(metric)...)
	}
	s := results.Summarise(nil)
	all := together(units)
	if !(all.rows > 0) {
		return s
	}
	s.N, s.Mean = len(units), all.sum/all.rows
	if s.N > 1 {
		squares := 0.0
		for _, u := range units {
			d := u.sum - float64(s.Mean*u.rows)
			squares += float64(d * d)
		}
		t := float64(s.N)
		s.Ratio = Pooled(cs, metric).Ratio
		s.SE = math.Sqrt(t/(t-1)*squares*(1+float64(t*s.Ratio))) / all.rows
		half := float64(results.Student975(s.N-1) * s.SE)
		s.Low, s.High = s.Mean-half, s.Mean+half
	}
	return s
}

// pool holds a number of test rows, and the sum of a metric over them.
type pool struct{ rows, sum float64 }

func together(pools []pool) (all pool) {
	for _, p := range pools {
		all.rows, all.sum = all.rows+p.rows, all.sum+p.sum
	}
	return all
}

// pools returns the pools of the cell: one for each of its rows that ended well and has the metric.
func (c *Cell) pools(metric string) []pool {
	if c.Averaged && c.Tasks == nil {
		return nil
	}
	var out []pool
	for i, r := range c.Rows {
		v, ok := r.Metric(metric)
		switch {
		case !ok || r.Status != results.OK:
		case c.Averaged:
			out = append(out, together(c.Tasks[i].pools(metric)))
		default:
			rows := float64(r.RowsTest)
			out = append(out, pool{rows, float64(rows * v)})
		}
	}
	return out
}
