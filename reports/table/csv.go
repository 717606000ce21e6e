package table

import (
	"strconv"

	"tenfold/io/sanitize"
	"tenfold/reports/digits"
)

// CSV writes the numbers behind the tables in long form, at full precision, under one header; a field is empty if there is no
// finite number. low and high are the 95 % interval of the mean; p is the p-value against the baseline, p_adjusted the one that
// decides.
func CSV(out sanitize.CSV, grids []*Grid) error {
	if err := out.Write([]string{"table", "row", "column", "metric", "mean", "se", "min", "max", "n", "status", "mark", "p", "optimistic",
		"low", "high", "p_adjusted"}); err != nil {
		return err
	}
	for _, g := range grids {
		for _, n := range g.Numbers {
			if err := out.Write([]string{g.Title, n.Row, n.Column, n.Metric, digits.Exact(n.Stat.Mean), digits.Exact(n.Stat.SE), digits.Exact(n.Stat.Min),
				digits.Exact(n.Stat.Max), strconv.Itoa(n.Stat.N), n.Status, n.Mark, digits.Exact(n.P), strconv.FormatBool(n.Optimistic),
				digits.Exact(n.Stat.Low), digits.Exact(n.Stat.High), digits.Exact(n.Adjusted)}); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}
