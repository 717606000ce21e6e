package table

import (
	"io"
	"strconv"

	"tenfold/io/results"
	"tenfold/io/sanitize"
)

// CSV writes the numbers behind the tables in long form, at full precision, under one header; a field is empty if there is no
// finite number. low and high are the 95 % interval of the mean; p is the p-value against the baseline, p_adjusted the one that
// decides. Raw texts are not protected from spreadsheets.
func CSV(w io.Writer, grids []*Grid, raw bool) error {
	out := sanitize.NewCSV(w, raw)
	if err := out.Write([]string{"table", "row", "column", "metric", "mean", "se", "min", "max", "n", "status", "mark", "p", "optimistic",
		"low", "high", "p_adjusted"}); err != nil {
		return err
	}
	for _, g := range grids {
		for _, n := range g.Numbers {
			if err := out.Write([]string{g.Title, n.Row, n.Column, n.Metric, exactText(n.Stat.Mean), exactText(n.Stat.SE), exactText(n.Stat.Min),
				exactText(n.Stat.Max), strconv.Itoa(n.Stat.N), n.Status, n.Mark, exactText(n.P), strconv.FormatBool(n.Optimistic),
				exactText(n.Stat.Low), exactText(n.Stat.High), exactText(n.Adjusted)}); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

func exactText(x float64) string {
	if !results.Finite(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
